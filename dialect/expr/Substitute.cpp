//===- Substitute.cpp - Free symbols and substitution ---------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/expr/Node.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace ioflor;
using namespace ioflor::detail;

//===----------------------------------------------------------------------===//
// Free symbols
//===----------------------------------------------------------------------===//

namespace {

/// Visits each shared node once in each scope of bound variables.
struct FreeSymbols {
  std::set<std::string> &out;
  std::vector<llvm::StringRef> bound;
  std::vector<llvm::DenseSet<const ExprNode *>> seen{1};

  void visit(const Expr &e) {
    const ExprNode *n = e.node();
    if (n->symbols == 0 || !seen.back().insert(n).second)
      return;
    if (n->kind == ExprKind::Symbol) {
      for (llvm::StringRef b : bound)
        if (b == n->name)
          return;
      out.insert(n->name);
      return;
    }
    if (n->kind == ExprKind::Sum) {
      visit(n->ops[0]);
      visit(n->ops[1]);
      bound.push_back(n->name);
      seen.emplace_back();
      visit(n->ops[2]);
      seen.pop_back();
      bound.pop_back();
      return;
    }
    for (const Expr &o : n->ops)
      visit(o);
  }
};

} // namespace

std::set<std::string> Expr::freeSymbols() const {
  std::set<std::string> out;
  FreeSymbols{out, {}}.visit(*this);
  return out;
}

static bool depends(const Expr &e, llvm::StringRef symbol, uint64_t bit,
                    llvm::DenseSet<const ExprNode *> &clean) {
  const ExprNode *n = e.node();
  if (!(n->symbols & bit))
    return false;
  if (n->kind == ExprKind::Symbol)
    return n->name == symbol;
  if (clean.contains(n))
    return false;
  for (size_t i = 0; i < n->ops.size(); ++i) {
    if (n->kind == ExprKind::Sum && i == 2 && n->name == symbol)
      break;
    if (depends(n->ops[i], symbol, bit, clean))
      return true;
  }
  clean.insert(n);
  return false;
}

bool Expr::dependsOn(llvm::StringRef symbol) const {
  llvm::DenseSet<const ExprNode *> clean;
  return depends(*this, symbol, symbolBit(symbol), clean);
}

bool Expr::dependsOnAny(const std::set<std::string> &symbols) const {
  for (const std::string &s : symbols)
    if (dependsOn(s))
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Substitution
//===----------------------------------------------------------------------===//

static Expr power(const Expr &base, unsigned p) {
  Expr out(1);
  for (unsigned i = 0; i < p; ++i)
    out *= base;
  return out;
}

Expr detail::rebuild(const Expr &e, llvm::function_ref<Expr(const Expr &)> f) {
  const ExprNode *n = e.node();
  switch (n->kind) {
  case ExprKind::Const:
  case ExprKind::Symbol:
    return e;
  case ExprKind::Add: {
    // Collect the terms and merge once: merging one by one is quadratic.
    std::vector<Expr> out;
    for (const Expr &t : n->ops) {
      Expr r = f(t);
      llvm::ArrayRef<Expr> ts = termsRef(r);
      out.insert(out.end(), ts.begin(), ts.end());
    }
    return sumOfTerms(std::move(out));
  }
  case ExprKind::Mul: {
    // Unchanged factors are multiplied as one monomial, the others after it.
    std::vector<Factor> same;
    std::vector<Factor> changed;
    for (const Factor &a : n->factors) {
      Expr r = f(a.first);
      if (r.node() == a.first.node())
        same.push_back(a);
      else
        changed.push_back({r, a.second});
    }
    if (changed.empty())
      return e;
    Expr out = ExprNode::monomial(n->value, std::move(same));
    for (const Factor &c : changed)
      out *= power(c.first, c.second);
    return out;
  }
  case ExprKind::FloorDiv:
    return floordiv(f(n->ops[0]), f(n->ops[1]));
  case ExprKind::CeilDiv:
    return ceildiv(f(n->ops[0]), f(n->ops[1]));
  case ExprKind::Min:
  case ExprKind::Max: {
    std::vector<Expr> es;
    for (const Expr &o : n->ops)
      es.push_back(f(o));
    return n->kind == ExprKind::Min ? min(es) : max(es);
  }
  case ExprKind::Sum:
    return sum(n->name, f(n->ops[0]), f(n->ops[1]), f(n->ops[2]));
  }
  return e;
}

namespace {

struct Substitution {
  const std::map<std::string, Expr> &map;
  uint64_t keys = 0; ///< mask of the replaced symbols
  llvm::DenseMap<const ExprNode *, Expr> memo;

  explicit Substitution(const std::map<std::string, Expr> &map) : map(map) {
    for (const auto &[name, by] : map)
      keys |= symbolBit(name);
  }

  Expr run(const Expr &e) {
    const ExprNode *n = e.node();
    if (!(n->symbols & keys))
      return e;
    if (n->kind == ExprKind::Symbol) {
      auto it = map.find(n->name);
      return it == map.end() ? e : it->second;
    }
    auto it = memo.find(n);
    if (it != memo.end())
      return it->second;
    Expr out = n->kind == ExprKind::Sum
                   ? runSum(n)
                   : rebuild(e, [&](const Expr &x) { return run(x); });
    memo.try_emplace(n, out);
    return out;
  }

  Expr runSum(const ExprNode *n) {
    const Expr &body = n->ops[2];
    // Inside, the bound variable hides a replaced symbol of the same name; and
    // it must be renamed if a replacement that is used mentions it.
    std::map<std::string, Expr> inner;
    bool captured = false;
    for (const auto &[name, by] : map) {
      if (name == n->name || !body.dependsOn(name))
        continue;
      inner.emplace(name, by);
      captured |= by.dependsOn(n->name);
    }
    std::string var = n->name;
    if (captured) {
      auto taken = [&](llvm::StringRef name) {
        if (body.dependsOn(name))
          return true;
        for (const auto &[from, by] : inner)
          if (by.dependsOn(name))
            return true;
        return false;
      };
      for (unsigned i = 1; taken(var); ++i)
        var = n->name + "_" + std::to_string(i);
      inner.emplace(n->name, Expr::symbol(var));
    }
    Expr newBody = inner.empty() ? body : body.substitute(inner);
    return sum(var, run(n->ops[0]), run(n->ops[1]), newBody);
  }
};

} // namespace

Expr Expr::substitute(const std::map<std::string, Expr> &map) const {
  Substitution s(map);
  if (!(impl->symbols & s.keys))
    return *this;
  return s.run(*this);
}

Expr Expr::substitute(llvm::StringRef symbol, const Expr &by) const {
  if (!(impl->symbols & symbolBit(symbol)))
    return *this;
  return substitute(std::map<std::string, Expr>{{symbol.str(), by}});
}
