//===- Recurrences.cpp - Loop-carried integers in closed form -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A header phi is read by giving it a placeholder p, reading its next value as
// an expression of p and the iteration number t, and solving
// x(0) = start, x(t + 1) = next(x(t), t).
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/ir/Values.h"

using namespace llvm;
using namespace ioflor;
using namespace ioflor::ir;

/// Steps of a recurrence over constants that are tried for a period or an end.
static constexpr unsigned maxSimulated = 64;

void ValueReader::forgetOpen() {
  auto drop = [&](auto &map) {
    SmallVector<Value *, 32> gone;
    for (auto &[v, entry] : map)
      if (entry.open && !open.count(v))
        gone.push_back(v);
    for (Value *v : gone)
      map.erase(v);
  };
  drop(integers);
  drop(conditions);
  drop(pointers);
  std::erase_if(reached, [](auto &entry) { return entry.second.open; });
  for (auto &[l, f] : facts)
    if (f.open) {
      f.open = false;
      f.value.counted = false;
      f.value.exits.clear();
    }
}

/// How many k in 0 .. t-1 have z(k) >= 1, for z affine in k.
static std::optional<Expr> countIndicated(const Expr &z, StringRef t,
                                          const Assumptions &known) {
  auto affine = z.asAffineIn(t);
  if (!affine)
    return std::nullopt;
  auto &[slope, begin] = *affine;
  Expr et = Expr::symbol(t);
  if (known.isPositive(-slope)) // true up to some k, then false
    return min(et, max(Expr(0), floordiv(begin - 1, -slope) + 1));
  if (known.isPositive(slope)) // false up to some k, then true
    return et - min(et, max(Expr(0), ceildiv(1 - begin, slope)));
  return std::nullopt;
}

/// The sum of d over 0 .. t-1: polynomials up to degree one and indicators in
/// closed form; more stays a sum.
static Expr sumUpTo(const Expr &d, StringRef t, Context &context) {
  Expr et = Expr::symbol(t), total, rest;
  for (const Expr &term : d.terms()) {
    std::optional<Expr> counted;
    for (auto &[atom, exponent] : term.factors())
      if (auto z = exponent == 1 && atom.dependsOn(t)
                       ? indicated(atom, context.known)
                       : std::nullopt) {
        // The other factors must not depend on t.
        Expr others(term.coefficient());
        for (auto &[other, power] : term.factors())
          if (other != atom)
            for (unsigned n = 0; n < power; ++n)
              others *= other;
        if (!others.dependsOn(t))
          if (auto number = countIndicated(*z, t, context.known))
            counted = others * *number;
        break;
      }
    if (counted)
      total += *counted;
    else
      rest += term;
  }
  if (auto affine = rest.asAffineIn(t))
    return total + affine->second * et +
           affine->first * floordiv(et * (et - 1), Expr(2));
  std::string k = (t + "_k").str();
  return total + sum(k, Expr(0), et, rest.substitute(t, Expr::symbol(k)));
}

std::optional<Expr> ValueReader::solve(const Expr &p, const Expr &start,
                                       const Expr &next, StringRef t) {
  std::string name = p.name().str();
  Expr et = Expr::symbol(t);
  if (next == p)
    return start;
  Expr step = next - p;
  if (!step.dependsOn(name))
    return start + sumUpTo(step, t, context);
  if (!next.dependsOn(name)) {
    // The value of the iteration before, except in the first.
    Expr before = next.substitute(t, et - 1);
    if (next.dependsOn(t)) {
      // Often the same form goes back to t = 0.
      if (before.substitute(t, Expr(0)) == start)
        return before;
    }
    return start + (before - start) * min(et, Expr(1));
  }
  Expr mirrored = next + p;
  if (!mirrored.dependsOn(name) && !mirrored.dependsOn(t))
    return start + (mirrored - 2 * start) * mod(et, Expr(2));
  if (auto e = simulate(p, start, next, t))
    return e;
  // (p + s) mod m with 0 <= start < m.
  for (const Expr &term : next.terms())
    for (auto &[atom, exponent] : term.factors()) {
      if (atom.kind() != ExprKind::FloorDiv || !atom.dependsOn(name))
        continue;
      const Expr &x = atom.operands()[0], &m = atom.operands()[1];
      Expr s = x - p;
      if (s.dependsOn(name) || s.dependsOn(t) || m.dependsOn(name) ||
          m.dependsOn(t) || next != x - m * atom)
        continue;
      Expr wrapped = mod(start + s * et, m);
      if (context.known.isNonNegative(start) &&
          context.known.isPositive(m - start))
        return wrapped;
      return start + (wrapped - start) * min(et, Expr(1));
    }
  return std::nullopt;
}

