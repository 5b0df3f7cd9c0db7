//===- Obligations.cpp - Obligations, built and decided again -------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/check/Model.h"
#include "passes/prover/Prover.h"
#include "passes/prover/Solver.h"
#include "passes/prover/Witness.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ioflor;
using namespace ioflor::check;
using llvm::StringRef;

/// Less work than the prover spends on any query before it gives up.
static constexpr unsigned kMoment = 50'000;

/// A script without comments and blank lines: what a solver reads of it.
static std::string withoutComments(StringRef script) {
  std::string out;
  llvm::SmallVector<StringRef> lines;
  script.split(lines, '\n');
  for (StringRef line : lines) {
    line = line.split(';').first.rtrim();
    if (!line.empty())
      out += line.str() + "\n";
  }
  return out;
}

namespace {

class ObligationCheck {
public:
  ObligationCheck(const Certificate &c, const Options &options, Report &report,
                  Summary &summary)
      : c(c), options(options), report(report), summary(summary),
        known(c.known(/*withFastWords=*/true)) {}

  void run() {
    std::vector<const FloorRow *> floors;
    for (const FloorRow &f : c.floors)
      if (f.decides)
        floors.push_back(&f);
    if (c.obligations.empty())
      return; // nothing was proved; the verdict says so
    if (floors.size() != c.obligations.size()) {
      report.differ(c.path + ".obligations",
                    "there are " + llvm::Twine(c.obligations.size()) + " for " +
                        llvm::Twine(floors.size()) + " floors that decide");
      return;
    }
    std::map<std::string, unsigned> used;
    for (auto [o, f] : llvm::zip(c.obligations, floors)) {
      ++summary.obligations;
      unsigned n = ++used[f->kind];
      std::string name = n > 1 ? f->kind + "-" + std::to_string(n) : f->kind;
      if (o.name != name)
        report.differ(o.path + ".name", "the floor is '" + name + "'");
      check(o, *f);
    }
  }

private:
  void check(const ObligationRow &o, const FloorRow &f) {
    if (!llvm::is_contained({"proved", "refuted", "unknown", "vacuous"},
                            o.result)) {
      report.differ(o.path + ".result", "is no answer");
      return;
    }
    if ((o.result == "refuted") != o.witness.has_value())
      report.differ(o.path + ".witness",
                    "does not go with the result '" + o.result + "'");
    // Also what was not proved is told as it was asked.
    if ((o.result == "proved" || !o.smt2.empty()) &&
        !(c.hasDims && isOfClaim(withoutComments(o.smt2), f)))
      report.differ(o.path + ".smt2",
                    "is not the query of this floor and this traffic");
    if (o.result == "proved")
      proved(o, f);
    else if (o.result == "refuted" && o.witness)
      refuted(o, f);
    else if (o.result != "refuted")
      open(o, f);
  }

  //===--------------------------------------------------------------------===//
  // Proofs
  //===--------------------------------------------------------------------===//

  bool usesM(const FloorRow &f) const {
    return f.num.dependsOn(c.fastWords) || f.den.dependsOn(c.fastWords);
  }

  prover::Obligation obligation(const FloorRow &f) const {
    prover::Obligation o;
    o.name = f.kind;
    o.known = known;
    o.hypotheses = f.hypotheses;
    // A floor that needs more fast words than that says so itself.
    Expr M = Expr::symbol(c.fastWords);
    std::vector<Cond> atLeast;
    if (c.footprintLo && !c.footprintLo->isZero())
      atLeast.push_back(le(*c.footprintLo, M));
    if (c.givenM)
      atLeast.push_back(le(*c.givenM, M));
    if (usesM(f))
      for (const Cond &h : atLeast)
        if (!llvm::is_contained(o.hypotheses, h))
          o.hypotheses.push_back(h);
    return o;
  }

  /// The claims that prove the floor: its own, and those in which floors of
  /// single operands that are proved themselves take the place of their
  /// traffic.
  std::vector<Cond> claims(const FloorRow &f) const {
    std::vector<Cond> out{le(f.num, wordsAgainst(c, f.against).lo * f.den)};
    std::vector<StringRef> operands;
    if (f.against == "qk")
      operands = {"q", "k"};
    else if (f.against == "loads")
      operands = {"q", "k", "v"};
    else if (f.against == "total")
      operands = {"q", "k", "v", "o"};
    Expr sum;
    for (StringRef operand : operands)
      sum += wordsAgainst(c, operand).lo;
    // The parts must be parts of the whole.
    if (operands.empty() ||
        !known.isNonNegative(wordsAgainst(c, f.against).lo - sum))
      return out;
    for (unsigned choice = 1; choice < 1u << operands.size(); ++choice) {
      Expr lower;
      bool possible = true;
      for (auto [i, operand] : llvm::enumerate(operands)) {
        const FloorRow *part = choice >> i & 1 ? proven(operand, f) : nullptr;
        possible &= part || !(choice >> i & 1);
        lower += part ? part->num : wordsAgainst(c, operand).lo;
      }
      if (possible)
        out.push_back(le(f.num, lower * f.den));
    }
    return out;
  }
  /// A whole floor of one operand that is said to be proved, under hypotheses
  /// that `f` has, too. Its own obligation is checked like any other.
  const FloorRow *proven(StringRef operand, const FloorRow &f) const {
    const FloorRow *best = nullptr;
    size_t i = 0;
    for (const FloorRow &p : c.floors) {
      if (!p.decides)
        continue;
      bool isProved =
          i < c.obligations.size() && c.obligations[i].result == "proved";
      ++i;
      if (isProved && &p != &f && p.against == operand && p.den.isOne() &&
          llvm::all_of(p.hypotheses, [&](const Cond &h) {
            return llvm::is_contained(f.hypotheses, h);
          }))
        best = &p;
    }
    return best;
  }

