//===- Solver.cpp - z3 behind a small face --------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only file that includes z3++.h. Compiled with exceptions; none leaves it.
//
//===----------------------------------------------------------------------===//
#include "passes/prover/Solver.h"
#include <new>
#include <z3++.h>

using namespace ioflor;
using namespace ioflor::prover;

llvm::StringRef ioflor::prover::engineName(Engine engine) {
  return engine == Engine::Nlsat ? "qfnra-nlsat" : "default";
}

static constexpr unsigned kBackstopMs = 5'000;

static SolverResult run(const std::string &smt2, Engine engine,
                        unsigned rlimit) {
  SolverResult result;
  z3::context context;
  z3::solver solver = engine == Engine::Nlsat
                          ? z3::tactic(context, "qfnra-nlsat").mk_solver()
                          : z3::solver(context);
  // On the solver: a global parameter would reach other users of the same z3
  // in the process, and does not bound the tactic's solver.
  z3::params params(context);
  params.set("rlimit", rlimit);
  // Only a backstop, far above what the unit bound takes: single steps of
  // algebra on large numbers cost few units and may last long.
  params.set("timeout", kBackstopMs);
  solver.set(params);
  z3::expr_vector assertions = context.parse_string(smt2.c_str());
  for (unsigned i = 0; i < assertions.size(); ++i)
    solver.add(assertions[i]);
  switch (solver.check()) {
  case z3::unsat:
    result.answer = SolverAnswer::Unsat;
    break;
  case z3::unknown:
    result.answer = SolverAnswer::Unknown;
    result.note = solver.reason_unknown();
    break;
  case z3::sat: {
    result.answer = SolverAnswer::Sat;
    z3::model model = solver.get_model();
    for (unsigned i = 0; i < model.num_consts(); ++i) {
      z3::func_decl symbol = model.get_const_decl(i);
      z3::expr value = model.get_const_interp(symbol);
      if (value.is_numeral() || value.is_algebraic())
        result.model[symbol.name().str()] = value.get_decimal_string(6);
    }
    break;
  }
  }
  return result;
}

SolverResult ioflor::prover::solve(const std::string &smt2, Engine engine,
                                   unsigned rlimit) {
  SolverResult result;
  result.answer = SolverAnswer::Error;
  try {
    return run(smt2, engine, rlimit);
  } catch (const z3::exception &e) {
    result.note = e.msg();
  } catch (const std::bad_alloc &) {
    result.note = "out of memory";
  } catch (...) {
    result.note = "the solver failed";
  }
  return result;
}

std::string ioflor::prover::solverVersion() {
  unsigned major = 0, minor = 0, build = 0, revision = 0;
  Z3_get_version(&major, &minor, &build, &revision);
  return std::to_string(major) + "." + std::to_string(minor) + "." +
         std::to_string(build);
}
