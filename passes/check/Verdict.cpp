//===- Verdict.cpp - Findings and verdict -----------------------------===//
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

namespace {
struct Id {
  StringRef name;
  bool flag, warning, remark; ///< the severities that it can have
};
} // namespace

static constexpr Id kIds[] = {
    {"ioflor-sub-floor", true, false, false},
    {"ioflor-uncovered-input", true, false, false},
    {"ioflor-uncovered-pairs", true, false, false},
    {"ioflor-phantom-pairs", true, false, false},
    {"ioflor-repeated-pairs", true, false, false},
    {"ioflor-unwritten-output", true, false, false},
    {"ioflor-rewritten-output", true, false, false},
    {"ioflor-disclosure-mismatch", true, false, false},
    {"ioflor-over-read", true, false, false},
    {"ioflor-over-write", true, false, false},
    {"ioflor-claim", true, false, false},
    {"ioflor-materialized-scores", false, true, false},
    {"ioflor-ratio", false, true, false},
    {"ioflor-footprint", false, true, true},
    {"ioflor-redundant-load", false, false, true},
    {"ioflor-inconclusive", false, false, true},
    {"ioflor-certified", false, false, true},
};

/// The sizes of a witness: what is a symbol or M.
static Valuation sizesOf(const Certificate &c, const Witness &w) {
  Valuation out;
  for (const auto &[name, value] : w)
    if (c.symbol(name) || name == c.fastWords)
      out[name] = value;
  return out;
}

/// Witnesses that other parts of the certificate give and that are checked or
/// told there.
static std::vector<Witness> witnessesOf(const Certificate &c) {
  std::vector<Witness> out;
  for (const ObligationRow &o : c.obligations)
    if (o.result == "refuted" && o.witness)
      out.push_back(*o.witness);
  return out;
}

/// The words that the attention needs at these sizes by one of the floors that
/// a claim is held to, at an M that the kernel does not exceed.
static bool isNeeded(const Certificate &c, Valuation at, const BigInt &words) {
  std::optional<ProblemOf> p = problemOf(c);
  if (!p)
    return false;
  Expr M = Expr::symbol(c.fastWords);
  if (c.footprintHi) {
    std::vector<Expr> ends{p->dims.d * p->dims.d, *c.footprintHi};
    if (c.givenM)
      ends.push_back(*c.givenM);
    if (auto least = evaluate(max(ends), at))
      at[c.fastWords] = *least;
  }
  floors::Work work = floors::workOf(p->dims, p->mask);
  for (const floors::Floor &f : floors::symbolicFloors(p->dims, p->mask, M))
    if (f.kind == "scan" || f.kind == "saha-ye")
      if (auto total = floors::asTotal(f, work))
        if (auto value = floors::valueOf(*total, at);
            value && floors::applies(*total, at) && value->ceil() == words)
          return true;
  return false;
}

/// A claim below the floor or unlike the traffic, evaluated.
static void checkClaim(const Certificate &c, const FindingRow &f,
                       Report &report) {
  auto words = f.witness->find("words");
  if (words == f.witness->end() || !c.claim) {
    report.differ(f.path, c.claim ? "the witness does not say the words"
                                  : "there is no claim");
    return;
  }
  Valuation at = sizesOf(c, *f.witness), withM = at;
  // A claim that speaks of M is held to the M that is given.
  if (c.givenM)
    if (auto given = evaluate(*c.givenM, at))
      withM.try_emplace(c.fastWords, *given);
  auto claimed = evaluate(*c.claim, withM);
  if (!claimed || *claimed != words->second)
    report.differ(f.path + ".witness.words",
                  claimed ? "the claim there is " + decimal(*claimed)
                          : "the claim cannot be evaluated");
  if (auto floor = f.witness->find("floor"); floor != f.witness->end()) {
    if (floor->second <= words->second)
      report.differ(f.path, "the claim is not below the floor");
    if (!isNeeded(c, at, floor->second))
      report.differ(f.path + ".witness.floor", "no floor is that there");
    return;
  }
  // Against the traffic: below its lower or above its upper end.
  auto lo = evaluate(c.total.lo, at);
  auto hi = c.total.hi ? evaluate(*c.total.hi, at) : std::nullopt;
  if (claimed && lo && !(*claimed < *lo) && !(hi && *claimed > *hi))
    report.differ(f.path, "the claim there is the traffic");
}

