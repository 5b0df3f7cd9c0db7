//===- Collect.h - The slow accesses of a subject ----------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_COUNT_COLLECT_H
#define IOFLOR_PASSES_COUNT_COLLECT_H

#include "dialect/ir/Ioflor.h"
#include "passes/count/Counting.h"

namespace ioflor::count {

/// The accesses of one buffer in one direction, stage by stage.
struct Group {
  std::string buffer;
  bool isStore = false;
  std::vector<std::vector<Access>> stages;
  /// An unread construct may touch the buffer too: no upper end; says why.
  std::string unbounded;
};

struct Collected {
  Context context;
  std::vector<Group> groups; ///< in the order of the buffers, loads first
};

Collected collect(SubjectOp subject);

/// The counts of a group: sums over its stages.
Counts countGroup(const Group &group, const Context &context);

/// Fast words of one CTA, at least and at most (see ioflor.footprint).
struct Footprint {
  Expr lo;
  std::optional<Expr> hi;
};
Footprint footprint(SubjectOp subject, const Context &context);

} // namespace ioflor::count

#endif // IOFLOR_PASSES_COUNT_COLLECT_H
