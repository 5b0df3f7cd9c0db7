//===- CondTest.cpp - Conditions ------------------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Common.h"

using namespace ioflor;
using namespace ioflor::test;

TEST(Cond, CanonicalComparisons) {
  EXPECT_EQ(C("bx*64 + tx < N").str(), "64*bx + tx < N");
  EXPECT_EQ(C("2*a >= 1"), C("a >= 1"));
  EXPECT_EQ(C("2*a - 1 >= 0").expr(), P("a - 1"));
  EXPECT_EQ(C("4*a + 6 == 0"), Cond::never());
  EXPECT_EQ(C("4*a + 6*b != 1"), Cond::always());
  EXPECT_EQ(C("b - a == 0"), C("a == b"));
  EXPECT_EQ(C("a > b"), C("b < a"));
  EXPECT_EQ(C("3 < 5"), Cond::always());
  EXPECT_EQ(C("N/64 >= 1"), C("floordiv(N, 64) > 0"));
}

TEST(Cond, Printing) {
  EXPECT_EQ(C("tx < 64").str(), "tx < 64");
  EXPECT_EQ(C("0 <= tx").str(), "tx >= 0");
  EXPECT_EQ(C("i + 1 < N").str(), "i + 1 < N");
  EXPECT_EQ(C("i <= j").str(), "i <= j");
  EXPECT_EQ(C("i <= j + 3").str(), "i <= j + 3");
  EXPECT_EQ(C("x % 32 == 0").str(), "mod(x, 32) == 0");
  EXPECT_EQ(C("a == b + 3").str(), "a == b + 3");
  EXPECT_EQ(C("a + 3 == b").str(), "a + 3 == b");
  EXPECT_EQ(C("a != 7").str(), "a != 7");
  EXPECT_EQ(C("a < b || c < d && e < f").str(), "a < b or (c < d and e < f)");
  EXPECT_EQ(Cond::always().str(), "True");
  EXPECT_EQ(Cond::never().str(), "False");
  EXPECT_EQ((!Cond::unknown("say \"x\"", "u 1")).str(),
            "not unknown(\"say \\\"x\\\"\", \"u 1\")");
  EXPECT_EQ(C((!Cond::unknown("say \"x\"\n", "u 1")).str()),
            !Cond::unknown("another reason", "u 1"));
}

TEST(Cond, Logic) {
  EXPECT_EQ(C("a < 4 && a >= 4"), Cond::never());
  EXPECT_EQ(C("a < 4 || a >= 4"), Cond::always());
  EXPECT_EQ(C("a < 4 && a < 7").str(), "a < 4");
  EXPECT_EQ(C("a < 4 || a < 7").str(), "a < 7");
  EXPECT_EQ(C("a >= 0 && a <= 0").str(), "a == 0");
  EXPECT_EQ(C("a >= 0 && a != 0").str(), "a >= 1");
  EXPECT_EQ(C("a == 3 && a < 5").str(), "a == 3");
  EXPECT_EQ(C("a == 3 && a < 3"), Cond::never());
  EXPECT_EQ(C("a != 3 || a == 3"), Cond::always());
  EXPECT_EQ(C("a < 3 || a > 3").str(), "a != 3");
  EXPECT_EQ(C("a < b && (a < b || c < d)").str(), "a < b");
  EXPECT_EQ(C("a < b || (a < b && c < d)").str(), "a < b");
  EXPECT_EQ(C("a < b && (a >= b || c < d)"), C("a < b && c < d"));
  EXPECT_EQ(C("!(a < N && b < M)"), C("a >= N || b >= M"));
  EXPECT_EQ(!!C("a < N && (b < M || c == 0)"), C("a < N && (b < M || c == 0)"));
  Cond u = Cond::unknown("loaded value", "u1");
  EXPECT_EQ(u && !u, Cond::never());
  EXPECT_EQ(u || !u, Cond::always());
  EXPECT_EQ(u && u, u);
  EXPECT_NE(u, Cond::unknown("loaded value", "u2"));
  EXPECT_TRUE((u && C("a < b")).hasUnknown());
  EXPECT_EQ(C("a < b && c < d && e == 0").conjuncts().size(), 3u);
  EXPECT_TRUE(Cond::always().conjuncts().empty());
}

TEST(Cond, Evaluation) {
  Valuation at{{"a", BigInt(3)}};
  Cond u = Cond::unknown("loaded value", "u1");
  EXPECT_EQ(evaluate(C("a < 4"), at), true);
  EXPECT_EQ(evaluate(u && C("a < 3"), at), false);
  EXPECT_EQ(evaluate(u || C("a < 4"), at), true);
  EXPECT_EQ(evaluate(u && C("a < 4"), at), std::nullopt);
  ExprError error;
  EXPECT_EQ(evaluate(C("b < 4"), at, &error), std::nullopt);
  EXPECT_EQ(error.message, "no value for 'b'");
  EXPECT_EQ(C("a < N").substitute({{"a", P("N - 1")}}), Cond::always());
}

TEST(Cond, RandomLogicKeepsTheValue) {
  std::vector<std::string> names{"a", "b"};
  Generator g(seed() + 20, names);
  SCOPED_TRACE("seed " + std::to_string(seed() + 20));
  using At = std::map<std::string, int64_t>;
  using Truth = std::function<bool(const At &)>;
  std::function<std::pair<Cond, Truth>(unsigned)> make = [&](unsigned depth) {
    if (depth == 0) {
      Reference r = g.expr(g.pick(0, 1));
      switch (g.pick(0, 2)) {
      case 0:
        return std::pair<Cond, Truth>(
            Cond::nonNegative(r.expr),
            [v = r.value](const At &at) { return v(at) >= 0; });
      case 1:
        return std::pair<Cond, Truth>(
            Cond::zero(r.expr),
            [v = r.value](const At &at) { return v(at) == 0; });
      default:
        return std::pair<Cond, Truth>(
            Cond::nonZero(r.expr),
            [v = r.value](const At &at) { return v(at) != 0; });
      }
    }
    auto x = make(depth - 1), y = make(depth - 1);
    switch (g.pick(0, 2)) {
    case 0:
      return std::pair<Cond, Truth>(x.first && y.first,
                                    [a = x.second, b = y.second](const At &at) {
                                      return a(at) && b(at);
                                    });
    case 1:
      return std::pair<Cond, Truth>(x.first || y.first,
                                    [a = x.second, b = y.second](const At &at) {
                                      return a(at) || b(at);
                                    });
    default:
      return std::pair<Cond, Truth>(
          !x.first, [a = x.second](const At &at) { return !a(at); });
    }
  };
  for (int i = 0; i < 1500; ++i) {
    auto [c, truth] = make(g.pick(1, 4));
    ASSERT_EQ(C(c.str()), c) << c.str();
    ASSERT_EQ(!!c, c) << c.str();
    ASSERT_EQ(c && !c, Cond::never()) << c.str();
    for (int64_t a = 1; a <= 6; ++a)
      for (int64_t b = 1; b <= 6; ++b) {
        At at{{"a", a}, {"b", b}};
        ASSERT_EQ(evaluate(c, big(at)), truth(at)) << c.str();
      }
  }
}
