//===- Machine.h - What executes values, beside the counting -----*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The executor decides which threads execute which operation in which order;
// a machine gives the operations a meaning: memory, and what is computed. With
// one, nothing is counted.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_DIALECT_INTERP_MACHINE_H
#define IOFLOR_DIALECT_INTERP_MACHINE_H

#include "dialect/ir/Ioflor.h"
#include <cstdint>
#include <vector>

namespace ioflor::interp {

/// The threads that run in lock step: one column of values for each thread
/// variable.
struct Lanes {
  uint64_t id = 0; ///< unique over all runs; key of CompiledTerms::cache
  uint32_t count = 1;
  std::vector<std::pair<unsigned, std::vector<int64_t>>> vars; ///< by slot
};

class Machine {
public:
  virtual ~Machine() = default;

  /// A CTA starts; its fast memory holds nothing.
  virtual void beginCta(uint64_t cta) = 0;

  /// The threads `active` (ordinals in `lanes`) execute one access or compute
  /// together. `at` has one entry if all have the same, one for each active
  /// thread otherwise, none where it is not known: addresses of an access,
  /// lanes
  /// (`ioflor.lane`) of a shuffle. False ends the run.
  virtual bool access(mlir::Operation *op, BufferOp buffer, const Lanes &lanes,
                      llvm::ArrayRef<uint32_t> active,
                      llvm::ArrayRef<int64_t> at) = 0;
  virtual bool compute(ComputeOp op, const Lanes &lanes,
                       llvm::ArrayRef<uint32_t> active,
                       llvm::ArrayRef<int64_t> at) = 0;
  virtual bool unknown(UnknownOp op) = 0;
};

} // namespace ioflor::interp

#endif // IOFLOR_DIALECT_INTERP_MACHINE_H
