//===- CoverageRule.cpp - What is covered, by proof and by execution ------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A flag rests on an execution: sizes that every assumption allows, and the
// entry or pair. Certified rests on proofs for all sizes. Where the two
// contradict each other neither is believed.
//
//===----------------------------------------------------------------------===//
#include "passes/verdict/Judgement.h"
#include "passes/verdict/Suggest.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::verdict;
using floors::MaskKind;

static constexpr StringRef allCovered[] = {"q", "k", "v", "o", "pairs"};

/// `Q`, `the pairs`.
static std::string thing(StringRef what) {
  return what == "pairs" ? "the pairs" : what.upper();
}

static CoverageOp coverage(const Judgement &j, StringRef what, StringRef by) {
  SubjectOp subject = j.view.subject;
  for (auto c : subject.getBody().getOps<CoverageOp>())
    if (c.getWhat() == what && c.getBy() == by)
      return c;
  return {};
}

/// What coverage the disclosure asks for. Declared sparsity and masks decided
/// at run time cannot be compared with anything.
static bool asksFor(const floors::Problem &p, StringRef what) {
  if (what == "v" && p.dims.aliasedKV)
    return false;
  if (p.mask.kind == MaskKind::Approximate)
    return what != "pairs";
  return true;
}

static bool sameMask(const floors::Problem &p, CoverageOp proved) {
  StringRef mask = proved.getMask().value_or("");
  if (p.mask.kind == MaskKind::Exact)
    return mask == "full";
  if (mask != floors::maskName(p.mask.kind))
    return false;
  bool window = p.mask.kind == MaskKind::Window ||
                p.mask.kind == MaskKind::WindowSymmetric;
  return !window || (proved.getW() && *proved.getW() == p.mask.w);
}

static std::string disagreement(const Judgement &j) {
  SubjectOp subject = j.view.subject;
  for (StringRef what : allCovered) {
    CoverageOp proof = coverage(j, what, "sets");
    if (!proof || proof.getState() != "proved")
      continue;
    for (auto run : subject.getBody().getOps<CoverageOp>()) {
      if (run.getBy() != "execution" || run.getWhat() != what)
        continue;
      auto id = run->getAttrOfType<StringAttr>("ioflor.id");
      StringRef mask = run.getMask().value_or("");
      bool contradicts =
          run.getState() == "refuted"
              // A proof that pairs are a mask agrees with the pairs beyond it
              // being missing.
              ? !(what == "pairs" && proof.getMask() &&
                  mask == *proof.getMask()) &&
                    !(id && id.getValue().starts_with("ioflor-over-"))
              : run.getState() == "agrees" && what == "pairs" &&
                    proof.getMask() && mask != *proof.getMask();
      if (contradicts)
        return "internal: the proof for " + thing(what) +
               " disagrees with an execution";
    }
  }
  return "";
}

/// The annotation that declares the computed pairs; "" where none does.
static std::string maskAnnotation(CoverageOp c) {
  std::string w = c.getW() ? c.getW()->str() : "";
  return llvm::StringSwitch<std::string>(c.getMask().value_or(""))
      .Case("causal", "IOFLOR_CAUSAL")
      .Case("causal_top_left", "IOFLOR_CAUSAL_TOP_LEFT")
      .Case("window", "IOFLOR_WINDOW(" + w + ")")
      .Case("window_symmetric", "IOFLOR_WINDOW_SYMMETRIC(" + w + ")")
      .Default("");
}

