//===- AffineTest.cpp - Expressions in isl's notation -----------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/coverage/sets/Affine.h"
#include "passes/coverage/sets/Isl.h"
#include <gtest/gtest.h>

using namespace ioflor;
using namespace ioflor::sets;

/// The set of `j` with j == e over dimension t, as isl reads it.
static bool equals(const char *expr, const char *isl) {
  Parameters params;
  Affine affine(params, {"t"});
  auto text = affine.expr(*parseExpr(expr));
  if (!text)
    return false;
  params.name("n");
  Context c(1'000'000);
  Map a = c.map(params.prefix() + "{ [t] -> [" + *text + "] }");
  Map b = c.map(std::string("[n] -> { [t] -> [") + isl + "] }");
  return isEqual(a, b) == true;
}

TEST(Affine, Expressions) {
  EXPECT_TRUE(equals("32*t + n - 3", "32t + n - 3"));
  EXPECT_TRUE(equals("mod(t, 32)", "t mod 32"));
  EXPECT_TRUE(equals("ceildiv(n - t, 16)", "floor((n - t + 15)/16)"));
  EXPECT_TRUE(equals("min(n - 32*t, 32)", "min(n - 32t, 32)"));
  EXPECT_TRUE(equals("-floordiv(t, 4)", "-floor(t/4)"));
}

TEST(Affine, ProductsOfDimensionsAreNone) {
  Parameters params;
  Affine affine(params, {"t", "u"});
  EXPECT_FALSE(affine.expr(*parseExpr("t*u")));
  EXPECT_FALSE(affine.expr(*parseExpr("n*t")));
  EXPECT_FALSE(affine.expr(*parseExpr("floordiv(t, n)")));
}

TEST(Affine, ProductsOfParametersAreParameters) {
  Parameters params;
  Affine affine(params, {"t"});
  auto a = affine.expr(*parseExpr("64*n*b + t"));
  auto b = affine.expr(*parseExpr("3*n*b"));
  ASSERT_TRUE(a && b);
  EXPECT_EQ(params.opaques().size(), 1u);
}

TEST(Affine, WhatMemoryDecidesIsNone) {
  Parameters params;
  params.data.insert("len");
  Affine affine(params, {"t"});
  EXPECT_FALSE(affine.expr(*parseExpr("t + len")));
}

TEST(Affine, ConditionsThatCannotBeWrittenAreTakenAsTrue) {
  Parameters params;
  Affine affine(params, {"t"});
  Cond c = Cond::unknown("loaded data", "u1") ||
           lt(Expr::symbol("t"), Expr::symbol("n"));
  params.name("n");
  Context ctx(1'000'000);
  Set s = ctx.set("[n] -> { [t] : " + affine.cond(c) + " }");
  EXPECT_TRUE(affine.approximate);
  EXPECT_EQ(affine.why, "a condition depends on loaded data");
  EXPECT_EQ(isEqual(s, ctx.set("[n] -> { [t] }")), true);
}

TEST(Affine, WordsOfTheNotationAreRenamed) {
  EXPECT_EQ(spell("mod"), "v_mod");
  EXPECT_EQ(spell("bx"), "bx");
}
