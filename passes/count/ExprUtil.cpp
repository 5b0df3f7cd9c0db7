//===- ExprUtil.cpp - Walking and rewriting expressions -------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/count/ExprUtil.h"
#include "dialect/expr/Monomial.h"

namespace ioflor::count {

static Expr rebuildAtom(const Expr &a,
                        const std::function<Expr(const Expr &)> &sub) {
  switch (a.kind()) {
  case ExprKind::FloorDiv:
    return floordiv(sub(a.operands()[0]), sub(a.operands()[1]));
  case ExprKind::CeilDiv:
    return ceildiv(sub(a.operands()[0]), sub(a.operands()[1]));
  case ExprKind::Min:
  case ExprKind::Max: {
    std::vector<Expr> args;
    for (const Expr &o : a.operands())
      args.push_back(sub(o));
    return a.kind() == ExprKind::Min ? min(args) : max(args);
  }
  case ExprKind::Sum:
    return sum(a.name(), sub(a.operands()[0]), sub(a.operands()[1]),
               sub(a.operands()[2]));
  default:
    return a;
  }
}

static Expr mapTerms(const Expr &e,
                     const std::function<Expr(const Expr &)> &atomFn) {
  if (e.isConst())
    return e;
  Expr result;
  for (const Expr &t : e.terms()) {
    Expr m(t.coefficient());
    for (const auto &[atom, power] : t.factors()) {
      Expr r = atomFn(atom);
      for (unsigned i = 0; i < power; ++i)
        m *= r;
    }
    result += m;
  }
  return result;
}

Expr rewriteAtoms(const Expr &e, const AtomMap &fn) {
  return mapTerms(e, [&](const Expr &atom) {
    if (std::optional<Expr> r = fn(atom))
      return *r;
    return rebuildAtom(atom,
                       [&](const Expr &o) { return rewriteAtoms(o, fn); });
  });
}

static bool isAtom(const Expr &e) {
  return e.kind() != ExprKind::Const && e.kind() != ExprKind::Add &&
         e.kind() != ExprKind::Mul;
}

Expr rewriteAtomsBottomUp(const Expr &e, const AtomMap &fn) {
  return mapTerms(e, [&](const Expr &atom) {
    Expr built = rebuildAtom(
        atom, [&](const Expr &o) { return rewriteAtomsBottomUp(o, fn); });
    if (!isAtom(built))
      return built;
    if (std::optional<Expr> r = fn(built))
      return *r;
    return built;
  });
}

Expr replaceAtom(const Expr &e, const Expr &atom, const Expr &by) {
  return rewriteAtoms(e, [&](const Expr &a) -> std::optional<Expr> {
    if (a == atom)
      return by;
    return std::nullopt;
  });
}

void visitAtoms(const Expr &e, const std::function<bool(const Expr &)> &fn) {
  for (const Expr &t : e.terms())
    for (const auto &[atom, power] : t.factors()) {
      (void)power;
      if (!fn(atom) || atom.kind() == ExprKind::Symbol)
        continue;
      llvm::ArrayRef<Expr> ops = atom.operands();
      if (atom.kind() == ExprKind::Sum)
        ops = ops.take_front(2);
      for (const Expr &o : ops)
        visitAtoms(o, fn);
    }
}

Expr monomialOf(const Expr &term) {
  return primitivePart(term);
}

BigInt contentOf(const Expr &e) {
  BigInt g(0);
  for (const Expr &t : e.terms())
    if (!t.isConst())
      g = llvm::gcd(g, llvm::abs(t.coefficient()));
  return g;
}

Expr divideExact(const Expr &e, const BigInt &by) {
  Expr r;
  for (const Expr &t : e.terms())
    r += Expr(BigInt(t.coefficient() / by)) * monomialOf(t);
  return r;
}

std::optional<Expr> tryDivide(const Expr &e, const Expr &by) {
  if (by.isZero())
    return std::nullopt;
  if (std::optional<BigInt> c = by.constant()) {
    for (const Expr &t : e.terms())
      if (t.coefficient() - t.coefficient() / *c * *c != BigInt(0))
        return std::nullopt;
    return divideExact(e, *c);
  }
  // Division by a monomial; a divisor with several terms only when it is the
  // dividend up to a factor found from the first terms.
  std::vector<Expr> divisorTerms = by.terms();
  auto divideMonomial = [](const Expr &t,
                           const Expr &m) -> std::optional<Expr> {
    if (t.coefficient() - t.coefficient() / m.coefficient() * m.coefficient() !=
        BigInt(0))
      return std::nullopt;
    std::vector<std::pair<Expr, unsigned>> rest = t.factors();
    for (const auto &[atom, power] : m.factors()) {
      bool found = false;
      for (auto &[a, p] : rest)
        if (a == atom && p >= power) {
          p -= power;
          found = true;
          break;
        }
      if (!found)
        return std::nullopt;
    }
    Expr r(BigInt(t.coefficient() / m.coefficient()));
    for (const auto &[a, p] : rest)
      for (unsigned i = 0; i < p; ++i)
        r *= a;
    return r;
  };
  if (divisorTerms.size() == 1) {
    Expr r;
    for (const Expr &t : e.terms()) {
      std::optional<Expr> q = divideMonomial(t, by);
      if (!q)
        return std::nullopt;
      r += *q;
    }
    return r;
  }
  Expr rest = e, quotient;
  for (unsigned steps = 0; !rest.isZero() && steps < 8; ++steps) {
    std::optional<Expr> q;
    for (const Expr &t : rest.terms())
      if ((q = divideMonomial(t, divisorTerms.back())))
        break;
    if (!q)
      return std::nullopt;
    Expr next = rest - *q * by;
    if (next.terms().size() >= rest.terms().size())
      return std::nullopt;
    quotient += *q;
    rest = next;
  }
  if (!rest.isZero())
    return std::nullopt;
  return quotient;
}

bool hasSum(const Expr &e) {
  bool found = false;
  visitAtoms(e, [&](const Expr &a) {
    found |= a.kind() == ExprKind::Sum;
    return !found;
  });
  return found;
}

bool occursNonlinearly(const Expr &e, llvm::StringRef symbol) {
  for (const Expr &t : e.terms())
    for (const auto &[atom, power] : t.factors()) {
      (void)power;
      if (atom.kind() != ExprKind::Symbol && atom.dependsOn(symbol))
        return true;
    }
  return false;
}

void Frac::normalise() {
  if (den == BigInt(1))
    return;
  BigInt g = den;
  for (const Expr &t : num.terms())
    g = llvm::gcd(g, llvm::abs(t.coefficient()));
  if (g > BigInt(1)) {
    num = divideExact(num, g);
    den = den / g;
  }
}

Expr Frac::toExpr() const {
  if (den == BigInt(1))
    return num;
  Expr whole, part;
  for (const Expr &t : num.terms()) {
    BigInt q = t.coefficient() / den;
    Expr m = monomialOf(t);
    whole += Expr(q) * m;
    part += Expr(BigInt(t.coefficient() - q * den)) * m;
  }
  return whole + floordiv(part, Expr(den));
}

Frac Frac::operator+(const Frac &o) const {
  BigInt g = llvm::gcd(den, o.den);
  BigInt a = o.den / g, b = den / g;
  return Frac(num * Expr(a) + o.num * Expr(b), den * a);
}

Frac Frac::operator-(const Frac &o) const {
  return *this + Frac(-o.num, o.den);
}

} // namespace ioflor::count
