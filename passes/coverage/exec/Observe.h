//===- Observe.h - What one execution covered --------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_COVERAGE_EXEC_OBSERVE_H
#define IOFLOR_PASSES_COVERAGE_EXEC_OBSERVE_H

#include "passes/coverage/exec/Machine.h"
#include "passes/coverage/exec/Masks.h"

namespace ioflor::coverage {

/// One fault that an execution showed. The texts are lower case.
struct Fault {
  std::string id;   ///< ioflor-uncovered-input, ...
  std::string what; ///< q, k, v, o, pairs
  std::string text; ///< `row 64 of K is never read`
  mlir::Operation *at = nullptr;
  /// The same fault at the same place in another execution has the same key.
  std::string key;
};

/// What one run at one valuation showed.
struct Observation {
  Valuation at;
  std::vector<Fault> faults;
  /// Of one (batch, head): the pairs. Absent where none could be read.
  std::optional<PairSet> pairs;
  bool pairsDiffer = false; ///< not the same in every head
  /// Why pairs (or an operand, by role) are not decided, and where.
  std::string pairsOpen;
  mlir::Operation *pairsOpenAt = nullptr;
  std::map<Role, mlir::Operation *> opaque;
  bool chose = false; ///< data decided something
  int64_t nq = 0, nk = 0;
};

/// The disclosure at these sizes.
struct MaskAt {
  floors::MaskKind kind = floors::MaskKind::Exact;
  int64_t w = 0;
  bool comparesPairs() const {
    return kind != floors::MaskKind::Approximate &&
           kind != floors::MaskKind::Sparse &&
           kind != floors::MaskKind::MaskedBy;
  }
};

/// Reads what the machine holds after a run. `aliased`: V is columns of K.
Observation observe(const ProvenanceMachine &machine, const Valuation &at,
                    const MaskAt &mask, bool aliased);

} // namespace ioflor::coverage

#endif // IOFLOR_PASSES_COVERAGE_EXEC_OBSERVE_H
