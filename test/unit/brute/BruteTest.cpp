//===- BruteTest.cpp - Exhaustive searches --------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/brute/Network.h"
#include "passes/brute/Pebble.h"
#include <gtest/gtest.h>

using namespace ioflor::brute;

namespace {
struct Row {
  unsigned n, p;
  uint64_t relaxation, covering;
};
} // namespace

/// The rows of the distributed seed certificate, and their true minima.
static constexpr Row kSeedRows[] = {{4, 2, 3, 4}, {4, 4, 6, 6}, {6, 2, 5, 6},
                                    {6, 3, 7, 8}, {8, 2, 6, 8}, {8, 4, 11, 12}};

TEST(Network, SeedRows) {
  for (const Row &r : kSeedRows) {
    EXPECT_EQ(relaxationMinimum(r.n, r.p), r.relaxation) << r.n << " " << r.p;
    EXPECT_EQ(coveringMinimum(r.n, r.p).copies, r.covering)
        << r.n << " " << r.p;
  }
}

TEST(Network, CoveringIsNeverBelowTheRelaxation) {
  for (unsigned p = 1; p <= 4; ++p)
    for (unsigned n = p; n <= 6; n += p) {
      auto covering = coveringMinimum(n, p).copies;
      ASSERT_TRUE(covering) << n << " " << p;
      EXPECT_GE(*covering, *relaxationMinimum(n, p)) << n << " " << p;
      EXPECT_GE(*balancedMinimum(n, p), *covering) << n << " " << p;
    }
}

TEST(Network, RefusesWhatItDoesNotSearch) {
  EXPECT_FALSE(relaxationMinimum(5, 2));
  EXPECT_FALSE(relaxationMinimum(0, 1));
  EXPECT_FALSE(relaxationMinimum(kMostTokens + 1, 1));
  EXPECT_FALSE(coveringMinimum(8, 3).copies);
  // A limit that is reached leaves it open, at the same step every time.
  EXPECT_FALSE(coveringMinimum(8, 4, 1000).copies);
  EXPECT_EQ(coveringMinimum(8, 4, 1000).steps,
            coveringMinimum(8, 4, 1000).steps);
}

static uint64_t optimum(unsigned nQ, unsigned nK, unsigned d, unsigned dV,
                        unsigned m, bool causal = false) {
  auto found = solve({nQ, nK, d, dV, m, causal});
  return found && found->words ? *found->words : 0;
}

TEST(Pebble, CountsByHand) {
  // One pair: read q, k, v, store o.
  EXPECT_EQ(optimum(1, 1, 1, 1, 3), 4u);
  EXPECT_EQ(optimum(1, 1, 2, 2, 6), 8u);
  // One query: Q once, K and V once, O once, where Q, O and a pair of K and V
  // have room; with 3 words Q or O makes room for each pair but one.
  EXPECT_EQ(optimum(1, 3, 1, 1, 4), 8u);
  EXPECT_EQ(optimum(1, 3, 1, 1, 3), 10u);
  // All words have room.
  EXPECT_EQ(optimum(2, 2, 1, 1, 8), 8u);
  // 2 x 2 causal (3 pairs) is no dearer than 2 x 2.
  EXPECT_LE(optimum(2, 2, 1, 1, 3, true), optimum(2, 2, 1, 1, 3));
}

TEST(Pebble, MoreMemoryNeverCosts) {
  uint64_t last = ~0ull;
  for (unsigned m = 3; m <= 8; ++m) {
    uint64_t words = optimum(2, 2, 1, 1, m);
    EXPECT_LE(words, last) << m;
    EXPECT_GE(words, 8u) << m;
    last = words;
  }
}

TEST(Pebble, TooLittleMemoryIsImpossible) {
  auto found = solve({1, 1, 1, 1, 1});
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->impossible);
  EXPECT_FALSE(found->words);
}

TEST(Pebble, Bounds) {
  EXPECT_FALSE(solve({0, 1, 1, 1, 4}));
  EXPECT_FALSE(solve({9, 9, 3, 3, 4}));
  EXPECT_FALSE(solve({3, 2, 1, 1, 4, true}));
  auto cut = solve({3, 3, 2, 2, 4}, 500);
  ASSERT_TRUE(cut);
  EXPECT_FALSE(cut->words);
  EXPECT_FALSE(cut->impossible);
  EXPECT_GE(cut->atLeast, 24u); // all inputs are read, all outputs stored
}
