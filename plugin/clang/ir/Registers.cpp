//===- Registers.cpp - How many registers a thread may need -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/ir/Emit.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SparseBitVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace ioflor::ir;

/// Plain backward liveness. Conditions live in predicate registers and are left
/// out; constants are immediate; arguments and what the hardware gives count.
int64_t ioflor::ir::registerEstimate(const Function &function) {
  const DataLayout &layout = function.getParent()->getDataLayout();
  DenseMap<const Value *, unsigned> number;
  std::vector<int64_t> units;
  auto add = [&](const Value &v) {
    Type *type = v.getType();
    if (type->isVoidTy() || type->isIntegerTy(1) || !type->isSized() ||
        isa<AllocaInst>(v))
      return;
    number[&v] = units.size();
    units.push_back(std::max<int64_t>(
        1, (layout.getTypeSizeInBits(type).getKnownMinValue() + 31) / 32));
  };
  for (const Argument &arg : function.args())
    add(arg);
  for (const BasicBlock &block : function)
    for (const Instruction &inst : block)
      add(inst);

  using Set = SparseBitVector<>;
  DenseMap<const BasicBlock *, Set> liveIn;
  auto liveOut = [&](const BasicBlock *block) {
    Set out;
    for (const BasicBlock *next : successors(block)) {
      Set in = liveIn[next];
      for (const PHINode &phi : next->phis()) {
        if (auto it = number.find(&phi); it != number.end())
          in.reset(it->second);
      }
      out |= in;
      for (const PHINode &phi : next->phis())
        if (auto it = number.find(phi.getIncomingValueForBlock(block));
            it != number.end())
          out.set(it->second);
    }
    return out;
  };
  auto backwards = [&](const BasicBlock *block, Set live, auto atPoint) {
    for (const Instruction &inst : reverse(*block)) {
      atPoint(live);
      if (auto it = number.find(&inst);
          it != number.end() && !isa<PHINode>(inst))
        live.reset(it->second);
      if (!isa<PHINode>(inst))
        for (const Use &u : inst.operands())
          if (auto it = number.find(u); it != number.end())
            live.set(it->second);
    }
    atPoint(live);
    return live;
  };
  std::vector<const BasicBlock *> order;
  for (const BasicBlock *block : post_order(&function))
    order.push_back(block);
  for (bool changed = true; changed;) {
    changed = false;
    for (const BasicBlock *block : order) {
      Set live = backwards(block, liveOut(block), [](const Set &) {});
      if (live != liveIn[block]) {
        liveIn[block] = live;
        changed = true;
      }
    }
  }
  int64_t most = 0;
  for (const BasicBlock *block : order) {
    backwards(block, liveOut(block), [&](const Set &live) {
      int64_t sum = 0;
      for (unsigned v : live)
        sum += units[v];
      most = std::max(most, sum);
    });
  }
  return most;
}
