//===- Relax.cpp - From integer conditions to real polynomials ------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/prover/Relax.h"
#include "passes/prover/SumBounds.h"
#include <deque>

using namespace ioflor;
using namespace ioflor::prover;

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

Expr Relaxation::tokenFor(const Expr &atom) {
  if (atom.kind() == ExprKind::Symbol)
    return atom;
  auto found = tokenOf.find(atom);
  if (found != tokenOf.end())
    return Expr::symbol(tokens[found->second].name);
  // `.` cannot occur in the name of a symbol, which is a Python identifier.
  std::string name = "t." + std::to_string(tokens.size() + 1);
  tokenOf[atom] = tokens.size();
  tokenByName[name] = tokens.size();
  tokens.push_back({name, atom});
  facts.emplace_back();
  return Expr::symbol(name);
}

Expr Relaxation::tokenise(const Expr &e) {
  Expr out;
  for (const Expr &term : e.terms()) {
    Expr product(term.coefficient());
    for (const auto &[atom, power] : term.factors()) {
      Expr t = tokenFor(atom);
      for (unsigned i = 0; i < power; ++i)
        product *= t;
    }
    out += product;
  }
  return out;
}

std::optional<Cond> Relaxation::tokenise(const Cond &c) {
  switch (c.kind()) {
  case CondKind::True:
  case CondKind::False:
    return c;
  case CondKind::NonNegative:
    return Cond::nonNegative(tokenise(c.expr()));
  case CondKind::Zero:
    return Cond::zero(tokenise(c.expr()));
  case CondKind::NonZero:
    return Cond::nonZero(tokenise(c.expr()));
  case CondKind::And:
  case CondKind::Or: {
    // A disjunction with an unread part may hold through that part.
    bool isAnd = c.kind() == CondKind::And;
    Cond out = isAnd ? Cond::always() : Cond::never();
    for (const Cond &op : c.operands()) {
      auto t = tokenise(op);
      if (!t && !isAnd)
        return std::nullopt;
      if (t)
        out = isAnd ? (out && *t) : (out || *t);
    }
    return out;
  }
  case CondKind::Unknown:
    return std::nullopt;
  }
  return std::nullopt;
}

/// True if `e`, a polynomial with integer coefficients over integers, is a
/// multiple of `by` everywhere: its residue depends on the variables' residues
/// only, so all of these are tried.
static bool alwaysDivides(const Expr &e, const BigInt &by) {
  std::set<std::string> names = e.freeSymbols();
  if (by < 1 || by > 24 || names.size() > 3)
    return false;
  int64_t n = int64_t(by);
  std::vector<std::string> order(names.begin(), names.end());
  std::vector<int64_t> residues(order.size(), 0);
  while (true) {
    Valuation at;
    for (size_t i = 0; i < order.size(); ++i)
      at[order[i]] = BigInt(residues[i]);
    auto v = evaluate(e, at);
    if (!v || *v - *v / by * by != 0)
      return false;
    size_t i = 0;
    while (i < residues.size() && ++residues[i] == n)
      residues[i++] = 0;
    if (i == residues.size())
      return true;
  }
}

/// The facts of tokens[index]; may make further tokens.
void Relaxation::buildTokenFacts(size_t index) {
  if (facts[index].built)
    return;
  facts[index].built = true;
  Expr t = Expr::symbol(tokens[index].name);
  Expr meaning = tokens[index].meaning;
  std::string text = meaning.str();
  TokenFacts f;
  f.built = true;
  auto fact = [&](std::vector<Fact> &to, const Expr &nonNegative) {
    to.push_back({Cond::nonNegative(nonNegative), "of " + text});
  };
  if (known.isPositive(meaning))
    fact(f.sign, t - 1);
  else if (known.isNonNegative(meaning))
    fact(f.sign, t);

  switch (meaning.kind()) {
  case ExprKind::CeilDiv:
  case ExprKind::FloorDiv: {
    Expr a = tokenise(meaning.operands()[0]);
    Expr b = tokenise(meaning.operands()[1]);
    // Closed forms of sums divide where nothing is left over.
    auto by = b.constant();
    const Expr &top = meaning.operands()[0], &bottom = meaning.operands()[1];
    bool divides =
        (by && alwaysDivides(a, *by)) || known.isDivisible(top, bottom);
    Expr room = divides ? Expr(0) : b - 1;
    Expr below = meaning.kind() == ExprKind::FloorDiv ? room : Expr(0);
    // A positive quotient is at least 1.
    if (below.isZero() && known.isPositive(top) && !known.isPositive(meaning))
      fact(f.sign, t - 1);
    fact(f.lower, t * b - a + below);
    fact(f.upper, a + (room - below) - t * b);
    break;
  }
  case ExprKind::Min:
  case ExprKind::Max: {
    bool isMin = meaning.kind() == ExprKind::Min;
    Cond attained = Cond::never();
    for (const Expr &op : meaning.operands()) {
      Expr gap = isMin ? tokenise(op) - t : t - tokenise(op);
      fact(isMin ? f.upper : f.lower, gap);
      attained = attained || Cond::nonNegative(-gap);
    }
    (isMin ? f.lower : f.upper).push_back({attained, "of " + text});
    break;
  }
  case ExprKind::Sum:
    for (const RationalBound &b : sumLowerBounds(meaning, known))
      fact(f.lower, t * tokenise(b.den) - tokenise(b.num));
    break;
  default:
    break;
  }
  facts[index] = std::move(f); // tokenise() may have moved the vector
}

