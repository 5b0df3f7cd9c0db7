//===- BruteForce.cpp - Counting by enumeration ---------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BruteForce.h"
#include <gtest/gtest.h>
#include <unordered_map>
#include <unordered_set>

namespace ioflor::count::test {

int64_t valueAt(const Expr &e, const Valuation &at) {
  ExprError error;
  std::optional<BigInt> v = evaluate(e, at, &error);
  EXPECT_TRUE(v.has_value()) << e.str() << ": " << error.message;
  return v ? int64_t(*v) : -1;
}

namespace {
/// Guards compiled by kind, evaluated on 64-bit values.
struct Guard {
  CondKind kind;
  std::vector<Guard> operands;
  std::unique_ptr<CompiledExpr> expr;
  Guard(const Cond &c, const std::vector<std::string> &slots) : kind(c.kind()) {
    switch (kind) {
    case CondKind::And:
    case CondKind::Or:
      for (const Cond &o : c.operands())
        operands.emplace_back(o, slots);
      break;
    case CondKind::NonNegative:
    case CondKind::Zero:
    case CondKind::NonZero:
      expr = std::make_unique<CompiledExpr>(c.expr(), slots);
      break;
    default:
      break;
    }
  }
  bool test(const std::vector<int64_t> &v) const {
    switch (kind) {
    case CondKind::True:
      return true;
    case CondKind::And:
      for (const Guard &g : operands)
        if (!g.test(v))
          return false;
      return true;
    case CondKind::Or:
      for (const Guard &g : operands)
        if (g.test(v))
          return true;
      return false;
    case CondKind::NonNegative:
      return *expr->run64(v) >= 0;
    case CondKind::Zero:
      return *expr->run64(v) == 0;
    case CondKind::NonZero:
      return *expr->run64(v) != 0;
    default:
      return false;
    }
  }
};

struct Hash {
  size_t operator()(const std::vector<int64_t> &v) const {
    size_t h = 1469598103934665603ull;
    for (int64_t x : v)
      h = (h ^ static_cast<size_t>(x)) * 1099511628211ull;
    return h;
  }
};
using Set = std::unordered_set<std::vector<int64_t>, Hash>;
} // namespace

Brute bruteForce(const std::vector<Access> &accesses, const Valuation &at,
                 int64_t maxSteps) {
  Brute r;
  Set touched; // (outer values, word)
  for (const Access &a : accesses) {
    std::vector<std::string> slots;
    std::vector<int64_t> values;
    for (const auto &[name, value] : at) {
      slots.push_back(name);
      values.push_back(int64_t(value));
    }
    size_t first = slots.size();
    for (const LoopVar &l : a.loops) {
      slots.push_back(l.var);
      values.push_back(0);
    }
    std::vector<CompiledExpr> trips;
    for (const LoopVar &l : a.loops)
      trips.emplace_back(l.trips, slots);
    std::vector<Guard> guards;
    for (const Cond &g : a.guards)
      guards.emplace_back(g, slots);
    CompiledExpr address(*a.address, slots);
    Set seen; // (host, grid and seq values, word)
    std::function<void(size_t)> run = [&](size_t depth) {
      if (maxSteps <= 0) {
        r.tooLarge = true;
        return;
      }
      --maxSteps;
      if (depth < a.loops.size()) {
        values[first + depth] = 0;
        int64_t n = *trips[depth].run64(values);
        for (int64_t i = 0; i < n && !r.tooLarge; ++i) {
          values[first + depth] = i;
          run(depth + 1);
        }
        values[first + depth] = 0;
        return;
      }
      for (const Guard &g : guards)
        if (!g.test(values))
          return;
      int64_t word = *address.run64(values);
      r.issued += a.width;
      for (int64_t w = 0; w < a.width; ++w) {
        std::vector<int64_t> cta, vec;
        for (size_t i = 0; i < a.loops.size(); ++i) {
          Loop k = a.loops[i].kind;
          if (k == Loop::Grid || k == Loop::Host)
            cta.push_back(values[first + i]);
          if (k != Loop::Thread)
            vec.push_back(values[first + i]);
        }
        cta.push_back(word + w);
        vec.push_back(word + w);
        if (seen.insert(vec).second)
          ++r.traffic;
        touched.insert(cta);
      }
    };
    run(0);
  }
  r.compulsory = touched.size();
  return r;
}

} // namespace ioflor::count::test
