//===- EmitCalls.cpp - Calls, inline assembly and fragments of a stage -*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/ir/Emit.h"
#include "plugin/clang/ir/Hardware.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;
using namespace ioflor;
using namespace ioflor::ir;

/// What a function of this name computes, as far as attention tells apart.
static ComputeKind kindByName(StringRef name) {
  if (name.contains("exp") || name.contains("ex2"))
    return ComputeKind::Exp;
  if (name.contains("fmax") || name.contains("maxnum") ||
      name.contains("maximum"))
    return ComputeKind::Max;
  if (name.contains("fmin") || name.contains("minnum") ||
      name.contains("minimum"))
    return ComputeKind::Min;
  if (name.contains("fma") || name.contains("fmuladd"))
    return ComputeKind::Fma;
  if (name.contains("shfl") || name.contains("bpermute") ||
      name.contains("readlane") || name.contains("readfirstlane") ||
      name.contains("redux") || name.contains("update.dpp"))
    return ComputeKind::Shuffle;
  if (name.contains("mma"))
    return ComputeKind::Mma;
  if (name.contains("rcp") || name.contains("div"))
    return ComputeKind::Div;
  return ComputeKind::Other;
}

/// Functions without a body here that only compute: libdevice, ROCm's and
/// OpenCL's mathematics and C's math.h.
static bool isMathFunction(StringRef name) {
  for (StringRef prefix : {"__nv_", "__ocml_", "__ockl_", "llvm.", "__spirv_"})
    if (name.starts_with(prefix))
      return true;
  StringRef plain = name;
  // Itanium names of OpenCL's builtins: _Z3expf, _Z4fmaxff, ...
  if (plain.consume_front("_Z")) {
    unsigned length;
    if (plain.consumeInteger(10, length) || length > plain.size())
      return false;
    plain = plain.take_front(length);
  }
  if (plain.starts_with("__shfl"))
    return true;
  plain.consume_front("__");
  plain.consume_front("native_");
  plain.consume_front("half_");
  static const StringRef known[] = {
      "exp",      "exp2",   "exp10",  "expm1",     "log",      "log2",
      "log1p",    "log10",  "sqrt",   "rsqrt",     "fabs",     "abs",
      "fmax",     "fmin",   "fma",    "mad",       "pow",      "powr",
      "pown",     "tanh",   "sin",    "cos",       "tan",      "erf",
      "floor",    "ceil",   "round",  "rint",      "trunc",    "max",
      "min",      "clamp",  "dot",    "recip",     "divide",   "ldexp",
      "copysign", "fmod",   "isinf",  "isnan",     "isfinite", "sinh",
      "cosh",     "atan",   "atan2",  "asin",      "acos",     "cbrt",
      "erfc",     "lgamma", "tgamma", "nearbyint", "lrint",    "lround",
      "mix",      "sign",   "step",   "select",    "convert",  "as",
      "fdim",     "hypot"};
  if (is_contained(known, plain))
    return true;
  if (plain.size() > 1 && (plain.ends_with("f") || plain.ends_with("l")) &&
      is_contained(known, plain.drop_back()))
    return true;
  return name.starts_with("_Z") &&
         (plain.starts_with("convert_") || plain.starts_with("as_") ||
          plain.starts_with("sub_group_reduce") ||
          plain.starts_with("work_group_reduce") ||
          plain.starts_with("intel_sub_group_shuffle") ||
          plain.starts_with("sub_group_shuffle"));
}

static bool isBarrier(StringRef name) {
  return name.starts_with("llvm.nvvm.barrier") ||
         name == "llvm.amdgcn.s.barrier" || name == "_Z7barrierj" ||
         name == "barrier" || name.contains("__syncthreads") ||
         name.starts_with("_Z18work_group_barrier");
}

