//===- Expr.cpp - Canonical sums and products -----------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/expr/Monomial.h"
#include "dialect/expr/Node.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace ioflor;
using namespace ioflor::detail;

//===----------------------------------------------------------------------===//
// Construction and access
//===----------------------------------------------------------------------===//

static Expr makeConst(const BigInt &v);

/// Small constants are everywhere; they skip the table.
static const Expr &smallConst(int64_t v) {
  constexpr int64_t lo = -16, hi = 256;
  static const std::vector<Expr> *table = [] {
    auto *t = new std::vector<Expr>;
    for (int64_t i = lo; i <= hi; ++i)
      t->push_back(makeConst(BigInt(i)));
    return t;
  }();
  return (*table)[v - lo];
}

static Expr makeConst(const BigInt &v) {
  ExprNode n;
  n.kind = ExprKind::Const;
  n.value = normalized(v);
  return ExprNode::make(std::move(n));
}

Expr::Expr() : Expr(smallConst(0)) {}
Expr::Expr(int64_t v)
    : Expr(v >= -16 && v <= 256 ? smallConst(v) : makeConst(BigInt(v))) {}
Expr::Expr(const BigInt &v)
    : Expr(v >= -16 && v <= 256 ? smallConst(int64_t(v)) : makeConst(v)) {}

Expr Expr::symbol(llvm::StringRef name) {
  ExprNode n;
  n.kind = ExprKind::Symbol;
  n.name = name.str();
  return ExprNode::make(std::move(n));
}

ExprKind Expr::kind() const { return impl->kind; }
bool Expr::isZero() const { return isConst() && impl->value == 0; }
bool Expr::isOne() const { return isConst() && impl->value == 1; }

std::optional<BigInt> Expr::constant() const {
  if (!isConst())
    return std::nullopt;
  return impl->value;
}

std::optional<int64_t> Expr::constant64() const {
  if (!isConst() || !fits64(impl->value))
    return std::nullopt;
  return int64_t(impl->value);
}

llvm::StringRef Expr::name() const { return impl->name; }
llvm::ArrayRef<Expr> Expr::operands() const { return impl->ops; }
llvm::hash_code Expr::hash() const { return llvm::hash_code(impl->hash); }
size_t Expr::size() const { return impl->size; }
unsigned Expr::depth() const { return impl->depth; }

std::vector<Expr> Expr::terms() const {
  llvm::ArrayRef<Expr> ts = termsRef(*this);
  return std::vector<Expr>(ts.begin(), ts.end());
}

Expr ioflor::primitivePart(const Expr &monomial) {
  return detail::primitive(monomial);
}

BigInt Expr::coefficient() const { return MonoRef(*this).coefficient(); }

std::vector<std::pair<Expr, unsigned>> Expr::factors() const {
  if (kind() == ExprKind::Const)
    return {};
  if (kind() == ExprKind::Mul)
    return impl->factors;
  return {{*this, 1u}};
}

BigInt Expr::constantTerm() const {
  llvm::ArrayRef<Expr> ts = termsRef(*this);
  if (!ts.empty() && ts.back().isConst())
    return ts.back().node()->value;
  return BigInt(0);
}

bool Expr::operator==(const Expr &other) const {
  if (impl == other.impl)
    return true;
  // Interning makes pointers decide, unless two copies of this library met in
  // one process.
  return impl->hash == other.impl->hash && compare(other) == 0;
}

Expr Expr::operator-() const { return Expr(-1) * *this; }
Expr &Expr::operator+=(const Expr &e) { return *this = *this + e; }
Expr &Expr::operator-=(const Expr &e) { return *this = *this - e; }
Expr &Expr::operator*=(const Expr &e) { return *this = *this * e; }

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

