//===- Pebble.h - Optimal schedules of tiny attentions -----------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The red-blue pebble game of the forward pass, solved exactly: the least
// reads plus writes of any schedule, over all orders, spills, partial sums and
// recomputations. Where the game is simplified, it is in the schedule's favour
// (no temporaries, softmax statistics free, a product of a weight and V needs
// no room for the weight where Q_i and K_j are there), so no floor may exceed
// what it finds.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_BRUTE_PEBBLE_H
#define IOFLOR_PASSES_BRUTE_PEBBLE_H

#include <cstdint>
#include <optional>

namespace ioflor::brute {

struct Game {
  unsigned nQ = 1, nK = 1, d = 1, dV = 1;
  unsigned fastWords = 4; ///< M
  bool causal = false;    ///< bottom-right; needs nQ <= nK

  bool requires_(unsigned i, unsigned j) const {
    return !causal || j + nQ <= i + nK;
  }
  /// Number of required pairs.
  unsigned pairs() const;
  /// Bits of a state; a game of more than 128 is not played.
  unsigned stateBits() const {
    return nQ * d + nK * (d + dV) + nQ * dV + nQ * nK * (2 * d + dV);
  }
};

struct Optimum {
  std::optional<uint64_t> words; ///< least reads + writes
  /// No schedule is below this (the optimum where it was found).
  uint64_t atLeast = 0;
  uint64_t states = 0;
  bool impossible = false; ///< no schedule fits in M words
};

/// A shortest path over all states. `maxStates` bounds it; where that is
/// reached only `atLeast` is known. Nothing for a game that is too large.
std::optional<Optimum> solve(const Game &game, uint64_t maxStates = 2'000'000);

} // namespace ioflor::brute

#endif // IOFLOR_PASSES_BRUTE_PEBBLE_H