  /// True if the script is one that the prover makes of one of the claims.
  bool isOfClaim(const std::string &script, const FloorRow &f) const {
    prover::Obligation o = obligation(f);
    for (const Cond &claim : claims(f)) {
      o.goal = claim;
      for (const std::string &query : prover::queriesOf(o))
        if (withoutComments(query) == script)
          return true;
    }
    return false;
  }

  /// "" where z3 finds that the script has no model.
  std::string whyNotProved(const std::string &script) const {
    if (options.answered)
      if (auto it = options.answered->find(script);
          it != options.answered->end())
        return it->second;
    std::string note;
    for (prover::Engine e : {prover::Engine::Nlsat, prover::Engine::Default}) {
      prover::SolverResult r = prover::solve(script, e, options.rlimit);
      bool sat = r.answer == prover::SolverAnswer::Sat;
      note = r.answer == prover::SolverAnswer::Unsat ? ""
             : sat                                   ? "it has a model"
             : r.note.empty()                        ? "no answer"
                                                     : r.note;
      if (note.empty() || sat)
        break;
    }
    if (options.answered)
      (*options.answered)[script] = note;
    return note;
  }

  void proved(const ObligationRow &o, const FloorRow &f) {
    std::string script = withoutComments(o.smt2);
    if (std::string note = whyNotProved(script); !note.empty())
      report.differ(o.path + ".smt2", "z3 does not prove it: " + note);
    prover::Obligation whole = obligation(f);
    whole.goal = claims(f).front();
    if (c.hasDims && prover::satisfiable(whole) != prover::Answer::Proved)
      report.differ(o.path + ".result",
                    "the hypotheses may exclude each other");
    if (!options.secondSolver)
      return;
    std::string answer = options.secondSolver(script);
    summary.secondSolver += answer == "unsat";
    if (answer == "sat")
      report.differ(o.path + ".smt2", "the second solver has a model");
  }

  /// `unknown` and `vacuous` where a moment's work shows a proof.
  void open(const ObligationRow &o, const FloorRow &f) {
    std::string script = withoutComments(o.smt2);
    if (script.empty() || !c.hasDims)
      return;
    prover::Engine engine = StringRef(o.solver).starts_with("default")
                                ? prover::Engine::Default
                                : prover::Engine::Nlsat;
    prover::Obligation whole = obligation(f);
    if (prover::findPoint(known, whole.hypotheses, f.num.freeSymbols()) &&
        prover::solve(script, engine, kMoment).answer ==
            prover::SolverAnswer::Unsat)
      report.differ(o.path + ".result", "z3 proves it");
  }

  //===--------------------------------------------------------------------===//
  // Witnesses
  //===--------------------------------------------------------------------===//

  void refuted(const ObligationRow &o, const FloorRow &f) {
    std::string path = o.path + ".witness";
    ++summary.witnesses;
    auto at = [&](StringRef name) {
      auto it = o.witness->find(name.str());
      return it == o.witness->end() ? std::nullopt
                                    : std::optional<BigInt>(it->second);
    };
    auto words = at("words"), floor = at("floor");
    if (!words || !floor) {
      report.differ(path, "does not say words and floor");
      return;
    }
    Valuation sizes;
    for (const auto &[name, value] : *o.witness)
      if (c.symbol(name) || name == c.fastWords)
        sizes[name] = value;
      else if (name != "words" && name != "floor")
        report.differ(path + "." + name, "is no symbol");
    if (std::string why = whyInadmissible(c, sizes); !why.empty())
      report.differ(path, "is not admissible: " + why);
    for (const Cond &h : f.hypotheses)
      if (evaluate(h, sizes) == false)
        report.differ(path, "the floor does not hold there: " + h.str());
    checkM(f, sizes, path);
    Words traffic = wordsAgainst(c, f.against);
    // More traffic than there can be, or the floor of an M that is too small,
    // would be no witness.
    auto moved = traffic.hi ? evaluate(*traffic.hi, sizes) : std::nullopt;
    auto num = evaluate(f.num, sizes), den = evaluate(f.den, sizes);
    if (!moved || !num || !den || *den < 1) {
      report.differ(path, "cannot be evaluated");
      return;
    }
    if (*words != *moved)
      report.differ(path + ".words", "the traffic there is " + decimal(*moved));
    BigInt least = (*num + *den - 1) / *den;
    if (*floor != least)
      report.differ(path + ".floor", "the floor there is " + decimal(least));
    if (*moved * *den >= *num)
      report.differ(path, "the traffic there is not below the floor");
  }

  void checkM(const FloorRow &f, const Valuation &sizes,
              const std::string &path) {
    if (!usesM(f))
      return;
    auto m = sizes.find(c.fastWords);
    if (m == sizes.end() || !c.footprintHi || !c.hasDims) {
      report.differ(path, "does not say how many fast words");
      return;
    }
    std::vector<Expr> ends{c.dims.at("d") * c.dims.at("d"), *c.footprintHi};
    if (c.givenM)
      ends.push_back(*c.givenM);
    auto least = evaluate(max(ends), sizes);
    if (!least || m->second < *least)
      report.differ(path + "." + c.fastWords,
                    "the kernel may hold more: at least " +
                        (least ? decimal(*least) : "unknown") + " words");
  }

  const Certificate &c;
  const Options &options;
  Report &report;
  Summary &summary;
  Assumptions known;
};

} // namespace

void ioflor::check::checkObligations(const Certificate &c,
                                     const Options &options, Report &report,
                                     Summary &summary) {
  ObligationCheck(c, options, report, summary).run();
}
