//===- Trace.h - From an output store back to the loads ---------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows one store of the output back to the loads of V, and through the
// weights to the two factors of the scores, and writes their addresses over
// the variables of the store: what was staged in fast memory or went through
// slow intermediates is pulled back, what is summed over shows as variables
// that the store does not have. In that frame attention reads like an einsum.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_ROLES_TRACE_H
#define IOFLOR_PASSES_ROLES_TRACE_H

#include "passes/roles/Address.h"
#include "passes/roles/Flow.h"

namespace ioflor::roles {

/// A slow load as the frame sees it.
struct Reach {
  unsigned access = 0;
  Id source = 0;
  std::optional<Expr> addr; ///< over the frame's variables
  Cond guards;              ///< around the load, likewise
  bool lossy = false;       ///< some writer's iteration could not be solved
  bool fragment = false;    ///< through an mma: lanes say nothing
  bool shuffled = false;    ///< through a warp reduction
};

/// Which facts the frame is about: weight = exp(sum x * y), output = sum of
/// weight * v; sets of sources.
struct AttentionPattern {
  std::set<Id> x, y, v;
};

struct Frame {
  unsigned store = 0; ///< access index of the output store
  std::optional<Expr> addr;
  Cond guards;
  Assumptions known; ///< with the frame's fresh variables
  std::vector<Reach> v, x, y;
  /// Multiplications that make the scores and the weighted sum.
  std::vector<ComputeOp> scoreSites, outputSites;
  /// Slow buffers that the scores (weights) went through.
  std::set<unsigned> scoreBuffers;
  /// Slow buffers that partial outputs went through.
  std::set<unsigned> outputBuffers;
};

/// Traces back from access `store`.
Frame traceOutput(const Flow &flow, unsigned store,
                  const AttentionPattern &pattern);

/// The same from a store of scores or weights: only x and y are filled.
Frame traceScores(const Flow &flow, unsigned store,
                  const AttentionPattern &pattern);

} // namespace ioflor::roles

#endif // IOFLOR_PASSES_ROLES_TRACE_H
