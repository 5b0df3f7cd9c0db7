//===- ClaimRule.cpp - IOFLOR_CLAIM_WORDS ---------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/prover/Witness.h"
#include "passes/verdict/Judgement.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::verdict;

namespace {

/// Sizes at which `violation` is at least 1.
std::optional<Valuation> search(const Judgement &j, const Expr &violation,
                                const std::vector<Cond> &hypotheses) {
  prover::WitnessQuery query;
  query.known = collectAssumptions(j.view.subject);
  query.hypotheses = j.view.assumptions;
  query.hypotheses.insert(query.hypotheses.end(), hypotheses.begin(),
                          hypotheses.end());
  query.violation = violation;
  query.sweep = j.view.lengthSymbols();
  return prover::findWitness(query);
}

DictionaryAttr witnessOf(const Judgement &j, const Valuation &at,
                         const BigInt &words, const BigInt *floor) {
  SubjectOp subject = j.view.subject;
  Builder b(subject.getContext());
  SmallVector<NamedAttribute> entries;
  for (auto symbol : subject.getBody().getOps<SymbolOp>()) {
    auto it = at.find(symbol.getName().str());
    if (it != at.end() && symbol.getName() != "words" &&
        symbol.getName() != "floor")
      entries.push_back(b.getNamedAttr(symbol.getName(),
                                       b.getStringAttr(decimal(it->second))));
  }
  entries.push_back(b.getNamedAttr("words", b.getStringAttr(decimal(words))));
  if (floor)
    entries.push_back(
        b.getNamedAttr("floor", b.getStringAttr(decimal(*floor))));
  return b.getDictionaryAttr(entries);
}

/// The claim against num / den; true if it was flagged.
bool belowFloor(Judgement &j, const Expr &claim, StringRef kind, Expr num,
                Expr den, std::vector<Cond> hypotheses) {
  const floors::Problem &p = *j.view.problem;
  auto M = j.view.fastWordsForFlags(j.given);
  StringRef m = p.fastWords.name();
  if (num.dependsOn(m) || den.dependsOn(m)) {
    if (!M)
      return false;
    num = num.substitute(m, *M);
    den = den.substitute(m, *M);
    for (Cond &h : hypotheses)
      h = h.substitute({{m.str(), *M}});
  }
  auto at = search(j, num - claim * den, hypotheses);
  if (!at)
    return false;
  auto words = evaluate(claim, *at), top = evaluate(num, *at),
       bottom = evaluate(den, *at);
  if (!words || !top || !bottom || *bottom < 1)
    return false;
  BigInt floor = (*top + *bottom - 1) / *bottom;
  DictionaryAttr witness = witnessOf(j, *at, *words, &floor);
  std::string sizes = sizesText(j, witness);
  Finding &f = j.add("ioflor-claim", "flag",
                     "claims " + decimal(*words) + " words" +
                         (sizes.empty() ? "" : " at " + sizes) + "; " +
                         attentionText(p) + " needs at least " + decimal(floor),
                     j.at);
  f.witness = witness;
  f.notes.push_back(
      "claimed: " + claim.str() + " words; floor (" + kind.str() + "): " +
      (den.isOne() ? exprText(num) + " words"
                   : "(" + exprText(num) + ")/(" + exprText(den) + ") words"));
  return true;
}

/// The claim against one end of the derived traffic; true if it was flagged.
bool differs(Judgement &j, const Expr &claim, const Expr &derived, bool above) {
  auto at = search(j, above ? claim - derived : derived - claim, {});
  if (!at)
    return false;
  auto words = evaluate(claim, *at), moved = evaluate(derived, *at);
  if (!words || !moved || *words == *moved)
    return false;
  DictionaryAttr witness = witnessOf(j, *at, *words, nullptr);
  std::string sizes = sizesText(j, witness);
  Words total = j.view.against("total");
  Finding &f =
      j.add("ioflor-claim", "flag",
            "claims " + decimal(*words) + " words" +
                (sizes.empty() ? "" : " at " + sizes) + "; the kernel moves " +
                (total.exact() ? ""
                 : above       ? "at most "
                               : "at least ") +
                decimal(*moved),
            j.at);
  f.witness = witness;
  f.notes.push_back("claimed: " + claim.str() +
                    " words; derived: " + wordsText(total) + " words");
  return true;
}

} // namespace

void ioflor::verdict::judgeClaim(Judgement &j) {
  SubjectOp subject = j.view.subject;
  std::optional<Expr> claim = subject.getClaimWords();
  if (!claim)
    return;
  const floors::Problem &p = *j.view.problem;
  // A claim may speak of M; it is held to what is given.
  if (claim->dependsOn(p.fastWords.name())) {
    if (!j.given)
      return;
    claim = claim->substitute(p.fastWords.name(), j.given->atMost);
  }
  bool evidence = j.view.lackOfEvidence("total").empty();
  bool decided = p.mask.kind != floors::MaskKind::MaskedBy && evidence;
  floors::Work work = floors::workOf(p.dims, p.mask);
  for (StringRef kind : {"scan", "saha-ye"})
    for (const floors::Floor &f :
         floors::symbolicFloors(p.dims, p.mask, p.fastWords))
      if (auto total = floors::asTotal(f, work);
          decided && f.kind == kind && total &&
          belowFloor(j, *claim, f.kind, total->num, total->den,
                     total->hypotheses))
        return;
  if (!j.view.notExecuted().empty())
    return;
  Words total = j.view.against("total");
  if (differs(j, *claim, total.lo, /*above=*/false))
    return;
  if (total.hi)
    differs(j, *claim, *total.hi, /*above=*/true);
}
