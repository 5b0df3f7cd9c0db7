//===- Coverage.h - Coverage, proved for all sizes ----------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Proves for every size that a subject's assumptions allow: every entry of O is
// written by one owner; its value is the sum, over exactly the keys of a mask,
// each once, of a weight times that key's row of V; the weight is the
// exponential of the score of that row and key, which sums all d columns, each
// once; and what divides it sums the same weights.
//
// Assumed: no races (the threads of a CTA see each other's words in the order
// of the program), no wrapping of index arithmetic.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_COVERAGE_SETS_COVERAGE_H
#define IOFLOR_PASSES_COVERAGE_SETS_COVERAGE_H

#include "dialect/ir/Ioflor.h"

namespace ioflor::sets {

/// isl operations for one subject.
inline constexpr uint64_t maxOperations = 20'000'000;

struct Proof {
  /// Why what is not proved is not, and where.
  std::string reason;
  std::optional<mlir::Location> at;
  bool output = false; ///< every entry of O has one owner
  bool pairs = false;
  /// With `pairs`: `full`, `causal`, `causal_top_left`, `window`,
  /// `window_symmetric`.
  std::string mask;
  std::optional<Expr> w;
  /// Every row of K and V that a head needs belongs to some head.
  bool keyHeads = false;
  /// What was found, by name, in isl's notation.
  std::vector<std::pair<std::string, std::string>> relations;
  uint64_t operations = 0;
};

/// Needs what `ioflor-roles` wrote. `operations`: 0 for maxOperations.
/// `explain` fills the relations.
Proof proveCoverage(SubjectOp subject, uint64_t operations = 0,
                    bool explain = false);

} // namespace ioflor::sets

#endif // IOFLOR_PASSES_COVERAGE_SETS_COVERAGE_H
