//===- Lemmas.cpp - Redundant facts that shorten proofs -------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What follows from the facts of a query but takes the solver long to find:
// products of two facts, and that a whole number is 1 or at least 2. Each is
// true of every integer point that the hypotheses admit.
//
//===----------------------------------------------------------------------===//
#include "passes/prover/Relax.h"

using namespace ioflor;
using namespace ioflor::prover;

/// term / by, where by is a monomial with coefficient 1 that divides it.
static std::optional<Expr> quotient(const Expr &term, const Expr &by) {
  std::map<std::string, unsigned> powers;
  for (const auto &[atom, power] : term.factors())
    powers[atom.name().str()] = power;
  for (const auto &[atom, power] : by.factors()) {
    auto it = powers.find(atom.name().str());
    if (it == powers.end() || it->second < power)
      return std::nullopt;
    it->second -= power;
  }
  Expr out(term.coefficient());
  for (const auto &[name, power] : powers)
    for (unsigned i = 0; i < power; ++i)
      out *= Expr::symbol(name);
  return out;
}

bool Relaxation::allNonNegative(const Expr &term) const {
  for (const auto &[atom, power] : term.factors())
    if (power % 2 != 0 && !nonNegative(atom.name().str()))
      return false;
  return true;
}

std::vector<Relaxation::Cover> Relaxation::covers() {
  std::vector<Cover> out;
  for (size_t i = 0; i < tokens.size(); ++i) {
    Expr meaning = tokens[i].meaning;
    if (meaning.kind() != ExprKind::CeilDiv || !known.isNonNegative(meaning))
      continue;
    Expr divisor = tokenise(meaning.operands()[1]);
    // A number, or a product of symbols.
    bool number = divisor.isConst();
    if (divisor.terms().size() != 1 ||
        (!number && divisor.coefficient() != BigInt(1)))
      continue;
    Expr covered = tokenise(meaning.operands()[0]);
    out.push_back({Expr::symbol(tokens[i].name), divisor, covered});
  }
  return out;
}

Expr Relaxation::weakened(const Expr &g) {
  Expr result = g;
  for (const Cover &c : covers()) {
    Expr out;
    for (const Expr &term : result.terms()) {
      Expr left = term;
      // Each t * divisor of a positive term is at least what it covers.
      for (unsigned i = 0; i < 4; ++i) {
        auto rest = quotient(left, c.token);
        if (!rest || left.coefficient() < 0)
          break;
        if (c.divisor.isConst()) {
          BigInt by = *c.divisor.constant();
          if (rest->coefficient() - rest->coefficient() / by * by != 0)
            break;
          Expr less(rest->coefficient() / by);
          for (const auto &[atom, power] : rest->factors())
            for (unsigned k = 0; k < power; ++k)
              less *= atom;
          rest = less;
        } else {
          rest = quotient(*rest, c.divisor);
        }
        if (!rest || !allNonNegative(*rest))
          break;
        Expr replaced = *rest * c.covered;
        if (replaced.terms().size() != 1) {
          left = replaced;
          break;
        }
        left = replaced;
      }
      out += left;
    }
    result = out;
  }
  return result;
}

std::vector<Fact> Relaxation::products() {
  std::vector<Fact> out;
  std::vector<Cover> all = covers();
  for (const Fact &h : hypotheses) {
    if (h.cond.kind() != CondKind::NonNegative)
      continue;
    for (const Cover &c : all) {
      // `more >= less` times the token: what of `less` holds the divisor is at
      // least what the token covers; the rest is not negative.
      Expr more, less;
      bool usable = true, found = false;
      BigInt scale = c.divisor.isConst() ? *c.divisor.constant() : BigInt(1);
      for (const Expr &term : h.cond.expr().terms()) {
        if (term.coefficient() > 0) {
          more += term;
          continue;
        }
        Expr size = -term;
        usable &= allNonNegative(size);
        auto rest = c.divisor.isConst() ? size : quotient(size, c.divisor);
        if (!rest || !allNonNegative(*rest))
          continue;
        less += *rest;
        found = true;
      }
      if (!usable || !found || more.isZero())
        continue;
      Fact f{Cond::nonNegative(Expr(scale) * more * c.token - less * c.covered),
             "the hypothesis times " + c.token.str()};
      if (std::find(out.begin(), out.end(), f) == out.end())
        out.push_back(f);
    }
  }
  return out;
}

std::vector<Fact> Relaxation::splits(const std::set<std::string> &used) const {
  std::vector<Fact> out;
  for (const Token &t : tokens) {
    bool division = t.meaning.kind() == ExprKind::CeilDiv ||
                    t.meaning.kind() == ExprKind::FloorDiv;
    if (!division || !used.count(t.name) || !known.isNonNegative(t.meaning))
      continue;
    // No whole number lies between two neighbours. As a polynomial, since a
    // condition `t == 1 or t >= 2` would be read as t >= 1.
    Expr e = Expr::symbol(t.name);
    for (int64_t n : {0, 1})
      if (n > 0 || !known.isPositive(t.meaning))
        out.push_back({Cond::nonNegative((e - n) * (e - (n + 1))),
                       t.name + " is a whole number"});
  }
  return out;
}
