//===- VerifyPass.cpp - ioflor-verify -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Remarks.h"
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

  /// The finding as a diagnostic, and for machines as a remark of MLIR's engine
  /// (mlir-opt --remarks-filter=ioflor --remark-format=yaml).
  void report(FindingOp finding, StringRef function, StringRef counted) {
    StringRef severity = finding.getSeverity(), id = finding.getId();
    Location loc = finding.getLoc();
    SmallVector<StringRef> notes;
    bool derives = false;
    for (mlir::Attribute note : finding.getNotes())
      if (auto text = dyn_cast<StringAttr>(note)) {
        notes.push_back(text.getValue());
        derives |= text.getValue().starts_with("derived:");
      }
    if (derives)
      notes.push_back(counted);
    {
      auto options =
          remark::RemarkOpts::name(id).category("ioflor").function(function);
      auto remark = id == "ioflor-certified" ? remark::passed(loc, options)
                    : severity == "flag" || severity == "warning"
                        ? remark::missed(loc, options)
                        : remark::analysis(loc, options);
      if (remark) {
        remark << remark::metric("Message", finding.getMessage());
        for (StringRef note : notes)
          remark << remark::metric("Note", note);
      }
    }
    if (severity == "remark" && !wants(id))
      return;
    InFlightDiagnostic d = severity == "remark"       ? mlir::emitRemark(loc)
                           : severity == "warning"    ? mlir::emitWarning(loc)
                           : onViolation == "error"   ? mlir::emitError(loc)
                           : onViolation == "warning" ? mlir::emitWarning(loc)
                                                      : mlir::emitRemark(loc);
    d << finding.getMessage() << " [" << id << "]";
    for (StringRef note : notes)
      d.attachNote() << note;
  }

  /// A function that was asked for and is no attention: what it moves.
  void reportOther(SubjectOp subject, StringRef name, StringRef missing) {
    if (!wants("ioflor-inconclusive"))
      return;
    InFlightDiagnostic d = mlir::emitRemark(subject.getLoc());
    d << "no attention was found in '" << name << "': " << missing
      << " [ioflor-inconclusive]";
    for (CountOp count : subject.getOps<CountOp>()) {
      if (count.getMeasure() != "traffic")
        continue;
      Expr lo = count.getLo();
      std::optional<Expr> hi = count.getHi();
      Diagnostic &note = d.attachNote();
      note << count.getDirection() << " of '" << count.getBuffer() << "': ";
      if (hi && *hi == lo)
        note << lo.str();
      else if (hi)
        note << "between " << lo.str() << " and " << hi->str();
      else
        note << "at least " << lo.str();
      note << " words";
    }
  }

  /// A function with the signs of an attention in which none was found may be
  /// one: what was not followed stood between.
  void reportUnread(SubjectOp subject, StringRef name) {
    UnknownOp first;
    subject.walk([&](UnknownOp u) {
      first = u;
      return WalkResult::interrupt();
    });
    if (first && wants("ioflor-inconclusive"))
      mlir::emitRemark(first.getLoc())
          << "no attention was found in '" << name << "': " << first.getReason()
          << " [ioflor-inconclusive]";
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
    std::vector<extract::Function> found;
    extract::Fragment fragment;
    if (!extract::functionsOf(module, functions, found, fragment))
      return signalPassFailure();
    // Beside the module, so that this stays as it is.
    OwningOpRef<ModuleOp> skeletons = ModuleOp::create(module.getLoc());
    if (!extract::writeSubjects(found, *skeletons, {grid, block, assumed}))
      return signalPassFailure();
    if (found.empty() && fragment.at && wants("ioflor-inconclusive")) {
      InFlightDiagnostic d = mlir::emitRemark(fragment.at->getLoc());
      d << "no attention was found in '" << fragment.name
        << "': " << fragment.missing;
      if (fragment.functions > 1)
        d << "; nor in " << fragment.functions - 1 << " more functions";
      d << " [ioflor-inconclusive]";
    }
    // Every verdict and certificate says which it was.
    std::string chosen = !mode.empty() ? mode.getValue()
                         : !found.empty() && namesSpaces(module) ? "explicit"
                                                                 : "cache";
    if (!found.empty()) {
      IoflorOptions options;
      options.fastWords = fastWords;
      options.target = target;
      options.floors = floors;
      options.mode = chosen;
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
      StringRef counted =
          options.mode == "cache"
              ? "counted: what an ideal cache of M words moves (mode=cache)"
              : "counted: what crosses memory spaces (mode=explicit)";
      bool flagged = false;
      extract::NameSigns names;
      for (auto [subject, from] :
           llvm::zip(skeletons->getOps<SubjectOp>(), found)) {
        for (FindingOp f : subject.getOps<FindingOp>()) {
          report(f, from.name, counted);
          flagged |= f.getSeverity() == "flag";
        }
        for (VerdictOp v : subject.getOps<VerdictOp>())
          if (v.getVerdict() == "not-attention") {
            if (!functions.empty())
              reportOther(subject, from.name,
                          extract::signsOf(from.function, names).missing());
            else
              reportUnread(subject, from.name);
          }
      }
      if (flagged && onViolation == "error")
        signalPassFailure();
    }
    if (!certificate.empty()) {
      std::string error;
      CertificateOptions options{fastWords, target, chosen};
      if (!writeCertificate(*skeletons, certificate, error, options)) {
        module.emitError() << "cannot write the certificate: " << error;
        signalPassFailure();
      }
    }
  }
};
} // namespace
