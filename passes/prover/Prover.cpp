//===- Prover.cpp - Proves obligations ------------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/prover/Prover.h"
#include "passes/prover/Relax.h"
#include "passes/prover/SmtLib.h"
#include "passes/prover/Solver.h"
#include "passes/prover/Witness.h"
#include "llvm/ADT/Twine.h"

using namespace ioflor;
using namespace ioflor::prover;

llvm::StringRef ioflor::prover::answerName(Answer answer) {
  switch (answer) {
  case Answer::Proved:
    return "proved";
  case Answer::Refuted:
    return "refuted";
  case Answer::Unknown:
    return "unknown";
  case Answer::Vacuous:
    return "vacuous";
  case Answer::Invalid:
    return "invalid";
  case Answer::Error:
    return "error";
  }
  return "error";
}

namespace {
struct Attempt {
  Engine engine;
  Strategy strategy;
  const char *name;
};
} // namespace

// The plain ones first: most proofs need no more.
static constexpr Attempt kAttempts[] = {
    {Engine::Nlsat, {Hypotheses::Minimal}, "minimal"},
    {Engine::Nlsat, {Hypotheses::Relevant}, "relevant"},
    {Engine::Nlsat,
     {Hypotheses::Minimal, /*weaken=*/true, /*products=*/true},
     "products"},
    {Engine::Nlsat,
     {Hypotheses::Minimal, /*weaken=*/false, /*products=*/false,
      /*split=*/true},
     "cases"},
    {Engine::Nlsat,
     {Hypotheses::Minimal, /*weaken=*/false, /*products=*/true,
      /*split=*/true},
     "products and cases"},
    {Engine::Default, {Hypotheses::Minimal}, "minimal"},
    {Engine::Default, {Hypotheses::All}, "all"},
};

/// See the public form.
static Answer canHold(const Obligation &o, Relaxation &relaxation,
                      const ProverOptions &options) {
  // An integer point is the best evidence, and cheap.
  if (findPoint(o.known, o.hypotheses, o.goal.freeSymbols()))
    return Answer::Proved;
  std::string text = smtLib(relaxation.vacuity(), o);
  for (Engine engine : {Engine::Nlsat, Engine::Default}) {
    SolverResult r = solve(text, engine, options.rlimit);
    if (r.answer == SolverAnswer::Sat)
      return Answer::Proved;
    if (r.answer == SolverAnswer::Unsat)
      return Answer::Vacuous;
  }
  return Answer::Unknown;
}

Answer ioflor::prover::satisfiable(const Obligation &obligation,
                                   const ProverOptions &options) {
  Relaxation relaxation(obligation);
  return relaxation.valid() ? canHold(obligation, relaxation, options)
                            : Answer::Unknown;
}

std::vector<std::string>
ioflor::prover::queriesOf(const Obligation &obligation) {
  std::vector<std::string> out;
  Relaxation relaxation(obligation);
  if (relaxation.valid())
    for (const Attempt &attempt : kAttempts)
      out.push_back(smtLib(relaxation.query(attempt.strategy), obligation));
  return out;
}

ProofResult ioflor::prover::prove(const Obligation &obligation,
                                  const ProverOptions &options) {
  ProofResult result;
  Relaxation relaxation(obligation);
  if (!relaxation.valid()) {
    result.answer = Answer::Invalid;
    result.note = "the goal is no comparison of two expressions";
    return result;
  }
  for (const Attempt &attempt : kAttempts) {
    std::string text = smtLib(relaxation.query(attempt.strategy), obligation);
    SolverResult r = solve(text, attempt.engine, options.rlimit);
    std::string solver =
        (engineName(attempt.engine) + llvm::Twine(" ") + attempt.name).str();
    if (r.answer == SolverAnswer::Unsat) {
      result.answer = canHold(obligation, relaxation, options);
      if (result.answer == Answer::Unknown)
        result.note = "the hypotheses may exclude each other";
      if (result.answer == Answer::Vacuous)
        result.note = "the hypotheses exclude each other";
      result.solver = std::move(solver);
      result.smt2 = std::move(text);
      result.model.clear();
      return result;
    }
    bool last = options.onlyFirst;
    bool better = result.smt2.empty() || r.answer == SolverAnswer::Sat;
    if (!better) {
      if (last)
        break;
      continue;
    }
    result.answer = r.answer == SolverAnswer::Sat     ? Answer::Refuted
                    : r.answer == SolverAnswer::Error ? Answer::Error
                                                      : Answer::Unknown;
    result.solver = std::move(solver);
    result.smt2 = std::move(text);
    result.note = r.answer == SolverAnswer::Sat
                      ? "the relaxation over the reals has a model"
                      : r.note;
    result.model = std::move(r.model);
    if (last)
      break;
  }
  return result;
}
