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

/// Writes what is divided by digits, in the operands where it is divided.
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
    for (const auto &[dividend, divisor] : divisions)
      if ((d = splitDigits(dividend, divisor, loopVars, fresh)))
        break;
    if (!d)
      return;
    loopVars.insert(d->quotient);
    loopVars.insert(d->remainder);
    parent[d->quotient] = parent[d->remainder] = d->eliminated;
    for (View *view : views) {
      if (!view->addr)
        continue;
      std::vector<std::pair<Expr, Expr>> mine;
      collectDivisions(*view->addr, loopVars, mine);
      if (!llvm::is_contained(mine, std::pair(d->dividend, d->divisor)))
        continue;
      view->addr = simplify(
          view->addr->substitute(d->eliminated, d->replacement), known);
      view->guards = simplify(
          view->guards.substitute({{d->eliminated, d->replacement}}), known);
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