/// From a constant, by a step that only depends on the value: a table, periodic
/// or ending in a fixed value (shifts come to 0).
std::optional<Expr> ValueReader::simulate(const Expr &p, const Expr &start,
                                          const Expr &next, StringRef t) {
  if (!start.isConst() || next.freeSymbols().size() != 1)
    return std::nullopt;
  std::vector<BigInt> values{*start.constant()};
  std::string name = p.name().str();
  size_t from = 0;
  bool cycle = false;
  while (values.size() < maxSimulated) {
    auto v = evaluate(next, {{name, values.back()}});
    if (!v)
      return std::nullopt;
    auto it = llvm::find(values, *v);
    if (it != values.end()) {
      from = it - values.begin();
      cycle = true;
      break;
    }
    // Doubling: no program runs that far without wrapping.
    if (*v > BigInt(INT64_MAX / 4) || *v < BigInt(-(INT64_MAX / 4)))
      break;
    values.push_back(*v);
  }
  if (!cycle && values.size() == maxSimulated)
    return std::nullopt;
  Expr et = Expr::symbol(t);
  size_t period = cycle ? values.size() - from : 0;
  if (cycle && from == 0 && period == 2)
    return Expr(values[0]) + Expr(values[1] - values[0]) * mod(et, Expr(2));
  if (cycle && period > 1 && from != 0)
    return std::nullopt;
  Expr at = period > 1 ? mod(et, Expr(static_cast<int64_t>(period))) : et;
  Expr table(values[0]);
  for (size_t k = 1; k < values.size(); ++k)
    table += Expr(values[k] - values[k - 1]) *
             min(Expr(1), max(Expr(0), at - Expr(static_cast<int64_t>(k)) + 1));
  return table;
}

Expr ValueReader::recurrence(PHINode &phi, Loop *l, const Expr &placeholder,
                             const Expr &start, const Expr &next) {
  std::string name = placeholder.name().str();
  std::string t = facts[l].value.var;
  std::optional<Expr> value;
  // What other unsolved phis of this loop contribute cannot be solved yet.
  std::string other;
  for (auto &[v, phiOpen] : open)
    if (v != &phi && (phiOpen.loop == l || l->contains(phiOpen.loop)) &&
        next.dependsOn(phiOpen.placeholder))
      other = phiOpen.placeholder;
  if (other.empty())
    value = solve(placeholder, start, next, t);
  else if (next == Expr::symbol(other)) {
    auto it = waiting.find(other);
    if (it != waiting.end() && it->second.second == name) {
      // a, b = b, a.
      value =
          start + (it->second.first - start) * mod(Expr::symbol(t), Expr(2));
    } else {
      waiting[name] = {start, other};
      return placeholder; // stays open until `other` is solved
    }
  }
  if (!value || value->dependsOn(name))
    return unreadable(&phi, "loop-carried value not understood");
  return simplify(*value, context.known);
}

