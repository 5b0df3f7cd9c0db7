//===- Algebra.cpp - What operations make of provenance -------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/coverage/exec/Value.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::coverage;

/// At most this counts as minus infinity: the fillers that programs write for
/// masked scores and first maxima (-1e4 for halves, -1e9, -1e30, -FLT_MAX).
static constexpr double maskedAtMost = -1e4;

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

uint32_t Algebra::intern(Columns c) {
  auto [it, fresh] = setIds.try_emplace({c.bits, c.twice}, sets.size());
  if (fresh)
    sets.push_back(std::move(c));
  return it->second;
}

uint32_t Algebra::single(uint32_t column) {
  if (singles.size() <= column)
    singles.resize(column + 1, 0);
  if (!singles[column]) {
    Columns c;
    c.bits.resize(column / 64 + 1);
    c.bits.back() = 1ULL << (column % 64);
    c.count = 1;
    singles[column] = intern(std::move(c)) + 1;
  }
  return singles[column] - 1;
}

uint32_t Algebra::unite(uint32_t a, uint32_t b) {
  auto [it, fresh] = unions.try_emplace({a, b}, 0);
  if (!fresh)
    return it->second;
  Columns c = sets[a];
  const Columns &d = sets[b];
  c.bits.resize(std::max(c.bits.size(), d.bits.size()));
  c.twice |= d.twice;
  for (auto [i, bits] : llvm::enumerate(d.bits)) {
    c.twice |= (c.bits[i] & bits) != 0;
    c.bits[i] |= bits;
  }
  c.count = 0;
  for (uint64_t bits : c.bits)
    c.count += llvm::popcount(bits);
  uint32_t id = intern(std::move(c));
  unions[{a, b}] = id;
  return id;
}

Val Algebra::weight(Val score, Val denominator) {
  auto [it, fresh] =
      weightIds.try_emplace({score.bits, denominator.bits}, weights.size());
  if (fresh)
    weights.push_back({score, denominator});
  return Val::make(Kind::Weight, it->second);
}

Val Algebra::prod(Val weight, Val entry) {
  prods.push_back({weight, entry});
  return Val::make(Kind::Prod, prods.size() - 1);
}

Val Algebra::sum(Val a, Val b) {
  sums.push_back({a, b});
  return Val::make(Kind::Sum, sums.size() - 1);
}

Val Algebra::quot(Val numerator, Val denominator) {
  auto [it, fresh] =
      quotIds.try_emplace({numerator.bits, denominator.bits}, quots.size());
  if (fresh)
    quots.push_back({numerator, denominator});
  return Val::make(Kind::Quot, it->second);
}

