//===- Bounds.cpp - Bounds free of some symbols ---------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/expr/Bounds.h"
#include "dialect/expr/Node.h"
#include "llvm/ADT/STLExtras.h"

using namespace ioflor;
using namespace ioflor::detail;

static constexpr unsigned maxBoundSteps = 2000;

std::optional<Expr> Bounds::bound(const Expr &given, Direction d) {
  Expr e = useDivisibility(given, known);
  // Ranges only use symbols declared before, so each step goes further up the
  // declarations.
  for (size_t n = 0; n <= 4 * known.symbols().size() + 4; ++n) {
    std::set<std::string> left;
    for (const std::string &s : e.freeSymbols())
      if (eliminate.count(s))
        left.insert(s);
    if (left.empty())
      return e;
    std::string s = latestSymbol(left, known);
    if (s.empty())
      return std::nullopt;
    std::optional<Expr> next = one(e, s, d);
    if (!next)
      return std::nullopt;
    e = useDivisibility(*next, known);
  }
  return std::nullopt;
}

std::optional<Expr> Bounds::one(const Expr &e, llvm::StringRef symbol,
                                Direction d) {
  if (!e.dependsOn(symbol))
    return e;
  if (++steps > maxBoundSteps)
    return std::nullopt;
  const Assumptions::Range *r = known.range(symbol);
  bool up = d == Direction::Up;
  if (std::optional<std::pair<Expr, Expr>> affine = e.asAffineIn(symbol)) {
    const auto &[a, b] = *affine;
    int s = prover.sign(a);
    const std::optional<Expr> &end = (s > 0) == up ? r->hi : r->lo;
    if (s != 0)
      return end ? std::optional<Expr>(a * *end + b) : std::nullopt;
    // Extreme at one of the ends.
    if (!r->lo || !r->hi)
      return std::nullopt;
    Expr x = a * *r->lo + b, y = a * *r->hi + b;
    return up ? max(x, y) : min(x, y);
  }
  if (std::optional<Expr> members = byMembers(e, symbol, d))
    return members;
  if (std::optional<Expr> b = byRemainder(e, symbol, d))
    return b;
  return byTerms(e, symbol, d);
}

/// rest + k*min(a, b) with a constant k > 0 is min(rest + k*a, rest + k*b):
/// what cancels against the rest is seen. Likewise the other signs.
std::optional<Expr> Bounds::byMembers(const Expr &e, llvm::StringRef symbol,
                                      Direction d) {
  for (const Expr &a : compositeAtoms(e)) {
    bool isMin = a.kind() == ExprKind::Min;
    if ((!isMin && a.kind() != ExprKind::Max) || !a.dependsOn(symbol) ||
        a.operands().size() > 8)
      continue;
    std::optional<std::pair<Expr, Expr>> l = linearIn(e, a);
    if (!l || !l->first.isConst())
      continue;
    std::vector<Expr> members;
    for (const Expr &o : a.operands()) {
      std::optional<Expr> m = one(l->second + l->first * o, symbol, d);
      if (!m)
        break;
      members.push_back(*m);
    }
    if (members.size() != a.operands().size())
      continue;
    bool positive = l->first.node()->value > 0;
    return positive == isMin ? min(members) : max(members);
  }
  return std::nullopt;
}

/// rest + q*mod(y, D), where only the remainder holds the symbol: 0 <= mod(y,
/// D)
/// <= D - 1, and at most y where y >= 0. The parts of a remainder taken one by
/// one would move in opposite directions.
std::optional<Expr> Bounds::byRemainder(const Expr &e, llvm::StringRef symbol,
                                        Direction d) {
  for (const Expr &a : compositeAtoms(e)) {
    bool ceil = a.kind() == ExprKind::CeilDiv;
    if ((!ceil && a.kind() != ExprKind::FloorDiv) || !a.dependsOn(symbol))
      continue;
    const Expr &x = a.operands()[0], &D = a.operands()[1];
    if ((D.isConst() && D.node()->value < 1) || D.dependsOn(symbol))
      continue;
    std::optional<std::pair<Expr, Expr>> l = linearIn(e, a);
    if (!l)
      continue;
    // q*mod(x, D) = q*x - q*D*floordiv(x, D);
    // q*mod(-x, D) = q*D*ceildiv(x, D) - q*x.
    Expr y = ceil ? -x : x;
    Expr q = floordiv(ceil ? l->first : -l->first, D);
    if (q * D != (ceil ? l->first : -l->first) || q.dependsOn(symbol))
      continue;
    Expr rest = l->second - q * y;
    if (rest.dependsOn(symbol))
      continue;
    int s = prover.sign(q);
    if (s == 0)
      continue;
    if ((s > 0) != (d == Direction::Up))
      return rest;
    Expr most = D - 1;
    if (prover.sign(y) > 0)
      if (std::optional<Expr> top = one(y, symbol, Direction::Up))
        most = min(most, *top);
    return rest + q * most;
  }
  return std::nullopt;
}