/// Sums come last, so that a factored product (see maxProductTerms) prints its
/// plain factors apart.
static int kindRank(ExprKind k) {
  switch (k) {
  case ExprKind::Const:
    return 0;
  case ExprKind::Symbol:
    return 1;
  case ExprKind::CeilDiv:
    return 2;
  case ExprKind::FloorDiv:
    return 3;
  case ExprKind::Min:
    return 4;
  case ExprKind::Max:
    return 5;
  case ExprKind::Sum:
    return 6;
  case ExprKind::Mul:
    return 7;
  case ExprKind::Add:
    return 8;
  }
  return 9;
}

int detail::compareAtoms(const Expr &a, const Expr &b) {
  const ExprNode *x = a.node(), *y = b.node();
  if (x == y)
    return 0;
  if (x->kind != y->kind)
    return kindRank(x->kind) < kindRank(y->kind) ? -1 : 1;
  if (x->kind == ExprKind::Add)
    return a.compare(b);
  if (x->ops.size() != y->ops.size())
    return x->ops.size() < y->ops.size() ? -1 : 1;
  for (size_t i = 0; i < x->ops.size(); ++i)
    if (int c = x->ops[i].compare(y->ops[i]))
      return c;
  return llvm::StringRef(x->name).compare(y->name);
}

int detail::compareMonomials(const Expr &a, const Expr &b) {
  if (a.node() == b.node())
    return 0;
  MonoRef x(a), y(b);
  if (x.degree() != y.degree())
    return x.degree() > y.degree() ? -1 : 1;
  for (size_t i = 0, e = std::min(x.size(), y.size()); i < e; ++i) {
    if (int c = compareAtoms(x.atom(i), y.atom(i)))
      return c;
    if (x.power(i) != y.power(i))
      return x.power(i) > y.power(i) ? -1 : 1;
  }
  return 0; // equal degree and equal prefix: equal
}

int Expr::compare(const Expr &other) const {
  if (impl == other.impl)
    return 0;
  llvm::ArrayRef<Expr> x = termsRef(*this), y = termsRef(other);
  for (size_t i = 0, e = std::min(x.size(), y.size()); i < e; ++i) {
    if (x[i].impl == y[i].impl)
      continue;
    if (int c = compareMonomials(x[i], y[i]))
      return c;
    BigInt cx = x[i].coefficient(), cy = y[i].coefficient();
    if (cx != cy)
      return cx < cy ? -1 : 1;
  }
  return x.size() == y.size() ? 0 : x.size() < y.size() ? -1 : 1;
}

//===----------------------------------------------------------------------===//
// Sums and products
//===----------------------------------------------------------------------===//

llvm::ArrayRef<Expr> detail::termsRef(const Expr &e) {
  if (e.kind() == ExprKind::Add)
    return e.node()->ops;
  if (e.isZero())
    return {};
  return llvm::ArrayRef<Expr>(e);
}

Expr detail::withCoefficient(const Expr &mono, const BigInt &c) {
  if (c == 0)
    return Expr();
  if (mono.isConst())
    return Expr(c);
  return ExprNode::monomial(c, mono.factors());
}

Expr detail::primitive(const Expr &mono) {
  return withCoefficient(mono, BigInt(1));
}

/// Builds an Add from combined, sorted, nonzero monomials.
static Expr fromSorted(std::vector<Expr> terms) {
  if (terms.empty())
    return Expr();
  if (terms.size() == 1)
    return terms.front();
  return ExprNode::make(ExprKind::Add, std::move(terms));
}

Expr detail::sumOfTerms(std::vector<Expr> terms) {
  llvm::sort(terms, [](const Expr &a, const Expr &b) {
    return compareMonomials(a, b) < 0;
  });
  std::vector<Expr> out;
  out.reserve(terms.size());
  for (size_t i = 0; i < terms.size();) {
    size_t j = i + 1;
    if (j == terms.size() || compareMonomials(terms[i], terms[j]) != 0) {
      if (!terms[i].isZero())
        out.push_back(std::move(terms[i]));
      i = j;
      continue;
    }
    BigInt c = terms[i].coefficient();
    for (; j < terms.size() && compareMonomials(terms[i], terms[j]) == 0; ++j)
      c += terms[j].coefficient();
    if (c != 0)
      out.push_back(withCoefficient(terms[i], c));
    i = j;
  }
  return fromSorted(std::move(out));
}

