//===- Reaching.cpp - Which stores a load reads from ----------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/roles/Address.h"
#include "passes/roles/Program.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::roles;

namespace {

/// Stores that together overwrite an element where `where` holds: one store, or
/// those of the branches of an if.
struct Over {
  std::vector<unsigned> stores;
  Cond where;
  bool operator==(const Over &o) const {
    return stores == o.stores && where == o.where;
  }
};

/// A store whose words may still be there, and whether the threads have met
/// since.
struct Live {
  unsigned store;
  bool met;
  bool operator<(const Live &o) const {
    return std::tie(store, met) < std::tie(o.store, o.met);
  }
};
/// By cell: what is live, and what has run since on every path, in an order
/// that is certain. Such a store need not cover all of the live one: it hides
/// it from the loads that read no more than it writes.
using LiveSet = std::map<Live, std::vector<Over>>;
using State = std::map<unsigned, LiveSet>;

/// More stores than this to one cell are not set against single loads.
constexpr size_t maxStores = 96;

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
  std::map<std::pair<unsigned, unsigned>, bool> coverage, hiding, sameness;

  static void join(LiveSet &into, Live l, const std::vector<Over> &over) {
    auto [it, isNew] = into.try_emplace(l, over);
    if (!isNew)
      llvm::erase_if(it->second, [&](const Over &o) {
        return !llvm::is_contained(over, o);
      });
  }
  static void join(State &into, const State &from) {
    for (const auto &[cell, live] : from)
      for (const auto &[l, over] : live)
        join(into[cell], l, over);
  }

  void block(Operation *parent, State &state) {
    for (Operation &op : parent->getRegion(0).front()) {
      if (auto loop = dyn_cast<LoopOp>(op)) {
        // The second round brings in what an iteration leaves to the next.
        State before = state;
        block(loop, state);
        State again = state;
        // What ran in the last iteration wrote elsewhere than in this one.
        // CTAs and threads do not come one after the other: what a CTA leaves
        // in its own memory is no other's.
        bool parallel = loop.getKind() == LoopKind::Grid ||
                        loop.getKind() == LoopKind::Thread;
        for (auto &[cell, live] : again) {
          if (parallel && !program.buffers[program.cells[cell].buffer].slow)
            live.clear();
          for (auto &[l, over] : live)
            llvm::erase_if(over, [&](const Over &o) {
              return llvm::any_of(o.stores, [&](unsigned s) {
                return llvm::is_contained(program.accesses[s].loops, loop);
              });
            });
        }
        join(again, before);
        block(loop, again);
        leave(loop, again);
        state = std::move(again);
      } else if (auto guard = dyn_cast<GuardOp>(op)) {
        guarded(guard, state);
      } else if (isa<StageOp>(op)) {
        block(&op, state);
      } else if (isa<BarrierOp>(op)) {
        meet(state);
      } else if (isa<LoadOp>(op)) {
        load(program.accessOf.lookup(&op), state);
      } else if (isa<StoreOp>(op)) {
        store(program.accessOf.lookup(&op), state);
      }
    }
  }

  static void meet(State &state) {
    for (auto &[cell, live] : state) {
      LiveSet after;
      for (const auto &[l, over] : live)
        join(after, {l.store, true}, over);
      live = std::move(after);
    }
  }

  /// Conditions on a loop's variable mean nothing behind it.
  static void leave(LoopOp loop, State &state) {
    std::string var = loop.getVar().str();
    for (auto &[cell, live] : state)
      for (auto &[l, over] : live)
        llvm::erase_if(over, [&](const Over &o) {
          return o.where.freeSymbols().count(var) > 0;
        });
  }

  static bool isFill(const Access &a) {
    auto value = a.store().getValue().getDefiningOp<ComputeOp>();
    return value && value.getKind() == ComputeKind::Constant;
  }

  /// What a guarded store to shared memory overwrites of an earlier phase is
  /// gone also where the guard is false: rows past the end. Anything else is
  /// still there.
  void guarded(GuardOp guard, State &state) {
    State inside = state;
    block(guard, inside);
    for (auto &[cell, live] : state) {
      BufferOp buffer = program.buffers[program.cells[cell].buffer].op;
      bool shared = buffer.getSpace() == Space::Shared;
      LiveSet &after = inside[cell];
      for (auto &[l, over] : live) {
        auto it = after.find(l);
        if (it == after.end()) {
          bool gone = l.met && shared && !after.count({l.store, false});
          if (!gone)
            after[l] = over;
          continue;
        }
        std::vector<Over> now = over;
        for (const Over &o : it->second) {
          if (llvm::is_contained(over, o))
            continue;
          bool everywhere =
              l.met && shared && llvm::none_of(o.stores, [&](unsigned s) {
                return isFill(program.accesses[s]);
              });
          now.push_back(
              everywhere ? o : Over{o.stores, guard.getCondition() && o.where});
        }
        uniteBranches(now);
        it->second = std::move(now);
      }
    }
    state = std::move(inside);
  }

