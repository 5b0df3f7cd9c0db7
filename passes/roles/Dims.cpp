//===- Dims.cpp - Addresses taken apart into dimensions
//-----------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/roles/Dims.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::roles;

namespace {

/// One operand while its address is read.
struct View {
  std::optional<Expr> addr;
  Cond guards;
  bool lossy = false, fragment = false;
  Linear linear;
  std::set<std::string> vars; ///< in the address, after splitting
};

class Reader {
public:
  Reader(const Program &program, const Frame &frame)
      : frame(frame), known(frame.known), fresh(known) {
    for (const auto &[name, loop] : program.loopOf)
      loopVars.insert(name);
    for (const std::string &name : frame.known.symbols())
      if (!program.known.range(name))
        loopVars.insert(name);
  }

  Shapes read();

private:
  const Frame &frame;
  Assumptions known;
  Fresh fresh;
  std::set<std::string> loopVars;
  /// Digits and the variable that they are digits of.
  std::map<std::string, std::string> parent;
  View q, k, v, o;

  View pick(const std::vector<Reach> &from, const std::set<std::string> &near);
  void split();
  bool linearise(View &view);
  bool isDigitOf(std::string digit, const std::string &whole) const {
    for (auto it = parent.find(digit); it != parent.end();
         it = parent.find(digit))
      if ((digit = it->second) == whole)
        return true;
    return false;
  }
  /// Does the view depend on var, on a digit of it, or on what it is a digit
  /// of? Two digits of one variable are independent.
  bool related(const std::string &var, const View &view) const {
    return llvm::any_of(view.vars, [&](const std::string &other) {
      return other == var || isDigitOf(other, var) || isDigitOf(var, other);
    });
  }
  Axis axisInOutput(const std::string &var) const;
  Axis axis(const std::string &var, char operand) const;
  Shape shape(const View &view, char operand);
  void unitStride(Part &part, const Linear &linear);
  void findTouched(Part &part, const View &view);
};

} // namespace

/// The reach that says most: solved, no fragment, through warp reductions, and
/// over variables that another operand (`near`) has.
View Reader::pick(const std::vector<Reach> &from,
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
void Reader::split() {
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

bool Reader::linearise(View &view) {
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

Axis Reader::axisInOutput(const std::string &var) const {
  bool inQ = related(var, q), inV = related(var, v);
  if (inQ && inV)
    return Axis::Instance;
  if (inV)
    return Axis::Column;
  return Axis::Row;
}

Axis Reader::axis(const std::string &var, char operand) const {
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
static Expr stepOf(const Expr &trips) {
  if ((trips.kind() == ExprKind::CeilDiv || trips.kind() == ExprKind::FloorDiv))
    return trips.operands()[1];
  return Expr(1);
}

/// Finds the distance of neighbours in a group of variables and writes the
/// index in it. A loop that counts s at a time moves s neighbours.
void Reader::unitStride(Part &part, const Linear &linear) {
  std::vector<Expr> candidates;
  for (const std::string &var : part.vars) {
    Expr c = linear.coef(var);
    candidates.push_back(c);
    if (const Assumptions::Range *range = known.range(var); range && range->hi)
      if (auto unit = divideExactly(c, stepOf(*range->hi + 1)))
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

void Reader::findTouched(Part &part, const View &view) {
  Expr end = part.index + 1;
  auto free = [&](const Expr &e) { return !e.dependsOnAny(loopVars); };
  if (free(end)) {
    part.touched = end;
    part.touchedBy = "one";
    return;
  }
  // A guard or an inner loop's bound that limits the very index.
  std::vector<Expr> facts;
  for (const Cond &c : view.guards.conjuncts())
    if (c.kind() == CondKind::NonNegative)
      facts.push_back(c.expr());
  size_t guards = facts.size();
  for (const std::string &var : part.vars)
    if (const Assumptions::Range *range = known.range(var);
        range && range->hi) {
      Expr trips = *range->hi + 1, at = Expr::symbol(var);
      if (trips.kind() == ExprKind::Min)
        for (const Expr &e : trips.operands())
          facts.push_back(e - 1 - at);
      else
        facts.push_back(trips - 1 - at);
    }
  for (size_t i = 0; i < facts.size(); ++i) {
    Expr bound = simplify(facts[i] + end, known);
    if (free(bound)) {
      part.touched = bound;
      part.touchedBy = i < guards ? "guard" : "loop";
      return;
    }
    // Minima of the guard: each part limits.
    for (const Expr &m : facts[i].terms()) {
      if (m.kind() != ExprKind::Min || !m.coefficient().operator==(BigInt(1)))
        continue;
      for (const Expr &e : m.operands()) {
        Expr weaker = simplify(facts[i] - m + e + end, known);
        if (free(weaker)) {
          part.touched = weaker;
          part.touchedBy = "guard";
          return;
        }
      }
    }
  }
  Assumptions inside = known;
  assume(inside, view.guards);
  std::optional<Expr> top = inside.upperBound(end, loopVars);
  if (!top || !free(*top))
    return;
  bool rounded = false;
  part.touched =
      simplify(withoutRounding(simplify(*top, known), rounded), known);
  part.touchedBy = rounded ? "tiles" : "loops";
}

Shape Reader::shape(const View &view, char operand) {
  Shape out;
  if (!view.addr) {
    out.problem = "its address is not known";
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
  for (const std::string &var : view.vars)
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
  out.complete = true;
  return out;
}

Shapes Reader::read() {
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
  split();
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
  return out;
}

Shapes ioflor::roles::readShapes(const Program &program, const Frame &frame) {
  return Reader(program, frame).read();
}
