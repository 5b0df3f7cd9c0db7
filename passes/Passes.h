//===- Passes.h - The passes of ioflor ---------------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_PASSES_H
#define IOFLOR_PASSES_PASSES_H

#include "dialect/ir/Ioflor.h"
#include "mlir/Pass/Pass.h"
#include <memory>

namespace ioflor {

#define GEN_PASS_DECL
#include "passes/Passes.h.inc"

} // namespace ioflor

#endif // IOFLOR_PASSES_PASSES_H
