//===- Masks.h - Sets of score pairs, and their names ------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_COVERAGE_EXEC_MASKS_H
#define IOFLOR_PASSES_COVERAGE_EXEC_MASKS_H

#include "passes/floors/Problem.h"

namespace ioflor::coverage {

/// The pairs (i, j) of one head that an execution computed; rows i that it did
/// not decide are left out of all comparisons.
struct PairSet {
  int64_t nq = 0, nk = 0;
  std::vector<char> has;     ///< i * nk + j
  std::vector<char> decided; ///< by i
  Valuation at;
  bool operator()(int64_t i, int64_t j) const { return has[i * nk + j]; }
};

/// Does this mask require the pair? `w` is the window. Masks without pairs
/// (approximate, sparse, masked_by) require none.
bool isRequired(floors::MaskKind kind, int64_t w, int64_t i, int64_t j,
                int64_t nq, int64_t nk);

/// What pairs an executed set amounts to.
struct MaskName {
  std::string kind; ///< as a disclosure, or words
  std::optional<Expr> w;
  bool disclosable = false; ///< `kind` is a disclosure's
  /// The number of pairs of one head; absent where it is not described.
  std::optional<Expr> pairs;
  std::string text() const;
};

/// The declared mask if it fits every one of the sets, else the simplest name
/// that does: where all sets are square, both alignments of a causal mask do.
/// `parameters` are the sizes that a window, a chunk or a stride may have.
MaskName nameMask(const std::vector<PairSet> &sets,
                  const floors::Problem &problem,
                  const std::vector<Expr> &parameters);

} // namespace ioflor::coverage

#endif // IOFLOR_PASSES_COVERAGE_EXEC_MASKS_H
