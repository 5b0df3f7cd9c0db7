//===- Context.cpp - What the stages of a subject share -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/ir/Context.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace ioflor;
using namespace ioflor::ir;

Context::Context(const frontend::SubjectSpec &spec,
                 const ReaderOptions &options, mlir::MLIRContext *mlir)
    : spec(spec), options(options), mlir(mlir) {
  for (const frontend::SymbolSpec &s : spec.symbols) {
    used.insert(s.name);
    known.declare(s.name, s.lo, s.hi);
  }
  for (const frontend::BufferSpec &b : spec.buffers)
    used.insert(b.name);
  for (const frontend::StageSpec &stage : spec.stages)
    for (const frontend::HostLoop &loop : stage.hostLoops)
      if (used.insert(loop.var).second)
        known.declare(loop.var, Expr(0), std::nullopt);
  // Names that expressions give a meaning of their own.
  for (StringRef word :
       {"min",  "max",   "sum",    "mod",   "floordiv", "ceildiv", "cdiv",
        "for",  "in",    "range",  "and",   "or",       "not",     "unknown",
        "True", "False", "M",      "if",    "else",     "is",      "lambda",
        "def",  "class", "return", "while", "from",     "import",  "None",
        "as",   "with",  "pass"})
    used.insert(word.str());
  for (const frontend::AssumptionSpec &a : spec.assumptions)
    ioflor::assume(known, a.condition);
}

std::string Context::identifier(StringRef text) {
  std::string id;
  for (char c : text)
    id.push_back(isAlnum(c) || c == '_' ? c : '_');
  if (id.empty() || isDigit(id.front()))
    id.insert(id.begin(), '_');
  return id;
}

std::string Context::fresh(StringRef base) {
  std::string name = identifier(base);
  // t1 is followed by t2, k by k1.
  StringRef stem = StringRef(name).rtrim("0123456789");
  unsigned n = 0;
  if (stem.size() < name.size())
    StringRef(name).drop_front(stem.size()).getAsInteger(10, n);
  std::string prefix = stem.str();
  while (!used.insert(name).second)
    name = prefix + std::to_string(++n);
  return name;
}

Expr Context::data(StringRef base, StringRef reason, mlir::Location loc,
                   std::optional<Expr> lo, std::optional<Expr> hi) {
  std::string name = fresh(base);
  dataNames.insert(name);
  reasons[name] = reason.str();
  known.declare(name, lo, hi);
  symbols.push_back({name, lo, hi, reason.str(), "", loc});
  return Expr::symbol(name);
}

Expr Context::parameter(StringRef base, std::optional<Expr> lo,
                        std::optional<Expr> hi, StringRef display,
                        mlir::Location loc) {
  auto [it, isNew] = parameters.try_emplace(base.str());
  if (isNew) {
    it->second = fresh(base);
    known.declare(it->second, lo, hi);
    symbols.push_back({it->second, lo, hi, "", display.str(), loc});
  }
  return Expr::symbol(it->second);
}

void Context::assume(const Cond &c, StringRef source) {
  if (c.isAlways())
    return;
  for (const frontend::AssumptionSpec &a : spec.assumptions)
    if (a.condition == c)
      return;
  for (const frontend::AssumptionSpec &a : assumptions)
    if (a.condition == c)
      return;
  assumptions.push_back({c, source.str()});
  ioflor::assume(known, c);
}

bool Context::isData(const Cond &c) const {
  for (const std::string &s : c.freeSymbols())
    if (dataNames.count(s))
      return true;
  return false;
}

std::string Context::dataReason(const std::set<std::string> &names) const {
  for (const std::string &s : names)
    if (auto it = reasons.find(s); it != reasons.end())
      return it->second;
  return "value not known";
}