/// Waits, fences, prints and traps: nothing moves.
static bool movesNothing(StringRef name) {
  return name.starts_with("llvm.nvvm.membar") ||
         name.starts_with("llvm.nvvm.bar.warp") ||
         name.starts_with("llvm.nvvm.fence") ||
         name.starts_with("llvm.nvvm.cp.async.commit") ||
         name.starts_with("llvm.nvvm.cp.async.wait") ||
         name.starts_with("llvm.nvvm.cp.async.bulk.commit") ||
         name.starts_with("llvm.nvvm.cp.async.bulk.wait") ||
         name.starts_with("llvm.nvvm.mbarrier") ||
         name.starts_with("llvm.nvvm.vote") ||
         name.starts_with("llvm.nvvm.match") ||
         name.starts_with("llvm.nvvm.activemask") ||
         name.starts_with("llvm.nvvm.prefetch") ||
         name.starts_with("llvm.nvvm.setmaxnreg") ||
         name.starts_with("llvm.nvvm.griddepcontrol") ||
         name.starts_with("llvm.nvvm.nanosleep") ||
         name.starts_with("llvm.nvvm.elect") ||
         name.starts_with("llvm.nvvm.read.ptx") ||
         name.starts_with("llvm.nvvm.isspacep") ||
         name.starts_with("llvm.amdgcn.wave.barrier") ||
         name.starts_with("llvm.amdgcn.s.waitcnt") ||
         name.starts_with("llvm.amdgcn.sched") ||
         name.starts_with("llvm.amdgcn.s.setprio") ||
         name.starts_with("llvm.amdgcn.readfirstlane") ||
         name.starts_with("llvm.amdgcn.ballot") ||
         name.starts_with("llvm.prefetch") || name == "llvm.trap" ||
         name == "llvm.debugtrap" || name.contains("__syncwarp") ||
         name.contains("__threadfence") || name == "vprintf" ||
         name == "printf" || name == "puts" || name == "__assertfail" ||
         name == "__assert_fail" || name.starts_with("_Z10mem_fencej") ||
         name == "llvm.clear_cache";
}

void Emitter::computeResult(CallBase &call, ComputeKind kind, StringRef detail,
                            ArrayRef<AsmPart> parts) {
  if (!flow.isData(&call))
    return;
  mlir::Location loc = reader.location(call);
  SmallVector<mlir::Value, 8> operands;
  for (Value *v : call.args()) {
    if (v->getType()->isPointerTy() || v->getType()->isMetadataTy())
      continue;
    // Masks, lanes and modes of shuffles are no operands.
    bool word = flow.isData(v) || isa<ConstantFP>(v) ||
                v->getType()->isFPOrFPVectorTy();
    if (!word && (kind == ComputeKind::Shuffle || isa<Constant>(v)))
      continue;
    mlir::Value operand = get(v, loc);
    bool whole = true;
    for (const AsmPart &p : parts)
      if (call.getArgOperand(p.argument) == v) {
        operands.push_back(extract(operand, p.bytes, p.offset, loc));
        whole = false;
      }
    if (whole)
      operands.push_back(operand);
  }
  mlir::Value result = compute(kind, operands, detail, loc);
  if (kind == ComputeKind::Shuffle)
    noteLane(call, result.getDefiningOp());
  define(&call, result);
}

/// Which lane a shuffle reads, where that does not depend on data.
void Emitter::noteLane(CallBase &call, mlir::Operation *op) {
  Function *callee = call.getCalledFunction();
  StringRef name = callee ? callee->getName() : "";
  if (!name.consume_front("llvm.nvvm.shfl."))
    return;
  bool hasMask = name.consume_front("sync.");
  StringRef mode = StringSwitch<StringRef>(name.split('.').first)
                       .Case("bfly", "xor")
                       .Case("down", "down")
                       .Case("up", "up")
                       .Case("idx", "idx")
                       .Default("");
  unsigned first = hasMask ? 1 : 0;
  if (mode.empty() || call.arg_size() != first + 3)
    return;
  auto *clamp = dyn_cast<ConstantInt>(call.getArgOperand(first + 2));
  Value *lane = call.getArgOperand(first + 1);
  if (!clamp || flow.isData(lane))
    return;
  Expr e = simplified(reader.integer(lane));
  if (reader.isData(e))
    return;
  // Bits 8 to 12 of the last operand are 32 less the width of a segment.
  int64_t width = 32 - int64_t(clamp->getZExtValue() >> 8 & 31);
  op->setAttr(laneAttr, ExprAttr::get(builder.getContext(), e));
  op->setAttr(laneModeAttr, builder.getStringAttr(mode));
  op->setAttr(laneWidthAttr, builder.getI64IntegerAttr(width));
}

