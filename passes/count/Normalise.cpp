//===- Normalise.cpp - Addresses rewritten to be counted ------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/count/Digits.h"
#include "passes/count/Summation.h"

namespace ioflor::count {

namespace {

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
    for (const std::string &v : Names(im.inner)) {
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

} // namespace

void normalise(Image &image, const Facts &base, bool shift, bool digits) {
  Normaliser(image, base).run(shift, digits);
}

} // namespace ioflor::count
