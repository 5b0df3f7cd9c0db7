//===- Obligation.h - A statement and its answer -----------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_PROVER_OBLIGATION_H
#define IOFLOR_PASSES_PROVER_OBLIGATION_H

#include "dialect/expr/Cond.h"
#include "dialect/expr/Expr.h"
#include <map>
#include <string>
#include <vector>

namespace ioflor::prover {

/// `goal` for all values that `known` and `hypotheses` admit.
struct Obligation {
  std::string name;
  /// Ranges and facts of the symbols.
  Assumptions known;
  /// Further hypotheses, e.g. `d*d <= M`. Unknown conditions are left out,
  /// which only makes the statement stronger.
  std::vector<Cond> hypotheses;
  /// One comparison, cross-multiplied: no division by a symbol.
  Cond goal;
};

/// What came of an obligation; never a bool.
enum class Answer : uint8_t {
  Proved,  ///< the negation contradicts the hypotheses
  Refuted, ///< a candidate only: the relaxation over the reals has a model
  Unknown, ///< the solver gave up within its resource limit
  Vacuous, ///< the hypotheses cannot hold
  Invalid, ///< the statement is none that can be encoded
  Error    ///< the solver failed
};

/// `proved`, `refuted`, `unknown`, `vacuous`, `invalid`, `error`.
llvm::StringRef answerName(Answer answer);

struct ProofResult {
  Answer answer = Answer::Unknown;
  /// Which engine and hypothesis set answered: `qfnra-nlsat minimal`.
  std::string solver;
  /// The whole query in SMT-LIB2 (QF_NRA); `unsat` is the proof. The text is
  /// what the solver was given.
  std::string smt2;
  /// Why it is not proved; a lower-case phrase.
  std::string note;
  /// A point of the relaxation (decimal strings), for Refuted; a hint only.
  std::map<std::string, std::string> model;
};

} // namespace ioflor::prover

#endif // IOFLOR_PASSES_PROVER_OBLIGATION_H
