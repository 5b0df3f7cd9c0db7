//===- Summation.h - Closed forms of sums ------------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums of piecewise polynomial bodies over an integer range: Faulhaber's
// polynomials, min and max of affine functions split at their breakpoints,
// floor divisions of the variable split into quotient and remainder. What has
// no closed form stays an exact `sum(...)`.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_COUNT_SUMMATION_H
#define IOFLOR_PASSES_COUNT_SUMMATION_H

#include "passes/count/Facts.h"

namespace ioflor::count {

/// sum of v**k for v = 0 .. n-1, as a polynomial in n. Valid for every integer
/// n as an antidifference: F(n+1) - F(n) = n**k.
Frac powerSum(unsigned k, const Expr &n);

/// The sum of body for var = lo .. hi-1 (0 when hi <= lo). `outer` must hold
/// for every admissible size, whether or not the range is empty; `inner` holds
/// additional facts about the points of the range.
Frac sumOver(llvm::StringRef var, const Expr &lo, const Expr &hi,
             const Frac &body, const Facts &outer,
             llvm::ArrayRef<Expr> inner = {});

/// The sum left open, with its body and range simplified: what to prefer to a
/// closed form of many pieces, which is harder to read and to prove with.
Frac openSum(llvm::StringRef var, const Expr &lo, const Expr &hi,
             const Frac &body, const Facts &outer,
             llvm::ArrayRef<Expr> inner = {});

/// Is a closed form so much longer than the sum that the sum says more?
bool isLongWinded(const Frac &closed, const Frac &open);

/// sumOver() on plain expressions, with a budget of its own.
Expr closedSum(llvm::StringRef var, const Expr &lo, const Expr &hi,
               const Expr &body, const Assumptions &known);

/// Replaces every sum in e by a closed form where one is found, innermost
/// first.
Expr closeSums(const Expr &e, const Assumptions &known);

/// A bound of e without sums; nullopt where none is found. For proofs: the
/// value of e itself is unchanged by it.
std::optional<Expr> lowerBracket(const Expr &e, const Assumptions &known);
std::optional<Expr> upperBracket(const Expr &e, const Assumptions &known);

} // namespace ioflor::count

#endif // IOFLOR_PASSES_COUNT_SUMMATION_H
