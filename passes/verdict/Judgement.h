//===- Judgement.h - Findings under way --------------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_VERDICT_JUDGEMENT_H
#define IOFLOR_PASSES_VERDICT_JUDGEMENT_H

#include "passes/verdict/View.h"

namespace ioflor::verdict {

/// One diagnostic. Texts are lower case, without a final period.
struct Finding {
  std::string id;
  std::string severity; ///< flag, warning, remark
  std::string message;
  std::vector<std::string> notes;
  mlir::DictionaryAttr witness;
  std::string insert; ///< fix-it before the function's declaration
  mlir::Location at;
};

/// What the rules share and add to.
struct Judgement {
  explicit Judgement(SubjectOp subject) : view(subject), at(subject.getLoc()) {}

  View view;
  mlir::Location at; ///< of the subject
  std::optional<floors::GivenFastWords> given;
  std::string maxRatio; ///< as given
  std::vector<Finding> findings;
  /// Reasons why the traffic is not proved, for the verdict.
  std::vector<std::string> open;
  /// Reasons why coverage is not proved.
  std::vector<std::string> uncovered;

  Finding &add(llvm::StringRef id, llvm::StringRef severity,
               std::string message, mlir::Location where);
  bool flagged() const;
};

// The rules, each in its file. They assume that view.problem is there.

/// ioflor-uncovered-input, -uncovered-pairs and their kind, from what the
/// executions refuted; fills `uncovered` with what is not proved. First of all.
void judgeCoverage(Judgement &j);
/// A finding says already that what a floor is against is not covered.
bool isUncovered(const Judgement &j, llvm::StringRef against);
/// ioflor-sub-floor and ioflor-disclosure-mismatch; fills `open`.
void judgeFloors(Judgement &j);
/// ioflor-claim.
void judgeClaim(Judgement &j);
/// ioflor-materialized-scores, ioflor-footprint.
void warnOfScores(Judgement &j);
void warnOfFootprint(Judgement &j);
/// ioflor-ratio. False with `error` where the limit is no number.
bool warnOfRatio(Judgement &j, std::string &error);
/// ioflor-redundant-load, ioflor-inconclusive at what caused it.
void remarkRedundantLoads(Judgement &j);
void remarkUnread(Judgement &j);

/// Traffic over the best floor at a typical size.
struct RatioText {
  std::string main; ///< `26.7x the tight floor at sm_80 (N = 4096)`; may be ""
  std::vector<std::string> notes; ///< the words, M, and whose floor it is
};
RatioText ratioText(const Judgement &j);

/// The innermost sequential loop around the first access of an operand, else
/// the access, else the subject.
mlir::Location placeOf(const Judgement &j, llvm::StringRef against);

/// `N = 65, d = 128` of a witness, without its results.
std::string sizesText(const Judgement &j, mlir::DictionaryAttr witness);
/// `exact`, `causal`, `window(256)` ... attention.
std::string attentionText(const floors::Problem &p);

/// `e`, or where that is over 200 characters its leading terms and how many
/// more there are; the certificate has all.
std::string exprText(const Expr &e);
/// Does this size belong to a launch that is not in the file?
bool isUnlaunched(llvm::StringRef symbol);
/// `words` as a range where they are one.
std::string wordsText(const Words &w);

} // namespace ioflor::verdict

#endif // IOFLOR_PASSES_VERDICT_JUDGEMENT_H
