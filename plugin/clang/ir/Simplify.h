//===- Simplify.h - Passes before a kernel is read -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PLUGIN_CLANG_IR_SIMPLIFY_H
#define IOFLOR_PLUGIN_CLANG_IR_SIMPLIFY_H

#include "plugin/clang/Subject.h"
#include "llvm/IR/Module.h"

namespace ioflor::ir {

/// What is constant in one stage: replaces reads of block and grid extents,
/// indices of dimensions of extent 1 and integer arguments.
struct StageConstants {
  std::array<std::optional<int64_t>, 3> grid, block;
  /// By argument number.
  std::map<unsigned, int64_t> arguments;
};

/// A copy of `kernel` in the same module with the constants put in and
/// simplified again. The caller erases it.
llvm::Function *specialise(llvm::Function &kernel,
                           const StageConstants &constants);

} // namespace ioflor::ir

#endif // IOFLOR_PLUGIN_CLANG_IR_SIMPLIFY_H
