//===- WitnessTest.cpp - Concrete sizes below a floor ---------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/prover/Witness.h"
#include "Common.h"

using namespace ioflor;
using namespace ioflor::prover;

namespace {

TEST(Witness, WindowBelowTheFullFloor) {
  WitnessQuery q;
  q.known = sizes({"N"});
  // K and V and Q and O of a window of 1024, 128 rows a tile, 64 keys a step.
  Expr traffic =
      E("256*N + 256*sum(min(N, ceildiv(min(N, 128*i + 128), 64)*64) - "
        "floordiv(max(0, 128*i - 1023), 64)*64 for i in range(0, ceildiv(N, "
        "128)))");
  q.violation = E("N*N*16384") - 2 * 116224 * traffic;
  q.sweep = {"N"};
  auto at = findWitness(q);
  ASSERT_TRUE(at.has_value());
  BigInt n = at->at("N");
  EXPECT_GE(*evaluate(q.violation, *at), BigInt(1));
  // The first size on the grid of tiles is 35968 = 281 * 128.
  EXPECT_LE(n, BigInt(35968));
  EXPECT_GT(n, BigInt(35968 - 128));
  EXPECT_LT(*evaluate(q.violation, {{"N", n - 1}}), BigInt(1));
}

TEST(Witness, KeepsRangesMultiplesAndHypotheses) {
  WitnessQuery q;
  q.known = sizes({"N", "d"});
  q.known.declare("d", Expr(32), Expr(256));
  q.hypotheses = {C("N % 64 == 0"), C("N >= 100"), C("d >= 40")};
  q.violation = E("N*d - 60000");
  q.sweep = {"N"};
  auto at = findWitness(q);
  ASSERT_TRUE(at.has_value());
  EXPECT_EQ(at->at("N") % 64, BigInt(0));
  EXPECT_GE(at->at("N"), BigInt(128));
  EXPECT_GE(at->at("d"), BigInt(40));
  EXPECT_LE(at->at("d"), BigInt(256));
}

TEST(Witness, NoneWhereThereIsNone) {
  WitnessQuery q;
  q.known = sizes({"N"});
  q.violation = E("N - 64*ceildiv(N, 64)");
  q.sweep = {"N"};
  EXPECT_FALSE(findWitness(q).has_value());
  q.violation = E("N - 64*floordiv(N, 64)");
  auto at = findWitness(q);
  ASSERT_TRUE(at.has_value());
  EXPECT_EQ(at->at("N"), BigInt(1));
}

TEST(Witness, UnreadHypothesisExcludes) {
  WitnessQuery q;
  q.known = sizes({"N"});
  q.hypotheses = {C("unknown(\"loaded value\", u1)")};
  q.violation = E("N");
  q.sweep = {"N"};
  EXPECT_FALSE(findWitness(q).has_value());
}

TEST(Witness, IndependentLengths) {
  WitnessQuery q;
  q.known = sizes({"nq", "nk"});
  // Only many keys and few queries fall below.
  q.violation = E("nk - 1000*nq");
  q.sweep = {"nq", "nk"};
  auto at = findWitness(q);
  ASSERT_TRUE(at.has_value());
  EXPECT_EQ(at->at("nq"), BigInt(1));
  EXPECT_EQ(at->at("nk"), BigInt(1001));
}

TEST(Witness, SmallestRaggedSizeOfAGridRoundedDown) {
  WitnessQuery q;
  q.known = sizes({"N", "heads"});
  // A grid of N / 64 CTAs, which is not empty.
  q.hypotheses = {C("floordiv(N, 64) >= 1")};
  q.violation = E("32*N*heads - 2048*heads*floordiv(N, 64)");
  q.sweep = {"N"};
  auto at = findWitness(q);
  ASSERT_TRUE(at.has_value());
  EXPECT_EQ(at->at("N"), BigInt(65));
  EXPECT_EQ(at->at("heads"), BigInt(1));
}

TEST(Witness, SmallestBetweenTwoTiles) {
  WitnessQuery q;
  q.known = sizes({"N"});
  // Only the last row before a tile of 48 is full: N % 48 == 47, N >= 100.
  q.hypotheses = {C("N >= 100"), C("N % 48 == 47")};
  q.violation = E("N - 48*floordiv(N, 48)");
  q.sweep = {"N"};
  auto at = findWitness(q);
  ASSERT_TRUE(at.has_value());
  EXPECT_EQ(at->at("N"), BigInt(143));
}

TEST(Witness, NotLargerThanNeededInTwoSizes) {
  WitnessQuery q;
  q.known = sizes({"nq", "nk", "d"});
  q.hypotheses = {C("floordiv(nq, 16) >= 1")};
  // Rows past the last full tile of keys are lost, and columns past 64.
  q.violation = E("nk*d - 32*floordiv(nk, 32)*min(d, 64)");
  q.sweep = {"nq", "nk"};
  auto at = findWitness(q);
  ASSERT_TRUE(at.has_value());
  EXPECT_EQ(at->at("nq"), BigInt(16));
  EXPECT_EQ(at->at("nk"), BigInt(1));
  EXPECT_EQ(at->at("d"), BigInt(1));
}

} // namespace