Expr ValueReader::headerPhi(PHINode &phi, Loop *l) {
  BasicBlock *before = l->getLoopPreheader(), *latch = l->getLoopLatch();
  if (!before || !latch)
    return unreadable(&phi, "loop in no simple form");
  Expr start = integer(phi.getIncomingValueForBlock(before));
  std::string name = "$" + std::to_string(placeholders++);
  Expr placeholder = Expr::symbol(name);
  open[&phi] = {l, name};
  integers[&phi] = {placeholder, true};
  bool outer = sawOpen;
  Expr next = integer(phi.getIncomingValueForBlock(latch));
  Expr value = recurrence(phi, l, placeholder, start, next);
  if (value == placeholder) {
    sawOpen = true;
    return value;
  }
  open.erase(&phi);
  // Whoever waited for this one is read again.
  for (auto it = waiting.begin(); it != waiting.end();) {
    if (it->second.second != name) {
      ++it;
      continue;
    }
    std::string waiter = it->first;
    it = waiting.erase(it);
    for (auto o = open.begin(); o != open.end(); ++o)
      if (o->second.placeholder == waiter) {
        Value *waiting = o->first;
        open.erase(o);
        integers.erase(waiting);
        break;
      }
  }
  integers.erase(&phi);
  forgetOpen();
  sawOpen = outer;
  for (auto &[v, phiOpen] : open)
    sawOpen |= value.dependsOn(phiOpen.placeholder);
  return value;
}

/// e, which speaks of the iteration in which `l` (and the loops of `from`
/// inside it) are left, with these iterations put in.
Expr ValueReader::atExit(const Expr &e, BasicBlock *from, Loop *l) {
  Expr value = e;
  for (Loop *in = loops.getLoopFor(from); in; in = in->getParentLoop()) {
    const LoopFacts &f = loop(in);
    if (value.dependsOn(f.var))
      value = value.substitute(f.var, f.taken);
    if (in == l)
      break;
  }
  return simplify(value, context.known);
}

Expr ValueReader::readPhi(PHINode &phi) {
  BasicBlock *block = phi.getParent();
  Loop *l = loops.getLoopFor(block);
  if (l && l->getHeader() == block)
    return headerPhi(phi, l);
  auto incoming = incomingConditions(phi);
  if (incoming.empty())
    return unreadable(&phi, "phi not understood");
  auto value = [&](unsigned i) {
    Expr e = integer(incoming[i].second);
    BasicBlock *from = phi.getIncomingBlock(i);
    if (Loop *left = loopLeftBy(from, block))
      e = atExit(e, from, left);
    return e;
  };
  Expr result = value(incoming.size() - 1);
  for (unsigned i = incoming.size() - 1; i-- > 0;)
    result = choose(&phi, incoming[i].first, value(i), result);
  return result;
}

Pointers ValueReader::headerPointer(PHINode &phi, Loop *l) {
  BasicBlock *before = l->getLoopPreheader(), *latch = l->getLoopLatch();
  if (!before || !latch)
    return unknownPointer("loop in no simple form");
  Pointers start = pointer(phi.getIncomingValueForBlock(before));
  if (start.size() != 1 || start.front().buffer.empty())
    return unknownPointer("loop-carried pointer with several targets");
  std::string name = "$" + std::to_string(placeholders++);
  Expr placeholder = Expr::symbol(name);
  Pointer p = start.front();
  p.offset = placeholder;
  open[&phi] = {l, name};
  pointers[&phi] = {{p}, true};
  bool outer = sawOpen;
  Pointers next = pointer(phi.getIncomingValueForBlock(latch));
  std::optional<Expr> value;
  if (next.size() == 1 && next.front().buffer == p.buffer) {
    bool others = false;
    for (auto &[v, phiOpen] : open)
      others |= v != &phi && (phiOpen.loop == l || l->contains(phiOpen.loop)) &&
                next.front().offset.dependsOn(phiOpen.placeholder);
    if (!others)
      value = solve(placeholder, start.front().offset, next.front().offset,
                    facts[l].value.var);
  }
  open.erase(&phi);
  pointers.erase(&phi);
  forgetOpen();
  sawOpen = outer;
  if (!value || value->dependsOn(name)) {
    // Where it points in the buffer is not known, but the buffer is.
    if (next.size() != 1 || next.front().buffer != p.buffer)
      return unknownPointer("loop-carried pointer not understood");
    value = unreadable(&phi, "loop-carried pointer not understood");
  }
  for (auto &[v, phiOpen] : open)
    sawOpen |= value->dependsOn(phiOpen.placeholder);
  p.offset = simplify(*value, context.known);
  return {p};
}
