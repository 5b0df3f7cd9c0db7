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

} // namespace ioflor

#endif // IOFLOR_PASSES_EXTRACT_EXTRACT_H
