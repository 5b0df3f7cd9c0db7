//===- Evaluate.cpp - Expressions and conditions of all active threads ----===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/interp/Executor.h"

using namespace ioflor;
using namespace ioflor::interp;

static std::optional<int64_t> to64(const BigInt &v) {
  if (v < BigInt(INT64_MIN) || v > BigInt(INT64_MAX))
    return std::nullopt;
  return int64_t(v);
}

bool Executor::isRange(const CompiledTerms &e) const {
  return llvm::any_of(e.dataSlots,
                      [&](unsigned slot) { return data[slot].has_value(); });
}

void Executor::setThread(const Lanes &lanes, uint32_t lane) {
  for (const auto &[slot, column] : lanes.vars)
    env[slot] = column[lane];
}

bool Executor::values(CompiledTerms &e, const Lanes &lanes, Active active,
                      Values &out) {
  auto bad = [&] {
    return fail(InterpStatus::Error,
                "cannot evaluate '" + e.source.str() + "'");
  };
  int64_t shared = 0;
  if (e.shared) {
    std::optional<int64_t> v = e.shared->run64(env);
    if (!v)
      return bad();
    shared = *v;
  }
  out.assign(e.perThread() ? active.size() : 1, shared);
  work(e.perThread() ? active.size() * (1 + uint64_t(e.mixedSize)) : e.size);
  if (e.ofThread) {
    if (e.cacheKey != lanes.id || e.cache.size() != lanes.count) {
      e.cache.resize(lanes.count);
      e.cacheKey = lanes.id;
      for (uint32_t lane = 0; lane < lanes.count; ++lane) {
        setThread(lanes, lane);
        std::optional<int64_t> v = e.ofThread->run64(env);
        if (!v) {
          e.cacheKey = 0;
          return bad();
        }
        e.cache[lane] = *v;
      }
    }
    for (auto [value, lane] : llvm::zip_equal(out, active))
      if (__builtin_add_overflow(value, e.cache[lane], &value))
        return bad();
  }
  if (e.mixed) {
    for (auto [value, lane] : llvm::zip_equal(out, active)) {
      setThread(lanes, lane);
      std::optional<int64_t> v = e.mixed->run64(env);
      if (!v || __builtin_add_overflow(value, *v, &value))
        return bad();
    }
  }
  return true;
}

void Executor::ranges(CompiledTerms &e, const Lanes &lanes, Active active,
                      llvm::SmallVectorImpl<Ends> &out) {
  auto lookup = [&](llvm::StringRef name) -> std::optional<Range> {
    auto it = program.slots.find(name);
    if (it == program.slots.end())
      return std::nullopt;
    if (data[it->second])
      return data[it->second];
    return Range::of(BigInt(env[it->second]));
  };
  constexpr size_t maxRemembered = 1 << 14;
  RangeMemo &memo = rangeMemo[&e];
  memo.key.resize(e.otherSlots.size());
  out.clear();
  size_t n = e.perThread() ? active.size() : 1;
  work(n * (4 + e.otherSlots.size()));
  for (size_t i = 0; i < n; ++i) {
    if (e.perThread())
      setThread(lanes, active[i]);
    for (auto [value, slot] : llvm::zip_equal(memo.key, e.otherSlots))
      value = env[slot];
    if (auto it = memo.ends.find(memo.key); it != memo.ends.end()) {
      out.push_back(it->second);
      continue;
    }
    work(64 * uint64_t(e.size));
    // Without a range (a divisor that data decide) nothing is known.
    Range r = rangeOf(e.source, lookup).value_or(Range{});
    Ends ends;
    if (r.lo)
      ends.lo = to64(*r.lo); // out of 64 bits: as good as unbounded
    if (r.hi)
      ends.hi = to64(*r.hi);
    out.push_back(ends);
    if (memo.ends.size() >= maxRemembered)
      memo.ends.clear();
    memo.ends.emplace(memo.key, ends);
  }
}

