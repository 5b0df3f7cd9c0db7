//===- CoverSetsPass.cpp - ioflor-cover-sets ------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "passes/Passes.h"
#include "passes/Phase.h"
#include "passes/coverage/sets/Coverage.h"

namespace ioflor {
#define GEN_PASS_DEF_IOFLORCOVERSETS
#include "passes/Passes.h.inc"
} // namespace ioflor

using namespace mlir;
using namespace ioflor;
using namespace ioflor::sets;

namespace {
struct CoverSetsPass : ioflor::impl::IoflorCoverSetsBase<CoverSetsPass> {
  using IoflorCoverSetsBase::IoflorCoverSetsBase;

  void runOnOperation() override {
    SubjectOp subject = getOperation();
    // Without roles there is nothing to cover.
    if (!subject.getDimsAttr() || subject.getDimsAttr().empty())
      return;
    PhaseScope phase(subject, "coverage", 40);
    Proof proof = proveCoverage(subject, operations, explain);
    OpBuilder b(subject.getContext());
    b.setInsertionPointToEnd(&subject.getBody().front());
    Location at = proof.at.value_or(subject.getLoc());
    auto write = [&](StringRef what, bool proved) {
      StringAttr mask, reason;
      ExprAttr w;
      if (proved && what == "pairs") {
        mask = b.getStringAttr(proof.mask);
        if (proof.w)
          w = ExprAttr::get(b.getContext(), *proof.w);
      }
      if (!proved)
        reason = b.getStringAttr(proof.reason);
      CoverageOp::create(b, proved ? subject.getLoc() : at,
                         b.getStringAttr(what),
                         b.getStringAttr(proved ? "proved" : "undecided"),
                         b.getStringAttr("sets"), mask, w, ExprAttr(), reason,
                         DictionaryAttr(), b.getI64IntegerAttr(0));
    };
    // Every pair reads its row of Q, K and V whole.
    write("q", proof.pairs);
    write("k", proof.pairs && proof.keyHeads);
    write("v", proof.pairs && proof.keyHeads);
    write("o", proof.output);
    write("pairs", proof.pairs);
    if (!explain)
      return;
    std::string text = "coverage";
    for (const auto &[name, relation] : proof.relations)
      text += "\n  " + name + ": " + relation;
    if (!proof.pairs)
      text += "\n  undecided: " + proof.reason;
    else
      text += "\n  mask: " + proof.mask;
    emitRemark(at) << text;
  }
};
} // namespace