  /// Where the branches of an if all overwrite, the element is overwritten.
  void uniteBranches(std::vector<Over> &over) {
    for (size_t i = 0; i < over.size(); ++i)
      for (size_t j = i + 1; j < over.size(); ++j) {
        if (over[i].where.isAlways() || over[i].where != !over[j].where)
          continue;
        Over both{over[i].stores, Cond::always()};
        both.stores.insert(both.stores.end(), over[j].stores.begin(),
                           over[j].stores.end());
        over.erase(over.begin() + j);
        over[i] = std::move(both);
        break;
      }
  }

  void load(unsigned index, State &state) {
    for (unsigned c : program.accesses[index].cells)
      for (const auto &[l, over] : state[c]) {
        bool hidden = llvm::any_of(over, [&](const Over &o) {
          return o.where.isAlways() && llvm::all_of(o.stores, [&](unsigned s) {
                   return hides(s, index);
                 });
        });
        if (!hidden)
          out[index].push_back(l.store);
      }
  }

  void store(unsigned index, State &state) {
    const Access &a = program.accesses[index];
    BufferOp buffer = program.buffers[a.buffer].op;
    bool fills = isFill(a);
    bool shared = buffer.getSpace() == Space::Shared;
    for (unsigned c : a.cells) {
      LiveSet &live = state[c];
      if (buffer.getScalar()) {
        live.clear();
      } else if (a.cells.size() == 1) {
        bool single = program.cells[c].stores.size() <= maxStores;
        for (auto it = live.begin(); it != live.end();) {
          auto &[l, over] = *it;
          bool ordered = !shared || l.met || writesAgain(index, l.store);
          if (ordered && l.store != index && !fills && (!shared || l.met) &&
              covers(index, l.store)) {
            it = live.erase(it);
            continue;
          }
          Over o{{index}, Cond::always()};
          if (ordered && single && l.store != index &&
              !llvm::is_contained(over, o))
            over.push_back(std::move(o));
          ++it;
        }
      }
      live[{index, false}].clear();
    }
  }

  /// Does the later store write all that the earlier one wrote? Only what spans
  /// the same words is taken for that: a part of a tile is not its end.
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
    std::optional<Program::Span> p = program.span(x, vars),
                                 q = program.span(y, vars);
    bool equal = p && q && p->lo == q->lo && p->hi == q->hi;
    return it->second = equal;
  }

  /// Does the store `s` span all that `load` reads in an iteration of the loops
  /// around both?
  bool hides(unsigned s, unsigned load) {
    auto [it, isNew] = hiding.try_emplace({s, load}, false);
    if (!isNew)
      return it->second;
    const Access &x = program.accesses[s], &y = program.accesses[load];
    if (!x.addr || !y.addr || x.stage != y.stage ||
        program.buffers[x.buffer].slow)
      return false;
    BufferOp buffer = program.buffers[x.buffer].op;
    bool shared = buffer.getSpace() == Space::Shared;
    std::set<std::string> vars;
    for (unsigned i = 0, n = std::max(x.loops.size(), y.loops.size()); i < n;
         ++i) {
      bool common =
          i < x.loops.size() && i < y.loops.size() && x.loops[i] == y.loops[i];
      for (const Access *a : {&x, &y}) {
        if (i >= a->loops.size())
          continue;
        LoopOp loop = a->loops[i];
        if (!common || (shared && loop.getKind() == LoopKind::Thread))
          vars.insert(loop.getVar().str());
      }
    }
    const Assumptions &known = program.known;
    std::optional<Program::Span> written = program.span(x, vars),
                                 read = program.span(y, vars);
    return it->second = written && read &&
                        known.isNonNegative(read->lo - written->lo) &&
                        known.isNonNegative(written->hi - read->hi);
  }

  /// Does each thread write with `later` where it wrote with `earlier`? Then
  /// no barrier is needed to order them.
  bool writesAgain(unsigned later, unsigned earlier) {
    auto [it, isNew] = sameness.try_emplace({later, earlier}, false);
    if (!isNew)
      return it->second;
    const Access &x = program.accesses[later], &y = program.accesses[earlier];
    if (!x.addr || !y.addr || x.width != y.width ||
        x.loops.size() != y.loops.size())
      return false;
    Subst rename;
    for (unsigned i = 0; i < x.loops.size(); ++i) {
      LoopOp p = x.loops[i], q = y.loops[i];
      if (p == q)
        continue;
      if (p.getTrips().substitute(rename) != q.getTrips())
        return false;
      rename[p.getVar().str()] = Expr::symbol(q.getVar().str());
    }
    return it->second = x.addr->substitute(rename) == *y.addr;
  }
};

} // namespace

void Program::findReaching() {
  llvm::DenseMap<unsigned, SmallVector<unsigned, 4>> narrow;
  Reaching(*this, narrow).run();
  reaching = std::move(narrow);
}