static void flag(Judgement &j, CoverageOp c) {
  auto idAttr = c->getAttrOfType<StringAttr>("ioflor.id");
  if (!idAttr || !c.getWitness())
    return;
  std::string id = idAttr.getValue().str();
  StringRef what = c.getWhat();
  const floors::Problem &p = *j.view.problem;
  std::string sizes = sizesText(j, *c.getWitness());
  std::string text =
      c.getReason().value_or("").str() + (sizes.empty() ? "" : " at " + sizes);
  if (id == "ioflor-disclosure-mismatch")
    text = "declared " + floors::maskName(p.mask.kind).str() + ", but " + text;
  std::string lack = j.view.lackOfEvidence(what == "pairs" ? "total" : what);
  if (!lack.empty()) {
    j.uncovered.push_back(text + ", but there is " + lack);
    return;
  }
  Finding &f = j.add(id, "flag", std::move(text), c.getLoc());
  f.witness = *c.getWitness();
  if (auto mask = c->getAttrOfType<StringAttr>("ioflor.mask_text")) {
    std::string note = "what is computed amounts to " + mask.getValue().str();
    if (c.getPairs())
      note += ": " + c.getPairs()->str() + " pairs a head";
    f.notes.push_back(std::move(note));
  }
  if (id == "ioflor-uncovered-pairs" && !p.disclosed) {
    std::string declare = maskAnnotation(c);
    if (declare.empty()) {
      // An execution saw the pairs: they are no mask that has a name.
      Suggestion s = suggestApproximation();
      f.notes.push_back(s.note);
      f.insert = s.insert;
    } else {
      // Said with the fix-it.
      f.insert = declare + " ";
    }
  }
}

void ioflor::verdict::judgeCoverage(Judgement &j) {
  SubjectOp subject = j.view.subject;
  const floors::Problem &p = *j.view.problem;
  if (std::string why = disagreement(j); !why.empty()) {
    j.uncovered.push_back(why);
    return;
  }
  for (auto c : subject.getBody().getOps<CoverageOp>())
    if (c.getState() == "refuted")
      flag(j, c);
  if (p.mask.kind == MaskKind::Sparse || p.mask.kind == MaskKind::MaskedBy) {
    j.uncovered.push_back("which pairs " + attentionText(p) +
                          " needs is not declared");
    return;
  }
  // A cache with a capacity, or the bound of another operand: nothing but the
  // author can tell.
  for (auto buffer : subject.getBody().getOps<BufferOp>())
    if (auto text = buffer->getAttrOfType<StringAttr>("ioflor.capacity"))
      j.uncovered.push_back("which rows there are is not known: " +
                            text.str() + "; say it by IOFLOR_EXTENT(" +
                            buffer.getSymName().str() + ", rows, columns)");
  for (StringRef what : allCovered) {
    if (!asksFor(p, what))
      continue;
    CoverageOp proof = coverage(j, what, "sets"),
               run = coverage(j, what, "execution");
    if (run && run.getState() == "refuted")
      continue; // said above
    if (proof && proof.getState() == "proved" &&
        (what != "pairs" || sameMask(p, proof)))
      continue;
    std::string why = "coverage of " + thing(what) + " is not proved";
    if (proof && proof.getState() == "proved")
      why += ": proved are the pairs of another mask, " +
             proof.getMask().value_or("").str();
    else if (proof && proof.getReason())
      why += ": " + proof.getReason()->str();
    if (run && run.getState() == "agrees")
      why += "; executions at " + std::to_string(run.getChecked()) +
             " sizes cover " +
             (run.getMask() && *run.getMask() != "full"
                  ? std::string(*run.getMask())
                  : "all");
    else if (run && run.getReason())
      why += "; execution: " + run.getReason()->str();
    j.uncovered.push_back(std::move(why));
  }
}

bool ioflor::verdict::isUncovered(const Judgement &j, StringRef against) {
  return llvm::any_of(j.findings, [&](const Finding &f) {
    if (f.id != "ioflor-uncovered-input" && f.id != "ioflor-unwritten-output")
      return false;
    // `row 3 of K is never read`: which operand is in the coverage.
    SubjectOp subject = j.view.subject;
    for (auto c : subject.getBody().getOps<CoverageOp>()) {
      auto id = c->getAttrOfType<StringAttr>("ioflor.id");
      if (!id || id.getValue() != f.id || c.getWitness() != f.witness)
        continue;
      StringRef what = c.getWhat();
      if (what == against || (against == "loads" && what != "o") ||
          (against == "qk" && (what == "q" || what == "k")))
        return true;
    }
    return false;
  });
}
