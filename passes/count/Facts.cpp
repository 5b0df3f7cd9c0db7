//===- Facts.cpp - What is known while counting ---------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/count/Facts.h"
#include "mlir/Analysis/Presburger/Simplex.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"
#include <unordered_map>

namespace ioflor::count {

using mlir::presburger::Fraction;
using mlir::presburger::MaybeOptimum;
using mlir::presburger::OptimumKind;
using mlir::presburger::Simplex;

/// The linear programme: one variable a monomial.
struct Facts::Lp {
  std::vector<Expr> monomials;
  llvm::DenseMap<const detail::ExprNode *, unsigned> index; ///< of `monomials`
  /// Hashes of `monomials` that of a product is the sum of its factors'.
  llvm::DenseSet<uint64_t> products;
  std::unique_ptr<Simplex> simplex;
  bool empty = false;
  /// Points that satisfy the rows: a numerator for each monomial and a common
  /// denominator. Where e is at most -1 at one of them, e >= 0 has no proof.
  std::vector<llvm::SmallVector<int64_t, 16>> points;

  static uint64_t productHash(const Expr &monomial) {
    uint64_t h = 0;
    for (const auto &[atom, power] : monomial.factors())
      h += power * (static_cast<uint64_t>(size_t(atom.hash())) | 1);
    // Kept off the two keys that DenseSet reserves.
    return h & (~0ULL >> 1);
  }
  bool has(const Expr &monomial) const { return index.count(monomial.node()); }
  void enter(const Expr &term) {
    Expr m = monomialOf(term);
    if (!index.try_emplace(m.node(), monomials.size()).second)
      return;
    products.insert(productHash(m));
    monomials.push_back(m);
  }
  bool covers(const Expr &e) const {
    for (const Expr &t : e.terms())
      if (!t.isConst() && !has(monomialOf(t)))
        return false;
    return true;
  }
  llvm::SmallVector<BigInt, 8> coefficients(const Expr &e) const {
    llvm::SmallVector<BigInt, 8> c(monomials.size() + 1, BigInt(0));
    for (const Expr &t : e.terms()) {
      if (t.isConst())
        c.back() = t.coefficient();
      else
        c[index.lookup(monomialOf(t).node())] = t.coefficient();
    }
    return c;
  }

