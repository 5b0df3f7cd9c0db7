//===- Triples.cpp - Which facts make an attention ------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/roles/Assigner.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::roles;

std::set<unsigned> Assigner::storedWith(FactKind kind) {
  std::set<unsigned> buffers;
  for (const Access &a : program.accesses)
    if (!a.isLoad && program.buffers[a.buffer].slow &&
        flow().has(a.store().getValue(), kind))
      buffers.insert(a.buffer);
  return buffers;
}

/// How many loop variables the addresses of a source's loads depend on: an
/// operand varies with everything, a scale or a table with less.
static std::pair<unsigned, bool> variability(const Flow &flow, Id source) {
  std::set<std::string> vars;
  bool dense = false;
  const Program &program = flow.program;
  for (unsigned i = 0; i < program.accesses.size(); ++i) {
    if (flow.sourceOf(i) != source)
      continue;
    const Access &a = program.accesses[i];
    if (!a.addr) {
      dense = true;
      continue;
    }
    for (LoopOp loop : a.loops) {
      std::string var = loop.getVar().str();
      if (a.addr->dependsOn(var))
        vars.insert(var);
    }
    dense |= a.width > 1;
  }
  return {vars.size(), dense};
}

/// The operand among the factors of one side of a product: tables that both
/// sides share, and factors that vary with fewer loops, only scale.
std::optional<Id> Assigner::principal(Id set, Id other) {
  std::vector<Id> own;
  for (Id s : flow().sets.members(set))
    if (!llvm::is_contained(flow().sets.members(other), s))
      own.push_back(s);
  if (own.empty()) {
    for (Id s : flow().sets.members(set))
      mixed.insert(bufferOf(s));
    return std::nullopt;
  }
  if (own.size() == 1)
    return own.front();
  llvm::sort(own, [&](Id a, Id b) {
    return variability(flow(), a) > variability(flow(), b);
  });
  if (variability(flow(), own[0]) > variability(flow(), own[1]))
    return own[0];
  trouble = "loaded factors '" + program.buffers[bufferOf(own[0])].name +
            "' and '" + program.buffers[bufferOf(own[1])].name +
            "' of one product cannot be told apart";
  return std::nullopt;
}

/// Facts about one output where the factors of one are all on one side of the
/// other: a rotation or a norm inside a score, or a score that is scaled. The
/// real contraction is the one whose lesser factor varies more.
std::vector<Fact> Assigner::withoutInner(const std::vector<Fact> &all) {
  auto contains = [&](Id set, Id part) {
    ArrayRef<Id> in = flow().sets.members(set), of = flow().sets.members(part);
    return std::includes(in.begin(), in.end(), of.begin(), of.end());
  };
  auto lesser = [&](const Fact &f) {
    auto most = [&](Id set, Id other) {
      std::pair<unsigned, bool> best{0, false};
      for (Id s : flow().sets.members(set))
        if (!llvm::is_contained(flow().sets.members(other), s))
          best = std::max(best, variability(flow(), s));
      return best;
    };
    return std::min(most(f.a, f.b), most(f.b, f.a));
  };
  std::set<size_t> dropped;
  for (size_t i = 0; i < all.size(); ++i)
    for (size_t j = 0; j < all.size(); ++j) {
      const Fact &in = all[i], &around = all[j];
      if (i == j || !((contains(around.a, in.a) && contains(around.a, in.b)) ||
                      (contains(around.b, in.a) && contains(around.b, in.b))))
        continue;
      if (in.a == around.a && in.b == around.b)
        continue;
      dropped.insert(lesser(in) > lesser(around) ? j : i);
    }
  std::vector<Fact> kept;
  for (size_t i = 0; i < all.size(); ++i)
    if (!dropped.count(i))
      kept.push_back(all[i]);
  return kept.empty() ? all : kept;
}

/// Loop variables that the loads of a source depend on.
static std::set<std::string> loadVars(const Flow &flow, Id source) {
  std::set<std::string> vars;
  const Program &program = flow.program;
  for (unsigned i = 0; i < program.accesses.size(); ++i)
    if (const Access &a = program.accesses[i];
        a.addr && flow.sourceOf(i) == source)
      for (LoopOp loop : a.loops)
        if (a.addr->dependsOn(loop.getVar()))
          vars.insert(loop.getVar().str());
  return vars;
}

