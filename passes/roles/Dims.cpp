//===- Dims.cpp - Addresses taken apart into dimensions -------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/roles/ShapeReader.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::roles;

Axis ShapeReader::axisInOutput(const std::string &var) const {
  bool inQ = related(var, q), inV = related(var, v);
  if (inQ && inV)
    return Axis::Instance;
  if (inV)
    return Axis::Column;
  return Axis::Row;
}

Axis ShapeReader::axis(const std::string &var, char operand) const {
  bool inO = related(var, o), inQ = related(var, q);
  switch (operand) {
  case 'O':
    return axisInOutput(var);
  case 'Q':
    if (!inO)
      return Axis::Column;
    return related(var, v) || related(var, k) ? Axis::Instance : Axis::Row;
  case 'K':
    if (inQ)
      return inO ? Axis::Instance : Axis::Column;
    return Axis::Row;
  default: // V
    if (!inO)
      return Axis::Row;
    if (inQ)
      return Axis::Instance;
    // A split of the keys shows in partial outputs.
    return related(var, k) ? Axis::Row : Axis::Column;
  }
}

/// Steps of a loop: `t < ceildiv(E, s)` counts s at a time.
Expr ioflor::roles::stepOf(const Expr &trips) {
  if ((trips.kind() == ExprKind::CeilDiv || trips.kind() == ExprKind::FloorDiv))
    return trips.operands()[1];
  return Expr(1);
}

/// Finds the distance of neighbours in a group of variables and writes the
/// index in it. A loop that counts s at a time moves s neighbours.
void ShapeReader::unitStride(Part &part, const Linear &linear) {
  std::vector<Expr> candidates;
  // A distance that is guessed from a step must be a multiple or a part of
  // those of the other dimensions, as in an array.
  auto fits = [&](const Expr &unit) {
    return llvm::all_of(linear.coefs, [&](const auto &other) {
      return part.vars.count(other.first) || other.second.isZero() ||
             divideExactly(unit, other.second) ||
             divideExactly(other.second, unit);
    });
  };
  for (const std::string &var : part.vars) {
    Expr c = linear.coef(var);
    // A loop may run backwards; the distance is the same.
    if (llvm::all_of(c.terms(), [](const Expr &m) {
          return (m.isConst() ? *m.constant() : m.coefficient()) < 0;
        }))
      c = -c;
    candidates.push_back(c);
    if (const Assumptions::Range *range = known.range(var);
        range && range->hi && !parent.count(var))
      if (auto unit = divideExactly(c, stepOf(*range->hi + 1));
          unit && fits(*unit))
        candidates.push_back(*unit);
  }
  // The smallest one that divides all the others.
  std::optional<Expr> best;
  for (const Expr &c : candidates)
    if (llvm::all_of(part.vars, [&](const std::string &var) {
          return divideExactly(linear.coef(var), c).has_value();
        }))
      if (!best || (divideExactly(*best, c) && !divideExactly(c, *best)))
        best = c;
  part.stride = best.value_or(Expr(1));
  for (const std::string &var : part.vars)
    if (auto n = divideExactly(linear.coef(var), part.stride))
      part.index += *n * Expr::symbol(var);
}

/// s*ceildiv(E, s) and s*floordiv(E, s) are E rounded to whole tiles.
static Expr withoutRounding(const Expr &e, bool &rounded) {
  Expr out;
  for (const Expr &m : e.terms()) {
    Expr term = m;
    if (!m.isConst())
      for (const auto &[atom, power] : m.factors())
        if ((atom.kind() == ExprKind::CeilDiv ||
             atom.kind() == ExprKind::FloorDiv) &&
            power == 1)
          if (auto rest = divideExactly(m, atom))
            if (auto times = divideExactly(*rest, atom.operands()[1])) {
              term = *times * atom.operands()[0];
              rounded = true;
              break;
            }
    out += term;
  }
  return out;
}

/// A bound of `end` by adding facts (each >= 0) until no loop variable is left;
/// every step must leave fewer of them.
std::optional<Expr> ShapeReader::boundBy(const Expr &end,
                                         const std::vector<Expr> &facts,
                                         unsigned depth) const {
  auto count = [&](const Expr &e) {
    size_t n = 0;
    for (const std::string &s : e.freeSymbols())
      n += loopVars.count(s);
    return n;
  };
  size_t before = count(end);
  if (before == 0)
    return end;
  if (depth == 0)
    return std::nullopt;
  for (const Expr &fact : facts) {
    Expr next = simplify(end + fact, known);
    if (count(next) < before)
      if (std::optional<Expr> bound = boundBy(next, facts, depth - 1))
        return bound;
  }
  return std::nullopt;
}

