//===- Mma.cpp - Fragments of matrix multiplications ----------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "plugin/clang/ir/Emit.h"

using namespace llvm;
using namespace ioflor;
using namespace ioflor::ir;

/// How many registers a lane holds of the accumulator (PTX ISA, "Matrix
/// fragments"): m16n16k16 and its kind 8 words, halves packed in pairs 4.
static unsigned accumulators(const IntrinsicInst &call, bool wmma,
                             StringRef shape) {
  Type *last = call.getArgOperand(call.arg_size() - 1)->getType();
  bool small = shape.starts_with("m8n8");
  if (last->isDoubleTy())
    return small ? 2 : 4;
  if (last->isVectorTy())
    return wmma || small ? 4 : 2;
  if (wmma)
    return small ? 2 : 8;
  return small && last->isFloatTy() ? 8 : small ? 2 : 4;
}

MmaFactors ioflor::ir::mmaFactors(const IntrinsicInst &call) {
  // llvm.nvvm.{wmma.m16n16k16.mma,mma.m16n8k16}.{row,col}...
  SmallVector<StringRef, 12> parts;
  call.getCalledFunction()->getName().split(parts, '.');
  bool wmma = parts[2] == "wmma";
  StringRef shape = parts.size() > 3 ? parts[3] : "";
  unsigned c = accumulators(call, wmma, shape), all = call.arg_size();
  if (all <= c)
    return {};
  unsigned both = all - c, left = both / 2;
  bool halves = call.getArgOperand(0)->getType()->isVectorTy();
  if (wmma && !halves && shape.starts_with("m32n8"))
    left = both / 5 * 4;
  else if (wmma && !halves && shape.starts_with("m8n32"))
    left = both / 5;
  else if (!wmma && shape.starts_with("m16n8"))
    left = both / 3 * 2;
  MmaFactors out;
  for (unsigned i = 0; i < both; ++i)
    (i < left ? out.left : out.right).push_back(i);
  return out;
}

/// One operand a factor: a fragment is spread over registers, and each of its
/// registers is part of the factor.
void Emitter::emitMma(CallBase &call, const MmaFactors &factors,
                      StringRef detail) {
  if (factors.left.empty() || factors.right.empty())
    return computeResult(call, ComputeKind::Mma, detail);
  if (!flow.isData(&call))
    return;
  mlir::Location loc = reader.location(call);
  SmallVector<mlir::Value, 8> operands;
  for (const auto *factor : {&factors.left, &factors.right}) {
    SmallVector<mlir::Value, 8> words;
    for (unsigned i : *factor)
      words.push_back(get(call.getArgOperand(i), loc));
    operands.push_back(words.size() == 1 ? words.front()
                                         : compute(ComputeKind::Convert, words,
                                                   "fragment", loc));
  }
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (!is_contained(factors.left, i) && !is_contained(factors.right, i) &&
        !isa<ConstantInt>(call.getArgOperand(i)))
      operands.push_back(get(call.getArgOperand(i), loc));
  define(&call, compute(ComputeKind::Mma, operands, detail, loc));
}
