//===- Domain.cpp - Sets of iteration points ------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/count/Domain.h"

namespace ioflor::count {

Expr indicator(const Expr &e) { return min(1, max(0, e + 1)); }

std::string freshName(llvm::StringRef stem, Budget &budget) {
  return "__" + stem.str() + "_" + std::to_string(budget.names++);
}

static Dnf linearise(const Expr &e, const std::set<std::string> &vars,
                     unsigned depth) {
  if (std::optional<BigInt> c = e.constant())
    return *c >= BigInt(0) ? Dnf{Conj{}} : Dnf{};
  if (depth == 0 || !e.dependsOnAny(vars))
    return {{e}};
  for (const Expr &t : e.terms()) {
    auto f = t.factors();
    if (f.size() != 1 || f[0].second != 1)
      continue;
    const Expr &a = f[0].first;
    if (!a.dependsOnAny(vars))
      continue;
    const BigInt k = t.coefficient();
    const bool positive = k > BigInt(0);
    const Expr rest = e - t;
    if (a.kind() == ExprKind::Min || a.kind() == ExprKind::Max) {
      bool all = (a.kind() == ExprKind::Min) == positive;
      Dnf result;
      if (all)
        result.push_back({});
      for (const Expr &o : a.operands()) {
        Dnf one = linearise(rest + Expr(k) * o, vars, depth - 1);
        if (all) {
          std::optional<Dnf> both = conjoin(result, one);
          if (!both)
            return {{e}};
          result = *both;
        } else {
          result.insert(result.end(), one.begin(), one.end());
        }
      }
      return result;
    }
    if (a.kind() != ExprKind::FloorDiv && a.kind() != ExprKind::CeilDiv)
      continue;
    const Expr &n = a.operands()[0], &d = a.operands()[1];
    if (d.dependsOnAny(vars))
      continue;
    // k*div + rest >= 0  <=>  div + floor(rest/k) >= 0 (k > 0), likewise below.
    Expr r = rest;
    BigInt size = positive ? k : -k;
    if (size > BigInt(1)) {
      bool divisible = true;
      for (const Expr &u : rest.terms())
        divisible &=
            u.isConst() ||
            u.coefficient() - u.coefficient() / size * size == BigInt(0);
      if (!divisible)
        continue;
      BigInt c = rest.constantTerm();
      r = divideExact(rest - Expr(c), size) +
          Expr(BigInt(llvm::floorDiv(c, size)));
    }
    Expr next;
    if (a.kind() == ExprKind::FloorDiv)
      next = positive ? n + d * r : d * r + d - 1 - n;
    else
      next = positive ? n + d * r + d - 1 : d * r - n;
    return linearise(next, vars, depth - 1);
  }
  return {{e}};
}

Dnf linearise(const Expr &e, const std::set<std::string> &vars) {
  return linearise(e, vars, 10);
}

std::optional<Dnf> conjoin(const Dnf &a, const Dnf &b, size_t limit) {
  if (a.size() * b.size() > limit)
    return std::nullopt;
  Dnf r;
  for (const Conj &x : a)
    for (const Conj &y : b) {
      Conj c = x;
      for (const Expr &e : y)
        if (!llvm::is_contained(c, e))
          c.push_back(e);
      r.push_back(std::move(c));
    }
  return r;
}

std::optional<Dnf> toDnf(const Cond &c, bool unknownAs,
                         const std::set<std::string> &vars, size_t limit) {
  switch (c.kind()) {
  case CondKind::True:
    return Dnf{Conj{}};
  case CondKind::False:
    return Dnf{};
  case CondKind::Unknown:
    return unknownAs ? Dnf{Conj{}} : Dnf{};
  case CondKind::NonNegative:
    return linearise(c.expr(), vars);
  case CondKind::Zero:
    return conjoin(linearise(c.expr(), vars), linearise(-c.expr(), vars),
                   limit);
  case CondKind::NonZero: {
    Dnf r = linearise(c.expr() - 1, vars);
    Dnf s = linearise(-c.expr() - 1, vars);
    r.insert(r.end(), s.begin(), s.end());
    return r;
  }
  case CondKind::And: {
    Dnf r{Conj{}};
    for (const Cond &o : c.operands()) {
      std::optional<Dnf> d = toDnf(o, unknownAs, vars, limit);
      if (!d)
        return std::nullopt;
      std::optional<Dnf> both = conjoin(r, *d, limit);
      if (!both)
        return std::nullopt;
      r = *both;
    }
    return r;
  }
  case CondKind::Or: {
    Dnf r;
    for (const Cond &o : c.operands()) {
      std::optional<Dnf> d = toDnf(o, unknownAs, vars, limit);
      if (!d)
        return std::nullopt;
      r.insert(r.end(), d->begin(), d->end());
      if (r.size() > limit)
        return std::nullopt;
    }
    return r;
  }
  }
  return std::nullopt;
}

bool cleanup(Conj &c, const Facts &base) {
  Conj unique;
  for (const Expr &e : c) {
    if (std::optional<BigInt> k = e.constant()) {
      if (*k < BigInt(0))
        return false;
      continue;
    }
    // Integer tightening, as in Facts.
    BigInt g = contentOf(e);
    Expr n = e;
    if (g > BigInt(1)) {
      BigInt k = e.constantTerm();
      n = divideExact(e - Expr(k), g) + Expr(BigInt(llvm::floorDiv(k, g)));
    }
    if (!llvm::is_contained(unique, n))
      unique.push_back(n);
  }
  c = std::move(unique);
  if (base.with(c).contradictory())
    return false;
  // Guards come after loop ranges and are the ones to drop.
  for (size_t i = c.size(); i-- > 0;) {
    Conj others = c;
    others.erase(others.begin() + i);
    if (base.with(others).nonNegative(c[i]))
      c = std::move(others);
  }
  return true;
}

void cleanup(Dnf &d, const Facts &base) {
  Dnf kept;
  for (Conj &c : d)
    if (cleanup(c, base) && !llvm::is_contained(kept, c))
      kept.push_back(std::move(c));
  d = std::move(kept);
  // An alternative inside another one.
  for (size_t i = d.size(); i-- > 0 && d.size() > 1;) {
    Facts in = base.with(d[i]);
    for (size_t j = 0; j < d.size(); ++j)
      if (j != i && llvm::all_of(d[j], [&](const Expr &e) {
            return in.nonNegative(e);
          })) {
        d.erase(d.begin() + i);
        break;
      }
  }
}

Bounds boundsOf(const Conj &c, llvm::StringRef v, const Facts &base) {
  Bounds b;
  for (const Expr &e : c) {
    if (!e.dependsOn(v)) {
      b.free.push_back(e);
      continue;
    }
    auto affine = e.asAffineIn(v);
    std::optional<int> s;
    if (affine)
      s = base.sign(affine->first);
    if (!s || *s == 0) {
      b.other.push_back(e);
      continue;
    }
    Expr a = *s > 0 ? affine->first : -affine->first;
    const Expr &r = affine->second;
    if (!a.isOne())
      b.unit = false;
    if (!a.isConst())
      b.symbolic = true;
    if (*s > 0)
      b.lowers.push_back(a.isOne() ? -r : ceildiv(-r, a));
    else
      b.uppers.push_back(a.isOne() ? r + 1 : floordiv(r, a) + 1);
  }
  return b;
}

std::optional<Conj> project(const Conj &c, llvm::StringRef v,
                            const Facts &base) {
  Conj result;
  std::vector<std::pair<Expr, Expr>> low, high; // coefficient > 0, rest
  for (const Expr &e : c) {
    if (!e.dependsOn(v)) {
      result.push_back(e);
      continue;
    }
    auto affine = e.asAffineIn(v);
    if (!affine)
      return std::nullopt;
    std::optional<int> s = base.sign(affine->first);
    if (!s || *s == 0)
      return std::nullopt;
    if (*s > 0)
      low.push_back(*affine);
    else
      high.push_back({-affine->first, affine->second});
  }
  for (const auto &[a, r] : low)
    for (const auto &[b, s] : high) {
      // v >= ceil(-r/a) and v <= floor(s/b).
      if (a.isOne() || b.isOne())
        result.push_back(b * r + a * s);
      else
        result.push_back(floordiv(s, b) - ceildiv(-r, a));
    }
  return result;
}

std::optional<Dnf> project(const Dnf &d, llvm::StringRef v, const Facts &base) {
  Dnf r;
  for (const Conj &c : d) {
    std::optional<Conj> p = project(c, v, base.with(c));
    if (!p)
      return std::nullopt;
    r.push_back(*p);
  }
  cleanup(r, base);
  return r;
}

/// One alternative of a merge with a fixed T.
static std::optional<Conj>
mergeConj(const Conj &c, llvm::StringRef x, llvm::StringRef y, const Expr &e,
          const Expr &t, const std::set<std::string> &all, const Facts &base) {
  Expr X = Expr::symbol(x);
  Facts in = base.with(c);
  if (!in.nonNegative(X) || !in.nonNegative(t - 1 - X))
    return std::nullopt;
  Conj r;
  for (const Expr &k : c) {
    if (k == X || k == t - 1 - X)
      continue;
    if (k.dependsOn(x)) {
      Expr s = k.substitute(x, e - t * Expr::symbol(y));
      if (s.dependsOn(y))
        return std::nullopt;
      r.push_back(s);
      continue;
    }
    if (!k.dependsOn(y)) {
      r.push_back(k);
      continue;
    }
    // y = floor(e / T): y >= l is e >= T*l, y < u is e < T*u.
    auto affine = k.asAffineIn(y);
    if (!affine)
      return std::nullopt;
    std::optional<BigInt> a = affine->first.constant();
    if (!a || *a == BigInt(0))
      return std::nullopt;
    const Expr &rest = affine->second;
    // A quotient of a variable would have to be split again.
    if (*a != BigInt(1) && *a != BigInt(-1) && rest.dependsOnAny(all))
      return std::nullopt;
    if (*a > BigInt(0))
      r.push_back(e - t * (*a == BigInt(1) ? -rest : ceildiv(-rest, Expr(*a))));
    else
      r.push_back(t * (*a == BigInt(-1)
                           ? rest + 1
                           : floordiv(rest, Expr(BigInt(-*a))) + 1) -
                  1 - e);
  }
  return r;
}

std::optional<Merged> merge(const Dnf &d, llvm::ArrayRef<Expr> also,
                            llvm::StringRef x, llvm::StringRef y,
                            llvm::StringRef fresh, const Names &vars,
                            const Facts &base) {
  if (d.empty())
    return std::nullopt;
  std::set<std::string> all(vars.begin(), vars.end());
  Expr X = Expr::symbol(x), E = Expr::symbol(fresh);
  // T is a bound of x; the constraint or address in which both occur tells it.
  std::vector<Expr> candidates;
  auto consider = [&](const Expr &t) {
    if (!t.isOne() && !t.dependsOnAny(all) &&
        !llvm::is_contained(candidates, t))
      candidates.push_back(t);
  };
  for (const Conj &c : d)
    for (const Expr &k : c)
      if (k.dependsOn(x)) {
        auto affine = k.asAffineIn(x);
        if (affine && affine->first == Expr(-1))
          consider(affine->second + 1);
      }
  for (const Expr &t : candidates) {
    if (!base.positive(t))
      continue;
    Merged m;
    m.factor = t;
    bool ok = true;
    for (const Expr &a : also) {
      Expr s = a.substitute(x, E - t * Expr::symbol(y));
      if (s.dependsOn(y)) {
        ok = false;
        break;
      }
      m.also.push_back(s);
    }
    for (const Conj &c : d) {
      if (!ok)
        break;
      std::optional<Conj> r = mergeConj(c, x, y, E, t, all, base);
      if (!r)
        ok = false;
      else
        m.set.push_back(*r);
    }
    if (!ok)
      continue;
    return m;
  }
  return std::nullopt;
}

std::optional<Merged> split(const Dnf &d, llvm::ArrayRef<Expr> also,
                            llvm::StringRef v, const Expr &shift,
                            const Expr &divisor, llvm::StringRef q,
                            llvm::StringRef r, const Facts &base) {
  if (!base.positive(divisor))
    return std::nullopt;
  Expr Q = Expr::symbol(q), R = Expr::symbol(r);
  Expr by = divisor * Q + R - shift;
  Facts in = base.with({R, divisor - 1 - R});
  Merged m;
  m.factor = divisor;
  for (const Expr &a : also)
    m.also.push_back(in.simplify(a.substitute(v, by)));
  for (const Conj &c : d) {
    Conj s{R, divisor - 1 - R};
    for (const Expr &k : c) {
      Expr e = k.substitute(v, by);
      if (e != k)
        e = in.simplify(e);
      // D*A + B >= 0 with B between 0 and D-1 (or -D and -1) is A >= 0 (1).
      if (e.dependsOn(r)) {
        Expr whole = in.simplify(floordiv(e, divisor));
        if (!whole.dependsOn(r))
          e = whole;
      }
      s.push_back(e);
    }
    m.set.push_back(std::move(s));
  }
  return m;
}

std::optional<Conj> dropQuotient(const Conj &c, llvm::StringRef y,
                                 const Facts &base) {
  for (size_t i = 0; i < c.size(); ++i) {
    auto lower = c[i].asAffineIn(y); // A - T*y >= 0
    if (!lower || !base.positive(-lower->first - 1))
      continue;
    Expr t = -lower->first, A = lower->second;
    if (t.dependsOn(y) || A.dependsOn(y))
      continue;
    size_t j = 0;
    for (; j < c.size(); ++j)
      if (j != i && c[i] + c[j] == t - 1)
        break;
    if (j == c.size())
      continue;
    Conj r;
    bool ok = true;
    for (size_t k = 0; k < c.size() && ok; ++k) {
      if (k == i || k == j)
        continue;
      if (!c[k].dependsOn(y)) {
        r.push_back(c[k]);
        continue;
      }
      auto affine = c[k].asAffineIn(y);
      if (affine && affine->first.isOne())
        r.push_back(A + t * affine->second);
      else if (affine && affine->first == Expr(-1))
        r.push_back(t * (affine->second + 1) - 1 - A);
      else
        ok = false;
    }
    if (ok)
      return r;
  }
  return std::nullopt;
}

std::optional<Dnf> disjoint(const Dnf &d, const Facts &base, size_t limit) {
  Dnf result;
  for (size_t i = 0; i < d.size(); ++i) {
    Dnf pieces{d[i]};
    for (size_t j = 0; j < i; ++j) {
      Dnf next;
      for (const Conj &p : pieces) {
        Facts in = base.with(p);
        if (in.with(d[j]).contradictory()) {
          next.push_back(p);
          continue;
        }
        // p minus d[j]: the first constraint of d[j] that fails.
        Conj held = p;
        for (const Expr &e : d[j]) {
          if (base.with(held).nonNegative(e))
            continue;
          Conj c = held;
          c.push_back(-e - 1);
          if (!base.with(c).contradictory())
            next.push_back(std::move(c));
          held.push_back(e);
        }
        if (next.size() > limit)
          return std::nullopt;
      }
      pieces = std::move(next);
    }
    for (Conj &p : pieces)
      if (cleanup(p, base))
        result.push_back(std::move(p));
    if (result.size() > limit)
      return std::nullopt;
  }
  return result;
}

} // namespace ioflor::count
