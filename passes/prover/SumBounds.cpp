//===- SumBounds.cpp - Lower bounds of sums -------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/prover/SumBounds.h"
#include <optional>

using namespace ioflor;
using namespace ioflor::prover;

namespace {

/// num / den with den >= 1; `num` concave (convex) in the variable where it
/// bounds from below (above).
struct Fraction {
  Expr num, den = 1;
};

Fraction operator+(const Fraction &a, const Fraction &b) {
  if (a.den == b.den)
    return {a.num + b.num, a.den};
  return {a.num * b.den + b.num * a.den, a.den * b.den};
}

/// One monomial split by whether its atoms depend on the variable.
struct SplitTerm {
  Expr free; ///< with the coefficient
  std::vector<std::pair<Expr, unsigned>> dependent;
  bool negative = false; ///< sign of `free`
  bool signKnown = true;
};

class Bounder {
public:
  Bounder(llvm::StringRef var, const Assumptions &known, bool otherChoice)
      : var(var), known(known), otherChoice(otherChoice) {}

  SplitTerm split(const Expr &term) const {
    SplitTerm s;
    BigInt c = term.coefficient();
    s.negative = c < 0;
    Expr atoms = 1;
    for (const auto &[atom, power] : term.factors()) {
      if (atom.dependsOn(var)) {
        s.dependent.push_back({atom, power});
        continue;
      }
      for (unsigned i = 0; i < power; ++i)
        atoms *= atom;
    }
    s.free = Expr(c) * atoms;
    s.signKnown = known.isNonNegative(atoms);
    return s;
  }

  /// A concave lower (lower == true) or convex upper bound of e in the
  /// variable, piecewise linear.
  std::optional<Fraction> bound(const Expr &e, bool lower,
                                int depth = 0) const {
    if (depth > 8)
      return std::nullopt;
    if (!e.dependsOn(var) || e.asAffineIn(var))
      return Fraction{e};
    switch (e.kind()) {
    case ExprKind::Min:
    case ExprKind::Max: {
      bool keepsShape = (e.kind() == ExprKind::Min) == lower;
      return keepsShape ? boundAll(e, lower, depth) : boundOne(e, lower, depth);
    }
    case ExprKind::CeilDiv:
    case ExprKind::FloorDiv: {
      const Expr &by = e.operands()[1];
      if (by.dependsOn(var))
        return std::nullopt;
      auto a = bound(e.operands()[0], lower, depth + 1);
      if (!a)
        return std::nullopt;
      // floor(a/b) >= (a - b + 1)/b, ceil(a/b) <= (a + b - 1)/b.
      if (e.kind() == ExprKind::FloorDiv && lower)
        a->num -= (by - 1) * a->den;
      if (e.kind() == ExprKind::CeilDiv && !lower)
        a->num += (by - 1) * a->den;
      return Fraction{a->num, a->den * by};
    }
    case ExprKind::Add:
    case ExprKind::Mul: {
      Fraction total{Expr(0)};
      for (const Expr &term : e.terms()) {
        SplitTerm s = split(term);
        if (s.dependent.empty()) {
          total = total + Fraction{s.free};
          continue;
        }
        if (s.dependent.size() != 1 || s.dependent[0].second != 1)
          return std::nullopt;
        const Expr &atom = s.dependent[0].first;
        if (atom.kind() == ExprKind::Symbol) {
          total = total + Fraction{s.free * atom};
          continue;
        }
        if (!s.signKnown)
          return std::nullopt;
        auto part = bound(atom, lower != s.negative, depth + 1);
        if (!part)
          return std::nullopt;
        total = total + Fraction{s.free * part->num, part->den};
      }
      return total;
    }
    default:
      return std::nullopt;
    }
  }

private:
  std::optional<Fraction> boundAll(const Expr &e, bool lower, int depth) const {
    std::vector<Fraction> parts;
    Expr den = 1;
    for (const Expr &op : e.operands()) {
      auto p = bound(op, lower, depth + 1);
      if (!p)
        return std::nullopt;
      parts.push_back(*p);
      den *= p->den;
    }
    std::vector<Expr> nums;
    for (size_t i = 0; i < parts.size(); ++i) {
      Expr n = parts[i].num;
      for (size_t j = 0; j < parts.size(); ++j)
        if (j != i)
          n *= parts[j].den;
      nums.push_back(n);
    }
    return Fraction{e.kind() == ExprKind::Min ? min(nums) : max(nums), den};
  }

