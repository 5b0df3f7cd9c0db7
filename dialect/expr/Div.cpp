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
#include "llvm/ADT/STLExtras.h"

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

/// Takes one multiple of D out of x; 0 if there is none. A step is taken only
/// when x does not get more terms, so that `N // (N + M + 1)` stays what it is.
static Expr takeMultiple(Expr &x, const Expr &D) {
  const Expr &lead = termsRef(D).front();
  BigInt leadCoef = lead.coefficient();
  for (const Expr &t : termsRef(x)) {
    BigInt q = t.coefficient() / leadCoef; // towards zero
    std::optional<Expr> m;
    if (q != 0)
      m = monomialQuotient(t, lead);
    if (!m)
      continue;
    Expr step = withCoefficient(*m, q);
    Expr next = x - step * D;
    if (termsRef(next).size() > termsRef(x).size())
      continue;
    x = next;
    return step;
  }
  return Expr();
}

/// Takes multiples of a symbolic D out of x, which is left the remainder. Each
/// step makes a coefficient of x smaller and changes only lower monomials, so
/// this ends; the limit is for time.
static Expr takeMultiples(Expr &x, const Expr &D) {
  std::vector<Expr> quotient;
  for (unsigned steps = 0; steps < 1024; ++steps) {
    Expr step = takeMultiple(x, D);
    if (step.isZero())
      break;
    quotient.push_back(step);
  }
  return sumOfTerms(std::move(quotient));
}

/// Not negative where no symbol is.
static bool looksPositive(const Expr &e) {
  llvm::ArrayRef<Expr> ops = e.operands();
  switch (e.kind()) {
  case ExprKind::Const:
    return e.node()->value >= 0;
  case ExprKind::Symbol:
    return true;
  case ExprKind::Add:
  case ExprKind::Mul:
  case ExprKind::Min:
    return llvm::all_of(ops, looksPositive);
  case ExprKind::FloorDiv:
  case ExprKind::CeilDiv:
    return looksPositive(ops[0]);
  case ExprKind::Max:
    return llvm::any_of(ops, looksPositive);
  case ExprKind::Sum:
    return looksPositive(ops[2]);
  }
  return false;
}

/// The largest product of atoms that divides every term of both. Cancelling it
/// from a divisor needs it to be positive, since the quotient must be a divisor
/// again.
static Expr commonFactor(const Expr &x, const Expr &D) {
  std::vector<Factor> common;
  bool first = true;
  for (const Expr *e : {&D, &x})
    for (const Expr &t : termsRef(*e)) {
      if (first) {
        common = t.factors();
        llvm::erase_if(common,
                       [](const Factor &f) { return !looksPositive(f.first); });
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

static Expr floordivSymbolic(Expr x, const Expr &D) {
  Expr quotient = takeMultiples(x, D);
  BigInt c = x.constantTerm();
  Expr r = withoutConstant(x);
  if (r.isZero()) {
    // D >= 1, so 0 // D and -1 // D are known whatever D is.
    if (c == 0 || c == -1)
      return quotient + Expr(c);
    return quotient + rawDiv(ExprKind::FloorDiv, x, D);
  }
  // (m*r - 1) // (m*D) is (r - 1) // D: the -1 is a ceiling in disguise.
  Expr m = c == 0 || c == -1 ? commonFactor(r, D) : Expr(1);
  BigInt g = gcd(content(r, false), content(D, true));
  if (!m.isOne() || g != 1) {
    r = divideExactly(divideByMonomial(r, m), g);
    return quotient + floordiv(r + Expr(floorDiv(c, g)),
                               divideExactly(divideByMonomial(D, m), g));
  }
  if (leansNegative(r)) // floor(-s / D) = -floor((s - 1) / D) - 1
    return quotient - floordiv(-x - 1, D) - 1;
  if (std::optional<Expr> merged = nested(x, D))
    return quotient + *merged;
  // The canonical place of the boundary: (r - 1) // D is ceildiv(r, D) - 1.
  if (c == -1)
    return quotient + rawDiv(ExprKind::CeilDiv, r, D) - 1;
  return quotient + rawDiv(ExprKind::FloorDiv, x, D);
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
  // Not (a + b - 1) // b: a symbolic b would mix with a's own terms.
  return floordiv(a - 1, b) + 1;
}

Expr ioflor::mod(const Expr &a, const Expr &b) {
  return a - b * floordiv(a, b);
}
