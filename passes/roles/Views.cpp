//===- Views.cpp - Operands as linear forms over the loops ----------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/roles/ShapeReader.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::roles;

/// The reach that says most: solved, no fragment, through warp reductions, and
/// over variables that another operand (`near`) has.
View ShapeReader::pick(const std::vector<Reach> &from,
                       const std::set<std::string> &near) {
  View best;
  int bestScore = -1;
  for (const Reach &r : from) {
    if (!r.addr)
      continue;
    int score = 4096 * !r.lossy + 2048 * !r.fragment + 1024 * r.shuffled;
    for (const std::string &s : r.addr->freeSymbols())
      score += 8 * (near.count(s) > 0);
    if (score <= bestScore)
      continue;
    bestScore = score;
    best.addr = r.addr;
    best.guards = r.guards;
    best.lossy = r.lossy;
    best.fragment = r.fragment;
  }
  return best;
}

/// The largest value of e where the output is stored: its guards hold for the
/// variables of every operand.
std::optional<Expr> ShapeReader::topWhereStored(const Expr &e) const {
  std::vector<Expr> facts;
  for (const Cond &c : o.guards.conjuncts())
    if (c.kind() == CondKind::NonNegative)
      facts.push_back(c.expr());
  return boundBy(e, facts, 1);
}

/// Writes what is divided by digits: in the operands where it is divided, and
/// in those that have it whole or whose digits others tell apart.
void ShapeReader::split() {
  std::vector<View *> views{&q, &k, &v, &o};
  for (View *view : views)
    if (view->addr)
      view->addr = simplify(*view->addr, known);
  for (unsigned round = 0; round < 12; ++round) {
    std::vector<std::pair<Expr, Expr>> divisions;
    for (View *view : views)
      if (view->addr)
        collectDivisions(*view->addr, loopVars, divisions);
    std::optional<Digits> d;
    std::optional<Expr> top;
    for (const auto &[dividend, divisor] : divisions) {
      top = topWhereStored(dividend);
      if (!top)
        top = known.upperBound(dividend, loopVars);
      if ((d = splitDigits(dividend, divisor, loopVars, fresh, top)))
        break;
    }
    if (!d)
      return;
    pairs[d->quotient] = {d->remainder, d->divisor, top};
    loopVars.insert(d->quotient);
    loopVars.insert(d->remainder);
    parent[d->quotient] = parent[d->remainder] = d->eliminated;
    auto replace = [&](View &view) {
      view.addr =
          simplify(view.addr->substitute(d->eliminated, d->replacement), known);
      view.guards = simplify(
          view.guards.substitute({{d->eliminated, d->replacement}}), known);
    };
    bool bothDigits = false;
    std::vector<View *> others;
    for (View *view : views) {
      if (!view->addr)
        continue;
      std::vector<std::pair<Expr, Expr>> mine;
      collectDivisions(*view->addr, loopVars, mine);
      if (llvm::is_contained(mine, std::pair(d->dividend, d->divisor))) {
        replace(*view);
        bothDigits |= view->addr->dependsOn(d->remainder);
      } else if (view->addr->dependsOn(d->eliminated)) {
        others.push_back(view);
      }
    }
    std::set<std::string> rest = d->dividend.freeSymbols();
    rest.erase(d->eliminated);
    std::erase_if(rest,
                  [&](const std::string &s) { return !loopVars.count(s); });
    for (View *view : others) {
      bool whole =
          !rest.empty() &&
          !simplify(view->addr->substitute(d->eliminated, d->replacement),
                    known)
               .dependsOnAny(rest);
      if (rest.empty() ? bothDigits : whole)
        replace(*view);
    }
  }
}

/// `max(0, i - w) + j` counts rows from an end that is as good as a variable:
/// it shares no axis with i.
void ShapeReader::hideNonlinear() {
  for (View *view : {&q, &k, &v, &o}) {
    if (!view->addr)
      continue;
    Expr out;
    for (const Expr &m : view->addr->terms()) {
      Expr term = m;
      if (!m.isConst())
        for (const auto &[atom, power] : m.factors()) {
          if (power != 1 || atom.kind() == ExprKind::Symbol ||
              !atom.dependsOnAny(loopVars))
            continue;
          std::optional<Expr> rest = divideExactly(term, atom);
          if (!rest)
            continue;
          auto known_ = llvm::find_if(
              opaque, [&](const auto &entry) { return entry.second == atom; });
          std::string name = known_ == opaque.end()
                                 ? fresh.make("part", std::nullopt)
                                 : known_->first;
          opaque.emplace(name, atom);
          term = *rest * Expr::symbol(name);
        }
      out += term;
    }
    view->addr = out;
  }
  for (const auto &[name, atom] : opaque)
    loopVars.insert(name);
}

bool ShapeReader::linearise(View &view) {
  if (!view.addr)
    return false;
  std::optional<Linear> linear = asLinear(*view.addr, loopVars);
  if (!linear)
    return false;
  view.linear = std::move(*linear);
  for (const auto &[var, coefficient] : view.linear.coefs)
    if (!coefficient.isZero())
      view.vars.insert(var);
  return true;
}
