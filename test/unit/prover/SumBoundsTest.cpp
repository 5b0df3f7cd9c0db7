//===- SumBoundsTest.cpp - Bounds of sums against their values ------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/prover/SumBounds.h"
#include "Common.h"

using namespace ioflor;
using namespace ioflor::prover;

namespace {

/// Every bound holds at every size; the best is at least `tightness` percent of
/// the value at the largest.
void check(const char *text, int tightness) {
  auto known = sizes({"N", "W"});
  Expr s = E(text);
  auto bounds = sumLowerBounds(s, known);
  ASSERT_FALSE(bounds.empty()) << text;
  int64_t best = 0;
  for (int n = 1; n <= 130; ++n)
    for (int w : {1, 3, 17, 64, 200}) {
      Valuation at{{"N", BigInt(n)}, {"W", BigInt(w)}};
      auto v = evaluate(s, at);
      ASSERT_TRUE(v.has_value());
      for (const RationalBound &b : bounds) {
        auto num = evaluate(b.num, at), den = evaluate(b.den, at);
        ASSERT_TRUE(num && den && *den >= 1);
        EXPECT_GE(*v * *den, *num) << text << " N=" << n << " W=" << w;
        if (n == 130 && w == 64 && *v > 0)
          best = std::max(best, int64_t(*num * 100 / (*v * *den)));
      }
    }
  EXPECT_GE(best, tightness) << text;
}

TEST(SumBounds, HoldAndAreUseful) {
  check("sum(t*t + 3*t for t in range(0, N))", 100);
  check("sum(min(N, 16*t + 16) for t in range(0, ceildiv(N, 16)))", 100);
  check("sum(min(N, 16*t + 16) - max(0, 16*t - W + 1) for t in range(0, "
        "ceildiv(N, 16)))",
        75);
  check("sum(min(N + 3, 7*t + 10) for t in range(0, ceildiv(N, 7)))", 100);
  check("sum(16*ceildiv(min(N, 8*t + 8), 16) for t in range(0, ceildiv(N, 8)))",
        80);
  // With a later end, or rounded up to whole steps: at least the tiles.
  check("sum(min(N, 16*t + 16 + W) for t in range(0, ceildiv(N, 16)))", 50);
  check("sum(8*ceildiv(min(N, 16*t + 16), 8) for t in range(0, ceildiv(N, "
        "16)))",
        95);
  check("sum(floordiv(5*t, 3) for t in range(0, N))", 90);
  check("sum(7 for t in range(0, N))", 100);
}

TEST(SumBounds, NothingForARangeThatMayBeReversed) {
  EXPECT_TRUE(
      sumLowerBounds(E("sum(t*t for t in range(W, N))"), sizes({"N", "W"}))
          .empty());
}

} // namespace
