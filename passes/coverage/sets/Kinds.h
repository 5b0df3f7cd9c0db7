//===- Kinds.h - What values are made of --------------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which of Q, K, V, scores, weights and outputs a value may hold, whatever the
// instance: it steers the exact analysis, which then says where it is so.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_COVERAGE_SETS_KINDS_H
#define IOFLOR_PASSES_COVERAGE_SETS_KINDS_H

#include "dialect/ir/Ioflor.h"
#include "llvm/ADT/DenseMap.h"

namespace ioflor::sets {

enum Kind : unsigned {
  RawQ = 1,
  RawK = 2,
  RawV = 4,
  Raw = 7,
  Score = 8,     ///< a sum of products of Q and K
  Weight = 16,   ///< exp of a score, or a sum of such
  Output = 32,   ///< a sum of weights times V
  Extreme = 64,  ///< a maximum of scores
  Inverse = 128, ///< something divided by weights
  Loaded = 256   ///< depends on words of slow memory
};

class Kinds {
public:
  explicit Kinds(SubjectOp subject);
  unsigned of(mlir::Value v) const { return values.lookup(v); }

private:
  llvm::DenseMap<mlir::Value, unsigned> values;
  /// By cell of roles::Program: parts of a buffer that are kept apart.
  llvm::DenseMap<unsigned, unsigned> cells;
  unsigned compute(ComputeOp op) const;
  static unsigned product(unsigned x, unsigned y);
};

/// Additions and products of one kind that are followed, in one place for the
/// steering and the exact analysis.
bool isScoreProduct(unsigned x, unsigned y);
bool isOutputProduct(unsigned weight, unsigned value);

} // namespace ioflor::sets

#endif // IOFLOR_PASSES_COVERAGE_SETS_KINDS_H
