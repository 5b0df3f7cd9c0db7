//===- Check.cpp - Closed forms against execution -------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/count/Check.h"
#include "passes/Phase.h"
#include "passes/count/ExprUtil.h"
#include <random>

using namespace mlir;

namespace ioflor::count {

namespace {

/// Chooses sizes: tile constants of the subject and their neighbours, small
/// primes; then repairs what the assumptions do not admit.
class Sampler {
public:
  explicit Sampler(SubjectOp subject) : subject(subject) {
    std::set<int64_t> constants;
    subject.walk([&](Operation *op) {
      forEachExpr(
          op, [&](const Expr &e) { constantsOf(e, constants); },
          [&](const Cond &c) { constantsOf(c, constants); });
    });
    pool = {1, 2, 3, 5, 7, 13};
    for (int64_t c : constants)
      for (int64_t v : {c - 1, c, c + 1, 2 * c, 2 * c + 3})
        if (v >= 1 && v <= 600)
          pool.push_back(v);
    llvm::sort(pool);
    pool.erase(llvm::unique(pool), pool.end());
    for (auto symbol : subject.getBody().getOps<SymbolOp>())
      if (!symbol.getData())
        symbols.push_back(symbol);
  }

  size_t count() const { return symbols.size(); }

  /// An admissible valuation; nullopt if this attempt found none. Later
  /// attempts choose larger values.
  std::optional<Valuation> attempt(unsigned round) {
    Valuation at;
    for (SymbolOp s : symbols)
      at[s.getName().str()] = BigInt(choose(s, at, round));
    for (unsigned repairs = 0; repairs < 12; ++repairs) {
      if (!whyInadmissible(subject, at))
        return at;
      if (!repair(at))
        return std::nullopt;
    }
    return std::nullopt;
  }

private:
  static void constantsOf(const Expr &e, std::set<int64_t> &out) {
    for (const Expr &t : e.terms()) {
      if (std::optional<int64_t> c = Expr(t.coefficient()).constant64())
        out.insert(std::abs(*c));
      for (const auto &[a, p] : t.factors()) {
        (void)p;
        if (a.kind() != ExprKind::Symbol)
          for (const Expr &o : a.operands())
            constantsOf(o, out);
      }
    }
  }
  static void constantsOf(const Cond &c, std::set<int64_t> &out) {
    switch (c.kind()) {
    case CondKind::NonNegative:
    case CondKind::Zero:
    case CondKind::NonZero:
      constantsOf(c.expr(), out);
      break;
    case CondKind::And:
    case CondKind::Or:
      for (const Cond &o : c.operands())
        constantsOf(o, out);
      break;
    default:
      break;
    }
  }

  static std::optional<int64_t> endOf(const std::optional<Expr> &e,
                                      const Valuation &at) {
    if (!e)
      return std::nullopt;
    std::optional<BigInt> v = evaluate(*e, at);
    return v ? Expr(*v).constant64() : std::nullopt;
  }

  int64_t choose(SymbolOp s, const Valuation &at, unsigned round) {
    int64_t lo = endOf(s.getLo(), at).value_or(0);
    int64_t hi = endOf(s.getHi(), at).value_or(lo + 600);
    // The first rounds stay small so that something can be executed at all.
    int64_t cap = round < 4 ? 8 : round < 16 ? 70 : 600;
    std::vector<int64_t> options;
    for (int64_t v : pool)
      if (v >= lo && v <= hi && v <= std::max(cap, lo + 2))
        options.push_back(v);
    if (options.empty())
      return lo;
    return options[rng() % options.size()];
  }

  /// Changes one symbol so that a violated assumption holds.
  bool repair(Valuation &at) {
    for (auto assume : subject.getBody().getOps<AssumeOp>()) {
      Cond c = assume.getCondition();
      std::optional<bool> holds = evaluate(c, at);
      if (!holds || *holds)
        continue;
      std::set<std::string> used = c.freeSymbols();
      std::vector<std::string> names;
      for (SymbolOp s : symbols)
        if (used.count(s.getName().str()))
          names.push_back(s.getName().str());
      if (names.empty())
        return false;
      std::rotate(names.begin(), names.begin() + rng() % names.size(),
                  names.end());
      for (const std::string &name : names) {
        BigInt old = at[name];
        int64_t from = Expr(old).constant64().value_or(1);
        // 0 is a multiple of every tile, and no size.
        SymbolOp symbol = *llvm::find_if(
            symbols, [&](SymbolOp s) { return s.getName() == name; });
        int64_t least = endOf(symbol.getLo(), at).value_or(0);
        for (int64_t step = 1; step <= 700; ++step) {
          for (int64_t v : {from + step, from - step}) {
            if (v < least)
              continue;
            at[name] = BigInt(v);
            std::optional<bool> now = evaluate(c, at);
            if (now && *now)
              return true;
          }
        }
        at[name] = old;
      }
      return false;
    }
    // A range that uses another symbol: draw again.
    for (SymbolOp s : symbols) {
      std::string name = s.getName().str();
      std::optional<int64_t> lo = endOf(s.getLo(), at),
                             hi = endOf(s.getHi(), at);
      int64_t v = Expr(at[name]).constant64().value_or(0);
      if (lo && v < *lo) {
        at[name] = BigInt(*lo);
        return true;
      }
      if (hi && v > *hi) {
        at[name] = BigInt(*hi);
        return true;
      }
    }
    return false;
  }

