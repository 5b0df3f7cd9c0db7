//===- Unroll.h - A subject's copy for exact data flow ------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_COVERAGE_SETS_UNROLL_H
#define IOFLOR_PASSES_COVERAGE_SETS_UNROLL_H

#include "dialect/ir/Ioflor.h"
#include "mlir/IR/OwningOpRef.h"

namespace ioflor::sets {

/// A copy of a subject, for analysis only, in which short loops that exchange
/// values between lanes are written out, grid axes are split, and a register that is loaded in the
/// block that stored it is the stored value.
mlir::OwningOpRef<SubjectOp> prepare(SubjectOp subject);

/// Writes grid axes that the code divides by a factor of their extent as two
/// loops each. Changes `subject`.
void splitGrids(SubjectOp subject);

} // namespace ioflor::sets

#endif // IOFLOR_PASSES_COVERAGE_SETS_UNROLL_H
