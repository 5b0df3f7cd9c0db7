//===- Floors.cpp - Lower bounds on attention's traffic -------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/floors/Floors.h"

using namespace ioflor;
using namespace ioflor::floors;

std::vector<Floor>
ioflor::floors::symbolicFloors(const AttentionDims &s, const Mask &mask,
                               const Expr &M,
                               const std::set<std::string> &optional) {
  Work w = workOf(s, mask);
  std::vector<Floor> all, out;
  addSahaYe(w, M, all);
  addScans(w, all);
  if (optional.count("sharp"))
    addSharp(w, M, all);
  if (optional.count("small-cache"))
    addSmallCache(w, M, all);
  if (optional.count("fmm"))
    addFmm(w, M, all);
  if (optional.count("tight"))
    addTight(w, M, all);
  // The other regimes are those of small M, where a kernel's own footprint
  // hardly ever is.
  auto plain = [](const Floor &f) {
    return f.isRational() &&
           (f.kind != "tight" || f.regime == "B" ||
            llvm::StringRef(f.regime).starts_with("aliased")) &&
           f.regime != "below d^2";
  };
  for (Floor &f : all)
    if (plain(f))
      out.push_back(std::move(f));
  return out;
}

//===----------------------------------------------------------------------===//
// At concrete sizes
//===----------------------------------------------------------------------===//

std::optional<ConcreteProblem> ioflor::floors::concrete(const AttentionDims &s,
                                                        const Mask &mask,
                                                        const Valuation &at,
                                                        ExprError *error) {
  ConcreteProblem p;
  bool ok = true;
  auto value = [&](const Expr &e, BigInt &out) {
    if (!ok)
      return;
    if (auto v = evaluate(e, at, error))
      out = *v;
    else
      ok = false;
  };
  Required r = requiredPairs(s, mask);
  value(s.nQ, p.nQ);
  value(s.nK, p.nK);
  value(s.d, p.d);
  value(s.dV, p.dV);
  value(s.batch, p.batch);
  value(s.heads, p.heads);
  value(s.kvHeads, p.kvHeads);
  value(r.twicePairs, p.twicePairs);
  value(r.rows, p.rows);
  value(r.columns, p.columns);
  if (!ok)
    return std::nullopt;
  auto fail = [&](const char *why) -> std::optional<ConcreteProblem> {
    if (error)
      error->message = why;
    return std::nullopt;
  };
  for (const BigInt *size :
       {&p.nQ, &p.nK, &p.d, &p.dV, &p.batch, &p.heads, &p.kvHeads})
    if (*size < 1)
      return fail("a size is below 1");
  if (p.heads % p.kvHeads != 0)
    return fail("the heads are no multiple of the KV heads");
  for (const Cond &c : r.hypotheses) {
    auto holds = evaluate(c, at, error);
    if (!holds)
      return std::nullopt;
    if (!*holds)
      return fail("the sizes do not fit the mask");
  }
  p.aliasedKV = s.aliasedKV;
  p.hasPairs =
      mask.kind != MaskKind::Approximate && mask.kind != MaskKind::Sparse;
  return p;
}

Work ioflor::floors::workOf(const ConcreteProblem &p) {
  AttentionDims s{p.nQ, p.nK, p.d, p.dV, p.batch, p.heads, p.kvHeads};
  s.aliasedKV = p.aliasedKV;
  return workOf(s, Required{p.twicePairs, p.rows, p.columns, {}}, p.hasPairs);
}

std::optional<BigInt> ioflor::floors::sahaYeFloor(const ConcreteProblem &p,
                                                  const BigInt &M) {
  std::vector<Floor> fs;
  addSahaYe(workOf(p), M, fs);
  auto values = numericFloors(fs);
  if (values.empty())
    return std::nullopt;
  return values.front().words;
}

std::optional<NumericFloor> ioflor::floors::tightFloor(const ConcreteProblem &p,
                                                       const BigInt &M) {
  if (M < 1)
    return std::nullopt;
  std::vector<Floor> fs;
  addTight(workOf(p), M, fs);
  auto values = numericFloors(fs);
  const NumericFloor *best = largest(values);
  if (!best)
    return std::nullopt;
  return *best;
}

NumericFloor ioflor::floors::bestTotalFloor(const ConcreteProblem &p,
                                            const BigInt &M) {
  Work w = workOf(p);
  std::vector<Floor> parts, totals;
  addScans(w, parts);
  addSahaYe(w, M, parts);
  addTight(w, M, parts);
  for (const Floor &f : parts)
    if (auto total = asTotal(f, w))
      totals.push_back(*total);
  auto values = numericFloors(totals);
  const NumericFloor *best = largest(values);
  return best ? *best : NumericFloor{"scan", BigInt(0), "", "total", {}, ""};
}
