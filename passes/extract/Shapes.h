//===- Shapes.h - Dimensions that operands of an attention share -*- C++ -*-=//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_EXTRACT_SHAPES_H
#define IOFLOR_PASSES_EXTRACT_SHAPES_H

#include "dialect/ir/Ioflor.h"

namespace ioflor::extract {

/// MLIR gives each dynamic dimension a symbol of its own. O is taken to have
/// Q's dynamic dimensions and V those of K: their symbols become one, and an
/// assumption says so. `roled` is a copy of the subject in which ioflor-roles
/// ran. True if anything changed.
bool shareDimensions(SubjectOp subject, SubjectOp roled);

} // namespace ioflor::extract

#endif // IOFLOR_PASSES_EXTRACT_SHAPES_H
