// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers the harness passes with opt.

#include "test/harness/pass/Passes.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace llvm;

void ioflor::harness::fail(const Twine &message) {
  errs() << "ioflor-harness: error: " << message << "\n";
  std::exit(1);
}

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "ioflor-harness", "1", [](PassBuilder &pb) {
            pb.registerPipelineParsingCallback(
                [](StringRef name, ModulePassManager &passes,
                   ArrayRef<PassBuilder::PipelineElement>) {
                  using namespace ioflor::harness;
                  if (name == "harness-prepare")
                    passes.addPass(PreparePass());
                  else if (name == "harness-lower-ptx")
                    passes.addPass(LowerPtxPass());
                  else if (name == "harness-count")
                    passes.addPass(CountPass());
                  else if (name == "harness-retarget")
                    passes.addPass(RetargetPass());
                  else
                    return false;
                  return true;
                });
          }};
}
