//===- Flow.cpp - What a value is made of -------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/roles/Flow.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::roles;

/// Above this many facts of one value the analysis says that it gave up.
static constexpr size_t maxFacts = 96;
static constexpr unsigned maxRounds = 64;

//===----------------------------------------------------------------------===//
// Interning
//===----------------------------------------------------------------------===//

Id SourceSets::of(std::vector<Id> sources) {
  auto [it, isNew] = ids.try_emplace(sources, sets.size());
  if (isNew)
    sets.push_back(std::move(sources));
  return it->second;
}

std::optional<Id> SourceSets::join(Id a, Id b) {
  if (a == b)
    return a;
  std::vector<Id> all;
  std::set_union(sets[a].begin(), sets[a].end(), sets[b].begin(), sets[b].end(),
                 std::back_inserter(all));
  if (all.size() > maxSources)
    return std::nullopt;
  return of(std::move(all));
}

Id Flow::intern(Fact f) {
  // Products do not depend on the order of their factors.
  if (f.b < f.a && f.kind != FactKind::Raw && f.kind != FactKind::ExpRaw)
    std::swap(f.a, f.b);
  auto [it, isNew] = factIds.try_emplace(f, facts.size());
  if (isNew)
    facts.push_back(f);
  return it->second;
}

void Flow::push(Facts &out, FactKind kind, std::optional<Id> a,
                std::optional<Id> b, std::optional<Id> c) {
  if (!a || !b || !c) {
    overflow = "a product of more than " +
               std::to_string(SourceSets::maxSources) + " loaded operands";
    return;
  }
  out.push_back(intern({kind, *a, *b, *c}));
}

static void normalise(Facts &f) {
  llvm::sort(f);
  f.erase(std::unique(f.begin(), f.end()), f.end());
}

Facts Flow::unite(const Facts &x, const Facts &y) {
  Facts all;
  std::set_union(x.begin(), x.end(), y.begin(), y.end(),
                 std::back_inserter(all));
  return all;
}

const Facts &Flow::of(Value v) const {
  static const Facts none;
  auto it = values.find(v);
  return it == values.end() ? none : it->second;
}

bool Flow::has(Value v, FactKind kind) const {
  return llvm::any_of(of(v), [&](Id f) { return facts[f].kind == kind; });
}

bool Flow::isNormalised(Id a, Id b) const {
  return factIds.count({FactKind::Stat, std::min(a, b), std::max(a, b), 0}) > 0;
}

std::optional<Id> Flow::sourceOf(unsigned access) const {
  auto it = sourceIds.find(access);
  if (it == sourceIds.end())
    return std::nullopt;
  return it->second;
}

//===----------------------------------------------------------------------===//
// Transfer functions
//===----------------------------------------------------------------------===//

