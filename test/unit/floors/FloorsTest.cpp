//===- FloorsTest.cpp - Floors against enumeration and known values -------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/floors/Floors.h"
#include "passes/floors/Targets.h"
#include <gtest/gtest.h>
#include <set>

using namespace ioflor;
using namespace ioflor::floors;

namespace {

const Expr N = Expr::symbol("N"), L = Expr::symbol("L"), W = Expr::symbol("W");
const Expr M = Expr::symbol("M");

int64_t value(const Expr &e, const Valuation &at) {
  ExprError error;
  auto v = evaluate(e, at, &error);
  EXPECT_TRUE(v.has_value()) << e.str() << ": " << error.message;
  return v ? int64_t(*v) : -1;
}

/// Is pair (i, j) required?
using Rule = bool (*)(int i, int j, int nQ, int nK, int w);

void enumerate(MaskKind kind, Rule rule, bool usesW, bool needsOrder) {
  AttentionDims dims{N, L, 8, 8};
  Required r = requiredPairs(dims, Mask{kind, W});
  for (int nQ = 1; nQ <= 7; ++nQ)
    for (int nK = 1; nK <= 7; ++nK)
      for (int w = 0; w <= (usesW ? 9 : 0); ++w) {
        Valuation at{{"N", BigInt(nQ)}, {"L", BigInt(nK)}, {"W", BigInt(w)}};
        bool admitted = true;
        for (const Cond &h : r.hypotheses)
          admitted &= evaluate(h, at).value_or(false);
        if (needsOrder) {
          EXPECT_EQ(admitted, nQ <= nK && (kind != MaskKind::Window || w >= 1));
        }
        if (!admitted)
          continue;
        int64_t pairs = 0;
        std::set<int> rows, columns;
        for (int i = 0; i < nQ; ++i)
          for (int j = 0; j < nK; ++j)
            if (rule(i, j, nQ, nK, w)) {
              ++pairs;
              rows.insert(i);
              columns.insert(j);
            }
        EXPECT_EQ(value(r.twicePairs, at), 2 * pairs)
            << maskName(kind).str() << ' ' << nQ << 'x' << nK << " w=" << w;
        EXPECT_EQ(value(r.rows, at), int64_t(rows.size()));
        EXPECT_EQ(value(r.columns, at), int64_t(columns.size()))
            << maskName(kind).str() << ' ' << nQ << 'x' << nK << " w=" << w;
      }
}

TEST(Masks, PairsEqualEnumeration) {
  enumerate(
      MaskKind::Exact, [](int, int, int, int, int) { return true; }, false,
      false);
  enumerate(
      MaskKind::Causal,
      [](int i, int j, int nQ, int nK, int) { return j <= i + nK - nQ; }, false,
      true);
  enumerate(
      MaskKind::CausalTopLeft,
      [](int i, int j, int, int, int) { return j <= i; }, false, false);
  enumerate(
      MaskKind::Window,
      [](int i, int j, int nQ, int nK, int w) {
        int diagonal = i + nK - nQ;
        return j <= diagonal && j > diagonal - w;
      },
      true, true);
  enumerate(
      MaskKind::WindowSymmetric,
      [](int i, int j, int nQ, int nK, int w) {
        return std::abs(i + nK - nQ - j) <= w;
      },
      true, true);
}

TEST(Masks, Names) {
  for (const char *name :
       {"exact", "causal", "causal_top_left", "window", "window_symmetric",
        "approximate", "sparse", "masked_by"}) {
    auto mask = maskFromName(name, W);
    ASSERT_TRUE(mask.has_value()) << name;
    EXPECT_EQ(maskName(mask->kind), name);
  }
  EXPECT_FALSE(maskFromName("dilated").has_value());
}

const Floor *find(const std::vector<Floor> &floors, llvm::StringRef kind) {
  for (const Floor &f : floors)
    if (f.kind == kind)
      return &f;
  return nullptr;
}

TEST(Symbolic, ScansAndSahaYeOfGroupedQueries) {
  Expr B = Expr::symbol("B"), H = Expr::symbol("H"), G = Expr::symbol("G");
  Expr d = Expr::symbol("d"), dv = Expr::symbol("dv");
  AttentionDims dims{N, L, d, dv, B, H, G};
  auto floors = symbolicFloors(dims, Mask{}, M);
  ASSERT_TRUE(find(floors, "saha-ye"));
  EXPECT_EQ(find(floors, "saha-ye")->num, B * H * N * L * d * d);
  EXPECT_EQ(find(floors, "saha-ye")->den, 2 * M);
  EXPECT_EQ(find(floors, "saha-ye")->hypotheses,
            std::vector<Cond>{le(d * d, M)});
  EXPECT_EQ(find(floors, "scan-q")->num, B * H * N * d);
  EXPECT_EQ(find(floors, "scan-k")->num, B * G * L * d);
  EXPECT_EQ(find(floors, "scan-v")->num, B * G * L * dv);
  EXPECT_EQ(find(floors, "scan-o")->num, B * H * N * dv);
  EXPECT_EQ(find(floors, "scan")->num,
            B * H * N * d + B * G * L * d + B * G * L * dv);
  EXPECT_FALSE(find(floors, "tight"));
}

TEST(Symbolic, DisclosuresHoldToLess) {
  AttentionDims dims{N, N, 64, 64};
  auto approximate =
      symbolicFloors(dims, Mask{MaskKind::Approximate, 0}, M, {"tight"});
  EXPECT_FALSE(find(approximate, "saha-ye"));
  EXPECT_FALSE(find(approximate, "tight"));
  EXPECT_EQ(find(approximate, "scan")->num, 192 * N);
  auto sparse = symbolicFloors(dims, Mask{MaskKind::Sparse, 0}, M);
  EXPECT_FALSE(find(sparse, "saha-ye"));
  EXPECT_FALSE(find(sparse, "scan-k"));
  EXPECT_EQ(find(sparse, "scan-q")->num, 64 * N);
  auto causal = symbolicFloors(dims, Mask{MaskKind::Causal, 0}, M);
  EXPECT_EQ(find(causal, "saha-ye")->num, 1024 * N * (N + 1));
  EXPECT_EQ(find(causal, "saha-ye")->den, M);
}

TEST(Symbolic, SharedLatentHasNoScanOfV) {
  AttentionDims dims{N, N, 64, 32};
  dims.aliasedKV = true;
  auto floors = symbolicFloors(dims, Mask{}, M, {"tight", "sharp"});
  EXPECT_FALSE(find(floors, "scan-v"));
  // E min(d (d + d_v) / M, 1/2).
  EXPECT_EQ(find(floors, "tight")->num, 64 * 96 * N * N);
  EXPECT_EQ(find(floors, "tight")->den, M);
  EXPECT_EQ(find(floors, "tight")->hypotheses,
            std::vector<Cond>{le(2 * 64 * 96, M)});
  EXPECT_EQ(find(floors, "sharp")->num, 4096 * N * N);
}

ConcreteProblem problem(int64_t n, int64_t d, int64_t dv,
                        MaskKind kind = MaskKind::Exact) {
  ExprError error;
  auto p = concrete(AttentionDims{n, n, d, dv}, Mask{kind, 1024}, {}, &error);
  EXPECT_TRUE(p.has_value()) << error.message;
  return *p;
}

TEST(Numeric, KnownValues) {
  BigInt flagship(1 << 20), smem(116224);
  EXPECT_EQ(sahaYeFloor(problem(16384, 128, 128), flagship), BigInt(2097152));
  EXPECT_EQ(tightFloor(problem(16384, 128, 128), flagship)->words,
            BigInt(16777216));
  EXPECT_EQ(sahaYeFloor(problem(16384, 128, 128), smem), BigInt(18920561));
  EXPECT_EQ(tightFloor(problem(16384, 128, 128), smem)->words,
            BigInt(151364487));
  EXPECT_EQ(tightFloor(problem(16384, 128, 128, MaskKind::Causal), smem)->words,
            BigInt(75686863));
  EXPECT_EQ(tightFloor(problem(131072, 128, 128), BigInt(262144))->words,
            BigInt(4294967296));
}

TEST(Numeric, RegimesOfTight) {
  // d_v > d: 4 E d d_v / M; d_v < d: E (d + d_v)^2 / M.
  BigInt M(232448);
  BigInt E = BigInt(16384) * BigInt(16384);
  EXPECT_EQ(tightFloor(problem(16384, 128, 256), M)->words,
            (4 * E * 128 * 256 + M - 1) / M);
  EXPECT_EQ(tightFloor(problem(16384, 192, 128), M)->words,
            (E * 320 * 320 + M - 1) / M);
  // M = 4 d^2: R' gives E (2 * 256 / 256 - 1) = E, and C with M + 1 nearly so.
  EXPECT_EQ(tightFloor(problem(16384, 128, 128), BigInt(65536))->words, E);
  // M = d^2: E (2 * 256 / 128 - 1) = 3 E.
  EXPECT_EQ(tightFloor(problem(16384, 128, 128), BigInt(16384))->words, 3 * E);
  // The gate of saha-ye.
  EXPECT_FALSE(sahaYeFloor(problem(64, 128, 128), BigInt(16383)).has_value());
  EXPECT_TRUE(sahaYeFloor(problem(64, 128, 128), BigInt(16384)).has_value());
}

TEST(Numeric, BestIsTheScanForShortSequences) {
  NumericFloor best = bestTotalFloor(problem(64, 64, 64), BigInt(1 << 17));
  EXPECT_EQ(best.kind, "scan");
  EXPECT_EQ(best.words, BigInt(4 * 64 * 64));
}

TEST(Numeric, RefusesSizesThatDoNotFit) {
  ExprError error;
  EXPECT_FALSE(concrete(AttentionDims{N, N, 64, 64}, Mask{}, {{"N", BigInt(0)}},
                        &error));
  EXPECT_EQ(error.message, "a size is below 1");
  EXPECT_FALSE(concrete(AttentionDims{64, 32, 64, 64},
                        Mask{MaskKind::Causal, 0}, {}, &error));
  EXPECT_EQ(error.message, "the sizes do not fit the mask");
  AttentionDims heads{64, 64, 64, 64, 1, 6, 4};
  EXPECT_FALSE(concrete(heads, Mask{}, {}, &error));
}

TEST(Numeric, IntegerSquareRoot) {
  for (int64_t n = 0; n < 2000; ++n) {
    int64_t r = int64_t(isqrt(BigInt(n)));
    EXPECT_TRUE(r * r <= n && (r + 1) * (r + 1) > n) << n;
  }
  BigInt big = BigInt(int64_t(1) << 62) * BigInt(int64_t(1) << 62);
  EXPECT_EQ(isqrt(big), BigInt(int64_t(1) << 62));
  EXPECT_EQ(isqrt(big - 1), BigInt((int64_t(1) << 62) - 1));
}

TEST(Targets, Table) {
  EXPECT_EQ(findTarget("sm_80")->fastBytes(), 430080);
  EXPECT_EQ(findTarget("sm_90a")->fastBytes(), 495616);
  EXPECT_FALSE(findTarget("sm_999").has_value());
  EXPECT_FALSE(findTarget("").has_value());
}

} // namespace
