//===- Simplify.cpp - Rewrites expressions with what is known -------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/expr/Bounds.h"
#include "dialect/expr/Node.h"
#include "dialect/expr/Prove.h"
#include "dialect/expr/Work.h"
#include "llvm/ADT/STLExtras.h"

using namespace ioflor;
using namespace ioflor::detail;

/// Expressions beyond this are returned as they are.
static constexpr size_t maxSize = 20000;

namespace {

class Simplifier {
public:
  explicit Simplifier(const Assumptions &known) : known(known), prover(known) {}

  Expr run(const Expr &e) {
    if (e.isConst() || e.kind() == ExprKind::Symbol)
      return fixed(e);
    auto it = memo.find(e.node());
    if (it != memo.end())
      return it->second;
    if (WorkScope::exhausted())
      return e;
    Expr out = e.kind() == ExprKind::Sum
                   ? simplifySum(e)
                   : rebuild(e, [&](const Expr &x) { return run(x); });
    out = here(out);
    keep.push_back(e);
    memo.emplace(e.node(), out);
    return out;
  }

private:
  const Assumptions &known;
  Prover prover;
  std::unordered_map<const ExprNode *, Expr> memo;
  std::vector<Expr> keep;

  /// A symbol whose range is one constant.
  Expr fixed(const Expr &e) {
    if (e.isConst())
      return e;
    const Assumptions::Range *r = known.range(e.name());
    if (r && r->lo && r->hi && r->lo->isConst() && *r->lo == *r->hi)
      return *r->lo;
    return e;
  }

  /// Rewrites the composite atoms of a sum whose parts are simplified.
  Expr here(Expr e) {
    e = useDivisibility(e, known);
    for (const Expr &a : compositeAtoms(e)) {
      Expr by = atom(a);
      if (by != a)
        e = replaceAtom(e, a, by);
    }
    return mergeMembers(e);
  }

  static Expr replaceAtom(const Expr &e, const Expr &atom, const Expr &by) {
    if (std::optional<std::pair<Expr, Expr>> l = linearIn(e, atom))
      return l->second + l->first * by;
    std::vector<Expr> out;
    for (const Expr &t : termsRef(e)) {
      Expr r(t.coefficient());
      for (const Factor &f : t.factors())
        for (unsigned i = 0; i < f.second; ++i)
          r *= f.first == atom ? by : f.first;
      llvm::ArrayRef<Expr> ts = termsRef(r);
      out.insert(out.end(), ts.begin(), ts.end());
    }
    return sumOfTerms(std::move(out));
  }

  Expr atom(const Expr &a) {
    llvm::ArrayRef<Expr> ops = a.operands();
    switch (a.kind()) {
    case ExprKind::FloorDiv:
      return division(a, ops[0], ops[1]);
    case ExprKind::CeilDiv:
      return division(a, ops[0] + ops[1] - 1, ops[1]);
    case ExprKind::Min:
    case ExprKind::Max:
      return minmax(a);
    default:
      return a;
    }
  }

  /// floor(x / D): x = g*y + s with D = g*D' and k*g <= s < (k+1)*g is
  /// floor((y + k) / D').
  Expr division(const Expr &given, const Expr &x, const Expr &D) {
    if (D.isConst() && D.node()->value < 1)
      return given;
    // D = E / X without remainder: E is X*D.
    if (D.kind() == ExprKind::FloorDiv &&
        known.isDivisible(D.operands()[0], D.operands()[1])) {
      Expr y, s;
      split(x, D.operands()[0], y, s);
      if (!y.isZero())
        return run(D.operands()[1] * y + floordiv(s, D));
    }
    std::vector<Expr> candidates = divisorParts(x, D);
    // Where G divides H, G*h / H is h / (H / G).
    for (const auto &[f, d] : known.divisibilities())
      if (f == D && d.kind() != ExprKind::Add && prover.prove(d - 1) &&
          !llvm::is_contained(candidates, d))
        candidates.push_back(d);
    for (const Expr &g : candidates) {
      Expr y, s;
      split(x, g, y, s);
      std::optional<Expr> k = quotientOf(s, g);
      if (!k)
        continue;
      Expr q = y + *k;
      Expr rest = floordiv(D, g);
      Expr out = rest.isOne() ? q : floordiv(q, rest);
      return out == given ? given : run(out);
    }
    return given;
  }

  /// Monomials g that divide D and some term of x; D itself first.
  static std::vector<Expr> divisorParts(const Expr &x, const Expr &D) {
    std::vector<Expr> out{D};
    if (D.kind() == ExprKind::Add) {
      // A sum that some symbol is multiplied by: r + (n + 1)*q over h*(n + 1).
      for (const std::string &symbol : x.freeSymbols())
        if (auto affine = x.asAffineIn(symbol))
          if (const Expr &g = affine->first;
              g.kind() == ExprKind::Add && g != D && floordiv(D, g) * g == D &&
              !llvm::is_contained(out, g) && out.size() < 8)
            out.push_back(g);
      return out;
    }
    for (const Expr &t : termsRef(x)) {
      if (t.isConst())
        continue;
      std::vector<Factor> common;
      MonoRef m(t);
      for (const Factor &f : D.factors())
        for (size_t i = 0; i < m.size(); ++i)
          if (m.atom(i) == f.first)
            common.push_back({f.first, std::min(f.second, m.power(i))});
      BigInt c = gcd(abs(D.coefficient()), abs(t.coefficient()));
      Expr g = ExprNode::monomial(c, std::move(common));
      if (!g.isOne() && !llvm::is_contained(out, g) && out.size() < 8)
        out.push_back(g);
    }
    return out;
  }

