//===- Extract.h - The door of MLIR -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_EXTRACT_EXTRACT_H
#define IOFLOR_PASSES_EXTRACT_EXTRACT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace ioflor {

#define GEN_PASS_DECL
#include "passes/extract/ExtractPasses.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/extract/ExtractPasses.h.inc"

namespace extract {

/// Writes the subjects of `from` at the end of `to`, which may be the same
/// module. `functions` is a regular expression; empty: the candidates. Returns
/// how many there are, or -1 with an error at the module for a bad expression.
int extractSubjects(mlir::ModuleOp from, mlir::ModuleOp to,
                    llvm::StringRef functions);

} // namespace extract
} // namespace ioflor

#endif // IOFLOR_PASSES_EXTRACT_EXTRACT_H