void ShapeReader::findTouched(Part &part, const View &view) {
  // Both digits of one number, which the address has whole.
  if (part.vars.size() == 2)
    for (const std::string &var : part.vars)
      if (auto it = pairs.find(var);
          it != pairs.end() && part.vars.count(it->second.remainder) &&
          it->second.top && !it->second.top->dependsOnAny(loopVars) &&
          part.index == it->second.divisor * Expr::symbol(var) +
                            Expr::symbol(it->second.remainder)) {
        part.touched = simplify(*it->second.top + 1, known);
        part.touchedBy = "loops";
        return;
      }
  Expr end = part.index.substitute(opaque) + 1;
  if (!end.dependsOnAny(loopVars)) {
    part.touched = end;
    part.touchedBy = "one";
    return;
  }
  // Facts >= 0: guards, and the bounds of the loops that the index counts. A
  // minimum is at most each of its operands.
  std::vector<Expr> facts;
  auto add = [&](const Expr &e) {
    facts.push_back(e);
    for (const Expr &m : e.terms())
      if (m.kind() == ExprKind::Min)
        for (const Expr &operand : m.operands())
          facts.push_back(e - m + operand);
  };
  for (const Cond &c : view.guards.conjuncts())
    if (c.kind() == CondKind::NonNegative)
      add(c.expr());
  // Trips that depend on where the loop starts (blocks that stride over the
  // grid) end where a guard would: t < ceildiv(x, s) is s*t < x.
  for (const std::string &var : part.vars)
    if (const Assumptions::Range *range = known.range(var);
        range && range->hi && range->hi->dependsOnAny(loopVars))
      for (const Expr &m : range->hi->terms()) {
        if (m.isConst() || m.factors().size() != 1 ||
            m.factors().front().second != 1)
          continue;
        Expr atom = m.factors().front().first;
        if (atom.kind() != ExprKind::FloorDiv &&
            atom.kind() != ExprKind::CeilDiv)
          continue;
        Expr x = atom.operands()[0], D = atom.operands()[1];
        Expr from = Expr::symbol(var) - (*range->hi - m);
        bool up = atom.kind() == ExprKind::CeilDiv;
        if (m == atom)
          facts.push_back(x + (up ? D - 1 : Expr()) - D * from);
        else if (m == -atom)
          facts.push_back((up ? Expr() : D - 1) - x - D * from);
      }
  std::optional<Expr> byGuard = boundBy(end, facts, 2);
  for (const std::string &var : part.vars)
    if (const Assumptions::Range *range = known.range(var);
        range && range->hi && stepOf(*range->hi + 1).isOne())
      add(*range->hi - Expr::symbol(var));
  std::optional<Expr> byLoop = byGuard ? byGuard : boundBy(end, facts, 3);
  if (byLoop) {
    part.touched = byLoop;
    part.touchedBy = byGuard ? "guard" : "loop";
    return;
  }
  Assumptions inside = known;
  assume(inside, view.guards);
  std::optional<Expr> top = inside.upperBound(end, loopVars);
  if (!top || top->dependsOnAny(loopVars))
    return;
  bool rounded = false;
  part.touched =
      simplify(withoutRounding(simplify(*top, known), rounded), known);
  part.touchedBy = rounded ? "tiles" : "loops";
}

/// Does var count the query heads of one key head, which lie between the
/// columns and that head: [rows, key heads, group, columns]?
bool ShapeReader::isInnerHead(const std::string &var, const Part &rows,
                              const std::vector<Part> &instances,
                              const View &view) const {
  Expr run = view.linear.coef(var) * (*known.range(var)->hi + 1);
  if (run == rows.stride || !divideExactly(rows.stride, run))
    return false;
  // Its own bound, not one that it shares with the rows.
  for (const Cond &c : view.guards.conjuncts()) {
    std::set<std::string> used = c.freeSymbols();
    if (used.count(var) && llvm::any_of(rows.vars, [&](const std::string &v) {
          return used.count(v) > 0;
        }))
      return false;
  }
  return llvm::any_of(instances, [&](const Part &p) {
    return llvm::any_of(p.vars, [&](const std::string &v) {
      return view.linear.coef(v) == run;
    });
  });
}

/// Query heads `h` that read the key head `h % heads`: var is `h / heads`, which
/// continues the key heads' digit beyond all rows. Returns the key heads.
Part *ShapeReader::groupsOf(const std::string &var, const Part &rows,
                            std::vector<Part> &instances,
                            const View &view) const {
  auto it = pairs.find(var);
  if (it == pairs.end() || rows.vars.empty())
    return nullptr;
  const auto &[remainder, divisor, top] = it->second;
  Expr head = view.linear.coef(remainder);
  std::optional<Expr> run = divideExactly(head, rows.stride);
  if (head.isZero() || view.linear.coef(var) != head * divisor || !run ||
      run->isOne() || !known.isPositive(*run))
    return nullptr;
  for (Part &p : instances)
    if (p.vars.size() == 1 && p.vars.count(remainder))
      return &p;
  return nullptr;
}

