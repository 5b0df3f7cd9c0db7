//===- Divisible.cpp - Symbols that are multiples -------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/count/Divisible.h"
#include "passes/count/ExprUtil.h"

namespace ioflor::count {

DivisibleSymbols::DivisibleSymbols(const Context &original)
    : replacedContext(original) {
  std::map<std::string, BigInt> divisor;
  for (const auto &[e, d] : original.known.divisibilities()) {
    std::optional<BigInt> c = d.constant();
    if (e.kind() != ExprKind::Symbol || !c || *c < BigInt(2) ||
        original.data.count(e.name().str()))
      continue;
    BigInt &have = divisor.emplace(e.name().str(), BigInt(1)).first->second;
    have = llvm::lcm(have, *c);
  }
  if (divisor.empty())
    return;
  for (const auto &[name, d] : divisor) {
    std::string q = "__" + name + "_by";
    forward.emplace(name, Expr(d) * Expr::symbol(q));
    back.emplace(q, std::make_pair(name, d));
  }
  Assumptions known;
  auto sub = [&](const std::optional<Expr> &e) -> std::optional<Expr> {
    if (!e)
      return std::nullopt;
    return e->substitute(forward);
  };
  for (const std::string &s : original.known.symbols()) {
    const Assumptions::Range *r = original.known.range(s);
    auto it = divisor.find(s);
    if (it == divisor.end()) {
      known.declare(s, r ? sub(r->lo) : std::nullopt,
                    r ? sub(r->hi) : std::nullopt);
      continue;
    }
    Expr d(it->second);
    std::optional<Expr> lo = r ? sub(r->lo) : std::nullopt;
    std::optional<Expr> hi = r ? sub(r->hi) : std::nullopt;
    known.declare("__" + s + "_by",
                  lo ? std::optional<Expr>(ceildiv(*lo, d)) : std::nullopt,
                  hi ? std::optional<Expr>(floordiv(*hi, d)) : std::nullopt);
  }
  for (const Expr &e : original.known.facts())
    known.addNonNegative(e.substitute(forward));
  for (const auto &[e, d] : original.known.divisibilities())
    if (e.kind() != ExprKind::Symbol || !divisor.count(e.name().str()) ||
        !d.isConst())
      known.addDivisible(e.substitute(forward), d.substitute(forward));
  replacedContext.known = known;
}

Access DivisibleSymbols::replace(const Access &a) const {
  if (forward.empty())
    return a;
  Access r = a;
  for (LoopVar &l : r.loops)
    l.trips = l.trips.substitute(forward);
  for (Cond &c : r.guards)
    c = c.substitute(forward);
  if (r.address)
    r.address = r.address->substitute(forward);
  return r;
}

Expr DivisibleSymbols::restore(const Expr &e) const {
  if (back.empty())
    return e;
  // D*q is N itself; what is left of q is a division.
  Expr result;
  for (const Expr &t : e.terms()) {
    Expr m(1);
    BigInt c = t.coefficient();
    for (const auto &[atom, power] : t.factors())
      for (unsigned i = 0; i < power; ++i) {
        auto it = atom.kind() == ExprKind::Symbol ? back.find(atom.name().str())
                                                  : back.end();
        if (it != back.end()) {
          const auto &[name, d] = it->second;
          if (c - c / d * d == BigInt(0)) {
            c = c / d;
            m *= Expr::symbol(name);
          } else {
            m *= floordiv(Expr::symbol(name), Expr(d));
          }
          continue;
        }
        if (atom.kind() == ExprKind::Symbol) {
          m *= atom;
          continue;
        }
        // Operands of the atom, by the same rule.
        llvm::ArrayRef<Expr> ops = atom.operands();
        switch (atom.kind()) {
        case ExprKind::FloorDiv:
          m *= floordiv(restore(ops[0]), restore(ops[1]));
          break;
        case ExprKind::CeilDiv:
          m *= ceildiv(restore(ops[0]), restore(ops[1]));
          break;
        case ExprKind::Min:
        case ExprKind::Max: {
          std::vector<Expr> args;
          for (const Expr &o : ops)
            args.push_back(restore(o));
          m *= atom.kind() == ExprKind::Min ? min(args) : max(args);
          break;
        }
        default:
          m *= sum(atom.name(), restore(ops[0]), restore(ops[1]),
                   restore(ops[2]));
        }
      }
    result += Expr(c) * m;
  }
  return result;
}

} // namespace ioflor::count
