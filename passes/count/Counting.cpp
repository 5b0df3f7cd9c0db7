//===- Counting.cpp - Words that an access moves --------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/count/Counting.h"
#include "passes/count/Divisible.h"
#include "passes/count/Image.h"
#include "passes/count/Summation.h"

namespace ioflor::count {

namespace {

constexpr size_t maxAlternatives = 24;

/// One access made ready: its points at least and at most.
struct Prepared {
  Names outer; ///< host and grid
  Names seq;
  Names thread;
  std::optional<Dnf> least, most; ///< nullopt: too many alternatives
  bool same = true;               ///< least and most are one set
  std::string reason;             ///< why they are not
};

Names join(std::initializer_list<const Names *> parts) {
  Names r;
  for (const Names *p : parts)
    r.insert(r.end(), p->begin(), p->end());
  return r;
}

bool usesData(const Expr &e, const Context &context) {
  return e.dependsOnAny(context.data);
}

/// Replaces data symbols in e >= 0 by the end of their range that makes it
/// hold most (or least) often. nullopt: no end is known.
std::optional<Expr> relax(Expr e, bool most, const Context &context,
                          const Facts &base) {
  for (unsigned round = 0; round < 8 && usesData(e, context); ++round) {
    bool changed = false;
    for (const std::string &s : context.data) {
      if (!e.dependsOn(s))
        continue;
      auto affine = e.asAffineIn(s);
      if (!affine)
        return std::nullopt;
      std::optional<int> sign = base.sign(affine->first);
      const Assumptions::Range *range = context.known.range(s);
      if (!sign || *sign == 0 || !range)
        return std::nullopt;
      const std::optional<Expr> &end =
          (*sign > 0) == most ? range->hi : range->lo;
      if (!end)
        return std::nullopt;
      e = affine->first * *end + affine->second;
      changed = true;
    }
    if (!changed)
      return std::nullopt;
  }
  if (usesData(e, context))
    return std::nullopt;
  return e;
}

/// Applies relax to each constraint; an undecided one holds (most) or makes
/// the alternative fail (least).
Dnf relaxAll(const Dnf &d, bool most, const Context &context,
             const Facts &base) {
  Dnf r;
  for (const Conj &c : d) {
    Conj kept;
    bool fails = false;
    for (const Expr &e : c) {
      if (!usesData(e, context)) {
        kept.push_back(e);
        continue;
      }
      if (std::optional<Expr> x = relax(e, most, context, base))
        kept.push_back(*x);
      else if (!most)
        fails = true;
    }
    if (!fails)
      r.push_back(kept);
  }
  return r;
}

Prepared prepare(const Access &a, const Context &context, const Facts &base) {
  Prepared p;
  std::set<std::string> vars = context.data;
  for (const LoopVar &l : a.loops) {
    vars.insert(l.var);
    (l.kind == Loop::Thread ? p.thread
     : l.kind == Loop::Seq  ? p.seq
                            : p.outer)
        .push_back(l.var);
  }
  Dnf loops{Conj{}};
  bool ok = true;
  for (const LoopVar &l : a.loops) {
    Expr v = Expr::symbol(l.var);
    std::optional<Dnf> d = conjoin(
        loops, conjoin({{v}}, linearise(l.trips - 1 - v, vars), maxAlternatives)
                   .value_or(Dnf{{v}}));
    // The disjunction that max(0, n) leaves: v >= 0 decides it.
    if (!d) {
      ok = false;
      break;
    }
    cleanup(*d, base);
    loops = *d;
  }
  if (!ok) {
    p.same = false;
    p.reason = "too many alternatives in the loop bounds";
    return p;
  }
  bool unknown = false, data = false;
  std::string why;
  for (bool most : {false, true}) {
    std::optional<Dnf> d = loops;
    for (const Cond &g : a.guards) {
      unknown |= g.hasUnknown();
      std::optional<Dnf> one = toDnf(g, most, vars, maxAlternatives);
      if (!one || !(d = conjoin(*d, *one, maxAlternatives))) {
        d.reset();
        break;
      }
    }
    if (!d)
      continue;
    for (const Conj &c : *d)
      for (const Expr &e : c)
        data |= usesData(e, context);
    Dnf r = data ? relaxAll(*d, most, context, base) : *d;
    cleanup(r, base);
    (most ? p.most : p.least) = std::move(r);
  }
  p.same = p.least && p.most && *p.least == *p.most;
  if (!p.same) {
    for (const Cond &g : a.guards) {
      std::vector<Cond> todo{g};
      while (!todo.empty()) {
        Cond c = todo.back();
        todo.pop_back();
        if (c.kind() == CondKind::Unknown)
          why = c.reason().str();
        if (c.kind() == CondKind::And || c.kind() == CondKind::Or)
          todo.insert(todo.end(), c.operands().begin(), c.operands().end());
      }
    }
    p.reason = unknown && !why.empty() ? why
               : data                  ? "depends on data in memory"
                                       : "too many alternatives in the guards";
  }
  return p;
}

/// Open sums keep the names of eliminated variables; give them readable ones.
Expr tidy(const Expr &e, const Facts &base, const Assumptions &known) {
  // Assumptions know products that the linear facts do not, as that
  // ceildiv(n, Br) is positive.
  Expr s = ioflor::simplify(base.simplify(e), known);
  unsigned next = 0;
  std::function<Expr(const Expr &)> go = [&](const Expr &x) {
    return rewriteAtoms(x, [&](const Expr &a) -> std::optional<Expr> {
      if (a.kind() != ExprKind::Sum || !a.name().starts_with("__"))
        return std::nullopt;
      Expr body = a.operands()[2];
      std::string name;
      do
        name = "i" + std::to_string(next++);
      while (body.dependsOn(name));
      return sum(name, go(a.operands()[0]), go(a.operands()[1]),
                 go(body.substitute(a.name(), Expr::symbol(name))));
    });
  };
  return hasSum(s) ? go(s) : s;
}

Count exactly(const Expr &e) {
  Count c;
  c.lo = e;
  c.hi = e;
  c.exact = true;
  return c;
}

/// The smaller of two upper ends.
std::optional<Expr> least(const std::optional<Expr> &a,
                          const std::optional<Expr> &b, const Facts &base) {
  if (!a)
    return b;
  if (!b)
    return a;
  return base.minOf({*a, *b});
}

/// A budget out of what the subject has left. A hard access leaves later ones
/// little, but enough for the usual forms.
class PooledBudget : public Budget {
public:
  explicit PooledBudget(const Context &context) : pool(context.work.get()) {
    if (pool)
      work = std::min(work, std::max<uint64_t>(*pool, 400));
    given = work;
  }
  ~PooledBudget() {
    if (pool)
      *pool -= std::min(*pool, given - work);
  }

private:
  uint64_t *pool, given;
};

/// Everything below works on one context with divisible symbols replaced.
class Counter {
public:
  Counter(const Context &context, Budget &budget)
      : context(context), base(context.known, budget) {}

