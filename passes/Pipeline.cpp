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
// In a namespace of its own: the generated registerIoflorPasses() takes in
// every pass, ours only those that are built.
namespace generated {
#define GEN_PASS_REGISTRATION
#include "passes/Passes.h.inc"
} // namespace generated
} // namespace ioflor

using namespace ioflor;

// IOFLOR_HAVE_* come from ioflor_pass() in the folders' CMake files.
void ioflor::buildIoflorPipeline(OpPassManager &pm,
                                 const IoflorOptions &options) {
  OpPassManager &subjects = pm.nest<SubjectOp>();
#ifdef IOFLOR_HAVE_ROLES
  subjects.addPass(createIoflorRoles());
#endif
#ifdef IOFLOR_HAVE_TRAFFIC
  subjects.addPass(createIoflorTraffic({options.mode, options.countWork}));
#endif
#ifdef IOFLOR_HAVE_EXTENTS
  subjects.addPass(createIoflorCheckExtents());
#endif
#ifdef IOFLOR_HAVE_FLOORS
  subjects.addPass(
      createIoflorFloors({options.fastWords, options.target, options.floors}));
#endif
#ifdef IOFLOR_HAVE_PROVE
  subjects.addPass(createIoflorProve(
      {options.fastWords, options.target, options.rlimit, options.smt2}));
#endif
#ifdef IOFLOR_HAVE_JUDGE
  subjects.addPass(
      createIoflorJudge({options.fastWords, options.target, options.maxRatio}));
#endif
  (void)subjects;
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
#ifdef IOFLOR_HAVE_ROLES
  generated::registerIoflorRoles();
#endif
#ifdef IOFLOR_HAVE_TRAFFIC
  generated::registerIoflorTraffic();
#endif
#ifdef IOFLOR_HAVE_EXTENTS
  generated::registerIoflorCheckExtents();
#endif
#ifdef IOFLOR_HAVE_FLOORS
  generated::registerIoflorFloors();
#endif
#ifdef IOFLOR_HAVE_PROVE
  generated::registerIoflorProve();
#endif
#ifdef IOFLOR_HAVE_JUDGE
  generated::registerIoflorJudge();
#endif
#ifdef IOFLOR_HAVE_INTERPRET
  generated::registerIoflorInterpret();
#endif
#ifdef IOFLOR_HAVE_CERTIFICATE
  generated::registerIoflorCertificate();
#endif
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
