//===- RangeTest.cpp - Interval arithmetic --------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/interp/Range.h"
#include <gtest/gtest.h>
#include <random>

using namespace ioflor;
using namespace ioflor::interp;

static std::string text(const std::optional<Range> &r) {
  if (!r)
    return "none";
  auto end = [](const std::optional<BigInt> &e) {
    return e ? std::to_string(int64_t(*e)) : "?";
  };
  return end(r->lo) + " .. " + end(r->hi);
}

/// x: -3 .. 5; p: 2 .. ?; n: ? .. -1; q: 2 .. 4; u: ? .. ?.
static std::optional<Range> lookup(llvm::StringRef name) {
  if (name == "x")
    return Range{BigInt(-3), BigInt(5)};
  if (name == "p")
    return Range{BigInt(2), std::nullopt};
  if (name == "n")
    return Range{std::nullopt, BigInt(-1)};
  if (name == "q")
    return Range{BigInt(2), BigInt(4)};
  if (name == "u")
    return Range{};
  return std::nullopt;
}

TEST(Range, Cases) {
  auto of = [](const char *e) { return text(rangeOf(*parseExpr(e), lookup)); };
  EXPECT_EQ(of("7"), "7 .. 7");
  EXPECT_EQ(of("2*x + 1"), "-5 .. 11");
  EXPECT_EQ(of("x*q"), "-12 .. 20");
  EXPECT_EQ(of("p*q"), "4 .. ?");
  EXPECT_EQ(of("n*q"), "? .. -2");
  EXPECT_EQ(of("n*n"), "1 .. ?");
  EXPECT_EQ(of("3 - p"), "? .. 1");
  EXPECT_EQ(of("p*x"), "? .. ?");
  EXPECT_EQ(of("floordiv(x, q)"), "-2 .. 2");
  EXPECT_EQ(of("ceildiv(x, q)"), "-1 .. 3");
  EXPECT_EQ(of("floordiv(x, p)"), "-2 .. 2");
  EXPECT_EQ(of("floordiv(x - 4, p)"), "-4 .. 0");
  EXPECT_EQ(of("floordiv(q, x)"), "none");
  EXPECT_EQ(of("floordiv(p, q)"), "0 .. ?");
  EXPECT_EQ(of("min(x, p)"), "-3 .. 5");
  EXPECT_EQ(of("max(x, p)"), "2 .. ?");
  EXPECT_EQ(of("min(u, x)"), "? .. 5");
  EXPECT_EQ(of("max(n, x)"), "-3 .. 5");
  EXPECT_EQ(of("sum(t for t in range(0, q))"), "0 .. 12");
  EXPECT_EQ(of("missing + 1"), "none");
}

/// Every value lies in the interval.
TEST(Range, HoldsEveryValue) {
  std::mt19937 random(7);
  auto pick = [&](int n) { return static_cast<int>(random() % n); };
  std::function<Expr(int)> make = [&](int depth) -> Expr {
    if (depth == 0)
      return pick(3) ? Expr::symbol(pick(2) ? "x" : "q") : Expr(pick(7) - 3);
    Expr a = make(depth - 1), b = make(depth - 1);
    switch (pick(7)) {
    case 0:
      return a + b;
    case 1:
      return a - b;
    case 2:
      return a * b;
    case 3:
      return floordiv(a, max(b, Expr(1)));
    case 4:
      return ceildiv(a, max(b, Expr(2)));
    case 5:
      return min(a, b);
    default:
      return max(a, b);
    }
  };
  int bounded = 0;
  for (int i = 0; i < 400; ++i) {
    Expr e = make(3);
    std::optional<Range> r = rangeOf(e, lookup);
    if (!r) // an expanded divisor, of which the interval reaches below 1
      continue;
    ++bounded;
    for (int64_t x = -3; x <= 5; ++x)
      for (int64_t q = 2; q <= 4; ++q) {
        std::optional<BigInt> v =
            evaluate(e, {{"x", BigInt(x)}, {"q", BigInt(q)}});
        ASSERT_TRUE(v) << e.str();
        EXPECT_TRUE(*r->lo <= *v && *v <= *r->hi)
            << e.str() << " at x=" << x << ", q=" << q << ": " << text(r);
      }
  }
  EXPECT_GT(bounded, 350);
}
