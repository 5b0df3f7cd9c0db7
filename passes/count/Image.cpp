//===- Image.cpp - Counting distinct addresses ----------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/count/Image.h"
#include "passes/count/Summation.h"

namespace ioflor::count {

namespace {

/// n runs of L consecutive words (up to a common factor), `stride` apart.
struct Blocks {
  Expr n, L, stride;
  Conj outer; ///< where there are any, over the outer variables
};
std::optional<Blocks> findBlocks(const Image &im, const Facts &base);

/// The rewriting steps; each returns true when it changed the image.
class Normaliser {
public:
  Normaliser(Image &image, const Facts &base) : im(image), base(base) {}

  void run(bool shift, bool digits) {
    for (unsigned steps = 0; steps < 40; ++steps) {
      cleanup(im.set, base);
      if (im.set.empty() || !base.budget().spend(4))
        return;
      if (projectUnused() || turnRound() || (digits && mergeInner()) ||
          splitDivision() || nameAtom())
        continue;
      if (isInjective(im, base) || findBlocks(im, base) || !shift ||
          !shiftVariable())
        return;
    }
  }

private:
  Names all() const {
    Names n = im.outer;
    n.insert(n.end(), im.inner.begin(), im.inner.end());
    return n;
  }
  std::set<std::string> innerSet() const {
    return {im.inner.begin(), im.inner.end()};
  }
  bool occursInSet(llvm::StringRef v) const {
    for (const Conj &c : im.set)
      for (const Expr &e : c)
        if (e.dependsOn(v))
          return true;
    return false;
  }
  /// Constraints that substitution has left with divisions, min or max.
  bool relinearise(Dnf d) {
    Names n = all();
    std::set<std::string> vars(n.begin(), n.end());
    Dnf result;
    for (const Conj &c : d) {
      Dnf one{Conj{}};
      for (const Expr &e : c) {
        std::optional<Dnf> both = conjoin(one, linearise(e, vars));
        if (!both)
          return false;
        one = *both;
      }
      result.insert(result.end(), one.begin(), one.end());
    }
    if (result.size() > 24)
      return false;
    im.set = std::move(result);
    return true;
  }

  bool projectUnused() {
    bool changed = false;
    for (size_t i = im.inner.size(); i-- > 0;) {
      const std::string v = im.inner[i];
      if (im.address.dependsOn(v) || stuck.count(v))
        continue;
      if (!occursInSet(v)) {
        im.inner.erase(im.inner.begin() + i);
        changed = true;
        continue;
      }
      std::optional<Dnf> p = project(im.set, v, base);
      if (!p) {
        stuck.insert(v);
        continue;
      }
      Names saved = im.inner;
      im.inner.erase(im.inner.begin() + i);
      if (!relinearise(*p)) {
        im.inner = saved;
        stuck.insert(v);
        continue;
      }
      changed = true;
    }
    return changed;
  }

  /// A variable with a negative stride runs the other way round.
  bool turnRound() {
    std::set<std::string> inner = innerSet();
    for (const std::string v : Names(im.inner)) {
      auto affine = im.address.asAffineIn(v);
      if (!affine || base.sign(affine->first) != -1)
        continue;
      // From its last value, where that is the same at all inner points.
      std::optional<Expr> last;
      for (const Expr &u : boundsOf(im.set[0], v, base).uppers)
        if (!u.dependsOnAny(inner) && (!last || u.size() < last->size()))
          last = u;
      if (!last)
        continue;
      std::string w = freshName("w", base.budget());
      Expr by = *last - 1 - Expr::symbol(w);
      for (Conj &c : im.set)
        for (Expr &e : c)
          e = e.substitute(v, by);
      im.address = im.address.substitute(v, by);
      llvm::replace(im.inner, v, w);
      return true;
    }
    return false;
  }

  bool mergeInner() {
    for (const std::string &x : im.inner)
      for (const std::string &y : im.inner) {
        if (x == y)
          continue;
        std::string e = freshName("e", base.budget());
        std::optional<Merged> m =
            merge(im.set, {im.address}, x, y, e, all(), base);
        if (!m)
          continue;
        Names next;
        for (const std::string &v : im.inner)
          if (v != x && v != y)
            next.push_back(v);
        next.push_back(e);
        im.inner = next;
        im.set = m->set;
        im.address = m->also[0];
        return true;
      }
    return false;
  }

