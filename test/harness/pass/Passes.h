// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes with which the counting harness turns a kernel's IR into a host
// program that reports its own memory accesses. They run in this order; between
// the first and the second stands the pipeline that the plugin itself uses, so
// that both count the same instructions.
#ifndef IOFLOR_TEST_HARNESS_PASSES_H
#define IOFLOR_TEST_HARNESS_PASSES_H

#include "llvm/IR/PassManager.h"

namespace ioflor::harness {

/// Makes kernels the only external functions, every other one internal and
/// always-inline (recursive ones excepted), and math library calls free of
/// memory effects.
struct PreparePass : llvm::PassInfoMixin<PreparePass> {
  llvm::PreservedAnalyses run(llvm::Module &, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

/// Replaces inline PTX by equivalent IR, so that its loads and stores are
/// counted and run on a host. What it cannot translate ends the run with an
/// error that quotes the instruction.
struct LowerPtxPass : llvm::PassInfoMixin<LowerPtxPass> {
  llvm::PreservedAnalyses run(llvm::Module &, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

/// Calls `ioflor_access` before every access that may reach slow memory, with
/// the instruction's number and the trip numbers (from 0) of the loops around
/// it, outermost first.
struct CountPass : llvm::PassInfoMixin<CountPass> {
  llvm::PreservedAnalyses run(llvm::Module &, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

/// Retargets a device module to the host: intrinsics become calls into the
/// runtime, shared memory becomes plain globals, and each kernel gets a thunk
/// and an entry in a table by name.
struct RetargetPass : llvm::PassInfoMixin<RetargetPass> {
  llvm::PreservedAnalyses run(llvm::Module &, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

/// Ends the process with exit status 1 and `message` on standard error; for
/// input that the harness does not support.
[[noreturn]] void fail(const llvm::Twine &message);

} // namespace ioflor::harness

#endif