void Emitter::emitCall(CallBase &call) {
  if (isNoTransfer(call))
    return;
  if (call.isInlineAsm())
    return emitAsm(call);
  mlir::Location loc = reader.location(call);
  Function *callee = call.getCalledFunction();
  if (!callee) {
    unknown("indirect call", loc);
    if (flow.isData(&call))
      define(&call, constant("unknown", loc));
    return;
  }
  StringRef name = callee->getName();
  if (launchRead(call))
    return;
  if (isBarrier(name)) {
    BarrierOp::create(builder, loc);
    return;
  }
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&call);
      intrinsic && emitIntrinsic(*intrinsic))
    return;
  if (movesNothing(name)) {
    computeResult(call, ComputeKind::Other, name);
    return;
  }
  // Atomic functions of stub headers and OpenCL.
  if (name.starts_with("_Z") && name.contains("atomic") &&
      call.arg_size() >= 2 && call.getArgOperand(0)->getType()->isPointerTy()) {
    SmallVector<Value *, 2> operands(drop_begin(call.args()));
    return emitAtomic(
        call, call.getArgOperand(0), operands, name,
        layout.getTypeStoreSize(call.getArgOperand(1)->getType()));
  }
  bool pure = !call.mayReadOrWriteMemory();
  bool warp = kindByName(name) == ComputeKind::Shuffle && callee->isIntrinsic();
  bool pointers = any_of(
      call.args(), [](const Use &u) { return u->getType()->isPointerTy(); });
  if (pure || warp || (isMathFunction(name) && !pointers)) {
    if (!callee->isIntrinsic() && !isMathFunction(name) && pointers)
      unknown(("call of " + name).str(), loc);
    return computeResult(call, kindByName(name), name);
  }
  if (isMathFunction(name) && !callee->isIntrinsic()) {
    // sincosf and its kind write their results through pointers.
    for (Value *v : call.args())
      if (v->getType()->isPointerTy())
        if (Pointers p = asPointer(v); isSlowOrUnknown(p))
          unknown(("call of " + name).str(), loc);
    return computeResult(call, kindByName(name), name);
  }
  unknown(("call of " + name + ", whose body is not here").str(), loc);
  if (flow.isData(&call))
    define(&call, constant("unknown", loc));
}

bool Emitter::emitIntrinsic(IntrinsicInst &call) {
  mlir::Location loc = reader.location(call);
  StringRef name = call.getCalledFunction()->getName();
  if (auto *copy = dyn_cast<MemTransferInst>(&call)) {
    emitMemoryCopy(call, copy->getRawDest(), copy->getRawSource(),
                   copy->getLength());
    return true;
  }
  if (auto *set = dyn_cast<MemSetInst>(&call)) {
    emitMemoryCopy(call, set->getRawDest(), nullptr, set->getLength());
    return true;
  }
  if (name.starts_with("llvm.nvvm.cp.async.c")) {
    // cp.async.{ca,cg}.shared.global.N[.s](to, from[, source bytes])
    unsigned bytes = 0;
    SmallVector<StringRef, 10> parts;
    name.split(parts, '.');
    for (StringRef p : parts)
      if (!p.getAsInteger(10, bytes))
        break;
    if (bytes == 0)
      return false;
    Cond reads;
    if (call.arg_size() >= 3)
      reads = reader.above(call.getArgOperand(2), 0);
    copyAsync(asPointer(call.getArgOperand(0)),
              asPointer(call.getArgOperand(1)), bytes, reads, loc);
    return true;
  }
  if (name.starts_with("llvm.nvvm.ldmatrix")) {
    unsigned matrices = name.contains(".x4") ? 4 : name.contains(".x2") ? 2 : 1;
    SmallVector<mlir::Value, 1> loaded;
    emitMatrix(asPointer(call.getArgOperand(0)), matrices, nullptr, loc);
    if (flow.isData(&call))
      define(&call, matrixValue);
    return true;
  }
  if (name.starts_with("llvm.nvvm.ldg.") ||
      name.starts_with("llvm.nvvm.ldu.")) {
    mlir::Value v = read(asPointer(call.getArgOperand(0)),
                         layout.getTypeStoreSize(call.getType()), loc);
    if (flow.isData(&call))
      define(&call, v);
    return true;
  }
  if (name.starts_with("llvm.nvvm.wmma."))
    return emitFragment(call);
  if (name.starts_with("llvm.nvvm.mma.")) {
    emitMma(call, mmaFactors(call), "mma");
    return true;
  }
  return false;
}

/// memcpy and memset: one wide access for a constant length, else a loop over
/// bytes is left to the reader of the skeleton as an unknown.
void Emitter::emitMemoryCopy(Instruction &inst, Value *to, Value *from,
                             Value *length) {
  mlir::Location loc = reader.location(inst);
  auto bytes = reader.integer(length).constant64();
  Pointers target = asPointer(to);
  if (bytes == 0)
    return;
  bool parameter = false;
  if (from) {
    Value *base = from->stripPointerCasts();
    if (auto *arg = dyn_cast<Argument>(base))
      parameter = arg->hasByValAttr() || arg->hasAttribute(Attribute::ByRef);
  }
  if (!bytes) {
    unknown("copies a number of bytes that is not constant", loc);
    return;
  }
  mlir::Value v = from && !parameter
                      ? read(asPointer(from), *bytes, loc)
                      : constant(parameter ? "parameter" : "memset", loc);
  write(v, target, *bytes, loc);
}

