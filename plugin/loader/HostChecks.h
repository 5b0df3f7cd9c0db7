//===- HostChecks.h - Check macros that expand to nothing --------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PLUGIN_LOADER_HOSTCHECKS_H
#define IOFLOR_PLUGIN_LOADER_HOSTCHECKS_H

#include "plugin/loader/Handover.h"
#include <memory>

namespace ioflor::frontend {

/// Records, while `compiler` preprocesses, where TORCH_CHECK and its kind stand
/// and what their first argument says. With NDEBUG or a stub of the framework
/// they leave nothing in the AST, yet they state what every launch satisfies.
std::shared_ptr<std::vector<HostCheck>>
watchHostChecks(clang::CompilerInstance &compiler);

} // namespace ioflor::frontend

#endif // IOFLOR_PLUGIN_LOADER_HOSTCHECKS_H
