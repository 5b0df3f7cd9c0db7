//===- Floor.cpp - One lower bound ----------------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/floors/Floor.h"

using namespace ioflor;
using namespace ioflor::floors;

void ioflor::floors::assume(Floor &f, const std::vector<Cond> &hypotheses) {
  for (const Cond &c : hypotheses)
    if (!c.isAlways())
      f.hypotheses.push_back(c);
}

static BigInt content(const Expr &e) {
  BigInt g(0);
  for (const Expr &t : e.terms())
    g = gcdOf(g, llvm::abs(t.coefficient()));
  return g;
}

void ioflor::floors::reduce(Expr &num, Expr &den) {
  BigInt g = gcdOf(content(num), content(den));
  if (g <= 1)
    return;
  auto divide = [&](const Expr &e) {
    Expr out;
    for (const Expr &t : e.terms()) {
      Expr term(t.coefficient() / g);
      for (const auto &[atom, power] : t.factors())
        for (unsigned i = 0; i < power; ++i)
          term *= atom;
      out += term;
    }
    return out;
  };
  num = divide(num);
  den = divide(den);
}

std::optional<Surd> ioflor::floors::valueOf(const Floor &f, const Valuation &at,
                                            ExprError *error) {
  auto num = evaluate(f.num, at, error), den = evaluate(f.den, at, error);
  auto rootNum = evaluate(f.rootNum, at, error);
  auto rootDen = evaluate(f.rootDen, at, error);
  if (!num || !den || !rootNum || !rootDen)
    return std::nullopt;
  if (*den == 0 || *rootDen == 0 ||
      (*rootNum < 0) != (*rootDen < 0 && *rootNum != 0)) {
    if (error)
      error->message = "a floor divides by 0 or takes a root below 0";
    return std::nullopt;
  }
  return Surd(Rational(*num, *den), Rational(*rootNum, *rootDen));
}

bool ioflor::floors::applies(const Floor &f, const Valuation &at) {
  for (const Cond &c : f.hypotheses)
    if (!evaluate(c, at).value_or(false))
      return false;
  return true;
}

NumericFloor ioflor::floors::numericOf(const Floor &f, const Surd &value) {
  return {f.kind, value.ceil(), f.regime, f.against, value, f.source};
}

std::vector<NumericFloor>
ioflor::floors::numericFloors(const std::vector<Floor> &floors,
                              const Valuation &at) {
  std::vector<NumericFloor> out;
  for (const Floor &f : floors) {
    if (!applies(f, at))
      continue;
    if (auto v = valueOf(f, at))
      out.push_back(numericOf(f, *v));
  }
  return out;
}

const NumericFloor *
ioflor::floors::largest(const std::vector<NumericFloor> &floors) {
  const NumericFloor *best = nullptr;
  for (const NumericFloor &f : floors)
    if (!best || best->exact < f.exact)
      best = &f;
  return best;
}