  Count issued(const Access &a, const Prepared &p) {
    Names vars = join({&p.outer, &p.seq, &p.thread});
    auto points = [&](const std::optional<Dnf> &d) -> std::optional<Expr> {
      if (!d)
        return std::nullopt;
      std::optional<Frac> n = countPoints(vars, *d, base);
      if (!n)
        return std::nullopt;
      return tidy((*n * Expr(a.width)).toExpr(), base, context.known);
    };
    std::optional<Expr> hi = points(p.most);
    if (p.same && hi)
      return exactly(*hi);
    Count c;
    c.hi = hi;
    c.lo = p.same ? Expr(0) : points(p.least).value_or(Expr(0));
    c.reason = p.same ? "the set of iterations has no closed form" : p.reason;
    return c;
  }

  /// The image of an access: `width` words from its address.
  std::optional<Image> image(const Access &a, const Prepared &p,
                             const std::optional<Dnf> &set, bool wholeStage,
                             bool offsetDigit = false) {
    if (!set || !a.address || usesData(*a.address, context))
      return std::nullopt;
    Image im;
    im.outer = p.outer;
    im.inner = p.thread;
    Names &seq = wholeStage ? im.inner : im.outer;
    seq.insert(seq.end(), p.seq.begin(), p.seq.end());
    im.set = *set;
    im.address = *a.address;
    if (a.width > 1 || offsetDigit) {
      std::string u = freshName("u", base.budget());
      Expr U = Expr::symbol(u);
      im.inner.push_back(u);
      im.address += U;
      for (Conj &c : im.set) {
        c.push_back(U);
        c.push_back(Expr(a.width) - 1 - U);
      }
    }
    return im;
  }

  /// Words of the outer points at which some thread is active, one access
  /// each: true whatever the addresses are.
  Expr atLeastOne(const Access &a, const Prepared &p, bool wholeStage) {
    if (!p.least)
      return Expr(0);
    Image im;
    im.outer = p.outer;
    im.inner = p.thread;
    Names &seq = wholeStage ? im.inner : im.outer;
    seq.insert(seq.end(), p.seq.begin(), p.seq.end());
    im.set = *p.least;
    im.address = lowDigits(a, im);
    Cardinality n = cardinality(im, base);
    return n.lo ? *n.lo * Expr(a.width) : Expr(0);
  }

