//===- Floors.cpp - Floors, derived again ---------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/check/Model.h"
#include "llvm/ADT/STLExtras.h"

using namespace ioflor;
using namespace ioflor::check;
using llvm::StringRef;

std::optional<ProblemOf> ioflor::check::problemOf(const Certificate &c) {
  if (!c.hasDims)
    return std::nullopt;
  ProblemOf p;
  p.dims.nQ = c.dims.at("n_q");
  p.dims.nK = c.dims.at("n_k");
  p.dims.d = c.dims.at("d");
  p.dims.dV = c.dims.at("d_v");
  p.dims.batch = c.dims.at("batch");
  p.dims.heads = c.dims.at("heads");
  p.dims.kvHeads = c.dims.at("kv_heads");
  auto has = [&](StringRef role) {
    return llvm::any_of(c.buffers,
                        [&](const Buffer &b) { return b.role == role; });
  };
  p.dims.aliasedKV = has("K") && !has("V");
  if (c.disclosure) {
    auto mask = floors::maskFromName(*c.disclosure, c.width.value_or(Expr(0)));
    bool window = mask && (mask->kind == floors::MaskKind::Window ||
                           mask->kind == floors::MaskKind::WindowSymmetric);
    if (!mask || (window && !c.width))
      return std::nullopt;
    p.mask = *mask;
  }
  return p;
}

static std::string listed(llvm::ArrayRef<Cond> conds) {
  std::string out;
  for (const Cond &c : conds)
    out += (out.empty() ? "" : "; ") + c.str();
  return out.empty() ? "none" : out;
}

static void compare(const FloorRow &said, const floors::Floor &derived,
                    Report &report) {
  auto text = [&](StringRef field, StringRef a, StringRef b) {
    if (a != b)
      report.differ(said.path + "." + field,
                    "the sizes and the disclosure give '" + b + "'");
  };
  text("kind", said.kind, derived.kind);
  text("against", said.against, derived.against);
  text("num", said.num.str(), derived.num.str());
  text("den", said.den.str(), derived.den.str());
  text("source", said.source, derived.source);
  std::vector<Cond> hypotheses;
  for (const Cond &h : derived.hypotheses)
    if (!h.isAlways())
      hypotheses.push_back(h);
  text("hypotheses", listed(said.hypotheses), listed(hypotheses));
}

static void checkPairs(const Certificate &c, const ProblemOf *p,
                       Report &report) {
  std::string path = c.path + ".pairs";
  bool none = !p || p->mask.kind == floors::MaskKind::Approximate ||
              p->mask.kind == floors::MaskKind::Sparse;
  if (none) {
    if (c.pairs)
      report.differ(path, "no number of pairs follows from the certificate");
    return;
  }
  floors::Required r = floors::requiredPairs(p->dims, p->mask);
  Expr pairs = floordiv(p->dims.batch * p->dims.heads * r.twicePairs, Expr(2));
  if (!c.pairs || *c.pairs != pairs)
    report.differ(path,
                  "the sizes and the disclosure give '" + pairs.str() + "'");
}

void ioflor::check::checkFloors(const Certificate &c, Report &report,
                                Summary &summary) {
  std::optional<ProblemOf> p = problemOf(c);
  if (!p && c.hasDims)
    report.differ(c.path + ".disclosure", "is not one that is known");
  checkPairs(c, p ? &*p : nullptr, report);
  if (!p) {
    if (!c.floors.empty())
      report.differ(c.path + ".floors", "there are floors, but no sizes");
    return;
  }
  // Which optional floors were asked for can be seen from what is there; the
  // tight one always is.
  std::set<std::string> chosen{"tight"};
  for (const FloorRow &f : c.floors)
    chosen.insert(f.kind);
  std::vector<floors::Floor> derived = floors::symbolicFloors(
      p->dims, p->mask, Expr::symbol(c.fastWords), chosen);
  if (derived.size() != c.floors.size()) {
    report.differ(c.path + ".floors",
                  "there are " + llvm::Twine(c.floors.size()) +
                      ", but the sizes and the disclosure give " +
                      llvm::Twine(derived.size()));
    return;
  }
  bool tightDecides = false, tightTold = false;
  for (auto [said, floor] : llvm::zip(c.floors, derived)) {
    ++summary.floors;
    compare(said, floor, report);
    if (floor.kind != "tight") {
      if (!said.decides)
        report.differ(said.path + ".decides", "this floor always decides");
    } else {
      (said.decides ? tightDecides : tightTold) = true;
    }
  }
  if (tightDecides && tightTold)
    report.differ(c.path + ".floors",
                  "some of the tight floors decide and some do not");
}
