//===- Affine.cpp - Expressions as affine functions of instances ----------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/coverage/sets/Affine.h"
#include "llvm/ADT/StringSet.h"
#include <cctype>

using namespace ioflor;
using namespace ioflor::sets;

std::string ioflor::sets::spell(llvm::StringRef name) {
  static const llvm::StringSet<> words = {
      "and",   "or",   "not",    "exists", "mod",     "min",      "max",
      "floor", "ceil", "floord", "ceild",  "infty",   "infinity", "NaN",
      "nan",   "true", "false",  "rat",    "implies", "cyclic"};
  std::string out;
  for (char c : name)
    out += std::isalnum(static_cast<unsigned char>(c)) || c == '_' ? c : '_';
  if (words.contains(llvm::StringRef(out).lower()) || words.contains(out))
    out = "v_" + out;
  return out;
}

std::string Parameters::name(llvm::StringRef symbol) {
  std::string n = spell(symbol);
  names.insert(n);
  return n;
}

std::string Parameters::opaque(const Expr &e) {
  auto [it, isNew] = opaqueNames.try_emplace(e, "");
  if (isNew) {
    it->second = "p__" + std::to_string(opaqueNames.size());
    names.insert(it->second);
  }
  return it->second;
}

std::string Parameters::prefix() const {
  std::string out;
  for (const std::string &n : names)
    out += (out.empty() ? "[" : ", ") + n;
  return out.empty() ? "" : out + "] -> ";
}

static std::string str(const BigInt &v) {
  std::string s;
  llvm::raw_string_ostream os(s);
  os << v;
  return s;
}

std::optional<std::string> Affine::atom(const Expr &e) {
  switch (e.kind()) {
  case ExprKind::Symbol:
    if (params.data.count(e.name().str()))
      return std::nullopt;
    return dims.count(e.name().str()) ? spell(e.name()) : params.name(e.name());
  case ExprKind::FloorDiv:
  case ExprKind::CeilDiv: {
    auto divisor = e.operands()[1].constant();
    if (!divisor || *divisor < 1)
      return std::nullopt;
    auto a = expr(e.operands()[0]);
    if (!a)
      return std::nullopt;
    const char *f = e.kind() == ExprKind::FloorDiv ? "floor" : "ceil";
    return std::string(f) + "((" + *a + ")/" + str(*divisor) + ")";
  }
  case ExprKind::Min:
  case ExprKind::Max: {
    std::string out;
    for (const Expr &o : e.operands()) {
      auto a = expr(o);
      if (!a)
        return std::nullopt;
      out = out.empty() ? *a
                        : (e.kind() == ExprKind::Min ? "min(" : "max(") + out +
                              ", " + *a + ")";
    }
    return out;
  }
  default:
    return std::nullopt;
  }
}

std::optional<std::string> Affine::expr(const Expr &e) {
  if (hasData(e))
    return std::nullopt;
  if (auto c = e.constant())
    return str(*c);
  std::string out;
  Expr opaque; // the parameter-only terms that are not affine
  for (const Expr &term : e.terms()) {
    auto factors = term.factors();
    std::optional<std::string> text;
    if (factors.empty())
      text = str(term.coefficient());
    else if (factors.size() == 1 && factors[0].second == 1) {
      if (auto a = atom(factors[0].first))
        text = str(term.coefficient()) + "*(" + *a + ")";
    }
    if (!text) {
      if (!isParameter(term))
        return std::nullopt;
      // Each product apart, without its coefficient: they meet again.
      Expr product = 1;
      for (const auto &[f, power] : factors)
        for (unsigned i = 0; i < power; ++i)
          product *= f;
      text = str(term.coefficient()) + "*" + params.opaque(product);
    }
    out += (out.empty() ? "" : " + ") + *text;
  }
  return out.empty() ? "0" : out;
}

/// A minimum that e grows with, or a maximum that it falls with, taken apart: e
/// with each operand in its place. e is the least of these (the greatest where
/// not `least`).
static std::optional<std::vector<Expr>> takeApart(const Expr &e, bool least) {
  for (const Expr &term : e.terms()) {
    auto factors = term.factors();
    if (factors.size() != 1 || factors[0].second != 1)
      continue;
    const Expr &atom = factors[0].first;
    Expr scale(term.coefficient());
    bool same = (term.coefficient() > 0) == least;
    std::vector<Expr> cases;
    if (atom.kind() == (same ? ExprKind::Min : ExprKind::Max)) {
      llvm::append_range(cases, atom.operands());
    } else if (atom.kind() == ExprKind::FloorDiv ||
               atom.kind() == ExprKind::CeilDiv) {
      const Expr &divisor = atom.operands()[1];
      if (std::optional<BigInt> d = divisor.constant(); !d || *d < 1)
        continue;
      auto inner = takeApart(atom.operands()[0], same);
      if (!inner)
        continue;
      for (const Expr &x : *inner)
        cases.push_back(atom.kind() == ExprKind::FloorDiv
                            ? floordiv(x, divisor)
                            : ceildiv(x, divisor));
    } else {
      continue;
    }
    for (Expr &c : cases)
      c = e - term + scale * c;
    return cases;
  }
  return std::nullopt;
}

/// All of these are not negative just where e is not. isl would make pieces of
/// the minima and maxima, and the work grows with the square of their number.
static std::vector<Expr> conjuncts(const Expr &e) {
  constexpr size_t most = 24;
  std::vector<Expr> open{e}, out;
  while (!open.empty()) {
    Expr x = open.back();
    open.pop_back();
    auto cases = takeApart(x, true);
    if (!cases)
      out.push_back(x);
    else if (open.size() + out.size() + cases->size() > most)
      return {e};
    else
      open.insert(open.end(), cases->rbegin(), cases->rend());
  }
  return out;
}

std::string Affine::cond(const Cond &c) {
  auto give = [&](llvm::StringRef reason) {
    if (!approximate)
      why = reason.str();
    approximate = true;
    return std::string("1 = 1");
  };
  switch (c.kind()) {
  case CondKind::True:
    return "1 = 1";
  case CondKind::False:
    return "1 = 0";
  case CondKind::NonNegative: {
    std::string out;
    for (const Expr &x : conjuncts(c.expr())) {
      auto e = expr(x);
      if (!e)
        return give("the condition '" + c.str() + "' is not affine");
      out += (out.empty() ? "(" : " and ") + *e + " >= 0";
    }
    return out + ")";
  }
  case CondKind::Zero:
  case CondKind::NonZero: {
    auto e = expr(c.expr());
    if (!e)
      return give("the condition '" + c.str() + "' is not affine");
    if (c.kind() == CondKind::NonZero)
      return "((" + *e + ") < 0 or (" + *e + ") > 0)";
    return "(" + *e + ") = 0";
  }
  case CondKind::And:
  case CondKind::Or: {
    std::string out;
    for (const Cond &o : c.operands()) {
      std::string text = "(" + cond(o) + ")";
      out += out.empty()
                 ? text
                 : (c.kind() == CondKind::And ? " and " : " or ") + text;
    }
    return "(" + out + ")";
  }
  case CondKind::Unknown:
    return give("a condition depends on " + c.reason().str());
  }
  return give("a condition could not be read");
}
