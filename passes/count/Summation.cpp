//===- Summation.cpp - Closed forms of sums -------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/count/Summation.h"

namespace ioflor::count {

Frac powerSum(unsigned k, const Expr &n) {
  // (k+1) S_k(n) = n^(k+1) - sum_{j<k} C(k+1, j) S_j(n).
  Expr power(1);
  for (unsigned i = 0; i <= k; ++i)
    power *= n;
  Frac r(power);
  BigInt binomial(1);
  for (unsigned j = 0; j < k; ++j) {
    r = r - powerSum(j, n) * Expr(binomial);
    binomial = binomial * BigInt(static_cast<int64_t>(k + 1 - j)) /
               BigInt(static_cast<int64_t>(j + 1));
  }
  return Frac(r.num, r.den * BigInt(static_cast<int64_t>(k + 1)));
}

static bool isMinMax(const Expr &e) {
  return e.kind() == ExprKind::Min || e.kind() == ExprKind::Max;
}
static bool isDivision(const Expr &e) {
  return e.kind() == ExprKind::FloorDiv || e.kind() == ExprKind::CeilDiv;
}

namespace {

/// One summation. The range is [lo, hi] with hi >= lo known (clamped before).
class Summer {
public:
  Summer(llvm::StringRef var, const Facts &outer) : var(var), outer(outer) {}

  Frac run(const Expr &lo, const Expr &hi, const Frac &body,
           std::vector<Expr> inner, unsigned depth) {
    if (lo == hi)
      return Frac();
    Expr v = Expr::symbol(var);
    if (!body.num.dependsOn(var))
      return body * (hi - lo);
    // One element.
    if ((hi - lo).isOne())
      return Frac(outer.simplify(body.num.substitute(var, lo)), body.den);
    inner.push_back(v - lo);
    inner.push_back(hi - 1 - v);
    Facts at = outer.with(inner);
    if (at.contradictory())
      return Frac();
    Expr num = normalise(at.simplify(body.num));

    Frac total;
    Expr rest;
    for (const Expr &t : num.terms()) {
      if (auto poly = t.asPolynomialIn(var)) {
        for (size_t k = 0; k < poly->size(); ++k)
          if (!(*poly)[k].isZero()) {
            Frac s = powerSum(k, hi) - powerSum(k, lo);
            s = s * (*poly)[k];
            total = total + Frac(s.num, s.den * body.den);
          }
      } else {
        rest += t;
      }
    }
    if (rest.isZero())
      return total;
    total = total + telescoped(lo, hi, rest, body.den, at);
    if (rest.isZero())
      return total;
    return total + piecewise(lo, hi, Frac(rest, body.den), inner, at, depth);
  }

private:
  /// min(a*v + r, a*v + s) = a*v + min(r, s), so that operands of one atom
  /// differ in slope.
  Expr normalise(const Expr &e) {
    return rewriteAtomsBottomUp(e, [&](const Expr &a) -> std::optional<Expr> {
      if (!isMinMax(a) || !a.dependsOn(var))
        return std::nullopt;
      std::map<Expr, std::vector<Expr>> bySlope;
      for (const Expr &o : a.operands()) {
        auto affine = o.asAffineIn(var);
        if (!affine)
          return std::nullopt;
        bySlope[affine->first].push_back(affine->second);
      }
      if (bySlope.size() == a.operands().size())
        return std::nullopt;
      std::vector<Expr> args;
      Expr v = Expr::symbol(var);
      for (auto &[slope, rests] : bySlope)
        args.push_back(slope * v +
                       (a.kind() == ExprKind::Min ? min(rests) : max(rests)));
      return a.kind() == ExprKind::Min ? min(args) : max(args);
    });
  }

