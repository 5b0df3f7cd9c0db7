//===- Phase.h - The share of work of one pass -------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every pass does its work inside one PhaseScope (see dialect/expr/Work.h for
// what a unit is). Where the units run out, the subject's attribute
// `ioflor.exhausted` says in which phase, and ioflor-judge puts "analysis
// budget exhausted in PHASE" among the reasons of the verdict.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_PHASE_H
#define IOFLOR_PASSES_PHASE_H

#include "dialect/expr/Work.h"
#include "dialect/ir/Ioflor.h"
#include "mlir/IR/Builders.h"

namespace ioflor {

inline constexpr llvm::StringLiteral exhaustedAttr = "ioflor.exhausted";

/// Units for one phase of one subject where no scope is around it (ioflor-opt).
inline constexpr uint64_t phaseUnits = 4'000'000;

/// The reason of a verdict that work in `phases` ended too soon for.
inline std::string exhaustedIn(llvm::StringRef phases) {
  return ("analysis budget exhausted in " + phases +
          "; the plugin's argument 'budget' allows more")
      .str();
}

/// The reason of `subject` by the phases that ran out; "" if none did.
inline std::string whyExhausted(SubjectOp subject) {
  std::string phases;
  if (auto all = subject->getAttrOfType<mlir::ArrayAttr>(exhaustedAttr))
    for (auto phase : all.getAsRange<mlir::StringAttr>())
      phases += (phases.empty() ? "" : ", ") + phase.getValue().str();
  return phases.empty() ? "" : exhaustedIn(phases);
}

/// `phase` of `subject` did not come to its end.
inline bool isExhausted(SubjectOp subject, llvm::StringRef phase) {
  auto all = subject->getAttrOfType<mlir::ArrayAttr>(exhaustedAttr);
  return all && llvm::is_contained(
                    all, mlir::StringAttr::get(subject.getContext(), phase));
}

/// Says at `subject` that `phase` did not come to its end.
inline void noteExhausted(SubjectOp subject, llvm::StringRef phase) {
  mlir::Builder b(subject.getContext());
  llvm::SmallVector<mlir::Attribute> all;
  if (auto old = subject->getAttrOfType<mlir::ArrayAttr>(exhaustedAttr))
    llvm::append_range(all, old);
  mlir::Attribute name = b.getStringAttr(phase);
  if (!llvm::is_contained(all, name))
    all.push_back(name);
  subject->setAttr(exhaustedAttr, b.getArrayAttr(all));
}

/// A WorkScope of one pass on one subject. `phase` is a constant text such as
/// "counting". At most `percent` of what is left of the subject's work, so that
/// what comes later has a share too.
class PhaseScope {
public:
  PhaseScope(SubjectOp subject, const char *phase, unsigned percent)
      : subject(subject), phase(phase), scope(phase, share(percent)) {}
  ~PhaseScope() {
    if (!forgiven && scope.ranOut())
      noteExhausted(subject, phase);
  }

  /// What was found is enough even if the units ran out.
  void forgive() { forgiven = true; }
  const WorkScope &work() const { return scope; }

private:
  static uint64_t share(unsigned percent) {
    uint64_t left = WorkScope::left();
    return left == UINT64_MAX ? phaseUnits : left / 100 * percent;
  }

  SubjectOp subject;
  const char *phase;
  WorkScope scope;
  bool forgiven = false;
};

} // namespace ioflor

#endif // IOFLOR_PASSES_PHASE_H
