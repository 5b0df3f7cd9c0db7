//===- Prove.cpp - Decides signs without a solver -------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/expr/Prove.h"
#include "dialect/expr/Bounds.h"
#include "dialect/expr/Node.h"
#include "dialect/expr/Work.h"
#include "llvm/ADT/STLExtras.h"

using namespace ioflor;
using namespace ioflor::detail;

/// Larger expressions are left to the solver.
static constexpr size_t maxTerms = 64;

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

static bool isComposite(const Expr &atom) {
  return atom.kind() != ExprKind::Symbol && atom.kind() != ExprKind::Add;
}

std::vector<Expr> detail::compositeAtoms(const Expr &e) {
  std::vector<Expr> out;
  for (const Expr &t : termsRef(e)) {
    MonoRef m(t);
    for (size_t i = 0; i < m.size(); ++i)
      if (isComposite(m.atom(i)) && !llvm::is_contained(out, m.atom(i)))
        out.push_back(m.atom(i));
  }
  return out;
}

std::optional<std::pair<Expr, Expr>> detail::linearIn(const Expr &e,
                                                      const Expr &atom) {
  std::vector<Expr> with, rest;
  for (const Expr &t : termsRef(e)) {
    MonoRef m(t);
    unsigned power = 0;
    for (size_t i = 0; i < m.size(); ++i)
      if (m.atom(i) == atom)
        power = m.power(i);
    if (power > 1)
      return std::nullopt;
    if (power == 0)
      rest.push_back(t);
    else
      with.push_back(
          withCoefficient(*monomialQuotient(t, atom), t.coefficient()));
  }
  return std::pair(sumOfTerms(std::move(with)), sumOfTerms(std::move(rest)));
}

std::string detail::latestSymbol(const std::set<std::string> &symbols,
                                 const Assumptions &known) {
  for (const std::string &s : llvm::reverse(known.symbols()))
    if (symbols.count(s))
      return s;
  return {};
}

Expr detail::useDivisibility(const Expr &e, const Assumptions &known) {
  if (known.divisibilities().empty())
    return e;
  Expr out = e;
  for (const Expr &atom : compositeAtoms(e)) {
    bool ceil = atom.kind() == ExprKind::CeilDiv;
    if (!ceil && atom.kind() != ExprKind::FloorDiv)
      continue;
    const Expr &x = atom.operands()[0], &D = atom.operands()[1];
    if ((D.isConst() && D.node()->value < 1) || !known.isDivisible(x, D))
      continue;
    std::optional<std::pair<Expr, Expr>> l = linearIn(out, atom);
    if (!l)
      continue;
    Expr q = floordiv(l->first, D);
    if (q * D == l->first)
      out = l->second + q * x;
    else if (ceil)
      out = l->second + l->first * floordiv(x, D);
  }
  return out;
}

//===----------------------------------------------------------------------===//
// Signs of parts
//===----------------------------------------------------------------------===//

bool Prover::isAtomNonNegative(const Expr &atom) {
  if (intervals.of(atom).isNonNegative())
    return true;
  auto nonNegative = [&](const Expr &e) { return sign(e) > 0; };
  llvm::ArrayRef<Expr> ops = atom.operands();
  switch (atom.kind()) {
  case ExprKind::Symbol: {
    const Assumptions::Range *r = known.range(atom.name());
    return llvm::is_contained(known.facts(), atom) ||
           (r && r->lo && !r->lo->isConst() && nonNegative(*r->lo));
  }
  case ExprKind::FloorDiv:
    return nonNegative(ops[0]);
  case ExprKind::CeilDiv: // > -1
    return nonNegative(ops[0] + ops[1] - 1);
  case ExprKind::Min:
    return llvm::all_of(ops, nonNegative);
  case ExprKind::Max:
    return llvm::any_of(ops, nonNegative);
  case ExprKind::Sum: {
    if (nested > 2)
      return false;
    std::string var = freshName(atom.name(), known);
    Assumptions inner = known;
    inner.declare(var, ops[0], ops[1] - 1);
    Prover p(inner);
    p.nested = nested + 1;
    return p.prove(ops[2].substitute(atom.name(), Expr::symbol(var)), 3);
  }
  default:
    return false;
  }
}

bool Prover::isTermNonNegative(const Expr &mono) {
  if (mono.coefficient() < 0)
    return false;
  MonoRef m(mono);
  for (size_t i = 0; i < m.size(); ++i)
    if (m.power(i) % 2 && !isAtomNonNegative(m.atom(i)))
      return false;
  return true;
}

