//===- Nest.h - Short ways to write access nests in tests --------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_TEST_UNIT_COUNT_NEST_H
#define IOFLOR_TEST_UNIT_COUNT_NEST_H

#include "BruteForce.h"
#include <gtest/gtest.h>

namespace ioflor::count::test {

inline Expr E(const std::string &text) {
  ExprError error;
  std::optional<Expr> e = parseExpr(text, &error);
  EXPECT_TRUE(e.has_value()) << text << ": " << error.message;
  return e.value_or(Expr());
}

inline Cond C(const std::string &text) {
  ExprError error;
  std::optional<Cond> c = parseCond(text, &error);
  EXPECT_TRUE(c.has_value()) << text << ": " << error.message;
  return c.value_or(Cond());
}

inline LoopVar grid(const std::string &v, const std::string &n) {
  return {v, Loop::Grid, E(n)};
}
inline LoopVar thread(const std::string &v, const std::string &n) {
  return {v, Loop::Thread, E(n)};
}
inline LoopVar seq(const std::string &v, const std::string &n) {
  return {v, Loop::Seq, E(n)};
}

inline Access access(std::vector<LoopVar> loops,
                     std::vector<std::string> guards,
                     const std::string &address, int64_t width = 1) {
  Access a;
  a.loops = std::move(loops);
  for (const std::string &g : guards)
    a.guards.push_back(C(g));
  a.address = E(address);
  a.width = width;
  return a;
}

/// Symbols that are at least 1.
inline Context sizes(const std::vector<std::string> &names) {
  Context c;
  for (const std::string &n : names)
    c.known.declare(n, Expr(1), std::nullopt);
  return c;
}

inline Valuation at(std::initializer_list<std::pair<const char *, int64_t>> v) {
  Valuation r;
  for (const auto &[name, value] : v)
    r.emplace(name, BigInt(value));
  return r;
}

/// An exact count has the brute-force value; an interval holds it.
inline void expectHolds(const Count &c, int64_t value, const Valuation &where,
                        const std::string &what) {
  if (c.exact) {
    EXPECT_EQ(valueAt(c.lo, where), value) << what << " " << c.lo.str();
    return;
  }
  EXPECT_LE(valueAt(c.lo, where), value) << what << " lo " << c.lo.str();
  if (c.hi) {
    EXPECT_GE(valueAt(*c.hi, where), value) << what << " hi " << c.hi->str();
  }
}

inline void expectHolds(const Counts &c, const Brute &b, const Valuation &where,
                        const std::string &what) {
  expectHolds(c.issued, b.issued, where, what + ": issued");
  expectHolds(c.traffic, b.traffic, where, what + ": traffic");
  expectHolds(c.compulsory, b.compulsory, where, what + ": compulsory");
}

} // namespace ioflor::count::test

#endif // IOFLOR_TEST_UNIT_COUNT_NEST_H
