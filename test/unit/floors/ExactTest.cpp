//===- ExactTest.cpp - Rationals and roots --------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/floors/Exact.h"
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace ioflor;
using namespace ioflor::floors;

namespace {

Rational q(int64_t a, int64_t b = 1) { return Rational(BigInt(a), BigInt(b)); }

TEST(Rationals, LowestTermsAndRounding) {
  EXPECT_EQ(q(6, -4).str(), "-3/2");
  EXPECT_EQ(q(-3, 2).floor(), BigInt(-2));
  EXPECT_EQ(q(-3, 2).ceil(), BigInt(-1));
  EXPECT_EQ((q(1, 3) + q(1, 6)).str(), "1/2");
  EXPECT_EQ((q(1, 3) / q(2, 9)).str(), "3/2");
  EXPECT_TRUE(q(1, 3) < q(34, 100));
}

TEST(Surds, CeilAndFloorOfKnownValues) {
  Surd s(q(-1, 2), q(3)); // 1.23205...
  EXPECT_EQ(s.ceil(), BigInt(2));
  EXPECT_EQ(s.floor(), BigInt(1));
  EXPECT_EQ(s.str(), "sqrt(3) - 1/2");
  EXPECT_EQ(s.decimal(17), "1.2320508075688773");
  EXPECT_EQ(Surd(q(1), q(9, 4)).str(), "5/2");
  EXPECT_EQ(Surd(q(1, 2), q(9, 4)).ceil(), BigInt(2));
  EXPECT_EQ(Surd(q(1, 2), q(9, 4)).floor(), BigInt(2));
  EXPECT_EQ(Surd(q(1, 3)).decimal(5), "0.33333");
  EXPECT_EQ(Surd(q(2, 3000)).decimal(3), "0.000667");
  EXPECT_EQ(decimalDifference(q(3), Surd(q(-4), q(48)), 17),
            "0.071796769724490826");
  EXPECT_EQ(decimalDifference(q(3), Surd(q(1, 2)), 17), "2.5");
  EXPECT_EQ(Surd(q(-5)).ceil(), BigInt(-5));
}

/// Against long double, away from ties.
TEST(Surds, OrderOfRandomPairs) {
  std::mt19937 rng(20);
  auto pick = [&](int lo, int hi) {
    return int64_t(std::uniform_int_distribution<int>(lo, hi)(rng));
  };
  int compared = 0;
  for (int round = 0; round < 20000; ++round) {
    int64_t a = pick(-20, 20), b = pick(1, 5), r = pick(0, 60), s = pick(1, 4);
    int64_t c = pick(-20, 20), e = pick(1, 5), t = pick(0, 60), u = pick(1, 4);
    Surd x(q(a, b), q(r, s)), y(q(c, e), q(t, u));
    long double vx = (long double)a / b + std::sqrt((long double)r / s);
    long double vy = (long double)c / e + std::sqrt((long double)t / u);
    if (std::fabs(vx - vy) < 1e-12L) {
      // Equal values, or values that differ below any of these sizes: the
      // difference of two such surds is never that small unless it is 0.
      EXPECT_EQ(x.compare(y), 0) << x.str() << " " << y.str();
      continue;
    }
    ++compared;
    EXPECT_EQ(x.compare(y), vx < vy ? -1 : 1) << x.str() << " " << y.str();
    EXPECT_EQ(x.ceil(), BigInt(int64_t(std::ceil(vx - 1e-12L)))) << x.str();
    EXPECT_EQ(x.floor(), BigInt(int64_t(std::floor(vx + 1e-12L)))) << x.str();
  }
  EXPECT_GT(compared, 10000);
}

TEST(Surds, ThousandDigits) {
  BigInt n(1);
  for (int i = 0; i < 1000; ++i)
    n *= 10;
  EXPECT_EQ(isqrt(n * n), n);
  EXPECT_EQ(isqrt(n * n - 1), n - 1);
  EXPECT_EQ(Surd(Rational(0), Rational(n * n)).ceil(), n);
  EXPECT_EQ(decimal(n).size(), 1001u);
}

} // namespace