//===----------------------------------------------------------------------===//
// The goal
//===----------------------------------------------------------------------===//

bool Relaxation::nonNegative(const std::string &variable) const {
  auto token = tokenByName.find(variable);
  return known.isNonNegative(token == tokenByName.end()
                                 ? Expr::symbol(variable)
                                 : tokens[token->second].meaning);
}

/// Divides the goal by the factors that all its monomials share and that are
/// never negative: quotient >= 0 then implies goal >= 0.
void Relaxation::cancel(Expr &g, std::vector<Expr> &by) const {
  std::vector<Expr> terms = g.terms();
  if (terms.empty())
    return;
  std::map<std::string, unsigned> common;
  for (const auto &[atom, power] : terms.front().factors())
    common[atom.name().str()] = power;
  for (const Expr &term : terms) {
    std::map<std::string, unsigned> here;
    for (const auto &[atom, power] : term.factors())
      here[atom.name().str()] = power;
    for (auto &[name, power] : common)
      power = std::min(power, here.count(name) ? here[name] : 0u);
  }
  for (auto it = common.begin(); it != common.end();)
    it = it->second == 0 || !nonNegative(it->first) ? common.erase(it)
                                                    : std::next(it);
  if (common.empty())
    return;
  Expr out;
  for (const Expr &term : terms) {
    Expr product(term.coefficient());
    for (const auto &[atom, power] : term.factors()) {
      auto c = common.find(atom.name().str());
      unsigned left = power - (c == common.end() ? 0 : c->second);
      for (unsigned i = 0; i < left; ++i)
        product *= atom;
    }
    out += product;
  }
  g = out;
  for (const auto &[name, power] : common)
    for (unsigned i = 0; i < power; ++i)
      by.push_back(Expr::symbol(name));
}

Relaxation::Relaxation(const Obligation &o) : known(o.known) {
  for (const Cond &h : o.hypotheses)
    assume(known, h);
  switch (o.goal.kind()) {
  case CondKind::True: // decided when it was built
  case CondKind::False:
    goal = o.goal.isAlways() ? 0 : -1;
    break;
  case CondKind::NonNegative:
    goal = tokenise(simplify(o.goal.expr(), known));
    break;
  default:
    isValid = false;
    return;
  }
  cancel(goal, goalCancelled);
  for (const Cond &h : o.hypotheses)
    for (const Cond &part : h.conjuncts())
      if (auto t = tokenise(part))
        hypotheses.push_back({*t, "hypothesis"});
  for (const Expr &f : o.known.facts())
    hypotheses.push_back({Cond::nonNegative(tokenise(f)), "assumption"});
  for (const auto &[e, divisor] : o.known.divisibilities())
    hypotheses.push_back(
        {Cond::zero(tokenise(e) -
                    tokenise(divisor) * tokenFor(floordiv(e, divisor))),
         "assumption"});
}

std::vector<Fact> Relaxation::rangeFacts(const std::string &symbol) const {
  std::vector<Fact> out;
  const Assumptions::Range *r = known.range(symbol);
  if (r && r->lo && r->lo->isConst())
    out.push_back({Cond::nonNegative(Expr::symbol(symbol) - *r->lo), "range"});
  return out;
}

//===----------------------------------------------------------------------===//
// Choice of facts
//===----------------------------------------------------------------------===//

/// Which sides of which variables a polynomial needs bounded so that it is
/// bounded from below: lower ends of what it grows with, upper ends of the
/// rest.
static void sidesOf(const Expr &e, bool lowerEnd,
                    std::map<std::string, unsigned> &sides) {
  for (const Expr &term : e.terms()) {
    bool positive = term.coefficient() > 0;
    for (const auto &[atom, power] : term.factors())
      sides[atom.name().str()] |= positive == lowerEnd ? 1u : 2u;
  }
}

