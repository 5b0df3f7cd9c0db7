//===- Sizes.h - At which sizes coverage is executed -------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_COVERAGE_EXEC_SIZES_H
#define IOFLOR_PASSES_COVERAGE_EXEC_SIZES_H

#include "dialect/ir/Ioflor.h"
#include "passes/floors/Problem.h"

namespace ioflor::coverage {

/// Admissible sizes at which faults of coverage show: lengths below, at and
/// above the constants of the loops and guards (tiles, windows), lengths that
/// differ, several heads, head dimensions beside the constants. Few, small ones
/// first, the same in each run.
std::vector<Valuation> chooseSizes(SubjectOp subject,
                                   const floors::Problem &problem);

/// What a window, a chunk or a tile may be: constants of the loops and guards
/// and their neighbours, and the symbols that are no lengths.
std::vector<Expr> maskParameters(SubjectOp subject,
                                 const floors::Problem &problem);

} // namespace ioflor::coverage

#endif // IOFLOR_PASSES_COVERAGE_EXEC_SIZES_H
