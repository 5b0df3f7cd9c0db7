//===- Grids.cpp - Grid axes that count several things --------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch of B * H blocks whose kernel takes b = blockIdx.y / H and
// h = blockIdx.y % H apart runs the same blocks as one of (H, B): that form has
// no division by a symbol. The axis is written as two loops where its trip
// count is a multiple of the divisor, as polynomials.
//
//===----------------------------------------------------------------------===//
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "passes/coverage/sets/Unroll.h"
#include "passes/roles/Address.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::sets;

/// Replaces expressions and conditions in everything inside `loop`.
static void rewrite(LoopOp loop, function_ref<Expr(const Expr &)> expr,
                    function_ref<Cond(const Cond &)> cond) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](ExprAttr e) -> std::optional<Attribute> {
    return Attribute(ExprAttr::get(e.getContext(), expr(e.getValue())));
  });
  replacer.addReplacement([&](CondAttr c) -> std::optional<Attribute> {
    return Attribute(CondAttr::get(c.getContext(), cond(c.getValue())));
  });
  for (Operation &op : loop.getBody().front())
    op.walk([&](Operation *inner) { replacer.replaceElementsIn(inner); });
}

/// A divisor of `loop`'s variable that divides its trip count, with the
/// quotient.
static std::optional<std::pair<Expr, Expr>>
divisorOf(LoopOp loop, const std::set<std::string> &loopVars) {
  std::string var = loop.getVar().str();
  std::optional<std::pair<Expr, Expr>> out;
  auto consider = [&](const Expr &dividend, const Expr &divisor) {
    if (out || dividend != Expr::symbol(var) || divisor.isOne() ||
        divisor.dependsOnAny(loopVars))
      return;
    std::optional<Expr> outer = roles::divideExactly(loop.getTrips(), divisor);
    if (outer && !outer->isOne())
      out = std::pair(*outer, divisor);
  };
  auto look = [&](const Expr &e) {
    std::vector<std::pair<Expr, Expr>> divisions;
    roles::collectDivisions(e, {var}, divisions);
    for (const auto &[dividend, divisor] : divisions)
      consider(dividend, divisor);
  };
  AttrTypeWalker walker;
  walker.addWalk([&](ExprAttr e) { look(e.getValue()); });
  walker.addWalk([&](CondAttr c) {
    for (const Cond &each : c.getValue().conjuncts())
      if (each.kind() == CondKind::NonNegative ||
          each.kind() == CondKind::Zero || each.kind() == CondKind::NonZero)
        look(each.expr());
  });
  for (Operation &op : loop.getBody().front())
    op.walk([&](Operation *inner) {
      for (NamedAttribute attribute : inner->getAttrs())
        walker.walk(attribute.getValue());
    });
  return out;
}

void ioflor::sets::splitGrids(SubjectOp subject) {
  std::set<std::string> loopVars, taken;
  SmallVector<LoopOp> open;
  subject->walk([&](LoopOp loop) {
    loopVars.insert(loop.getVar().str());
    if (loop.getKind() == LoopKind::Grid)
      open.push_back(loop);
  });
  for (auto symbol : subject.getBody().getOps<SymbolOp>())
    taken.insert(symbol.getName().str());
  auto fresh = [&](const std::string &base) {
    std::string name = base;
    for (unsigned i = 0; loopVars.count(name) || taken.count(name); ++i)
      name = base + std::to_string(i);
    loopVars.insert(name);
    return name;
  };
  Assumptions known = collectAssumptions(subject);
  while (!open.empty()) {
    LoopOp loop = open.pop_back_val();
    auto found = divisorOf(loop, loopVars);
    if (!found || !known.isPositive(found->second))
      continue;
    auto [outer, divisor] = *found;
    std::string var = loop.getVar().str(), high = fresh(var + "_q"),
                low = fresh(var + "_r");
    Expr value = divisor * Expr::symbol(high) + Expr::symbol(low);
    Assumptions inside = known;
    inside.declare(high, Expr(0), outer - 1);
    inside.declare(low, Expr(0), divisor - 1);
    rewrite(
        loop,
        [&](const Expr &e) {
          return e.dependsOn(var) ? simplify(e.substitute(var, value), inside)
                                  : e;
        },
        [&](const Cond &c) {
          return c.freeSymbols().count(var)
                     ? simplify(c.substitute({{var, value}}), inside)
                     : c;
        });
    OpBuilder b(loop);
    LoopOp whole = LoopOp::create(b, loop.getLoc(), LoopKind::Grid, high, outer,
                                  StringAttr());
    Block *body = whole.getBody().empty() ? &whole.getBody().emplaceBlock()
                                          : &whole.getBody().front();
    loop->moveBefore(body, body->end());
    loop.setVar(low);
    loop.setTrips(divisor);
    open.append({whole, loop});
  }
}
