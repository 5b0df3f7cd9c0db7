//===- Space.h - Admissible concrete sizes -----------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_PROVER_SPACE_H
#define IOFLOR_PASSES_PROVER_SPACE_H

#include "passes/prover/Obligation.h"
#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

namespace ioflor::prover {

inline constexpr int64_t kLargest = int64_t(1) << 46;

/// The admissible points: wishes are moved into ranges and onto multiples, then
/// checked against every hypothesis.
class Space {
public:
  Space(const Assumptions &known, const std::vector<Cond> &hypotheses,
        std::set<std::string> needed)
      : known(known), hypotheses(hypotheses) {
    for (const Cond &h : hypotheses) {
      if (!h.hasUnknown())
        assume(this->known, h);
      for (const std::string &s : h.freeSymbols())
        needed.insert(s);
    }
    for (const Expr &f : known.facts())
      for (const std::string &s : f.freeSymbols())
        needed.insert(s);
    for (const std::string &s : known.symbols())
      order.push_back(s);
    for (const std::string &s : needed)
      if (std::find(order.begin(), order.end(), s) == order.end())
        order.push_back(s);
    for (const std::string &s : order)
      steps.push_back(stepOf(s));
  }

  llvm::ArrayRef<std::string> symbols() const { return order; }
  size_t indexOf(llvm::StringRef name) const {
    return std::find(order.begin(), order.end(), name) - order.begin();
  }

  /// The admissible point nearest to the wishes that is found; `values` is in
  /// the order of symbols().
  std::optional<std::vector<int64_t>> point(std::vector<int64_t> values) const {
    Valuation at;
    for (size_t i = 0; i < order.size(); ++i) {
      if (!moveIntoRange(i, values[i], at))
        return std::nullopt;
      at[order[i]] = BigInt(values[i]);
    }
    for (const auto &[e, divisor] : known.divisibilities()) {
      // heads % kv_heads == 0 and the like, now that the divisor has a value.
      if (e.kind() != ExprKind::Symbol)
        continue;
      auto by = evaluate(divisor, at, nullptr, kSteps);
      size_t i = indexOf(e.name());
      if (!by || *by < 1 || i == order.size() || *by > kLargest)
        continue;
      int64_t b = int64_t(*by), v = values[i];
      if (v % b != 0) {
        values[i] = v / b * b + (v > 0 ? b : 0);
        if (!inRange(i, values[i], at))
          return std::nullopt;
        at[order[i]] = BigInt(values[i]);
      }
    }
    for (size_t i = 0; i < order.size(); ++i)
      if (!inRange(i, values[i], at))
        return std::nullopt;
    for (const Cond &h : hypotheses)
      if (auto holds = evaluate(h, at); !holds || !*holds)
        return std::nullopt;
    for (const Expr &f : known.facts()) {
      auto v = evaluate(f, at, nullptr, kSteps);
      if (!v || *v < 0)
        return std::nullopt;
    }
    for (const auto &[e, divisor] : known.divisibilities()) {
      auto v = evaluate(mod(e, divisor), at, nullptr, kSteps);
      if (!v || *v != 0)
        return std::nullopt;
    }
    return values;
  }

private:
  /// Summed terms of one expression: a point that is so costly is left out.
  static constexpr uint64_t kSteps = 100'000;

  int64_t stepOf(const std::string &s) const {
    int64_t step = 1;
    for (const auto &[e, divisor] : known.divisibilities()) {
      auto d = divisor.constant64();
      if (e.kind() == ExprKind::Symbol && e.name() == s && d && *d > 0 &&
          step < (int64_t(1) << 20) && *d < (int64_t(1) << 20))
        step = std::lcm(step, *d);
    }
    return step;
  }

  std::optional<int64_t> end(const std::optional<Expr> &e, const Valuation &at,
                             int64_t otherwise) const {
    if (!e)
      return otherwise;
    auto v = evaluate(*e, at, nullptr, kSteps);
    if (!v)
      return std::nullopt;
    if (*v > kLargest)
      return kLargest;
    if (*v < -kLargest)
      return -kLargest;
    return int64_t(*v);
  }

  bool moveIntoRange(size_t i, int64_t &v, const Valuation &at) const {
    const Assumptions::Range *r = known.range(order[i]);
    auto lo = end(r ? r->lo : std::nullopt, at, 1);
    auto hi = end(r ? r->hi : std::nullopt, at, kLargest);
    if (!lo || !hi || *lo > *hi)
      return false;
    v = std::clamp(v, *lo, *hi);
    int64_t step = steps[i], over = ((v % step) + step) % step;
    if (over != 0)
      v += step - over;
    if (v > *hi)
      v -= step;
    return v >= *lo && v <= *hi;
  }

  bool inRange(size_t i, int64_t v, const Valuation &at) const {
    const Assumptions::Range *r = known.range(order[i]);
    if (!r)
      return true;
    auto lo = end(r->lo, at, -kLargest), hi = end(r->hi, at, kLargest);
    return lo && hi && v >= *lo && v <= *hi;
  }

  Assumptions known;
  const std::vector<Cond> &hypotheses;
  std::vector<std::string> order;
  std::vector<int64_t> steps;
};

} // namespace ioflor::prover

#endif // IOFLOR_PASSES_PROVER_SPACE_H
