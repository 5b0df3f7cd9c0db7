//===- Version.cpp - Versions for the record ------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/output/Version.h"
#include "passes/prover/Solver.h"
#include "llvm/Config/llvm-config.h"

llvm::StringRef ioflor::output::toolVersion() { return IOFLOR_VERSION; }
llvm::StringRef ioflor::output::llvmVersion() { return LLVM_VERSION_STRING; }
std::string ioflor::output::z3Version() { return prover::solverVersion(); }