  std::optional<Fraction> boundOne(const Expr &e, bool lower, int depth) const {
    // Any operand bounds; which one is useful is tried both ways.
    std::optional<Fraction> pick;
    for (const Expr &op : e.operands())
      if (auto p = bound(op, lower, depth + 1)) {
        bool moves = op.dependsOn(var);
        if (!pick || moves != otherChoice)
          pick = p;
      }
    return pick;
  }

  std::string var;
  const Assumptions &known;
  bool otherChoice;
};

/// Sum of v^k for v = 0 .. n-1.
std::optional<Fraction> powerSum(unsigned k, const Expr &n) {
  switch (k) {
  case 1:
    return Fraction{n * (n - 1), 2};
  case 2:
    return Fraction{n * (n - 1) * (2 * n - 1), 6};
  case 3:
    return Fraction{n * n * (n - 1) * (n - 1), 4};
  default:
    return std::nullopt;
  }
}

} // namespace

/// The exact sum of a tiling: for v = 0 .. ceil((a - b) / c) - 1, the sum of
/// min(a, c*v + b + c) - (c*v + b) is a - b where that is not negative.
/// `atom` is that minimum; the result is the whole sum of it.
static std::optional<Fraction> tilingSum(const Expr &atom, llvm::StringRef var,
                                         const Expr &lo, const Expr &hi,
                                         const Assumptions &known) {
  if (atom.kind() != ExprKind::Min || atom.operands().size() != 2 ||
      !lo.isZero())
    return std::nullopt;
  for (unsigned i : {0u, 1u}) {
    const Expr &a = atom.operands()[i], &end = atom.operands()[1 - i];
    auto affine = end.asAffineIn(var);
    if (a.dependsOn(var) || !affine)
      continue;
    const Expr &c = affine->first;
    Expr b = affine->second - c;
    if (!known.isPositive(c) || !known.isNonNegative(a - b) ||
        ceildiv(a - b, c) != hi)
      continue;
    return Fraction{c * hi * (hi - 1) + 2 * (hi * b + a - b), 2};
  }
  return std::nullopt;
}

/// A lower bound of the sum of `atom` through the tiling that it covers: a
/// minimum with a later end, or the minimum rounded up to whole steps.
static std::optional<Fraction> tilesBelow(const Expr &atom, llvm::StringRef var,
                                          const Expr &lo, const Expr &hi,
                                          const Assumptions &known,
                                          bool dropParts) {
  if (auto exact = tilingSum(atom, var, lo, hi, known))
    return exact;
  if (atom.kind() == ExprKind::CeilDiv && !atom.operands()[1].dependsOn(var)) {
    auto inner = tilesBelow(atom.operands()[0], var, lo, hi, known, dropParts);
    if (inner)
      inner->den *= atom.operands()[1];
    return inner;
  }
  if (!dropParts || atom.kind() != ExprKind::Min || atom.operands().size() != 2)
    return std::nullopt;
  for (unsigned i : {0u, 1u}) {
    const Expr &end = atom.operands()[i];
    if (!end.dependsOn(var))
      continue;
    for (const Expr &part : end.terms())
      if (!part.dependsOn(var) && known.isNonNegative(part))
        if (auto less = tilingSum(min(atom.operands()[1 - i], end - part), var,
                                  lo, hi, known))
          return less;
  }
  return std::nullopt;
}

