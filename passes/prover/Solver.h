//===- Solver.h - z3 behind a small face -------------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_PROVER_SOLVER_H
#define IOFLOR_PASSES_PROVER_SOLVER_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <string>

namespace ioflor::prover {

enum class Engine : uint8_t {
  Nlsat,  ///< the solver of the tactic qfnra-nlsat
  Default ///< z3's own choice
};
llvm::StringRef engineName(Engine engine);

enum class SolverAnswer : uint8_t { Sat, Unsat, Unknown, Error };

struct SolverResult {
  SolverAnswer answer = SolverAnswer::Unknown;
  std::string note; ///< z3's reason, for Unknown and Error
  std::map<std::string, std::string> model; ///< decimal strings, for Sat
};

/// Decides the assertions of a script. A fresh context each; `rlimit` bounds
/// the work in z3's own units, so that the answer does not depend on the
/// machine's speed. No exception leaves this function.
SolverResult solve(const std::string &smt2, Engine engine, unsigned rlimit);

/// z3's version, `4.8.12`.
std::string solverVersion();

} // namespace ioflor::prover

#endif // IOFLOR_PASSES_PROVER_SOLVER_H
