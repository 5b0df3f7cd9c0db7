//===- CondLogic.cpp - Conjunction, disjunction and negation --------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only conjunction is implemented; a disjunction is the negation of the
// conjunction of the negations. Comparisons over one expression are merged as
// an interval with holes, which finds contradictions, bounds that follow from
// others, and `a >= 0 and a <= 0` as `a == 0`.
//
//===----------------------------------------------------------------------===//

#include "dialect/expr/Cond.h"
#include "dialect/expr/CondNode.h"
#include "dialect/expr/Node.h"
#include "llvm/ADT/STLExtras.h"

using namespace ioflor;
using namespace ioflor::detail;

namespace {

/// What a conjunction says of one expression without constant term.
struct Interval {
  std::optional<BigInt> lo, hi;
  std::vector<BigInt> holes;

  void atLeast(const BigInt &v) {
    if (!lo || v > *lo)
      lo = v;
  }
  void atMost(const BigInt &v) {
    if (!hi || v < *hi)
      hi = v;
  }
  bool empty() {
    llvm::sort(holes);
    holes.erase(std::unique(holes.begin(), holes.end()), holes.end());
    // Holes at an end move the end.
    if (lo)
      for (const BigInt &h : holes)
        if (h == *lo)
          lo = h + 1;
    if (hi)
      for (const BigInt &h : llvm::reverse(holes))
        if (h == *hi)
          hi = h - 1;
    llvm::erase_if(holes, [&](const BigInt &h) {
      return (lo && h < *lo) || (hi && h > *hi);
    });
    return lo && hi && *lo > *hi;
  }
  void emit(const Expr &key, std::vector<Cond> &out) const {
    if (lo && hi && *lo == *hi) {
      out.push_back(Cond::zero(key - Expr(*lo)));
      return;
    }
    if (lo)
      out.push_back(Cond::nonNegative(key - Expr(*lo)));
    if (hi)
      out.push_back(Cond::nonNegative(Expr(*hi) - key));
    for (const BigInt &h : holes)
      out.push_back(Cond::nonZero(key - Expr(h)));
  }
};

} // namespace

static void flattenInto(const Cond &c, std::vector<Cond> &out) {
  if (c.kind() == CondKind::And)
    out.insert(out.end(), c.operands().begin(), c.operands().end());
  else if (!c.isAlways())
    out.push_back(c);
}

static bool isComparison(const Cond &c) {
  return c.kind() == CondKind::NonNegative || c.kind() == CondKind::Zero ||
         c.kind() == CondKind::NonZero;
}

/// Merges the comparisons of `cs`; false if they contradict one another.
static bool mergeComparisons(std::vector<Cond> &cs) {
  std::map<Expr, Interval> intervals;
  std::vector<Cond> out;
  for (const Cond &c : cs) {
    if (!isComparison(c)) {
      out.push_back(c);
      continue;
    }
    Expr key = withoutConstant(c.expr());
    BigInt k = c.expr().constantTerm();
    bool flip = leansNegative(key);
    if (flip)
      key = -key;
    Interval &i = intervals[key];
    if (c.kind() == CondKind::NonNegative) // key + k >= 0 or -key + k >= 0
      flip ? i.atMost(k) : i.atLeast(-k);
    else { // equations are never flipped
      BigInt v = flip ? k : -k;
      if (c.kind() == CondKind::NonZero) {
        i.holes.push_back(v);
      } else {
        i.atLeast(v);
        i.atMost(v);
      }
    }
  }
  for (auto &[key, i] : intervals) {
    if (i.empty())
      return false;
    i.emit(key, out);
  }
  cs = std::move(out);
  return true;
}

/// True if `a` being true makes `b` true; syntactic.
static bool implies(const Cond &a, const Cond &b) {
  if (a == b)
    return true;
  if (b.kind() == CondKind::Or)
    return llvm::any_of(b.operands(),
                        [&](const Cond &o) { return implies(a, o); });
  if (!isComparison(a) || !isComparison(b))
    return false;
  std::vector<Cond> both{a, !b};
  return !mergeComparisons(both);
}

/// Beyond this many conjuncts only equal conditions are recognised.
static constexpr size_t maxImplications = 48;

