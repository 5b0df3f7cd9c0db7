//===- Common.h - Shared by the prover's tests -------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_TEST_UNIT_PROVER_COMMON_H
#define IOFLOR_TEST_UNIT_PROVER_COMMON_H

#include "dialect/expr/Cond.h"
#include "dialect/expr/Expr.h"
#include <gtest/gtest.h>

inline ioflor::Expr E(const char *text) {
  ioflor::ExprError error;
  auto e = ioflor::parseExpr(text, &error);
  EXPECT_TRUE(e.has_value()) << text << ": " << error.message;
  return e.value_or(ioflor::Expr());
}

inline ioflor::Cond C(const char *text) {
  ioflor::ExprError error;
  auto c = ioflor::parseCond(text, &error);
  EXPECT_TRUE(c.has_value()) << text << ": " << error.message;
  return c.value_or(ioflor::Cond());
}

/// Symbols that are at least 1 and fit an int.
inline ioflor::Assumptions sizes(std::initializer_list<const char *> names) {
  ioflor::Assumptions known;
  for (const char *n : names)
    known.declare(n, ioflor::Expr(1), ioflor::Expr((int64_t(1) << 31) - 1));
  return known;
}

#endif // IOFLOR_TEST_UNIT_PROVER_COMMON_H