bool Executor::tripCounts(CompiledTerms &e, const Lanes &lanes, Active active,
                          Values &out, bool &unbounded) {
  unbounded = false;
  if (!isRange(e)) {
    if (!values(e, lanes, active, out))
      return false;
  } else {
    llvm::SmallVector<Ends> ends;
    ranges(e, lanes, active, ends);
    out.clear();
    for (const Ends &r : ends) {
      // Whatever the low end is, it is less than or equal to the high one, so a
      // loop that certainly does not run has no unknown.
      if (r.hi && *r.hi <= 0) {
        out.push_back(0);
        continue;
      }
      if (!r.lo || !r.hi || *r.lo != *r.hi)
        result.metUnknown = true;
      if (options.policy == UnknownPolicy::Exclude)
        out.push_back(r.lo.value_or(0));
      else if (r.hi)
        out.push_back(*r.hi);
      else
        unbounded = true;
    }
  }
  for (int64_t &trips : out)
    trips = std::max<int64_t>(trips, 0);
  return true;
}

bool Executor::holds(Tri t) {
  if (t == Tri::Maybe) {
    result.metUnknown = true;
    return options.policy == UnknownPolicy::Include;
  }
  return t == Tri::True;
}

bool Executor::truth(CompiledCond &c, const Lanes &lanes, Active active,
                     llvm::SmallVectorImpl<Tri> &out) {
  size_t n = c.perThread ? active.size() : 1;
  switch (c.kind) {
  case CondKind::True:
    out.assign(n, Tri::True);
    return true;
  case CondKind::False:
    out.assign(n, Tri::False);
    return true;
  case CondKind::Unknown: {
    std::optional<bool> decided;
    if (options.decide)
      decided = options.decide(c.source);
    out.assign(n, !decided ? Tri::Maybe : *decided ? Tri::True : Tri::False);
    return true;
  }
  case CondKind::NonNegative:
  case CondKind::Zero:
  case CondKind::NonZero: {
    out.clear();
    if (!isRange(c.expr)) {
      Values v;
      if (!values(c.expr, lanes, active, v))
        return false;
      for (int64_t x : v) {
        bool yes = c.kind == CondKind::NonNegative ? x >= 0
                   : c.kind == CondKind::Zero      ? x == 0
                                                   : x != 0;
        out.push_back(yes ? Tri::True : Tri::False);
      }
      return true;
    }
    llvm::SmallVector<Ends> ends;
    ranges(c.expr, lanes, active, ends);
    for (const Ends &r : ends) {
      if (c.kind == CondKind::NonNegative) {
        out.push_back(r.lo && *r.lo >= 0  ? Tri::True
                      : r.hi && *r.hi < 0 ? Tri::False
                                          : Tri::Maybe);
        continue;
      }
      bool apart = (r.lo && *r.lo > 0) || (r.hi && *r.hi < 0);
      bool zero = r.lo && r.hi && *r.lo == 0 && *r.hi == 0;
      bool wantsZero = c.kind == CondKind::Zero;
      out.push_back(apart  ? (wantsZero ? Tri::False : Tri::True)
                    : zero ? (wantsZero ? Tri::True : Tri::False)
                           : Tri::Maybe);
    }
    return true;
  }
  case CondKind::And:
  case CondKind::Or: {
    bool isAnd = c.kind == CondKind::And;
    out.assign(n, isAnd ? Tri::True : Tri::False);
    llvm::SmallVector<Tri> part;
    for (CompiledCond &operand : c.operands) {
      if (!truth(operand, lanes, active, part))
        return false;
      for (size_t i = 0; i < n; ++i) {
        Tri p = part[part.size() == 1 ? 0 : i];
        out[i] = isAnd ? std::min(out[i], p) : std::max(out[i], p);
      }
    }
    return true;
  }
  }
  return true;
}
