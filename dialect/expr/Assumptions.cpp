//===- Assumptions.cpp - Ranges and facts of symbols ----------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/expr/Bounds.h"
#include "dialect/expr/Interval.h"
#include "dialect/expr/Node.h"
#include "dialect/expr/Prove.h"
#include "llvm/ADT/STLExtras.h"

using namespace ioflor;
using namespace ioflor::detail;

void Assumptions::declare(llvm::StringRef symbol, std::optional<Expr> lo,
                          std::optional<Expr> hi) {
  auto [it, isNew] = ranges.try_emplace(symbol.str());
  if (isNew)
    order.push_back(symbol.str());
  Range &r = it->second;
  // Both hold; max and min keep the stronger one without deciding which.
  if (lo)
    r.lo = r.lo ? simplify(max(*r.lo, *lo), *this) : *lo;
  if (hi)
    r.hi = r.hi ? simplify(min(*r.hi, *hi), *this) : *hi;
}

void Assumptions::addNonNegative(const Expr &e) {
  if (!e.isConst() && !llvm::is_contained(nonNegative, e))
    nonNegative.push_back(e);
}

void Assumptions::addDivisible(const Expr &e, const Expr &divisor) {
  std::pair<Expr, Expr> fact(e, divisor);
  if (!llvm::is_contained(divisible, fact))
    divisible.push_back(fact);
}

const Assumptions::Range *Assumptions::range(llvm::StringRef symbol) const {
  auto it = ranges.find(symbol.str());
  return it == ranges.end() ? nullptr : &it->second;
}

bool Assumptions::isNonNegative(const Expr &e) const {
  return Prover(*this).prove(e);
}

bool Assumptions::isZero(const Expr &e) const {
  if (e.isConst())
    return e.isZero();
  Prover p(*this);
  return p.prove(e) && p.prove(-e);
}

/// a is divisible by b, both monomials' coefficients and atoms decide.
static bool monomialDivides(const Expr &a, const Expr &b) {
  BigInt ca = a.coefficient(), cb = b.coefficient();
  return ca - (ca / cb) * cb == 0 && monomialQuotient(a, b).has_value();
}

bool Assumptions::isDivisible(const Expr &e, const Expr &divisor) const {
  if (e.isZero() || divisor.isOne())
    return true;
  if (divisor.isZero())
    return false;
  if (divisor.isConst() && divisor.node()->value < 0)
    return isDivisible(e, -divisor);
  if (divisor * floordiv(e, divisor) == e)
    return true;
  if (divisor.kind() == ExprKind::Add)
    return llvm::any_of(divisible, [&](const auto &fact) {
      return fact.first == e && fact.second == divisor;
    });
  // Remove multiples of the known facts f, f = d*q, term by term.
  Expr rest = e;
  for (const auto &[f, d] : divisible) {
    if (f.isZero() || d.isZero())
      continue;
    const Expr lead = termsRef(f).front();
    for (size_t i = 0, n = 0; i < termsRef(rest).size() && n < 64; ++n) {
      const Expr t = termsRef(rest)[i];
      std::optional<Expr> q;
      BigInt ct = t.coefficient(), cl = lead.coefficient();
      if (ct - (ct / cl) * cl == 0 && (q = monomialQuotient(t, lead)))
        q = withCoefficient(*q, ct / cl);
      // q*f is a multiple of q*d.
      if (q && d.kind() != ExprKind::Add && monomialDivides(*q * d, divisor)) {
        rest -= *q * f;
        continue;
      }
      ++i;
    }
  }
  return llvm::all_of(termsRef(rest), [&](const Expr &t) {
    return monomialDivides(t, divisor);
  });
}

std::optional<Expr>
Assumptions::lowerBound(const Expr &e,
                        const std::set<std::string> &eliminate) const {
  std::optional<Expr> b = Bounds(*this, eliminate).bound(e, Direction::Down);
  if (b)
    b = simplify(*b, *this);
  return b;
}

std::optional<Expr>
Assumptions::upperBound(const Expr &e,
                        const std::set<std::string> &eliminate) const {
  std::optional<Expr> b = Bounds(*this, eliminate).bound(e, Direction::Up);
  if (b)
    b = simplify(*b, *this);
  return b;
}