  bool splitDivision() {
    std::set<std::string> inner = innerSet();
    struct Pick {
      std::string v;
      Expr shift, divisor;
    };
    std::vector<Pick> picks;
    visitAtoms(im.address, [&](const Expr &a) {
      if (a.kind() == ExprKind::Sum)
        return false;
      if ((a.kind() != ExprKind::FloorDiv && a.kind() != ExprKind::CeilDiv) ||
          a.operands()[1].dependsOnAny(inner))
        return true;
      const Expr &n = a.operands()[0];
      for (const std::string &v : im.inner) {
        auto affine = n.asAffineIn(v);
        if (!affine || !affine->first.isOne() ||
            affine->second.dependsOnAny(inner))
          continue;
        Expr shift = affine->second;
        if (a.kind() == ExprKind::CeilDiv)
          shift += a.operands()[1] - 1;
        picks.push_back({v, shift, a.operands()[1]});
      }
      return true;
    });
    // The largest first: then e / 4 of e = 32*q + r is 8*q + r / 4.
    llvm::stable_sort(picks, [](const Pick &a, const Pick &b) {
      auto x = a.divisor.constant(), y = b.divisor.constant();
      return x && y && *x > *y;
    });
    for (const Pick &p : picks) {
      std::string q = freshName("q", base.budget()),
                  r = freshName("r", base.budget());
      std::optional<Merged> m =
          split(im.set, {im.address}, p.v, p.shift, p.divisor, q, r, base);
      if (!m)
        continue;
      Names next;
      for (const std::string &v : im.inner)
        if (v != p.v)
          next.push_back(v);
      next.push_back(q);
      next.push_back(r);
      Names saved = im.inner;
      im.inner = next;
      if (!relinearise(m->set)) {
        im.inner = saved;
        continue;
      }
      im.address = m->also[0];
      return true;
    }
    return false;
  }

  /// A min, max or division whose inner variables occur nowhere else in the
  /// address: its value becomes a variable, they can be projected.
  bool nameAtom() {
    std::set<std::string> inner = innerSet();
    std::vector<Expr> atoms;
    visitAtoms(im.address, [&](const Expr &a) {
      if (a.kind() == ExprKind::Sum || a.kind() == ExprKind::Symbol)
        return false;
      if (a.dependsOnAny(inner))
        atoms.push_back(a);
      return true;
    });
    for (const Expr &a : atoms) {
      std::string name = freshName("v", base.budget());
      Expr j = Expr::symbol(name);
      Expr without = replaceAtom(im.address, a, j);
      bool frees = false;
      for (const std::string &v : im.inner)
        frees |= a.dependsOn(v) && !without.dependsOn(v);
      if (!frees)
        continue;
      // The alternatives of j == a.
      Dnf defs;
      llvm::ArrayRef<Expr> ops = a.operands();
      if (a.kind() == ExprKind::Min || a.kind() == ExprKind::Max) {
        for (size_t i = 0; i < ops.size(); ++i) {
          Conj c{j - ops[i], ops[i] - j};
          for (size_t k = 0; k < ops.size(); ++k) {
            if (k == i)
              continue;
            Expr gap =
                a.kind() == ExprKind::Max ? ops[i] - ops[k] : ops[k] - ops[i];
            c.push_back(k < i ? gap - 1 : gap); // ties to the first operand
          }
          defs.push_back(c);
        }
      } else if (ops[1].dependsOnAny(inner)) {
        continue;
      } else if (a.kind() == ExprKind::FloorDiv) {
        defs.push_back({ops[0] - ops[1] * j, ops[1] * j + ops[1] - 1 - ops[0]});
      } else {
        defs.push_back({ops[1] * j - ops[0], ops[0] + ops[1] - 1 - ops[1] * j});
      }
      std::optional<Dnf> both = conjoin(im.set, defs);
      if (!both)
        continue;
      // Solve equalities for a variable with coefficient 1, so that projecting
      // it is a substitution.
      Names saved = im.inner;
      im.inner.push_back(name);
      if (!relinearise(*both)) {
        im.inner = saved;
        continue;
      }
      im.address = without;
      return true;
    }
    return false;
  }

