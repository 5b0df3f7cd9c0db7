//===- SummationTest.cpp - Closed forms of sums ---------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/count/Summation.h"
#include "Nest.h"
#include <random>

using namespace ioflor;
using namespace ioflor::count;
using namespace ioflor::count::test;

namespace {

Assumptions positive(const std::vector<std::string> &names) {
  return sizes(names).known;
}

/// The closed form has the value of the sum at each n.
void expectSame(const std::string &var, const std::string &lo,
                const std::string &hi, const std::string &body,
                const char *expected = nullptr, int64_t first = 1) {
  Assumptions known;
  known.declare("N", Expr(first), std::nullopt);
  Expr closed = closedSum(var, E(lo), E(hi), E(body), known);
  Expr open = sum(var, E(lo), E(hi), E(body));
  for (int64_t n = first; n < 200; n += n < 70 ? 1 : 13) {
    Valuation where = at({{"N", n}});
    EXPECT_EQ(valueAt(closed, where), valueAt(open, where))
        << closed.str() << " for " << open.str() << " at N = " << n;
  }
  if (expected) {
    EXPECT_EQ(closed.str(), expected);
  }
}

TEST(Summation, PowerSums) {
  for (unsigned k = 0; k < 6; ++k)
    for (int64_t n = 0; n < 9; ++n) {
      int64_t s = 0;
      for (int64_t v = 0; v < n; ++v) {
        int64_t p = 1;
        for (unsigned i = 0; i < k; ++i)
          p *= v;
        s += p;
      }
      EXPECT_EQ(powerSum(k, Expr(n)).toExpr(), Expr(s)) << k << " " << n;
    }
}

TEST(Summation, Polynomials) {
  expectSame("b", "0", "N", "1", "N");
  expectSame("b", "0", "N", "2*b + 1", "N**2");
  expectSame("b", "0", "N", "b", "floordiv(N**2 - N, 2)");
  expectSame("b", "2", "N", "b*b*N - 3*b");
  expectSame("b", "N", "2*N", "b**3");
}

TEST(Summation, EmptyRangesCountNothing) {
  expectSame("b", "0", "N - 20", "b + 5");
  expectSame("b", "10", "N", "7");
  expectSame("b", "N", "10", "min(b, 7)");
}

TEST(Summation, TilesOfARange) {
  expectSame("b", "0", "ceildiv(N, 64)", "min(64, N - 64*b)", "N");
  expectSame("b", "0", "floordiv(N, 64)", "min(64, N - 64*b)",
             "64*floordiv(N, 64)");
  expectSame("b", "0", "N", "max(0, min(16, N - 16*b))", "N");
  expectSame("b", "0", "ceildiv(N, 64)", "N*min(64, N - 64*b)", "N**2");
  expectSame("b", "1", "ceildiv(N, 64)", "min(64, N - 64*b)");
}

TEST(Summation, Triangles) {
  expectSame("b", "0", "ceildiv(N, 32)", "min(N, 32*b + 32)",
             "16*ceildiv(N, 32)**2 + N - 16*ceildiv(N, 32)");
  expectSame("i", "0", "N", "min(i + 1, 257)");
  expectSame("i", "0", "N", "min(i + 1, 7)");
  expectSame("i", "0", "N", "i + 1 - max(0, i - 15)");
  expectSame("i", "0", "N", "max(0, min(i, 20 - i))");
  expectSame("i", "0", "N", "min(i, N - i)");
}

TEST(Summation, Quotients) {
  expectSame("i", "0", "N", "floordiv(i, 8)");
  expectSame("i", "3", "N", "ceildiv(i + 1, 8)*i");
  expectSame("i", "0", "N", "mod(i, 5)");
  expectSame("i", "0", "N", "floordiv(20 - i, 6)");
  expectSame("i", "0", "N", "min(8*ceildiv(i + 1, 8), 40)");
}

TEST(Summation, NestedSums) {
  Assumptions known = positive({"N"});
  Expr e = closeSums(
      E("sum(sum(min(i, 9) for j in range(0, i)) for i in range(0, N))"),
      known);
  Expr open =
      E("sum(sum(min(i, 9) for j in range(0, i)) for i in range(0, N))");
  EXPECT_EQ(e.str().find("sum("), std::string::npos) << e.str();
  for (int64_t n = 1; n < 40; ++n)
    EXPECT_EQ(valueAt(e, at({{"N", n}})), valueAt(open, at({{"N", n}})));
}

TEST(Summation, WhatHasNoClosedFormStaysExact) {
  expectSame("i", "0", "N", "floordiv(i*i, 7)");
  expectSame("i", "0", "N", "min(i*i, 50)");
}

TEST(Summation, Random) {
  std::mt19937 rng(7);
  auto pick = [&](int n) { return static_cast<int>(rng() % n); };
  for (int round = 0; round < 150; ++round) {
    auto affine = [&] {
      return std::to_string(pick(7) - 3) + "*b + " +
             std::to_string(pick(41) - 10) + (pick(2) ? " + N" : "");
    };
    std::string body = affine();
    for (int k = pick(3); k >= 0; --k)
      switch (pick(5)) {
      case 0:
        body = "min(" + body + ", " + affine() + ")";
        break;
      case 1:
        body = "max(" + body + ", " + affine() + ")";
        break;
      case 2:
        body = "(" + body + ")*(" + affine() + ")";
        break;
      case 3:
        body = "floordiv(b + " + std::to_string(pick(9)) + ", " +
               std::to_string(2 + pick(5)) + ") + " + body;
        break;
      default:
        body = "max(0, " + body + ")";
      }
    std::string hi =
        pick(2) ? "ceildiv(N, 4)" : "N - " + std::to_string(pick(9));
    expectSame("b", std::to_string(pick(4)), hi, body);
    if (HasFailure()) {
      ADD_FAILURE() << "round " << round << ": " << body << " to " << hi;
      break;
    }
  }
}

TEST(Summation, Brackets) {
  Assumptions known = positive({"N"});
  Expr e = E("3 + 2*sum(min(i*i, 50) for i in range(0, N))");
  std::optional<Expr> hi = upperBracket(e, known);
  ASSERT_TRUE(hi.has_value());
  EXPECT_FALSE(hi->str().find("sum(") != std::string::npos);
  for (int64_t n = 1; n < 40; ++n)
    EXPECT_GE(valueAt(*hi, at({{"N", n}})), valueAt(e, at({{"N", n}})));
}

} // namespace
