//===- ReferenceForward.cpp - Traffic of textbook kernels -----------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/floors/Reference.h"

using namespace ioflor;
using namespace ioflor::floors;

namespace {

/// The sizes with the usual abbreviations; words are summed over batch and
/// heads.
struct Sizes {
  explicit Sizes(const AttentionDims &s)
      : nQ(s.nQ), nK(s.nK), d(s.d), dV(s.dV), both(s.d + s.dV),
        queryHeads(s.batch * s.heads), kvHeads(s.batch * s.kvHeads) {}
  Expr nQ, nK, d, dV, both, queryHeads, kvHeads;
};

} // namespace

/// Q, accumulator, scores and statistics of a Q tile beside one K and V tile.
static Expr tileWords(const Sizes &z, const TileSizes &t) {
  return t.rows * z.both + t.columns * z.both + t.rows * t.columns + 2 * t.rows;
}

Traffic ioflor::floors::flashPinned(const AttentionDims &s, const Expr &M) {
  Sizes z(s);
  Expr num = z.queryHeads * z.nQ * z.nK * z.d * z.d, den = M;
  reduce(num, den);
  return {"FlashAttention, as the seed pins it",
          num,
          den,
          0,
          {},
          "an order of growth with constant 1, not a schedule"};
}

Traffic ioflor::floors::naivePinned(const AttentionDims &s) {
  Sizes z(s);
  return {"naive, as the seed pins it",
          2 * z.queryHeads * z.nQ * z.nK + z.queryHeads * z.nQ * z.d +
              z.kvHeads * z.nK * z.both,
          1,
          0,
          {},
          "S written and read once, no store of O"};
}

Traffic ioflor::floors::naiveExecuted(const AttentionDims &s,
                                      const TileSizes &t, const Expr &passes) {
  Sizes z(s);
  Expr strips = ceildiv(z.nQ, t.rows);
  Expr scores = z.nQ * z.nK;
  Expr first = ceildiv(z.nK, t.columns) * z.nQ * z.d + strips * z.nK * z.d;
  Expr second =
      ceildiv(z.dV, t.columns) * scores + strips * z.nK * z.dV + z.nQ * z.dV;
  return {"naive, three kernels",
          z.queryHeads * (first + (2 + passes) * scores + second), 1,
          // A tile of outputs, a column of one operand, a row of the other, and
          // temporaries; the softmax holds less.
          t.rows * t.columns + t.rows + t.columns + 4};
}

Traffic ioflor::floors::naiveIdeal(const AttentionDims &s, const Expr &passes) {
  Sizes z(s);
  return {"naive, three kernels with ideal reuse",
          z.queryHeads * (z.nQ * z.both + (3 + passes) * z.nQ * z.nK) +
              z.kvHeads * z.nK * z.both,
          1,
          0,
          {},
          "needs fast memory for a whole operand"};
}

Traffic ioflor::floors::flash1(const AttentionDims &s, const TileSizes &t) {
  Sizes z(s);
  Expr inner = z.d + 2 * z.dV + 4;
  return {"FlashAttention-1",
          z.queryHeads *
              (z.nK * z.both + ceildiv(z.nK, t.columns) * z.nQ * inner +
               z.nQ * (z.dV + 2)),
          1, tileWords(z, t)};
}

/// Words of keys that a loop over Q tiles reads, each in whole tiles of keys
/// that overlap [lo, hi), cut off at n_K.
static Expr keysRead(const Sizes &z, const TileSizes &t, const Expr &lo,
                     const Expr &hi) {
  return min(z.nK, ceildiv(hi, t.columns) * t.columns) -
         floordiv(lo, t.columns) * t.columns;
}

