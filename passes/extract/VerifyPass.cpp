//===- VerifyPass.cpp - ioflor-verify -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassManager.h"
#include "passes/Passes.h"
#include "passes/Pipeline.h"
#include "passes/extract/Extract.h"
#include "passes/extract/Extractor.h"
#include "passes/extract/Shapes.h"
#include "passes/output/Certificate.h"

namespace ioflor {
#define GEN_PASS_DEF_IOFLORVERIFY
#include "passes/extract/ExtractPasses.h.inc"
} // namespace ioflor

using namespace mlir;
using namespace ioflor;

namespace {

/// Whether the module says itself what is fast: launches, memory spaces.
bool namesSpaces(ModuleOp module) {
  bool found = false;
  module.walk([&](Operation *op) {
    found |= isa<gpu::LaunchOp, gpu::LaunchFuncOp, gpu::GPUFuncOp>(op) ||
             op->getName().getDialectNamespace() == "tt";
    for (Type t : op->getResultTypes())
      if (auto m = dyn_cast<MemRefType>(t))
        found |= bool(m.getMemorySpace());
  });
  return found;
}

struct VerifyPass : ioflor::impl::IoflorVerifyBase<VerifyPass> {
  using IoflorVerifyBase::IoflorVerifyBase;

  bool wants(StringRef id) {
    if (remarks == "none")
      return false;
    if (remarks == "all")
      return true;
    SmallVector<StringRef> ids;
    StringRef chosen = remarks.getValue();
    (chosen.empty() ? StringRef("certified,inconclusive") : chosen)
        .split(ids, ',');
    return llvm::is_contained(ids, id) ||
           (id.consume_front("ioflor-") && llvm::is_contained(ids, id));
  }

  void report(FindingOp finding) {
    StringRef severity = finding.getSeverity(), id = finding.getId();
    if (severity == "remark" && !wants(id))
      return;
    Location loc = finding.getLoc();
    InFlightDiagnostic d = severity == "remark"       ? mlir::emitRemark(loc)
                           : severity == "warning"    ? mlir::emitWarning(loc)
                           : onViolation == "error"   ? mlir::emitError(loc)
                           : onViolation == "warning" ? mlir::emitWarning(loc)
                                                      : mlir::emitRemark(loc);
    d << finding.getMessage() << " [" << id << "]";
    for (mlir::Attribute note : finding.getNotes())
      if (auto text = dyn_cast<StringAttr>(note))
        d.attachNote() << text.getValue();
  }

  void runOnOperation() override {
    markAllAnalysesPreserved();
    ModuleOp module = getOperation();
    if (onViolation != "remark" && onViolation != "warning" &&
        onViolation != "error") {
      module.emitError() << "on-violation: '" << onViolation.getValue()
                         << "' is none of remark, warning, error";
      return signalPassFailure();
    }
    OwningOpRef<ModuleOp> skeletons = ModuleOp::create(module.getLoc());
    int count = extract::extractSubjects(module, *skeletons, functions);
    if (count < 0)
      return signalPassFailure();
    if (count > 0) {
      IoflorOptions options;
      options.fastWords = fastWords;
      options.target = target;
      options.floors = floors;
      options.mode = mode.empty() ? (namesSpaces(module) ? "explicit" : "cache")
                                  : mode.getValue();
      options.maxRatio = maxRatio;
      options.smt2 = smt2;
      PassManager roles(module.getContext());
      roles.nest<SubjectOp>().addPass(createIoflorRoles());
      OwningOpRef<ModuleOp> roled = skeletons->clone();
      if (failed(roles.run(*roled)))
        return signalPassFailure();
      for (auto [subject, found] : llvm::zip(skeletons->getOps<SubjectOp>(),
                                             roled->getOps<SubjectOp>()))
        extract::shareDimensions(subject, found);
      PassManager pm(module.getContext());
      buildIoflorPipeline(pm, options);
      if (failed(pm.run(*skeletons)))
        return signalPassFailure();
      bool flagged = false;
      skeletons->walk([&](FindingOp f) {
        report(f);
        flagged |= f.getSeverity() == "flag";
      });
      if (flagged && onViolation == "error")
        signalPassFailure();
    }
    if (!certificate.empty()) {
      std::string error;
      CertificateOptions options{fastWords, target, mode};
      if (!writeCertificate(*skeletons, certificate, error, options)) {
        module.emitError() << "cannot write the certificate: " << error;
        signalPassFailure();
      }
    }
  }
};
} // namespace
