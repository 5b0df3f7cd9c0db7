//===- Pipeline.cpp - From a skeleton to a verdict ------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Pipeline.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "passes/Passes.h"

using namespace mlir;

namespace ioflor {
namespace generated {
#define GEN_PASS_REGISTRATION
#include "passes/Passes.h.inc"
} // namespace generated
} // namespace ioflor

using namespace ioflor;

void ioflor::buildIoflorPipeline(OpPassManager &pm,
                                 const IoflorOptions &options) {
  OpPassManager &subjects = pm.nest<SubjectOp>();
  subjects.addPass(createIoflorRoles());
  subjects.addPass(createIoflorTraffic({options.mode}));
  subjects.addPass(createIoflorCheckExtents());
  subjects.addPass(createIoflorCoverSets({false, options.coverOperations}));
  subjects.addPass(createIoflorCoverExec({options.coverSteps}));
  subjects.addPass(
      createIoflorFloors({options.fastWords, options.target, options.floors}));
  subjects.addPass(createIoflorProve(
      {options.fastWords, options.target, options.rlimit, options.smt2}));
  subjects.addPass(
      createIoflorJudge({options.fastWords, options.target, options.maxRatio}));
}

namespace {

/// The options of `--ioflor='...'`.
struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
  Option<std::string> fastWords{*this, "M", llvm::cl::init("")};
  Option<std::string> target{*this, "target", llvm::cl::init("")};
  Option<std::string> floors{*this, "floor", llvm::cl::init("")};
  Option<std::string> mode{*this, "mode", llvm::cl::init("explicit")};
  Option<std::string> maxRatio{*this, "max-ratio", llvm::cl::init("")};
  Option<std::string> smt2{*this, "smt2", llvm::cl::init("")};
  Option<uint64_t> rlimit{*this, "rlimit", llvm::cl::init(0)};
};

} // namespace

void ioflor::registerIoflorPasses() {
  generated::registerIoflorGeneratedPasses();
  PassPipelineRegistration<PipelineOptions>(
      "ioflor", "roles, traffic, floors, proof and verdict of every subject",
      [](OpPassManager &pm, const PipelineOptions &o) {
        IoflorOptions options;
        options.fastWords = o.fastWords;
        options.target = o.target;
        options.floors = o.floors;
        options.mode = o.mode;
        options.maxRatio = o.maxRatio;
        options.smt2 = o.smt2;
        options.rlimit = o.rlimit;
        buildIoflorPipeline(pm, options);
      });
}
