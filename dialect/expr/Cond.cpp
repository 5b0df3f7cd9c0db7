//===- Cond.cpp - Canonical conditions ------------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/expr/Cond.h"
#include "dialect/expr/CondNode.h"
#include "dialect/expr/Node.h"

using namespace ioflor;
using namespace ioflor::detail;

static uint64_t mix(uint64_t h, uint64_t v) {
  h ^= v + 0x9e3779b97f4a7c15ull + (h << 6) + (h >> 2);
  return h * 0xff51afd7ed558ccdull;
}

Cond CondNode::make(CondNode &&n) {
  uint64_t h = mix(uint64_t(n.kind), n.negated);
  h = mix(h, size_t(n.expr.hash()));
  h = mix(h, size_t(llvm::hash_value(n.id)));
  for (const Cond &c : n.ops)
    h = mix(h, c.impl->hash);
  n.hash = h;
  return Cond(std::make_shared<const CondNode>(std::move(n)));
}

Cond CondNode::comparison(CondKind kind, const Expr &e) {
  CondNode n;
  n.kind = kind;
  n.expr = e;
  return make(std::move(n));
}

//===----------------------------------------------------------------------===//
// Construction and access
//===----------------------------------------------------------------------===//

Cond::Cond() {
  static const Cond *value = new Cond(CondNode::make(CondNode()));
  impl = value->impl;
}

Cond Cond::never() {
  static const Cond *value = [] {
    CondNode n;
    n.kind = CondKind::False;
    return new Cond(CondNode::make(std::move(n)));
  }();
  return *value;
}

/// g*r + c >= 0 is r + floor(c/g) >= 0.
Cond Cond::nonNegative(const Expr &e) {
  if (std::optional<BigInt> c = e.constant())
    return *c >= 0 ? always() : never();
  BigInt g = content(e, false);
  if (g == 1)
    return CondNode::comparison(CondKind::NonNegative, e);
  Expr r = divideExactly(withoutConstant(e), g);
  return CondNode::comparison(CondKind::NonNegative,
                              r + Expr(floorDiv(e.constantTerm(), g)));
}

/// The primitive form of e == 0; nullopt if no integers satisfy it.
static std::optional<Expr> primitiveEquation(const Expr &e) {
  BigInt g = content(e, false), c = e.constantTerm();
  if (c - floorDiv(c, g) * g != 0)
    return std::nullopt;
  Expr p = divideExactly(e, g);
  return leansNegative(p) ? -p : p;
}

Cond Cond::zero(const Expr &e) {
  if (std::optional<BigInt> c = e.constant())
    return *c == 0 ? always() : never();
  std::optional<Expr> p = primitiveEquation(e);
  return p ? CondNode::comparison(CondKind::Zero, *p) : never();
}

Cond Cond::nonZero(const Expr &e) {
  if (std::optional<BigInt> c = e.constant())
    return *c != 0 ? always() : never();
  std::optional<Expr> p = primitiveEquation(e);
  return p ? CondNode::comparison(CondKind::NonZero, *p) : always();
}

Cond Cond::unknown(llvm::StringRef reason, llvm::StringRef id) {
  CondNode n;
  n.kind = CondKind::Unknown;
  n.reason = reason.str();
  n.id = id.str();
  return CondNode::make(std::move(n));
}

CondKind Cond::kind() const { return impl->kind; }
const Expr &Cond::expr() const { return impl->expr; }
llvm::ArrayRef<Cond> Cond::operands() const { return impl->ops; }
llvm::StringRef Cond::reason() const { return impl->reason; }
llvm::StringRef Cond::id() const { return impl->id; }
bool Cond::isNegatedUnknown() const { return impl->negated; }

bool Cond::operator==(const Cond &other) const {
  return impl == other.impl ||
         (impl->hash == other.impl->hash && compare(other) == 0);
}

