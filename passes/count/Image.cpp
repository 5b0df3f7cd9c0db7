//===- Image.cpp - Counting distinct addresses ----------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/count/Image.h"
#include "passes/count/Digits.h"
#include "passes/count/Summation.h"

namespace ioflor::count {

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
