//===- ReferenceTest.cpp - Closed forms against loops ---------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The traffic of each schedule is simulated tile by tile and compared with its
// closed form on random shapes, then with every floor that applies.
//
//===----------------------------------------------------------------------===//
#include "passes/floors/Reference.h"
#include "passes/floors/Network.h"
#include "passes/floors/Oracle.h"
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>

using namespace ioflor;
using namespace ioflor::floors;

namespace {

class Shapes {
public:
  Shapes() {
    const char *text = std::getenv("IOFLOR_TEST_SEED");
    seed = text ? unsigned(std::atoi(text)) : 20240211u;
    rng.seed(seed);
  }
  int64_t pick(int64_t lo, int64_t hi) {
    return std::uniform_int_distribution<int64_t>(lo, hi)(rng);
  }
  unsigned seed;

private:
  std::mt19937 rng;
};

int64_t wordsOf(const Traffic &t) {
  ExprError error;
  auto num = evaluate(t.num, {}, &error), den = evaluate(t.den, {});
  EXPECT_TRUE(num && den) << t.name << ": " << error.message;
  if (!num || !den)
    return -1;
  EXPECT_EQ(*num % *den, 0) << t.name;
  return int64_t(*num / *den);
}

int64_t tilesOf(int64_t n, int64_t b) { return (n + b - 1) / b; }
int64_t rowsIn(int64_t tile, int64_t b, int64_t n) {
  return std::max<int64_t>(0, std::min(n, (tile + 1) * b) - tile * b);
}

/// Does row i see key j?
bool sees(const Mask &m, int64_t w, int64_t nQ, int64_t nK, int64_t i,
          int64_t j) {
  int64_t diagonal = i + nK - nQ;
  switch (m.kind) {
  case MaskKind::Causal:
    return j <= diagonal;
  case MaskKind::CausalTopLeft:
    return j <= i;
  case MaskKind::Window:
    return j <= diagonal && j > diagonal - w;
  case MaskKind::WindowSymmetric:
    return std::abs(diagonal - j) <= w;
  default:
    return true;
  }
}

/// FlashAttention-2 with key tiles between the first and last that the Q tile's
/// rows see.
int64_t simulateFlash2(int64_t nQ, int64_t nK, int64_t d, int64_t dV,
                       int64_t bR, int64_t bC, const Mask &mask, int64_t w) {
  int64_t words = 0;
  for (int64_t i = 0; i < tilesOf(nQ, bR); ++i) {
    int64_t rows = rowsIn(i, bR, nQ);
    words += rows * (d + dV);
    int64_t first = nK, last = -1;
    for (int64_t r = i * bR; r < i * bR + rows; ++r)
      for (int64_t j = 0; j < nK; ++j)
        if (sees(mask, w, nQ, nK, r, j)) {
          first = std::min(first, j);
          last = std::max(last, j);
        }
    for (int64_t j = first / bC; j <= last / bC && last >= 0; ++j)
      words += rowsIn(j, bC, nK) * (d + dV);
  }
  return words;
}

int64_t simulateFlash1(int64_t nQ, int64_t nK, int64_t d, int64_t dV,
                       int64_t bR, int64_t bC) {
  int64_t words = nQ * (dV + 2);
  for (int64_t j = 0; j < tilesOf(nK, bC); ++j) {
    words += rowsIn(j, bC, nK) * (d + dV);
    for (int64_t i = 0; i < tilesOf(nQ, bR); ++i)
      words += rowsIn(i, bR, nQ) * (d + 2 * dV + 4);
  }
  return words;
}

int64_t simulateNaive(int64_t nQ, int64_t nK, int64_t d, int64_t dV, int64_t b1,
                      int64_t b2, int64_t passes) {
  int64_t words = 0;
  for (int64_t i = 0; i < tilesOf(nQ, b1); ++i)
    for (int64_t j = 0; j < tilesOf(nK, b2); ++j)
      words += rowsIn(i, b1, nQ) * d + rowsIn(j, b2, nK) * d +
               rowsIn(i, b1, nQ) * rowsIn(j, b2, nK);
  words += (passes + 1) * nQ * nK;
  for (int64_t i = 0; i < tilesOf(nQ, b1); ++i)
    for (int64_t l = 0; l < tilesOf(dV, b2); ++l)
      words += rowsIn(i, b1, nQ) * nK + nK * rowsIn(l, b2, dV) +
               rowsIn(i, b1, nQ) * rowsIn(l, b2, dV);
  return words;
}

int64_t simulateSplitK(int64_t nQ, int64_t nK, int64_t d, int64_t dV,
                       int64_t splits, int64_t bC, int64_t stats,
                       int64_t &nonEmpty) {
  int64_t length = tilesOf(tilesOf(nK, bC), splits) * bC, words = 0;
  nonEmpty = 0;
  for (int64_t s = 0; s < splits; ++s) {
    int64_t from = s * length, to = std::min(nK, (s + 1) * length);
    if (from >= to)
      continue;
    ++nonEmpty;
    words += nQ * d + (to - from) * (d + dV) + nQ * (dV + stats);
  }
  return words + nonEmpty * nQ * (dV + stats) + nQ * dV;
}

int64_t simulateBackward(int64_t nQ, int64_t nK, int64_t d, int64_t dV,
                         int64_t bR, int64_t bC, bool reduction) {
  int64_t words = 2 * nQ * dV + nQ + nQ * d;
  for (int64_t j = 0; j < tilesOf(nK, bC); ++j) {
    words += 2 * rowsIn(j, bC, nK) * (d + dV);
    for (int64_t i = 0; i < tilesOf(nQ, bR); ++i)
      words += rowsIn(i, bR, nQ) * (d + dV + 2 + (reduction ? 1 : 2) * d);
  }
  return words + 2 * nQ * d;
}

void aboveAllFloors(const Traffic &t, const Work &w, const Setting &s,
                    const std::string &shape) {
  BigInt M = *evaluate(t.fast, {});
  Rational words{BigInt(wordsOf(t))};
  for (const NumericFloor &f : numericFloors(comparableFloors(w, M, s)))
    EXPECT_TRUE(f.exact <= Surd(words))
        << t.name << " moves " << words.str() << " at " << shape << ", floor "
        << f.kind << " " << f.regime << " " << f.exact.str()
        << " at M = " << decimal(M);
  EXPECT_TRUE(Rational(strongestFloor({w}, M, s).words) <= words)
      << t.name << " " << shape;
}

TEST(Reference, ClosedFormsEqualLoopsAndNoneIsBelowAFloor) {
  Shapes shapes;
  RecordProperty("seed", int(shapes.seed));
  SCOPED_TRACE("IOFLOR_TEST_SEED=" + std::to_string(shapes.seed));
  const MaskKind masks[] = {MaskKind::Exact, MaskKind::Causal,
                            MaskKind::CausalTopLeft, MaskKind::Window,
                            MaskKind::WindowSymmetric};
  for (int round = 0; round < 2500 && !HasFailure(); ++round) {
    int64_t nQ = shapes.pick(1, 60), nK = shapes.pick(1, 60);
    int64_t d = shapes.pick(1, 9), dV = shapes.pick(1, 9);
    int64_t bR = shapes.pick(1, 20), bC = shapes.pick(1, 20);
    Mask mask{masks[shapes.pick(0, 4)], 0};
    bool needsOrder =
        mask.kind != MaskKind::Exact && mask.kind != MaskKind::CausalTopLeft;
    if (needsOrder && nK < nQ)
      std::swap(nQ, nK);
    int64_t w = shapes.pick(1, nK);
    mask.w = w;
    std::string shape = std::to_string(nQ) + "x" + std::to_string(nK) + " d " +
                        std::to_string(d) + "," + std::to_string(dV) +
                        " tiles " + std::to_string(bR) + "," +
                        std::to_string(bC) + " " + maskName(mask.kind).str() +
                        " w " + std::to_string(w);
    AttentionDims s{nQ, nK, d, dV};
    TileSizes t{bR, bC};
    Setting forward, any, backward;
    any.standard = false;
    backward.backward = true;
    Work full = workOf(s, Mask{}), masked = workOf(s, mask);

    Traffic fa2 = flash2(s, mask, t);
    EXPECT_EQ(wordsOf(fa2), simulateFlash2(nQ, nK, d, dV, bR, bC, mask, w))
        << shape;
    aboveAllFloors(fa2, masked, forward, shape);
    aboveAllFloors(fa2, masked, any, shape);

    Traffic fa1 = flash1(s, t);
    EXPECT_EQ(wordsOf(fa1), simulateFlash1(nQ, nK, d, dV, bR, bC)) << shape;
    aboveAllFloors(fa1, full, forward, shape);

    int64_t passes = shapes.pick(1, 3);
    Traffic naive = naiveExecuted(s, t, passes);
    EXPECT_EQ(wordsOf(naive), simulateNaive(nQ, nK, d, dV, bR, bC, passes))
        << shape;
    aboveAllFloors(naive, full, forward, shape);
    aboveAllFloors(naive, full, any, shape);

    int64_t nonEmpty = 0;
    int64_t split =
        simulateSplitK(nQ, nK, d, dV, shapes.pick(1, 6), bC, passes, nonEmpty);
    Traffic sk = splitK(s, nonEmpty, passes, bC);
    EXPECT_EQ(wordsOf(sk), split) << shape;
    aboveAllFloors(sk, full, forward, shape);

    for (bool reduction : {false, true}) {
      Traffic bwd = flash2Backward(s, t, reduction);
      EXPECT_EQ(wordsOf(bwd),
                simulateBackward(nQ, nK, d, dV, bR, bC, reduction))
          << shape;
      aboveAllFloors(bwd, full, backward, shape);
    }

    BigInt M(d + std::min(d, dV) + shapes.pick(7, 300));
    aboveAllFloors(flash2Optimal(s, M), full, forward, shape);

    int64_t group = shapes.pick(1, 4), kv = shapes.pick(1, 3);
    AttentionDims grouped{nQ, nK, d, dV, shapes.pick(1, 2), group * kv, kv};
    Work many = workOf(grouped, Mask{});
    aboveAllFloors(flash2(grouped, Mask{}, t), many, forward, shape);
    aboveAllFloors(flash2Packed(grouped, t), many, forward, shape);

    // Whole causal tiles as a polynomial.
    int64_t m = shapes.pick(1, 4), tiles = shapes.pick(1, 6), rows = m * bC;
    AttentionDims square{tiles * rows, tiles * rows, d, dV};
    EXPECT_EQ(wordsOf(flash2CausalDivisible(square, tiles, {rows, bC})),
              wordsOf(flash2(square, Mask{MaskKind::Causal, 0}, {rows, bC})))
        << shape;
  }
}

/// The same closed form over symbols gives the same words.
TEST(Reference, SymbolicEqualsNumeric) {
  Expr N = Expr::symbol("N"), L = Expr::symbol("L"), d = Expr::symbol("d");
  Valuation at{{"N", BigInt(37)}, {"L", BigInt(53)}, {"d", BigInt(5)}};
  AttentionDims named{N, L, d, d}, fixed{37, 53, 5, 5};
  Mask mask{MaskKind::Window, 11};
  EXPECT_EQ(*evaluate(flash2(named, mask, {8, 4}).num, at),
            *evaluate(flash2(fixed, mask, {8, 4}).num, {}));
  EXPECT_EQ(*evaluate(flash1(named, {8, 4}).num, at),
            *evaluate(flash1(fixed, {8, 4}).num, {}));
}

/// Values of the theory's worked example.
TEST(Reference, WorkedExample) {
  AttentionDims s{16384, 16384, 128, 128};
  TileSizes t{128, 64};
  EXPECT_EQ(wordsOf(flash2(s, Mask{}, t, true)), 541081600);
  EXPECT_EQ(wordsOf(flash2(s, Mask{MaskKind::Causal, 0}, t, true)), 274743296);
  EXPECT_EQ(wordsOf(flash2(s, Mask{MaskKind::Window, 1024}, t, true)),
            40779776);
  EXPECT_EQ(wordsOf(flash1(s, t)), 1633714176);
  BigInt M(116224);
  Work full = workOf(s, Mask{});
  Work causal = workOf(s, Mask{MaskKind::Causal, 0});
  EXPECT_EQ(strongestFloor({full}, M, {}).words, BigInt(151364487));
  EXPECT_EQ(strongestFloor({causal}, M, {}).words, BigInt(75686863));
  auto sharp = [&](const Work &w) {
    for (const NumericFloor &f : numericFloors(comparableFloors(w, M, {})))
      if (f.kind == "sharp")
        return f.words;
    return BigInt(0);
  };
  EXPECT_EQ(sharp(full), BigInt(42035426));
  EXPECT_EQ(sharp(causal), BigInt(23116020));
  // Attained: floors and the best tile for long sequences.
  AttentionDims longer{int64_t(1) << 20, int64_t(1) << 20, 128, 128};
  BigInt big(131072);
  Rational ratio(BigInt(wordsOf(flash2Optimal(longer, big))),
                 strongestFloor({workOf(longer, Mask{})}, big, {}).words);
  EXPECT_EQ(Surd(ratio).decimal(5), "1.0127");
}

} // namespace
