//===- Reference.h - Traffic of textbook schedules --------------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What known schedules move, as expressions of the same sizes as the floors:
// what a floor is compared with. Rows past an operand's end are not moved. Each
// closed form equals a simulation of its loops (the unit tests).
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_FLOORS_REFERENCE_H
#define IOFLOR_PASSES_FLOORS_REFERENCE_H

#include "passes/floors/Floor.h"

namespace ioflor::floors {

/// The traffic of one schedule: num / den words.
struct Traffic {
  std::string name;
  Expr num, den = 1;
  /// Words of fast memory that the schedule holds at once, at most; 0 where
  /// none is said.
  Expr fast = 0;
  std::vector<Cond> hypotheses = {};
  std::string note = "";
};

/// Tiles of the schedules: rows of Q, rows of K and V.
struct TileSizes {
  Expr rows, columns;
};

//===-- Forward, ReferenceForward.cpp -------------------------------------===//

/// N^2 d^2 / M with constant 1, as the seed certificate pins FlashAttention:
/// the order of growth, not a schedule.
Traffic flashPinned(const AttentionDims &s, const Expr &M);
/// 2 N^2 + 3 N d, as the seed pins it: S written once and read once, no store
/// of O.
Traffic naivePinned(const AttentionDims &s);
/// Three kernels S = Q K^T, P = softmax(S), O = P V; the products in tiles of
/// rows x columns outputs, each reading its strips once; softmax reads S
/// `passes` times.
Traffic naiveExecuted(const AttentionDims &s, const TileSizes &t,
                      const Expr &passes = 1);
/// The same where every operand crosses once for each product: 4 N^2 + 4 N d
/// for one pass. Needs fast memory for a whole operand.
Traffic naiveIdeal(const AttentionDims &s, const Expr &passes = 1);
/// FlashAttention-1: K and V tiles outside; O, l and m are read and written in
/// every step; their initialisation is included.
Traffic flash1(const AttentionDims &s, const TileSizes &t);
/// FlashAttention-2 (and 3): Q tiles outside, K and V streamed; key tiles that
/// the mask leaves empty are skipped. `logSumExp` stores one word a row.
Traffic flash2(const AttentionDims &s, const Mask &mask, const TileSizes &t,
               bool logSumExp = false);
/// flash2 for the causal mask as a polynomial: n_q = n_k = tiles * rows, rows a
/// multiple of columns.
Traffic flash2CausalDivisible(const AttentionDims &s, const Expr &tiles,
                              const TileSizes &t, bool logSumExp = false);
/// flash2 with the largest Q tile that fits M words, K and V streamed word by
/// word, and ceil(d_V / d) passes over value columns where d_V > d: attains the
/// tight floor as N grows.
Traffic flash2Optimal(const AttentionDims &s, const Expr &M);
/// One K and V stream for the g query heads that share it: ceil(g n_q / rows)
/// tiles.
Traffic flash2Packed(const AttentionDims &s, const TileSizes &t,
                     bool logSumExp = false);
/// Split-K: each of `splits` non-empty splits reads all of Q and leaves partial
/// outputs with `stats` statistics a row, which a second kernel combines.
Traffic splitK(const AttentionDims &s, const Expr &splits, const Expr &stats,
               const Expr &columns, bool logSumExp = false);

//===-- Backward ----------------------------------------------------------===//

/// FlashAttention-2's backward pass: K and V tiles outside; dQ is accumulated
/// in slow memory by read-modify-write (2 words) or by a reduction (1 word);
/// preprocessing and the final conversion of dQ included.
Traffic flash2Backward(const AttentionDims &s, const TileSizes &t,
                       bool reduction);

//===-- Several devices, ReferenceNetwork.cpp -----------------------------===//

/// K and V circulate: (P - 1) N (d + d_V) words; `inModel` counts K only.
Traffic ring(const AttentionDims &s, const Expr &devices, bool inModel);
/// All-to-all over heads: N (H_q + H_kv) (d + d_V) (1 - 1/P); `inModel` counts
/// Q and K only. P divides both numbers of heads.
Traffic ulysses(const AttentionDims &s, const Expr &devices, bool inModel);
/// Ulysses over U devices, ring over R, P = U R.
Traffic unifiedSequenceParallel(const AttentionDims &s, const Expr &ulysses,
                                const Expr &ring);
/// A side x side grid: d N (side - 1) words of rows and as many of columns;
/// otherwise also V, and the reduction of O with its statistics.
Traffic grid2D(const AttentionDims &s, const Expr &side, bool inModel);

} // namespace ioflor::floors

#endif // IOFLOR_PASSES_FLOORS_REFERENCE_H
