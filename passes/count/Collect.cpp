//===- Collect.cpp - The slow accesses of a subject -----------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/count/Collect.h"
#include "passes/count/Facts.h"

using namespace mlir;

namespace ioflor::count {

static Loop kindOf(LoopKind kind) {
  switch (kind) {
  case LoopKind::Host:
    return Loop::Host;
  case LoopKind::Grid:
    return Loop::Grid;
  case LoopKind::Thread:
    return Loop::Thread;
  case LoopKind::Seq:
    return Loop::Seq;
  }
  return Loop::Seq;
}

template <typename Op> static Access accessOf(Op op) {
  Access a;
  for (LoopOp loop : enclosingLoops(op))
    a.loops.push_back(
        {loop.getVar().str(), kindOf(loop.getKind()), loop.getTrips()});
  a.guards = enclosingGuards(op).conjuncts();
  a.address = op.getAddress();
  a.width = op.getWidth();
  if (op.getUnknown())
    a.unknown = op.getUnknown()->str();
  return a;
}

Collected collect(SubjectOp subject) {
  Collected c;
  c.context.known = collectAssumptions(subject);
  for (auto symbol : subject.getBody().getOps<SymbolOp>())
    if (symbol.getData())
      c.context.data.insert(symbol.getName().str());

  std::vector<Group> groups;
  auto groupOf = [&](StringRef buffer, bool isStore) -> Group & {
    for (Group &g : groups)
      if (g.buffer == buffer && g.isStore == isStore)
        return g;
    groups.push_back({buffer.str(), isStore, {}, ""});
    return groups.back();
  };
  unsigned stages = 0;
  subject.walk([&](StageOp stage) {
    auto add = [&](StringRef buffer, bool isStore, Access a) {
      Group &g = groupOf(buffer, isStore);
      g.stages.resize(stages + 1);
      g.stages[stages].push_back(std::move(a));
    };
    stage.walk([&](Operation *op) {
      if (auto load = dyn_cast<LoadOp>(op)) {
        if (isSlow(load))
          add(load.getBuffer(), false, accessOf(load));
      } else if (auto store = dyn_cast<StoreOp>(op)) {
        if (isSlow(store))
          add(store.getBuffer(), true, accessOf(store));
      }
    });
    ++stages;
  });
  auto slow = [&](StringRef name) {
    for (auto buffer : subject.getBody().getOps<BufferOp>())
      if (buffer.getSymName() == name)
        return true;
    return false;
  };
  subject.walk([&](UnknownOp unknown) {
    auto mark = [&](StringRef buffer, bool isStore) {
      if (slow(buffer))
        groupOf(buffer, isStore).unbounded = unknown.getReason().str();
    };
    if (unknown.getAny())
      for (auto buffer : subject.getBody().getOps<BufferOp>()) {
        mark(buffer.getSymName(), false);
        mark(buffer.getSymName(), true);
      }
    if (std::optional<ArrayAttr> reads = unknown.getReads())
      for (Attribute name : *reads)
        mark(cast<FlatSymbolRefAttr>(name).getValue(), false);
    if (std::optional<ArrayAttr> writes = unknown.getWrites())
      for (Attribute name : *writes)
        mark(cast<FlatSymbolRefAttr>(name).getValue(), true);
  });
  for (auto buffer : subject.getBody().getOps<BufferOp>())
    for (bool isStore : {false, true})
      for (Group &g : groups)
        if (g.buffer == buffer.getSymName() && g.isStore == isStore)
          c.groups.push_back(std::move(g));
  return c;
}

Counts countGroup(const Group &group, const Context &context) {
  std::optional<Counts> total;
  for (const std::vector<Access> &stage : group.stages) {
    if (stage.empty())
      continue;
    Counts c = countStage(stage, context);
    if (!total) {
      total = std::move(c);
      continue;
    }
    total->issued = total->issued + c.issued;
    total->traffic = total->traffic + c.traffic;
    total->compulsory = total->compulsory + c.compulsory;
  }
  if (!total)
    total.emplace(); // touched by unread constructs only
  for (Count *c : {&total->issued, &total->traffic, &total->compulsory}) {
    if (!group.unbounded.empty()) {
      c->hi.reset();
      c->exact = false;
      c->reason = group.unbounded;
    }
    // A value that memory decides differs from use to use: no bound.
    if (c->lo.dependsOnAny(context.data)) {
      c->lo = Expr(0);
      c->exact = false;
    }
    if (c->hi && c->hi->dependsOnAny(context.data)) {
      c->hi.reset();
      c->exact = false;
    }
    if (!c->exact && c->reason.empty())
      c->reason = "depends on data in memory";
  }
  return *total;
}

Footprint footprint(SubjectOp subject, const Context &context) {
  Budget budget;
  Facts facts(context.known, budget);
  // A word of fast memory is the narrowest element of an operand, so that a
  // shared array of floats holds twice as many words beside half operands.
  int64_t word = 0;
  bool roles =
      llvm::any_of(subject.getBody().getOps<BufferOp>(), [](BufferOp b) {
        return b.getRole().value_or(Role::Other) != Role::Other;
      });
  for (auto buffer : subject.getBody().getOps<BufferOp>())
    if (!roles || buffer.getRole().value_or(Role::Other) != Role::Other) {
      int64_t bytes = buffer.getElementBytes();
      word = word == 0 ? bytes : std::min(word, bytes);
    }
  word = std::max<int64_t>(word, 1);
  std::vector<Expr> lows, highs;
  bool bounded = true;
  subject.walk([&](StageOp stage) {
    Expr least, bytes, threads = stage.getThreads();
    for (auto buffer : stage.getBody().getOps<BufferOp>()) {
      if (buffer.getSpace() == Space::Slow || buffer.getScalar())
        continue;
      std::optional<Expr> size = buffer.getWords();
      if (!size) {
        bounded = false;
        continue;
      }
      Expr all = Expr(static_cast<int64_t>(buffer.getElementBytes())) * *size;
      Expr here = buffer.getSpace() == Space::Private ? all * threads : all;
      bytes += here;
      // A value of which a compiler may hold one part after the other.
      if (!buffer->hasAttr("ioflor.passing"))
        least += here;
    }
    Expr registers =
        Expr(4 * static_cast<int64_t>(stage.getRegisters())) * threads;
    lows.push_back(floordiv(least, Expr(word)));
    highs.push_back(ceildiv(bytes + registers, Expr(word)));
  });
  Footprint f;
  if (lows.empty()) {
    f.hi = Expr(0);
    return f;
  }
  f.lo = facts.maxOf(lows);
  if (bounded)
    f.hi = facts.maxOf(highs);
  return f;
}

} // namespace ioflor::count
