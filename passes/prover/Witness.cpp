//===- Witness.cpp - Concrete sizes that satisfy conditions ---------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/prover/Witness.h"
#include "dialect/expr/Evaluate.h"
#include "dialect/expr/Work.h"
#include "passes/prover/Space.h"
#include <cstdlib>

using namespace ioflor;
using namespace ioflor::prover;

namespace {

Valuation valuation(const Space &space, const std::vector<int64_t> &values) {
  Valuation at;
  for (size_t i = 0; i < values.size(); ++i)
    at[space.symbols()[i]] = BigInt(values[i]);
  return at;
}

void collectConstants(const Expr &e, std::set<int64_t> &out) {
  constexpr int64_t kFarthest = int64_t(1) << 16;
  if (e.isConst()) {
    if (auto c = e.constant64(); c && *c != 0 && std::abs(*c) <= kFarthest)
      out.insert(std::abs(*c));
    return;
  }
  for (const Expr &term : e.terms()) {
    if (auto c = Expr(term.coefficient()).constant64())
      collectConstants(Expr(*c), out);
    for (const auto &[atom, power] : term.factors())
      for (const Expr &operand : atom.operands())
        collectConstants(operand, out);
  }
}

void collectConstants(const Cond &c, std::set<int64_t> &out) {
  for (const Cond &operand : c.operands())
    collectConstants(operand, out);
  if (c.kind() == CondKind::NonNegative || c.kind() == CondKind::Zero ||
      c.kind() == CondKind::NonZero)
    collectConstants(c.expr(), out);
}

/// Sizes at which something may change: small ones, and those around up to
/// three times each constant, e.g. a tile. Ascending.
std::vector<int64_t> likelySizes(const WitnessQuery &query) {
  constexpr size_t kMost = 160;
  std::set<int64_t> constants, sizes;
  collectConstants(query.violation, constants);
  for (const Cond &h : query.hypotheses)
    collectConstants(h, constants);
  for (int64_t n = 1; n <= 17; ++n)
    sizes.insert(n);
  for (int64_t c : constants)
    for (int64_t times = 1; times <= 3; ++times)
      for (int64_t n : {times * c - 1, times * c, times * c + 1})
        if (n >= 1 && sizes.size() < kMost)
          sizes.insert(n);
  return {sizes.begin(), sizes.end()};
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
    likely = likelySizes(query);
    steps = query.maxSteps;
  }

  std::optional<Valuation> run() {
    std::vector<std::vector<int64_t>> bases = profiles();
    // A cheap look at the sizes of tiles first: what fails for ragged sizes
    // does so for small ones.
    for (const std::vector<int64_t> &base : bases)
      if (tryLikely(base, sweep))
        return finish();
    for (const std::vector<int64_t> &base : bases) {
      if (tryGroup(base, sweep))
        return finish();
      if (sweep.size() < 2)
        continue;
      for (size_t alone : sweep)
        for (int64_t rest : {1, 64, 4096}) {
          std::vector<int64_t> start = base;
          for (size_t s : sweep)
            start[s] = rest;
          if (tryLikely(start, {alone}) || tryGroup(start, {alone}))
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
    if (tries++ >= query.maxTries || WorkScope::exhausted())
      return false;
    auto values = space.point(wish);
    if (!values)
      return false;
    uint64_t given = std::min(steps, query.maxStepsAtOnce), left = given;
    auto v = evaluateWithin(query.violation, valuation(space, *values), left);
    steps -= given - left;
    tooLarge = !v;
    if (!v || *v < 1)
      return false;
    found = *values;
    return true;
  }

  bool tryLikely(std::vector<int64_t> wish, const std::vector<size_t> &group) {
    if (group.empty() || tries > query.maxTries / 2)
      return false;
    for (int64_t n : likely) {
      for (size_t i : group)
        wish[i] = n;
      if (holds(wish))
        return true;
      if (tooLarge)
        return false;
    }
    return false;
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

  /// Makes every symbol smaller as long as it stays a witness.
  std::optional<Valuation> finish() {
    query.maxTries = tries + kShrinkTries;
    steps = query.maxSteps;
    std::vector<size_t> order = others;
    order.insert(order.end(), sweep.begin(), sweep.end());
    for (bool smaller = true; smaller && tries < query.maxTries;) {
      smaller = false;
      for (size_t i : order)
        smaller |= lower(i);
    }
    Valuation at = valuation(space, found);
    // The last word has the exact evaluator.
    auto v = evaluate(query.violation, at);
    if (!v || *v < 1 || !space.point(found))
      return std::nullopt;
    return at;
  }

  /// A witness that is smaller in one symbol and no larger in total.
  bool better(const std::vector<int64_t> &wish, size_t i) {
    std::vector<int64_t> before = found;
    if (!holds(wish))
      return false;
    // Moving onto multiples may have changed others.
    if (found[i] < before[i] &&
        std::accumulate(found.begin(), found.end(), 0.0) <
            std::accumulate(before.begin(), before.end(), 0.0))
      return true;
    found = before;
    return false;
  }

  bool lower(size_t i) {
    int64_t start = found[i];
    // The smallest of the likely sizes.
    for (int64_t n : likely) {
      if (n >= found[i])
        break;
      std::vector<int64_t> wish = found;
      wish[i] = n;
      if (better(wish, i))
        break;
    }
    // Witnesses need not form an interval, so this finds a smaller one, not
    // always the smallest.
    int64_t bad = 0;
    for (int step = 0; step < 40 && found[i] - bad > 1; ++step) {
      std::vector<int64_t> wish = found;
      int64_t middle = bad + (found[i] - bad) / 2;
      wish[i] = middle;
      if (!better(wish, i))
        bad = middle;
    }
    // What bisecting steps over: the few next smaller ones.
    for (int64_t back = 1; back <= 64 && back < found[i]; ++back) {
      std::vector<int64_t> wish = found;
      wish[i] -= back;
      if (better(wish, i))
        back = 0;
    }
    return found[i] < start;
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
  static constexpr unsigned kShrinkTries = 2000;
  std::vector<size_t> sweep, others;
  std::vector<int64_t> likely;
  std::vector<int64_t> found;
  unsigned tries = 0;
  uint64_t steps = 0; ///< terms of sums that may still be evaluated
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
