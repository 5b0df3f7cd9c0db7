//===- FloorsPropertyTest.cpp - How floors move with the sizes ------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/floors/Network.h"
#include "passes/floors/Oracle.h"
#include "passes/floors/Reference.h"
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>

using namespace ioflor;
using namespace ioflor::floors;

namespace {

unsigned seed() {
  const char *text = std::getenv("IOFLOR_TEST_SEED");
  return text ? unsigned(std::atoi(text)) : 7341u;
}

Work square(int64_t n, int64_t d, int64_t dV, MaskKind kind = MaskKind::Exact) {
  return workOf(AttentionDims{n, n, d, dV}, Mask{kind, 5});
}

Surd best(const Work &w, int64_t M, const Setting &s) {
  return strongestFloor({w}, BigInt(M), s).exact;
}

/// More tokens or columns never lower a floor, more fast memory never raises
/// it.
TEST(Monotone, StrongestFloor) {
  SCOPED_TRACE("IOFLOR_TEST_SEED=" + std::to_string(seed()));
  std::mt19937 rng(seed());
  auto pick = [&](int64_t lo, int64_t hi) {
    return std::uniform_int_distribution<int64_t>(lo, hi)(rng);
  };
  Setting forward, any, loads, backward, settings[4];
  any.standard = false;
  loads.loadsOnly = true;
  backward.backward = true;
  settings[0] = forward;
  settings[1] = any;
  settings[2] = backward;
  settings[3] = loads;
  const MaskKind kinds[] = {MaskKind::Exact, MaskKind::Causal,
                            MaskKind::CausalTopLeft, MaskKind::Window};
  for (int round = 0; round < 3000 && !HasFailure(); ++round) {
    int64_t n = pick(1, 400), d = pick(1, 12), dV = pick(1, 12);
    // Around all thresholds, which lie between d^2 and 24 d^2.
    int64_t M = pick(1, 30 * d * d + 50);
    MaskKind kind = kinds[pick(0, 3)];
    Setting s = settings[pick(0, 3)];
    std::string at = "n " + std::to_string(n) + " d " + std::to_string(d) +
                     "," + std::to_string(dV) + " M " + std::to_string(M) +
                     " " + maskName(kind).str() +
                     " setting any=" + std::to_string(!s.standard) +
                     " bwd=" + std::to_string(s.backward) +
                     " loads=" + std::to_string(s.loadsOnly);
    Work w = square(n, d, dV, kind);
    EXPECT_TRUE(best(w, M + 1, s) <= best(w, M, s)) << at << ": M";
    EXPECT_TRUE(best(w, M + pick(1, 100), s) <= best(w, M, s)) << at << ": M";
    EXPECT_TRUE(best(w, M, s) <= best(square(n + 1, d, dV, kind), M, s))
        << at << ": n";
    // d = d_V throughout: with unlike columns the theorems are not monotone in
    // d near a threshold, although the truth is.
    // Nor are floors of loads, which give up n d_V words of Theorem B's, and of
    // any algorithm, which give up d^2 words where M < d^2.
    if (s.loadsOnly || !s.standard)
      continue;
    Work same = square(n, d, d, kind);
    EXPECT_TRUE(best(same, M, s) <= best(square(n, d + 1, d + 1, kind), M, s))
        << at << ": d";
  }
}

/// Each floor for itself at every M, wherever it applies on both sides.
TEST(Monotone, EachFormInFastMemory) {
  Expr M = Expr::symbol("M");
  for (auto [d, dV] : {std::pair<int, int>{4, 4}, {4, 8}, {8, 4}, {3, 7}}) {
    Work w = workOf(AttentionDims{64, 64, d, dV}, Mask{});
    std::vector<Floor> all = comparableFloors(w, M, {});
    Setting any;
    any.standard = false;
    for (const Floor &f : comparableFloors(w, M, any))
      all.push_back(f);
    for (const Floor &f : all) {
      std::optional<Surd> last;
      for (int m = 1; m < 600; ++m) {
        Valuation at{{"M", BigInt(m)}};
        if (!applies(f, at)) {
          last.reset();
          continue;
        }
        auto v = valueOf(f, at);
        ASSERT_TRUE(v.has_value());
        if (last) {
          EXPECT_TRUE(*v <= *last) << f.kind << " " << f.regime << " " << m;
        }
        last = v;
      }
    }
  }
}

TEST(Relations, SahaYeBelowSharpBelowTight) {
  for (int64_t d : {1, 4, 16, 128})
    for (int64_t M : {d * d, 2 * d * d, 4 * d * d, 5 * d * d, 30 * d * d}) {
      auto values =
          numericFloors(comparableFloors(square(4096, d, d), BigInt(M), {}));
      auto of = [&](llvm::StringRef kind) {
        Surd s;
        for (const NumericFloor &f : values)
          if (f.kind == kind && s < f.exact)
            s = f.exact;
        return s;
      };
      EXPECT_TRUE(of("saha-ye") <= of("sharp"));
      EXPECT_TRUE(of("sharp") <=
                  of("small-cache") + Rational(of("sharp").ceil()));
      EXPECT_TRUE(Surd(0) < of("tight"));
    }
}

/// The form without a root is never above the one that it stands for.
TEST(Relations, TangentBelowR) {
  Work w = square(4096, 16, 16);
  for (int64_t M = 1; M <= 512; ++M) {
    std::vector<Floor> fs;
    addSmallCache(w, M, fs);
    std::optional<Surd> r, tangent;
    for (const Floor &f : fs)
      if (applies(f) && f.regime == "R")
        r = valueOf(f);
      else if (applies(f) && f.regime == "R, tangent")
        tangent = valueOf(f);
    ASSERT_TRUE(r && tangent) << M;
    EXPECT_TRUE(*tangent <= *r) << M;
    if (M == 256) {
      EXPECT_TRUE(*tangent == *r);
    }
  }
}

TEST(Sequences, FloorsAddUp) {
  std::vector<Work> parts{square(100, 4, 4), square(4000, 4, 4),
                          square(7, 4, 4)};
  BigInt M(64);
  BigInt sum(0);
  for (const Work &w : parts)
    sum += strongestFloor({w}, M, {}).words;
  EXPECT_EQ(strongestFloor(parts, M, {}).words, sum);
  EXPECT_TRUE(strongestFloor({sumOf(parts)}, M, {}).words <= sum);
}

TEST(Sequences, BlockSparsePairs) {
  // 10 x 9 in blocks of 4 x 3: the last row of blocks has 2 rows.
  auto r = blockSparsePairs(BigInt(10), BigInt(9), BigInt(4), BigInt(3),
                            {{BigInt(0), BigInt(0)},
                             {BigInt(2), BigInt(2)},
                             {BigInt(2), BigInt(0)},
                             {BigInt(0), BigInt(0)}});
  ASSERT_TRUE(r.has_value());
  EXPECT_EQ(r->twicePairs, Expr(2 * (12 + 6 + 6)));
  EXPECT_EQ(r->rows, Expr(6));
  EXPECT_EQ(r->columns, Expr(6));
  std::string why;
  EXPECT_FALSE(blockSparsePairs(BigInt(10), BigInt(9), BigInt(4), BigInt(3),
                                {{BigInt(3), BigInt(0)}}, &why));
  EXPECT_EQ(why, "block 3:0 lies outside");
}

//===----------------------------------------------------------------------===//
// Several devices
//===----------------------------------------------------------------------===//

TEST(Network, FormulasAndSchedules) {
  for (int64_t P = 1; P <= 36; ++P)
    for (int64_t per : {1, 2, 5, 16}) {
      int64_t N = P * per, d = 3;
      Sharding s{N, P, d, d};
      Surd counting = *valueOf(networkCounting(s));
      Surd covering = *valueOf(networkCovering(s));
      Surd balanced = *valueOf(networkBalanced(s));
      Rational whole(networkBalancedInteger(BigInt(N), BigInt(P), BigInt(d)));
      EXPECT_TRUE(counting <= covering);
      EXPECT_TRUE(balanced <= Surd(whole)) << N << " " << P;
      EXPECT_TRUE(covering < Surd(2 * d * N));
      AttentionDims dims{N, N, d, d, 1, P, P};
      AttentionDims one{N, N, d, d};
      Traffic r = ring(one, P, true);
      Rational ringWords(*r.num.constant());
      EXPECT_TRUE(covering <= Surd(ringWords));
      EXPECT_TRUE(Surd(whole) <= Surd(ringWords)) << N << " " << P;
      // Ulysses on P heads is the covering minimum of each.
      Traffic u = ulysses(dims, P, true);
      EXPECT_EQ(Rational(*u.num.constant(), *u.den.constant()),
                covering.shift() * Rational(P));
      for (int64_t side = 1; side <= 6; ++side)
        if (side * side == P) {
          Traffic g = grid2D(one, side, true);
          EXPECT_EQ(Surd(Rational(*g.num.constant())), balanced);
          EXPECT_EQ(Rational(*g.num.constant()), whole);
        }
      if (P >= 2) {
        EXPECT_EQ(*valueOf(networkCapped(s, 1, 1)), balanced);
        // A looser cap never asks for more.
        EXPECT_TRUE(*valueOf(networkCapped(s, 3, 2)) <= balanced);
        EXPECT_TRUE(*valueOf(networkCapped(s, P, 1)) <= covering);
      }
    }
}

TEST(Network, GrowsWithDevicesAndTokens) {
  Surd last;
  for (int64_t P = 1; P <= 4096; P *= 2) {
    Surd v = *valueOf(networkCounting({4096, P, 128, 128}));
    EXPECT_TRUE(P == 1 ? v == Surd(0) : last < v) << P;
    EXPECT_TRUE(*valueOf(networkCovering({4096, P, 128, 128})) <=
                *valueOf(networkCovering({4096, 2 * P, 128, 128})));
    EXPECT_TRUE(*valueOf(networkBalanced({4096, P, 128, 128})) <=
                *valueOf(networkBalanced({4096, 2 * P, 128, 128})));
    EXPECT_TRUE(v <= *valueOf(networkCounting({8192, P, 128, 128})));
    EXPECT_TRUE(v <= *valueOf(networkCounting({4096, P, 129, 129})));
    EXPECT_TRUE(*valueOf(networkCovering({4096, P, 128, 128})) <
                *valueOf(networkCovering({8192, P, 128, 128})) + Rational(1));
    last = v;
  }
}

TEST(Network, IntegerFormEqualsItsDefinition) {
  for (int64_t P = 1; P <= 12; ++P)
    for (int64_t per = 1; per <= 6; ++per) {
      int64_t N = P * per, need = (N * N + P - 1) / P, least = 2 * N;
      for (int64_t a = per; a <= N; ++a)
        for (int64_t b = per; b <= N; ++b)
          if (a * b >= need)
            least = std::min(least, a + b);
      EXPECT_EQ(networkBalancedInteger(BigInt(N), BigInt(P), BigInt(1)),
                BigInt(P * (least - 2 * per)))
          << N << " " << P;
    }
}

//===----------------------------------------------------------------------===//
// Claims
//===----------------------------------------------------------------------===//

Claim flagshipClaim(int64_t words) {
  Claim c;
  c.parts = {square(16384, 128, 128)};
  c.M = BigInt(1 << 20);
  c.words = Rational(words);
  return c;
}

TEST(Oracle, Flagship) {
  for (bool seedCompat : {true, false}) {
    Claim valid = flagshipClaim(4194304), foil = flagshipClaim(1048576);
    valid.seedCompat = foil.seedCompat = seedCompat;
    EXPECT_EQ(rule(valid)->flagged, !seedCompat);
    EXPECT_TRUE(rule(foil)->flagged);
  }
  auto ruling = rule(flagshipClaim(4194304));
  EXPECT_EQ(ruling->binding.kind, "tight");
  EXPECT_EQ(ruling->binding.words, BigInt(16777216));
  EXPECT_NE(ruling->notes.back().find("2097152 words"), std::string::npos);
  // One word less than a floor, and the floor.
  EXPECT_TRUE(rule(flagshipClaim(16777215))->flagged);
  EXPECT_FALSE(rule(flagshipClaim(16777216))->flagged);
}

TEST(Oracle, AnyAlgorithmAndApproximation) {
  Claim c = flagshipClaim(8388607);
  c.setting.standard = false;
  EXPECT_TRUE(rule(c)->flagged); // 4 N d
  c.words = Rational(8388608);
  EXPECT_FALSE(rule(c)->flagged);
  EXPECT_EQ(rule(c)->binding.kind, "scan");

  c.setting = Setting();
  c.setting.approximate = true;
  c.seedCompat = true;
  c.words = Rational(6291455);
  EXPECT_TRUE(rule(c)->flagged); // 3 N d
  c.words = Rational(6291456);
  EXPECT_FALSE(rule(c)->flagged);
  c.rank = BigInt(8192);
  EXPECT_EQ(rule(c)->caseOne, std::optional<bool>(true));
  c.rank = BigInt(8193);
  EXPECT_EQ(rule(c)->caseOne, std::optional<bool>(false));
}

TEST(Oracle, SeedFloorNeedsItsRegime) {
  Claim c = flagshipClaim(1);
  c.M = BigInt(128 * 128 - 1);
  c.seedCompat = true;
  std::string why;
  EXPECT_FALSE(rule(c, &why).has_value());
  EXPECT_NE(why.find("needs M >= d^2"), std::string::npos);
  c.seedCompat = false;
  EXPECT_TRUE(rule(c)->flagged);
}

} // namespace