  /// Terms c*min(T, L - T*v) and c*max(0, min(T, L - T*v)): tiles of T of a
  /// range of L. Taken out of `rest`.
  Frac telescoped(const Expr &lo, const Expr &hi, Expr &rest, const BigInt &den,
                  const Facts &at) {
    Frac total;
    Expr kept;
    for (const Expr &t : rest.terms()) {
      std::optional<Expr> atom;
      bool single = true;
      for (const auto &[a, p] : t.factors())
        if (a.dependsOn(var)) {
          single &= !atom && p == 1;
          atom = a;
        }
      std::optional<Expr> value;
      if (single && atom)
        value = telescope(lo, hi, *atom, at);
      if (!value) {
        kept += t;
        continue;
      }
      total = total + Frac(replaceAtom(t, *atom, Expr(1)) * *value, den);
    }
    rest = kept;
    return total;
  }

  std::optional<Expr> telescope(const Expr &lo, const Expr &hi,
                                const Expr &atom, const Facts &at) {
    const Expr *minimum = &atom;
    bool clamped = false;
    if (atom.kind() == ExprKind::Max) {
      llvm::ArrayRef<Expr> ops = atom.operands();
      if (ops.size() != 2)
        return std::nullopt;
      if (ops[0].isZero())
        minimum = &ops[1];
      else if (ops[1].isZero())
        minimum = &ops[0];
      else
        return std::nullopt;
      clamped = true;
    }
    if (minimum->kind() != ExprKind::Min || minimum->operands().size() != 2)
      return std::nullopt;
    for (unsigned i = 0; i < 2; ++i) {
      const Expr &tile = minimum->operands()[i];
      const Expr &left = minimum->operands()[1 - i];
      if (tile.dependsOn(var) || !outer.positive(tile))
        continue;
      auto affine = left.asAffineIn(var);
      if (!affine || affine->first != -tile)
        continue;
      const Expr &total = affine->second;
      if (!clamped && !at.nonNegative(left))
        continue;
      // Tiles v of [tile*v, tile*(v+1)) cut at total; an empty range gives 0.
      return outer.minOf({outer.maxOf({total, tile * lo}), tile * hi}) -
             tile * lo;
    }
    return std::nullopt;
  }

  Frac open(const Expr &lo, const Expr &hi, const Frac &body) {
    // The division by den stays outside: the whole sum is what is divisible.
    return Frac(sum(var, lo, hi, body.num), body.den);
  }

  Frac piecewise(const Expr &lo, const Expr &hi, const Frac &body,
                 const std::vector<Expr> &inner, const Facts &at,
                 unsigned depth) {
    if (depth == 0 || !outer.budget().spend() || outer.budget().pieces == 0)
      return open(lo, hi, body);
    // An innermost min or max.
    std::optional<Expr> pick;
    bool sumInside = false;
    visitAtoms(body.num, [&](const Expr &a) {
      if (a.kind() == ExprKind::Sum) {
        sumInside |= a.dependsOn(var);
        return false;
      }
      if (!a.dependsOn(var))
        return false;
      if (isMinMax(a)) {
        bool nested = false;
        for (const Expr &o : a.operands())
          visitAtoms(o, [&](const Expr &b) {
            nested |= isMinMax(b) && b.dependsOn(var);
            return !nested;
          });
        if (!nested && !pick)
          pick = a;
      }
      return true;
    });
    if (pick)
      if (std::optional<Frac> r = split(lo, hi, body, *pick, inner, depth))
        return *r;
    if (sumInside)
      return open(lo, hi, body);
    if (!pick)
      if (std::optional<Frac> r = quotients(lo, hi, body))
        return *r;
    if (std::optional<Frac> r = periods(lo, hi, body, inner, depth))
      return *r;
    return open(lo, hi, body);
  }

