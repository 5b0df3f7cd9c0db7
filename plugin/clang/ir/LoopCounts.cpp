//===- LoopCounts.cpp - Trip counts -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The iteration in which an exit is taken is the first t at which the condition
// to go on fails. With several exits the loop is left at the smallest one.
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/ir/DataFlow.h"
#include "plugin/clang/ir/Values.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace ioflor;
using namespace ioflor::ir;

/// Iterations that are tried one by one where no closed form is seen.
static constexpr int64_t maxTrials = 128;

const LoopFacts &ValueReader::loop(Loop *l) {
  Cached<LoopFacts> &entry = facts[l];
  if (entry.value.counted) {
    sawOpen |= entry.open;
    return entry.value;
  }
  if (entry.value.counting) {
    // Its count depends on itself.
    entry.value.taken =
        unreadable(l->getHeader(), "loop not understood", Expr(0));
    return entry.value;
  }
  entry.value.counting = true;
  bool outer = sawOpen;
  sawOpen = false;
  LoopFacts f = entry.value;
  count(l, f);
  f.counting = false;
  f.counted = true;
  Cached<LoopFacts> &again = facts[l];
  again = {f, sawOpen};
  // A value may also be asked for in the iteration in which the loop is left.
  if (!sawOpen && !context.isData(f.taken))
    context.known.declare(f.var, Expr(0), f.taken);
  sawOpen |= outer;
  return again.value;
}

void ValueReader::count(Loop *l, LoopFacts &f) {
  f.exits.clear();
  SmallVector<Loop::Edge, 4> edges;
  l->getExitEdges(edges);
  SmallVector<Expr, 4> left, run;
  for (auto [from, to] : edges) {
    if (isTrap(const_cast<BasicBlock *>(to)))
      continue;
    LoopExit exit;
    exit.from = const_cast<BasicBlock *>(from);
    exit.to = const_cast<BasicBlock *>(to);
    if (any_of(f.exits, [&](const LoopExit &e) {
          return e.from == exit.from && e.to == exit.to;
        }))
      continue;
    exit.top = isTop(l, exit.from);
    f.exits.push_back(exit);
  }
  std::vector<std::pair<LoopExit *, Cond>> invariant;
  for (LoopExit &exit : f.exits) {
    Fails fails = exitCount(l, exit, f.var);
    if (fails.onlyIf) {
      invariant.push_back({&exit, *fails.onlyIf});
      continue;
    }
    if (!fails.known)
      fails.at = unreadable(exit.from->getTerminator(),
                            "the loop ends by a condition that depends on data",
                            Expr(0));
    if (!fails.at)
      continue;
    exit.count = simplify(*fails.at, context.known);
    left.push_back(*exit.count);
    run.push_back(exit.top ? *exit.count : *exit.count + 1);
  }
  // An exit whose condition does not change in the loop is taken at once or
  // not at all: [c] * (taken + 1) is 0 or beyond the other exits.
  for (auto &[exit, c] : invariant) {
    auto one = indicator(c);
    exit->count =
        one && !left.empty()
            ? simplify(*one * (min(left) + 1), context.known)
            : unreadable(exit->from->getTerminator(),
                         "the loop ends by a condition that depends on data",
                         Expr(0));
  }
  for (auto &[exit, c] : invariant) {
    left.push_back(*exit->count);
    run.push_back(exit->top ? *exit->count : *exit->count + 1);
  }
  if (left.empty()) {
    Expr never = unreadable(l->getHeader(), "loop without an exit", Expr(0));
    f.taken = f.trips = never;
    return;
  }
  f.taken = simplify(min(left), context.known);
  f.trips = simplify(min(run), context.known);
}