Facts Flow::multiply(const Facts &x, const Facts &y) {
  using K = FactKind;
  Facts out;
  auto [known, isNew] = products.try_emplace({x, y});
  if (!isNew)
    return known->second;
  if (!program.spend(x.size() * y.size())) {
    overflow = "too many combinations of loaded operands";
    return out;
  }
  auto isLinear = [](K k) {
    return k == K::Raw || k == K::Prod || k == K::Dot;
  };
  // The sources of a linear fact, seen as one operand.
  auto whole = [&](const Fact &f) -> std::optional<Id> {
    return f.kind == K::Raw ? std::optional<Id>(f.a) : sets.join(f.a, f.b);
  };
  auto joined = [&](Id a, std::optional<Id> b) {
    return b ? sets.join(a, *b) : std::nullopt;
  };
  // Does f use a source that the scores under g are made of?
  auto mentions = [&](const Fact &g, const Fact &f) {
    std::optional<Id> used = whole(f);
    return used && llvm::any_of(sets.members(*used), [&](Id s) {
             return llvm::is_contained(sets.members(g.a), s) ||
                    llvm::is_contained(sets.members(g.b), s);
           });
  };
  for (Id i : x)
    for (Id j : y) {
      Fact f = facts[i], g = facts[j];
      if (g.kind < f.kind)
        std::swap(f, g);
      if (isLinear(f.kind) && isLinear(g.kind)) {
        push(out, K::Prod, whole(f), whole(g));
        // A score that is scaled by a loaded word stays a score.
        for (const Fact &h : {f, g})
          if (h.kind == K::Dot)
            push(out, K::Dot, h.a, h.b);
        continue;
      }
      // From here on g is no linear fact; f may be one. A power of two that was
      // split off the score is part of its exp.
      if ((f.kind == K::Prod || f.kind == K::Dot) && f.a == g.a && f.b == g.b) {
        push(out, g.kind, g.a, g.b, g.c);
        continue;
      }
      if (f.kind == K::Raw || f.kind == K::Prod) {
        if (g.kind == K::Grad && mentions(g, f))
          push(out, K::Back, g.a, g.b, g.c);
        if (g.kind == K::Weight)
          push(out, K::Product, g.a, g.b, whole(f));
        else if (g.kind == K::Product)
          push(out, K::Product, g.a, g.b, joined(g.c, whole(f)));
        else
          push(out, g.kind, g.a, g.b, g.c);
        if (g.kind == K::ExpRaw || g.kind == K::Stat)
          push(out, f.kind, f.a, f.b);
        continue;
      }
      if (f.kind == K::Dot && (g.kind == K::Weight || g.kind == K::Product)) {
        // p * (dP - D) of a backward pass; p * s of an entropy is none.
        if (f.a != g.a || f.b != g.b)
          push(out, K::Grad, g.a, g.b, whole(f));
        push(out, g.kind, g.a, g.b, g.c);
        continue;
      }
      // Rescaling by a weight or a denominator keeps what is rescaled.
      push(out, f.kind, f.a, f.b, f.c);
      push(out, g.kind, g.a, g.b, g.c);
    }
  normalise(out);
  // What is rescaled is no weight any more.
  bool output = llvm::any_of(out, [&](Id f) {
    return facts[f].kind == K::Product || facts[f].kind == K::Weighted;
  });
  if (output)
    llvm::erase_if(out, [&](Id f) {
      return facts[f].kind == K::Weight || facts[f].kind == K::Stat ||
             facts[f].kind == K::ExpRaw;
    });
  return known->second = std::move(out);
}

Facts Flow::multiply(Value x, Value y) {
  if (!loaded.contains(x))
    return of(y);
  if (!loaded.contains(y))
    return of(x);
  return multiply(of(x), of(y));
}

Facts Flow::reduce(const Facts &x) {
  Facts out = x;
  for (Id i : x) {
    Fact f = facts[i];
    if (f.kind == FactKind::Prod)
      push(out, FactKind::Dot, f.a, f.b);
    else if (f.kind == FactKind::Product)
      push(out, FactKind::Weighted, f.a, f.b, f.c);
  }
  normalise(out);
  return out;
}

Facts Flow::sum(const Facts &x, const Facts &y, bool addition, bool reduction) {
  using K = FactKind;
  Facts out = unite(x, y);
  if (!reduction)
    return out;
  auto holds = [&](const Facts &in, const Fact &f, K kind) {
    return llvm::any_of(in, [&](Id i) {
      const Fact &g = facts[i];
      return g.kind == kind && g.a == f.a && g.b == f.b && g.c == f.c;
    });
  };
  for (const auto &[these, others] : {std::pair(&x, &y), std::pair(&y, &x)})
    for (Id i : *these) {
      Fact f = facts[i];
      if (f.kind == K::Prod &&
          (holds(*others, f, K::Prod) || holds(*others, f, K::Dot)))
        push(out, K::Dot, f.a, f.b);
      else if (f.kind == K::Product && (holds(*others, f, K::Product) ||
                                        holds(*others, f, K::Weighted)))
        push(out, K::Weighted, f.a, f.b, f.c);
      else if (f.kind == K::Weight && addition &&
               (holds(*others, f, K::Weight) || holds(*others, f, K::Stat)))
        push(out, K::Stat, f.a, f.b);
    }
  normalise(out);
  return out;
}

