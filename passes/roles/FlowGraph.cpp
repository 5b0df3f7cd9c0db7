//===- FlowGraph.cpp - What the flow knows before facts -------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/roles/Flow.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::roles;

bool ioflor::roles::isLaneExchange(ComputeOp op) {
  StringRef detail = op.getDetail().value_or("");
  return op.getKind() == ComputeKind::Shuffle && !detail.contains("matrix") &&
         !detail.contains("mma");
}

void Flow::number(const std::set<unsigned> &perLoad) {
  std::map<unsigned, Id> ofBuffer;
  for (unsigned i = 0; i < program.accesses.size(); ++i) {
    const Access &a = program.accesses[i];
    if (!a.isLoad || !program.buffers[a.buffer].slow)
      continue;
    if (perLoad.count(a.buffer)) {
      sourceIds[i] = sources.size();
      sources.push_back({a.buffer, i});
      continue;
    }
    auto [it, isNew] = ofBuffer.try_emplace(a.buffer, sources.size());
    if (isNew)
      sources.push_back({a.buffer, std::nullopt});
    sourceIds[i] = it->second;
  }
}

/// Marks the additions on a cycle of the data flow (Tarjan's components, with
/// a stack of its own: skeletons nest deeply), and those of another lane's
/// value.
void Flow::findReductions() {
  const std::vector<Operation *> &ops = program.ops;
  DenseMap<Operation *, unsigned> number;
  for (unsigned i = 0; i < ops.size(); ++i)
    number[ops[i]] = i;
  auto sources = [&](unsigned i) {
    SmallVector<unsigned, 4> from;
    if (isa<LoadOp>(ops[i])) {
      for (unsigned s : program.writers(program.accessOf.lookup(ops[i])))
        from.push_back(number.lookup(program.accesses[s].op));
    } else {
      for (Value v : ops[i]->getOperands())
        if (Operation *def = v.getDefiningOp(); def && number.count(def))
          from.push_back(number.lookup(def));
    }
    return from;
  };
  constexpr unsigned unseen = ~0u;
  std::vector<unsigned> index(ops.size(), unseen), low(ops.size(), 0),
      component(ops.size(), unseen), stack;
  struct Visit {
    unsigned node;
    SmallVector<unsigned, 4> next;
  };
  unsigned clock = 0, components = 0;
  for (unsigned start = 0; start < ops.size(); ++start) {
    if (index[start] != unseen)
      continue;
    std::vector<Visit> visits;
    auto enter = [&](unsigned n) {
      index[n] = low[n] = clock++;
      stack.push_back(n);
      visits.push_back({n, sources(n)});
    };
    enter(start);
    while (!visits.empty()) {
      Visit &v = visits.back();
      unsigned n = v.node;
      if (!v.next.empty()) {
        unsigned to = v.next.pop_back_val();
        if (index[to] == unseen)
          enter(to);
        else if (component[to] == unseen)
          low[n] = std::min(low[n], index[to]);
        continue;
      }
      visits.pop_back();
      if (!visits.empty())
        low[visits.back().node] = std::min(low[visits.back().node], low[n]);
      if (low[n] != index[n])
        continue;
      for (unsigned member = unseen; member != n;) {
        member = stack.back();
        stack.pop_back();
        component[member] = components;
      }
      ++components;
    }
  }
  for (unsigned i = 0; i < ops.size(); ++i) {
    auto op = dyn_cast<ComputeOp>(ops[i]);
    if (!op)
      continue;
    for (Value v : op.getOperands()) {
      Operation *def = v.getDefiningOp();
      if (!def || !number.count(def))
        continue;
      auto other = dyn_cast<ComputeOp>(def);
      if (component[number.lookup(def)] == component[i] ||
          (other && isLaneExchange(other)))
        reductions.insert(op);
    }
  }
}

void Flow::findLoaded() {
  for (bool changed = true; changed;) {
    changed = false;
    for (Operation *op : program.ops) {
      if (isa<StoreOp>(op))
        continue;
      Value v = op->getResult(0);
      if (loaded.contains(v))
        continue;
      bool depends;
      if (auto load = dyn_cast<LoadOp>(op)) {
        unsigned a = program.accessOf.lookup(op);
        depends =
            program.buffers[program.accesses[a].buffer].slow ||
            llvm::any_of(program.writers(a), [&](unsigned s) {
              return loaded.contains(program.accesses[s].store().getValue());
            });
      } else {
        depends = llvm::any_of(op->getOperands(),
                               [&](Value o) { return loaded.contains(o); });
      }
      if (depends)
        changed |= loaded.insert(v).second;
    }
  }
}