void ioflor::check::checkFindings(const Certificate &c, Report &report,
                                  Summary &summary) {
  std::vector<Witness> known = witnessesOf(c);
  for (const FindingRow &f : c.findings) {
    const Id *id =
        llvm::find_if(kIds, [&](const Id &i) { return i.name == f.id; });
    if (id == std::end(kIds)) {
      report.differ(f.path + ".id", "is none that ioflor has");
      continue;
    }
    bool fits = (f.severity == "flag" && id->flag) ||
                (f.severity == "warning" && id->warning) ||
                (f.severity == "remark" && id->remark);
    if (!fits)
      report.differ(f.path + ".severity", "is not that of " + f.id);
    if (!f.witness) {
      if (f.severity == "flag")
        report.differ(f.path + ".witness", "a flag needs one");
      continue;
    }
    ++summary.witnesses;
    Valuation at = sizesOf(c, *f.witness);
    if (std::string why = whyInadmissible(c, at); !why.empty())
      report.differ(f.path + ".witness", "is not admissible: " + why);
    bool ofFloor = f.witness->count("words") && f.witness->count("floor");
    if (f.id == "ioflor-claim") {
      checkClaim(c, f, report);
    } else if (ofFloor && !llvm::is_contained(known, *f.witness)) {
      report.differ(f.path + ".witness", "is that of no floor");
    } else if (f.id == "ioflor-sub-floor" && !ofFloor) {
      report.differ(f.path + ".witness", "does not say words and floor");
    } else if (f.severity == "flag" && !ofFloor && !executedFault(c, f)) {
      report.differ(f.path + ".witness", "is that of no execution");
    }
    if (f.severity != "flag")
      continue;
    // What the message says is what was computed.
    for (const char *name : {"words", "floor"})
      if (auto it = f.witness->find(name); it != f.witness->end())
        if (!StringRef(f.message).contains(decimal(it->second)))
          report.differ(f.path + ".message", "does not say the " +
                                                 std::string(name) +
                                                 " of its "
                                                 "witness");
  }
}

//===----------------------------------------------------------------------===//
// Verdict
//===----------------------------------------------------------------------===//

void ioflor::check::checkVerdict(const Certificate &c, Report &report) {
  std::string path = c.path + ".verdict";
  const FindingRow *flag = nullptr;
  for (const FindingRow &f : c.findings)
    if (f.severity == "flag" && !flag)
      flag = &f;
  if (c.reason.empty())
    report.differ(c.path + ".reason", "is empty");
  if (flag) {
    if (c.verdict != "flagged")
      report.differ(path, "there is a finding " + flag->id);
    else if (!StringRef(c.reason).starts_with(flag->id))
      report.differ(c.path + ".reason", "is not the first flag");
    return;
  }
  if (c.verdict == "flagged") {
    report.differ(path, "there is no finding that flags");
    return;
  }
  bool remarked = llvm::any_of(c.findings, [](const FindingRow &f) {
    return f.id == "ioflor-certified";
  });
  if (c.verdict != "certified") {
    if (c.verdict != "inconclusive")
      report.differ(path, "is no verdict");
    if (remarked)
      report.differ(path, "there is a finding ioflor-certified");
    return;
  }
  if (!problemOf(c))
    report.differ(path, "there are no sizes of an attention");
  if (c.obligations.empty())
    report.differ(path, "no floor is proved");
  for (const ObligationRow &o : c.obligations)
    if (o.result != "proved")
      report.differ(path, "the floor " + o.name + " is " + o.result);
  if (std::string lack = lackOfCoverage(c); !lack.empty())
    report.differ(path, lack);
}