  /// Every division of the variable is by a constant: over one period of all of
  /// them each is affine, so each residue is a sum of its own.
  std::optional<Frac> periods(const Expr &lo, const Expr &hi, const Frac &body,
                              const std::vector<Expr> &inner, unsigned depth) {
    constexpr int64_t longest = 8;
    BigInt period(1);
    bool ok = true;
    visitAtoms(body.num, [&](const Expr &a) {
      if (!a.dependsOn(var) || a.kind() == ExprKind::Sum)
        return false;
      if (!isDivision(a))
        return true;
      auto affine = a.operands()[0].asAffineIn(var);
      std::optional<BigInt> d = a.operands()[1].constant(), c;
      if (affine)
        c = affine->first.constant();
      if (!c || !d || *d < BigInt(1)) {
        ok = false;
        return false;
      }
      period = llvm::lcm(period, *d / llvm::gcd(llvm::abs(*c), *d));
      return false;
    });
    if (!ok || period <= BigInt(1) || period > BigInt(longest))
      return std::nullopt;
    std::string q = "__p" + std::to_string(outer.budget().names++);
    Expr p(period);
    Summer residue(q, outer);
    Frac total;
    for (int64_t s = 0; Expr(s) != p; ++s) {
      Expr by = p * Expr::symbol(q) + Expr(s);
      std::vector<Expr> facts;
      for (const Expr &e : inner)
        facts.push_back(e.substitute(var, by));
      Expr from = outer.simplify(ceildiv(lo - Expr(s), p));
      Expr to = outer.simplify(ceildiv(hi - Expr(s), p));
      total = total + residue.run(from, to,
                                  Frac(body.num.substitute(var, by), body.den),
                                  facts, depth - 1);
    }
    return total;
  }

  std::optional<Frac> split(const Expr &lo, const Expr &hi, const Frac &body,
                            const Expr &atom, const std::vector<Expr> &inner,
                            unsigned depth) {
    llvm::ArrayRef<Expr> ops = atom.operands();
    Expr v = Expr::symbol(var);
    for (size_t i = 0; i < ops.size(); ++i)
      for (size_t j = i + 1; j < ops.size(); ++j) {
        auto affine = (ops[i] - ops[j]).asAffineIn(var);
        if (!affine)
          continue;
        std::optional<int> s = outer.sign(affine->first);
        if (!s || *s == 0)
          continue;
        // rising - falling = slope*v + offset with slope > 0.
        size_t rising = *s > 0 ? i : j, falling = *s > 0 ? j : i;
        Expr slope = *s > 0 ? affine->first : -affine->first;
        Expr offset = *s > 0 ? affine->second : -affine->second;
        Expr at = outer.simplify(ceildiv(-offset, slope));
        Expr mid = outer.maxOf({lo, outer.minOf({at, hi})});
        bool isMin = atom.kind() == ExprKind::Min;
        // Below `at` the rising operand is the smaller one.
        auto without = [&](size_t drop) {
          std::vector<Expr> rest;
          for (size_t k = 0; k < ops.size(); ++k)
            if (k != drop)
              rest.push_back(ops[k]);
          Expr by = isMin ? min(rest) : max(rest);
          return Frac(replaceAtom(body.num, atom, by), body.den);
        };
        std::vector<Expr> below = inner, above = inner;
        below.push_back(at - 1 - v);
        above.push_back(v - at);
        if (outer.budget().pieces)
          --outer.budget().pieces;
        return run(lo, mid, without(isMin ? falling : rising), below,
                   depth - 1) +
               run(mid, hi, without(isMin ? rising : falling), above,
                   depth - 1);
      }
    return std::nullopt;
  }

