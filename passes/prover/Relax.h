//===- Relax.h - From integer conditions to real polynomials -----*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every division, min, max and sum becomes a fresh real, a token, of which only
// true facts are kept; every symbol becomes a real. Hypotheses only ever get
// weaker by this, so what is proved of the relaxation holds of the integers.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_PROVER_RELAX_H
#define IOFLOR_PASSES_PROVER_RELAX_H

#include "passes/prover/Obligation.h"
#include <set>

namespace ioflor::prover {

/// A condition over symbols and tokens and where it comes from.
struct Fact {
  Cond cond;
  std::string why;
  bool operator==(const Fact &o) const { return cond == o.cond; }
};

struct Token {
  std::string name;
  Expr meaning; ///< over the symbols of the obligation
};

/// One query: the facts contradict `goal < 0`.
struct Query {
  std::vector<Token> tokens;
  std::vector<Fact> facts;
  Expr goal; ///< polynomial; claimed >= 0
  /// What the goal was divided by (each non-negative), for the record.
  std::vector<Expr> cancelled;
};

enum class Hypotheses : uint8_t {
  Minimal,  ///< only those that bound what the goal needs, from one side
  Relevant, ///< all of those that share a symbol with the goal
  All
};

/// What a query is made of besides the facts of its hypotheses.
struct Strategy {
  Hypotheses hypotheses = Hypotheses::Minimal;
  /// A claim that is at most the goal, with fewer tokens, in its place.
  bool weaken = false;
  /// Products of hypotheses and tokens.
  bool products = false;
  /// That quotients are 1 or at least 2.
  bool split = false;
};

class Relaxation {
public:
  explicit Relaxation(const Obligation &obligation);

  /// False where the goal is none that can be encoded.
  bool valid() const { return isValid; }
  Query query(const Strategy &strategy);
  /// The facts of all hypotheses with `goal` = -1, so that a contradiction
  /// means that they cannot hold together.
  Query vacuity();

private:
  enum Side : uint8_t { Lower = 1, Upper = 2, Both = 3 };

  Expr tokenise(const Expr &e);
  Expr tokenFor(const Expr &atom);
  /// The condition over tokens; nullopt for one that is not known.
  std::optional<Cond> tokenise(const Cond &c);
  bool nonNegative(const std::string &variable) const;
  void cancel(Expr &goal, std::vector<Expr> &by) const;
  void buildTokenFacts(size_t index);
  void collect(Hypotheses choice, const Expr &goal, std::vector<Fact> &out);
  std::vector<Fact> rangeFacts(const std::string &symbol) const;

  /// token * divisor >= covered, of a ceiling.
  struct Cover {
    Expr token, divisor, covered;
  };
  std::vector<Cover> covers();
  bool allNonNegative(const Expr &term) const;
  Expr weakened(const Expr &goal);
  std::vector<Fact> products();
  std::vector<Fact> splits(const std::set<std::string> &used) const;

  struct TokenFacts {
    std::vector<Fact> sign, lower, upper;
    bool built = false;
  };

  Assumptions known; ///< of the obligation, hypotheses included
  bool isValid = true;
  Expr goal;
  std::vector<Expr> goalCancelled;
  std::vector<Fact> hypotheses;
  std::vector<Token> tokens;
  std::vector<TokenFacts> facts; ///< parallel to tokens
  std::map<Expr, size_t> tokenOf;
  std::map<std::string, size_t> tokenByName;
};

} // namespace ioflor::prover

#endif // IOFLOR_PASSES_PROVER_RELAX_H
