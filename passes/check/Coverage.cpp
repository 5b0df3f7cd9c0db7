//===- Coverage.cpp - What is said to be covered -------------------===//
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

static const CoverageRow *rowOf(const Certificate &c, StringRef what) {
  auto it = llvm::find_if(c.coverage,
                          [&](const CoverageRow &r) { return r.what == what; });
  return it == c.coverage.end() ? nullptr : &*it;
}

std::string ioflor::check::lackOfCoverage(const Certificate &c) {
  std::string disclosed = c.disclosure.value_or("exact");
  for (StringRef what : {"q", "k", "v", "o", "pairs"}) {
    bool aliased = what == "v" && llvm::none_of(c.buffers, [](const Buffer &b) {
                     return b.role == "V";
                   });
    // Of an approximation no pair is required.
    if (aliased || (what == "pairs" && disclosed == "approximate"))
      continue;
    const CoverageRow *row = rowOf(c, what);
    if (row && (row->state == "refuted" || !row->faults.empty()))
      return "the coverage of " + what.str() + " is refuted";
    if (!row || row->state != "proved")
      return "nothing says that the coverage of " + what.str() + " is proved";
    if (what != "pairs")
      continue;
    std::string mask = row->mask.value_or("");
    if ((mask == "full" ? "exact" : mask) != disclosed)
      return "the pairs are those of '" + mask + "', declared is '" +
             disclosed + "'";
    if (c.width && (!row->w || *row->w != *c.width))
      return "the window is " + (row->w ? row->w->str() : "unknown") +
             ", declared is " + c.width->str();
  }
  return "";
}

const ExecutedFault *ioflor::check::executedFault(const Certificate &c,
                                                  const FindingRow &f) {
  for (const CoverageRow &row : c.coverage)
    for (const ExecutedFault &fault : row.faults)
      if (f.witness && fault.id == f.id && fault.sizes == *f.witness &&
          StringRef(f.message).contains(fault.fault))
        return &fault;
  return nullptr;
}

/// The mask's pairs of one head are those that are told.
static void checkPairs(const Certificate &c, const CoverageRow &row,
                       Report &report) {
  std::optional<ProblemOf> p = problemOf(c);
  if (!p || !row.mask || !row.pairs)
    return;
  auto mask = floors::maskFromName(*row.mask == "full" ? "exact" : *row.mask,
                                   row.w.value_or(Expr(0)));
  if (!mask)
    return; // none that has a name
  floors::Required r = floors::requiredPairs(p->dims, *mask);
  for (const Valuation &at : samplePoints(c)) {
    if (llvm::any_of(r.hypotheses,
                     [&](const Cond &h) { return evaluate(h, at) != true; }))
      continue;
    auto said = evaluate(*row.pairs, at), twice = evaluate(r.twicePairs, at);
    if (said && twice && *said * 2 != *twice) {
      report.differ(row.path + ".pairs_per_head",
                    "this mask has " + decimal(*twice / 2) + " pairs where " +
                        "it gives " + decimal(*said));
      return;
    }
  }
}

/// Where as many findings as faults have these sizes, one says this fault. (A
/// fault may be left untold, where there is no evidence of a size.)
static bool isTold(const Certificate &c, const ExecutedFault &fault) {
  size_t faults = 0, findings = 0;
  bool told = false;
  for (const CoverageRow &row : c.coverage)
    for (const ExecutedFault &other : row.faults)
      faults += other.id == fault.id && other.sizes == fault.sizes;
  for (const FindingRow &f : c.findings)
    if (f.id == fault.id && f.witness == fault.sizes) {
      ++findings;
      told |= StringRef(f.message).contains(fault.fault);
    }
  return told || findings < faults;
}

void ioflor::check::checkCoverage(const Certificate &c, Report &report) {
  for (const CoverageRow &row : c.coverage) {
    if (!llvm::is_contained({"proved", "agrees", "refuted", "undecided"},
                            row.state)) {
      report.differ(row.path + ".state", "is no answer");
      continue;
    }
    StringRef method = row.state == "proved" || row.state == "undecided"
                           ? StringRef(row.state)
                           : "executed";
    if (row.method != method)
      report.differ(row.path + ".method",
                    "does not go with '" + row.state + "'");
    // A proof that executions contradict is told with their faults; the verdict
    // must not rest on it.
    if (row.state != "proved" && (row.state == "refuted") == row.faults.empty())
      report.differ(row.path + ".witnesses",
                    "do not go with '" + row.state + "'");
    for (const ExecutedFault &fault : row.faults) {
      Valuation at(fault.sizes.begin(), fault.sizes.end());
      if (std::string why = whyInadmissible(c, at); !why.empty())
        report.differ(fault.path, "is not admissible: " + why);
      if (!isTold(c, fault))
        report.differ(fault.path + ".fault",
                      "is not what the findings at these sizes say");
    }
    checkPairs(c, row, report);
  }
}
