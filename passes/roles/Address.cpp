//===- Address.cpp - The structure of addresses -------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/roles/Address.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace ioflor;
using namespace ioflor::roles;

/// Divides a monomial by a monomial.
static std::optional<Expr> divideMonomial(const Expr &m, const Expr &by) {
  BigInt c = m.coefficient(), d = by.coefficient();
  // No %: LLVM's traps on the least of 64 bits and -1.
  if (d == 0 || c - c / d * d != 0)
    return std::nullopt;
  Expr out(c / d);
  std::vector<std::pair<Expr, unsigned>> have, need;
  if (!m.isConst())
    have = m.factors();
  if (!by.isConst())
    need = by.factors();
  for (auto &[atom, power] : have) {
    unsigned p = power;
    for (auto &[other, q] : need)
      if (other == atom) {
        if (q > p)
          return std::nullopt;
        p -= q;
        q = 0;
      }
    for (; p; --p)
      out *= atom;
  }
  for (auto &[other, q] : need)
    if (q)
      return std::nullopt;
  return out;
}

std::optional<Expr> ioflor::roles::divideExactly(const Expr &e,
                                                 const Expr &by) {
  if (by.isZero())
    return std::nullopt;
  if (e == by)
    return Expr(1);
  if (by.isOne())
    return e;
  std::vector<Expr> divisor = by.terms();
  if (divisor.size() != 1) {
    // Takes out the multiples of a sum, `n / 32 + 1`.
    Expr q = floordiv(e, by);
    return q * by == e ? std::optional(q) : std::nullopt;
  }
  Expr out;
  for (const Expr &m : e.terms()) {
    std::optional<Expr> q = divideMonomial(m, divisor.front());
    if (!q)
      return std::nullopt;
    out += *q;
  }
  return out;
}

std::optional<Linear>
ioflor::roles::asLinear(const Expr &e, const std::set<std::string> &vars) {
  Linear out;
  for (const Expr &m : e.terms()) {
    if (m.isConst()) {
      out.rest += m;
      continue;
    }
    std::string var;
    Expr coefficient(m.coefficient());
    for (const auto &[atom, power] : m.factors()) {
      if (atom.kind() == ExprKind::Symbol && vars.count(atom.name().str())) {
        if (!var.empty() || power != 1)
          return std::nullopt;
        var = atom.name().str();
        continue;
      }
      if (atom.dependsOnAny(vars))
        return std::nullopt;
      for (unsigned p = 0; p < power; ++p)
        coefficient *= atom;
    }
    if (var.empty())
      out.rest += m;
    else
      out.coefs[var] += coefficient;
  }
  return out;
}

void ioflor::roles::collectDivisions(const Expr &e,
                                     const std::set<std::string> &vars,
                                     std::vector<std::pair<Expr, Expr>> &out) {
  if (!e.dependsOnAny(vars))
    return;
  switch (e.kind()) {
  case ExprKind::Const:
  case ExprKind::Symbol:
    return;
  case ExprKind::Add:
    for (const Expr &m : e.terms())
      collectDivisions(m, vars, out);
    return;
  case ExprKind::Mul:
    for (const auto &[atom, power] : e.factors())
      collectDivisions(atom, vars, out);
    return;
  default:
    for (const Expr &operand : e.operands())
      collectDivisions(operand, vars, out);
    if (e.kind() == ExprKind::FloorDiv && !e.operands()[1].dependsOnAny(vars)) {
      std::pair<Expr, Expr> d(e.operands()[0], e.operands()[1]);
      if (!llvm::is_contained(out, d))
        out.push_back(d);
    }
  }
}

std::string Fresh::make(llvm::StringRef base,
                        const std::optional<Expr> &trips) {
  std::string name;
  do
    name = (base + "__" + llvm::Twine(next++)).str();
  while (known.range(name));
  known.declare(name, Expr(0),
                trips ? std::optional<Expr>(*trips - 1) : std::nullopt);
  // Each operand of a minimum is an end of its own.
  if (trips && trips->kind() == ExprKind::Min)
    for (const Expr &end : trips->operands())
      if (end.isConst())
        known.declare(name, Expr(0), end - 1);
  return name;
}

std::string Fresh::exactQuotient(const Expr &dividend, const Expr &divisor,
                                 const std::optional<Expr> &trips) {
  std::string name = make("each", trips);
  quotients.push_back({name, dividend, divisor});
  return name;
}

Expr Fresh::multiplied(const Expr &e) const {
  Expr out = e;
  // A later dividend may use an earlier quotient.
  for (const Quotient &q : llvm::reverse(quotients)) {
    if (!out.dependsOn(q.name))
      continue;
    std::optional<std::pair<Expr, Expr>> affine = out.asAffineIn(q.name);
    if (!affine)
      continue;
    if (std::optional<Expr> times = divideExactly(affine->first, q.divisor))
      out = *times * q.dividend + affine->second;
  }
  return out;
}

bool Fresh::hasQuotient(const Expr &e) const {
  return llvm::any_of(quotients,
                      [&](const Quotient &q) { return e.dependsOn(q.name); });
}

std::optional<Digits>
ioflor::roles::splitDigits(const Expr &dividend, const Expr &divisor,
                           const std::set<std::string> &vars, Fresh &fresh,
                           std::optional<Expr> top) {
  std::optional<Linear> linear = asLinear(dividend, vars);
  if (!linear)
    return std::nullopt;
  for (const auto &[var, coefficient] : linear->coefs) {
    if (!coefficient.isOne())
      continue;
    Digits d;
    d.dividend = dividend;
    d.divisor = divisor;
    d.eliminated = var;
    if (!top)
      top = fresh.known.upperBound(dividend, vars);
    std::optional<Expr> quotients;
    if (top)
      quotients = simplify(floordiv(*top, divisor) + 1, fresh.known);
    d.quotient = fresh.make(var + "_q", quotients);
    d.remainder = fresh.make(var + "_r", divisor);
    d.replacement = divisor * Expr::symbol(d.quotient) +
                    Expr::symbol(d.remainder) - (dividend - Expr::symbol(var));
    return d;
  }
  return std::nullopt;
}

