//===- DataFlow.cpp - Which values are words in flight -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/ir/DataFlow.h"
#include "plugin/clang/ir/Hardware.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace ioflor::ir;

bool ioflor::ir::isNoTransfer(const Instruction &inst) {
  if (isa<AssumeInst, DbgInfoIntrinsic, LifetimeIntrinsic, FenceInst>(inst))
    return true;
  auto *call = dyn_cast<IntrinsicInst>(&inst);
  if (!call)
    return false;
  switch (call->getIntrinsicID()) {
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::invariant_start:
  case Intrinsic::invariant_end:
  case Intrinsic::sideeffect:
  case Intrinsic::donothing:
  case Intrinsic::var_annotation:
  case Intrinsic::stacksave:
  case Intrinsic::stackrestore:
    return true;
  default:
    return launchRead(inst).has_value();
  }
}

static bool isFloating(const Type *type) {
  if (type->isFPOrFPVectorTy())
    return true;
  if (auto *st = dyn_cast<StructType>(type))
    return any_of(st->elements(), [](Type *t) { return isFloating(t); });
  if (auto *array = dyn_cast<ArrayType>(type))
    return isFloating(array->getElementType());
  return false;
}

/// Brings words into integers: loads, conversions from floating point and what
/// other threads or an instruction's own memory give.
static bool isSource(const Instruction &inst) {
  if (inst.getType()->isPtrOrPtrVectorTy() || inst.getType()->isVoidTy() ||
      inst.getType()->isIntegerTy(1))
    return false;
  if (isa<LoadInst, AtomicRMWInst, AtomicCmpXchgInst>(inst))
    return !launchRead(inst);
  if (auto *cast = dyn_cast<CastInst>(&inst))
    return isFloating(cast->getSrcTy());
  if (auto *call = dyn_cast<CallBase>(&inst)) {
    if (call->isInlineAsm())
      return any_of(call->args(),
                    [](const Use &u) { return isFloating(u->getType()); }) ||
             call->mayReadFromMemory();
    if (any_of(call->args(),
               [](const Use &u) { return isFloating(u->getType()); }))
      return true;
    return call->mayReadFromMemory() && !launchRead(inst) &&
           !isNoTransfer(inst);
  }
  return false;
}

static bool carries(const Instruction &user) {
  return isa<BinaryOperator, CastInst, SelectInst, PHINode, ExtractElementInst,
             InsertElementInst, ShuffleVectorInst, ExtractValueInst,
             InsertValueInst, FreezeInst, CallBase, UnaryOperator>(user) &&
         !user.getType()->isVoidTy() && !user.getType()->isPtrOrPtrVectorTy() &&
         !user.getType()->isIntegerTy(1);
}

DataFlow::DataFlow(const Function &function) {
  // Forwards: integers that a word reaches.
  DenseSet<const Value *> tainted;
  SmallVector<const Instruction *, 64> work;
  for (const Instruction &inst : instructions(function))
    if (isFloating(inst.getType()))
      words.insert(&inst);
    else if (isSource(inst) && tainted.insert(&inst).second)
      work.push_back(&inst);
  while (!work.empty()) {
    const Instruction *inst = work.pop_back_val();
    for (const User *u : inst->users()) {
      auto *user = dyn_cast<Instruction>(u);
      if (!user || !carries(*user) || isFloating(user->getType()))
        continue;
      if (tainted.insert(user).second)
        work.push_back(user);
    }
  }
  // Backwards: of those, what ends as a word again.
  auto want = [&](const Value *v) {
    auto *inst = dyn_cast<Instruction>(v);
    if (inst && tainted.count(inst) && words.insert(inst).second)
      work.push_back(inst);
  };
  for (const Instruction &inst : instructions(function)) {
    if (auto *store = dyn_cast<StoreInst>(&inst))
      want(store->getValueOperand());
    else if (auto *rmw = dyn_cast<AtomicRMWInst>(&inst))
      want(rmw->getValOperand());
    else if (auto *xchg = dyn_cast<AtomicCmpXchgInst>(&inst))
      want(xchg->getNewValOperand());
    else if (isa<CastInst, CallBase, InsertElementInst, InsertValueInst>(
                 inst) &&
             isFloating(inst.getType()))
      for (const Use &u : inst.operands())
        want(u);
    else if (auto *call = dyn_cast<CallBase>(&inst);
             call && !isNoTransfer(inst) &&
             (call->isInlineAsm() || call->mayWriteToMemory()))
      for (const Use &u : call->args())
        want(u);
  }
  while (!work.empty()) {
    const Instruction *inst = work.pop_back_val();
    if (isa<LoadInst, AtomicRMWInst, AtomicCmpXchgInst>(inst))
      continue;
    for (const Use &u : inst->operands())
      want(u);
  }
}

bool DataFlow::isData(const Value *v) const {
  if (isFloating(v->getType()))
    return true;
  return words.contains(v);
}
