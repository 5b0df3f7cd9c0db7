//===- Common.h - Shared by the tests of expressions ------------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_TEST_UNIT_EXPR_COMMON_H
#define IOFLOR_TEST_UNIT_EXPR_COMMON_H

#include "dialect/expr/Cond.h"
#include "dialect/expr/Expr.h"
#include "gtest/gtest.h"
#include <random>

namespace ioflor::test {

inline Expr P(llvm::StringRef s) {
  ExprError error;
  std::optional<Expr> e = parseExpr(s, &error);
  EXPECT_TRUE(e) << s.str() << ": " << error.message << " at " << error.offset;
  return e ? *e : Expr::symbol("parse_failed");
}

inline Cond C(llvm::StringRef s) {
  ExprError error;
  std::optional<Cond> c = parseCond(s, &error);
  EXPECT_TRUE(c) << s.str() << ": " << error.message << " at " << error.offset;
  return c ? *c : Cond::unknown("parse failed", "parse_failed");
}

inline void PrintTo(const Expr &e, std::ostream *os) { *os << e.str(); }
inline void PrintTo(const Cond &c, std::ostream *os) { *os << c.str(); }

/// An expression as it was written, evaluated by plain integer arithmetic: what
/// the canonical form is checked against.
struct Reference {
  Expr expr;
  std::function<int64_t(const std::map<std::string, int64_t> &)> value;
};

/// Random expressions over `names`. Every divisor is at least 1 where every
/// symbol is.
class Generator {
public:
  Generator(uint64_t seed, std::vector<std::string> names)
      : rng(seed), names(std::move(names)) {}

  int64_t pick(int64_t lo, int64_t hi) {
    return lo + int64_t(rng() % uint64_t(hi - lo + 1));
  }
  Reference expr(unsigned depth);
  Reference leaf();
  Reference divisor(unsigned depth);
  std::map<std::string, int64_t> values(int64_t lo, int64_t hi) {
    std::map<std::string, int64_t> at;
    for (const std::string &n : names)
      at[n] = pick(lo, hi);
    return at;
  }

  std::mt19937_64 rng;
  std::vector<std::string> names;
  bool sums = true;
};

inline Valuation big(const std::map<std::string, int64_t> &at) {
  Valuation v;
  for (const auto &[n, x] : at)
    v[n] = BigInt(x);
  return v;
}

/// The seed of random tests: IOFLOR_SEED or a fixed one; printed on failure by
/// SCOPED_TRACE.
inline uint64_t seed() {
  const char *s = std::getenv("IOFLOR_SEED");
  return s ? std::strtoull(s, nullptr, 10) : 20260724;
}

} // namespace ioflor::test

// GTest looks in the type's namespace.
namespace ioflor {
using test::PrintTo;
} // namespace ioflor

#endif // IOFLOR_TEST_UNIT_EXPR_COMMON_H
