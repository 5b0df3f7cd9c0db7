//===- Network.h - Exact minima of sharded attention -------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// P devices hold N/P rows and N/P columns each; a copied row or column counts
// one (d words). Exhaustive, for sizes that a test can afford: these numbers
// judge the formulas and share no code with them.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_BRUTE_NETWORK_H
#define IOFLOR_PASSES_BRUTE_NETWORK_H

#include <cstdint>
#include <optional>

namespace ioflor::brute {

/// The largest N and P that are searched.
inline constexpr unsigned kMostTokens = 96, kMostDevices = 16;
/// True if the sizes are searched: 1 <= P <= kMostDevices, P divides N.
bool isSearchable(uint64_t n, uint64_t p);

/// The counting relaxation: the least sum of (x_p + y_p - 2N/P) over whole
/// numbers N/P <= x_p, y_p <= N with sum x_p y_p >= N^2.
std::optional<uint64_t> relaxationMinimum(unsigned n, unsigned p);

/// The same where every device computes at most ceil(N^2/P) pairs, each its
/// share: P (min {x + y : x y >= N^2/P} - 2N/P).
std::optional<uint64_t> balancedMinimum(unsigned n, unsigned p);

struct Covering {
  std::optional<uint64_t> copies; ///< the least; absent: the limit was reached
  uint64_t steps = 0;             ///< choices tried
};
/// The true minimum: copies of rows and columns such that every row meets every
/// column on some device. A search over all choices, deepened one copy at a
/// time; `maxSteps` bounds it.
Covering coveringMinimum(unsigned n, unsigned p,
                         uint64_t maxSteps = 50'000'000);

} // namespace ioflor::brute

#endif // IOFLOR_PASSES_BRUTE_NETWORK_H
