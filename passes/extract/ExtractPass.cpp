//===- ExtractPass.cpp - ioflor-extract -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/extract/Extract.h"
#include "passes/extract/Extractor.h"

namespace ioflor {
#define GEN_PASS_DEF_IOFLOREXTRACT
#include "passes/extract/ExtractPasses.h.inc"
} // namespace ioflor

using namespace mlir;
using namespace ioflor;

bool extract::writeSubjects(ArrayRef<Function> functions, ModuleOp to,
                            const ExtractOptions &options) {
  for (const Function &f : functions) {
    OpBuilder builder = OpBuilder::atBlockEnd(to.getBody());
    if (!Extractor(f.function, f.name, builder, options).run())
      return false;
  }
  return true;
}

namespace {
struct ExtractPass : ioflor::impl::IoflorExtractBase<ExtractPass> {
  using IoflorExtractBase::IoflorExtractBase;
  void runOnOperation() override {
    std::vector<extract::Function> found;
    extract::Fragment fragment;
    if (!extract::functionsOf(getOperation(), functions, found, fragment) ||
        !extract::writeSubjects(found, getOperation(), {grid, block, assumed}))
      signalPassFailure();
  }
};
} // namespace
