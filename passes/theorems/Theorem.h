//===- Theorem.h - The statements that the floors rest on ------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arithmetic of every floor, proved by z3 over the reals. Each theorem
// comes with mutants, sharpened or with a hypothesis left out, which must have
// a counterexample: a prover that proves everything would be found out.
//
// What is proved here is arithmetic. That schedules, segments and residencies
// give these hypotheses is argued in docs/floors.md, not by the solver.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_THEOREMS_THEOREM_H
#define IOFLOR_PASSES_THEOREMS_THEOREM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace ioflor::theorems {

struct Theorem {
  /// `group.part`, or `group` alone.
  std::string name;
  std::string statement; ///< in words
  std::string source;    ///< whose statement or derivation it is
  std::string usedBy;    ///< which floor or pass of the product rests on it
  /// Formulas (see Formula.h) separated by `;`; may be empty.
  std::string hypotheses;
  std::string goal;
  /// Goals that do not follow, or `hypotheses |- goal`. None given: the goal,
  /// a comparison, sharpened by one part in a hundred.
  std::vector<std::string> mutants;
  std::string group() const {
    return llvm::StringRef(name).split('.').first.str();
  }
};

/// All of them, in a fixed order; names are unique.
llvm::ArrayRef<Theorem> theorems();

/// Scripts in QF_NRA that end in (check-sat), and what the answer must be.
struct Query {
  std::string name; ///< `NAME`, `NAME-hypotheses`, `NAME-mutant-1`
  std::string smt2;
  bool unsat; ///< else sat
};
/// The theorem's own query first, then its hypotheses, then its mutants. Empty
/// with `error` where a formula cannot be read (a fault of the table).
std::vector<Query> queriesOf(const Theorem &theorem,
                             std::string *error = nullptr);

struct TheoremResult {
  bool proved = false;      ///< the negation contradicts the hypotheses
  bool satisfiable = false; ///< the hypotheses have a model
  unsigned mutants = 0, refuted = 0;
  std::string solver; ///< which engine proved it
  std::string note;   ///< why not ok(); lower case
  bool ok() const {
    return proved && satisfiable && mutants > 0 && refuted == mutants;
  }
};

/// z3's resource units for each query; the theorems take at most a tenth.
inline constexpr unsigned kRlimit = 20'000'000;
TheoremResult prove(const Theorem &theorem, unsigned rlimit = kRlimit);

/// True if the group exists and every part of it is proved with satisfiable
/// hypotheses (`io_floor_ordering`, ...). For certificates.
bool proveGroup(llvm::StringRef group, unsigned rlimit = kRlimit);

} // namespace ioflor::theorems

#endif // IOFLOR_PASSES_THEOREMS_THEOREM_H