/// A digit that got more than its range holds gives the excess to the digit
/// whose stride continues its own; the address stays the same. Smallest first,
/// as in adding.
static void carry(const std::vector<std::pair<Expr, std::string>> &sorted,
                  Subst &solution, const Assumptions &known) {
  for (size_t i = sorted.size(); i-- > 1;) {
    const auto &[stride, var] = sorted[i];
    const Assumptions::Range *range = known.range(var);
    if (!range || !range->hi)
      continue;
    Expr trips = *range->hi + 1, &value = solution[var];
    if (value.isConst() || known.isNonNegative(trips - 1 - value))
      continue;
    for (size_t j = i; j-- > 0;) {
      // A range that varies is no radix; the distance may still tell one.
      std::optional<Expr> radix = divideExactly(sorted[j].first, stride);
      if (!radix || radix->isOne() || !known.isPositive(*radix))
        continue;
      if (*radix != trips &&
          !(radix->isConst() && known.isNonNegative(*radix - trips)))
        break;
      Expr more = floordiv(value, *radix);
      solution[sorted[j].second] += more;
      value -= *radix * more;
      break;
    }
  }
}

/// Can e, which varies, be a multiple of the constant D >= 2?
static bool isSometimesMultiple(const Expr &e, const Expr &D) {
  std::optional<int64_t> d = D.constant64();
  if (!d || *d < 2 || e.isConst())
    return false;
  int64_t divisor = *d;
  for (const Expr &m : e.terms())
    if (!m.isConst()) {
      std::optional<int64_t> c = Expr(m.coefficient()).constant64();
      if (!c)
        return false;
      divisor = std::gcd(divisor, *c);
    }
  std::optional<int64_t> constant = Expr(e.constantTerm()).constant64();
  return constant && *constant % divisor == 0;
}

std::optional<Subst>
ioflor::roles::solveWriter(const Expr &written, const Expr &read,
                           const std::set<std::string> &own, Fresh &fresh) {
  Expr w = simplify(written, fresh.known);
  std::set<std::string> unknowns = own;
  // Each step writes one variable by digits; undone in reverse at the end.
  std::vector<Digits> steps;
  for (unsigned round = 0; round < 6; ++round) {
    std::vector<std::pair<Expr, Expr>> divisions;
    collectDivisions(w, unknowns, divisions);
    if (divisions.empty())
      break;
    std::optional<Digits> d;
    for (const auto &[dividend, divisor] : divisions)
      if ((d = splitDigits(dividend, divisor, unknowns, fresh)))
        break;
    if (!d)
      return std::nullopt;
    w = simplify(w.substitute(d->eliminated, d->replacement), fresh.known);
    unknowns.erase(d->eliminated);
    unknowns.insert(d->quotient);
    unknowns.insert(d->remainder);
    steps.push_back(std::move(*d));
  }
  std::optional<Linear> linear = asLinear(w, unknowns);
  if (!linear)
    return std::nullopt;

  // Largest stride first: a stride that another one divides is larger.
  std::vector<std::pair<Expr, std::string>> strides;
  for (const auto &[var, stride] : linear->coefs)
    if (!stride.isZero())
      strides.push_back({stride, var});
  auto larger = [&](const Expr &a, const Expr &b) {
    if (a == b)
      return false;
    return fresh.known.isPositive(a - b) ||
           (divideExactly(a, b) && !divideExactly(b, a));
  };
  // Selection by hand: `larger` is partial, so std::sort may not be used.
  std::vector<std::pair<Expr, std::string>> sorted;
  while (!strides.empty()) {
    auto best = strides.begin();
    for (auto it = strides.begin(); it != strides.end(); ++it)
      if (larger(it->first, best->first))
        best = it;
    sorted.push_back(*best);
    strides.erase(best);
  }

  // A loop that the address does not depend on stays free: what it counts is
  // summed over, or overwritten.
  Subst solution;
  for (const auto &[stride, var] : sorted)
    solution[var] = Expr();
  for (const Digits &d : steps)
    solution[d.quotient], solution[d.remainder];
  for (const std::string &u : own)
    if (written.dependsOn(u) && unknowns.count(u))
      solution[u];
  Expr rest = read - linear->rest;
  for (const auto &[stride, var] : sorted) {
    Expr taken, left;
    for (const Expr &m : rest.terms()) {
      if (std::optional<Expr> q = divideExactly(m, stride))
        taken += *q;
      else
        left += m;
    }
    solution[var] += taken;
    rest = left;
  }
  if (!rest.isZero()) {
    // Each D-th element: iterations that are written out write the others.
    if (sorted.empty() || !isSometimesMultiple(rest, sorted.back().first))
      return std::nullopt;
    const auto &[stride, var] = sorted.back();
    const Assumptions::Range *range = fresh.known.range(var);
    std::optional<Expr> trips;
    if (range && range->hi)
      trips = *range->hi + 1;
    solution[var] += Expr::symbol(fresh.exactQuotient(rest, stride, trips));
  }
  carry(sorted, solution, fresh.known);

  for (const Digits &d : llvm::reverse(steps)) {
    solution[d.eliminated] = d.replacement.substitute(solution);
    solution.erase(d.quotient);
    solution.erase(d.remainder);
  }
  return solution;
}