  /// Keeps where the simplex stands now.
  void keepPoint();
  bool refutedByPoint(llvm::ArrayRef<BigInt> coefficients) const;
};

void Facts::Lp::keepPoint() {
  constexpr size_t maxPoints = 12;
  if (points.size() >= maxPoints)
    return;
  auto sample = simplex->getRationalSample();
  if (!sample)
    return;
  BigInt common(1);
  for (const Fraction &f : *sample)
    common = llvm::lcm(common, f.den);
  llvm::SmallVector<int64_t, 16> point;
  auto add = [&](const BigInt &v) {
    std::optional<int64_t> small = Expr(v).constant64();
    if (small)
      point.push_back(*small);
    return small.has_value();
  };
  for (const Fraction &f : *sample)
    if (!add(f.num * (common / f.den)))
      return;
  if (add(common) && !llvm::is_contained(points, point))
    points.push_back(std::move(point));
}

bool Facts::Lp::refutedByPoint(llvm::ArrayRef<BigInt> coefficients) const {
  if (points.empty())
    return false;
  llvm::SmallVector<std::pair<unsigned, int64_t>, 16> terms;
  for (auto [i, c] : llvm::enumerate(coefficients)) {
    if (c == BigInt(0))
      continue;
    std::optional<int64_t> small = Expr(c).constant64();
    if (!small)
      return false;
    terms.push_back({unsigned(i), *small});
  }
  return llvm::any_of(points, [&](const auto &point) {
    int64_t value = 0;
    for (auto [i, c] : terms)
      if (int64_t product; llvm::MulOverflow(c, point[i], product) ||
                           llvm::AddOverflow(value, product, value))
        return false;
    return value <= -point.back();
  });
}

struct Facts::Cache {
  std::shared_ptr<Lp> lp;
  struct Hash {
    size_t operator()(const Expr &e) const { return size_t(e.hash()); }
  };
  std::unordered_map<Expr, bool, Hash> answers;
  /// The facts under each case of a min or max.
  std::unordered_map<Expr, std::vector<Facts>, Hash> branches;
};

/// Integer tightening: divide by the content, round the constant down.
static Expr tighten(const Expr &e) {
  BigInt g = contentOf(e);
  if (g <= BigInt(1))
    return e;
  BigInt c = e.constantTerm();
  Expr body = divideExact(e - Expr(c), g);
  return body + Expr(BigInt(llvm::floorDiv(c, g)));
}

/// The facts that hold of an atom by its definition.
static void defineAtom(const Expr &a, std::vector<Expr> &out) {
  switch (a.kind()) {
  case ExprKind::FloorDiv: {
    const Expr &n = a.operands()[0], &d = a.operands()[1];
    out.push_back(n - d * a);
    out.push_back(d * a + d - 1 - n);
    break;
  }
  case ExprKind::CeilDiv: {
    const Expr &n = a.operands()[0], &d = a.operands()[1];
    out.push_back(d * a - n);
    out.push_back(n + d - 1 - d * a);
    break;
  }
  case ExprKind::Min:
    for (const Expr &o : a.operands())
      out.push_back(o - a);
    break;
  case ExprKind::Max:
    for (const Expr &o : a.operands())
      out.push_back(a - o);
    break;
  default:
    break;
  }
}

Facts::Facts(Budget &budget)
    : limit(&budget), cache(std::make_shared<Cache>()) {}

Facts::Facts(const Assumptions &known, Budget &budget) : Facts(budget) {
  for (const std::string &s : known.symbols()) {
    const Assumptions::Range *r = known.range(s);
    if (!r)
      continue;
    if (r->lo)
      add(Expr::symbol(s) - *r->lo);
    if (r->hi)
      add(*r->hi - Expr::symbol(s));
  }
  for (const Expr &e : known.facts())
    add(e);
  for (const auto &[e, d] : known.divisibilities()) {
    Expr q = floordiv(e, d);
    add(e - d * q);
    add(d * q - e);
    Expr c = ceildiv(e, d);
    add(d * c - e);
    add(e - d * c);
  }
}

void Facts::add(const Expr &e) {
  if (e.isConst() && e.constantTerm() >= BigInt(0))
    return;
  for (const Expr &t : e.terms()) {
    std::vector<std::pair<Expr, unsigned>> f = t.factors();
    if (f.size() != 1 || f[0].second != 1)
      continue;
    const Expr &a = f[0].first;
    bool positive = t.coefficient() > BigInt(0);
    if ((a.kind() == ExprKind::Min && positive) ||
        (a.kind() == ExprKind::Max && !positive)) {
      for (const Expr &o : a.operands())
        add(e - t + Expr(t.coefficient()) * o);
      return;
    }
  }
  Expr n = tighten(e);
  if (llvm::is_contained(facts, n))
    return;
  facts.push_back(n);
  if (cache.use_count() == 1 && !cache->lp && cache->answers.empty())
    return;
  cache = std::make_shared<Cache>();
}

Facts Facts::with(llvm::ArrayRef<Expr> nonNegative) const {
  Facts f(*this);
  for (const Expr &e : nonNegative)
    f.add(e);
  return f;
}

/// A product of atoms with known lower bounds >= 0 is at least the product of
/// the bounds, and at least each divisor of it that is a monomial here times
/// the bounds of the rest.
static void addMonomialSigns(const Facts::Lp &lp, std::vector<Expr> &rows) {
  std::map<Expr, BigInt> least;
  for (const Expr &r : rows) {
    std::vector<Expr> ts = r.terms();
    std::optional<Expr> atom;
    bool usable = true;
    for (const Expr &t : ts) {
      if (t.isConst())
        continue;
      auto f = t.factors();
      usable &= !atom && f.size() == 1 && f[0].second == 1 &&
                t.coefficient() > BigInt(0);
      if (usable)
        atom = f[0].first;
    }
    if (!usable || !atom)
      continue;
    BigInt c = (r - Expr(r.constantTerm())).coefficient();
    BigInt bound = llvm::ceilDiv(-r.constantTerm(), c);
    if (bound >= BigInt(0)) {
      auto it = least.emplace(*atom, bound).first;
      if (it->second < bound)
        it->second = bound;
    }
  }
  // Quotients of what has such a bound.
  for (const Expr &m : lp.monomials)
    for (const auto &[a, p] : m.factors()) {
      (void)p;
      bool ceil = a.kind() == ExprKind::CeilDiv;
      if ((!ceil && a.kind() != ExprKind::FloorDiv) || least.count(a))
        continue;
      const Expr &n = a.operands()[0];
      auto it = least.find(n);
      if (n.kind() == ExprKind::Symbol && it != least.end())
        least.emplace(a, BigInt(ceil && it->second > BigInt(0) ? 1 : 0));
    }
  auto boundOf = [&](const Expr &m) -> std::optional<BigInt> {
    BigInt b(1);
    for (const auto &[a, p] : m.factors()) {
      auto it = least.find(a);
      if (it == least.end())
        return std::nullopt;
      for (unsigned i = 0; i < p; ++i)
        b = b * it->second;
    }
    return b;
  };
  for (const Expr &m : lp.monomials) {
    auto f = m.factors();
    if (f.size() < 2 && (f.empty() || f[0].second < 2))
      continue;
    std::optional<BigInt> b = boundOf(m);
    if (!b)
      continue;
    rows.push_back(m - Expr(*b));
    for (const Expr &part : lp.monomials) {
      if (part == m)
        continue;
      std::optional<Expr> rest = tryDivide(m, part);
      std::optional<BigInt> r = rest ? boundOf(*rest) : std::nullopt;
      if (r)
        rows.push_back(m - Expr(*r) * part);
    }
  }
}

bool Facts::lpNonNegative(const Expr &e) const {
  constexpr size_t maxMonomials = 60, maxRows = 220;
  std::shared_ptr<Lp> &lp = cache->lp;
  if (!lp || !lp->covers(e)) {
    auto fresh = std::make_shared<Lp>();
    std::vector<Expr> rows = facts;
    llvm::DenseSet<const detail::ExprNode *> definedAtoms; // of `rows` and e
    auto addMonomials = [&](const Expr &x) {
      for (const Expr &t : x.terms()) {
        if (!t.isConst())
          fresh->enter(t);
      }
    };
    auto define = [&](const Expr &x) {
      for (const Expr &t : x.terms())
        for (const auto &[a, p] : t.factors()) {
          (void)p;
          if (definedAtoms.insert(a.node()).second)
            defineAtom(a, rows);
        }
    };
    addMonomials(e);
    define(e);
    if (lp)
      for (const Expr &m : lp->monomials)
        if (fresh->monomials.size() < maxMonomials)
          addMonomials(m), define(m);
    for (size_t i = 0; i < rows.size() && rows.size() < maxRows; ++i) {
      Expr row = tighten(rows[i]);
      rows[i] = row;
      define(row);
      addMonomials(row);
    }
    // Products of a fact and a lower bound of one atom, where they speak only
    // of monomials that occur anyway.
    bool nonlinear = llvm::any_of(fresh->monomials, [](const Expr &m) {
      auto f = m.factors();
      return f.size() > 1 || (f.size() == 1 && f[0].second > 1);
    });
    if (nonlinear) {
      std::vector<Expr> bounds;
      for (const Expr &r : rows) {
        std::vector<Expr> ts = r.terms();
        unsigned vars = 0;
        bool linear = true;
        for (const Expr &t : ts)
          if (!t.isConst()) {
            ++vars;
            linear &= t.factors().size() == 1 && t.factors()[0].second == 1;
          }
        if (linear && (vars == 1 || (vars == 2 && ts.size() <= 3)))
          bounds.push_back(r);
      }
      addMonomialSigns(*fresh, rows);
      // The first variable term decides most pairs without multiplying out.
      auto lead = [](const Expr &x) -> uint64_t {
        for (const Expr &t : x.terms())
          if (!t.isConst())
            return Lp::productHash(t);
        return 0;
      };
      std::vector<uint64_t> leads;
      for (const Expr &b : bounds)
        leads.push_back(lead(b));
      size_t n = rows.size();
      if (!limit->spend(n * bounds.size() / 16))
        return false;
      for (size_t i = 0; i < n && rows.size() < maxRows; ++i)
        if (rows[i].terms().size() <= 4)
          for (size_t k = 0; k < bounds.size(); ++k) {
            if (!fresh->products.count((lead(rows[i]) + leads[k]) &
                                       (~0ULL >> 1)))
              continue;
            Expr p = rows[i] * bounds[k];
            bool known = true;
            for (const Expr &t : p.terms())
              known &= t.isConst() || fresh->has(monomialOf(t));
            if (known && !llvm::is_contained(rows, p))
              rows.push_back(p);
          }
    }
    if (fresh->monomials.size() > 2 * maxMonomials)
      return false;
    fresh->simplex = std::make_unique<Simplex>(fresh->monomials.size());
    for (const Expr &r : rows)
      if (fresh->covers(r))
        fresh->simplex->addInequality(fresh->coefficients(r));
    fresh->empty = fresh->simplex->isEmpty();
    lp = fresh;
    limit->spend(rows.size() * fresh->monomials.size() / 24);
    WorkScope::spend(rows.size() * fresh->monomials.size() / 8);
  }
  if (lp->empty)
    return true;
  limit->spend(lp->monomials.size() / 4);
  llvm::SmallVector<BigInt, 8> c = lp->coefficients(e);
  if (lp->refutedByPoint(c))
    return false;
  MaybeOptimum<Fraction> best =
      lp->simplex->computeOptimum(Simplex::Direction::Down, c);
  lp->keepPoint();
  WorkScope::spend(lp->simplex->getNumConstraints() * lp->monomials.size() /
                   16);
  if (best.getKind() == OptimumKind::Empty)
    return true;
  if (best.getKind() == OptimumKind::Unbounded)
    return false;
  // Values are integers: above -1 is at least 0.
  const Fraction &f = *best;
  return f.num > -f.den;
}

bool Facts::prove(const Expr &e, unsigned depth) const {
  if (std::optional<BigInt> c = e.constant())
    if (*c >= BigInt(0))
      return true;
  if (!limit->spend())
    return false;
  if (lpNonNegative(tighten(e)))
    return true;
  if (depth == 0)
    return false;
  // Split on one min or max whose operands hold none.
  std::optional<Expr> pick;
  auto visit = [&](const Expr &x) {
    visitAtoms(x, [&](const Expr &a) {
      if (pick)
        return false;
      if (a.kind() == ExprKind::Sum)
        return false;
      if (a.kind() != ExprKind::Min && a.kind() != ExprKind::Max)
        return true;
      bool inner = false;
      for (const Expr &o : a.operands())
        visitAtoms(o, [&](const Expr &b) {
          inner |= b.kind() == ExprKind::Min || b.kind() == ExprKind::Max;
          return !inner && b.kind() != ExprKind::Sum;
        });
      if (!inner)
        pick = a;
      return inner;
    });
  };
  visit(e);
  if (!pick)
    for (const Expr &f : facts)
      visit(f);
  if (!pick)
    return false;
  llvm::ArrayRef<Expr> ops = pick->operands();
  // The cache may be left behind while the branches are used.
  std::shared_ptr<Cache> held = cache;
  const std::vector<Facts> &branches = branchesOf(*pick);
  for (size_t i = 0; i < ops.size(); ++i)
    if (!branches[i].prove(replaceAtom(e, *pick, ops[i]), depth - 1))
      return false;
  return true;
}

/// For each operand of this min or max: the facts where it is the one.
const std::vector<Facts> &Facts::branchesOf(const Expr &atom) const {
  auto [it, isNew] = cache->branches.try_emplace(atom);
  if (!isNew)
    return it->second;
  llvm::ArrayRef<Expr> ops = atom.operands();
  for (size_t i = 0; i < ops.size(); ++i) {
    Facts branch(*limit);
    for (const Expr &f : facts)
      branch.add(replaceAtom(f, atom, ops[i]));
    for (size_t j = 0; j < ops.size(); ++j)
      if (j != i)
        branch.add(atom.kind() == ExprKind::Min ? ops[j] - ops[i]
                                                : ops[i] - ops[j]);
    it->second.push_back(std::move(branch));
  }
  return it->second;
}

bool Facts::nonNegative(const Expr &e) const {
  if (std::optional<BigInt> c = e.constant())
    if (*c >= BigInt(0))
      return true;
  std::shared_ptr<Cache> held = cache;
  auto it = held->answers.find(e);
  if (it != held->answers.end())
    return it->second;
  bool r = prove(e, 4);
  // What only the budget left open may be decided elsewhere.
  if (r || !limit->exhausted())
    held->answers.emplace(e, r);
  return r;
}

bool Facts::contradictory() const { return nonNegative(Expr(-1)); }

std::optional<int> Facts::sign(const Expr &e) const {
  if (std::optional<BigInt> c = e.constant())
    return *c > BigInt(0) ? 1 : *c < BigInt(0) ? -1 : 0;
  if (positive(e))
    return 1;
  if (positive(-e))
    return -1;
  return std::nullopt;
}

Expr Facts::minOf(llvm::ArrayRef<Expr> es) const {
  std::vector<Expr> kept;
  for (size_t i = 0; i < es.size(); ++i) {
    bool dominated = false;
    for (size_t j = 0; j < es.size() && !dominated; ++j)
      if (j != i && lessEqual(es[j], es[i]))
        dominated = !(j > i && lessEqual(es[i], es[j]));
    if (!dominated)
      kept.push_back(es[i]);
  }
  return min(kept);
}

Expr Facts::maxOf(llvm::ArrayRef<Expr> es) const {
  std::vector<Expr> negated;
  for (const Expr &e : es)
    negated.push_back(-e);
  std::vector<Expr> kept;
  for (size_t i = 0; i < es.size(); ++i) {
    bool dominated = false;
    for (size_t j = 0; j < es.size() && !dominated; ++j)
      if (j != i && lessEqual(es[i], es[j]))
        dominated = !(j > i && lessEqual(es[j], es[i]));
    if (!dominated)
      kept.push_back(es[i]);
  }
  return max(kept);
}

Expr Facts::simplify(const Expr &e) const {
  return rewriteAtomsBottomUp(e, [&](const Expr &a) -> std::optional<Expr> {
    switch (a.kind()) {
    case ExprKind::Min:
      return minOf(a.operands());
    case ExprKind::Max:
      return maxOf(a.operands());
    case ExprKind::FloorDiv:
    case ExprKind::CeilDiv: {
      const Expr &n = a.operands()[0], &d = a.operands()[1];
      for (int q : {0, -1, 1}) {
        // floor: q*d <= n < (q+1)*d; ceil: (q-1)*d < n <= q*d.
        bool hit = a.kind() == ExprKind::FloorDiv
                       ? nonNegative(n - Expr(q) * d) &&
                             nonNegative(Expr(q + 1) * d - 1 - n)
                       : nonNegative(Expr(q) * d - n) &&
                             nonNegative(n - Expr(q - 1) * d - 1);
        if (hit)
          return Expr(q);
      }
      return std::nullopt;
    }
    default:
      return std::nullopt;
    }
  });
}

} // namespace ioflor::count
