//===- Suggest.cpp - Which disclosure would fit ---------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/verdict/Suggest.h"
#include "passes/prover/Prover.h"
#include <functional>

using namespace mlir;
using namespace ioflor;
using namespace ioflor::verdict;

/// Does the traffic meet every floor of this mask, for all sizes?
static bool meets(const Judgement &j, const floors::Mask &mask) {
  const floors::Problem &p = *j.view.problem;
  for (const floors::Floor &f :
       floors::symbolicFloors(p.dims, mask, p.fastWords)) {
    if (f.against == "loads")
      continue; // the sum of the others
    prover::Obligation o;
    o.name = f.kind;
    o.known = j.view.known;
    o.hypotheses = f.hypotheses;
    for (const Cond &c : j.view.fastWordsAtLeast(j.given))
      o.hypotheses.push_back(c);
    // The width of a window is at most the keys, or it is none.
    if (mask.kind == floors::MaskKind::Window)
      o.hypotheses.push_back(le(mask.w, p.dims.nK));
    o.goal = le(f.num, j.view.against(f.against).lo * f.den);
    prover::ProverOptions options;
    options.rlimit = 100'000;
    if (prover::prove(o, options).answer != prover::Answer::Proved)
      return false;
  }
  return true;
}

/// Constants inside the minima and maxima of e: bounds of loops.
static void bounds(const Expr &e, bool inside, std::set<int64_t> &out) {
  for (const Expr &term : e.terms()) {
    if (inside)
      if (auto c = term.constant64(); c && *c != 0)
        out.insert(*c < 0 ? -*c : *c);
    for (const auto &[atom, power] : term.factors()) {
      (void)power;
      bool bound = atom.kind() == ExprKind::Min || atom.kind() == ExprKind::Max;
      for (const Expr &op : atom.operands())
        if (atom.kind() != ExprKind::Symbol)
          bounds(op, inside || bound, out);
    }
  }
}

Suggestion ioflor::verdict::suggestDisclosure(const Judgement &j) {
  const floors::Problem &p = *j.view.problem;
  if (meets(j, {floors::MaskKind::Causal, 0}))
    return {"if the kernel is causal, disclose it by IOFLOR_CAUSAL",
            "IOFLOR_CAUSAL "};
  Expr keys = j.view.against("k").lo;
  std::vector<Expr> widths;
  std::set<std::string> sizes;
  for (const Expr *e : {&p.dims.nQ, &p.dims.nK, &p.dims.d, &p.dims.dV,
                        &p.dims.batch, &p.dims.heads, &p.dims.kvHeads})
    for (const std::string &s : e->freeSymbols())
      sizes.insert(s);
  SubjectOp subject = j.view.subject;
  for (auto symbol : subject.getBody().getOps<SymbolOp>())
    if (keys.dependsOn(symbol.getName()) &&
        !sizes.count(symbol.getName().str()))
      widths.push_back(Expr::symbol(symbol.getName()));
  std::set<int64_t> constants;
  bounds(keys, false, constants);
  // The widest first; a bound i - w + 1 shows as w - 1.
  std::vector<int64_t> sorted(constants.rbegin(), constants.rend());
  for (int64_t c : sorted)
    if (c >= 2 && widths.size() < 6)
      for (int64_t w : {c + 1, c})
        widths.push_back(Expr(w));
  for (const Expr &w : widths)
    if (meets(j, {floors::MaskKind::Window, w})) {
      std::string text = "IOFLOR_WINDOW(" + w.str() + ")";
      return {"if each query sees a window of keys, disclose it by " + text,
              text + " "};
    }
  return {"if the kernel approximates or masks on purpose, disclose it; "
          "otherwise look for keys that are skipped",
          "IOFLOR_APPROXIMATE(\"what, citation\") "};
}
