//===- Witness.h - Concrete sizes that satisfy conditions --------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exact integers only. A search finds nothing where there is something, never
// something where there is nothing.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_PROVER_WITNESS_H
#define IOFLOR_PASSES_PROVER_WITNESS_H

#include "passes/prover/Obligation.h"
#include <optional>
#include <set>

namespace ioflor::prover {

/// Some admissible values of the symbols under which every hypothesis without
/// unknown parts holds; nullopt where the few points tried are none.
std::optional<Valuation> findPoint(const Assumptions &known,
                                   const std::vector<Cond> &hypotheses,
                                   const std::set<std::string> &symbols);

/// The admissible point next to these wishes, which symbols without one have at
/// `otherwise`; nullopt where the point that is tried is not admissible.
std::optional<Valuation> pointNear(const Assumptions &known,
                                   const std::vector<Cond> &hypotheses,
                                   const std::map<std::string, int64_t> &wishes,
                                   int64_t otherwise = 1);

struct WitnessQuery {
  Assumptions known;
  /// Must hold exactly; one that cannot be evaluated excludes the point.
  std::vector<Cond> hypotheses;
  /// The point is a witness where this is >= 1.
  Expr violation;
  /// The symbols that are swept first (sequence lengths), doubled together and
  /// one by one.
  std::vector<std::string> sweep;
  /// Evaluations of `violation`; terms of its sums in all of them, and at most
  /// in one.
  unsigned maxTries = 4000;
  uint64_t maxSteps = 6'000'000;
  uint64_t maxStepsAtOnce = 400'000;
};

/// The smallest witness that sweeping, bisecting and shrinking find. Every
/// value lies in its symbol's range and in 64 bits.
std::optional<Valuation> findWitness(const WitnessQuery &query);

} // namespace ioflor::prover

#endif // IOFLOR_PASSES_PROVER_WITNESS_H
