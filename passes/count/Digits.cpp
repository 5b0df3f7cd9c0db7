//===- Digits.cpp - Affine addresses as digits of a number ----------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/count/Digits.h"
#include "passes/count/Summation.h"

namespace ioflor::count {

namespace {

/// One variable of an affine address.
struct Digit {
  std::string var;
  Expr stride;             ///< absolute value, >= 1
  std::vector<Expr> spans; ///< each >= the largest difference of two values
};

} // namespace

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

} // namespace ioflor::count