Facts Flow::exponential(const Facts &x) {
  using K = FactKind;
  Facts out;
  for (Id i : x) {
    Fact f = facts[i];
    switch (f.kind) {
    case K::Dot:
    case K::Weight: // exp(m + log(sum)) of a split softmax
    case K::Stat:
      push(out, K::Weight, f.a, f.b);
      break;
    case K::Raw:
    case K::ExpRaw:
      push(out, K::ExpRaw, f.a);
      break;
    default:
      break;
    }
  }
  normalise(out);
  return out;
}

Facts Flow::compute(ComputeOp op) {
  auto operand = [&](unsigned i) -> const Facts & {
    return of(op.getOperands()[i]);
  };
  unsigned n = op.getOperands().size();
  auto all = [&] {
    Facts out;
    for (Value v : op.getOperands())
      out = unite(out, of(v));
    return out;
  };
  bool reduces = straight || reductions.contains(op);
  switch (op.getKind()) {
  case ComputeKind::Constant:
    return {};
  case ComputeKind::Mul:
    return n == 2 ? multiply(op.getOperands()[0], op.getOperands()[1]) : all();
  case ComputeKind::Add:
  case ComputeKind::Sub: {
    bool addition = op.getKind() == ComputeKind::Add;
    if (n == 2)
      return sum(operand(0), operand(1), addition, reduces);
    // A horizontal sum of one vector.
    return n == 1 && addition ? reduce(operand(0)) : all();
  }
  case ComputeKind::Fma:
    if (n == 3)
      return sum(multiply(op.getOperands()[0], op.getOperands()[1]), operand(2),
                 true, reduces);
    return all();
  case ComputeKind::Mma: {
    if (n < 2)
      return all();
    Facts out = reduce(multiply(op.getOperands()[0], op.getOperands()[1]));
    for (unsigned i = 2; i < n; ++i)
      out = sum(out, operand(i), true, true);
    return out;
  }
  case ComputeKind::Div: {
    if (n != 2)
      return all();
    // A quotient is what its numerator is; 1 / sum is a weight's factor.
    return loaded.contains(op.getOperands()[0]) ? operand(0) : operand(1);
  }
  case ComputeKind::Exp:
    sawExp = true;
    return exponential(all());
  default:
    return all();
  }
}

//===----------------------------------------------------------------------===//
// Fixpoint
//===----------------------------------------------------------------------===//

bool Flow::setTo(Facts &into, const Facts &from) {
  if (std::includes(into.begin(), into.end(), from.begin(), from.end()))
    return false;
  if (into.size() >= maxFacts) {
    overflow = "a value that mixes more than " + std::to_string(maxFacts) +
               " kinds of data";
    return false;
  }
  into = unite(into, from);
  return true;
}

bool Flow::step() {
  bool changed = false;
  for (Operation *op : program.ops) {
    if (auto c = dyn_cast<ComputeOp>(op)) {
      changed |= setTo(values[c.getResult()], compute(c));
      continue;
    }
    const Access &a = program.accesses[program.accessOf.lookup(op)];
    if (a.isLoad) {
      Facts in;
      if (auto source = sourceOf(program.accessOf.lookup(op)))
        push(in, FactKind::Raw, sets.of({*source}));
      for (unsigned s : program.writers(program.accessOf.lookup(op)))
        in = unite(in, of(program.accesses[s].store().getValue()));
      changed |= setTo(values[a.load().getResult()], in);
    }
  }
  return changed;
}

Facts Flow::ofCell(unsigned cell) const {
  Facts out;
  for (unsigned s : program.cells[cell].stores)
    out = unite(out, of(program.accesses[s].store().getValue()));
  return out;
}

Flow::Flow(const Program &program, const std::set<unsigned> &perLoad,
           bool straight)
    : program(program), straight(straight) {
  sets.of({}); // the empty set is 0
  findReductions();
  findLoaded();
  number(perLoad);
  unsigned rounds = 0;
  while (step())
    if (++rounds == maxRounds) {
      overflow = "a data flow that does not settle";
      break;
    }
}
