//===- Hardware.h - Thread and block indices in LLVM IR -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PLUGIN_CLANG_IR_HARDWARE_H
#define IOFLOR_PLUGIN_CLANG_IR_HARDWARE_H

#include "llvm/IR/Instructions.h"
#include <optional>

namespace ioflor::ir {

/// A value that the launch decides.
struct LaunchRead {
  enum Kind {
    ThreadIndex,
    BlockIndex,
    BlockExtent,
    GridExtent,
    GlobalIndex,  ///< block index * block extent + thread index
    GlobalExtent, ///< grid extent * block extent
    Lane,
    WarpSize,
    WarpIndex,
    GridOffset ///< OpenCL get_global_offset: 0
  } kind;
  unsigned dim = 0;
};

/// Recognises the nvvm, amdgcn and OpenCL ways of reading the launch,
/// including loads through amdgcn's dispatch and implicit argument pointers.
std::optional<LaunchRead> launchRead(const llvm::Instruction &inst);

} // namespace ioflor::ir

#endif // IOFLOR_PLUGIN_CLANG_IR_HARDWARE_H
