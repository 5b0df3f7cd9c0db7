//===- Scope.cpp - What surrounds an op in a skeleton ---------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/ir/Ioflor.h"

using namespace mlir;
using namespace ioflor;

BufferOp ioflor::resolveBuffer(Operation *access, StringRef name) {
  // A buffer may not be referred to from inside a nested table, so this is at
  // most two look-ups: the stage and the subject.
  for (Operation *op = access->getParentOp(); op; op = op->getParentOp()) {
    if (isa<StageOp, SubjectOp>(op))
      if (auto buffer =
              dyn_cast_or_null<BufferOp>(SymbolTable::lookupSymbolIn(op, name)))
        return buffer;
    if (isa<SubjectOp>(op))
      break;
  }
  return {};
}

BufferOp ioflor::resolveBuffer(LoadOp load) {
  return resolveBuffer(load, load.getBuffer());
}

BufferOp ioflor::resolveBuffer(StoreOp store) {
  return resolveBuffer(store, store.getBuffer());
}

bool ioflor::isSlow(LoadOp load) {
  BufferOp buffer = resolveBuffer(load);
  return buffer && buffer.getSpace() == Space::Slow;
}

bool ioflor::isSlow(StoreOp store) {
  BufferOp buffer = resolveBuffer(store);
  return buffer && buffer.getSpace() == Space::Slow;
}

SmallVector<LoopOp> ioflor::enclosingLoops(Operation *op) {
  SmallVector<LoopOp> loops;
  for (Operation *up = op->getParentOp(); up && !isa<SubjectOp>(up);
       up = up->getParentOp())
    if (auto loop = dyn_cast<LoopOp>(up))
      loops.push_back(loop);
  std::reverse(loops.begin(), loops.end());
  return loops;
}

Cond ioflor::enclosingGuards(Operation *op) {
  Cond all;
  for (Operation *up = op->getParentOp(); up && !isa<SubjectOp>(up);
       up = up->getParentOp())
    if (auto guard = dyn_cast<GuardOp>(up))
      all = guard.getCondition() && all;
  return all;
}

std::string ioflor::fastWordsName(SubjectOp subject) {
  std::set<std::string> taken;
  subject.walk([&](Operation *op) {
    if (auto symbol = dyn_cast<SymbolOp>(op))
      taken.insert(symbol.getName().str());
    else if (auto loop = dyn_cast<LoopOp>(op))
      taken.insert(loop.getVar().str());
  });
  std::string name = "M";
  while (taken.count(name))
    name += name == "M" ? "_fast" : "_";
  return name;
}

Assumptions ioflor::collectAssumptions(SubjectOp subject) {
  Assumptions known;
  for (auto symbol : subject.getBody().getOps<SymbolOp>())
    known.declare(symbol.getName(), symbol.getLo(), symbol.getHi());
  for (auto assumption : subject.getBody().getOps<AssumeOp>())
    assume(known, assumption.getCondition());
  return known;
}

void ioflor::forEachExpr(Operation *op, function_ref<void(const Expr &)> onExpr,
                         function_ref<void(const Cond &)> onCond) {
  op->getAttrDictionary().walk([&](Attribute attr) {
    if (auto e = dyn_cast<ExprAttr>(attr))
      onExpr(e.getValue());
    else if (auto c = dyn_cast<CondAttr>(attr))
      onCond(c.getValue());
  });
}

std::optional<std::string> ioflor::whyInadmissible(SubjectOp subject,
                                                   const Valuation &at) {
  for (auto symbol : subject.getBody().getOps<SymbolOp>()) {
    if (symbol.getData())
      continue;
    std::string name = symbol.getName().str();
    auto it = at.find(name);
    if (it == at.end())
      return "no value for symbol '" + name + "'";
    for (bool upper : {false, true}) {
      std::optional<Expr> end = upper ? symbol.getHi() : symbol.getLo();
      if (!end)
        continue;
      std::optional<BigInt> value = evaluate(*end, at);
      // An end that uses a data symbol has no single value: it says nothing.
      if (value && (upper ? it->second > *value : it->second < *value))
        return "symbol '" + name + "' is " + (upper ? "above " : "below ") +
               end->str();
    }
  }
  for (auto assumption : subject.getBody().getOps<AssumeOp>())
    if (evaluate(assumption.getCondition(), at) == false)
      return "violates '" + assumption.getCondition().str() + "' (" +
             assumption.getSource().str() + ")";
  return std::nullopt;
}
