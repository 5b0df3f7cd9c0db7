//===- Generator.cpp - Random expressions with a reference value ----------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Common.h"

using namespace ioflor;
using namespace ioflor::test;

using At = std::map<std::string, int64_t>;

static int64_t floorOf(int64_t a, int64_t b) {
  int64_t q = a / b;
  return a % b < 0 ? q - 1 : q;
}

Reference Generator::leaf() {
  if (pick(0, 3) == 0) {
    int64_t v = pick(-9, 9);
    return {Expr(v), [v](const At &) { return v; }};
  }
  std::string n = names[pick(0, names.size() - 1)];
  return {Expr::symbol(n), [n](const At &at) { return at.at(n); }};
}

Reference Generator::divisor(unsigned depth) {
  int64_t c = pick(1, 8);
  switch (pick(0, 4)) {
  case 0: {
    Reference a = leaf();
    if (a.expr.kind() != ExprKind::Symbol)
      break;
    return a;
  }
  case 1: {
    std::string n = names[pick(0, names.size() - 1)];
    return {Expr(c) * Expr::symbol(n),
            [c, n](const At &at) { return c * at.at(n); }};
  }
  case 2: {
    std::string n = names[pick(0, names.size() - 1)];
    return {Expr::symbol(n) + c, [c, n](const At &at) { return at.at(n) + c; }};
  }
  case 3: {
    Reference a = expr(depth);
    return {max(a.expr, Expr(1)), [v = a.value](const At &at) {
              return std::max<int64_t>(v(at), 1);
            }};
  }
  default:
    break;
  }
  return {Expr(c), [c](const At &) { return c; }};
}

Reference Generator::expr(unsigned depth) {
  if (depth == 0)
    return leaf();
  Reference a = expr(depth - 1);
  auto va = a.value;
  switch (pick(0, sums ? 9 : 8)) {
  case 0:
  case 1: {
    Reference b = expr(depth - 1);
    return {a.expr + b.expr,
            [va, vb = b.value](const At &at) { return va(at) + vb(at); }};
  }
  case 2: {
    Reference b = expr(depth - 1);
    return {a.expr - b.expr,
            [va, vb = b.value](const At &at) { return va(at) - vb(at); }};
  }
  case 3: {
    Reference b = expr(depth > 2 ? 1 : depth - 1);
    return {a.expr * b.expr,
            [va, vb = b.value](const At &at) { return va(at) * vb(at); }};
  }
  case 4: {
    Reference b = divisor(depth / 2);
    return {floordiv(a.expr, b.expr), [va, vb = b.value](const At &at) {
              return floorOf(va(at), vb(at));
            }};
  }
  case 5: {
    Reference b = divisor(depth / 2);
    return {ceildiv(a.expr, b.expr), [va, vb = b.value](const At &at) {
              return -floorOf(-va(at), vb(at));
            }};
  }
  case 6: {
    Reference b = divisor(depth / 2);
    return {mod(a.expr, b.expr), [va, vb = b.value](const At &at) {
              int64_t x = va(at), d = vb(at);
              return x - d * floorOf(x, d);
            }};
  }
  case 7: {
    Reference b = expr(depth - 1);
    return {min(a.expr, b.expr), [va, vb = b.value](const At &at) {
              return std::min(va(at), vb(at));
            }};
  }
  case 8: {
    Reference b = expr(depth - 1);
    return {max(a.expr, b.expr), [va, vb = b.value](const At &at) {
              return std::max(va(at), vb(at));
            }};
  }
  default: {
    // The bound variable is one of the names, so that it shadows.
    std::string var = names[pick(0, names.size() - 1)];
    Reference lo = leaf(), trips = leaf();
    int64_t cap = pick(1, 4);
    // Inside, divisors see the variable: start at 1.
    Expr from = max(lo.expr, Expr(1));
    Expr to = from + min(trips.expr, Expr(cap));
    return {sum(var, from, to, a.expr),
            [va, var, cap, vlo = lo.value, vt = trips.value](const At &at) {
              int64_t s = 0, b = std::max<int64_t>(vlo(at), 1);
              int64_t e = b + std::min(vt(at), cap);
              At inner = at;
              for (int64_t t = b; t < e; ++t) {
                inner[var] = t;
                s += va(inner);
              }
              return s;
            }};
  }
  }
}
