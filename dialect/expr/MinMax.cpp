//===- MinMax.cpp - Minimum, maximum and sums over ranges -----------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Min and Max are flat sets. What all operands share is pulled out: a positive
// integer factor, addends, a constant. Which constant stays inside depends only
// on the differences, so min(N, 64) - 1 and min(N - 1, 63) are one expression.
//
//===----------------------------------------------------------------------===//

#include "dialect/expr/Node.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace ioflor;
using namespace ioflor::detail;

/// Flattening distributes addends over nested operands; beyond this many
/// operands they stay nested.
static constexpr size_t maxFlat = 64;

static ExprKind dual(ExprKind k) {
  return k == ExprKind::Min ? ExprKind::Max : ExprKind::Min;
}

/// Appends e to `out`; `c + k*min(a, b)` goes in as its members when all
/// is one minimum (k > 0: of the same kind, k < 0: of the dual one).
static void flatten(ExprKind kind, const Expr &e, std::vector<Expr> &out) {
  const Expr *found = nullptr;
  bool several = false;
  BigInt k(0);
  for (const Expr &t : termsRef(e)) {
    MonoRef m(t);
    if (m.size() != 1 || m.power(0) != 1)
      continue;
    BigInt c = t.coefficient();
    ExprKind want = c > 0 ? kind : dual(kind);
    if (m.atom(0).kind() != want)
      continue;
    several |= found != nullptr;
    found = &m.atom(0);
    k = c;
  }
  if (!found || several || out.size() + found->operands().size() > maxFlat) {
    out.push_back(e);
    return;
  }
  Expr inner = *found;
  Expr rest = e - Expr(k) * inner;
  for (const Expr &o : inner.operands())
    flatten(kind, rest + Expr(k) * o, out);
}

/// Removes operands that another one beats whatever the symbols are.
static void dropDominated(ExprKind kind, std::vector<Expr> &es) {
  for (size_t i = 0; i < es.size(); ++i)
    for (size_t j = 0; j < es.size(); ++j) {
      if (i == j)
        continue;
      Expr d = es[j] - es[i];
      bool drop = d.isConst() && (kind == ExprKind::Min ? d.node()->value >= 0
                                                        : d.node()->value <= 0);
      // min(a, max(a, b)) is a.
      if (!drop) {
        const Expr *atom = soleAtom(es[j]);
        if (atom && atom->kind() == dual(kind)) {
          Expr c = es[j] - *atom;
          for (const Expr &o : atom->operands())
            drop |= o + c == es[i];
        }
      }
      if (drop) {
        es.erase(es.begin() + j);
        if (j < i)
          --i;
        --j;
      }
    }
}

/// The addends common to all (constants aside), with the smallest coefficient
/// where they differ in size only.
static Expr commonAddends(llvm::ArrayRef<Expr> es) {
  std::vector<Expr> common;
  for (const Expr &t : termsRef(es.front())) {
    if (t.isConst())
      continue;
    BigInt best = t.coefficient();
    for (const Expr &e : es.drop_front()) {
      BigInt c(0);
      for (const Expr &u : termsRef(e))
        if (compareMonomials(u, t) == 0)
          c = u.coefficient();
      if (c == 0 || (c > 0) != (best > 0)) {
        best = BigInt(0);
        break;
      }
      if (abs(c) < abs(best))
        best = c;
    }
    if (best != 0)
      common.push_back(withCoefficient(t, best));
  }
  return sumOfTerms(std::move(common));
}

/// The constant to pull out. Without a constant operand the smallest one. With
/// one, min(N, 64) and max(0, N - 64) are the forms people write; max(N, 1)
/// likewise.
static BigInt commonConstant(ExprKind kind, llvm::ArrayRef<Expr> es,
                             bool clampsMatter) {
  std::optional<BigInt> alone, least;
  for (const Expr &e : es) {
    if (e.isConst())
      alone = e.node()->value;
    else if (!least || e.constantTerm() < *least)
      least = e.constantTerm();
  }
  if (!alone || !least)
    return least ? *least : BigInt(0);
  BigInt delta = *alone - *least;
  return !clampsMatter || kind == ExprKind::Min || delta == 1 ? *least : *alone;
}

static Expr minmax(ExprKind kind, llvm::ArrayRef<Expr> in) {
  std::vector<Expr> es;
  for (const Expr &e : in)
    flatten(kind, e, es);
  auto canonicalise = [&] {
    llvm::sort(es);
    es.erase(llvm::unique(es), es.end());
    dropDominated(kind, es);
  };
  canonicalise();
  if (es.empty())
    return Expr();
  if (es.size() == 1)
    return es.front();

  Expr addend = commonAddends(es);
  for (Expr &e : es)
    e -= addend;
  auto pull = [&](const BigInt &c, const BigInt &scale) {
    addend += Expr(c * scale);
    for (Expr &e : es)
      e -= Expr(c);
  };
  // The factor is that of the differences, wherever the constants stand.
  pull(commonConstant(kind, es, false), BigInt(1));
  BigInt g(0);
  for (const Expr &e : es)
    g = gcd(g, content(e, true));
  if (g > 1)
    for (Expr &e : es)
      e = divideExactly(e, g);
  else
    g = BigInt(1);
  pull(commonConstant(kind, es, true), g);
  // max(-a, -b) is -min(a, b).
  bool negative = llvm::all_of(
      es, [](const Expr &e) { return e.isConst() || leansNegative(e); });
  if (negative) {
    for (Expr &e : es)
      e = -e;
    return addend - Expr(g) * minmax(dual(kind), es);
  }
  // Without the shared parts more may be seen to be dominated.
  size_t before = es.size();
  canonicalise();
  if (es.size() != before)
    return addend + Expr(g) * minmax(kind, es);
  return addend + Expr(g) * ExprNode::make(kind, std::move(es));
}

Expr ioflor::min(llvm::ArrayRef<Expr> es) { return minmax(ExprKind::Min, es); }
Expr ioflor::max(llvm::ArrayRef<Expr> es) { return minmax(ExprKind::Max, es); }
Expr ioflor::min(const Expr &a, const Expr &b) {
  return minmax(ExprKind::Min, {a, b});
}
Expr ioflor::max(const Expr &a, const Expr &b) {
  return minmax(ExprKind::Max, {a, b});
}

Expr ioflor::sum(llvm::StringRef var, const Expr &lo, const Expr &hi,
                 const Expr &body) {
  Expr trips = hi - lo;
  if (body.isZero())
    return Expr();
  if (trips.isConst()) {
    if (trips.node()->value <= 0)
      return Expr();
    if (trips.isOne())
      return body.substitute(var, lo);
    if (!body.dependsOn(var))
      return trips * body;
  }
  return ExprNode::make(ExprKind::Sum, {lo, hi, body}, var);
}
