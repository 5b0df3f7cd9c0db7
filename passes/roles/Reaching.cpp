//===- Reaching.cpp - Which stores a load reads from ----------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/roles/Program.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::roles;

namespace {

/// A store whose words may still be there, and whether the threads have met
/// since.
struct Live {
  unsigned store;
  bool met;
  bool operator<(const Live &o) const {
    return std::tie(store, met) < std::tie(o.store, o.met);
  }
  bool operator==(const Live &o) const {
    return store == o.store && met == o.met;
  }
};
/// By cell.
using State = std::map<unsigned, std::set<Live>>;

class Reaching {
public:
  Reaching(const Program &program,
           llvm::DenseMap<unsigned, SmallVector<unsigned, 4>> &out)
      : program(program), out(out) {}

  void run() {
    State state;
    SubjectOp subject = program.subject;
    block(subject, state);
    for (auto &[load, stores] : out) {
      llvm::sort(stores);
      stores.erase(std::unique(stores.begin(), stores.end()), stores.end());
    }
  }

private:
  const Program &program;
  llvm::DenseMap<unsigned, SmallVector<unsigned, 4>> &out;
  std::map<std::pair<unsigned, unsigned>, bool> coverage;

  static void join(State &into, const State &from) {
    for (const auto &[cell, live] : from)
      into[cell].insert(live.begin(), live.end());
  }

  void block(Operation *parent, State &state) {
    for (Operation &op : parent->getRegion(0).front()) {
      if (auto loop = dyn_cast<LoopOp>(op)) {
        // The second round brings in what an iteration leaves to the next.
        State before = state;
        block(loop, state);
        State again = state;
        join(again, before);
        block(loop, again);
        state = std::move(again);
      } else if (auto guard = dyn_cast<GuardOp>(op)) {
        guarded(guard, state);
      } else if (isa<StageOp>(op)) {
        block(&op, state);
      } else if (isa<BarrierOp>(op)) {
        meet(state);
      } else if (isa<LoadOp>(op)) {
        unsigned a = program.accessOf.lookup(&op);
        for (unsigned c : program.accesses[a].cells)
          for (const Live &l : state[c])
            out[a].push_back(l.store);
      } else if (isa<StoreOp>(op)) {
        store(program.accessOf.lookup(&op), state);
      }
    }
  }

  static void meet(State &state) {
    for (auto &[cell, live] : state) {
      std::set<Live> after;
      for (Live l : live)
        after.insert({l.store, true});
      live = std::move(after);
    }
  }

  /// What a guarded store to shared memory overwrites of an earlier phase is
  /// gone also where the guard is false: rows past the end. Anything else is
  /// still there.
  void guarded(GuardOp guard, State &state) {
    State inside = state;
    block(guard, inside);
    for (auto &[cell, live] : state) {
      BufferOp buffer = program.buffers[program.cells[cell].buffer].op;
      const std::set<Live> &after = inside[cell];
      for (const Live &l : live) {
        bool gone = l.met && buffer.getSpace() == Space::Shared &&
                    !after.count(l) && !after.count({l.store, false});
        if (!gone)
          inside[cell].insert(l);
      }
    }
    state = std::move(inside);
  }

  void store(unsigned index, State &state) {
    const Access &a = program.accesses[index];
    BufferOp buffer = program.buffers[a.buffer].op;
    auto value = a.store().getValue().getDefiningOp<ComputeOp>();
    bool fills = value && value.getKind() == ComputeKind::Constant;
    for (unsigned c : a.cells) {
      std::set<Live> &live = state[c];
      if (buffer.getScalar()) {
        live.clear();
      } else if (a.cells.size() == 1 && !fills) {
        bool shared = buffer.getSpace() == Space::Shared;
        for (auto it = live.begin(); it != live.end();)
          it = (!shared || it->met) && it->store != index &&
                       covers(index, it->store)
                   ? live.erase(it)
                   : std::next(it);
      }
      live.insert({index, false});
    }
  }

  bool covers(unsigned later, unsigned earlier) {
    auto [it, isNew] = coverage.try_emplace({later, earlier}, false);
    if (!isNew)
      return it->second;
    const Access &x = program.accesses[later], &y = program.accesses[earlier];
    if (!x.addr || !y.addr || x.stage != y.stage ||
        program.buffers[x.buffer].slow)
      return false;
    std::set<std::string> vars;
    for (const Access *a : {&x, &y})
      for (LoopOp loop : a->loops)
        vars.insert(loop.getVar().str());
    auto same = [](const std::optional<Expr> &p, const std::optional<Expr> &q) {
      return p && q && *p == *q;
    };
    bool equal = same(program.known.lowerBound(*x.addr, vars),
                      program.known.lowerBound(*y.addr, vars)) &&
                 same(program.known.upperBound(*x.addr + (x.width - 1), vars),
                      program.known.upperBound(*y.addr + (y.width - 1), vars));
    return it->second = equal;
  }
};

} // namespace

void Program::findReaching() {
  llvm::DenseMap<unsigned, SmallVector<unsigned, 4>> narrow;
  Reaching(*this, narrow).run();
  reaching = std::move(narrow);
}