std::optional<Expr> Bounds::byTerms(const Expr &e, llvm::StringRef symbol,
                                    Direction d) {
  Expr out;
  for (const Expr &t : termsRef(e)) {
    std::optional<Expr> b = term(t, symbol, d);
    if (!b)
      return std::nullopt;
    out += *b;
  }
  return out;
}

/// A product: the parts with the symbol are bounded one by one, which needs
/// parts that are not negative.
std::optional<Expr> Bounds::term(const Expr &t, llvm::StringRef symbol,
                                 Direction d) {
  if (!t.dependsOn(symbol))
    return t;
  Expr fixed(1);
  std::vector<Factor> moving;
  for (const Factor &f : t.factors()) {
    if (f.first.dependsOn(symbol))
      moving.push_back(f);
    else
      for (unsigned i = 0; i < f.second; ++i)
        fixed *= f.first;
  }
  int s = prover.sign(fixed);
  if (s == 0)
    return std::nullopt;
  if ((t.coefficient() < 0) != (s < 0))
    d = opposite(d);
  Expr out = Expr(t.coefficient()) * fixed;
  bool single = moving.size() == 1 && moving[0].second == 1;
  for (const Factor &f : moving) {
    if (!single && prover.sign(f.first) <= 0)
      return std::nullopt;
    std::optional<Expr> b = atom(f.first, symbol, d);
    if (!b)
      return std::nullopt;
    // A lower bound below 0 would turn the product's direction.
    if (!single && d == Direction::Down && prover.sign(*b) <= 0)
      b = Expr(0);
    for (unsigned i = 0; i < f.second; ++i)
      out *= *b;
  }
  return out;
}

std::optional<Expr> Bounds::atom(const Expr &a, llvm::StringRef symbol,
                                 Direction d) {
  llvm::ArrayRef<Expr> ops = a.operands();
  bool up = d == Direction::Up;
  switch (a.kind()) {
  case ExprKind::Symbol: {
    const Assumptions::Range *r = known.range(symbol);
    return up ? r->hi : r->lo;
  }
  case ExprKind::FloorDiv:
  case ExprKind::CeilDiv: {
    std::optional<Expr> x = one(ops[0], symbol, d);
    if (!x)
      return std::nullopt;
    Expr D = ops[1];
    if (D.dependsOn(symbol)) {
      // A larger divisor moves the quotient towards 0.
      int s = prover.sign(*x);
      if (s == 0)
        return std::nullopt;
      std::optional<Expr> y =
          one(D, symbol, (s > 0) == up ? Direction::Down : Direction::Up);
      // The quotient is only comparable where the new divisor is one.
      if (!y || !prover.prove(*y - 1))
        return std::nullopt;
      D = *y;
    }
    return a.kind() == ExprKind::FloorDiv ? floordiv(*x, D) : ceildiv(*x, D);
  }
  case ExprKind::Min:
  case ExprKind::Max: {
    std::vector<Expr> out;
    bool isMin = a.kind() == ExprKind::Min;
    for (const Expr &o : ops) {
      std::optional<Expr> b = one(o, symbol, d);
      if (b)
        out.push_back(*b);
      else if (isMin != up) // every operand is needed
        return std::nullopt;
    }
    if (out.empty())
      return std::nullopt;
    return isMin ? min(out) : max(out);
  }
  case ExprKind::Sum: {
    if (!up && prover.isTermNonNegative(a))
      return Expr(0);
    if (ops[2].dependsOn(symbol) && a.name() != symbol)
      return std::nullopt;
    // sum over a range that grows with its ends, of terms that are >= 0.
    std::string var = freshName(a.name(), known);
    Assumptions inner = known;
    inner.declare(var, std::nullopt, std::nullopt);
    Expr body = ops[2].substitute(a.name(), Expr::symbol(var));
    if (!inner.isNonNegative(body))
      return std::nullopt;
    std::optional<Expr> lo = one(ops[0], symbol, opposite(d)),
                        hi = one(ops[1], symbol, d);
    if (!lo || !hi)
      return std::nullopt;
    return sum(a.name(), *lo, *hi, ops[2]);
  }
  default:
    return std::nullopt;
  }
}

std::string detail::freshName(llvm::StringRef base, const Assumptions &known) {
  std::string name = "\1" + base.str();
  while (known.range(name))
    name = "\1" + name;
  return name;
}
