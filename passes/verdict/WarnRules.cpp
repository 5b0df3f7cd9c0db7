//===- WarnRules.cpp - Warnings about correct code ------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/prover/Witness.h"
#include "passes/roles/Roles.h"
#include "passes/verdict/Judgement.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::verdict;

void ioflor::verdict::warnOfScores(Judgement &j) {
  // The scores of one query are a row, which split kernels pass on anyhow.
  if (j.view.problem->dims.nQ.isOne())
    return;
  for (BufferOp scores : roles::materialisedScores(j.view.subject)) {
    Words loads = j.view.buffer(scores, "loads");
    Words stores = j.view.buffer(scores, "stores");
    if (loads.lo.isZero() && stores.lo.isZero() && loads.hi && stores.hi &&
        loads.hi->isZero() && stores.hi->isZero())
      continue;
    Location at = scores.getLoc();
    StringRef name = scores.getSymName();
    SubjectOp subject = j.view.subject;
    subject.walk<WalkOrder::PreOrder>([&](StoreOp store) {
      if (!isSlow(store) || store.getBuffer() != name)
        return WalkResult::advance();
      at = store.getLoc();
      return WalkResult::interrupt();
    });
    Words both = loads;
    both += stores;
    Finding &f = j.add("ioflor-materialized-scores", "warning",
                       "scores go through slow memory in '" +
                           scores.getDisplay().value_or(name).str() +
                           "': " + wordsText(both) +
                           " words that a fused kernel does not move",
                       at);
    f.notes.push_back("stored: " + wordsText(stores) +
                      " words; loaded: " + wordsText(loads) + " words");
    f.notes.push_back("compute softmax and the product with V tile by tile, "
                      "with a running maximum and sum");
  }
}

void ioflor::verdict::warnOfFootprint(Judgement &j) {
  if (!j.given)
    return;
  auto exceeds = [&](const Expr &need,
                     const Expr &limit) -> std::optional<Valuation> {
    prover::WitnessQuery query;
    query.known = collectAssumptions(j.view.subject);
    query.hypotheses = j.view.assumptions;
    query.violation = need - limit;
    for (const std::string &s : need.freeSymbols())
      query.sweep.push_back(s);
    return prover::findWitness(query);
  };
  auto at = [&](const Valuation &point, const Expr &need) {
    std::string out;
    SubjectOp subject = j.view.subject;
    for (auto symbol : subject.getBody().getOps<SymbolOp>()) {
      auto it = point.find(symbol.getName().str());
      if (it != point.end() && need.dependsOn(symbol.getName()))
        out += (out.empty() ? " at " : ", ") +
               symbol.getDisplay().value_or(symbol.getName()).str() + " = " +
               decimal(it->second);
    }
    return out;
  };
  const Expr &limit = j.given->atMost;
  if (j.view.footprintLo)
    if (auto point = exceeds(*j.view.footprintLo, limit)) {
      auto need = evaluate(*j.view.footprintLo, *point);
      auto have = evaluate(limit, *point);
      if (!need || !have)
        return;
      Finding &f =
          j.add("ioflor-footprint", "warning",
                "a CTA needs " + decimal(*need) + " words of fast memory" +
                    at(*point, *j.view.footprintLo) + "; " + j.given->source +
                    " has " + decimal(*have),
                j.at);
      f.notes.push_back("needed: at least " + exprText(*j.view.footprintLo) +
                        " words; findings use what is needed");
      return;
    }
  if (j.view.footprintHi)
    if (auto point = exceeds(*j.view.footprintHi, limit)) {
      auto need = evaluate(*j.view.footprintHi, *point);
      auto have = evaluate(limit, *point);
      if (!need || !have)
        return;
      j.add("ioflor-footprint", "remark",
            "a CTA may hold up to " + decimal(*need) + " words of fast memory" +
                at(*point, *j.view.footprintHi) + ", above the " +
                decimal(*have) + " of " + j.given->source +
                "; findings use the larger number",
            j.at);
    }
}
