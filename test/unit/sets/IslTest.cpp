//===- IslTest.cpp - isl objects by value -----------------------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/coverage/sets/Isl.h"
#include <gtest/gtest.h>

using namespace ioflor::sets;

TEST(Isl, AnswersForEveryParameter) {
  Context c(1'000'000);
  Set tiles = c.set("[n] -> { [j] : exists t, r : 0 <= t and t < "
                    "floor((n + 31)/32) and 0 <= r < 32 and j = 32t + r and "
                    "j < n }");
  Set all = c.set("[n] -> { [j] : 0 <= j < n }");
  Set dropped = c.set("[n] -> { [j] : exists t, r : 0 <= t and t < "
                      "floor(n/32) and 0 <= r < 32 and j = 32t + r }");
  EXPECT_EQ(isEqual(tiles, all), true);
  EXPECT_EQ(isEqual(dropped, all), false);
  EXPECT_EQ(isSubset(dropped, all), true);
}

TEST(Isl, MalformedTextIsNull) {
  Context c(1'000'000);
  EXPECT_FALSE(c.set("{ [i] : 0 <= }"));
  EXPECT_EQ(isEmpty(c.set("{ [i] : 0 <= }")), std::nullopt);
}

TEST(Isl, NullStaysNull) {
  Context c(1'000'000);
  Map m = c.map("{ A[i] -> B[i] }");
  EXPECT_FALSE(then(m, Map()));
  EXPECT_FALSE(intersectDomain(m, Set()));
  EXPECT_EQ(isEqual(m, Map()), std::nullopt);
  EXPECT_EQ(isInjective(Map()), std::nullopt);
  EXPECT_EQ(text(Map()), "<none>");
}

TEST(Isl, TheLimitEndsAsNotDecided) {
  Context c(1'000'000);
  EXPECT_FALSE(c.exhausted());
  Context small(50);
  Set s = small.set("[n] -> { [i, j, k] : exists a : 0 <= i < n and 0 <= j < i "
                    "and i + j = 7a and k <= 3i and 5k >= 2j }");
  Set t = subtract(s, small.set("[n] -> { [i, j, k] : i > j + k and n > 5 }"));
  EXPECT_EQ(isEmpty(t), std::nullopt);
  EXPECT_TRUE(small.exhausted());
}

TEST(Isl, InjectiveOverSeveralMaps) {
  Context c(1'000'000);
  Map even = c.map("{ A[i] -> [2i] }"), odd = c.map("{ B[i] -> [2i + 1] }"),
      every = c.map("{ B[i] -> [i] }");
  EXPECT_EQ(isInjective({even, odd}, c.get()), true);
  EXPECT_EQ(isInjective({even, every}, c.get()), false);
}

TEST(Isl, SimplifiedIsTheSameRelation) {
  Context c(1'000'000);
  Map m = c.map("[n] -> { S[i] -> [i + 1] : 0 <= i < n and i <= 5; S[i] -> "
                "[i + 1] : 6 <= i < n }");
  Set within = c.set("[n] -> { S[i] : 0 <= i < n }");
  Map s = simplified(m, within);
  EXPECT_EQ(isEqual(m, s), true);
  EXPECT_EQ(text(s), "[n] -> { S[i] -> [1 + i] : 0 <= i < n }");
  // No function of one form: kept as it is.
  Map two = c.map("{ S[i] -> [i] : 0 <= i < 4; S[i] -> [-i] : 4 <= i < 8 }");
  EXPECT_EQ(isEqual(two, simplified(two, c.set("{ S[i] : 0 <= i < 8 }"))),
            true);
}

TEST(Isl, WidenedHoldsTheSet) {
  Context c(1'000'000);
  Set s = c.set("{ [i] : i = 1 or i = 7 }"), within = c.set("{ [i] : 0 <= i }");
  Set w = widened(s, within);
  EXPECT_EQ(isSubset(s, w), true);
  EXPECT_EQ(isSubset(w, within), true);
}

TEST(Flow, LastWriterAndUpdatesSince) {
  Context c(1'000'000);
  // I sets a cell, U adds to it n times, R reads it.
  FlowProblem p;
  p.sinks = {c.map("[n] -> { R[] -> [] : n >= 0 }")};
  p.mustSources = {c.map("[n] -> { I[] -> [] : n >= 0 }")};
  p.maySources = {c.map("[n] -> { U[i] -> [] : 0 <= i < n }")};
  p.schedules = {c.map("{ I[] -> [0, 0] }"), c.map("{ U[i] -> [1, i] }"),
                 c.map("{ R[] -> [2, 0] }")};
  bool failed = true;
  std::vector<Map> found = solveFlow(p, c.get(), failed);
  EXPECT_FALSE(failed);
  ASSERT_EQ(found.size(), 2u);
  for (const Map &m : found) {
    EXPECT_EQ(inName(m), "R");
    EXPECT_EQ(isEqual(m, outName(m) == "I"
                             ? c.map("[n] -> { R[] -> I[] : n >= 0 }")
                             : c.map("[n] -> { R[] -> U[i] : 0 <= i < n }")),
              true);
  }
  // As overwriting stores only the last one is left.
  p.mustSources.push_back(p.maySources[0]);
  p.maySources.clear();
  for (const Map &m : solveFlow(p, c.get(), failed))
    if (outName(m) == "U") {
      EXPECT_EQ(isEqual(m, c.map("[n] -> { R[] -> U[n - 1] : n >= 1 }")), true);
    }
}
