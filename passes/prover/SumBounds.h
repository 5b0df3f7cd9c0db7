//===- SumBounds.h - Lower bounds of sums ------------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_PROVER_SUMBOUNDS_H
#define IOFLOR_PASSES_PROVER_SUMBOUNDS_H

#include "dialect/expr/Expr.h"
#include <vector>

namespace ioflor::prover {

/// den * s >= num, den >= 1 for every admissible value.
struct RationalBound {
  Expr num, den;
};

/// Lower bounds of `s`, a Sum, in expressions free of its variable, the most
/// useful first: powers of the variable are summed exactly, a concave part by
/// the chord through its ends; every term by a bound of it, rounded up as the
/// terms are whole; the first and the last term alone. Empty where nothing is
/// found.
std::vector<RationalBound> sumLowerBounds(const Expr &s,
                                          const Assumptions &known);

} // namespace ioflor::prover

#endif // IOFLOR_PASSES_PROVER_SUMBOUNDS_H