  SubjectOp subject;
  std::vector<int64_t> pool;
  std::vector<SymbolOp> symbols;
  std::mt19937 rng{20240217}; // the same sizes in each run
};

} // namespace

Executions execute(SubjectOp subject, unsigned wanted, uint64_t maxSteps) {
  Executions result;
  Sampler sampler(subject);
  Interpreter interpreter(subject);
  std::set<Valuation> seen;
  uint64_t left = maxSteps;
  for (unsigned round = 0; round < 60 && result.runs.size() < wanted &&
                           left > 0 && !WorkScope::exhausted();
       ++round) {
    // Four sizes and a third of the steps: more of them rarely tell more.
    if (result.runs.size() >= 4 && left < maxSteps - maxSteps / 3)
      break;
    std::optional<Valuation> at = sampler.attempt(round);
    if (!at) {
      if (result.failure.empty())
        result.failure = "no small sizes satisfy the assumptions";
      continue;
    }
    if (!seen.insert(*at).second) {
      if (sampler.count() == 0)
        break;
      continue;
    }
    InterpOptions options;
    options.keepTouched = true;
    // One run may take all that is left only while there is none.
    options.maxSteps =
        result.runs.empty() ? left : std::min(left, maxSteps / 4);
    InterpCounts counts = interpreter.bounds(*at, options);
    left -= std::min<uint64_t>(left, std::max<uint64_t>(counts.steps, 1));
    if (!counts.ok()) {
      if (result.failure.empty() || counts.status == InterpStatus::Error)
        result.failure = counts.status == InterpStatus::BudgetExhausted
                             ? "no admissible size is small enough to execute"
                             : counts.message;
      continue;
    }
    result.runs.push_back({std::move(*at), std::move(counts)});
  }
  return result;
}

SharedExecutions::SharedExecutions(Operation *subject) {
  PhaseScope phase(cast<SubjectOp>(subject), "executing", 30);
  runs = execute(cast<SubjectOp>(subject));
  if (!runs.runs.empty())
    phase.forgive();
}

static std::string describe(const Valuation &at) {
  std::string s;
  for (const auto &[name, value] : at)
    s += (s.empty() ? "" : ", ") + name + " = " + Expr(value).str();
  return s.empty() ? "its only size" : s;
}

/// Does [lo, hi] of the closed form hold what was executed?
static bool agrees(const Count &c, const Words &w, const Valuation &at) {
  auto value = [&](const Expr &e) -> std::optional<BigInt> {
    return evaluate(e, at);
  };
  std::optional<BigInt> lo = value(c.lo);
  if (!lo)
    return false;
  BigInt least(static_cast<int64_t>(w.lo));
  if (c.exact)
    return w.exact() && *lo == least;
  if (w.hi && *lo > BigInt(static_cast<int64_t>(*w.hi)))
    return false;
  if (!c.hi)
    return true;
  std::optional<BigInt> hi = value(*c.hi);
  if (!hi || *hi < least)
    return false;
  return !w.exact() || (*lo <= least && least <= *hi);
}

unsigned check(Counts &counts, const Group &group, const Executions &runs) {
  unsigned agreed = 0;
  for (const Execution &run : runs.runs) {
    const auto &table = group.isStore ? run.counts.stores : run.counts.loads;
    auto it = table.find(group.buffer);
    AccessCounts none;
    const AccessCounts &a = it == table.end() ? none : it->second;
    bool all = true;
    for (auto [count, words] : {std::pair(&counts.issued, &a.issued),
                                std::pair(&counts.traffic, &a.traffic),
                                std::pair(&counts.compulsory, &a.compulsory)}) {
      if (agrees(*count, *words, run.at))
        continue;
      all = false;
      Count given;
      given.reason = "internal: closed form disagrees with execution at " +
                     describe(run.at);
      *count = given;
    }
    agreed += all;
  }
  if (runs.runs.empty())
    for (Count *c : {&counts.issued, &counts.traffic, &counts.compulsory})
      if (c->exact) {
        c->exact = false;
        c->reason = "not compared with an execution: " + runs.failure;
      }
  return agreed;
}

} // namespace ioflor::count