/// A comparison of a data symbol is kept as one here: the loop then runs as
/// often as the symbol says. Only if the symbol does not change in the loop.
static Cond countable(ValueReader &reader, Value *v,
                      function_ref<Cond(ICmpInst &)> compare) {
  using namespace PatternMatch;
  Value *a, *b;
  if (match(v, m_Not(m_Value(a))))
    return !countable(reader, a, compare);
  if (match(v, m_LogicalAnd(m_Value(a), m_Value(b))))
    return countable(reader, a, compare) && countable(reader, b, compare);
  if (match(v, m_LogicalOr(m_Value(a), m_Value(b))))
    return countable(reader, a, compare) || countable(reader, b, compare);
  if (auto *cmp = dyn_cast<ICmpInst>(v))
    if (cmp->getOperand(0)->getType()->isIntegerTy() &&
        !cmp->getOperand(0)->getType()->isIntegerTy(1))
      return compare(*cmp);
  return reader.condition(v);
}

ValueReader::Fails ValueReader::exitCount(Loop *l, const LoopExit &exit,
                                          StringRef t) {
  BasicBlock *node = exit.from;
  Cond leave;
  if (Loop *child = childLoop(l, exit.from)) {
    node = child->getLoopPreheader();
    bool found = false;
    for (const LoopExit &inner : loop(child).exits)
      if (inner.from == exit.from && inner.to == exit.to) {
        leave = exitTaken(child, inner);
        found = true;
      }
    if (!found)
      return {};
  } else if (auto *br = dyn_cast<BranchInst>(exit.from->getTerminator());
             br && br->isConditional() &&
             br->getSuccessor(0) != br->getSuccessor(1)) {
    Cond c = countable(*this, br->getCondition(), [&](ICmpInst &cmp) {
      Expr a = integer(cmp.getOperand(0)), b = integer(cmp.getOperand(1));
      Cond kept = compare(cmp.getPredicate(), a, b);
      if (!context.isData(kept) && !isa<Constant>(cmp.getOperand(0)))
        return condition(&cmp);
      // A symbol that is read anew in each iteration has no one value.
      if (context.isData(kept))
        for (auto &[v, e] : unreadables)
          if (auto *inst = dyn_cast<Instruction>(v))
            if (l->contains(inst) && e.kind() == ExprKind::Symbol &&
                kept.freeSymbols().count(e.name().str()))
              return checked(kept, &cmp);
      return kept;
    });
    leave = br->getSuccessor(0) == exit.to ? c : !c;
  } else {
    leave = terminatorCondition(exit.from, exit.to);
  }
  Cond go =
      simplify(!(chain(node, l->getHeader(), false) && leave), context.known);
  Fails fails = firstFailure(go, t, exit.from->getTerminator());
  if (!fails.known && !go.hasUnknown() && !go.freeSymbols().count(t.str()))
    fails.onlyIf = go;
  return fails;
}

