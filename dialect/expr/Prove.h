//===- Prove.h - Decides signs without a solver -----------------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to dialect/expr.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_DIALECT_EXPR_PROVE_H
#define IOFLOR_DIALECT_EXPR_PROVE_H

#include "dialect/expr/Interval.h"

namespace ioflor::detail {

/// A bounded search for a proof of e >= 0. Each step replaces e by something
/// that is at most e (or whose sign implies e's) at every admissible value:
/// facts subtracted, divisions, minima and maxima bounded, symbols replaced by
/// an end of their range, latest declared first.
class Prover {
public:
  explicit Prover(const Assumptions &known) : known(known), intervals(known) {}

  bool prove(const Expr &e) {
    steps = 0;
    return prove(e, maxDepth);
  }
  /// The monomial is never negative (its coefficient included).
  bool isTermNonNegative(const Expr &mono);
  /// 1 if e >= 0, -1 if e <= 0, 0 if not decided; e == 0 gives 1.
  int sign(const Expr &e);

private:
  static constexpr unsigned maxDepth = 10;
  static constexpr unsigned maxSteps = 300; ///< of one query
  /// Over the life of the object: a simplification asks many questions.
  static constexpr unsigned maxTotalSteps = 30000;

  bool prove(const Expr &e, unsigned depth);
  bool search(const Expr &e, unsigned depth);
  bool byCommonFactor(const Expr &e, unsigned depth);
  bool byFacts(const Expr &e, unsigned depth);
  bool byAtom(const Expr &e, const Expr &atom, unsigned depth);
  bool byDivision(const Expr &atom, const Expr &c, const Expr &rest,
                  unsigned depth);
  bool bySymbol(const Expr &e, llvm::StringRef symbol, unsigned depth);
  bool byShift(const Expr &e);
  bool mayShift(llvm::ArrayRef<Expr> terms);
  bool isAtomNonNegative(const Expr &atom);

  const Assumptions &known;
  Intervals intervals;
  unsigned steps = 0, totalSteps = 0;
  unsigned active = 0; ///< searches under way
  unsigned nested = 0; ///< sign queries inside sign queries
  std::unordered_map<const ExprNode *, bool> proved;
  /// The depth with which the search failed.
  std::unordered_map<const ExprNode *, unsigned> failed;
  std::vector<Expr> keep;
};

/// Rewrites divisions that are known to be exact: D*floordiv(x, D) is x and
/// ceildiv(x, D) is floordiv(x, D) where D divides x.
Expr useDivisibility(const Expr &e, const Assumptions &known);

/// The composite atoms (divisions, minima, maxima, sums) of e's monomials.
std::vector<Expr> compositeAtoms(const Expr &e);

/// e = c*atom + rest, atom not a factor of c's or rest's monomials; nullopt if
/// it occurs with a higher power.
std::optional<std::pair<Expr, Expr>> linearIn(const Expr &e, const Expr &atom);

/// The symbol of e that was declared last; empty if none was declared.
std::string latestSymbol(const std::set<std::string> &symbols,
                         const Assumptions &known);

} // namespace ioflor::detail

#endif // IOFLOR_DIALECT_EXPR_PROVE_H
