//===- Facts.h - What is known while counting --------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counting needs to know which of two bounds is the smaller one, that a range
// is not empty, that a stride exceeds what lies below it. These are linear
// statements about atoms (symbols, divisions, products), so an exact rational
// simplex decides them; case splits cover min and max.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_COUNT_FACTS_H
#define IOFLOR_PASSES_COUNT_FACTS_H

#include "dialect/expr/Work.h"
#include "passes/count/ExprUtil.h"

namespace ioflor::count {

/// A limit on the work of one count; what is left over falls back to an
/// interval or to an open sum. Counts the size of the linear programmes, not
/// time, so that results do not depend on the machine.
struct Budget {
  uint64_t work = 30'000;
  unsigned pieces = 80;
  unsigned names = 0; ///< fresh variables made so far
  /// Sum over the variables in the order of the nest, innermost first, instead
  /// of the easiest first.
  bool innermostFirst = false;
  bool exhausted() const { return work == 0 || WorkScope::exhausted(); }
  bool spend(uint64_t n = 1) {
    work -= std::min(work, n);
    return !exhausted();
  }
};

/// A conjunction of facts e >= 0 over integers. Cheap to copy.
class Facts {
public:
  explicit Facts(Budget &budget);
  Facts(const Assumptions &known, Budget &budget);

  void add(const Expr &nonNegative);
  Facts with(llvm::ArrayRef<Expr> nonNegative) const;

  /// Proved for every integer point of the facts; false where not decided.
  bool nonNegative(const Expr &e) const;
  bool positive(const Expr &e) const { return nonNegative(e - 1); }
  bool lessEqual(const Expr &a, const Expr &b) const {
    return nonNegative(b - a);
  }
  bool equal(const Expr &a, const Expr &b) const {
    return a == b || (lessEqual(a, b) && lessEqual(b, a));
  }
  /// No integer point satisfies the facts.
  bool contradictory() const;
  /// +1, 0, -1 where the sign is known.
  std::optional<int> sign(const Expr &e) const;

  Expr minOf(llvm::ArrayRef<Expr> es) const;
  Expr maxOf(llvm::ArrayRef<Expr> es) const;
  /// Resolves min, max and divisions that the facts decide.
  Expr simplify(const Expr &e) const;

  Budget &budget() const { return *limit; }
  llvm::ArrayRef<Expr> list() const { return facts; }

  struct Lp;    ///< internal
  struct Cache; ///< internal

private:
  bool lpNonNegative(const Expr &e) const;
  bool prove(const Expr &e, unsigned depth) const;
  const std::vector<Facts> &branchesOf(const Expr &atom) const;

  std::vector<Expr> facts;
  Budget *limit;
  /// What was found out of these facts; copies share it until one adds a fact.
  mutable std::shared_ptr<Cache> cache;
};

} // namespace ioflor::count

#endif // IOFLOR_PASSES_COUNT_FACTS_H