Val Algebra::unknown(Operation *at, StringRef why) {
  auto [it, fresh] = reasonIds.try_emplace(
      {at, static_cast<uint64_t>(llvm::hash_value(why))}, reasons.size());
  if (fresh)
    reasons.push_back({at, why.str()});
  return Val::make(Kind::Unknown, it->second);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

Val Algebra::constant(StringRef text, Operation *at) {
  if (text == "undef")
    return Val();
  if (text == "unknown" || text == "not modelled" ||
      text == "unknown condition")
    return unknown(at, "a value that was not read");
  if (text == "0" || text == "memset")
    return Val::number(Zero);
  if (text == "-Inf" || text == "-inf")
    return Val::number(MinusInfinity);
  double value;
  // A parameter or an expression of indices: which number is not known.
  if (text.getAsDouble(value))
    return Val::make(Kind::Data);
  return Val::number(value == 0              ? Zero
                     : value <= maskedAtMost ? MinusInfinity
                                             : Other);
}

/// Numbers and data only: nothing of attention in it.
static bool isPlain(Val v) {
  return v.is(Kind::Num) || v.is(Kind::Data) || v.is(Kind::Shift);
}

Val Algebra::add(Val a, Val b, Operation *at) {
  if (a.isNumber(Zero))
    return b;
  if (b.isNumber(Zero))
    return a;
  if (a.isNumber(MinusInfinity) || b.isNumber(MinusInfinity))
    return Val::number(MinusInfinity);
  if (isWeighted(a) && isWeighted(b))
    return sum(a, b);
  // What else is added to weights is kept with them: an epsilon, a sink's
  // weight, or a part that was not followed.
  if (isWeighted(a) || isWeighted(b)) {
    Val w = isWeighted(a) ? a : b, o = isWeighted(a) ? b : a;
    return o.is(Kind::Num) ? w : sum(w, o);
  }
  if (a.is(Kind::Unknown))
    return a;
  if (b.is(Kind::Unknown))
    return b;
  if (a.is(Kind::Undef) || b.is(Kind::Undef))
    return Val();
  if (a.is(Kind::Score) && b.is(Kind::Score)) {
    ScoreRef x = scoreOf(a), y = scoreOf(b);
    if (x.q == y.q && x.k == y.k)
      return score(x.q, x.k, unite(x.columns, y.columns));
    return unknown(at, "a sum of products of different rows");
  }
  if (a.is(Kind::Recip) || b.is(Kind::Recip))
    return Val::make(Kind::Data);
  // A bias or a shift leaves a score the score of its pair, an entry its entry.
  for (Kind k : {Kind::Score, Kind::Entry})
    if (a.is(k) != b.is(k)) {
      Val v = a.is(k) ? a : b, o = a.is(k) ? b : a;
      if (isPlain(o))
        return v;
      return unknown(at, "a sum of an entry and something else");
    }
  if (a.is(Kind::Entry))
    return unknown(at, "a sum of entries");
  if (a.is(Kind::Num) && b.is(Kind::Num))
    return Val::number(Other);
  return Val::make(Kind::Data);
}

Val Algebra::neg(Val a) {
  return a.isNumber(MinusInfinity) ? Val::number(Other) : a;
}

Val Algebra::sub(Val a, Val b, Operation *at) {
  // A number less a statistic: what a masked or zero-filled score becomes
  // before exp.
  if (a.is(Kind::Num) && !a.isNumber(MinusInfinity) &&
      (b.is(Kind::Data) || b.is(Kind::Score) || b.is(Kind::Shift)))
    return Val::make(Kind::Shift);
  if (a.is(Kind::Shift) && (b.is(Kind::Data) || b.is(Kind::Num)))
    return a;
  if (a.is(Kind::Score) && b.is(Kind::Score))
    // A score less a maximum that is this score or another one.
    return a == b ? a : unknown(at, "the difference of two scores");
  if (b.isNumber(MinusInfinity)) // a first maximum
    return a.is(Kind::Num) ? Val::number(Other) : a;
  return add(a, b.isNumber(Zero) ? b : neg(b), at);
}

Val Algebra::mul(Val a, Val b, Operation *at) {
  if (a.isNumber(Zero) || b.isNumber(Zero))
    return Val::number(Zero);
  if (a.is(Kind::Num))
    return a.isNumber(MinusInfinity) && !b.is(Kind::Unknown) ? a : b;
  if (b.is(Kind::Num))
    return b.isNumber(MinusInfinity) && !a.is(Kind::Unknown) ? b : a;
  if (a.is(Kind::Unknown) || b.is(Kind::Unknown))
    return a.is(Kind::Unknown) ? a : b;
  if (a.is(Kind::Undef) || b.is(Kind::Undef)) {
    // A weight times a word never written is still that weight in the sum.
    Val o = a.is(Kind::Undef) ? b : a;
    return o.is(Kind::Weight) || o.is(Kind::Phantom) ? prod(o, Val()) : Val();
  }
  auto either = [&](Kind k) { return a.is(k) || b.is(k); };
  auto the = [&](Kind k) { return a.is(k) ? a : b; };
  auto otherThan = [&](Kind k) { return a.is(k) ? b : a; };
  if (either(Kind::Data))
    return otherThan(Kind::Data);
  if (either(Kind::Shift))
    return isPlain(otherThan(Kind::Shift))
               ? the(Kind::Shift)
               : unknown(at, "a product with a shifted number");
  if (a.is(Kind::Entry) && b.is(Kind::Entry)) {
    EntryRef x = entryOf(a), y = entryOf(b);
    if (x.role == Role::K && y.role == Role::Q)
      std::swap(x, y);
    if (x.role == Role::Q && y.role == Role::K) {
      if (x.column != y.column)
        return unknown(at, "a product of two different columns");
      return score(x.row, y.row, single(x.column));
    }
    return Val::make(Kind::Data);
  }
  if (either(Kind::Recip)) {
    Val o = otherThan(Kind::Recip), d = divisorOf(the(Kind::Recip));
    if (o.is(Kind::Weight) && partsOf(o).second == Val())
      return weight(partsOf(o).first, d);
    if (isWeighted(o))
      return div(o, d, at);
    return o.is(Kind::Recip) || o.is(Kind::Entry) || o.is(Kind::Score)
               ? unknown(at, "a product with the inverse of a sum of weights")
               : the(Kind::Recip);
  }
  for (Kind k : {Kind::Weight, Kind::Phantom})
    if (either(k) && otherThan(k).is(Kind::Entry))
      return prod(the(k), otherThan(k));
  // exp(constant - maximum) as the factor of a sum: rescaling.
  if (either(Kind::Phantom) && isWeighted(otherThan(Kind::Phantom)))
    return otherThan(Kind::Phantom);
  if (either(Kind::Quot) && isWeighted(a) && isWeighted(b)) {
    // Partial results are combined by the sums that they were divided by.
    if (a.is(Kind::Quot) && partsOf(a).second == b)
      return partsOf(a).first;
    if (b.is(Kind::Quot) && partsOf(b).second == a)
      return partsOf(b).first;
    if (a.is(Kind::Quot) && b.is(Kind::Quot)) {
      Pair x = partsOf(a), y = partsOf(b);
      if (x.second == y.first)
        return quot(x.first, y.second);
      if (y.second == x.first)
        return quot(y.first, x.second);
    }
  }
  return unknown(at, "a product that attention does not have");
}

Val Algebra::recip(Val a, Operation *at) {
  if (isWeighted(a)) {
    auto [it, fresh] = recipIds.try_emplace(a.bits, recips.size());
    if (fresh)
      recips.push_back(a);
    return Val::make(Kind::Recip, it->second);
  }
  switch (a.kind()) {
  case Kind::Num:
    return Val::number(Other);
  case Kind::Recip:
    return divisorOf(a);
  case Kind::Unknown:
    return a;
  default:
    return Val::make(Kind::Data);
  }
}

Val Algebra::div(Val a, Val b, Operation *at) {
  if (isWeighted(b)) {
    if (a.is(Kind::Weight) && partsOf(a).second == Val())
      return weight(partsOf(a).first, b);
    if (isWeighted(a))
      return quot(a, b);
    if (a.isNumber(Zero))
      return a;
    return mul(a, recip(b, at), at);
  }
  // What it is divided by is not followed; what it is made of is.
  if (isWeighted(a))
    return a.is(Kind::Weight) || b.is(Kind::Num) || b.is(Kind::Data)
               ? a
               : quot(a, b);
  return mul(a, recip(b, at), at);
}

Val Algebra::max(Val a, Val b) {
  if (a == b)
    return a;
  // The lesser number is of no account.
  if (a.isNumber(MinusInfinity) && (b.is(Kind::Num) || b.is(Kind::Data)))
    return b;
  if (b.isNumber(MinusInfinity) && (a.is(Kind::Num) || a.is(Kind::Data)))
    return a;
  if (a.is(Kind::Num) && b.is(Kind::Num))
    return Val::number(Other);
  return Val::make(Kind::Data);
}

Val Algebra::exp(Val a, Operation *at) {
  switch (a.kind()) {
  case Kind::Undef:
    return Val::make(Kind::Phantom, 1);
  case Kind::Shift:
    return Val::make(Kind::Phantom, 0);
  case Kind::Num:
    return a.isNumber(MinusInfinity) ? Val::number(Zero) : Val::number(Other);
  case Kind::Score:
    return weight(a, Val());
  case Kind::Unknown:
    return a;
  case Kind::Data:
  case Kind::Entry:
    return Val::make(Kind::Data);
  default:
    return unknown(at, "exp of a sum of weights");
  }
}

Val Algebra::other(ArrayRef<Val> in, StringRef name, Operation *at) {
  if (name.contains("log") || name.contains("lg2"))
    return Val::make(Kind::Data);
  Val found = Val::make(Kind::Data);
  for (Val v : in) {
    if (v.is(Kind::Num) || v.is(Kind::Data) || v.is(Kind::Recip))
      continue;
    // tanh of a score, say: of one value.
    if (in.size() > 1 || !v.is(Kind::Score))
      return v.is(Kind::Unknown)
                 ? v
                 : unknown(at, "a function that is not modelled");
    found = v;
  }
  return found;
}
