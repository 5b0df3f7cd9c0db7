//===- Range.h - Interval arithmetic on expressions --------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bounds of expressions whose data symbols are known by their range only. Each
// use of a data symbol may have its own value, so uses are independent, which
// is what interval arithmetic computes.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_DIALECT_INTERP_RANGE_H
#define IOFLOR_DIALECT_INTERP_RANGE_H

#include "dialect/expr/Expr.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace ioflor::interp {

/// A closed interval; an absent end is not bounded.
struct Range {
  std::optional<BigInt> lo, hi;
  static Range of(const BigInt &v) { return {v, v}; }
  bool isPoint() const { return lo && hi && *lo == *hi; }
};

/// The interval of a symbol; nullopt if it has no value at all.
using RangeLookup = llvm::function_ref<std::optional<Range>(llvm::StringRef)>;

/// An interval that holds every value of `e`. nullopt where a symbol has no
/// value or a divisor may be below 1.
std::optional<Range> rangeOf(const Expr &e, RangeLookup lookup);

} // namespace ioflor::interp

#endif // IOFLOR_DIALECT_INTERP_RANGE_H
