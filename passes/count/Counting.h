//===- Counting.h - Words that an access moves -------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The three counts of docs/architecture.md ("Counting"), symbolic, in words
// (elements of the buffer). Pure data in and out; the pass around it reads the
// skeleton.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_COUNT_COUNTING_H
#define IOFLOR_PASSES_COUNT_COUNTING_H

#include "dialect/expr/Cond.h"
#include "dialect/expr/Expr.h"
#include <memory>
#include <set>

namespace ioflor::count {

enum class Loop : uint8_t { Host, Grid, Thread, Seq };

struct LoopVar {
  std::string var;
  Loop kind;
  Expr trips; ///< var = 0 .. trips-1
};

/// One load or store instruction.
struct Access {
  std::vector<LoopVar> loops; ///< outermost first
  std::vector<Cond> guards;
  std::optional<Expr> address; ///< first element; absent: unknown
  int64_t width = 1;           ///< consecutive elements
  std::string unknown;         ///< why there is no address
};

/// A count: equal to lo (== hi) when exact, else within [lo, hi]; no upper end
/// is known where hi is absent.
struct Count {
  Expr lo;
  std::optional<Expr> hi;
  bool exact = false;
  std::string reason; ///< why it is not exact
};

struct Counts {
  Count issued, traffic, compulsory;
};

/// What holds of the symbols. `data` symbols may have another value, within
/// their range, at each use.
struct Context {
  Assumptions known;
  std::set<std::string> data;
  /// Units of work left for all counts of the subject (see Budget); absent: each
  /// count has a budget of its own. Units, not seconds: a count does not depend
  /// on the machine.
  std::shared_ptr<uint64_t> work;
};

/// The accesses of one stage to one buffer in one direction; their host and
/// grid loops are the same. `issued` and `traffic` are sums over the accesses,
/// `compulsory` counts what they share once.
Counts countStage(llvm::ArrayRef<Access> accesses, const Context &context);

/// a + b, reasons joined.
Count operator+(const Count &a, const Count &b);

} // namespace ioflor::count

#endif // IOFLOR_PASSES_COUNT_COUNTING_H