static void collectExprs(const Cond &c, std::vector<Expr> &out) {
  if (c.kind() == CondKind::And || c.kind() == CondKind::Or) {
    for (const Cond &op : c.operands())
      collectExprs(op, out);
    return;
  }
  if (c.kind() == CondKind::NonNegative || c.kind() == CondKind::Zero ||
      c.kind() == CondKind::NonZero)
    out.push_back(c.expr());
}

void Relaxation::collect(Hypotheses choice, const Expr &g,
                         std::vector<Fact> &out) {
  bool minimal = choice == Hypotheses::Minimal;
  std::map<std::string, unsigned> wanted, done;
  std::set<Fact *> unused;
  sidesOf(g, true, wanted);
  std::vector<bool> used(hypotheses.size(), false);
  auto add = [&](const Fact &f) {
    if (std::find(out.begin(), out.end(), f) == out.end())
      out.push_back(f);
    std::vector<Expr> parts;
    collectExprs(f.cond, parts);
    for (const Expr &p : parts) {
      if (!minimal) {
        for (const std::string &s : p.freeSymbols())
          wanted[s] |= Both;
        continue;
      }
      // p >= 0 bounds what it is about through the rest of p: from below by
      // what stands with the other sign.
      sidesOf(p, false, wanted);
      if (f.cond.kind() == CondKind::Zero)
        sidesOf(p, true, wanted);
    }
  };
  auto mentions = [&](const Fact &f, const std::string &name, unsigned sides) {
    std::vector<Expr> parts;
    collectExprs(f.cond, parts);
    for (const Expr &p : parts) {
      if (!p.dependsOn(name))
        continue;
      if (!minimal || f.cond.kind() != CondKind::NonNegative)
        return true;
      std::map<std::string, unsigned> s;
      sidesOf(p, true, s);
      if (s[name] & sides)
        return true;
    }
    return false;
  };
  for (bool changed = true; changed;) {
    changed = false;
    std::map<std::string, unsigned> round = wanted;
    for (const auto &[name, sides] : round) {
      unsigned fresh = sides & ~done[name];
      if (!fresh)
        continue;
      changed = true;
      done[name] |= fresh;
      auto token = tokenByName.find(name);
      if (token != tokenByName.end()) {
        buildTokenFacts(token->second);
        TokenFacts f = facts[token->second];
        for (const Fact &x : f.sign)
          out.push_back(x);
        if (fresh & Lower)
          for (const Fact &x : f.lower)
            add(x);
        if (fresh & Upper)
          for (const Fact &x : f.upper)
            add(x);
      } else {
        for (const Fact &x : rangeFacts(name))
          out.push_back(x);
      }
      for (size_t i = 0; i < hypotheses.size(); ++i)
        if (!used[i] && mentions(hypotheses[i], name, fresh)) {
          used[i] = true;
          add(hypotheses[i]);
        }
    }
  }
  // A sign may have come in twice.
  std::vector<Fact> unique;
  for (Fact &f : out)
    if (std::find(unique.begin(), unique.end(), f) == unique.end())
      unique.push_back(f);
  out = std::move(unique);
}

Query Relaxation::query(const Strategy &strategy) {
  Query q;
  q.goal = strategy.weaken ? weakened(goal) : goal;
  q.cancelled = goalCancelled;
  if (strategy.weaken)
    cancel(q.goal, q.cancelled);
  collect(strategy.hypotheses, q.goal, q.facts);
  auto add = [&](const std::vector<Fact> &more) {
    for (const Fact &f : more)
      if (std::find(q.facts.begin(), q.facts.end(), f) == q.facts.end())
        q.facts.push_back(f);
  };
  if (strategy.hypotheses == Hypotheses::All)
    add(hypotheses);
  if (strategy.products)
    add(products());
  if (strategy.split) {
    std::set<std::string> used = q.goal.freeSymbols();
    for (const Fact &f : q.facts)
      for (const std::string &s : f.cond.freeSymbols())
        used.insert(s);
    add(splits(used));
  }
  q.tokens = tokens;
  return q;
}

Query Relaxation::vacuity() {
  Query q;
  q.goal = -1;
  Expr everything;
  for (const Fact &h : hypotheses) {
    std::vector<Expr> parts;
    collectExprs(h.cond, parts);
    for (const Expr &p : parts)
      for (const std::string &s : p.freeSymbols())
        everything += Expr::symbol(s);
  }
  collect(Hypotheses::Relevant, everything, q.facts);
  for (const std::string &s : known.symbols())
    for (const Fact &f : rangeFacts(s))
      if (std::find(q.facts.begin(), q.facts.end(), f) == q.facts.end())
        q.facts.push_back(f);
  q.tokens = tokens;
  return q;
}