Traffic ioflor::floors::flash2(const AttentionDims &s, const Mask &mask,
                               const TileSizes &t, bool logSumExp) {
  Sizes z(s);
  Required r = requiredPairs(s, mask);
  Expr tiles = ceildiv(z.nQ, t.rows);
  // Capital letters do not meet the symbols that callers use for sizes.
  const char *name = "Tile_";
  Expr i = Expr::symbol(name);
  Expr first = i * t.rows, end = min(z.nQ, (i + 1) * t.rows);
  Expr offset = z.nK - z.nQ;
  Expr keys;
  switch (mask.kind) {
  case MaskKind::Causal:
  case MaskKind::MaskedBy:
    keys = sum(name, 0, tiles, keysRead(z, t, 0, end + offset));
    break;
  case MaskKind::CausalTopLeft:
    keys = sum(name, 0, tiles, keysRead(z, t, 0, min(z.nK, end)));
    break;
  case MaskKind::Window:
    keys = sum(name, 0, tiles,
               keysRead(z, t, max(Expr(0), first + offset - mask.w + 1),
                        end + offset));
    break;
  case MaskKind::WindowSymmetric:
    keys = sum(name, 0, tiles,
               keysRead(z, t, max(Expr(0), first + offset - mask.w),
                        min(z.nK, end + offset + mask.w)));
    break;
  case MaskKind::Exact:
  case MaskKind::Approximate:
  case MaskKind::Sparse:
    keys = tiles * z.nK;
    break;
  }
  Expr stores = z.nQ * (z.dV + (logSumExp ? 1 : 0));
  std::string title = "FlashAttention-2";
  if (mask.kind != MaskKind::Exact)
    title += ", " + maskName(mask.kind).str();
  return {title, z.queryHeads * (z.nQ * z.d + keys * z.both + stores), 1,
          tileWords(z, t), r.hypotheses};
}

Traffic ioflor::floors::flash2CausalDivisible(const AttentionDims &s,
                                              const Expr &tiles,
                                              const TileSizes &t,
                                              bool logSumExp) {
  Sizes z(s);
  // 2 sum_i (i + 1) rows = rows tiles (tiles + 1).
  Expr twice = z.queryHeads * (t.rows * tiles * (tiles + 1) * z.both +
                               2 * z.nQ * (z.both + (logSumExp ? 1 : 0)));
  return {"FlashAttention-2, causal, whole tiles",
          twice,
          2,
          tileWords(z, t),
          {eq(z.nQ, z.nK), eq(z.nQ, tiles * t.rows),
           eq(mod(t.rows, t.columns), 0)}};
}

Traffic ioflor::floors::flash2Optimal(const AttentionDims &s, const Expr &M) {
  Sizes z(s);
  // Words a row holds: Q, the accumulator, a score and two statistics; four
  // more for operands and temporaries.
  auto pass = [&](const Expr &columns) {
    Expr rows = floordiv(M - 4, z.d + columns + 3);
    return z.nQ * z.d + z.nQ * columns +
           ceildiv(z.nQ, max(Expr(1), rows)) * z.nK * (z.d + columns);
  };
  Expr width = min(z.d, z.dV);
  // d_V = width * whole + last: the last pass is narrower.
  Expr whole = floordiv(z.dV, width), last = z.dV - whole * width;
  Expr total = whole * pass(width) + min(Expr(1), last) * pass(last);
  return {"FlashAttention-2, largest tile",
          z.queryHeads * total,
          1,
          M,
          {le(z.d + width + 7, M)}};
}

Traffic ioflor::floors::flash2Packed(const AttentionDims &s, const TileSizes &t,
                                     bool logSumExp) {
  Sizes z(s);
  Expr rows = floordiv(s.heads, s.kvHeads) * z.nQ;
  return {"FlashAttention-2, query heads packed",
          z.queryHeads * z.nQ * (z.both + (logSumExp ? 1 : 0)) +
              z.kvHeads * ceildiv(rows, t.rows) * z.nK * z.both,
          1,
          tileWords(z, t),
          {eq(mod(s.heads, s.kvHeads), 0)}};
}

Traffic ioflor::floors::splitK(const AttentionDims &s, const Expr &splits,
                               const Expr &stats, const Expr &columns,
                               bool logSumExp) {
  Sizes z(s);
  return {"split-K",
          z.queryHeads * (splits * z.nQ * z.d + z.nK * z.both +
                          2 * splits * z.nQ * (z.dV + stats) +
                          z.nQ * (z.dV + (logSumExp ? 1 : 0))),
          1,
          tileWords(z, {z.nQ, columns}),
          {le(1, splits), le(splits, ceildiv(z.nK, columns))}};
}

Traffic ioflor::floors::flash2Backward(const AttentionDims &s,
                                       const TileSizes &t, bool reduction) {
  Sizes z(s);
  Expr inner = (reduction ? 2 : 3) * z.d + z.dV + 2;
  Expr words = 2 * z.nQ * z.dV + z.nQ + z.nQ * z.d + 2 * z.nK * z.both +
               ceildiv(z.nK, t.columns) * z.nQ * inner + 2 * z.nQ * z.d;
  return {reduction ? "FlashAttention-2 backward, dQ by reduction"
                    : "FlashAttention-2 backward",
          z.queryHeads * words,
          1,
          2 * t.columns * z.both + t.rows * (2 * z.d + z.dV + 2) +
              2 * t.rows * t.columns,
          {eq(s.heads, s.kvHeads)}};
}
