//===- Print.cpp - Readable form of expressions ---------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/expr/Node.h"
#include "dialect/expr/PrintItems.h"
#include "dialect/expr/Words.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace ioflor;
using namespace ioflor::detail;

/// Looking for mods is quadratic; longer sums are printed as they are.
static constexpr size_t maxModTerms = 512;

static std::string power(const Expr &atom, unsigned p) {
  std::string s = atom.str();
  return p == 1 ? s : s + "**" + std::to_string(p);
}

/// The factors without the coefficient.
static std::string productText(const Expr &mono) {
  std::string s;
  for (const Factor &f : mono.factors()) {
    if (!s.empty())
      s += "*";
    s += power(f.first, f.second);
  }
  return s;
}

/// A product over the budget. Long sums first and the coefficient last, so that
/// reading it back meets the budget at once and keeps it factored.
static PrintItem factoredItem(const Expr &mono) {
  std::vector<Factor> sums;
  PrintItem item{BigInt(1), {}};
  std::string plain;
  for (const Factor &f : mono.factors()) {
    if (f.first.kind() == ExprKind::Add)
      sums.push_back(f);
    else
      plain += "*" + power(f.first, f.second);
  }
  llvm::sort(sums, [](const Factor &a, const Factor &b) {
    size_t x = termsRef(a.first).size(), y = termsRef(b.first).size();
    return x != y ? x > y : a.first < b.first;
  });
  for (const Factor &f : sums)
    for (unsigned i = 0; i < f.second; ++i)
      item.text += (item.text.empty() ? "(" : "*(") + f.first.str() + ")";
  item.text += plain;
  if (mono.coefficient() != 1)
    item.text += "*" + decimal(mono.coefficient());
  return item;
}

//===----------------------------------------------------------------------===//
// Remainders
//===----------------------------------------------------------------------===//

namespace {

/// q * mod(num, div), found in a sum.
struct Remainder {
  Expr q, num, div, rest;
};

} // namespace

static size_t variableTerms(const Expr &e) {
  llvm::ArrayRef<Expr> ts = termsRef(e);
  return ts.size() - (!ts.empty() && ts.back().isConst());
}

/// a / b if b's coefficient and atoms divide a's.
static std::optional<Expr> exactQuotient(const Expr &a, const Expr &b) {
  BigInt ca = a.coefficient(), cb = b.coefficient();
  if (cb == 0 || ca - (ca / cb) * cb != 0)
    return std::nullopt;
  std::optional<Expr> m = monomialQuotient(a, b);
  if (m)
    m = withCoefficient(*m, ca / cb);
  return m;
}

/// Tries to see `t`, a term of e that holds the division `atom`, as a part of
/// a remainder; the sum must get shorter by it.
static std::optional<Remainder> remainderAt(const Expr &e, const Expr &t,
                                            const Expr &atom) {
  std::optional<Expr> k = monomialQuotient(t, atom);
  if (!k)
    return std::nullopt;
  *k = withCoefficient(*k, t.coefficient());
  const Expr &x = atom.operands()[0], &D = atom.operands()[1];
  auto attempt = [&](const Expr &q, const Expr &num,
                     const Expr &div) -> std::optional<Remainder> {
    Expr rest = e - q * mod(num, div);
    if (variableTerms(rest) + 1 >= variableTerms(e))
      return std::nullopt;
    return Remainder{q, num, div, rest};
  };
  bool ceil = atom.kind() == ExprKind::CeilDiv;
  // q*mod(x, D) = q*x - q*D*floordiv(x, D);
  // q*mod(-x, D) = q*D*ceildiv(x, D) - q*x.
  if (std::optional<Expr> q = exactQuotient(*k, termsRef(D).front())) {
    if (auto r = ceil ? attempt(*q, -x, D) : attempt(-*q, x, D))
      return r;
  }
  // mod(floordiv(x, b), c) = floordiv(x, b) - c*floordiv(x, b*c).
  if (!ceil && D.kind() != ExprKind::Add && k->coefficient() < 0) {
    Expr c = -*k;
    if (std::optional<Expr> b = exactQuotient(D, c); b && !c.isOne())
      return attempt(Expr(1), floordiv(x, *b), c);
  }
  return std::nullopt;
}