  /// k*(t + g(x)) + rest: j = t + g(x) replaces t, so that x can go.
  bool shiftVariable() {
    std::set<std::string> inner = innerSet();
    const Names names = im.inner;
    for (const std::string &t : names) {
      auto affine = im.address.asAffineIn(t);
      if (!affine || affine->first.isZero() ||
          affine->first.dependsOnAny(inner))
        continue;
      const Expr &k = affine->first;
      for (const std::string &x : names) {
        if (x == t)
          continue;
        Expr with;
        for (const Expr &m : affine->second.terms())
          if (m.dependsOn(x))
            with += m;
        if (with.isZero())
          continue;
        std::optional<Expr> g = tryDivide(with, k);
        if (!g)
          continue;
        // Projecting x is exact with constant coefficients only.
        if (auto slope = g->asAffineIn(x); slope && !slope->first.isConst())
          continue;
        std::string name = freshName("j", base.budget());
        Expr j = Expr::symbol(name);
        Expr address = k * j + (affine->second - with);
        if (address.dependsOn(x))
          continue;
        Dnf moved;
        for (const Conj &c : im.set) {
          Conj s;
          for (const Expr &e : c)
            s.push_back(e.substitute(t, j - *g));
          moved.push_back(s);
        }
        Image saved = im;
        llvm::erase(im.inner, t);
        im.inner.push_back(name);
        if (!relinearise(moved)) {
          im = saved;
          continue;
        }
        im.address = address;
        // Only worth it if x can go.
        std::optional<Dnf> p = project(im.set, x, base);
        if (!p) {
          im = saved;
          continue;
        }
        llvm::erase(im.inner, x);
        if (!relinearise(*p)) {
          im = saved;
          continue;
        }
        return true;
      }
    }
    return false;
  }

