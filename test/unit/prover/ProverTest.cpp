//===- ProverTest.cpp - Obligations of textbook kernels and mutants -------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/prover/Prover.h"
#include "Common.h"
#include "passes/floors/Floors.h"
#include "passes/prover/Solver.h"

using namespace ioflor;
using namespace ioflor::prover;

namespace {

/// Is traffic at least the saha-ye floor of E pairs (twice of them given)?
ProofResult sahaYe(const Assumptions &known, const char *traffic,
                   const char *twicePairs, const char *d,
                   std::initializer_list<const char *> footprint,
                   std::vector<Cond> more = {}) {
  Obligation o;
  o.name = "saha-ye";
  o.known = known;
  o.known.declare("M", Expr(1), std::nullopt);
  Expr M = Expr::symbol("M"), D = E(d);
  o.hypotheses = std::move(more);
  o.hypotheses.push_back(le(D * D, M));
  for (const char *f : footprint)
    o.hypotheses.push_back(le(E(f), M));
  o.goal = le(E(twicePairs) * D * D, 4 * M * E(traffic));
  return prove(o);
}

#define EXPECT_PROVED(result)                                                  \
  do {                                                                         \
    ProofResult r = (result);                                                  \
    EXPECT_EQ(answerName(r.answer).str(), "proved") << r.note << "\n"          \
                                                    << r.smt2;                 \
    RecordProperty("solver", r.solver);                                        \
  } while (false)
#define EXPECT_NOT_PROVED(result)                                              \
  do {                                                                         \
    ProofResult r = (result);                                                  \
    EXPECT_NE(answerName(r.answer).str(), "proved") << r.smt2;                 \
    EXPECT_NE(answerName(r.answer).str(), "error") << r.note;                  \
  } while (false)

TEST(Prove, TiledForward) {
  auto known = sizes({"N", "d", "B", "H"});
  EXPECT_PROVED(sahaYe(known, "B*H*N*64 + B*H*ceildiv(N, 64)*N*64", "2*B*H*N*N",
                       "64", {"64*64"}));
  EXPECT_PROVED(sahaYe(known, "B*H*N*d + B*H*ceildiv(N, 32)*N*d", "2*B*H*N*N",
                       "d", {"32*d"}));
  // One tile of rows too few for what the floor asks.
  EXPECT_NOT_PROVED(sahaYe(known, "B*H*N*d + B*H*ceildiv(N, 65)*N*d",
                           "2*B*H*N*N", "d", {"32*d"}));
}

TEST(Prove, SymbolicTilesAndGroups) {
  auto known = sizes({"nq", "nk", "d", "B", "H", "G", "Br"});
  EXPECT_PROVED(sahaYe(known, "B*H*nq*d + B*H*ceildiv(nq, Br)*nk*d",
                       "2*B*H*nq*nk", "d", {"Br*d"}));
  EXPECT_PROVED(sahaYe(known, "B*H*G*nq*d + B*H*ceildiv(G*nq, Br)*nk*d",
                       "2*B*H*G*nq*nk", "d", {"Br*d"}));
}

TEST(Prove, OuterKeysAndNaive) {
  auto known = sizes({"N", "d"});
  EXPECT_PROVED(
      sahaYe(known, "N*d + ceildiv(N, 32)*N*d", "2*N*N", "d", {"2*32*d"}));
  // Scores through slow memory: stored, then loaded.
  EXPECT_PROVED(sahaYe(known, "ceildiv(N,16)*2*N*d + 2*N*N", "2*N*N", "d", {}));
}

TEST(Prove, Decode) {
  auto known = sizes({"nk", "d"});
  EXPECT_PROVED(sahaYe(known, "d + nk*d", "2*nk", "d", {}));
}

TEST(Prove, Causal) {
  auto known = sizes({"N"});
  // Closed form with whole tiles only, as a sum, and per thread.
  EXPECT_PROVED(sahaYe(
      known,
      "N*64 + sum(64*min(N, 64*bx + 64) for bx in range(0, ceildiv(N, 64)))",
      "N*(N + 1)", "64", {"64*64"}));
  EXPECT_PROVED(
      sahaYe(known, "32*N + 32*floordiv(N*(N + 1), 2)", "N*(N + 1)", "32", {}));
}

TEST(Prove, WindowAgainstItsOwnPairs) {
  auto known = sizes({"N", "W"});
  const char *traffic =
      "N*64 + sum(64*(min(N, 64*bx + 64) - max(0, 64*bx - W + 1)) for bx in "
      "range(0, ceildiv(N, 64)))";
  EXPECT_PROVED(sahaYe(known, traffic, "2*N*W - W*(W - 1)", "64", {"64*64"},
                       {C("W <= N")}));
  EXPECT_NOT_PROVED(sahaYe(known, traffic, "2*N*N", "64", {"64*64"}));
}

Obligation scan(const Assumptions &known, const char *goal,
                std::vector<Cond> hypotheses = {}) {
  Obligation o;
  o.name = "scan";
  o.known = known;
  o.hypotheses = std::move(hypotheses);
  o.goal = C(goal);
  return o;
}

TEST(Prove, Scans) {
  auto known = sizes({"N", "L", "H", "G", "d"});
  EXPECT_PROVED(prove(scan(known, "H*ceildiv(N, 64)*L*d >= H*L*d")));
  EXPECT_PROVED(prove(scan(known, "N*d >= N*d")));
  EXPECT_PROVED(
      prove(scan(known, "H*ceildiv(N, 64)*L*d >= G*L*d", {C("G <= H")})));
  EXPECT_NOT_PROVED(prove(scan(known, "floordiv(N, 64)*64*d >= N*d")));
  EXPECT_PROVED(
      prove(scan(known, "floordiv(N, 64)*64*d >= N*d", {C("N % 64 == 0")})));
  EXPECT_PROVED(prove(scan(known, "d*floordiv(N*(N + 1), 2) >= N*d")));
}

TEST(Prove, Vacuous) {
  auto known = sizes({"N"});
  ProofResult r = prove(scan(known, "N >= 5", {C("N >= 7"), C("N <= 6")}));
  EXPECT_EQ(answerName(r.answer), "vacuous");
}

TEST(Prove, InvalidGoal) {
  ProofResult r = prove(scan(sizes({"N"}), "N != 3"));
  EXPECT_EQ(answerName(r.answer), "invalid");
}

TEST(Prove, UnreadHypothesesAreLeftOut) {
  auto known = sizes({"N"});
  EXPECT_NOT_PROVED(prove(
      scan(known, "N >= 5", {C("N >= 5 or unknown(\"loaded value\", u1)")})));
}

TEST(Prove, NamesOfTheLogic) {
  auto known = sizes({"let", "div", "as"});
  EXPECT_PROVED(prove(scan(known, "let*div*as >= 1")));
}

TEST(Prove, TextIsWhatWasProved) {
  auto known = sizes({"N", "d"});
  ProofResult r =
      sahaYe(known, "N*d + ceildiv(N, 32)*N*d", "2*N*N", "d", {"32*d"});
  EXPECT_NE(r.smt2.find("(set-logic QF_NRA)"), std::string::npos);
  EXPECT_NE(r.smt2.find("(check-sat)"), std::string::npos);
  EXPECT_EQ(solve(r.smt2, Engine::Default, 2'000'000).answer,
            SolverAnswer::Unsat);
  // The same text with the goal's negation taken out is satisfiable.
  std::string text = r.smt2;
  size_t at = text.find("(assert (not");
  ASSERT_NE(at, std::string::npos);
  text.erase(at, text.find('\n', at) - at);
  EXPECT_EQ(solve(text, Engine::Nlsat, 2'000'000).answer, SolverAnswer::Sat);
}

TEST(Solver, BoundsWorkAndCatchesEverything) {
  EXPECT_EQ(solve("(assert (", Engine::Nlsat, 1000).answer,
            SolverAnswer::Error);
  std::string hard = "(declare-const x Real)(declare-const y Real)"
                     "(declare-const z Real)"
                     "(assert (= (+ (* x x x) (* y y y) (* x y z)) 3))"
                     "(assert (= (+ (* x x y) (* z z z z) (* y z)) 5))"
                     "(assert (> (* x y z) 2))";
  EXPECT_EQ(solve(hard, Engine::Nlsat, 10).answer, SolverAnswer::Unknown);
}

} // namespace