static std::optional<Remainder> findRemainder(const Expr &e) {
  llvm::ArrayRef<Expr> ts = termsRef(e);
  if (ts.size() < 2 || ts.size() > maxModTerms)
    return std::nullopt;
  for (const Expr &t : ts) {
    MonoRef m(t);
    for (size_t i = 0; i < m.size(); ++i) {
      const Expr &a = m.atom(i);
      if (m.power(i) != 1 ||
          (a.kind() != ExprKind::FloorDiv && a.kind() != ExprKind::CeilDiv))
        continue;
      const Expr &D = a.operands()[1];
      if (D.isConst() && D.node()->value < 1)
        continue;
      if (std::optional<Remainder> r = remainderAt(e, t, a))
        return r;
    }
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

void detail::printSum(llvm::raw_ostream &os, std::vector<PrintItem> &items) {
  // A sum reads better when it does not start with a minus.
  auto positive = llvm::find_if(
      items, [](const PrintItem &i) { return i.coefficient > 0; });
  if (positive != items.end())
    std::rotate(items.begin(), positive, positive + 1);
  bool first = true;
  for (const PrintItem &i : items) {
    bool negative = i.coefficient < 0;
    os << (first ? (negative ? "-" : "") : (negative ? " - " : " + "));
    first = false;
    BigInt c = abs(i.coefficient);
    if (i.text.empty())
      os << c;
    else if (c == 1)
      os << i.text;
    else
      os << c << "*" << i.text;
  }
}

static PrintItem termItem(const Expr &t) {
  if (t.kind() == ExprKind::Mul &&
      t.node()->factors.back().first.kind() == ExprKind::Add)
    return factoredItem(t);
  return {t.coefficient(), productText(t)};
}

std::vector<PrintItem> detail::printItems(const Expr &e) {
  Expr rest = e;
  std::vector<PrintItem> mods, items;
  while (std::optional<Remainder> r = findRemainder(rest)) {
    std::string text = productText(r->q);
    if (!text.empty())
      text += "*";
    text += "mod(" + r->num.str() + ", " + r->div.str() + ")";
    mods.push_back({r->q.coefficient(), std::move(text)});
    rest = r->rest;
  }
  for (const Expr &t : termsRef(rest))
    if (!t.isConst())
      items.push_back(termItem(t));
  items.insert(items.end(), mods.begin(), mods.end());
  if (BigInt c = rest.constantTerm(); c != 0)
    items.push_back({c, {}});
  return items;
}

void Expr::print(llvm::raw_ostream &os) const {
  auto list = [&](llvm::StringRef f) {
    os << f << "(";
    llvm::interleave(operands(), os, [&](const Expr &o) { o.print(os); }, ", ");
    os << ")";
  };
  switch (kind()) {
  case ExprKind::Const:
    os << impl->value;
    return;
  case ExprKind::Symbol:
    os << impl->name;
    return;
  case ExprKind::Add:
  case ExprKind::Mul: {
    std::vector<PrintItem> items = printItems(*this);
    printSum(os, items);
    return;
  }
  case ExprKind::FloorDiv:
    return list("floordiv");
  case ExprKind::CeilDiv:
    return list("ceildiv");
  case ExprKind::Min:
    return list("min");
  case ExprKind::Max:
    return list("max");
  case ExprKind::Sum:
    os << "sum(";
    operands()[2].print(os);
    os << " for " << name() << " in range(";
    operands()[0].print(os);
    os << ", ";
    operands()[1].print(os);
    os << "))";
    return;
  }
}

std::string Expr::str() const {
  std::string s;
  llvm::raw_string_ostream os(s);
  print(os);
  return s;
}

llvm::raw_ostream &ioflor::operator<<(llvm::raw_ostream &os, const Expr &e) {
  e.print(os);
  return os;
}
