//===- Div.cpp - Floor and ceiling division -------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One canonical form for both: with D = divisor and x = numerator,
//   * multiples of D leave x (coefficients are divided towards zero, so a
//     remainder keeps its sign; the constant is reduced into [0, D)),
//   * a common factor of D and x is cancelled,
//   * x leans to positive terms, by floor(-x / D) = -ceil(x / D),
//   * floor(floor(y / b) + c) / D) is floor((y + b*c) / (b*D)),
//   * floor((x + D - 1) / D) is ceil(x / D).
//
//===----------------------------------------------------------------------===//

#include "dialect/expr/Node.h"

using namespace ioflor;
using namespace ioflor::detail;

static Expr rawDiv(ExprKind k, const Expr &a, const Expr &b) {
  return ExprNode::make(k, {a, b});
}

/// floor((floor-or-ceil division atom + c) / D) as one division; nullopt if x
/// is not of this form.
static std::optional<Expr> nested(const Expr &x, const Expr &D) {
  const Expr *atom = soleAtom(x);
  if (!atom)
    return std::nullopt;
  bool ceil = atom->kind() == ExprKind::CeilDiv;
  if (!ceil && atom->kind() != ExprKind::FloorDiv)
    return std::nullopt;
  const Expr &y = atom->operands()[0], &b = atom->operands()[1];
  Expr num = y + b * Expr(x.constantTerm());
  if (ceil)
    num += b - 1;
  return floordiv(num, b * D);
}

/// x has no multiple of D left and shares no factor with it.
static Expr finishConst(const Expr &r, const BigInt &c, const BigInt &D) {
  if (leansNegative(r)) // floor((-s + c)/D) = -floor((s + D-1-c)/D)
    return -finishConst(-r, D - 1 - c, D);
  Expr x = r + Expr(c);
  if (std::optional<Expr> merged = nested(x, Expr(D)))
    return *merged;
  if (c == D - 1)
    return rawDiv(ExprKind::CeilDiv, r, Expr(D));
  return rawDiv(ExprKind::FloorDiv, x, Expr(D));
}

static Expr floordivByConst(const Expr &a, BigInt D) {
  std::vector<Expr> quotient, rest;
  BigInt c(0);
  for (const Expr &t : termsRef(a)) {
    BigInt k = t.coefficient();
    BigInt q = t.isConst() ? floorDiv(k, D) : k / D;
    if (q != 0)
      quotient.push_back(withCoefficient(t, q));
    BigInt r = k - q * D;
    if (t.isConst())
      c = r;
    else if (r != 0)
      rest.push_back(withCoefficient(t, r));
  }
  Expr q = sumOfTerms(std::move(quotient));
  if (rest.empty())
    return q;
  Expr r = sumOfTerms(std::move(rest));
  BigInt g = gcd(content(r, false), D);
  if (g != 1) {
    r = divideExactly(r, g);
    c = floorDiv(c, g);
    D = D / g;
    if (D == 1)
      return q + r + Expr(c);
  }
  return q + finishConst(r, c, D);
}

/// Takes multiples of a symbolic D out of x (which is left the remainder).
/// A step is taken only when x does not get more terms, so that
/// `N // (N + M + 1)` stays what it is.
static Expr takeMultiples(Expr &x, const Expr &D) {
  Expr quotient;
  const Expr &lead = termsRef(D).front();
  BigInt leadCoef = lead.coefficient();
  BigInt absLead = abs(leadCoef);
  // Each step removes (part of) one term; lower ones may appear.
  for (size_t i = 0, steps = 0; i < termsRef(x).size() && steps < 1024;) {
    const Expr t = termsRef(x)[i];
    BigInt q = t.coefficient() / absLead; // towards zero
    std::optional<Expr> m;
    if (q != 0)
      m = monomialQuotient(t, lead);
    if (!m) {
      ++i;
      continue;
    }
    if (leadCoef < 0)
      q = -q;
    Expr step = withCoefficient(*m, q);
    Expr next = x - step * D;
    if (termsRef(next).size() > termsRef(x).size()) {
      ++i;
      continue;
    }
    quotient += step;
    // A remainder of the same monomial may stay at i; it no longer divides.
    x = next;
    ++steps;
    if (i < termsRef(x).size() && compareMonomials(termsRef(x)[i], t) == 0)
      ++i;
  }
  return quotient;
}