/// A mask or a dropout factor multiplies weights as V does, but it has the rows
/// of the output, which V has not: they are what only one of x and y varies
/// with.
void Assigner::dropMasks(std::vector<Id> &values, Id x, Id y,
                         const Access &store) {
  if (values.size() < 2 || !store.addr)
    return;
  std::set<std::string> inX = loadVars(flow(), x), inY = loadVars(flow(), y);
  auto hits = [&](Id s) {
    unsigned n = 0;
    for (const std::string &var : loadVars(flow(), s))
      n += inX.count(var) != inY.count(var) && store.addr->dependsOn(var);
    return n;
  };
  unsigned fewest = hits(values.front());
  for (Id s : values)
    fewest = std::min(fewest, hits(s));
  llvm::erase_if(values, [&](Id s) { return hits(s) > fewest; });
}

std::set<Triple> Assigner::readTriples() {
  std::set<Triple> triples;
  std::set<unsigned> accumulators = storedWith(FactKind::Weighted),
                     weights = storedWith(FactKind::Weight);
  for (const Access &a : program.accesses) {
    if (a.isLoad || !program.buffers[a.buffer].slow)
      continue;
    std::vector<Fact> outputs;
    for (Id id : flow().of(a.store().getValue()))
      if (const Fact &f = flow().fact(id);
          f.kind == FactKind::Weighted && flow().isNormalised(f.a, f.b))
        outputs.push_back(f);
    for (const Fact &f : withoutInner(outputs)) {
      // Weights times the output so far, and whatever else rescales it.
      if (llvm::any_of(flow().sets.members(f.c), [&](Id s) {
            return accumulators.count(bufferOf(s)) > 0;
          }))
        continue;
      std::vector<Id> values = flow().sets.members(f.c).vec();
      // Weights that are normalised in place are words of a buffer that weights
      // multiply, but no V.
      if (llvm::any_of(values,
                       [&](Id s) { return !weights.count(bufferOf(s)); }))
        llvm::erase_if(values,
                       [&](Id s) { return weights.count(bufferOf(s)) > 0; });
      if (values.empty())
        continue;
      auto x = principal(f.a, f.b), y = principal(f.b, f.a);
      if (x && y)
        dropMasks(values, *x, *y, a);
      auto v = principal(flow().sets.of(values), 0);
      if (x && y && v)
        triples.insert({std::min(*x, *y), std::max(*x, *y), *v});
    }
  }
  // A denominator that is kept in slow memory multiplies weights, too, but it
  // is made of weights itself.
  std::set<unsigned> sums = storedWith(FactKind::Stat);
  sums.insert(weights.begin(), weights.end());
  auto isSum = [&](const Triple &t) { return sums.count(bufferOf(t.v)) > 0; };
  std::set<Triple> all = triples;
  std::erase_if(triples, [&](const Triple &t) {
    return isSum(t) && llvm::any_of(all, [&](const Triple &other) {
             return other.x == t.x && other.y == t.y && !isSum(other);
           });
  });
  dropUpstream(triples);
  return triples;
}

/// Where an operand is made by an earlier stage (a projection, a rotation, an
/// append to a cache), the operand is meant, not what it was made of.
void Assigner::dropUpstream(std::set<Triple> &triples) {
  std::map<Id, std::set<Id>> madeOf; // source -> what flows into its buffer
  for (const Triple &t : triples)
    for (Id s : {t.x, t.y, t.v}) {
      if (!program.buffers[bufferOf(s)].stored || madeOf.count(s))
        continue;
      std::set<Id> &from = madeOf[s];
      for (unsigned c = 0; c < program.cells.size(); ++c)
        if (program.cells[c].buffer == bufferOf(s))
          for (Id id : flow().ofCell(c)) {
            const Fact &f = flow().fact(id);
            if (f.kind == FactKind::Raw || f.kind == FactKind::Prod ||
                f.kind == FactKind::Dot)
              for (Id set : {f.a, f.b})
                for (Id m : flow().sets.members(set))
                  if (bufferOf(m) != bufferOf(s))
                    from.insert(m);
          }
    }
  std::set<Triple> kept;
  for (const Triple &t : triples) {
    bool upstream = llvm::any_of(madeOf, [&](const auto &entry) {
      return entry.first != t.x && entry.first != t.y && entry.first != t.v &&
             (entry.second.count(t.x) || entry.second.count(t.y) ||
              entry.second.count(t.v));
    });
    // A triple that uses the made operand in one place and its origin in
    // another is a mixture of the fixpoint.
    bool mixture = llvm::any_of(madeOf, [&](const auto &entry) {
      return (entry.first == t.x || entry.first == t.y || entry.first == t.v) &&
             (entry.second.count(t.x) || entry.second.count(t.y) ||
              entry.second.count(t.v));
    });
    if (!upstream && !mixture)
      kept.insert(t);
  }
  if (!kept.empty())
    triples = std::move(kept);
}