/// Query heads that share all keys look like rows of Q. One whose distance is
/// exactly the rows that the other loops reach is a dimension of its own.
void ShapeReader::splitHeads(Part &row, std::vector<Part> &instances,
                             const View &view) {
  // Where one guard bounds them all, they count the same rows: blocks that
  // stride over the grid.
  Part whole;
  whole.vars = row.vars;
  unitStride(whole, view.linear);
  findTouched(whole, view);
  if (whole.touchedBy == "guard")
    return;
  std::set<std::string> candidates = row.vars;
  for (const std::string &var : candidates) {
    const Assumptions::Range *range = known.range(var);
    if (row.vars.size() < 2 || !range || !range->hi ||
        (!parent.count(var) && !stepOf(*range->hi + 1).isOne()))
      continue;
    Part rest;
    rest.axis = Axis::Row;
    rest.vars = row.vars;
    rest.vars.erase(var);
    unitStride(rest, view.linear);
    findTouched(rest, view);
    if (Part *heads = groupsOf(var, rest, instances, view)) {
      row.vars.erase(var);
      heads->vars.insert(var);
      continue;
    }
    bool slower = rest.touched && !rest.touched->isConst() &&
                  view.linear.coef(var) == rest.stride * *rest.touched;
    if (!slower && !isInnerHead(var, rest, instances, view))
      continue;
    row.vars.erase(var);
    instances.push_back({});
    instances.back().axis = Axis::Instance;
    instances.back().vars.insert(var);
  }
}

/// `4 * bx + ty < heads` is one dimension in two loops: they are joined where
/// one guard bounds both.
void ShapeReader::joinInstances(std::vector<Part> &instances,
                                const View &view) {
  for (size_t i = 0; i < instances.size(); ++i)
    for (size_t j = 0; j < instances.size(); ++j) {
      if (i == j)
        continue;
      Part both;
      both.axis = Axis::Instance;
      both.vars = instances[i].vars;
      both.vars.insert(instances[j].vars.begin(), instances[j].vars.end());
      unitStride(both, view.linear);
      findTouched(both, view);
      if (both.touchedBy != "guard")
        continue;
      both.index = Expr();
      both.touched.reset();
      both.touchedBy.clear();
      instances[i] = std::move(both);
      instances.erase(instances.begin() + j);
      i = size_t(-1); // from the start
      break;
    }
}

/// A lane of a vector access that only one operand has: the others are taken
/// apart and put together lane by lane, so that it says no more than an
/// iteration that is written out.
bool ShapeReader::isOwnLane(const std::string &var) const {
  return StringRef(var).starts_with("lane__") &&
         llvm::count_if(std::initializer_list<const View *>{&q, &k, &v, &o},
                        [&](const View *view) { return related(var, *view); }) <
             2;
}

Shape ShapeReader::shape(const View &view, char operand) {
  Shape out;
  if (!view.addr) {
    out.problem = "its address is not known";
    return out;
  }
  if (view.addr->dependsOnAny(dataSymbols)) {
    out.problem = "data decides its address: " + view.addr->str();
    return out;
  }
  out.hidden = view.fragment || view.lossy;
  if (!view.problem.empty()) {
    out.problem = view.problem;
    return out;
  }
  if (view.fragment) {
    out.problem = "it goes through matrix fragments";
    return out;
  }
  if (view.lossy) {
    out.problem = "its staging through memory could not be followed";
    return out;
  }
  if (view.vars.empty() && !asLinear(*view.addr, loopVars)) {
    out.problem = "its address is not linear in the loops: " + view.addr->str();
    return out;
  }
  Part row, column;
  row.axis = Axis::Row;
  column.axis = Axis::Column;
  std::vector<Part> instances;
  std::vector<std::string> unrolled;
  for (const std::string &var : view.vars) {
    if (StringRef(var).starts_with("unrolled__") || isOwnLane(var)) {
      unrolled.push_back(var);
      continue;
    }
    switch (axis(var, operand)) {
    case Axis::Row:
      row.vars.insert(var);
      break;
    case Axis::Column:
      column.vars.insert(var);
      break;
    case Axis::Instance:
      instances.push_back({});
      instances.back().axis = Axis::Instance;
      instances.back().vars.insert(var);
    }
  }
  // Iterations that are written out move rows where they move by whole rows.
  if (!unrolled.empty())
    unitStride(row, view.linear);
  for (const std::string &var : unrolled)
    (!row.vars.empty() && divideExactly(view.linear.coef(var), row.stride)
         ? row
         : column)
        .vars.insert(var);
  row.index = Expr();
  if (operand == 'Q' || operand == 'O')
    splitHeads(row, instances, view);
  joinInstances(instances, view);
  for (Part *p : {&row, &column}) {
    unitStride(*p, view.linear);
    findTouched(*p, view);
  }
  out.parts = {row, column};
  for (Part &p : instances) {
    unitStride(p, view.linear);
    findTouched(p, view);
    out.parts.push_back(p);
  }
  // Either columns or, transposed, rows lie next to each other.
  if (!out.parts[1].vars.empty() && !out.parts[1].stride.isOne() &&
      !(out.parts[0].stride.isOne() && !out.parts[0].vars.empty())) {
    out.problem = "its columns are " + out.parts[1].stride.str() + " apart";
    return out;
  }
  out.base = view.linear.rest;
  out.complete = true;
  for (const Part &p : out.parts)
    if (p.touched && p.touched->dependsOnAny(dataSymbols)) {
      out.complete = false;
      out.problem = "data decides its size: " + p.touched->str();
    }
  return out;
}

