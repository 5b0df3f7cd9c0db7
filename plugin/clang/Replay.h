//===- Replay.h - LLVM IR of a translation unit ------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PLUGIN_CLANG_REPLAY_H
#define IOFLOR_PLUGIN_CLANG_REPLAY_H

#include "plugin/loader/Handover.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include <map>
#include <memory>

namespace ioflor::frontend {

struct Replayed {
  std::unique_ptr<llvm::Module> module; ///< null if there was an error
  std::map<const clang::FunctionDecl *, std::string> names; ///< mangled
  std::string error;
};

/// Runs a code generator of our own over the recorded callbacks: line tables,
/// value names, no `optnone`, no passes, whatever the user compiles with. Its
/// diagnostics are dropped: the user's own run gives them.
Replayed replay(const CoreInput &input,
                llvm::ArrayRef<const clang::FunctionDecl *> functions,
                llvm::LLVMContext &context);

} // namespace ioflor::frontend

#endif // IOFLOR_PLUGIN_CLANG_REPLAY_H
