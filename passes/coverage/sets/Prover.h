//===- Prover.h - The steps of a coverage proof -------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_COVERAGE_SETS_PROVER_H
#define IOFLOR_PASSES_COVERAGE_SETS_PROVER_H

#include "passes/coverage/sets/Coverage.h"
#include "passes/coverage/sets/Dataflow.h"

namespace ioflor::sets {

class Prover {
public:
  Prover(SubjectOp subject, uint64_t operations, bool explain)
      : model(subject, operations), kinds(subject), flow(model, kinds),
        explain(explain) {}
  Proof run();

private:
  Model model;
  Kinds kinds;
  Dataflow flow;
  bool explain;
  Proof proof;

  /// An operand's shape; entries are [leads, row, column], where the leads are
  /// batch and heads.
  struct Operand {
    const Shape *shape = nullptr;
    std::vector<unsigned> leads;
    std::optional<unsigned> row, column;
  };
  Operand q, k, v, out;
  Set written; ///< entries of O (of the CTA, where the grid is a parameter)
  Set entries; ///< the same, named O
  Terms sums;  ///< O entry -> products
  /// exp -> [Q leads, row, K leads, key]; the instances that were looked at.
  std::map<unsigned, Map> scoreOf;
  std::map<unsigned, Set> scoreSeen;
  /// O entry -> divisions.
  std::map<unsigned, Map> divisors;
  Map pairs; ///< O entry -> [Q leads, row, K leads, key]

  bool fail(mlir::Operation *at, const std::string &why);
  bool require(std::optional<bool> answer, mlir::Operation *at,
               const std::string &why);
  static void unite(Map &into, const Map &m);
  static void unite(Set &into, const Set &s);
  bool check(const Terms &terms, const Set &relevant,
             std::initializer_list<TermKind> allowed);
  bool findOperands();
  Map inOrder(const Operand &o);
  Map entry(unsigned access, const Operand &o, std::string &why);
  Set box(const Operand &o);
  bool findOwners();
  // Bounds.cpp
  bool staysInside();
  bool readsInside();
  bool findSums();
  bool findScores(unsigned exp, const Set &relevant);
  bool tryScores(unsigned exp, const Set &all);
  void note(const std::string &name, const Map &m);
  static bool isMinusInfinity(mlir::Operation *op);
  Map factors(unsigned product, const Set &relevant, Role a, Role b);
  Map word(const Terms &terms, const Set &relevant, Role role);

  // Weights.cpp
  bool findPairs();
  bool addPairs(unsigned product, const Map &from, std::vector<Map> &once);
  Map weightScores(const Terms &weight, const Set &relevant, Set &zero,
                   mlir::Operation *at);
  void noteDivisors(const Map &from, const Terms &terms);
  bool checkDivisors();
  // Masks.cpp
  bool matchMask();
  std::string headCondition(const std::vector<std::string> &o,
                            const std::vector<std::string> &kv);
  struct Candidate {
    std::string name;
    std::string condition; ///< on row `i` and key `j`
    std::optional<Expr> w;
  };
  std::vector<Candidate> candidates();
};

} // namespace ioflor::sets

#endif // IOFLOR_PASSES_COVERAGE_SETS_PROVER_H