/// Two operands meet in one dimension: their indices there must agree up to the
/// names of vector lanes. If not, an address was misread: neither shape counts.
void ShapeReader::match(Shape &a, Shape &b, Axis axis, StringRef what) const {
  if (!a.complete || !b.complete)
    return;
  auto index = [&](const Shape &shape) {
    Expr e;
    for (const Part &p : shape.parts)
      if (p.axis == axis)
        e = p.index;
    std::map<std::string, Expr> lanes;
    for (const std::string &s : e.freeSymbols())
      if (StringRef(s).starts_with("lane__") ||
          StringRef(s).starts_with("unrolled__"))
        lanes[s] = Expr::symbol("lane");
    return e.substitute(lanes);
  };
  Expr x = index(a), y = index(b), apart = simplify(x - y, known);
  if (apart.isZero())
    return;
  // A tile that is fetched an iteration ahead: the same rows, counted from
  // another one. Only a guard still tells where they end.
  if (axis == Axis::Row && !apart.dependsOnAny(loopVars) &&
      !apart.dependsOn("lane")) {
    for (Shape *shape : {&a, &b})
      for (Part &p : shape->parts)
        if (p.axis == axis && p.touchedBy != "guard")
          p.touched.reset();
    return;
  }
  for (Shape *shape : {&a, &b}) {
    shape->complete = false;
    shape->mismatch = true;
    shape->problem =
        (what + " do not match: " + x.str() + " and " + y.str()).str();
  }
}

Shapes ShapeReader::read(const std::vector<Frame> &frames) {
  o.addr = frame.addr;
  o.guards = frame.guards;
  std::set<std::string> near;
  v = pick(frame.v, near);
  if (v.addr)
    near = v.addr->freeSymbols();
  k = pick(frame.y, near);
  if (k.addr)
    near = k.addr->freeSymbols();
  q = pick(frame.x, near);
  o.fragment = v.fragment;
  const char *operands = "QKVO";
  for (View *view : {&q, &k, &v, &o})
    addUnrolled(*view, siblings(*operands++, frames));
  split();
  hideNonlinear();
  for (View *view : {&q, &k, &v, &o})
    linearise(*view);
  Shapes out;
  llvm::raw_string_ostream os(out.explanation);
  const char *name = "QKVO";
  for (const View *view : {&q, &k, &v, &o})
    os << *name++ << "[" << (view->addr ? view->addr->str() : "?") << "]"
       << (view->lossy ? " (not all of it followed)" : "")
       << (view->fragment ? " (through fragments)" : "") << " where "
       << view->guards << "\n";
  out.q = shape(q, 'Q');
  out.k = shape(k, 'K');
  out.v = shape(v, 'V');
  out.o = shape(o, 'O');
  // Columns with gaps: lanes were misread, and with them every axis.
  for (const Shape *gaps : {&out.q, &out.k, &out.v, &out.o})
    if (StringRef(gaps->problem).ends_with(" apart")) {
      std::string problem = gaps->problem;
      for (Shape *shape : {&out.q, &out.k, &out.v, &out.o}) {
        shape->complete = false;
        shape->mismatch = true;
        shape->problem = problem;
      }
      break;
    }
  // What an einsum demands: both factors of a sum are read at the same index.
  match(out.q, out.k, Axis::Column, "columns of Q and K");
  match(out.k, out.v, Axis::Row, "rows of K and V");
  match(out.q, out.o, Axis::Row, "rows of Q and O");
  match(out.v, out.o, Axis::Column, "columns of V and O");
  return out;
}

Shapes ioflor::roles::readShapes(const Program &program,
                                 const std::vector<Frame> &frames) {
  Shapes shapes = ShapeReader(program, frames.front()).read(frames);
  ShapeReader::readTiles(program, frames.front(), shapes);
  return shapes;
}
