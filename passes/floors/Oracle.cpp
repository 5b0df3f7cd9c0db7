//===- Oracle.cpp - Is a claimed number of words possible? ----------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/floors/Oracle.h"

using namespace ioflor;
using namespace ioflor::floors;

/// The work whose floors hold in the setting.
static Work inSetting(Work w, const Setting &s) {
  w.hasPairs &= !s.approximate;
  return w;
}

std::vector<Floor> ioflor::floors::floorsOf(const Work &work, const Expr &M,
                                            const Setting &s) {
  if (s.backward)
    return backwardFloors(work, M);
  Work w = inSetting(work, s);
  std::vector<Floor> all;
  addScans(w, all);
  if (s.standard) {
    addSahaYe(w, M, all);
    addSharp(w, M, all);
    addSmallCache(w, M, all);
    addTight(w, M, all);
  } else {
    addFmm(w, M, all);
  }
  return all;
}

std::vector<Floor> ioflor::floors::comparableFloors(const Work &work,
                                                    const Expr &M,
                                                    const Setting &s) {
  // The backward floors count loads and stores already.
  if (s.backward && (s.loadsOnly || !s.standard))
    return {};
  std::vector<Floor> all = floorsOf(work, M, s), out;
  if (s.backward)
    return all;
  Work w = inSetting(work, s);
  for (const Floor &f : all)
    if (auto g = s.loadsOnly ? asLoads(f, w) : asTotal(f, w))
      out.push_back(std::move(*g));
  return out;
}

NumericFloor ioflor::floors::strongestFloor(const std::vector<Work> &parts,
                                            const BigInt &M, const Setting &s) {
  auto strongest = [&](const Work &w) {
    auto values = numericFloors(comparableFloors(w, M, s));
    const NumericFloor *best = largest(values);
    return best ? *best : NumericFloor{"none", BigInt(0), "", "total", {}, ""};
  };
  NumericFloor best = strongest(sumOf(parts));
  if (parts.size() < 2)
    return best;
  // Restricted to the words of one sequence a schedule is one of that sequence
  // alone, so the floors add up; each counts whole words.
  BigInt total(0);
  for (const Work &w : parts)
    total += strongest(w).words;
  if (total <= best.words)
    return best;
  return {"sum over sequences", total,       "",
          best.against,         Surd(total), "each sequence's strongest floor"};
}

/// The floor that the seed certificates compare with.
static std::optional<NumericFloor> seedFloor(const Claim &c, const Work &w) {
  std::vector<Floor> fs;
  if (c.setting.approximate) {
    addScans(w, fs);
    fs.erase(fs.begin(), fs.end() - 1); // the sum of the loads
  } else {
    addSahaYe(w, c.M, fs);
  }
  auto values = numericFloors(fs);
  if (values.empty())
    return std::nullopt;
  return values.front();
}

static std::string wordsOf(const NumericFloor &f) {
  return decimal(f.words) + " words";
}

static void approximateNotes(const Claim &c, const Work &w, Ruling &r) {
  r.notes.push_back("Approximate attention (arXiv:2605.23751): only Case I has "
                    "a constant, the "
                    "scan of the inputs. Cases II to IV are asymptotic bounds "
                    "without one and "
                    "are not applied.");
  if (!c.rank) {
    r.notes.push_back("No rank was given, so whether Case I (M >= d r) is the "
                      "regime is not known; the scan holds in every regime.");
    return;
  }
  auto d = w.d.constant();
  r.caseOne = d && c.M >= *d * *c.rank;
  if (!*r.caseOne)
    r.notes.push_back(
        "M < d r: outside Case I an asymptotically larger bound "
        "applies, with no constant to compare with. The scan still "
        "holds; SAFE says no more than that.");
}

/// What the seeds' quadratic floor alone would have said, if that differs.
static void seedNote(const Claim &c, const Work &w, Ruling &r) {
  auto seed = seedFloor(c, w);
  if (!seed || c.setting.loadsOnly)
    return;
  bool seedFlags = Surd(c.words) < seed->exact;
  if (seedFlags == r.flagged)
    return;
  std::string name = c.setting.approximate
                         ? "The scan of the inputs"
                         : "The quadratic floor E d^2 / (2 M)";
  r.notes.push_back(
      name + " alone (--seed-compat) is " + wordsOf(*seed) +
      " and would let this claim pass. It is not the only floor: " +
      (r.binding.kind == "scan"
           ? "every input word is read and every output word stored"
           : "the " + r.binding.kind + " floor holds as well") +
      ", which takes at least " + wordsOf(r.binding) + ".");
}

std::optional<Ruling> ioflor::floors::rule(const Claim &c, std::string *why) {
  Work w = sumOf(c.parts);
  Ruling r;
  if (c.seedCompat) {
    auto seed = seedFloor(c, w);
    if (!seed) {
      if (why)
        *why = "the quadratic floor E d^2 / (2 M) needs M >= d^2; without "
               "--seed-compat the " +
               strongestFloor(c.parts, c.M, c.setting).kind + " floor holds: " +
               wordsOf(strongestFloor(c.parts, c.M, c.setting));
      return std::nullopt;
    }
    r.binding = *seed;
  } else {
    r.binding = strongestFloor(c.parts, c.M, c.setting);
    if (r.binding.kind == "none") {
      if (why)
        *why = "no floor bounds this count";
      return std::nullopt;
    }
  }
  r.flagged = Surd(c.words) < r.binding.exact;
  std::string what = c.setting.backward ? "the backward pass of exact attention"
                     : c.setting.approximate ? "approximate attention"
                                             : "exact attention";
  std::string name =
      r.binding.kind + (r.binding.regime.empty() ? "" : " " + r.binding.regime);
  r.reason = c.words.str() + " words are " +
             (r.flagged ? "less than " : "not less than ") +
             wordsOf(r.binding) + ", which " + what + " moves at least (" +
             name + ": " + r.binding.source + ")";
  if (r.flagged && !c.setting.approximate)
    r.notes.push_back("A kernel that moves so little computes something else: "
                      "disclose the approximation or the pairs left out.");
  if (c.setting.approximate)
    approximateNotes(c, w, r);
  if (!c.seedCompat)
    seedNote(c, w, r);
  else
    r.notes.push_back(
        "--seed-compat compares with one floor only; without it all "
        "floors that apply are taken.");
  return r;
}