  /// x = g*y + s, s what g does not divide.
  static void split(const Expr &x, const Expr &g, Expr &y, Expr &s) {
    y = Expr();
    if (g.kind() == ExprKind::Add) {
      for (const std::string &symbol : x.freeSymbols())
        if (auto affine = x.asAffineIn(symbol))
          if (Expr q = floordiv(affine->first, g);
              !q.isZero() && q * g == affine->first)
            y += q * Expr::symbol(symbol);
      s = x - g * y;
      return;
    }
    std::vector<Expr> ys, rest;
    BigInt cg = g.coefficient();
    for (const Expr &t : termsRef(x)) {
      std::optional<Expr> m = monomialQuotient(t, g);
      BigInt ct = t.coefficient(), q = ct / cg;
      if (m && !t.isConst() && ct - q * cg == 0)
        ys.push_back(withCoefficient(*m, q));
      else if (t.isConst() && g.isConst()) {
        q = floorDiv(ct, cg);
        ys.push_back(Expr(q));
        rest.push_back(Expr(ct - q * cg));
      } else
        rest.push_back(t);
    }
    llvm::erase_if(ys, [](const Expr &e) { return e.isZero(); });
    llvm::erase_if(rest, [](const Expr &e) { return e.isZero(); });
    y = sumOfTerms(std::move(ys));
    s = sumOfTerms(std::move(rest));
  }

  /// floor(s / g) if it is one known constant.
  std::optional<Expr> quotientOf(const Expr &s, const Expr &g) {
    if (s.isZero())
      return Expr(0);
    std::vector<BigInt> tries{BigInt(0)};
    if (g.isConst()) {
      Intervals i(known);
      Interval r = i.of(s);
      if (r.lo)
        tries.insert(tries.begin(), floorDiv(*r.lo, g.node()->value));
    } else {
      tries.push_back(BigInt(-1));
    }
    for (const BigInt &k : tries)
      if (prover.prove(s - Expr(k) * g) &&
          prover.prove(Expr(k + 1) * g - s - 1))
        return Expr(k);
    return std::nullopt;
  }

  Expr minmax(const Expr &a) {
    bool isMin = a.kind() == ExprKind::Min;
    std::vector<Expr> es(a.operands().begin(), a.operands().end());
    if (es.size() > 16)
      return a;
    for (size_t i = 0; i < es.size(); ++i)
      for (size_t j = 0; j < es.size(); ++j) {
        if (i == j || !prover.prove(isMin ? es[j] - es[i] : es[i] - es[j]))
          continue;
        es.erase(es.begin() + j);
        if (j < i)
          --i;
        --j;
      }
    if (es.size() == a.operands().size())
      return a;
    return isMin ? min(es) : max(es);
  }

  /// 64*b + min(64, N - 64*b) is min(64*b + 64, N).
  static Expr mergeMembers(Expr e) {
    if (e.kind() != ExprKind::Add)
      return e;
    for (const Expr &a : compositeAtoms(e)) {
      if ((a.kind() != ExprKind::Min && a.kind() != ExprKind::Max) ||
          a.operands().size() > 8)
        continue;
      std::optional<std::pair<Expr, Expr>> l = linearIn(e, a);
      if (!l || !l->first.isConst())
        continue;
      std::vector<Expr> members;
      for (const Expr &o : a.operands())
        members.push_back(l->second + l->first * o);
      bool positive = l->first.node()->value > 0;
      Expr out =
          positive == (a.kind() == ExprKind::Min) ? min(members) : max(members);
      if (out.size() < e.size())
        e = out;
    }
    return e;
  }

  Expr simplifySum(const Expr &e) {
    llvm::ArrayRef<Expr> ops = e.operands();
    Expr lo = run(ops[0]), hi = run(ops[1]);
    if (prover.prove(lo - hi))
      return Expr();
    // The variable may share its name with a known symbol.
    std::string var = freshName(e.name(), known);
    Assumptions inner = known;
    inner.declare(var, lo, hi - 1);
    Expr body =
        Simplifier(inner).run(ops[2].substitute(e.name(), Expr::symbol(var)));
    if (prover.prove(hi - lo)) {
      if (!body.dependsOn(var))
        return (hi - lo) * body;
      if (prover.prove(lo + 1 - hi) && prover.prove(hi - lo - 1))
        return body.substitute(var, lo);
    }
    return sum(e.name(), lo, hi, body.substitute(var, Expr::symbol(e.name())));
  }
};

} // namespace

Expr ioflor::simplify(const Expr &e, const Assumptions &known) {
  if (e.isConst() || e.size() > maxSize)
    return e;
  return Simplifier(known).run(e);
}
