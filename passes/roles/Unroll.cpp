//===- Unroll.cpp - Iterations that are written out -----------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop that the author unrolled is a set of accesses whose addresses differ
// by constants. They are put back into variables, so that one address shows the
// operand's shape.
//
//===----------------------------------------------------------------------===//

#include "passes/roles/ShapeReader.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::roles;

/// The address with fresh variables named after what they renamed (`c__4` is
/// `c__`), so that walks of different lengths compare. nullopt if two would
/// become one.
static std::optional<Expr> canonical(const Expr &e) {
  Subst names;
  std::set<std::string> used;
  for (const std::string &s : e.freeSymbols()) {
    size_t cut = s.rfind("__");
    std::string name =
        cut == std::string::npos || cut + 2 == s.size() ||
                s.find_first_not_of("0123456789", cut + 2) != std::string::npos
            ? s
            : s.substr(0, cut + 2);
    if (!used.insert(name).second)
      return std::nullopt;
    if (name != s)
      names[s] = Expr::symbol(name);
  }
  return e.substitute(names);
}

std::vector<Expr> ShapeReader::siblings(char operand,
                                        const std::vector<Frame> &frames) {
  std::vector<Expr> out;
  for (const Frame &f : frames) {
    if (program.accesses[f.store].buffer !=
        program.accesses[frame.store].buffer)
      continue;
    if (operand == 'O') {
      if (f.addr)
        out.push_back(*f.addr);
      continue;
    }
    for (const Reach &r : operand == 'Q' ? f.x : operand == 'K' ? f.y : f.v)
      if (r.addr && !r.lossy)
        out.push_back(*r.addr);
  }
  return out;
}

/// Writes a set of integers that starts at 0 as a*step, 0 <= a < count.
static bool isProgression(const std::set<BigInt> &values, BigInt &step) {
  step = BigInt(0);
  BigInt expected(0);
  for (const BigInt &v : values) {
    if (v == 0)
      continue;
    if (step == 0)
      step = v;
    expected += step;
    if (v != expected)
      return false;
  }
  return *values.begin() == 0;
}

void ShapeReader::addUnrolled(View &view, const std::vector<Expr> &siblings) {
  if (!view.addr || view.lossy || view.fragment)
    return;
  std::optional<Expr> mine = canonical(*view.addr);
  if (!mine)
    return;
  // Offsets by the monomial that they are multiples of: 1, a row's distance.
  std::set<std::map<Expr, BigInt>> offsets;
  std::set<Expr> units;
  for (const Expr &other : siblings) {
    std::optional<Expr> theirs = canonical(other);
    if (!theirs)
      continue;
    Expr difference = simplify(*theirs - *mine, known);
    bool constant = true;
    for (const std::string &s : difference.freeSymbols())
      constant &=
          !loopVars.count(s) && StringRef(s).find("__") == StringRef::npos;
    if (!constant)
      continue;
    std::map<Expr, BigInt> offset;
    for (const Expr &m : difference.terms()) {
      BigInt c = m.isConst() ? *m.constant() : m.coefficient();
      Expr unit = m.isConst() ? Expr(1) : *divideExactly(m, Expr(c));
      offset[unit] = c;
      units.insert(unit);
    }
    offsets.insert(std::move(offset));
  }
  if (offsets.size() < 2)
    return;
  // Count from the smallest offset of each unit.
  std::map<Expr, BigInt> smallest;
  for (const Expr &unit : units)
    for (const auto &offset : offsets) {
      auto it = offset.find(unit);
      BigInt c = it == offset.end() ? BigInt(0) : it->second;
      auto [low, isNew] = smallest.try_emplace(unit, c);
      if (!isNew && c < low->second)
        low->second = c;
    }
  Expr added;
  size_t product = 1;
  bool regular = true;
  auto add = [&](const Expr &unit, const BigInt &step, size_t count) {
    if (count < 2)
      return;
    std::string name = fresh.make("unrolled", Expr(int64_t(count)));
    loopVars.insert(name);
    added += unit * Expr(step) * Expr::symbol(name);
    product *= count;
  };
  for (const Expr &unit : units) {
    std::set<BigInt> values;
    for (const auto &offset : offsets) {
      auto it = offset.find(unit);
      values.insert((it == offset.end() ? BigInt(0) : it->second) -
                    smallest[unit]);
    }
    added += unit * Expr(smallest[unit]);
    // A run of neighbours, repeated at equal distances.
    BigInt run(0);
    while (values.count(run))
      ++run;
    std::set<BigInt> starts;
    for (const BigInt &v : values)
      if (!values.count(v - 1) || v % run == 0)
        starts.insert(v);
    BigInt step;
    if (!isProgression(starts, step) || BigInt(int64_t(starts.size())) * run !=
                                            BigInt(int64_t(values.size()))) {
      regular = false;
      break;
    }
    add(unit, BigInt(1), size_t(int64_t(run)));
    add(unit, step, starts.size());
  }
  if (!regular || product != offsets.size()) {
    view.problem = "its accesses differ by offsets without a pattern";
    return;
  }
  *view.addr += added;
}
