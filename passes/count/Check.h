//===- Check.h - Closed forms against execution ------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_COUNT_CHECK_H
#define IOFLOR_PASSES_COUNT_CHECK_H

#include "dialect/interp/Interpreter.h"
#include "passes/count/Collect.h"

namespace ioflor::count {

/// Executions of a subject at a few small admissible sizes, ragged ones among
/// them.
struct Execution {
  Valuation at;
  InterpCounts counts;
};
struct Executions {
  std::vector<Execution> runs;
  std::string failure; ///< why there are none
};
Executions execute(SubjectOp subject, unsigned wanted = 8,
                   uint64_t maxSteps = 12'000'000);

/// The executions of a subject as an analysis, so that the passes that compare
/// with them execute it once: `getAnalysis<SharedExecutions>()`. What they touch
/// is kept (AccessCounts::touched). A pass that leaves loops, guards and
/// addresses alone preserves it.
class SharedExecutions {
public:
  explicit SharedExecutions(mlir::Operation *subject);
  Executions runs;
};

/// Compares the counts of a group with what was executed. Where they disagree
/// the count is given up, with the reason. Returns the number of runs that
/// agreed.
unsigned check(Counts &counts, const Group &group, const Executions &runs);

} // namespace ioflor::count

#endif // IOFLOR_PASSES_COUNT_CHECK_H