/// Absorption and unit propagation between the disjunctions and the rest. False
/// on a contradiction; `again` if a disjunction fell apart.
static bool useUnits(std::vector<Cond> &cs, bool &again) {
  bool few = cs.size() <= maxImplications;
  auto makesTrue = [&](const Cond &a, const Cond &b) {
    return few ? implies(a, b) : a == b;
  };
  for (size_t i = 0; i < cs.size(); ++i) {
    if (cs[i].kind() != CondKind::Or)
      continue;
    std::vector<Cond> kept;
    bool satisfied = false;
    for (const Cond &o : cs[i].operands()) {
      bool refuted = llvm::is_contained(cs, !o);
      for (size_t j = 0; j < cs.size() && !satisfied && !refuted; ++j) {
        if (j == i || cs[j].kind() == CondKind::Or)
          continue;
        satisfied = makesTrue(cs[j], o);
        refuted = few && !satisfied && implies(cs[j], !o);
      }
      if (satisfied)
        break;
      if (!refuted)
        kept.push_back(o);
    }
    if (satisfied) {
      cs.erase(cs.begin() + i--);
      continue;
    }
    if (kept.size() == cs[i].operands().size())
      continue;
    if (kept.empty())
      return false;
    cs[i] = disjunction(kept);
    again = true;
  }
  // A disjunction that holds more alternatives than another one follows.
  for (size_t i = 0; i < cs.size(); ++i)
    for (size_t j = 0; j < cs.size(); ++j) {
      if (i == j || cs[i].kind() != CondKind::Or ||
          cs[j].kind() != CondKind::Or)
        continue;
      bool follows = llvm::all_of(cs[i].operands(), [&](const Cond &o) {
        return llvm::is_contained(cs[j].operands(), o);
      });
      if (follows) {
        cs.erase(cs.begin() + j);
        if (j < i)
          --i;
        --j;
      }
    }
  return true;
}

Cond ioflor::conjunction(llvm::ArrayRef<Cond> in) {
  std::vector<Cond> cs;
  for (const Cond &c : in)
    flattenInto(c, cs);
  for (bool again = true; again;) {
    again = false;
    if (!mergeComparisons(cs))
      return Cond::never();
    llvm::sort(cs);
    cs.erase(llvm::unique(cs), cs.end());
    for (const Cond &c : cs) {
      if (c.isNever())
        return c;
      if (c.kind() == CondKind::Unknown && !c.isNegatedUnknown() &&
          llvm::is_contained(cs, !c))
        return Cond::never();
    }
    if (!useUnits(cs, again))
      return Cond::never();
    if (again) {
      std::vector<Cond> flat;
      for (const Cond &c : cs)
        flattenInto(c, flat);
      cs = std::move(flat);
    }
  }
  if (cs.empty())
    return Cond::always();
  if (cs.size() == 1)
    return cs.front();
  CondNode n;
  n.kind = CondKind::And;
  n.ops = std::move(cs);
  return CondNode::make(std::move(n));
}

Cond ioflor::disjunction(llvm::ArrayRef<Cond> in) {
  std::vector<Cond> negated;
  for (const Cond &c : in)
    negated.push_back(!c);
  return !conjunction(negated);
}

Cond ioflor::operator&&(const Cond &a, const Cond &b) {
  return conjunction({a, b});
}
Cond ioflor::operator||(const Cond &a, const Cond &b) {
  return disjunction({a, b});
}

Cond Cond::operator!() const {
  switch (kind()) {
  case CondKind::True:
    return never();
  case CondKind::False:
    return always();
  case CondKind::NonNegative:
    return nonNegative(-expr() - 1);
  case CondKind::Zero:
    return nonZero(expr());
  case CondKind::NonZero:
    return zero(expr());
  case CondKind::Unknown: {
    CondNode n;
    n.kind = CondKind::Unknown;
    n.reason = impl->reason;
    n.id = impl->id;
    n.negated = !impl->negated;
    return CondNode::make(std::move(n));
  }
  case CondKind::And:
  case CondKind::Or: {
    // The negation of a canonical conjunction is a canonical disjunction.
    CondNode n;
    n.kind = kind() == CondKind::And ? CondKind::Or : CondKind::And;
    for (const Cond &c : impl->ops)
      n.ops.push_back(!c);
    llvm::sort(n.ops);
    return CondNode::make(std::move(n));
  }
  }
  return *this;
}