  /// A data-dependent address is a multiple of some stride plus digits below
  /// it; different digits are different addresses whatever the data. 0 where
  /// nothing of the kind is found.
  Expr lowDigits(const Access &a, const Image &im) {
    if (!a.address || a.width != 1)
      return Expr(0);
    std::optional<Expr> stride;
    Expr rest;
    for (const Expr &t : a.address->terms()) {
      if (!usesData(t, context)) {
        rest += t;
        continue;
      }
      // The factor of the term that is free of data.
      Expr k(llvm::abs(t.coefficient()));
      for (const auto &[atom, power] : t.factors())
        if (!usesData(atom, context))
          for (unsigned i = 0; i < power; ++i)
            k *= atom;
      if (stride && *stride != k)
        return Expr(0);
      stride = k;
    }
    if (!stride)
      return Expr(0);
    std::set<std::string> inner(im.inner.begin(), im.inner.end());
    // All of the rest, or what of it is no multiple of the stride (as in
    // 64*(j % 16), whose two terms belong together).
    Expr whole, part;
    for (const Expr &t : rest.terms())
      if (t.dependsOnAny(inner)) {
        whole += t;
        if (!tryDivide(t, *stride))
          part += t;
      }
    for (const Expr &low : {whole, part}) {
      // It must stay within one stride at every point.
      bool within = !low.isZero();
      for (const Conj &c : im.set) {
        Facts in = base.with(c);
        within =
            within && in.nonNegative(low) && in.nonNegative(*stride - 1 - low);
      }
      if (within)
        return low;
    }
    return Expr(0);
  }

  Count traffic(const Access &a, const Prepared &p, const Count &issued) {
    Count c;
    std::optional<Image> most = image(a, p, p.most, false);
    if (!most) {
      c.hi = issued.hi;
      c.lo = atLeastOne(a, p, false);
      c.reason = a.address           ? "the address depends on data in memory"
                 : a.unknown.empty() ? "the address could not be read"
                                     : a.unknown;
      if (!p.most)
        c.reason = p.reason;
      return c;
    }
    Cardinality hi = cardinality(*most, base);
    if (p.same && hi.exact)
      return exactly(tidy(*hi.hi, base, context.known));
    c.hi = issued.hi;
    if (hi.hi)
      c.hi = least(tidy(*hi.hi, base, context.known), issued.hi, base);
    c.reason = p.same ? hi.reason : p.reason;
    std::optional<Expr> lo = hi.lo;
    if (!p.same) {
      std::optional<Image> low = image(a, p, p.least, false);
      lo = low ? cardinality(*low, base).lo : std::nullopt;
    }
    if (lo)
      c.lo = tidy(*lo, base, context.known);
    return c;
  }

