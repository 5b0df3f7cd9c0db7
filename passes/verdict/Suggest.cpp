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

/// Widths that the minima and maxima of e speak of. A bound of a loop over keys
/// that still depends on the row (`max(0, 64*i - 255)`) leaves out the row's
/// own key; a number of keys (`min(n, 256)`) does not.
static void widthsOf(const Expr &e, const std::set<std::string> &symbols,
                     std::set<int64_t> &out) {
  for (const Expr &term : e.terms())
    for (const auto &[atom, power] : term.factors()) {
      (void)power;
      if (atom.kind() == ExprKind::Symbol)
        continue;
      llvm::ArrayRef<Expr> ops = atom.operands();
      for (const Expr &op : ops)
        widthsOf(op, symbols, out);
      if (atom.kind() != ExprKind::Min && atom.kind() != ExprKind::Max)
        continue;
      for (size_t a = 0; a < ops.size(); ++a)
        for (size_t b = a + 1; b < ops.size(); ++b) {
          // Constants may stand on either side: min(256 - 64*i, 1).
          Expr gap = ops[a] - ops[b];
          auto c = Expr(gap.constantTerm()).constant64();
          if (!c || *c == INT64_MIN)
            continue;
          bool perRow =
              llvm::any_of(gap.freeSymbols(), [&](const std::string &s) {
                return !symbols.count(s);
              });
          out.insert((*c < 0 ? -*c : *c) + (perRow ? 1 : 0));
        }
    }
}

/// The grid variables that decide which words these accesses touch.
static std::set<std::string>
gridVariables(llvm::ArrayRef<Operation *> accesses) {
  std::set<std::string> out;
  for (Operation *access : accesses) {
    auto load = dyn_cast<LoadOp>(access);
    std::optional<Expr> address =
        load ? load.getAddress() : cast<StoreOp>(access).getAddress();
    std::set<std::string> used, keys;
    if (address)
      used.merge(address->freeSymbols());
    SmallVector<LoopOp> loops = enclosingLoops(access);
    for (LoopOp loop : loops)
      if (loop.getKind() == LoopKind::Seq) {
        used.merge(loop.getTrips().freeSymbols());
        keys.insert(loop.getVar().str());
      }
    // That a row exists says nothing of its keys.
    for (const Cond &guard : enclosingGuards(access).conjuncts()) {
      std::set<std::string> symbols = guard.freeSymbols();
      if (llvm::any_of(keys, [&](const auto &k) { return symbols.count(k); }))
        used.merge(symbols);
    }
    for (LoopOp loop : loops)
      if (loop.getKind() == LoopKind::Grid && used.count(loop.getVar().str()))
        out.insert(loop.getVar().str());
  }
  return out;
}

/// May the keys that a CTA reads depend on its rows? Where some coordinate of
/// the grid chooses rows of Q but has no say in K, all rows see the same keys.
static bool mayFollowRows(const Judgement &j) {
  std::set<std::string> q =
      gridVariables(j.view.accesses(Role::Q, /*stores=*/false));
  std::set<std::string> k =
      gridVariables(j.view.accesses(Role::K, /*stores=*/false));
  return llvm::all_of(q, [&](const std::string &v) { return k.count(v); });
}

Suggestion ioflor::verdict::suggestApproximation() {
  return {"if the kernel approximates or masks on purpose, disclose it; "
          "otherwise look for rows, columns or keys that are skipped",
          "IOFLOR_APPROXIMATE(\"what, citation\") "};
}

Suggestion ioflor::verdict::suggestDisclosure(const Judgement &j) {
  const floors::Problem &p = *j.view.problem;
  Suggestion other = suggestApproximation();
  if (!mayFollowRows(j))
    return other;
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
  std::set<std::string> symbols;
  for (auto symbol : subject.getBody().getOps<SymbolOp>()) {
    symbols.insert(symbol.getName().str());
    if (keys.dependsOn(symbol.getName()) &&
        !sizes.count(symbol.getName().str()))
      widths.push_back(Expr::symbol(symbol.getName()));
  }
  std::set<int64_t> constants;
  widthsOf(keys, symbols, constants);
  // The widest first.
  for (auto c = constants.rbegin(); c != constants.rend(); ++c)
    if (*c >= 2 && widths.size() < 6)
      widths.push_back(Expr(*c));
  for (const Expr &w : widths)
    if (meets(j, {floors::MaskKind::Window, w})) {
      std::string text = "IOFLOR_WINDOW(" + w.str() + ")";
      return {"if each query sees a window of keys, disclose it by " + text,
              text + " "};
    }
  return other;
}