static Expr merge(const Expr &a, const Expr &b, int sign) {
  llvm::ArrayRef<Expr> x = termsRef(a), y = termsRef(b);
  if (y.empty())
    return a;
  if (x.empty())
    return sign > 0 ? b : -b;
  std::vector<Expr> out;
  out.reserve(x.size() + y.size());
  size_t i = 0, j = 0;
  auto right = [&](const Expr &t) {
    return sign > 0 ? t : withCoefficient(t, -t.coefficient());
  };
  while (i < x.size() && j < y.size()) {
    int c = compareMonomials(x[i], y[j]);
    if (c < 0) {
      out.push_back(x[i++]);
    } else if (c > 0) {
      out.push_back(right(y[j++]));
    } else {
      BigInt k = sign > 0 ? x[i].coefficient() + y[j].coefficient()
                          : x[i].coefficient() - y[j].coefficient();
      if (k != 0)
        out.push_back(withCoefficient(x[i], k));
      ++i, ++j;
    }
  }
  for (; i < x.size(); ++i)
    out.push_back(x[i]);
  for (; j < y.size(); ++j)
    out.push_back(right(y[j]));
  return fromSorted(std::move(out));
}

Expr ioflor::operator+(const Expr &a, const Expr &b) { return merge(a, b, 1); }
Expr ioflor::operator-(const Expr &a, const Expr &b) { return merge(a, b, -1); }

Expr detail::mulMonomials(const Expr &a, const Expr &b) {
  MonoRef x(a), y(b);
  std::vector<Factor> fs;
  fs.reserve(x.size() + y.size());
  size_t i = 0, j = 0;
  while (i < x.size() && j < y.size()) {
    int c = compareAtoms(x.atom(i), y.atom(j));
    if (c < 0) {
      fs.push_back({x.atom(i), x.power(i)}), ++i;
    } else if (c > 0) {
      fs.push_back({y.atom(j), y.power(j)}), ++j;
    } else {
      fs.push_back({x.atom(i), x.power(i) + y.power(j)});
      ++i, ++j;
    }
  }
  for (; i < x.size(); ++i)
    fs.push_back({x.atom(i), x.power(i)});
  for (; j < y.size(); ++j)
    fs.push_back({y.atom(j), y.power(j)});
  return ExprNode::monomial(x.coefficient() * y.coefficient(), std::move(fs));
}

/// A monomial with a sum among its atoms (a product over the budget).
static bool isFactored(const Expr &e) {
  return e.kind() == ExprKind::Mul &&
         e.node()->factors.back().first.kind() == ExprKind::Add;
}

Expr ioflor::operator*(const Expr &a, const Expr &b) {
  if (a.isZero() || b.isZero())
    return Expr();
  if (a.isOne())
    return b;
  if (b.isOne())
    return a;
  bool sumA = a.kind() == ExprKind::Add, sumB = b.kind() == ExprKind::Add;
  if (!sumA && !sumB)
    return mulMonomials(a, b);
  llvm::ArrayRef<Expr> x = termsRef(a), y = termsRef(b);
  if ((sumA && sumB && x.size() * y.size() > maxProductTerms) ||
      (sumA && isFactored(b)) || (sumB && isFactored(a))) {
    // A sum is an atom here; each side becomes a monomial.
    auto asMono = [](const Expr &e) {
      return e.kind() == ExprKind::Add
                 ? ExprNode::monomial(BigInt(1), {Factor(e, 1u)})
                 : e;
    };
    return mulMonomials(asMono(a), asMono(b));
  }
  std::vector<Expr> out;
  out.reserve(x.size() * y.size());
  for (const Expr &s : x)
    for (const Expr &t : y)
      out.push_back(mulMonomials(s, t));
  return sumOfTerms(std::move(out));
}