void Emitter::copyAsync(const Pointers &to, const Pointers &from, int64_t bytes,
                        const Cond &reads, mlir::Location loc) {
  Cond c = simplify(reads, here());
  if (c.isAlways()) {
    write(read(from, bytes, loc), to, bytes, loc);
    return;
  }
  guarded(c, loc, [&] { write(read(from, bytes, loc), to, bytes, loc); });
  guarded(!c, loc, [&] { write(constant("0", loc), to, bytes, loc); });
}

/// ldmatrix: lane l gives the address of row l % 8 of matrix l / 8 and the rows
/// are handed to the lanes; as a whole the warp reads each row once.
void Emitter::emitMatrix(const Pointers &p, unsigned matrices,
                         mlir::Value stored, mlir::Location loc) {
  Expr lane = mod(reader.launch.linearThread(), Expr(32));
  Cond active = lt(lane, Expr(static_cast<int64_t>(8 * matrices)));
  if (stored) {
    guarded(active, loc, [&] { write(stored, p, 16, loc); });
    return;
  }
  Pointer row;
  row.buffer = temporary(16, loc);
  guarded(active, loc,
          [&] { writeOne(read(p, 16, loc), row, 16, loc, false); });
  mlir::Value own = readOne(row, 16, loc, false);
  matrixValue = compute(ComputeKind::Shuffle, {own}, "ldmatrix", loc);
}

/// wmma loads and stores: R lines of C elements, `stride` elements apart, are
/// moved by the warp as a whole. The skeleton gives R * C / 32 consecutive
/// elements to each lane; the hardware's own distribution is not specified.
bool Emitter::emitFragment(IntrinsicInst &call) {
  mlir::Location loc = reader.location(call);
  SmallVector<StringRef, 12> parts;
  call.getCalledFunction()->getName().split(parts, '.');
  if (parts.size() < 7)
    return false;
  // llvm.nvvm.wmma.m16n16k16.{load,store,mma}.{a,b,c,d}.{row,col}...
  StringRef shape = parts[3], action = parts[4], operand = parts[5],
            order = parts[6];
  if (action == "mma") {
    emitMma(call, mmaFactors(call), "wmma");
    return true;
  }
  unsigned m, n, k;
  if (!shape.consume_front("m") || shape.consumeInteger(10, m) ||
      !shape.consume_front("n") || shape.consumeInteger(10, n) ||
      !shape.consume_front("k") || shape.consumeInteger(10, k))
    return false;
  if (operand != "a" && operand != "b" && operand != "c" && operand != "d")
    return false;
  int64_t rows = operand == "b" ? k : m, columns = operand == "a" ? k : n;
  if (order == "col")
    std::swap(rows, columns);
  StringRef name = call.getCalledFunction()->getName();
  int64_t bytes = 0;
  for (StringRef p : ArrayRef(parts).drop_front(7)) {
    if (p == "f16" || p == "bf16")
      bytes = 2;
    else if (p == "f32" || p == "s32" || p == "tf32")
      bytes = 4;
    else if (p == "f64")
      bytes = 8;
    else if (p == "s8" || p == "u8")
      bytes = 1;
  }
  int64_t width = rows * columns / 32;
  if (bytes == 0 || width == 0 || columns % width != 0)
    return false;
  Pointers p = asPointer(call.getArgOperand(0));
  Expr stride(columns);
  if (name.contains(".stride"))
    stride = reader.integer(call.getArgOperand(call.arg_size() - 1));
  Expr lane = mod(reader.launch.linearThread(), Expr(32));
  Expr perLine(columns / width);
  Expr offset =
      (floordiv(lane, perLine) * stride + mod(lane, perLine) * Expr(width)) *
      Expr(bytes);
  for (Pointer &target : p)
    target.offset += offset;
  if (action == "load") {
    mlir::Value v = read(p, width * bytes, loc);
    if (flow.isData(&call))
      define(&call, compute(ComputeKind::Shuffle, {v}, "wmma.load", loc));
    return true;
  }
  if (action != "store")
    return false;
  SmallVector<mlir::Value, 8> words;
  for (unsigned i = 1; i < call.arg_size(); ++i)
    if (flow.isData(call.getArgOperand(i)))
      words.push_back(get(call.getArgOperand(i), loc));
  write(compute(ComputeKind::Shuffle, words, "wmma.store", loc), p,
        width * bytes, loc);
  return true;
}

