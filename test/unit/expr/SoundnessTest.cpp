//===- SoundnessTest.cpp - Claims hold at every admissible value ----------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random symbols with random ranges (ends may use earlier symbols), a random
// guard, and every admissible valuation enumerated.
//
//===----------------------------------------------------------------------===//

#include "Common.h"

using namespace ioflor;
using namespace ioflor::test;

using At = std::map<std::string, int64_t>;

namespace {

struct World {
  Assumptions known;
  std::vector<At> admissible;
};

} // namespace

static const std::vector<std::string> names{"N", "d", "bx", "t"};

static int64_t at64(const Expr &e, const At &at) {
  std::optional<BigInt> v = evaluate(e, big(at));
  EXPECT_TRUE(v) << e.str();
  return v ? int64_t(*v) : 0;
}

/// Ranges inside [1, 13], so that any symbol may be a divisor.
static World randomWorld(Generator &g) {
  World w;
  std::vector<At> all{{}};
  for (size_t i = 0; i < names.size(); ++i) {
    Expr lo(g.pick(1, 2)), hi(g.pick(2, 7));
    if (i && g.pick(0, 1)) {
      Expr before = Expr::symbol(names[g.pick(0, i - 1)]);
      switch (g.pick(0, 3)) {
      case 0:
        hi = before;
        break;
      case 1:
        hi = ceildiv(before, Expr(g.pick(2, 4)));
        break;
      case 2:
        hi = min(before + g.pick(-1, 2), Expr(6));
        break;
      default:
        lo = min(before, Expr(3));
        break;
      }
    }
    w.known.declare(names[i], lo, hi);
    std::vector<At> next;
    for (const At &at : all)
      for (int64_t v = at64(lo, at), e = at64(hi, at); v <= e; ++v) {
        next.push_back(at);
        next.back()[names[i]] = v;
      }
    all = std::move(next);
  }
  w.admissible = std::move(all);
  if (g.pick(0, 1)) {
    Expr e = g.expr(1).expr;
    Cond guard = g.pick(0, 3) ? Cond::nonNegative(e)
                              : Cond::zero(mod(e, Expr(g.pick(2, 4))));
    assume(w.known, guard);
    std::vector<At> kept;
    for (const At &at : w.admissible)
      if (*evaluate(guard, big(at)))
        kept.push_back(at);
    w.admissible = std::move(kept);
  }
  return w;
}

TEST(Soundness, SignsHoldEverywhere) {
  Generator g(seed() + 10, names);
  SCOPED_TRACE("seed " + std::to_string(seed() + 10));
  unsigned tight = 0, total = 0;
  for (int i = 0; i < 400; ++i) {
    World w = randomWorld(g);
    if (w.admissible.empty())
      continue;
    for (int k = 0; k < 4; ++k) {
      Reference r = g.expr(g.pick(1, 3));
      int64_t least = INT64_MAX;
      for (const At &at : w.admissible)
        least = std::min(least, r.value(at));
      ++total;
      tight += w.known.isNonNegative(r.expr - least);
      ASSERT_FALSE(w.known.isNonNegative(r.expr - least - 1))
          << r.expr.str() << " is " << least << " somewhere";
      ASSERT_FALSE(w.known.isZero(r.expr - least - 1));
    }
  }
  // Weak provers are sound too: the tight bound is found in most cases.
  EXPECT_GT(tight * 2, total);
  RecordProperty("tight", int(tight));
  RecordProperty("total", int(total));
}

TEST(Soundness, SimplifyKeepsTheValue) {
  Generator g(seed() + 11, names);
  SCOPED_TRACE("seed " + std::to_string(seed() + 11));
  for (int i = 0; i < 400; ++i) {
    World w = randomWorld(g);
    for (int k = 0; k < 3; ++k) {
      Reference r = g.expr(g.pick(1, 3));
      Expr s = simplify(r.expr, w.known);
      if (s == r.expr)
        continue;
      for (const At &at : w.admissible)
        ASSERT_EQ(at64(s, at), r.value(at))
            << r.expr.str() << " became " << s.str();
    }
  }
}

TEST(Soundness, BoundsHoldEverywhere) {
  Generator g(seed() + 12, names);
  SCOPED_TRACE("seed " + std::to_string(seed() + 12));
  unsigned found = 0;
  for (int i = 0; i < 400; ++i) {
    World w = randomWorld(g);
    for (int k = 0; k < 3; ++k) {
      Reference r = g.expr(g.pick(1, 3));
      std::set<std::string> gone{"t"};
      if (g.pick(0, 1))
        gone.insert("bx");
      std::optional<Expr> lo = w.known.lowerBound(r.expr, gone),
                          hi = w.known.upperBound(r.expr, gone);
      for (const std::optional<Expr> &b : {lo, hi})
        if (b)
          for (const std::string &s : gone)
            ASSERT_FALSE(b->dependsOn(s)) << b->str();
      found += lo && hi;
      for (const At &at : w.admissible) {
        int64_t v = r.value(at);
        if (lo)
          ASSERT_LE(at64(*lo, at), v) << r.expr.str() << ": " << lo->str();
        if (hi)
          ASSERT_GE(at64(*hi, at), v) << r.expr.str() << ": " << hi->str();
      }
    }
  }
  EXPECT_GT(found, 300u);
}

TEST(Soundness, SimplifiedConditionsHold) {
  Generator g(seed() + 13, names);
  SCOPED_TRACE("seed " + std::to_string(seed() + 13));
  for (int i = 0; i < 300; ++i) {
    World w = randomWorld(g);
    Cond c = Cond::nonNegative(g.expr(2).expr) &&
             (Cond::zero(g.expr(1).expr) || Cond::nonZero(g.expr(1).expr));
    Cond s = simplify(c, w.known);
    for (const At &at : w.admissible)
      ASSERT_EQ(evaluate(c, big(at)), evaluate(s, big(at)))
          << c.str() << " became " << s.str();
  }
}
