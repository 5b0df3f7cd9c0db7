//===- Pipeline.h - From a skeleton to a verdict -----------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one entry point of the passes, which every door (Clang plugin, tools,
// MLIR plugin) uses.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_PIPELINE_H
#define IOFLOR_PASSES_PIPELINE_H

#include "mlir/Pass/PassManager.h"
#include <cstdint>
#include <string>

namespace ioflor {

/// What the user chose. Texts are as given; each pass checks its own.
struct IoflorOptions {
  /// Fast words M of one CTA, an expression; empty: every admissible M.
  std::string fastWords;
  /// Architecture that gives M (`sm_80`); empty: none.
  std::string target;
  /// Optional floors, joined by commas.
  std::string floors;
  /// `explicit` or `cache`.
  std::string mode = "explicit";
  /// Warn where traffic exceeds this multiple of the floor; empty: never.
  std::string maxRatio;
  /// Folder for SMT-LIB files; empty: none.
  std::string smt2;
  /// Operations of single threads that the executions for coverage of one
  /// subject may take together.
  uint64_t coverSteps = 28'000'000;
  /// Operations on integer sets that its proof of coverage may take.
  uint64_t coverOperations = 20'000'000;
  /// Resource limit of one query; 0: the built-in one.
  uint64_t rlimit = 0;
};

/// Adds ioflor-roles, ioflor-traffic, ioflor-floors, ioflor-prove and
/// ioflor-judge for every ioflor.subject of a module.
void buildIoflorPipeline(mlir::OpPassManager &pm, const IoflorOptions &options);

/// Makes the passes and the pipeline (`--ioflor`) known to textual pipelines.
void registerIoflorPasses();

} // namespace ioflor

#endif // IOFLOR_PASSES_PIPELINE_H