/// s with 0 <= lo <= hi, by splitting the body into powers and a concave rest.
static std::optional<RationalBound>
splitBound(const Expr &s, const Assumptions &known, bool otherChoice) {
  const Expr &lo = s.operands()[0], &hi = s.operands()[1];
  const Expr &body = s.operands()[2];
  llvm::StringRef var = s.name();
  Assumptions inside = known;
  inside.declare(var, lo, hi - 1);
  Bounder bounder(var, inside, otherChoice);
  Expr n = hi - lo;
  Fraction exact{Expr(0)};
  Expr rest;
  for (const Expr &term : body.terms()) {
    SplitTerm t = bounder.split(term);
    if (t.dependent.empty()) {
      exact = exact + Fraction{t.free * n};
      continue;
    }
    bool power = t.dependent.size() == 1 &&
                 t.dependent[0].first.kind() == ExprKind::Symbol;
    if (!power) {
      std::optional<Fraction> tiles;
      if (t.dependent.size() == 1 && t.dependent[0].second == 1)
        tiles = t.signKnown && !t.negative
                    ? tilesBelow(t.dependent[0].first, var, lo, hi, known,
                                 otherChoice)
                    : tilingSum(t.dependent[0].first, var, lo, hi, known);
      if (tiles)
        exact = exact + Fraction{t.free * tiles->num, tiles->den};
      else
        rest += term;
      continue;
    }
    auto upTo = powerSum(t.dependent[0].second, hi);
    auto below = powerSum(t.dependent[0].second, lo);
    if (!upTo || !below)
      return std::nullopt;
    exact = exact + Fraction{t.free * upTo->num, upTo->den} +
            Fraction{-(t.free * below->num), below->den};
  }
  if (!rest.isZero()) {
    auto g = bounder.bound(rest, /*lower=*/true);
    if (!g)
      return std::nullopt;
    // A concave function lies above the chord through its ends.
    Expr ends = g->num.substitute(var, lo) + g->num.substitute(var, hi - 1);
    exact = exact + Fraction{n * ends, 2 * g->den};
  }
  return RationalBound{simplify(exact.num, known), exact.den};
}

/// Bounds that use that every term is a whole number: one that is at least
/// c / b is at least ceil(c / b), a positive one at least 1.
static std::optional<RationalBound>
wholeTerms(const Expr &s, const Assumptions &known, bool otherChoice) {
  const Expr &lo = s.operands()[0], &hi = s.operands()[1];
  llvm::StringRef var = s.name();
  Assumptions inside = known;
  inside.declare(var, lo, hi - 1);
  auto g = Bounder(var, inside, otherChoice).bound(s.operands()[2], true);
  if (!g)
    return std::nullopt;
  Expr num = simplify(g->num, inside);
  if (!num.dependsOn(var))
    return RationalBound{(hi - lo) * ceildiv(num, g->den), 1};
  // Concave, so positive between two ends where it is.
  Expr first = num.substitute(var, lo), last = num.substitute(var, hi - 1);
  if (known.isPositive(first) && known.isPositive(last))
    return RationalBound{hi - lo, 1};
  return std::nullopt;
}

std::vector<RationalBound>
ioflor::prover::sumLowerBounds(const Expr &s, const Assumptions &known) {
  std::vector<RationalBound> bounds;
  if (s.kind() != ExprKind::Sum)
    return bounds;
  const Expr &lo = s.operands()[0], &hi = s.operands()[1];
  const Expr &body = s.operands()[2];
  // Below this the formulas would count a negative number of terms.
  if (!known.isNonNegative(hi - lo) || !known.isNonNegative(lo))
    return bounds;
  auto add = [&](const RationalBound &b) {
    for (const RationalBound &other : bounds)
      if (other.num == b.num && other.den == b.den)
        return;
    bounds.push_back(b);
  };
  for (bool otherChoice : {false, true})
    if (auto b = splitBound(s, known, otherChoice))
      add(*b);
  for (bool otherChoice : {false, true})
    if (auto b = wholeTerms(s, known, otherChoice))
      add(*b);
  Assumptions inside = known;
  inside.declare(s.name(), lo, hi - 1);
  // One term of many: the largest of a triangle is as much as a scan.
  if (known.isPositive(hi - lo) && inside.isNonNegative(body))
    for (const Expr &at : {hi - 1, lo})
      add({simplify(body.substitute(s.name(), at), known), 1});
  if (auto least = inside.lowerBound(body, {s.name().str()}))
    if (!least->isZero())
      add({*least * (hi - lo), 1});
  return bounds;
}