  /// Bodies that are polynomials in v and one floor division of v.
  std::optional<Frac> quotients(const Expr &lo, const Expr &hi,
                                const Frac &body) {
    // Every division becomes floor((v + shift) / D).
    std::optional<Expr> shift, divisor;
    bool ok = true;
    std::vector<std::pair<Expr, int>> atoms; // atom, sign
    visitAtoms(body.num, [&](const Expr &a) {
      if (!a.dependsOn(var) || a.kind() == ExprKind::Symbol)
        return false;
      if (!isDivision(a)) {
        ok = false;
        return false;
      }
      const Expr &n = a.operands()[0], &d = a.operands()[1];
      auto affine = n.asAffineIn(var);
      std::optional<BigInt> c;
      if (affine)
        c = affine->first.constant();
      if (!c || *c == BigInt(0) || d.dependsOn(var)) {
        ok = false;
        return false;
      }
      int sign = *c > BigInt(0) ? 1 : -1;
      // floor((r - v)/D) = -ceil((v - r)/D); ceil(x/D) = floor((x+D-1)/D).
      Expr s = sign > 0 ? affine->second : -affine->second;
      Expr by = d;
      bool ceil = (a.kind() == ExprKind::CeilDiv) == (sign > 0);
      if (ceil)
        s += d - 1;
      // floor((c*v + s)/D) = floor((v + floor(s/c)) / (D/c)) where c divides D.
      BigInt size = llvm::abs(*c);
      if (size != BigInt(1)) {
        std::optional<Expr> rest = tryDivide(d, Expr(size));
        if (!rest) {
          ok = false;
          return false;
        }
        s = floordiv(s, Expr(size));
        by = *rest;
      }
      if (!shift) {
        shift = s;
        divisor = by;
      } else if (*shift != s || *divisor != by) {
        ok = false;
      }
      atoms.push_back({a, sign});
      return false;
    });
    if (!ok || !shift)
      return std::nullopt;
    Expr q = Expr::symbol("__q"), r = Expr::symbol("__r"), D = *divisor;
    Expr num =
        rewriteAtoms(body.num, [&](const Expr &a) -> std::optional<Expr> {
          for (const auto &[atom, sign] : atoms)
            if (a == atom)
              return sign > 0 ? q : -q;
          return std::nullopt;
        });
    num = num.substitute(var, D * q + r - *shift);
    auto inner = num.asPolynomialIn("__r");
    if (!inner)
      return std::nullopt;
    // G(n) = sum over u < n, u = D*q + r.
    auto partial = [&](const Expr &n) -> std::optional<Frac> {
      Expr Q = floordiv(n, D), R = n - D * Q;
      Frac row, tail;
      for (size_t k = 0; k < inner->size(); ++k) {
        row = row + powerSum(k, D) * (*inner)[k];
        tail = tail + powerSum(k, R) * (*inner)[k].substitute("__q", Q);
      }
      auto rows = row.num.asPolynomialIn("__q");
      if (!rows)
        return std::nullopt;
      Frac g = tail;
      for (size_t k = 0; k < rows->size(); ++k) {
        Frac p = powerSum(k, Q) * (*rows)[k];
        g = g + Frac(p.num, p.den * row.den);
      }
      return Frac(g.num, g.den * body.den);
    };
    auto high = partial(outer.simplify(hi + *shift));
    auto low = partial(outer.simplify(lo + *shift));
    if (!high || !low)
      return std::nullopt;
    Frac result = *high - *low;
    return Frac(outer.simplify(result.num), result.den);
  }

