//===- Monomial.h - Parts of monomials ---------------------------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_DIALECT_EXPR_MONOMIAL_H
#define IOFLOR_DIALECT_EXPR_MONOMIAL_H

#include "dialect/expr/Expr.h"

namespace ioflor {

/// This monomial with coefficient 1 (1 for a constant), at the cost of one node.
Expr primitivePart(const Expr &monomial);

} // namespace ioflor

#endif // IOFLOR_DIALECT_EXPR_MONOMIAL_H
