//===- Witness.cpp - Concrete sizes that satisfy conditions ---------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/prover/Witness.h"
#include <algorithm>
#include <numeric>

using namespace ioflor;
using namespace ioflor::prover;

namespace {

constexpr int64_t kLargest = int64_t(1) << 46;

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
      auto by = evaluate(divisor, at);
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
      auto v = evaluate(f, at);
      if (!v || *v < 0)
        return std::nullopt;
    }
    for (const auto &[e, divisor] : known.divisibilities()) {
      auto v = evaluate(mod(e, divisor), at);
      if (!v || *v != 0)
        return std::nullopt;
    }
    return values;
  }

private:
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
    auto v = evaluate(*e, at);
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

Valuation valuation(const Space &space, const std::vector<int64_t> &values) {
  Valuation at;
  for (size_t i = 0; i < values.size(); ++i)
    at[space.symbols()[i]] = BigInt(values[i]);
  return at;
}

class Search {
public:
  explicit Search(const WitnessQuery &query)
      : query(query), space(query.known, query.hypotheses, needed(query)) {
    for (const std::string &s : query.sweep) {
      size_t i = space.indexOf(s);
      if (i < space.symbols().size())
        sweep.push_back(i);
    }
    for (size_t i = 0; i < space.symbols().size(); ++i)
      if (std::find(sweep.begin(), sweep.end(), i) == sweep.end())
        others.push_back(i);
  }

  std::optional<Valuation> run() {
    for (const std::vector<int64_t> &base : profiles()) {
      if (tryGroup(base, sweep))
        return finish();
      if (sweep.size() < 2)
        continue;
      for (size_t alone : sweep)
        for (int64_t rest : {1, 64, 4096}) {
          std::vector<int64_t> start = base;
          for (size_t s : sweep)
            start[s] = rest;
          if (tryGroup(start, {alone}))
            return finish();
        }
    }
    return std::nullopt;
  }

private:
  static std::set<std::string> needed(const WitnessQuery &q) {
    std::set<std::string> s = q.violation.freeSymbols();
    s.insert(q.sweep.begin(), q.sweep.end());
    return s;
  }

  /// Is the admissible point at these wishes a witness? Remembers it.
  bool holds(const std::vector<int64_t> &wish) {
    if (tries++ >= query.maxTries)
      return false;
    auto values = space.point(wish);
    if (!values)
      return false;
    ExprError error;
    auto v = evaluate(query.violation, valuation(space, *values), &error,
                      query.maxSteps);
    tooLarge = !v;
    if (!v || *v < 1)
      return false;
    found = *values;
    return true;
  }

  /// Doubles the group together; at a hit bisects down to the smallest hit of
  /// the last doubling.
  bool tryGroup(std::vector<int64_t> wish, const std::vector<size_t> &group) {
    int64_t last = 0;
    for (int64_t n = 1; n <= kLargest; n *= 2) {
      for (size_t i : group)
        wish[i] = n;
      if (holds(wish)) {
        bisect(wish, group, last, n);
        return true;
      }
      if (tooLarge || group.empty())
        return false; // larger sizes only sum more
      last = n;
    }
    return false;
  }

  void bisect(std::vector<int64_t> wish, const std::vector<size_t> &group,
              int64_t bad, int64_t good) {
    while (good - bad > 1) {
      int64_t middle = bad + (good - bad) / 2;
      for (size_t i : group)
        wish[i] = middle;
      (holds(wish) ? good : bad) = middle;
    }
  }

  /// Smaller others, then smaller sweeps, as long as it stays a witness.
  std::optional<Valuation> finish() {
    query.maxTries = tries + 600;
    for (size_t i : others)
      lower(i);
    for (size_t i : sweep)
      lower(i);
    Valuation at = valuation(space, found);
    // The last word has the exact evaluator.
    auto v = evaluate(query.violation, at, nullptr, query.maxSteps);
    if (!v || *v < 1 || !space.point(found))
      return std::nullopt;
    return at;
  }

  void lower(size_t i) {
    std::vector<int64_t> wish = found;
    int64_t start = found[i], good = start, bad = 0;
    for (int64_t probe : {int64_t(1), start / 16, start / 2}) {
      wish = found;
      wish[i] = probe;
      if (probe >= 1 && probe < good && holds(wish)) {
        good = found[i];
        break;
      }
      bad = std::max(bad, probe);
    }
    for (int step = 0; step < 40 && good - bad > 1; ++step) {
      int64_t middle = bad + (good - bad) / 2;
      wish = found;
      wish[i] = middle;
      if (holds(wish) && found[i] < good)
        good = found[i];
      else
        bad = middle;
    }
  }

  /// Wishes for the symbols that are not swept.
  std::vector<std::vector<int64_t>> profiles() const {
    static constexpr int64_t kTypical[] = {1, 64, 128};
    size_t n = space.symbols().size();
    std::vector<std::vector<int64_t>> out;
    std::vector<int64_t> base(n, 1);
    if (others.size() <= 3) {
      size_t combinations = 1;
      for (size_t i = 0; i < others.size(); ++i)
        combinations *= 3;
      for (size_t c = 0; c < combinations; ++c) {
        size_t rest = c;
        for (size_t i : others) {
          base[i] = kTypical[rest % 3];
          rest /= 3;
        }
        out.push_back(base);
      }
      return out;
    }
    for (int64_t all : kTypical) {
      for (size_t i : others)
        base[i] = all;
      out.push_back(base);
    }
    for (size_t one : others)
      for (int64_t v : {64, 128}) {
        for (size_t i : others)
          base[i] = i == one ? v : 1;
        out.push_back(base);
      }
    return out;
  }

  WitnessQuery query;
  Space space;
  std::vector<size_t> sweep, others;
  std::vector<int64_t> found;
  unsigned tries = 0;
  bool tooLarge = false;
};

} // namespace

std::optional<Valuation>
ioflor::prover::findPoint(const Assumptions &known,
                          const std::vector<Cond> &hypotheses,
                          const std::set<std::string> &symbols) {
  std::vector<Cond> readable;
  for (const Cond &h : hypotheses)
    for (const Cond &part : h.conjuncts())
      if (!part.hasUnknown())
        readable.push_back(part);
  Space space(known, readable, symbols);
  size_t n = space.symbols().size();
  size_t m = space.indexOf("M");
  for (int64_t all : {64, 128, 1, 2, 256, 1024, 32, 16, 8, 4, 4096})
    for (int64_t fast : {int64_t(1) << 20, int64_t(1) << 40, all}) {
      std::vector<int64_t> wish(n, all);
      if (m < n)
        wish[m] = fast;
      if (auto values = space.point(wish))
        return valuation(space, *values);
    }
  return std::nullopt;
}

std::optional<Valuation> ioflor::prover::pointNear(
    const Assumptions &known, const std::vector<Cond> &hypotheses,
    const std::map<std::string, int64_t> &wishes, int64_t otherwise) {
  std::set<std::string> needed;
  for (const auto &[name, value] : wishes)
    needed.insert(name);
  Space space(known, hypotheses, needed);
  std::vector<int64_t> wish;
  for (const std::string &s : space.symbols()) {
    auto it = wishes.find(s);
    wish.push_back(it == wishes.end() ? otherwise : it->second);
  }
  auto values = space.point(wish);
  if (!values)
    return std::nullopt;
  return valuation(space, *values);
}

std::optional<Valuation>
ioflor::prover::findWitness(const WitnessQuery &query) {
  return Search(query).run();
}
