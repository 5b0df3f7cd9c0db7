//===- Range.cpp - Interval arithmetic on expressions ---------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/interp/Range.h"
#include <algorithm>

using namespace ioflor;
using namespace ioflor::interp;

using End = std::optional<BigInt>;

static End sumOf(const End &a, const End &b) {
  if (!a || !b)
    return std::nullopt;
  return *a + *b;
}

static Range add(const Range &a, const Range &b) {
  return {sumOf(a.lo, b.lo), sumOf(a.hi, b.hi)};
}

static Range negate(const Range &a) {
  auto minus = [](const End &e) -> End {
    if (!e)
      return std::nullopt;
    return -*e;
  };
  return {minus(a.hi), minus(a.lo)};
}

static bool isNonNegative(const Range &a) { return a.lo && *a.lo >= 0; }
static bool isNonPositive(const Range &a) { return a.hi && *a.hi <= 0; }

/// Product. With an unbounded operand, signs still give one end.
static Range multiply(const Range &a, const Range &b) {
  if (a.lo && a.hi && b.lo && b.hi) {
    BigInt p[] = {*a.lo * *b.lo, *a.lo * *b.hi, *a.hi * *b.lo, *a.hi * *b.hi};
    return {*std::min_element(p, p + 4), *std::max_element(p, p + 4)};
  }
  auto isZero = [](const Range &r) { return r.isPoint() && *r.lo == 0; };
  if (isZero(a) || isZero(b))
    return Range::of(BigInt(0));
  if (isNonNegative(a) && isNonNegative(b))
    return {*a.lo * *b.lo, std::nullopt};
  if (isNonPositive(a) && isNonPositive(b))
    return multiply(negate(a), negate(b));
  if (isNonNegative(a) && isNonPositive(b))
    return negate(multiply(a, negate(b)));
  if (isNonPositive(a) && isNonNegative(b))
    return negate(multiply(negate(a), b));
  return {};
}

/// floor(a / b) for b >= 1.
static std::optional<Range> floorDivide(const Range &a, const Range &b) {
  if (!b.lo || *b.lo < 1)
    return std::nullopt;
  // The quotient moves towards 0 (towards -1 from below) as b grows.
  Range r;
  if (a.lo) {
    if (*a.lo < 0)
      r.lo = llvm::floorDiv(*a.lo, *b.lo);
    else
      r.lo = b.hi ? llvm::floorDiv(*a.lo, *b.hi) : BigInt(0);
  }
  if (a.hi) {
    if (*a.hi >= 0)
      r.hi = llvm::floorDiv(*a.hi, *b.lo);
    else
      r.hi = b.hi ? llvm::floorDiv(*a.hi, *b.hi) : BigInt(-1);
  }
  return r;
}

/// The smaller (larger) of two ends; an absent end is the infinity on that side
/// when `absentWins`, on the other side otherwise.
static End pick(const End &a, const End &b, bool smaller, bool absentWins) {
  if (!a || !b)
    return absentWins ? std::nullopt : (a ? a : b);
  return (*a < *b) == smaller ? a : b;
}

static std::optional<Range> sumRange(const Expr &e, RangeLookup lookup) {
  std::optional<Range> lo = rangeOf(e.operands()[0], lookup);
  std::optional<Range> hi = rangeOf(e.operands()[1], lookup);
  if (!lo || !hi)
    return std::nullopt;
  Range var{lo->lo, sumOf(hi->hi, BigInt(-1))};
  if (var.lo && var.hi && *var.lo > *var.hi)
    return Range::of(BigInt(0));
  std::string name = e.name().str();
  std::optional<Range> body =
      rangeOf(e.operands()[2], [&](llvm::StringRef s) -> std::optional<Range> {
        if (s == name)
          return var;
        return lookup(s);
      });
  if (!body)
    return std::nullopt;
  Range count = add(*hi, negate(*lo));
  if (!count.lo || *count.lo < 0)
    count.lo = BigInt(0);
  return multiply(count, *body);
}

std::optional<Range> interp::rangeOf(const Expr &e, RangeLookup lookup) {
  switch (e.kind()) {
  case ExprKind::Const:
    return Range::of(*e.constant());
  case ExprKind::Symbol:
    return lookup(e.name());
  case ExprKind::Add: {
    Range total = Range::of(BigInt(0));
    for (const Expr &term : e.terms()) {
      std::optional<Range> r = rangeOf(term, lookup);
      if (!r)
        return std::nullopt;
      total = add(total, *r);
    }
    return total;
  }
  case ExprKind::Mul: {
    Range product = Range::of(e.coefficient());
    for (const auto &[atom, power] : e.factors()) {
      std::optional<Range> r = rangeOf(atom, lookup);
      if (!r)
        return std::nullopt;
      for (unsigned i = 0; i < power; ++i)
        product = multiply(product, *r);
    }
    return product;
  }
  case ExprKind::FloorDiv:
  case ExprKind::CeilDiv: {
    std::optional<Range> a = rangeOf(e.operands()[0], lookup);
    std::optional<Range> b = rangeOf(e.operands()[1], lookup);
    if (!a || !b)
      return std::nullopt;
    if (e.kind() == ExprKind::FloorDiv)
      return floorDivide(*a, *b);
    std::optional<Range> q = floorDivide(negate(*a), *b);
    if (!q)
      return std::nullopt;
    return negate(*q);
  }
  case ExprKind::Min:
  case ExprKind::Max: {
    bool smaller = e.kind() == ExprKind::Min;
    std::optional<Range> total;
    for (const Expr &operand : e.operands()) {
      std::optional<Range> r = rangeOf(operand, lookup);
      if (!r)
        return std::nullopt;
      if (!total)
        total = *r;
      else
        total = Range{pick(total->lo, r->lo, smaller, smaller),
                      pick(total->hi, r->hi, smaller, !smaller)};
    }
    return total;
  }
  case ExprKind::Sum:
    return sumRange(e, lookup);
  }
  return std::nullopt;
}