  std::string var;
  const Facts &outer;
};

} // namespace

Frac sumOver(llvm::StringRef var, const Expr &lo, const Expr &hi,
             const Frac &body, const Facts &outer, llvm::ArrayRef<Expr> inner) {
  Expr low = outer.simplify(lo), high = outer.simplify(hi);
  if (outer.lessEqual(high, low) || body.num.isZero())
    return Frac();
  if (!outer.lessEqual(low, high))
    high = outer.maxOf({low, high});
  Summer s(var, outer);
  Frac r = s.run(low, high, body, inner.vec(), 8);
  return Frac(outer.simplify(r.num), r.den);
}

Frac openSum(llvm::StringRef var, const Expr &lo, const Expr &hi,
             const Frac &body, const Facts &outer, llvm::ArrayRef<Expr> inner) {
  Expr low = outer.simplify(lo), high = outer.simplify(hi);
  if (outer.lessEqual(high, low) || body.num.isZero())
    return Frac();
  Expr v = Expr::symbol(var);
  std::vector<Expr> at = inner.vec();
  at.push_back(v - low);
  at.push_back(high - 1 - v);
  Expr num = outer.with(at).simplify(body.num);
  // What does not change from term to term stands before the sum.
  return Frac(sum(var, low, high, num), body.den);
}

bool isLongWinded(const Frac &closed, const Frac &open) {
  // Below this a closed form is short whatever the sum.
  constexpr size_t kShort = 60, kTerms = 6;
  return closed.num.terms().size() > kTerms && closed.num.size() > kShort &&
         closed.num.size() > 2 * open.num.size();
}

Expr closedSum(llvm::StringRef var, const Expr &lo, const Expr &hi,
               const Expr &body, const Assumptions &known) {
  Budget budget;
  Facts facts(known, budget);
  return sumOver(var, lo, hi, Frac(body), facts).toExpr();
}

namespace {
/// Closes sums inside out, carrying what is known of the bound variables.
Expr closeWith(const Expr &e, const Facts &facts) {
  if (!hasSum(e))
    return e;
  return rewriteAtoms(e, [&](const Expr &a) -> std::optional<Expr> {
    if (a.kind() != ExprKind::Sum)
      return std::nullopt;
    Expr lo = closeWith(a.operands()[0], facts);
    Expr hi = closeWith(a.operands()[1], facts);
    // The bound name must not meet facts of a symbol of the same name.
    std::string name = a.name().str();
    auto taken = [&](const std::string &n) {
      return lo.dependsOn(n) || hi.dependsOn(n) ||
             llvm::any_of(facts.list(),
                          [&](const Expr &f) { return f.dependsOn(n); });
    };
    Expr body = a.operands()[2];
    if (taken(name)) {
      std::string fresh = name + "_";
      while (taken(fresh) || body.dependsOn(fresh))
        fresh += "_";
      body = body.substitute(name, Expr::symbol(fresh));
      name = fresh;
    }
    Expr v = Expr::symbol(name);
    body = closeWith(body, facts.with({v - lo, hi - 1 - v}));
    return sumOver(name, lo, hi, Frac(body), facts).toExpr();
  });
}

std::optional<Expr> bracket(const Expr &e, const Assumptions &known,
                            bool lower) {
  Expr result;
  for (const Expr &t : e.terms()) {
    if (!hasSum(t)) {
      result += t;
      continue;
    }
    // One sum, to the first power, times a factor of known sign.
    std::optional<Expr> atom;
    Expr factor(t.coefficient());
    for (const auto &[a, p] : t.factors()) {
      if (hasSum(a)) {
        if (atom || p != 1 || a.kind() != ExprKind::Sum)
          return std::nullopt;
        atom = a;
      } else {
        for (unsigned i = 0; i < p; ++i)
          factor *= a;
      }
    }
    if (!atom)
      return std::nullopt;
    bool positive = known.isNonNegative(factor);
    if (!positive && !known.isNonNegative(-factor))
      return std::nullopt;
    bool low = lower == positive;
    const Expr &lo = atom->operands()[0], &hi = atom->operands()[1];
    if (hasSum(lo) || hasSum(hi))
      return std::nullopt;
    Assumptions in = known;
    in.declare(atom->name(), lo, hi - 1);
    std::optional<Expr> body = bracket(atom->operands()[2], in, low);
    if (!body)
      return std::nullopt;
    std::set<std::string> eliminate{atom->name().str()};
    std::optional<Expr> bound =
        low ? in.lowerBound(*body, eliminate) : in.upperBound(*body, eliminate);
    if (!bound || bound->dependsOn(atom->name()))
      return std::nullopt;
    Expr count = known.isNonNegative(hi - lo) ? hi - lo : max(0, hi - lo);
    result += factor * count * *bound;
  }
  return result;
}
} // namespace

Expr closeSums(const Expr &e, const Assumptions &known) {
  Budget budget;
  Facts facts(known, budget);
  return closeWith(e, facts);
}

std::optional<Expr> lowerBracket(const Expr &e, const Assumptions &known) {
  return bracket(closeSums(e, known), known, true);
}

std::optional<Expr> upperBracket(const Expr &e, const Assumptions &known) {
  return bracket(closeSums(e, known), known, false);
}

} // namespace ioflor::count
