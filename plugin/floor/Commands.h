//===- Commands.h - Subcommands of ioflor-floor ------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PLUGIN_FLOOR_COMMANDS_H
#define IOFLOR_PLUGIN_FLOOR_COMMANDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace ioflor::floortool {

/// A subcommand gets the arguments after its name and returns an exit code of
/// Args.h. Main.cpp holds the table.
using Command = int (*)(llvm::ArrayRef<llvm::StringRef>);

// Each in a file of its name (network: NetworkCommand.cpp).
int runTheorems(llvm::ArrayRef<llvm::StringRef> argv);
int runBrute(llvm::ArrayRef<llvm::StringRef> argv);
int runTables(llvm::ArrayRef<llvm::StringRef> argv);
int runClaim(llvm::ArrayRef<llvm::StringRef> argv);
int runNetworkFloors(llvm::ArrayRef<llvm::StringRef> argv);
int runCertificate(llvm::ArrayRef<llvm::StringRef> argv);
int runCheck(llvm::ArrayRef<llvm::StringRef> argv);

} // namespace ioflor::floortool

#endif // IOFLOR_PLUGIN_FLOOR_COMMANDS_H
