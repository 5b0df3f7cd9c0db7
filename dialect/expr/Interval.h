//===- Interval.h - Constant ranges of expressions --------------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to dialect/expr.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_DIALECT_EXPR_INTERVAL_H
#define IOFLOR_DIALECT_EXPR_INTERVAL_H

#include "dialect/expr/Expr.h"
#include <unordered_map>

namespace ioflor::detail {

/// A closed range of integers; an absent end is unbounded.
struct Interval {
  std::optional<BigInt> lo, hi;

  static Interval of(const BigInt &v) { return {v, v}; }
  bool isNonNegative() const { return lo && *lo >= 0; }
};

/// Constant ranges under assumptions, cached for the life of the object.
class Intervals {
public:
  explicit Intervals(const Assumptions &known) : known(known) {}
  Interval of(const Expr &e);

private:
  Interval compute(const Expr &e);
  Interval symbol(const Expr &e);
  const Assumptions &known;
  std::unordered_map<const ExprNode *, Interval> memo;
  std::vector<Expr> keep; ///< the keys of memo stay alive
  unsigned depth = 0;
};

} // namespace ioflor::detail

#endif // IOFLOR_DIALECT_EXPR_INTERVAL_H
