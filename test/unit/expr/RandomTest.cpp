//===- RandomTest.cpp - Canonical forms keep their value ------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Common.h"

using namespace ioflor;
using namespace ioflor::test;

/// Values of the reference and the expression agree where 64 bits hold both.
static void expectSame(const Reference &r,
                       const std::map<std::string, int64_t> &at) {
  ExprError error;
  std::optional<BigInt> v = evaluate(r.expr, big(at), &error);
  ASSERT_TRUE(v) << r.expr.str() << ": " << error.message;
  EXPECT_EQ(int64_t(*v), r.value(at)) << r.expr.str();
}

TEST(Random, CanonicalFormKeepsTheValue) {
  Generator g(seed(), {"N", "d", "bx", "t"});
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (int i = 0; i < 4000; ++i) {
    Reference r = g.expr(g.pick(1, 4));
    for (int k = 0; k < 6; ++k)
      ASSERT_NO_FATAL_FAILURE(expectSame(r, g.values(1, k < 3 ? 6 : 40)));
    if (HasFailure())
      return;
  }
}

TEST(Random, ParseOfStrIsTheSame) {
  Generator g(seed() + 1, {"N", "d", "bx", "t"});
  SCOPED_TRACE("seed " + std::to_string(seed() + 1));
  for (int i = 0; i < 4000; ++i) {
    Expr e = g.expr(g.pick(1, 4)).expr;
    ExprError error;
    std::optional<Expr> back = parseExpr(e.str(), &error);
    ASSERT_TRUE(back) << e.str() << ": " << error.message;
    ASSERT_EQ(*back, e) << e.str();
    ASSERT_EQ(back->node(), e.node());
    ASSERT_EQ(back->str(), e.str());
  }
}

TEST(Random, SubstitutionKeepsTheValue) {
  std::vector<std::string> names{"N", "d", "bx", "t"};
  Generator g(seed() + 2, names);
  SCOPED_TRACE("seed " + std::to_string(seed() + 2));
  for (int i = 0; i < 2000; ++i) {
    Reference r = g.expr(g.pick(1, 3));
    // Replacements that are at least 1 keep the divisors valid.
    std::map<std::string, Expr> map;
    std::map<std::string, Reference> by;
    for (const std::string &n : names)
      if (g.pick(0, 1)) {
        Reference x = g.expr(1);
        by[n] = {max(x.expr, Expr(1)), [v = x.value](const auto &at) {
                   return std::max<int64_t>(v(at), 1);
                 }};
        map.emplace(n, by[n].expr);
      }
    Expr replaced = r.expr.substitute(map);
    for (int k = 0; k < 4; ++k) {
      auto at = g.values(1, 7);
      auto inner = at;
      for (auto &[n, x] : by)
        inner[n] = x.value(at);
      std::optional<BigInt> v = evaluate(replaced, big(at));
      ASSERT_TRUE(v);
      ASSERT_EQ(int64_t(*v), r.value(inner))
          << r.expr.str() << " became " << replaced.str();
    }
  }
}

TEST(Random, CompiledIsTheSame) {
  std::vector<std::string> names{"N", "d", "bx", "t"};
  Generator g(seed() + 3, names);
  SCOPED_TRACE("seed " + std::to_string(seed() + 3));
  for (int i = 0; i < 2000; ++i) {
    Reference r = g.expr(g.pick(1, 4));
    CompiledExpr c(r.expr, names);
    for (int k = 0; k < 3; ++k) {
      auto at = g.values(1, 9);
      std::vector<int64_t> in{at["N"], at["d"], at["bx"], at["t"]};
      std::optional<BigInt> v = c.run(in);
      ASSERT_TRUE(v);
      ASSERT_EQ(int64_t(*v), r.value(at)) << r.expr.str();
      if (std::optional<int64_t> v64 = c.run64(in))
        ASSERT_EQ(*v64, r.value(at));
    }
  }
}
