//===- WorkTest.cpp - Budgets of work -------------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/expr/Work.h"
#include "dialect/expr/Expr.h"
#include "dialect/expr/Shares.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace ioflor;

TEST(Work, ScopesNestAndCharge) {
  WorkLedger ledger;
  {
    WorkScope outer("outer", 100);
    EXPECT_EQ(WorkScope::left(), 100u);
    {
      WorkScope inner("inner", 1000); // no more than the outer one has
      EXPECT_EQ(WorkScope::left(), 100u);
      WorkScope::spend(60);
      EXPECT_FALSE(inner.ranOut());
    }
    {
      WorkScope inner("inner", 10);
      WorkScope::spend(10);
      EXPECT_TRUE(WorkScope::exhausted());
      EXPECT_TRUE(inner.ranOut());
    }
    EXPECT_FALSE(WorkScope::exhausted());
    EXPECT_EQ(WorkScope::left(), 30u);
    EXPECT_EQ(outer.used(), 70u);
  }
  EXPECT_EQ(WorkScope::left(), UINT64_MAX);
  ASSERT_EQ(ledger.entries.size(), 3u);
  EXPECT_EQ(ledger.entries[1].units, 10u);
  EXPECT_TRUE(ledger.entries[1].ranOut);
  EXPECT_EQ(ledger.entries[2].phase, "outer");
}

TEST(Work, ExhaustedProvesNothing) {
  Assumptions known;
  known.declare("N", Expr(3), std::nullopt);
  Expr N = Expr::symbol("N");
  Expr e = N * N - 2 * N - 3;
  EXPECT_TRUE(known.isNonNegative(e));
  WorkScope none("none", 0);
  EXPECT_FALSE(known.isNonNegative(e));
  // Arithmetic always works.
  EXPECT_EQ((N + 1) * (N - 3), e);
}

TEST(Work, CountsTheSameTwice) {
  auto cost = [] {
    WorkScope scope("cost", UINT64_MAX);
    Expr N = Expr::symbol("N"), sum;
    for (int i = 0; i < 20; ++i)
      sum += floordiv(N + i, Expr(7)) * N;
    return scope.used();
  };
  uint64_t first = cost();
  EXPECT_GT(first, 20u);
  EXPECT_EQ(cost(), first);
}

/// The last share of each job that needs `wants[job]` units.
static std::vector<uint64_t> shares(std::vector<uint64_t> wants,
                                    std::vector<unsigned> order, uint64_t total,
                                    uint64_t *spent) {
  std::vector<uint64_t> last(wants.size());
  *spent = runInShares(order, total, [&](unsigned job, uint64_t share) {
    last[job] = share;
    return ShareUse{std::min(share, wants[job]), share <= wants[job]};
  });
  return last;
}

TEST(Shares, WhatIsLeftGoesToThoseThatRanOut) {
  uint64_t spent;
  // Alone: all of it at once.
  EXPECT_EQ(shares({2000}, {0}, 1000, &spent)[0], 1000u);
  EXPECT_EQ(spent, 1000u);
  // 125 each at first; three spend 10 and one 125, 845 are left for that one.
  std::vector<uint64_t> wants = {10, 400, 10, 10};
  std::vector<uint64_t> last = shares(wants, {0, 1, 2, 3}, 1000, &spent);
  EXPECT_EQ(last, (std::vector<uint64_t>{125, 845, 125, 125}));
  // The order changes nothing.
  EXPECT_EQ(shares(wants, {3, 1, 0, 2}, 1000, &spent), last);
  EXPECT_LE(spent, 1000u);
}

TEST(Shares, NeverMoreThanTheTotal) {
  uint64_t spent;
  shares({900, 900, 900, 900, 900}, {0, 1, 2, 3, 4}, 1000, &spent);
  EXPECT_LE(spent, 1000u);
  EXPECT_EQ(
      runInShares({}, 1000, [](unsigned, uint64_t) { return ShareUse{}; }), 0u);
}
