//===- LemmasTest.cpp - Facts beyond the hypotheses, and what they prove --===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Common.h"
#include "passes/prover/Prover.h"
#include "passes/prover/Relax.h"
#include <random>

using namespace ioflor;
using namespace ioflor::prover;

namespace {

struct Case {
  std::vector<const char *> symbols, hypotheses;
  const char *goal;
  /// The same sharpened until some sizes break it.
  const char *wrong;
};

// Shapes of public and adversarial kernels.
const Case kCases[] = {
    // Causal by tiles of 32, whole tiles skipped: as much as a scan of K only
    // because the number of tiles is 1 or at least 2.
    {{"N"},
     {},
     "16*ceildiv(N, 32)**2 + N <= N*ceildiv(N, 32) + 16*ceildiv(N, 32)",
     "16*ceildiv(N, 32)**2 + N + 1 <= N*ceildiv(N, 32) + 16*ceildiv(N, 32)"},
    // One CTA for all rows, symbolic tiles that fit in M.
    {{"N", "d", "Br", "Bc", "M"},
     {"d*d <= M", "Bc*Br + 2*Bc*d + Br*d <= M"},
     "d*N*N <= 2*Br*M*ceildiv(N, Bc)*ceildiv(N, Br) + 2*Bc*M*ceildiv(N, Bc)",
     "7*d*N*N <= 2*Br*M*ceildiv(N, Bc)*ceildiv(N, Br) + "
     "2*Bc*M*ceildiv(N, Bc)"},
    // Rows flattened over heads: a block of 4 rows may straddle heads.
    {{"B", "N"},
     {},
     "B*N <= N*sum(ceildiv(N*i + N, 4) - floordiv(N*i, 4) for i in range(0, "
     "B))",
     "2*B*N <= N*sum(ceildiv(N*i + N, 4) - floordiv(N*i, 4) for i in range(0, "
     "B))"},
    // Bottom-right causal with a past, by query tiles: the scan and the pairs.
    {{"nq", "past"},
     {},
     "nq + past <= sum(min(nq + past, 32*bx + 32 + past) for bx in range(0, "
     "ceildiv(nq, 32)))",
     "nq + past <= sum(min(nq + past, 32*bx + 32 + past) for bx in range(0, "
     "ceildiv(nq, 32) - 1))"},
    {{"nq", "past", "M"},
     {"3072 <= M"},
     "16*nq*(2*past + nq + 1) <= M*nq + M*sum(min(nq + past, 32*bx + 32 + "
     "past) for bx in range(0, ceildiv(nq, 32)))",
     "384*nq*(2*past + nq + 1) <= M*nq + M*sum(min(nq + past, 32*bx + 32 + "
     "past) for bx in range(0, ceildiv(nq, 32)))"},
};

Obligation obligation(const Case &c, const char *goal) {
  Obligation o;
  o.name = "case";
  for (const char *s : c.symbols)
    o.known.declare(s, Expr(1), Expr((int64_t(1) << 31) - 1));
  for (const char *h : c.hypotheses)
    o.hypotheses.push_back(C(h));
  o.goal = C(goal);
  return o;
}

TEST(Lemmas, Prove) {
  for (const Case &c : kCases) {
    ProofResult r = prove(obligation(c, c.goal));
    EXPECT_EQ(answerName(r.answer).str(), "proved") << r.note << "\n" << r.smt2;
  }
}

TEST(Lemmas, DoNotProveWhatIsFalse) {
  for (const Case &c : kCases) {
    ProofResult r = prove(obligation(c, c.wrong));
    EXPECT_NE(answerName(r.answer).str(), "proved") << r.smt2;
    EXPECT_NE(answerName(r.answer).str(), "vacuous") << r.smt2;
  }
}

/// The values of the symbols and of the tokens, which may be made of tokens'
/// meanings only.
Valuation withTokens(const Query &q, Valuation at) {
  Valuation symbols = at;
  for (const Token &t : q.tokens)
    if (auto v = evaluate(t.meaning, symbols))
      at[t.name] = *v;
  return at;
}

/// Every fact holds at every whole point that the hypotheses admit, and a goal
/// in place of another is at most that.
TEST(Lemmas, HoldAtWholePoints) {
  std::mt19937 random(7);
  const Strategy kStrategies[] = {
      {Hypotheses::Minimal},
      {Hypotheses::All, /*weaken=*/true, /*products=*/true, /*split=*/true},
      {Hypotheses::All, /*weaken=*/false, /*products=*/true, /*split=*/true}};
  for (const Case &c : kCases)
    for (const char *goal : {c.goal, c.wrong}) {
      Obligation o = obligation(c, goal);
      Relaxation relaxation(o);
      ASSERT_TRUE(relaxation.valid());
      for (const Strategy &s : kStrategies) {
        Query q = relaxation.query(s);
        unsigned admitted = 0;
        for (int round = 0; round < 3000 && admitted < 150; ++round) {
          Valuation at;
          for (const char *symbol : c.symbols) {
            int64_t most = llvm::StringRef(symbol) == "M" ? 20000 : 100;
            at[symbol] = BigInt(int64_t(1 + random() % most));
          }
          bool admits = true;
          for (const Cond &h : o.hypotheses)
            admits &= evaluate(h, at).value_or(false);
          if (!admits)
            continue;
          ++admitted;
          Valuation all = withTokens(q, at);
          for (const Fact &f : q.facts) {
            auto holds = evaluate(f.cond, all);
            ASSERT_TRUE(holds.has_value()) << f.cond.str();
            EXPECT_TRUE(*holds) << f.cond.str() << " " << f.why;
          }
          // A proof of the query's goal is one of the claim.
          auto claim = evaluate(o.goal, at);
          auto stronger = evaluate(q.goal, all);
          ASSERT_TRUE(claim && stronger);
          if (*stronger >= 0)
            EXPECT_TRUE(*claim) << q.goal.str();
        }
        EXPECT_GT(admitted, 20u);
      }
    }
}

} // namespace
