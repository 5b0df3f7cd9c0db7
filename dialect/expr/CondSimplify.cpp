//===- CondSimplify.cpp - Rewrites conditions with what is known ----------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/expr/Cond.h"
#include "llvm/ADT/STLExtras.h"

using namespace ioflor;

/// Looking at each conjunct in the light of the others is quadratic.
static constexpr size_t maxConjuncts = 12;

static Cond simplifyComparison(const Cond &c, const Assumptions &known) {
  Expr e = simplify(c.expr(), known);
  if (c.kind() == CondKind::NonNegative) {
    if (known.isNonNegative(e))
      return Cond::always();
    if (known.isNonNegative(-e - 1))
      return Cond::never();
    return Cond::nonNegative(e);
  }
  bool isZero = c.kind() == CondKind::Zero;
  if (known.isZero(e))
    return isZero ? Cond::always() : Cond::never();
  if (known.isPositive(e) || known.isPositive(-e))
    return isZero ? Cond::never() : Cond::always();
  return isZero ? Cond::zero(e) : Cond::nonZero(e);
}

/// Drops the conjuncts that follow from the ones kept.
static Cond dropImplied(const Cond &c, const Assumptions &known) {
  std::vector<Cond> kept = c.conjuncts();
  if (kept.size() < 2 || kept.size() > maxConjuncts)
    return c;
  for (size_t i = 0; i < kept.size();) {
    Assumptions others = known;
    for (size_t j = 0; j < kept.size(); ++j)
      if (j != i)
        assume(others, kept[j]);
    Cond here = simplify(kept[i], others);
    if (here.isNever())
      return here;
    if (here.isAlways())
      kept.erase(kept.begin() + i);
    else
      ++i;
  }
  return kept.size() == c.conjuncts().size() ? c : conjunction(kept);
}

Cond ioflor::simplify(const Cond &c, const Assumptions &known) {
  switch (c.kind()) {
  case CondKind::True:
  case CondKind::False:
  case CondKind::Unknown:
    return c;
  case CondKind::NonNegative:
  case CondKind::Zero:
  case CondKind::NonZero:
    return simplifyComparison(c, known);
  case CondKind::And: {
    std::vector<Cond> ops;
    for (const Cond &o : c.operands())
      ops.push_back(simplify(o, known));
    return dropImplied(conjunction(ops), known);
  }
  case CondKind::Or: {
    // By the negations: what is left of one alternative where the others fail.
    std::vector<Cond> ops;
    for (const Cond &o : c.operands())
      ops.push_back(!simplify(o, known));
    return !dropImplied(conjunction(ops), known);
  }
  }
  return c;
}