void Emitter::emitAsm(CallBase &call) {
  mlir::Location loc = reader.location(call);
  SmallVector<AsmEffect, 2> effects = readAsm(call);
  asmValue = nullptr;
  for (const AsmEffect &e : effects)
    emitAsmEffect(call, e);
  if (!flow.isData(&call))
    return;
  if (asmValue) {
    define(&call, asmValue);
    return;
  }
  std::string name = effects.empty() ? "asm" : effects.back().mnemonic;
  SmallVector<AsmPart, 2> parts;
  for (const AsmEffect &e : effects)
    parts.append(e.parts.begin(), e.parts.end());
  const AsmEffect *mma = find_if(
      effects, [](const AsmEffect &e) { return e.kind == AsmEffect::Mma; });
  bool unknownAsm = any_of(
      effects, [](const AsmEffect &e) { return e.kind == AsmEffect::Unknown; });
  if (unknownAsm)
    define(&call, constant("unknown", loc));
  else if (mma != effects.end())
    emitMma(call, {mma->left, mma->right}, name);
  else
    computeResult(call, kindByName(name), name, parts);
}

void Emitter::emitAsmEffect(CallBase &call, const AsmEffect &e) {
  mlir::Location loc = reader.location(call);
  Cond runs;
  if (e.predicate) {
    runs = reader.nonZero(call.getArgOperand(*e.predicate));
    if (e.predicateNegated)
      runs = !runs;
  }
  auto target = [&](std::optional<unsigned> argument) {
    return asPointer(call.getArgOperand(*argument));
  };
  switch (e.kind) {
  case AsmEffect::Copy: {
    Cond reads;
    if (e.sourceBytesConstant)
      reads = *e.sourceBytesConstant > 0 ? Cond::always() : Cond::never();
    else if (e.sourceBytes)
      reads = reader.above(call.getArgOperand(*e.sourceBytes), 0);
    guarded(runs, loc, [&] {
      copyAsync(target(e.to), target(e.from), e.bytes, reads, loc);
    });
    return;
  }
  case AsmEffect::Load: {
    if (runs.isAlways()) {
      asmValue = read(target(e.from), e.bytes, loc);
      return;
    }
    Pointer joined;
    joined.buffer = temporary(e.bytes, loc);
    guarded(runs, loc, [&] {
      writeOne(read(target(e.from), e.bytes, loc), joined, e.bytes, loc, false);
    });
    asmValue = readOne(joined, e.bytes, loc, false);
    return;
  }
  case AsmEffect::Store:
    guarded(runs, loc, [&] {
      SmallVector<mlir::Value, 4> words;
      for (unsigned i = 0; i < call.arg_size(); ++i)
        if (i != *e.to && e.predicate != i)
          words.push_back(get(call.getArgOperand(i), loc));
      mlir::Value v = words.size() == 1
                          ? words.front()
                          : compute(ComputeKind::Other, words, "pack", loc);
      write(v, target(e.to), e.bytes, loc);
    });
    return;
  case AsmEffect::LdMatrix:
    emitMatrix(target(e.from), e.matrices, nullptr, loc);
    asmValue = matrixValue;
    return;
  case AsmEffect::StMatrix: {
    SmallVector<mlir::Value, 4> words;
    for (unsigned i = 0; i < call.arg_size(); ++i)
      if (i != *e.to)
        words.push_back(get(call.getArgOperand(i), loc));
    emitMatrix(target(e.to), e.matrices,
               compute(ComputeKind::Shuffle, words, "stmatrix", loc), loc);
    return;
  }
  case AsmEffect::Atomic:
    guarded(runs, loc, [&] {
      mlir::Value old = read(target(e.to), e.bytes, loc, true);
      SmallVector<mlir::Value, 4> words{old};
      for (unsigned i = 0; i < call.arg_size(); ++i)
        if (i != *e.to && e.predicate != i)
          words.push_back(get(call.getArgOperand(i), loc));
      write(compute(ComputeKind::Other, words, e.mnemonic, loc), target(e.to),
            e.bytes, loc, true);
      if (runs.isAlways())
        asmValue = old;
    });
    return;
  case AsmEffect::Barrier:
    BarrierOp::create(builder, loc);
    return;
  case AsmEffect::Mma:
  case AsmEffect::Compute:
    return;
  case AsmEffect::Unknown:
    unknown("inline assembly: " + e.mnemonic, loc);
    return;
  }
}