/// The largest monomial (with coefficient) dividing every term of both.
static Expr commonFactor(const Expr &x, const Expr &D) {
  std::vector<Factor> common;
  bool first = true;
  for (const Expr *e : {&D, &x})
    for (const Expr &t : termsRef(*e)) {
      if (first) {
        common = t.factors();
        first = false;
        continue;
      }
      std::vector<Factor> kept;
      MonoRef m(t);
      for (const Factor &f : common)
        for (size_t i = 0; i < m.size(); ++i)
          if (m.atom(i) == f.first)
            kept.push_back({f.first, std::min(f.second, m.power(i))});
      common = std::move(kept);
      if (common.empty())
        return Expr(1);
    }
  return ExprNode::monomial(BigInt(1), std::move(common));
}

static Expr divideByMonomial(const Expr &e, const Expr &m) {
  std::vector<Expr> out;
  for (const Expr &t : termsRef(e))
    out.push_back(withCoefficient(*monomialQuotient(t, m), t.coefficient()));
  return sumOfTerms(std::move(out));
}

/// r without constant, c the constant; nothing to take out of them.
static Expr finishSymbolic(const Expr &r, const BigInt &c, const Expr &D) {
  if (leansNegative(r)) // floor((-s + c)/D) = -floor((s - c - 1)/D) - 1
    return -finishSymbolic(-r, -c - 1, D) - 1;
  Expr x = r + Expr(c);
  if (std::optional<Expr> merged = nested(x, D))
    return *merged;
  // The canonical place of the boundary: (r - 1) // D is ceildiv(r, D) - 1.
  if (c == -1)
    return rawDiv(ExprKind::CeilDiv, r, D) - 1;
  return rawDiv(ExprKind::FloorDiv, x, D);
}

static Expr floordivSymbolic(Expr x, Expr D) {
  Expr quotient = takeMultiples(x, D);
  if (x.isZero())
    return quotient;
  // D >= 1, so -1 // D is -1 whatever D is.
  if (x == Expr(-1))
    return quotient - 1;
  Expr m = x.isConst() ? Expr(1) : commonFactor(x, D);
  BigInt c = x.constantTerm();
  Expr r = withoutConstant(x);
  if (r.isZero())
    return quotient + rawDiv(ExprKind::FloorDiv, x, D);
  BigInt g = gcd(content(r, false), content(D, true));
  if (m.isOne() && g == 1)
    return quotient + finishSymbolic(r, c, D);
  if (!m.isOne()) { // every term holds m, so there is no constant
    r = divideByMonomial(r, m);
    D = divideByMonomial(D, m);
  }
  r = divideExactly(r, g);
  D = divideExactly(D, g);
  return quotient + floordiv(r + Expr(floorDiv(c, g)), D);
}

Expr ioflor::floordiv(const Expr &a, const Expr &b) {
  if (a.isZero() && !(b.isConst() && b.node()->value < 1))
    return Expr();
  if (!b.isConst())
    return floordivSymbolic(a, b);
  const BigInt &D = b.node()->value;
  if (D < 1) // outside the contract; evaluation reports it
    return rawDiv(ExprKind::FloorDiv, a, b);
  if (D == 1)
    return a;
  return floordivByConst(a, D);
}

Expr ioflor::ceildiv(const Expr &a, const Expr &b) {
  if (b.isConst() && b.node()->value < 1)
    return rawDiv(ExprKind::CeilDiv, a, b);
  return floordiv(a + b - 1, b);
}

Expr ioflor::mod(const Expr &a, const Expr &b) { return a - b * floordiv(a, b); }