//===----------------------------------------------------------------------===//
// Helpers over monomials
//===----------------------------------------------------------------------===//

std::optional<Expr> detail::monomialQuotient(const Expr &a, const Expr &b) {
  MonoRef x(a), y(b);
  if (y.degree() > x.degree())
    return std::nullopt;
  std::vector<Factor> fs;
  size_t j = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    unsigned p = x.power(i);
    if (j < y.size() && x.atom(i) == y.atom(j)) {
      if (y.power(j) > p)
        return std::nullopt;
      p -= y.power(j++);
    }
    if (p)
      fs.push_back({x.atom(i), p});
  }
  if (j != y.size())
    return std::nullopt;
  return ExprNode::monomial(BigInt(1), std::move(fs));
}

Expr detail::divideExactly(const Expr &e, const BigInt &g) {
  if (g == 1)
    return e;
  std::vector<Expr> out;
  for (const Expr &t : termsRef(e))
    out.push_back(withCoefficient(t, t.coefficient() / g));
  return fromSorted(std::move(out));
}

BigInt detail::content(const Expr &e, bool withConstant) {
  BigInt g(0);
  for (const Expr &t : termsRef(e)) {
    if (t.isConst() && !withConstant)
      continue;
    g = gcd(g, abs(t.coefficient()));
    if (g == 1)
      break;
  }
  return g;
}

Expr detail::withoutConstant(const Expr &e) {
  llvm::ArrayRef<Expr> ts = termsRef(e);
  if (ts.empty() || !ts.back().isConst())
    return e;
  ts = ts.drop_back();
  return fromSorted(std::vector<Expr>(ts.begin(), ts.end()));
}

bool detail::leansNegative(const Expr &e) {
  int balance = 0, leading = 0;
  for (const Expr &t : termsRef(e)) {
    if (t.isConst())
      continue;
    int s = t.coefficient() < 0 ? -1 : 1;
    balance += s;
    if (!leading)
      leading = s;
  }
  return balance < 0 || (balance == 0 && leading < 0);
}

const Expr *detail::soleAtom(const Expr &e) {
  llvm::ArrayRef<Expr> ts = termsRef(e);
  if (ts.empty() || ts.size() > 2 || (ts.size() == 2 && !ts[1].isConst()))
    return nullptr;
  if (ts[0].isConst() || ts[0].kind() == ExprKind::Mul)
    return nullptr;
  return &ts[0];
}

//===----------------------------------------------------------------------===//
// Polynomial views
//===----------------------------------------------------------------------===//

std::optional<std::vector<Expr>>
Expr::asPolynomialIn(llvm::StringRef symbol) const {
  std::vector<std::vector<Expr>> byPower(1);
  for (const Expr &t : termsRef(*this)) {
    unsigned power = 0;
    std::vector<Factor> rest;
    for (const Factor &f : t.factors()) {
      if (f.first.kind() == ExprKind::Symbol && f.first.name() == symbol) {
        power = f.second;
        continue;
      }
      if (f.first.dependsOn(symbol))
        return std::nullopt;
      rest.push_back(f);
    }
    if (byPower.size() <= power)
      byPower.resize(power + 1);
    byPower[power].push_back(
        ExprNode::monomial(t.coefficient(), std::move(rest)));
  }
  std::vector<Expr> out;
  for (std::vector<Expr> &ts : byPower)
    out.push_back(sumOfTerms(std::move(ts)));
  return out;
}

std::optional<std::pair<Expr, Expr>>
Expr::asAffineIn(llvm::StringRef symbol) const {
  std::optional<std::vector<Expr>> p = asPolynomialIn(symbol);
  if (!p || p->size() > 2)
    return std::nullopt;
  return std::pair(p->size() == 2 ? (*p)[1] : Expr(), (*p)[0]);
}
