//===- Tiles.cpp - Shapes of what goes through fragments ------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inside a matrix fragment no lane's element is known, but tiles are: a loop
// over ceildiv(N, 64) tiles whose distance is 64 rows tells the row's distance,
// and the run of neighbouring words of one tile tells whether whole rows are
// read.
//
//===----------------------------------------------------------------------===//

#include "passes/roles/ShapeReader.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::roles;

View ShapeReader::rawView(unsigned index) {
  const Access &a = program.accesses[index];
  View view;
  view.guards = a.guards;
  if (a.addr) {
    view.addr = *a.addr;
    if (a.width > 1) {
      std::string lane = fresh.make("lane", Expr(a.width));
      loopVars.insert(lane);
      *view.addr += Expr::symbol(lane);
    }
  }
  return view;
}

/// Does var count tiles of several rows? Then `stride` is the distance of rows
/// and `size` the number of rows that the tiles cut up.
bool ShapeReader::isTileLoop(const std::string &var, const View &view,
                             Expr &stride, Expr &size) const {
  const Assumptions::Range *range = known.range(var);
  if (!range || !range->hi)
    return false;
  Expr trips = *range->hi + 1, step = stepOf(trips);
  if (step.isOne())
    return false;
  std::optional<Expr> unit = divideExactly(view.linear.coef(var), step);
  if (!unit)
    return false;
  stride = *unit;
  size = trips.operands()[0];
  return !size.dependsOnAny(loopVars);
}

/// Length of the run of neighbouring words that the loops of one tile read.
std::optional<Expr> ShapeReader::contiguous(const Linear &linear) const {
  Expr run(1);
  for (bool grew = true; grew;) {
    grew = false;
    for (const auto &[var, stride] : linear.coefs) {
      const Assumptions::Range *range = known.range(var);
      if (stride != run || !range || !range->hi ||
          range->hi->dependsOnAny(loopVars))
        continue;
      run *= *range->hi + 1;
      grew = true;
      break;
    }
  }
  return run;
}

Shape ShapeReader::tileShape(const View &view, char operand) {
  Shape out;
  auto fail = [&](const char *why) {
    out.problem = why;
    return out;
  };
  if (!view.addr)
    return fail("its address is not known");
  if (view.addr->dependsOnAny(dataSymbols))
    return fail("data decides its address");
  Part row, column;
  row.axis = Axis::Row;
  column.axis = Axis::Column;
  column.stride = Expr(1);
  std::vector<Part> instances;
  bool ownsRows = operand == 'Q' || operand == 'O';
  const View &mate = operand == 'Q'   ? o
                     : operand == 'O' ? q
                     : operand == 'K' ? v
                                      : k;
  const View &other = ownsRows ? v : o;
  for (const std::string &var : view.vars) {
    std::string root = var;
    for (auto it = parent.find(root); it != parent.end();
         it = parent.find(root))
      root = it->second;
    auto loop = program.loopOf.find(root);
    if (loop == program.loopOf.end() ||
        LoopOp(loop->second).getKind() == LoopKind::Thread)
      continue;
    if (related(var, mate) && related(var, other)) {
      instances.push_back({});
      instances.back().axis = Axis::Instance;
      instances.back().vars.insert(var);
      continue;
    }
    Expr stride, size;
    if (!related(var, mate) || related(var, other) ||
        !isTileLoop(var, view, stride, size))
      continue;
    if (!row.vars.empty())
      return fail("several loops over tiles of its rows");
    row.vars.insert(var);
    row.stride = stride;
    row.touched = size;
    row.touchedBy = "tiles";
  }
  if (row.vars.empty())
    return fail("it goes through matrix fragments, and no loop over tiles of "
                "its rows was found");
  for (Part &p : instances) {
    unitStride(p, view.linear);
    findTouched(p, view);
  }
  // Whole rows are read where the run reaches a row's length.
  if (std::optional<Expr> run = contiguous(view.linear)) {
    if (divideExactly(*run, row.stride))
      column.touched = row.stride;
    else if (divideExactly(row.stride, *run) && !run->isOne())
      column.touched = *run;
    column.touchedBy = "tiles";
  }
  out.parts = {row, column};
  out.parts.insert(out.parts.end(), instances.begin(), instances.end());
  out.base = view.linear.rest;
  out.complete = true;
  return out;
}

void ShapeReader::readTiles(const Program &program, const Frame &frame,
                            Shapes &shapes) {
  if (shapes.q.complete && shapes.k.complete && shapes.v.complete &&
      shapes.o.complete)
    return;
  ShapeReader reader(program, frame);
  auto first = [&](const std::vector<Reach> &from) {
    for (const Reach &r : from)
      if (program.accesses[r.access].addr)
        return reader.rawView(r.access);
    return View();
  };
  reader.q = first(frame.x);
  reader.k = first(frame.y);
  reader.v = first(frame.v);
  reader.o = reader.rawView(frame.store);
  reader.split();
  reader.hideNonlinear();
  for (View *view : {&reader.q, &reader.k, &reader.v, &reader.o})
    reader.linearise(*view);
  struct Each {
    Shape *shape;
    const View *view;
    char operand;
  };
  for (auto [shape, view, operand] :
       {Each{&shapes.q, &reader.q, 'Q'}, Each{&shapes.k, &reader.k, 'K'},
        Each{&shapes.v, &reader.v, 'V'}, Each{&shapes.o, &reader.o, 'O'}})
    if (!shape->complete && !shape->mismatch && shape->hidden) {
      Shape tiles = reader.tileShape(*view, operand);
      if (tiles.complete)
        *shape = std::move(tiles);
    }
}
