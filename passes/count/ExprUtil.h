//===- ExprUtil.h - Walking and rewriting expressions ------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_COUNT_EXPRUTIL_H
#define IOFLOR_PASSES_COUNT_EXPRUTIL_H

#include "dialect/expr/Cond.h"
#include "dialect/expr/Expr.h"

namespace ioflor::count {

using AtomMap = std::function<std::optional<Expr>(const Expr &atom)>;

/// Rebuilds e; `fn` sees every atom before its operands and may replace it.
Expr rewriteAtoms(const Expr &e, const AtomMap &fn);
/// Rebuilds e; `fn` sees every atom after its operands were rebuilt.
Expr rewriteAtomsBottomUp(const Expr &e, const AtomMap &fn);
Expr replaceAtom(const Expr &e, const Expr &atom, const Expr &by);

/// Calls fn on every atom of e, outermost first, bodies of sums excluded;
/// stops descending where fn returns false.
void visitAtoms(const Expr &e, const std::function<bool(const Expr &)> &fn);

/// The product of powers of atoms of a monomial, without its coefficient.
Expr monomialOf(const Expr &term);
/// Greatest common divisor of the coefficients of the non-constant terms of e;
/// 0 for a constant.
BigInt contentOf(const Expr &e);
/// Divides every coefficient; they must be multiples.
Expr divideExact(const Expr &e, const BigInt &by);
/// e / by as a polynomial, if the division leaves no rest.
std::optional<Expr> tryDivide(const Expr &e, const Expr &by);

/// Does e contain an atom of kind Sum?
bool hasSum(const Expr &e);
/// Does `symbol` occur in e inside a division, min, max or sum?
bool occursNonlinearly(const Expr &e, llvm::StringRef symbol);

/// A rational expression num / den whose value is always an integer. Keeps
/// polynomial sums exact until the end.
struct Frac {
  Expr num;
  BigInt den = BigInt(1);
  Frac() = default;
  /*implicit*/ Frac(const Expr &e) : num(e) {}
  Frac(const Expr &n, const BigInt &d) : num(n), den(d) { normalise(); }
  void normalise();
  /// floordiv(num, den), with the integer part taken out.
  Expr toExpr() const;
  Frac operator+(const Frac &o) const;
  Frac operator-(const Frac &o) const;
  Frac operator*(const Expr &e) const { return Frac(num * e, den); }
};

} // namespace ioflor::count

#endif // IOFLOR_PASSES_COUNT_EXPRUTIL_H
