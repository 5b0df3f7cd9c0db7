//===- Points.cpp - Counting integer points -------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/count/Points.h"
#include "passes/count/Summation.h"

namespace ioflor::count {

static Frac multiply(const Frac &a, const Frac &b) {
  return Frac(a.num * b.num, a.den * b.den);
}

/// Variables that constraints or the body tie together.
static std::vector<Names> components(const Names &vars, const Conj &c,
                                     const Expr &body) {
  std::vector<size_t> group(vars.size());
  for (size_t i = 0; i < vars.size(); ++i)
    group[i] = i;
  auto join = [&](const Expr &e) {
    std::optional<size_t> first;
    for (size_t i = 0; i < vars.size(); ++i) {
      if (!e.dependsOn(vars[i]))
        continue;
      if (!first) {
        first = group[i];
        continue;
      }
      size_t from = group[i];
      for (size_t &g : group)
        if (g == from)
          g = *first;
    }
  };
  for (const Expr &e : c)
    join(e);
  join(body);
  std::vector<Names> result;
  for (size_t g = 0; g < vars.size(); ++g) {
    Names names;
    for (size_t i = 0; i < vars.size(); ++i)
      if (group[i] == g)
        names.push_back(vars[i]);
    if (!names.empty())
      result.push_back(names);
  }
  return result;
}

namespace {
struct Elimination {
  std::string var;
  Bounds bounds;
  unsigned cost = ~0u;
};
} // namespace

static std::optional<Frac> sumComponent(Names vars, Conj c, Frac body,
                                        const Facts &base, unsigned depth);

static std::optional<Frac> sumRec(const Names &vars, Conj c, const Frac &body,
                                  const Facts &outer, unsigned depth) {
  // What grows beyond this helps neither a reader nor a solver.
  constexpr size_t largestBody = 400;
  if (body.num.isZero() || !cleanup(c, outer))
    return Frac();
  if (outer.budget().exhausted() || body.num.size() > largestBody)
    return std::nullopt;
  // Constraints on the sizes alone: a factor that is 0 or 1, and a fact for
  // the rest.
  Facts base = outer;
  Expr factor(1);
  Conj own;
  std::set<std::string> all(vars.begin(), vars.end());
  for (const Expr &e : c) {
    if (e.dependsOnAny(all)) {
      own.push_back(e);
      continue;
    }
    factor *= indicator(e);
    base.add(e);
  }
  std::optional<Frac> result = Frac(factor);
  bool bodyDone = false;
  for (const Names &group : components(vars, own, body.num)) {
    Conj mine;
    for (const Expr &e : own)
      if (llvm::any_of(group,
                       [&](const std::string &v) { return e.dependsOn(v); }))
        mine.push_back(e);
    bool holdsBody =
        !bodyDone && llvm::any_of(group, [&](const std::string &v) {
          return body.num.dependsOn(v);
        });
    bodyDone |= holdsBody;
    std::optional<Frac> part = sumComponent(
        group, mine, holdsBody ? body : Frac(Expr(1)), base, depth);
    if (!part)
      return std::nullopt;
    result = multiply(*result, *part);
  }
  if (!bodyDone)
    result = multiply(*result, body);
  return result;
}

/// Merging needs no sum at all: x + T*y runs over one range.
static bool mergePair(Names &vars, Conj &c, Frac &body, const Facts &base) {
  for (const std::string &x : vars)
    for (const std::string &y : vars) {
      if (x == y)
        continue;
      std::string e = freshName("e", base.budget());
      std::optional<Merged> m = merge({c}, {body.num}, x, y, e, vars, base);
      if (!m)
        continue;
      Names next;
      for (const std::string &v : vars)
        if (v != x && v != y)
          next.push_back(v);
      next.push_back(e);
      vars = next;
      c = m->set[0];
      body.num = m->also[0];
      return true;
    }
  return false;
}

/// A division of one variable that linearising left: split the variable.
static bool splitOne(Names &vars, Conj &c, Frac &body, const Facts &base) {
  std::optional<std::pair<std::string, Expr>> pick;
  Expr divisor;
  std::set<std::string> all(vars.begin(), vars.end());
  auto look = [&](const Expr &e) {
    visitAtoms(e, [&](const Expr &a) {
      if (a.kind() == ExprKind::Sum)
        return false;
      if (a.kind() != ExprKind::FloorDiv || a.operands()[1].dependsOnAny(all))
        return true;
      const Expr &n = a.operands()[0];
      for (const std::string &v : vars) {
        auto affine = n.asAffineIn(v);
        if (affine && affine->first.isOne() &&
            !affine->second.dependsOnAny(all)) {
          // The largest divisor first, as for addresses.
          const Expr &d = a.operands()[1];
          auto old = divisor.constant(), now = d.constant();
          if (pick && !(old && now && *now > *old))
            continue;
          pick = {v, affine->second};
          divisor = d;
        }
      }
      return false;
    });
  };
  for (const Expr &e : c)
    look(e);
  if (!pick)
    return false;
  std::string q = freshName("q", base.budget()),
              r = freshName("r", base.budget());
  std::optional<Merged> m =
      split({c}, {body.num}, pick->first, pick->second, divisor, q, r, base);
  if (!m)
    return false;
  Names next;
  for (const std::string &v : vars)
    if (v != pick->first)
      next.push_back(v);
  next.push_back(q);
  next.push_back(r);
  std::set<std::string> nextSet(next.begin(), next.end());
  Dnf affine{Conj{}};
  for (const Expr &e : m->set[0]) {
    std::optional<Dnf> both = conjoin(affine, linearise(e, nextSet));
    if (!both || both->size() != 1)
      return false;
    affine = *both;
  }
  vars = next;
  c = affine[0];
  body.num = m->also[0];
  return true;
}

static std::optional<Frac> sumComponent(Names vars, Conj c, Frac body,
                                        const Facts &base, unsigned depth) {
  if (depth == 0)
    return std::nullopt;
  if (!cleanup(c, base))
    return Frac();
  if (vars.size() > 1 && base.budget().spend(vars.size())) {
    if (mergePair(vars, c, body, base))
      return sumRec(vars, c, body, base, depth - 1);
    for (size_t i = 0; i < vars.size(); ++i)
      if (!body.num.dependsOn(vars[i]))
        if (std::optional<Conj> r = dropQuotient(c, vars[i], base)) {
          vars.erase(vars.begin() + i);
          return sumRec(vars, *r, body, base, depth - 1);
        }
  }
  if (base.budget().spend() && splitOne(vars, c, body, base))
    return sumRec(vars, c, body, base, depth - 1);

  // Eliminate one variable: unit coefficients, few pairs of bounds, simple
  // dependence of the body.
  Elimination best;
  for (const std::string &v : vars) {
    Elimination e;
    e.var = v;
    e.bounds = boundsOf(c, v, base);
    if (e.bounds.lowers.empty() || e.bounds.uppers.empty())
      continue;
    // A quotient by a symbol of something that is still to be summed has no
    // closed form.
    if (e.bounds.symbolic && llvm::any_of(vars, [&](const std::string &w) {
          auto uses = [&](const Expr &b) { return b.dependsOn(w); };
          return w != v && (llvm::any_of(e.bounds.lowers, uses) ||
                            llvm::any_of(e.bounds.uppers, uses));
        }))
      continue;
    e.cost = e.bounds.lowers.size() * e.bounds.uppers.size() +
             20 * e.bounds.other.size() + (e.bounds.unit ? 0 : 10);
    if (occursNonlinearly(body.num, v))
      e.cost += 8;
    else if (body.num.dependsOn(v))
      e.cost += 3;
    // A bound by other variables is to be summed before them.
    bool outer = true;
    for (const Expr &b : e.bounds.lowers)
      for (const std::string &w : vars)
        outer &= !b.dependsOn(w);
    for (const Expr &b : e.bounds.uppers)
      for (const std::string &w : vars)
        outer &= !b.dependsOn(w);
    if (outer && vars.size() > 1 && e.bounds.other.empty())
      e.cost += 1;
    if (base.budget().innermostFirst)
      e.cost += 100 * (&vars.back() - &v);
    if (e.cost < best.cost)
      best = e;
  }
  if (best.cost == ~0u)
    return std::nullopt;
  Names rest;
  for (const std::string &v : vars)
    if (v != best.var)
      rest.push_back(v);
  std::set<std::string> restSet(rest.begin(), rest.end());

  Conj next = best.bounds.free;
  for (const Expr &l : best.bounds.lowers)
    for (const Expr &u : best.bounds.uppers) {
      // Where the range is empty nothing is counted: say so to the others.
      Expr room = u - l - 1;
      if (!room.dependsOnAny(restSet))
        continue;
      Dnf affine = linearise(room, restSet);
      if (affine.size() == 1)
        next.insert(next.end(), affine[0].begin(), affine[0].end());
    }
  Conj inRange = c;
  for (const Expr &e : best.bounds.other) {
    // No bound, so it may fail inside the range: a factor, not a fact.
    body = body * indicator(e);
    llvm::erase(inRange, e);
  }
  Conj pruned = next;
  if (!cleanup(pruned, base))
    return Frac();
  Facts outside = base.with(pruned);
  Expr lo = outside.maxOf(best.bounds.lowers);
  Expr hi = outside.minOf(best.bounds.uppers);
  Frac s = sumOver(best.var, lo, hi, body, outside, inRange);
  // An outer variable would have to be summed over it.
  bool isLast = !body.num.dependsOnAny(restSet) && !lo.dependsOnAny(restSet) &&
                !hi.dependsOnAny(restSet);
  if (isLast && s.num.terms().size() > 1) {
    Frac open = openSum(best.var, lo, hi, body, outside, inRange);
    if (isLongWinded(s, open))
      s = open;
  }
  if (rest.empty())
    return multiply(s, [&] {
      Expr f(1);
      for (const Expr &e : pruned)
        f *= indicator(e);
      return Frac(f);
    }());
  return sumRec(rest, pruned, s, base, depth - 1);
}

std::optional<Frac> sumPoints(const Names &vars, const Conj &c,
                              const Frac &body, const Facts &base) {
  std::optional<Frac> easiest = sumRec(vars, c, body, base, 24);
  bool isShort = easiest && !hasSum(easiest->num) && easiest->num.size() < 60;
  Budget &budget = base.budget();
  if (isShort || vars.size() < 2 || budget.innermostFirst || !budget.spend())
    return easiest;
  // By tiles of keys a triangle has more pieces than by tiles of queries, and
  // the other way round.
  unsigned pieces = budget.pieces;
  budget.pieces = std::max(pieces, 40u);
  budget.innermostFirst = true;
  std::optional<Frac> nested = sumRec(vars, c, body, base, 24);
  budget.innermostFirst = false;
  budget.pieces = pieces;
  if (!nested || (easiest && easiest->num.size() <= nested->num.size()))
    return easiest;
  return nested;
}

std::optional<Frac> countPoints(const Names &vars, const Dnf &d,
                                const Facts &base) {
  std::optional<Dnf> parts = disjoint(d, base);
  if (!parts)
    return std::nullopt;
  Frac total;
  for (const Conj &c : *parts) {
    std::optional<Frac> n = sumPoints(vars, c, Frac(Expr(1)), base);
    if (!n)
      return std::nullopt;
    total = total + *n;
  }
  return total;
}

} // namespace ioflor::count
