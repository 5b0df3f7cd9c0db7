//===- Words.h - Counts of words -------------------------------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_DIALECT_EXPR_WORDS_H
#define IOFLOR_DIALECT_EXPR_WORDS_H

#include "dialect/expr/Expr.h"

namespace ioflor {

/// Words: at least lo, at most hi (absent: no upper end is known).
struct WordRange {
  Expr lo;
  std::optional<Expr> hi = Expr(0);
  bool exact() const { return hi && *hi == lo; }
  WordRange &operator+=(const WordRange &o);
};

/// The digits of v; "-" first where it is negative.
std::string decimal(const BigInt &v);

} // namespace ioflor

#endif // IOFLOR_DIALECT_EXPR_WORDS_H