  Image &im;
  const Facts &base;
  std::set<std::string> stuck;
};

/// One variable of an affine address.
struct Digit {
  std::string var;
  Expr stride;             ///< absolute value, >= 1
  std::vector<Expr> spans; ///< each >= the largest difference of two values
};

} // namespace

void normalise(Image &image, const Facts &base, bool shift, bool digits) {
  Normaliser(image, base).run(shift, digits);
}

/// Upper bounds of the difference of two values of v, free of inner variables.
static std::vector<Expr> spansOf(const Image &im, const std::string &v,
                                 const Facts &base) {
  std::set<std::string> inner(im.inner.begin(), im.inner.end());
  // Over a union: hi of all minus lo of all; a bound must hold in each.
  std::vector<Expr> lowers, uppers;
  for (size_t i = 0; i < im.set.size(); ++i) {
    // Variables in a bound are replaced by their own bounds, twice over.
    std::vector<Expr> lo, hi;
    auto collect = [&](const std::string &w, std::vector<Expr> &l,
                       std::vector<Expr> &u) {
      Bounds b = boundsOf(im.set[i], w, base);
      l = b.lowers;
      u = b.uppers;
    };
    collect(v, lo, hi);
    auto eliminate = [&](std::vector<Expr> &bounds, bool upper) {
      std::vector<Expr> done, todo = bounds;
      for (unsigned round = 0; round < 3 && !todo.empty(); ++round) {
        std::vector<Expr> next;
        for (const Expr &b : todo) {
          const std::string *w = nullptr;
          for (const std::string &x : im.inner)
            if (b.dependsOn(x))
              w = &x;
          if (!w) {
            done.push_back(b);
            continue;
          }
          if (*w == v)
            continue;
          auto affine = b.asAffineIn(*w);
          if (!affine)
            continue;
          std::optional<int> s = base.sign(affine->first);
          if (!s || *s == 0)
            continue;
          std::vector<Expr> l, u;
          collect(*w, l, u);
          for (const Expr &r : (*s > 0) == upper ? u : l)
            next.push_back(affine->second +
                           affine->first * ((*s > 0) == upper ? r - 1 : r));
        }
        todo = next;
        if (todo.size() > 8)
          todo.resize(8);
      }
      bounds = done;
    };
    eliminate(lo, false);
    eliminate(hi, true);
    if (i == 0) {
      lowers = lo;
      uppers = hi;
      continue;
    }
    std::vector<Expr> l2, u2;
    for (const Expr &a : lowers)
      for (const Expr &b : lo)
        if (base.lessEqual(a, b))
          l2.push_back(a);
        else if (base.lessEqual(b, a))
          l2.push_back(b);
    for (const Expr &a : uppers)
      for (const Expr &b : hi)
        if (base.lessEqual(b, a))
          u2.push_back(a);
        else if (base.lessEqual(a, b))
          u2.push_back(b);
    lowers = l2;
    uppers = u2;
  }
  std::vector<Expr> spans;
  for (const Expr &l : lowers)
    for (const Expr &u : uppers) {
      Expr s = u - 1 - l;
      if (!llvm::is_contained(spans, s))
        spans.push_back(s);
    }
  // Constants first.
  llvm::stable_sort(
      spans, [](const Expr &a, const Expr &b) { return a.size() < b.size(); });
  if (spans.size() > 4)
    spans.resize(4);
  return spans;
}

static std::optional<std::vector<Digit>> digitsOf(const Image &im,
                                                  const Facts &base) {
  std::set<std::string> inner(im.inner.begin(), im.inner.end());
  std::vector<Digit> digits;
  for (const std::string &v : im.inner) {
    auto affine = im.address.asAffineIn(v);
    if (!affine || affine->first.dependsOnAny(inner))
      return std::nullopt;
    std::optional<int> s = base.sign(affine->first);
    if (!s || *s == 0)
      return std::nullopt;
    digits.push_back(
        {v, *s > 0 ? affine->first : -affine->first, spansOf(im, v, base)});
  }
  return digits;
}

/// Mixed radix: an order in which each stride exceeds what all lower digits
/// can make up for.
static bool radixOrder(std::vector<Digit> rest, const Expr &reach,
                       const Facts &base, unsigned &tries) {
  if (rest.empty())
    return true;
  for (size_t i = 0; i < rest.size(); ++i) {
    if (tries == 0)
      return false;
    --tries;
    if (!base.nonNegative(rest[i].stride - 1 - reach))
      continue;
    if (rest.size() == 1)
      return true;
    std::vector<Digit> next = rest;
    next.erase(next.begin() + i);
    for (const Expr &span : rest[i].spans)
      if (radixOrder(next, reach + rest[i].stride * span, base, tries))
        return true;
  }
  return false;
}

bool isInjective(const Image &im, const Facts &base) {
  if (im.set.empty() || im.inner.empty())
    return true;
  std::optional<std::vector<Digit>> digits = digitsOf(im, base);
  if (!digits)
    return false;
  // Facts about the outer variables hold at every point.
  Facts outer = base;
  std::set<std::string> inner(im.inner.begin(), im.inner.end());
  if (im.set.size() == 1) {
    for (const Expr &e : im.set[0])
      if (!e.dependsOnAny(inner))
        outer.add(e);
    // A span is only needed where there are points at all: non-negative.
    for (const Digit &d : *digits)
      for (const Expr &s : d.spans)
        outer.add(s);
  }
  llvm::stable_sort(*digits, [](const Digit &a, const Digit &b) {
    auto x = a.stride.constant(), y = b.stride.constant();
    if (x && y)
      return *x < *y;
    return x.has_value() && !y.has_value();
  });
  unsigned tries = 200;
  return radixOrder(*digits, Expr(0), outer, tries);
}

namespace {
std::optional<Blocks> findBlocks(const Image &im, const Facts &base) {
  if (im.inner.size() != 2 || im.set.size() != 1)
    return std::nullopt;
  std::optional<std::vector<Digit>> digits = digitsOf(im, base);
  if (!digits)
    return std::nullopt;
  for (unsigned low = 0; low < 2; ++low) {
    const Digit &c = (*digits)[low], &r = (*digits)[1 - low];
    std::optional<Expr> stride = tryDivide(r.stride, c.stride);
    if (!stride || !base.positive(*stride))
      continue;
    Bounds bc = boundsOf(im.set[0], c.var, base);
    Bounds br = boundsOf(bc.free, r.var, base);
    if (!bc.other.empty() || !br.other.empty() || bc.lowers.empty() ||
        bc.uppers.empty() || br.lowers.empty() || br.uppers.empty())
      continue;
    auto dependsOnRow = [&](const Expr &e) { return e.dependsOn(r.var); };
    if (llvm::any_of(bc.lowers, dependsOnRow) ||
        llvm::any_of(bc.uppers, dependsOnRow))
      continue;
    Conj rest = br.free;
    for (const Bounds *b : {&bc, &br})
      for (const Expr &u : b->uppers)
        for (const Expr &l : b->lowers)
          rest.push_back(u - l - 1);
    Dnf d{Conj{}};
    std::set<std::string> outer(im.outer.begin(), im.outer.end());
    for (const Expr &e : rest) {
      std::optional<Dnf> both = conjoin(d, linearise(e, outer));
      if (!both || both->size() != 1)
        return std::nullopt;
      d = *both;
    }
    Facts in = base.with(d[0]);
    return Blocks{in.simplify(min(br.uppers) - max(br.lowers)),
                  in.simplify(min(bc.uppers) - max(bc.lowers)), *stride, d[0]};
  }
  return std::nullopt;
}
} // namespace

/// L + (n-1)*min(stride, L) words: runs overlap where the stride is short.
static std::optional<Frac> countBlocks(const Image &im, const Facts &base) {
  std::optional<Blocks> b = findBlocks(im, base);
  if (!b)
    return std::nullopt;
  Expr step = base.with(b->outer).minOf({b->stride, b->L});
  return sumPoints(im.outer, b->outer, Frac(b->L + (b->n - 1) * step), base);
}

static Names join(const Names &a, const Names &b) {
  Names r = a;
  r.insert(r.end(), b.begin(), b.end());
  return r;
}

/// A lower bound: all but a set of injective digits held at one value, the
/// largest bound of each alternative apart.
static std::optional<Expr> lowerBound(const Image &im, const Facts &base) {
  if (im.set.empty())
    return Expr(0);
  Image part = im;
  part.set = {im.set[0]};
  for (unsigned guard = 0; guard < 8; ++guard) {
    if (isInjective(part, base)) {
      std::optional<Frac> n =
          countPoints(join(part.outer, part.inner), part.set, base);
      if (!n)
        return std::nullopt;
      return n->toExpr();
    }
    // Hold one variable: first those that are not affine, then those with a
    // symbolic stride.
    std::set<std::string> inner(part.inner.begin(), part.inner.end());
    std::string drop;
    std::optional<Expr> at;
    unsigned best = 0;
    for (const std::string &v : part.inner) {
      auto affine = part.address.asAffineIn(v);
      unsigned score = !affine || affine->first.isZero() ? 3
                       : !affine->first.isConst()        ? 2
                                                         : 1;
      if (score <= best)
        continue;
      Bounds b = boundsOf(part.set[0], v, base);
      std::optional<Expr> low;
      for (const Expr &l : b.lowers)
        if (!l.dependsOnAny(inner))
          low = low ? max(*low, l) : l;
      if (!low)
        continue;
      best = score;
      drop = v;
      at = low;
    }
    if (!at)
      return std::nullopt;
    llvm::erase(part.inner, drop);
    std::set<std::string> vars(part.inner.begin(), part.inner.end());
    vars.insert(part.outer.begin(), part.outer.end());
    Dnf d{Conj{}};
    for (const Expr &e : part.set[0]) {
      std::optional<Dnf> both =
          conjoin(d, linearise(e.substitute(drop, *at), vars));
      if (!both || both->empty())
        return std::nullopt;
      d = {(*both)[0]}; // one alternative is a smaller set
    }
    part.set = d;
    part.address = part.address.substitute(drop, *at);
    cleanup(part.set, base);
    if (part.set.empty())
      return Expr(0);
    normalise(part, base);
    if (part.set.size() > 1)
      part.set.resize(1);
  }
  return std::nullopt;
}

Cardinality cardinalityOfNormal(const Image &im, const Facts &base) {
  Cardinality r;
  if (im.set.empty()) {
    r.lo = r.hi = Expr(0);
    r.exact = true;
    return r;
  }
  bool injective = isInjective(im, base);
  if (!injective) {
    if (std::optional<Frac> n = countBlocks(im, base)) {
      r.lo = r.hi = n->toExpr();
      r.exact = true;
      return r;
    }
  }
  std::optional<Frac> n = countPoints(join(im.outer, im.inner), im.set, base);
  if (n)
    r.hi = n->toExpr();
  if (injective && n) {
    r.lo = r.hi;
    r.exact = true;
    return r;
  }
  r.lo = lowerBound(im, base);
  r.reason = injective ? "the set of accesses has no closed form"
                       : "different points may have one address";
  return r;
}

bool isBulky(const Expr &e) {
  return (hasSum(e) && e.size() > 120) || e.size() > 500;
}

Cardinality cardinality(Image image, const Facts &base) {
  Image original = image;
  normalise(image, base);
  Cardinality n = cardinalityOfNormal(image, base);
  auto bulky = [](const std::optional<Expr> &e) { return e && isBulky(*e); };
  if (n.exact && !bulky(n.hi))
    return n;
  // Rather two short ends than one exact riddle.
  normalise(original, base, /*shift=*/false);
  Cardinality plain = cardinalityOfNormal(original, base);
  if (plain.exact && !bulky(plain.hi))
    return plain;
  Cardinality r;
  r.reason = plain.reason.empty() ? "no short closed form" : plain.reason;
  if (!bulky(plain.hi))
    r.hi = plain.hi;
  if (!r.hi && !bulky(n.hi))
    r.hi = n.hi;
  r.lo = !bulky(plain.lo) ? plain.lo : std::nullopt;
  if (!r.lo && !bulky(n.lo))
    r.lo = n.lo;
  if (!r.hi && n.exact)
    return n; // long, but all there is
  return r;
}

std::optional<Image> unite(const Image &a, const Image &b, const Facts &base) {
  if (a.inner.size() != b.inner.size() || a.outer != b.outer)
    return std::nullopt;
  // Match variables by the coefficient in the address.
  Image r = a;
  std::map<std::string, Expr> rename;
  std::set<std::string> used;
  for (const std::string &v : b.inner) {
    auto x = b.address.asAffineIn(v);
    if (!x)
      return std::nullopt;
    bool found = false;
    for (const std::string &w : a.inner) {
      auto y = a.address.asAffineIn(w);
      if (!y || used.count(w) || y->first != x->first)
        continue;
      used.insert(w);
      rename[v] = Expr::symbol(w);
      found = true;
      break;
    }
    if (!found)
      return std::nullopt;
  }
  Expr gap = b.address.substitute(rename) - a.address;
  Dnf moved;
  for (const Conj &c : b.set) {
    Conj s;
    for (const Expr &e : c)
      s.push_back(e.substitute(rename));
    moved.push_back(s);
  }
  if (!gap.isZero()) {
    // A shift by a multiple of one stride moves that variable.
    bool done = false;
    for (const std::string &w : a.inner) {
      auto y = a.address.asAffineIn(w);
      std::optional<Expr> k = tryDivide(gap, y->first);
      if (!k || k->dependsOnAny({a.inner.begin(), a.inner.end()}))
        continue;
      for (Conj &c : moved)
        for (Expr &e : c)
          e = e.substitute(w, Expr::symbol(w) - *k);
      done = true;
      break;
    }
    if (!done)
      return std::nullopt;
  }
  r.set.insert(r.set.end(), moved.begin(), moved.end());
  if (r.set.size() > 24)
    return std::nullopt;
  cleanup(r.set, base);
  return r;
}

} // namespace ioflor::count