std::optional<Expr> ioflor::ir::indicator(const Cond &c) {
  switch (c.kind()) {
  case CondKind::True:
    return Expr(1);
  case CondKind::False:
    return Expr(0);
  case CondKind::NonNegative:
    return min(Expr(1), max(Expr(0), c.expr() + 1));
  case CondKind::Zero:
    return 1 - min(Expr(1), max(c.expr(), -c.expr()));
  case CondKind::NonZero:
    return min(Expr(1), max(c.expr(), -c.expr()));
  case CondKind::And: {
    Expr product(1);
    for (const Cond &part : c.operands()) {
      auto e = indicator(part);
      if (!e)
        return std::nullopt;
      product *= *e;
    }
    return product;
  }
  case CondKind::Or: {
    Expr none(1);
    for (const Cond &part : c.operands()) {
      auto e = indicator(part);
      if (!e)
        return std::nullopt;
      none *= 1 - *e;
    }
    return 1 - none;
  }
  case CondKind::Unknown:
    return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Expr> ioflor::ir::indicated(const Expr &atom,
                                          const Assumptions &known) {
  if (atom.kind() != ExprKind::Min || atom.operands().size() != 2)
    return std::nullopt;
  for (unsigned side : {0u, 1u}) {
    if (!atom.operands()[side].isOne())
      continue;
    const Expr &y = atom.operands()[1 - side];
    if (y.kind() != ExprKind::Max)
      return known.isNonNegative(y) ? std::optional(y) : std::nullopt;
    if (y.operands().size() == 2)
      for (unsigned zero : {0u, 1u})
        if (y.operands()[zero].isZero())
          return y.operands()[1 - zero];
  }
  return std::nullopt;
}

Cond ioflor::ir::decoded(const Cond &c, const Assumptions &known) {
  if (c.kind() != CondKind::NonNegative && c.kind() != CondKind::Zero &&
      c.kind() != CondKind::NonZero)
    return c;
  std::vector<Expr> terms = c.expr().terms();
  if (terms.empty() || terms.size() > 2)
    return c;
  std::optional<Expr> z;
  BigInt factor(0), constant(0);
  for (const Expr &term : terms) {
    if (term.isConst()) {
      constant = *term.constant();
      continue;
    }
    auto factors = term.factors();
    if (z || factors.size() != 1 || factors.front().second != 1)
      return c;
    z = indicated(factors.front().first, known);
    factor = term.coefficient();
    if (!z)
      return c;
  }
  if (!z)
    return c;
  auto holds = [&](const BigInt &value) {
    switch (c.kind()) {
    case CondKind::NonNegative:
      return value >= BigInt(0);
    case CondKind::Zero:
      return value == BigInt(0);
    default:
      return value != BigInt(0);
    }
  };
  bool without = holds(constant), with = holds(constant + factor);
  if (without == with)
    return with ? Cond::always() : Cond::never();
  Cond indicatedCond = Cond::nonNegative(*z - 1);
  return with ? indicatedCond : !indicatedCond;
}

/// Two conjunctions that differ in one conjunct and its negation: what is
/// common to them.
static std::optional<Cond> merged(const Cond &a, const Cond &b) {
  std::vector<Cond> as = a.conjuncts(), bs = b.conjuncts(), common, onlyA,
                    onlyB;
  for (const Cond &c : as)
    (is_contained(bs, c) ? common : onlyA).push_back(c);
  for (const Cond &c : bs)
    if (!is_contained(common, c))
      onlyB.push_back(c);
  auto all = [](ArrayRef<Cond> cs) {
    Cond result;
    for (const Cond &c : cs)
      result = result && c;
    return result;
  };
  if (onlyA.empty())
    return a;
  if (onlyB.empty())
    return b;
  if (all(onlyA) == !all(onlyB))
    return all(common);
  // a or (not a and b) is a or b.
  if (onlyA.size() == 1) {
    auto it = find(onlyB, !onlyA.front());
    if (it != onlyB.end()) {
      onlyB.erase(it);
      return all(common) && (all(onlyA) || all(onlyB));
    }
  }
  if (onlyB.size() == 1) {
    auto it = find(onlyA, !onlyB.front());
    if (it != onlyA.end()) {
      onlyA.erase(it);
      return all(common) && (all(onlyB) || all(onlyA));
    }
  }
  return std::nullopt;
}

Cond ioflor::ir::anyOf(ArrayRef<Cond> conds) {
  std::vector<Cond> parts;
  for (const Cond &c : conds) {
    if (c.isAlways())
      return c;
    if (!c.isNever())
      parts.push_back(c);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < parts.size() && !changed; ++i)
      for (size_t j = i + 1; j < parts.size() && !changed; ++j)
        if (auto m = merged(parts[i], parts[j])) {
          if (m->isAlways())
            return *m;
          parts[i] = *m;
          parts.erase(parts.begin() + j);
          changed = true;
        }
  }
  Cond result = Cond::never();
  for (const Cond &c : parts)
    result = result || c;
  return result;
}
