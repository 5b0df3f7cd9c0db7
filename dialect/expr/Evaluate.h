//===- Evaluate.h - Evaluation within a budget -------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_DIALECT_EXPR_EVALUATE_H
#define IOFLOR_DIALECT_EXPR_EVALUATE_H

#include "dialect/expr/Expr.h"

namespace ioflor {

/// evaluate() out of a budget of summed terms, `steps`, which is lowered by
/// what was summed; fails when it is spent.
std::optional<BigInt> evaluateWithin(const Expr &e, const Valuation &at,
                                     uint64_t &steps,
                                     ExprError *error = nullptr);

} // namespace ioflor

#endif // IOFLOR_DIALECT_EXPR_EVALUATE_H