  Count compulsory(llvm::ArrayRef<Access> accesses,
                   llvm::ArrayRef<Prepared> prepared, const Count &traffic) {
    // Forms in which the accesses may turn out to be one image.
    struct Form {
      bool digits, offsets;
    };
    Count best;
    bool first = true;
    for (Form f : {Form{true, false}, Form{false, false}, Form{false, true},
                   Form{true, true}}) {
      Count c = unite(accesses, prepared, traffic, f.offsets, f.digits);
      if (c.exact || accesses.size() == 1)
        return c;
      if (first)
        best = c;
      first = false;
    }
    return best;
  }

private:
  Count unite(llvm::ArrayRef<Access> accesses,
              llvm::ArrayRef<Prepared> prepared, const Count &traffic,
              bool offsets, bool digits) {
    std::vector<Image> images;
    Count c;
    bool exact = true;
    std::vector<Expr> lows;
    std::optional<Expr> high = Expr(0);
    for (size_t i = 0; i < accesses.size(); ++i) {
      const Access &a = accesses[i];
      const Prepared &p = prepared[i];
      std::optional<Image> most = image(a, p, p.most, true, offsets);
      if (!most || !p.same) {
        exact = false;
        if (c.reason.empty())
          c.reason = !p.same     ? p.reason
                     : a.address ? "the address depends on data in memory"
                     : a.unknown.empty() ? "the address could not be read"
                                         : a.unknown;
        std::optional<Image> low = image(a, p, p.least, true);
        if (low) {
          if (std::optional<Expr> n = cardinality(*low, base).lo)
            lows.push_back(*n);
        } else {
          lows.push_back(atLeastOne(a, p, true));
        }
        if (!most) {
          high.reset(); // traffic bounds it
          continue;
        }
        Cardinality n = cardinality(*most, base);
        high = high && n.hi ? std::optional<Expr>(*high + *n.hi) : std::nullopt;
        continue;
      }
      if (accesses.size() == 1) {
        Cardinality n = cardinality(*most, base);
        if (n.exact)
          return exactly(tidy(*n.hi, base, context.known));
        c.reason = n.reason;
        c.lo = n.lo ? tidy(*n.lo, base, context.known) : Expr(0);
        c.hi =
            least(n.hi ? std::optional<Expr>(tidy(*n.hi, base, context.known))
                       : std::nullopt,
                  traffic.hi, base);
        return c;
      }
      normalise(*most, base, /*shift=*/true, digits);
      bool united = false;
      for (Image &other : images)
        if (std::optional<Image> both = count::unite(other, *most, base)) {
          other = *both;
          united = true;
          break;
        }
      if (!united)
        images.push_back(*most);
    }
    for (Image &im : images) {
      if (accesses.size() > 1)
        normalise(im, base);
      Cardinality n = cardinalityOfNormal(im, base);
      if (n.hi && isBulky(*n.hi)) {
        n.exact = false;
        n.hi.reset();
        n.lo.reset();
        n.reason = "no short closed form";
      }
      exact &= n.exact;
      if (!n.exact && c.reason.empty())
        c.reason = n.reason;
      if (n.lo)
        lows.push_back(*n.lo);
      high = high && n.hi ? std::optional<Expr>(*high + *n.hi) : std::nullopt;
    }
    if (images.size() > 1) {
      // Two address forms: disjoint, nested or overlapping, not known which.
      exact = false;
      if (c.reason.empty())
        c.reason = "accesses of different shape may share words";
    }
    if (exact && high && !(lows.empty() && !images.empty()))
      return exactly(tidy(*high, base, context.known));
    c.lo = lows.empty() ? Expr(0) : tidy(base.maxOf(lows), base, context.known);
    std::optional<Expr> tidyHigh;
    if (high)
      tidyHigh = tidy(*high, base, context.known);
    c.hi = least(tidyHigh, traffic.hi, base);
    if (c.hi && *c.hi == c.lo) {
      c.exact = true;
      c.reason.clear();
    }
    return c;
  }

  const Context &context;
  Facts base;
};

std::string joinReasons(const std::string &a, const std::string &b) {
  if (a.empty() || a == b)
    return b.empty() ? a : b;
  if (b.empty() || a.find(b) != std::string::npos)
    return a;
  return a + "; " + b;
}

Count mapBack(Count c, const DivisibleSymbols &d) {
  c.lo = d.restore(c.lo);
  if (c.hi)
    c.hi = d.restore(*c.hi);
  return c;
}

} // namespace

Count operator+(const Count &a, const Count &b) {
  Count c;
  c.lo = a.lo + b.lo;
  if (a.hi && b.hi)
    c.hi = *a.hi + *b.hi;
  c.exact = a.exact && b.exact;
  c.reason = joinReasons(a.reason, b.reason);
  return c;
}

Counts countStage(llvm::ArrayRef<Access> accesses, const Context &original) {
  DivisibleSymbols divisible(original);
  const Context &context = divisible.context();
  Counts total;
  total.issued = total.traffic = total.compulsory = exactly(Expr(0));
  std::vector<Access> replaced;
  std::vector<Prepared> prepared;
  for (const Access &one : accesses) {
    // A budget for each access: one hard access does not cost the others.
    PooledBudget budget(context);
    Counter counter(context, budget);
    Access a = divisible.replace(one);
    Prepared p = prepare(a, context, Facts(context.known, budget));
    Count issued = counter.issued(a, p);
    total.issued = total.issued + issued;
    total.traffic = total.traffic + counter.traffic(a, p, issued);
    replaced.push_back(std::move(a));
    prepared.push_back(std::move(p));
  }
  PooledBudget budget(context);
  Counter counter(context, budget);
  if (!accesses.empty())
    total.compulsory = counter.compulsory(replaced, prepared, total.traffic);
  total.issued = mapBack(total.issued, divisible);
  total.traffic = mapBack(total.traffic, divisible);
  total.compulsory = mapBack(total.compulsory, divisible);
  return total;
}

} // namespace ioflor::count
