//===- FloorsPass.cpp - ioflor-floors -------------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "mlir/IR/Builders.h"
#include "passes/Passes.h"
#include "passes/floors/Problem.h"

namespace ioflor {
#define GEN_PASS_DEF_IOFLORFLOORS
#include "passes/Passes.h.inc"
} // namespace ioflor

using namespace mlir;
using namespace ioflor;
using namespace ioflor::floors;

namespace {

class FloorsPass : public ioflor::impl::IoflorFloorsBase<FloorsPass> {
public:
  using IoflorFloorsBase::IoflorFloorsBase;

  void runOnOperation() override {
    SubjectOp subject = getOperation();
    std::set<std::string> chosen;
    SmallVector<StringRef> names;
    StringRef(floors).split(names, ',', -1, /*KeepEmpty=*/false);
    for (StringRef name : names) {
      name = name.trim();
      if (name == "network") {
        subject.emitError() << "floor 'network' is about several devices, not "
                               "about a kernel; see ioflor-floor network";
        return signalPassFailure();
      }
      // The first two always apply.
      static constexpr StringRef known[] = {"saha-ye", "scan",        "tight",
                                            "sharp",   "small-cache", "fmm"};
      if (!is_contained(known, name)) {
        subject.emitError() << "floor '" << name << "' is not known";
        return signalPassFailure();
      }
      chosen.insert(name.str());
    }
    std::string error;
    givenFastWords(subject, fastWords, target, error);
    if (!error.empty()) {
      subject.emitError() << error;
      return signalPassFailure();
    }
    for (auto old :
         llvm::make_early_inc_range(subject.getBody().getOps<FloorOp>()))
      old.erase();
    std::optional<Problem> problem = readProblem(subject);
    if (!problem)
      return;
    // `tight` is always told, and decides only on request.
    bool decides = chosen.insert("tight").second == false;
    OpBuilder b = OpBuilder::atBlockEnd(&subject.getBody().front());
    for (const Floor &f : symbolicFloors(problem->dims, problem->mask,
                                         problem->fastWords, chosen)) {
      SmallVector<Attribute> hypotheses;
      for (const Cond &h : f.hypotheses)
        hypotheses.push_back(CondAttr::get(&getContext(), h));
      auto op = FloorOp::create(b, subject.getLoc(), f.kind, f.against, f.num,
                                f.den, b.getArrayAttr(hypotheses), f.source);
      if (f.kind == "tight" && !decides)
        op->setAttr("reported_only", b.getUnitAttr());
    }
  }
};

} // namespace