int Cond::compare(const Cond &other) const {
  if (impl == other.impl)
    return 0;
  const CondNode &a = *impl, &b = *other.impl;
  if (a.kind != b.kind)
    return a.kind < b.kind ? -1 : 1;
  if (int c = a.expr.compare(b.expr))
    return c;
  if (int c = llvm::StringRef(a.id).compare(b.id)) // the reason is no identity
    return c;
  if (a.negated != b.negated)
    return a.negated < b.negated ? -1 : 1;
  for (size_t i = 0, e = std::min(a.ops.size(), b.ops.size()); i < e; ++i)
    if (int c = a.ops[i].compare(b.ops[i]))
      return c;
  return a.ops.size() == b.ops.size()  ? 0
         : a.ops.size() < b.ops.size() ? -1
                                       : 1;
}

Cond ioflor::lt(const Expr &a, const Expr &b) {
  return Cond::nonNegative(b - a - 1);
}
Cond ioflor::le(const Expr &a, const Expr &b) {
  return Cond::nonNegative(b - a);
}
Cond ioflor::eq(const Expr &a, const Expr &b) { return Cond::zero(a - b); }
Cond ioflor::ne(const Expr &a, const Expr &b) { return Cond::nonZero(a - b); }

//===----------------------------------------------------------------------===//
// Traversals
//===----------------------------------------------------------------------===//

bool Cond::hasUnknown() const {
  if (kind() == CondKind::Unknown)
    return true;
  for (const Cond &c : operands())
    if (c.hasUnknown())
      return true;
  return false;
}

std::set<std::string> Cond::freeSymbols() const {
  std::set<std::string> out = expr().freeSymbols();
  for (const Cond &c : operands())
    out.merge(c.freeSymbols());
  return out;
}

std::vector<Cond> Cond::conjuncts() const {
  if (isAlways())
    return {};
  if (kind() == CondKind::And)
    return impl->ops;
  return {*this};
}

/// The comparison of the same kind over another expression.
static Cond compareAgain(CondKind kind, const Expr &e) {
  return kind == CondKind::NonNegative ? Cond::nonNegative(e)
         : kind == CondKind::Zero      ? Cond::zero(e)
                                       : Cond::nonZero(e);
}

Cond Cond::substitute(const std::map<std::string, Expr> &map) const {
  switch (kind()) {
  case CondKind::True:
  case CondKind::False:
  case CondKind::Unknown:
    return *this;
  case CondKind::NonNegative:
  case CondKind::Zero:
  case CondKind::NonZero:
    return compareAgain(kind(), expr().substitute(map));
  case CondKind::And:
  case CondKind::Or: {
    std::vector<Cond> ops;
    for (const Cond &c : operands())
      ops.push_back(c.substitute(map));
    return kind() == CondKind::And ? conjunction(ops) : disjunction(ops);
  }
  }
  return *this;
}

std::optional<bool> ioflor::evaluate(const Cond &c, const Valuation &at,
                                     ExprError *error) {
  switch (c.kind()) {
  case CondKind::True:
    return true;
  case CondKind::False:
    return false;
  case CondKind::NonNegative:
  case CondKind::Zero:
  case CondKind::NonZero: {
    std::optional<BigInt> v = evaluate(c.expr(), at, error);
    if (!v)
      return std::nullopt;
    return c.kind() == CondKind::NonNegative
               ? *v >= 0
               : (*v == 0) == (c.kind() == CondKind::Zero);
  }
  case CondKind::And:
  case CondKind::Or: {
    // An operand that cannot be decided matters only if no other one decides.
    bool absorbing = c.kind() == CondKind::Or, undecided = false;
    for (const Cond &o : c.operands()) {
      std::optional<bool> v = evaluate(o, at, error);
      if (v == absorbing)
        return absorbing;
      undecided |= !v;
    }
    if (undecided)
      return std::nullopt;
    return !absorbing;
  }
  case CondKind::Unknown:
    if (error)
      error->message = "unknown condition: " + c.reason().str();
    return std::nullopt;
  }
  return std::nullopt;
}
