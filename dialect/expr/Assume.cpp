//===- Assume.cpp - Conditions as assumptions -----------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/expr/Cond.h"
#include "dialect/expr/Node.h"
#include "llvm/ADT/STLExtras.h"

using namespace ioflor;
using namespace ioflor::detail;

/// The symbols of e that `symbol`'s range must not use: a range may only use
/// what was declared before. Undeclared ones are in `unknown`.
static std::set<std::string> declaredAfter(const Expr &e,
                                           llvm::StringRef symbol,
                                           const Assumptions &known,
                                           bool &unknown) {
  llvm::ArrayRef<std::string> order = known.symbols();
  auto end = llvm::find(order, symbol);
  std::set<std::string> after;
  unknown = false;
  for (const std::string &s : e.freeSymbols()) {
    if (s == symbol || std::find(order.begin(), end, s) != end)
      continue;
    after.insert(s);
    unknown |= !known.range(s);
  }
  return after;
}

/// Reads e >= 0 as an end of the range of each symbol that allows it. Symbols
/// declared later are bounded first: from 64*bx + tx < N and tx >= 0 follows
/// 64*bx < N.
static void narrow(Assumptions &known, const Expr &e) {
  for (const std::string &s : e.freeSymbols()) {
    bool unknown;
    std::set<std::string> after = declaredAfter(e, s, known, unknown);
    if (unknown)
      continue;
    Expr most = e;
    if (!after.empty()) {
      std::optional<Expr> bound = known.upperBound(e, after);
      if (!bound)
        continue;
      most = *bound;
    }
    std::optional<std::pair<Expr, Expr>> affine = most.asAffineIn(s);
    if (!affine || !affine->first.isConst())
      continue;
    const BigInt a = affine->first.node()->value;
    const Expr &b = affine->second;
    if (a > 0) // s >= -b / a
      known.declare(s, ceildiv(-b, Expr(a)), std::nullopt);
    else if (a < 0)
      known.declare(s, std::nullopt, floordiv(b, Expr(-a)));
  }
}

void ioflor::assume(Assumptions &known, const Cond &c) {
  for (const Cond &part : c.conjuncts()) {
    const Expr &e = part.expr();
    switch (part.kind()) {
    case CondKind::NonNegative:
      narrow(known, e);
      known.addNonNegative(e);
      break;
    case CondKind::Zero: {
      narrow(known, e);
      narrow(known, -e);
      known.addNonNegative(e);
      known.addNonNegative(-e);
      // x - D*floordiv(x, D) == 0: D divides x.
      for (const Expr &t : termsRef(e))
        for (const Factor &f : t.factors()) {
          if (f.first.kind() != ExprKind::FloorDiv &&
              f.first.kind() != ExprKind::CeilDiv)
            continue;
          const Expr &x = f.first.operands()[0], &D = f.first.operands()[1];
          if (e == x - D * f.first || e == D * f.first - x)
            known.addDivisible(x, D);
        }
      break;
    }
    case CondKind::NonZero:
      if (known.isNonNegative(e))
        known.addNonNegative(e - 1);
      else if (known.isNonNegative(-e))
        known.addNonNegative(-e - 1);
      break;
    default:
      break; // a disjunction or an unknown says nothing that is kept
    }
  }
}
