//===- Version.h - Versions for the record -----------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_OUTPUT_VERSION_H
#define IOFLOR_PASSES_OUTPUT_VERSION_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace ioflor::output {

llvm::StringRef toolVersion();
llvm::StringRef llvmVersion();
/// Of the z3 that is loaded.
std::string z3Version();

} // namespace ioflor::output

#endif // IOFLOR_PASSES_OUTPUT_VERSION_H
