//===- Prove.cpp - Theorems through the prover ---------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/prover/Solver.h"
#include "passes/theorems/Formula.h"
#include "passes/theorems/Tables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

using namespace ioflor;
using namespace ioflor::theorems;
using llvm::StringRef;

llvm::ArrayRef<Theorem> ioflor::theorems::theorems() {
  static const Table table = [] {
    Table t;
    addOrderings(t);
    addSegments(t);
    addTight(t);
    addBackward(t);
    addSharding(t);
    return t;
  }();
  return table;
}

/// A script of `hypotheses` and the negation of `goal` (empty: none).
static std::optional<std::string> script(StringRef hypotheses, StringRef goal,
                                         const llvm::Twine &comment,
                                         std::string *error) {
  std::set<std::string> variables;
  std::string assertions;
  llvm::SmallVector<StringRef> parts;
  hypotheses.split(parts, ';', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    if (part.trim().empty())
      continue;
    auto term = toSmtLib(part, variables, error);
    if (!term)
      return std::nullopt;
    assertions += "(assert " + *term + ") ; " + part.trim().str() + "\n";
  }
  if (!goal.empty()) {
    auto term = toSmtLib(goal, variables, error);
    if (!term)
      return std::nullopt;
    assertions += "(assert (not " + *term + ")) ; not: " + goal.str() + "\n";
  }
  std::string out = "; " + comment.str() + "\n(set-logic QF_NRA)\n";
  for (const std::string &v : variables)
    out += "(declare-const " + v + " Real)\n";
  return out + assertions + "(check-sat)\n";
}

std::vector<Query> ioflor::theorems::queriesOf(const Theorem &t,
                                               std::string *error) {
  std::vector<Query> out;
  bool good = true;
  auto add = [&](const llvm::Twine &name, StringRef hypotheses, StringRef goal,
                 const llvm::Twine &comment, bool unsat) {
    if (auto text = script(hypotheses, goal, comment, error))
      out.push_back({name.str(), *text, unsat});
    else
      good = false;
  };
  add(t.name, t.hypotheses, t.goal, t.name + ": " + t.statement, true);
  add(t.name + "-hypotheses", t.hypotheses, "",
      t.name + ": the hypotheses can hold", false);
  std::vector<std::string> mutants = t.mutants;
  if (mutants.empty()) {
    auto sides = sidesOf(t.goal);
    if (!sides) {
      if (error)
        *error = "a goal that is no comparison needs a mutant of its own";
      return {};
    }
    mutants = {"101*(" + sides->smaller + ") <= 100*(" + sides->larger + ")"};
  }
  for (auto [i, mutant] : llvm::enumerate(mutants)) {
    StringRef hypotheses = t.hypotheses, goal = mutant;
    if (goal.contains("|-"))
      std::tie(hypotheses, goal) = StringRef(mutant).split("|-");
    add(t.name + "-mutant-" + llvm::Twine(i + 1), hypotheses, goal.trim(),
        t.name + ", made false", false);
  }
  if (!good)
    return {};
  return out;
}

/// The first engine that decides, `want` before the other answer.
static prover::SolverResult decide(const std::string &smt2, unsigned rlimit,
                                   std::string &engine) {
  prover::SolverResult last;
  for (prover::Engine e : {prover::Engine::Nlsat, prover::Engine::Default}) {
    last = prover::solve(smt2, e, rlimit);
    engine = prover::engineName(e).str();
    if (last.answer == prover::SolverAnswer::Sat ||
        last.answer == prover::SolverAnswer::Unsat)
      return last;
  }
  return last;
}

TheoremResult ioflor::theorems::prove(const Theorem &t, unsigned rlimit) {
  TheoremResult r;
  std::string error;
  std::vector<Query> queries = queriesOf(t, &error);
  if (queries.empty()) {
    r.note = error;
    return r;
  }
  auto blame = [&](const Query &q, const prover::SolverResult &got) {
    if (r.note.empty())
      r.note = q.name + ": " +
               (got.answer == prover::SolverAnswer::Sat     ? "sat"
                : got.answer == prover::SolverAnswer::Unsat ? "unsat"
                                                            : got.note);
  };
  r.mutants = unsigned(queries.size()) - 2;
  for (auto [i, q] : llvm::enumerate(queries)) {
    std::string engine;
    prover::SolverResult got = decide(q.smt2, rlimit, engine);
    bool good = got.answer == (q.unsat ? prover::SolverAnswer::Unsat
                                       : prover::SolverAnswer::Sat);
    if (!good)
      blame(q, got);
    if (i == 0) {
      r.proved = good;
      r.solver = engine;
    } else if (i == 1) {
      r.satisfiable = good;
    } else {
      r.refuted += good;
    }
  }
  return r;
}

bool ioflor::theorems::proveGroup(StringRef group, unsigned rlimit) {
  bool any = false;
  for (const Theorem &t : theorems()) {
    if (t.group() != group)
      continue;
    any = true;
    if (!prove(t, rlimit).ok())
      return false;
  }
  return any;
}
