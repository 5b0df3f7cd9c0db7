//===- Interval.cpp - Constant ranges of expressions ----------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/expr/Interval.h"
#include "dialect/expr/Bounds.h"
#include "dialect/expr/Node.h"

using namespace ioflor;
using namespace ioflor::detail;

using End = std::optional<BigInt>;

static End addEnds(const End &a, const End &b) {
  if (!a || !b)
    return std::nullopt;
  return *a + *b;
}

static Interval add(const Interval &a, const Interval &b) {
  return {addEnds(a.lo, b.lo), addEnds(a.hi, b.hi)};
}

static Interval scale(const Interval &a, const BigInt &k) {
  if (k == 0)
    return Interval::of(BigInt(0));
  auto times = [&](const End &e) -> End {
    if (!e)
      return std::nullopt;
    return *e * k;
  };
  if (k > 0)
    return {times(a.lo), times(a.hi)};
  return {times(a.hi), times(a.lo)};
}

static Interval multiply(const Interval &a, const Interval &b) {
  if (a.lo && a.hi && b.lo && b.hi) {
    BigInt p[] = {*a.lo * *b.lo, *a.lo * *b.hi, *a.hi * *b.lo, *a.hi * *b.hi};
    Interval out = Interval::of(p[0]);
    for (const BigInt &v : p) {
      if (v < *out.lo)
        out.lo = v;
      if (v > *out.hi)
        out.hi = v;
    }
    return out;
  }
  if (a.lo && a.lo == a.hi)
    return scale(b, *a.lo);
  if (b.lo && b.lo == b.hi)
    return scale(a, *b.lo);
  auto nonPositive = [](const Interval &i) { return i.hi && *i.hi <= 0; };
  if (a.isNonNegative() && b.isNonNegative()) {
    Interval out{*a.lo * *b.lo, std::nullopt};
    if (a.hi && b.hi)
      out.hi = *a.hi * *b.hi;
    return out;
  }
  if (nonPositive(a) && nonPositive(b))
    return multiply(scale(a, BigInt(-1)), scale(b, BigInt(-1)));
  if (nonPositive(a) && b.isNonNegative())
    return scale(multiply(scale(a, BigInt(-1)), b), BigInt(-1));
  if (nonPositive(b) && a.isNonNegative())
    return scale(multiply(a, scale(b, BigInt(-1))), BigInt(-1));
  return {};
}

static Interval power(const Interval &a, unsigned p) {
  Interval out = Interval::of(BigInt(1));
  if (p > 64)
    return p % 2 == 0 || a.isNonNegative() ? Interval{BigInt(0), std::nullopt}
                                           : Interval{};
  for (unsigned i = 0; i < p; ++i)
    out = multiply(out, a);
  if (p % 2 == 0 && !out.isNonNegative())
    out.lo = BigInt(0);
  return out;
}

/// Ends of a / b rounded down (up), b >= 1.
static Interval divide(const Interval &a, const Interval &b, bool up) {
  End smallest = b.lo && *b.lo >= 1 ? b.lo : End(BigInt(1));
  auto div = [&](const BigInt &x, const BigInt &d) {
    return up ? ceilDiv(x, d) : floorDiv(x, d);
  };
  // The largest |quotient| has the smallest divisor.
  auto end = [&](const End &x, bool isLow) -> End {
    if (!x)
      return std::nullopt;
    bool away = isLow ? *x < 0 : *x >= 0;
    if (away)
      return div(*x, *smallest);
    if (b.hi)
      return div(*x, *b.hi < 1 ? BigInt(1) : *b.hi);
    // The divisor may be arbitrarily large.
    if (*x == 0)
      return BigInt(0);
    return *x > 0 ? BigInt(up ? 1 : 0) : BigInt(up ? 0 : -1);
  };
  return {end(a.lo, true), end(a.hi, false)};
}

Interval Intervals::symbol(const Expr &e) {
  const Assumptions::Range *r = known.range(e.name());
  if (!r || depth > 32)
    return {};
  Interval out;
  ++depth;
  if (r->lo)
    out.lo = of(*r->lo).lo;
  if (r->hi)
    out.hi = of(*r->hi).hi;
  --depth;
  return out;
}

Interval Intervals::compute(const Expr &e) {
  llvm::ArrayRef<Expr> ops = e.operands();
  switch (e.kind()) {
  case ExprKind::Const:
    return Interval::of(e.node()->value);
  case ExprKind::Symbol:
    return symbol(e);
  case ExprKind::Add: {
    Interval out = Interval::of(BigInt(0));
    for (const Expr &t : ops)
      out = add(out, of(t));
    return out;
  }
  case ExprKind::Mul: {
    Interval out = Interval::of(e.node()->value);
    for (const Factor &f : e.node()->factors)
      out = multiply(out, power(of(f.first), f.second));
    return out;
  }
  case ExprKind::FloorDiv:
    return divide(of(ops[0]), of(ops[1]), false);
  case ExprKind::CeilDiv:
    return divide(of(ops[0]), of(ops[1]), true);
  case ExprKind::Min:
  case ExprKind::Max: {
    bool isMin = e.kind() == ExprKind::Min;
    Interval out = of(ops[0]);
    for (const Expr &o : ops.drop_front()) {
      Interval i = of(o);
      // The near end needs every operand, the far one any.
      End &every = isMin ? out.lo : out.hi, &any = isMin ? out.hi : out.lo;
      const End &iEvery = isMin ? i.lo : i.hi, &iAny = isMin ? i.hi : i.lo;
      auto beyond = [&](const BigInt &x, const BigInt &y) {
        return isMin ? x < y : x > y;
      };
      if (!every || !iEvery)
        every = std::nullopt;
      else if (beyond(*iEvery, *every))
        every = iEvery;
      if (iAny && (!any || beyond(*iAny, *any)))
        any = iAny;
    }
    return out;
  }
  case ExprKind::Sum: {
    // The body's variable may share its name with a known symbol.
    std::string var = freshName(e.name(), known);
    Assumptions inner = known;
    inner.declare(var, ops[0], ops[1] - 1);
    Interval body =
        Intervals(inner).of(ops[2].substitute(e.name(), Expr::symbol(var)));
    Interval trips = of(ops[1] - ops[0]);
    // An empty range counts 0, so only signs and two-sided trips help.
    Interval n{BigInt(0), trips.hi};
    if (trips.isNonNegative())
      n.lo = trips.lo;
    if (n.hi && *n.hi < 0)
      n.hi = BigInt(0);
    return multiply(n, body);
  }
  }
  return {};
}

Interval Intervals::of(const Expr &e) {
  if (e.isConst())
    return Interval::of(e.node()->value);
  auto it = memo.find(e.node());
  if (it != memo.end())
    return it->second;
  Interval i = compute(e);
  memo.emplace(e.node(), i);
  keep.push_back(e);
  return i;
}
