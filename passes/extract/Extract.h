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
#include <string>

namespace ioflor {

#define GEN_PASS_DECL
#include "passes/extract/ExtractPasses.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/extract/ExtractPasses.h.inc"

namespace extract {

/// What a user of the passes says of functions that do not say it themselves.
struct ExtractOptions {
  /// Expressions between semicolons: the extents of a kernel's grid and block,
  /// x first, where nothing in the module launches it.
  std::string grid, block;
  /// Conditions between semicolons that hold at every call.
  std::string assume;
};

} // namespace extract
} // namespace ioflor

#endif // IOFLOR_PASSES_EXTRACT_EXTRACT_H