int Prover::sign(const Expr &e) {
  if (e.isConst())
    return e.node()->value >= 0 ? 1 : -1;
  Interval i = intervals.of(e);
  if (i.isNonNegative())
    return 1;
  if (i.hi && *i.hi <= 0)
    return -1;
  if (nested > 3)
    return 0;
  if (active == 0)
    steps = 0;
  ++nested;
  int s = prove(e, 4) ? 1 : prove(-e, 4) ? -1 : 0;
  --nested;
  return s;
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

bool Prover::prove(const Expr &given, unsigned depth) {
  Expr e = useDivisibility(given, known);
  if (e.isConst())
    return e.node()->value >= 0;
  // g*r + c >= 0 is r + floor(c/g) >= 0.
  BigInt g = content(e, false);
  if (g != 1)
    e = divideExactly(withoutConstant(e), g) +
        Expr(floorDiv(e.constantTerm(), g));
  if (proved.count(e.node()))
    return true;
  auto it = failed.find(e.node());
  if (it != failed.end() && it->second >= depth)
    return false;
  // Entered as failed first, so that a circle ends.
  failed[e.node()] = depth;
  keep.push_back(e);
  ++active;
  bool found = search(e, depth);
  --active;
  if (!found)
    return false;
  failed.erase(e.node());
  proved[e.node()] = true;
  return true;
}

bool Prover::search(const Expr &e, unsigned depth) {
  if (++steps > maxSteps || ++totalSteps > maxTotalSteps ||
      WorkScope::exhausted())
    return false;
  if (intervals.of(e).isNonNegative())
    return true;
  llvm::ArrayRef<Expr> ts = termsRef(e);
  if (ts.size() > maxTerms || depth == 0)
    return false;
  if (llvm::all_of(ts, [&](const Expr &t) { return isTermNonNegative(t); }))
    return true;
  if (byCommonFactor(e, depth) || byFacts(e, depth))
    return true;

  std::set<std::string> symbols = e.freeSymbols();
  std::vector<Expr> atoms = compositeAtoms(e);
  std::string latest = latestSymbol(symbols, known);
  bool inside = !latest.empty() && llvm::any_of(atoms, [&](const Expr &a) {
    return a.dependsOn(latest);
  });
  // A symbol inside an atom can only be replaced once the atom is bounded;
  // otherwise the symbol goes first: its ends may cancel with other terms.
  if (!latest.empty() && !inside && bySymbol(e, latest, depth))
    return true;
  for (const Expr &a : atoms)
    if (inside && a.dependsOn(latest) && byAtom(e, a, depth))
      return true;
  for (const Expr &a : atoms)
    if (!(inside && a.dependsOn(latest)) && byAtom(e, a, depth))
      return true;
  return byShift(e);
}

bool Prover::byCommonFactor(const Expr &e, unsigned depth) {
  llvm::ArrayRef<Expr> ts = termsRef(e);
  if (ts.size() < 2 || ts.back().isConst())
    return false;
  for (const Factor &f : ts.front().factors()) {
    if (!llvm::all_of(ts, [&](const Expr &t) {
          return monomialQuotient(t, f.first).has_value();
        }))
      continue;
    if (!isAtomNonNegative(f.first))
      continue;
    std::vector<Expr> out;
    for (const Expr &t : ts)
      out.push_back(
          withCoefficient(*monomialQuotient(t, f.first), t.coefficient()));
    return prove(sumOfTerms(std::move(out)), depth);
  }
  return false;
}

/// e - k*m*fact for each way in which a term of the fact cancels one of e, m a
/// monomial that is never negative.
bool Prover::byFacts(const Expr &e, unsigned depth) {
  for (const Expr &fact : known.facts()) {
    for (const Expr &t : termsRef(fact)) {
      if (t.isConst())
        continue;
      for (const Expr &u : termsRef(e)) {
        BigInt ct = t.coefficient(), cu = u.coefficient();
        if ((ct > 0) != (cu > 0) || u.isConst())
          continue;
        std::optional<Expr> m = monomialQuotient(u, t);
        if (!m || !isTermNonNegative(*m))
          continue;
        // Cancel by scaling e: ct*e - cu*m*fact; both factors positive.
        BigInt d = gcd(abs(ct), abs(cu));
        Expr rest = Expr(abs(ct) / d) * e - Expr(abs(cu) / d) * *m * fact;
        if (termsRef(rest).size() > termsRef(e).size())
          continue;
        if (prove(rest, depth - 1))
          return true;
      }
    }
  }
  return false;
}

bool Prover::byDivision(const Expr &atom, const Expr &c, const Expr &rest,
                        unsigned depth) {
  const Expr &x = atom.operands()[0], &D = atom.operands()[1];
  if (D.isConst() && D.node()->value < 1)
    return false;
  int s = sign(c);
  if (s == 0)
    return false;
  bool ceil = atom.kind() == ExprKind::CeilDiv;
  // floor: x - D + 1 <= D*atom <= x; ceil: x <= D*atom <= x + D - 1.
  Expr end = ceil ? (s > 0 ? x : x + D - 1) : (s > 0 ? x - D + 1 : x);
  Expr q = floordiv(c, D);
  if (q * D == c) {
    if (prove(rest + q * end, depth - 1))
      return true;
  } else if (prove(D * rest + c * end + D - 1, depth - 1)) {
    // D*e >= 1 - D makes the integer e at least 0.
    return true;
  }
  // For x >= 0, an atom over an unknown divisor is between 0 and x.
  if (s < 0 && !D.isConst() && sign(x) > 0)
    return prove(rest + c * x, depth - 1);
  return false;
}

bool Prover::byAtom(const Expr &e, const Expr &atom, unsigned depth) {
  std::optional<std::pair<Expr, Expr>> l = linearIn(e, atom);
  if (!l)
    return false;
  const auto &[c, rest] = *l;
  Interval range = intervals.of(atom);
  auto byRange = [&] {
    int s = sign(c);
    if (s > 0 && range.lo)
      return prove(rest + c * Expr(*range.lo), depth - 1);
    if (s < 0 && range.hi)
      return prove(rest + c * Expr(*range.hi), depth - 1);
    return false;
  };
  switch (atom.kind()) {
  case ExprKind::FloorDiv:
  case ExprKind::CeilDiv:
    return byDivision(atom, c, rest, depth) || byRange();
  case ExprKind::Min:
  case ExprKind::Max: {
    // The atom is one of its operands; and on one side it is beyond each.
    auto holds = [&](const Expr &o) { return prove(rest + c * o, depth - 1); };
    int s = sign(c);
    bool anyEnough = s != 0 && (s > 0) == (atom.kind() == ExprKind::Max);
    return anyEnough ? llvm::any_of(atom.operands(), holds)
                     : llvm::all_of(atom.operands(), holds);
  }
  case ExprKind::Sum:
    return isAtomNonNegative(atom) && sign(c) > 0 && prove(rest, depth - 1);
  default:
    return false;
  }
}

bool Prover::bySymbol(const Expr &e, llvm::StringRef symbol, unsigned depth) {
  const Assumptions::Range *r = known.range(symbol);
  std::optional<std::pair<Expr, Expr>> affine = e.asAffineIn(symbol);
  if (!affine)
    return false;
  const auto &[a, b] = *affine;
  int s = sign(a);
  if (s > 0)
    return r->lo && prove(a * *r->lo + b, depth - 1);
  if (s < 0)
    return r->hi && prove(a * *r->hi + b, depth - 1);
  // Affine: smallest at one of the ends.
  return r->lo && r->hi && prove(a * *r->lo + b, depth - 1) &&
         prove(a * *r->hi + b, depth - 1);
}

/// False where byShift cannot succeed. With constant lower ends a term keeps
/// its coefficient unless it divides another one, and the constant term becomes
/// the value at the lower ends.
bool Prover::mayShift(llvm::ArrayRef<Expr> ts) {
  BigInt atEnds(0);
  for (const Expr &t : ts) {
    BigInt value = t.coefficient();
    MonoRef m(t);
    for (size_t i = 0; i < m.size(); ++i) {
      const Expr &a = m.atom(i);
      std::optional<BigInt> lo;
      if (a.kind() == ExprKind::Symbol) {
        const Assumptions::Range *r = known.range(a.name());
        if (!r || !r->lo)
          return m.power(i) % 2 == 0; // left to the search
        lo = r->lo->constant();
      } else {
        lo = intervals.of(a).lo;
      }
      if (!lo)
        return true;
      for (unsigned p = 0; p < m.power(i); ++p)
        value *= *lo;
    }
    atEnds += value;
  }
  if (atEnds < 0)
    return false;
  return llvm::all_of(ts, [&](const Expr &t) {
    return t.coefficient() > 0 || llvm::any_of(ts, [&](const Expr &u) {
             return u.coefficient() > 0 && monomialQuotient(u, t);
           });
  });
}

/// Writes each symbol as its lower end plus something that is not negative; a
/// polynomial without negative coefficients in these is not negative.
bool Prover::byShift(const Expr &e) {
  llvm::ArrayRef<Expr> ts = termsRef(e);
  if (ts.empty() || ts.size() > 24 || MonoRef(ts.front()).degree() < 2 ||
      !mayShift(ts))
    return false;
  Expr shifted = e;
  // Composite atoms first: they hold symbols that must stay as they are.
  unsigned count = 0;
  for (const Expr &a : compositeAtoms(e)) {
    Interval i = intervals.of(a);
    if (!i.lo || !linearIn(shifted, a))
      return false;
    Expr fresh = Expr::symbol("\1+" + std::to_string(count++));
    std::pair<Expr, Expr> l = *linearIn(shifted, a);
    shifted = l.second + l.first * (fresh + Expr(*i.lo));
  }
  for (const std::string &s : llvm::reverse(known.symbols())) {
    if (!shifted.dependsOn(s))
      continue;
    const Assumptions::Range *r = known.range(s);
    if (!r->lo || !compositeAtoms(*r->lo).empty())
      continue;
    Expr fresh = Expr::symbol("\1+" + std::to_string(count++));
    shifted = shifted.substitute(s, *r->lo + fresh);
    if (termsRef(shifted).size() > maxTerms)
      return false;
  }
  return llvm::all_of(termsRef(shifted), [](const Expr &t) {
    if (t.coefficient() < 0)
      return false;
    MonoRef m(t);
    for (size_t i = 0; i < m.size(); ++i)
      if (m.power(i) % 2 && !m.atom(i).name().starts_with("\1+"))
        return false;
    return true;
  });
}