ValueReader::Fails ValueReader::firstFailure(const Cond &c, StringRef t,
                                             const Value *v) {
  const Assumptions &known = context.known;
  switch (c.kind()) {
  case CondKind::True:
    return {true, std::nullopt};
  case CondKind::False:
    return {true, Expr(0)};
  case CondKind::And: {
    // The first of the failures.
    std::optional<Expr> first;
    for (const Cond &part : c.operands()) {
      Fails f = firstFailure(part, t, v);
      if (!f.known) {
        // A part that never changes decides at once or not at all.
        auto one = indicator(part);
        if (part.freeSymbols().count(t.str()) || !one)
          return {};
        Cond rest;
        for (const Cond &other : c.operands())
          if (other != part)
            rest = rest && other;
        Fails r = firstFailure(rest, t, v);
        if (!r.known || !r.at)
          return {};
        return {true, *r.at * *one};
      }
      if (f.at)
        first = first ? min(*first, *f.at) : *f.at;
    }
    return {true, first};
  }
  case CondKind::Or: {
    // The last of the failures: right if no part comes back once it failed.
    std::optional<Expr> last;
    for (const Cond &part : c.operands()) {
      if (part.kind() != CondKind::NonNegative)
        return firstFailureByTrial(c, t);
      Fails f = firstFailure(part, t, v);
      if (!f.known)
        return firstFailureByTrial(c, t);
      if (!f.at)
        return {true, std::nullopt};
      last = last ? max(*last, *f.at) : *f.at;
    }
    return {true, last};
  }
  case CondKind::NonNegative: {
    auto affine = c.expr().asAffineIn(t);
    if (!affine)
      return firstFailureByTrial(c, t);
    auto &[slope, begin] = *affine;
    if (known.isPositive(-slope))
      return {true, max(Expr(0), floordiv(begin, -slope) + 1)};
    if (slope.isZero() || known.isNonNegative(slope)) {
      if (known.isNonNegative(begin))
        return {true, std::nullopt};
      if (known.isPositive(-begin))
        return {true, Expr(0)};
    }
    return {};
  }
  case CondKind::NonZero: {
    auto affine = c.expr().asAffineIn(t);
    if (!affine)
      return firstFailureByTrial(c, t);
    auto &[slope, begin] = *affine;
    if (slope.isZero())
      return {};
    Expr at;
    if (known.isPositive(slope))
      at = floordiv(-begin, slope);
    else if (known.isPositive(-slope))
      at = floordiv(begin, -slope);
    else
      return {};
    // It has to come to zero: a loop that does not would not end.
    if (!known.isDivisible(begin, slope)) {
      if (!isLaunchConstant(begin) || !isLaunchConstant(slope))
        return {};
      context.assume(
          Cond::zero(mod(begin, known.isPositive(slope) ? slope : -slope)),
          "a loop that ends by != comes to its end");
    }
    if (!known.isNonNegative(at))
      at = max(at, Expr(0));
    return {true, at};
  }
  case CondKind::Zero: {
    auto affine = c.expr().asAffineIn(t);
    if (!affine)
      return firstFailureByTrial(c, t);
    auto &[slope, begin] = *affine;
    if (!known.isPositive(slope) && !known.isPositive(-slope))
      return {};
    if (auto one = indicator(Cond::zero(begin)))
      return {true, *one};
    return {};
  }
  case CondKind::Unknown:
    return {};
  }
  return {};
}

ValueReader::Fails ValueReader::firstFailureByTrial(const Cond &c,
                                                    StringRef t) {
  for (int64_t k = 0; k < maxTrials; ++k) {
    Cond at = simplify(c.substitute({{t.str(), Expr(k)}}), context.known);
    if (at.isNever())
      return {true, Expr(k)};
    if (!at.isAlways())
      return {};
  }
  return {};
}

/// Something runs in `block` that would be lost with the iteration in which the
/// loop is left.
bool ValueReader::matters(Loop *l, BasicBlock *block) {
  for (Instruction &inst : *block) {
    if (auto *load = dyn_cast<LoadInst>(&inst)) {
      if (!isParameterRead(*load))
        return true;
    } else if (inst.mayReadOrWriteMemory() && !isNoTransfer(inst)) {
      return true;
    }
    bool header = isa<PHINode>(inst) && block == l->getHeader();
    if (header || !flow.isData(&inst))
      continue;
    for (User *user : inst.users())
      if (auto *at = dyn_cast<Instruction>(user))
        if (!l->contains(at))
          return true;
  }
  return false;
}

/// Nothing matters in an iteration before this exit.
bool ValueReader::isTop(Loop *l, BasicBlock *exiting) {
  SmallVector<BasicBlock *, 8> work{exiting};
  SmallPtrSet<BasicBlock *, 8> seen{exiting};
  while (!work.empty()) {
    BasicBlock *b = work.pop_back_val();
    if (matters(l, b))
      return false;
    if (b == l->getHeader())
      continue;
    for (BasicBlock *p : predecessors(b))
      if (l->contains(p) && seen.insert(p).second)
        work.push_back(p);
  }
  return true;
}
