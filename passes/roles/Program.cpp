//===- Program.cpp - A subject as flat tables ---------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/roles/Program.h"
#include "passes/roles/Address.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::roles;

/// Above this many parts of one buffer it stays one cell.
static constexpr size_t maxClusters = 64;

Program::Program(SubjectOp subject)
    : subject(subject), known(collectAssumptions(subject)), fine(known) {
  collect();
  findDigits();
  for (unsigned i = 0; i < buffers.size(); ++i)
    partition(i);
  for (unsigned i = 0; i < accesses.size(); ++i)
    if (accesses[i].isLoad)
      for (unsigned c : accesses[i].cells)
        reaching[i].append(cells[c].stores.begin(), cells[c].stores.end());
}

/// Tiles have constant sizes; where the data ends is no concern there.
static Expr tileTrips(const Expr &trips) {
  if (trips.kind() == ExprKind::Min)
    for (const Expr &end : trips.operands())
      if (end.isConst())
        return end;
  return trips;
}

void Program::collect() {
  DenseMap<Operation *, unsigned> bufferOf;
  subject->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto buffer = dyn_cast<BufferOp>(op)) {
      bufferOf[op] = buffers.size();
      Buffer b;
      b.op = buffer;
      b.slow = buffer.getSpace() == Space::Slow;
      b.name = buffer.getSymName().str();
      buffers.push_back(std::move(b));
    } else if (auto loop = dyn_cast<LoopOp>(op)) {
      known.declare(loop.getVar(), Expr(0), loop.getTrips() - 1);
      fine.declare(loop.getVar(), Expr(0), tileTrips(loop.getTrips()) - 1);
      loopOf.emplace(loop.getVar().str(), loop);
    } else if (auto unknown = dyn_cast<UnknownOp>(op)) {
      unknowns.push_back(unknown);
    } else if (isa<ComputeOp>(op)) {
      ops.push_back(op);
    } else if (isa<LoadOp, StoreOp>(op)) {
      Access a;
      a.op = op;
      a.isLoad = isa<LoadOp>(op);
      BufferOp target =
          a.isLoad ? resolveBuffer(a.load()) : resolveBuffer(a.store());
      if (!target || !bufferOf.count(target))
        return;
      a.buffer = bufferOf[target];
      a.addr = a.isLoad ? a.load().getAddress() : a.store().getAddress();
      a.width = std::max<int64_t>(1, a.isLoad ? a.load().getWidth()
                                              : a.store().getWidth());
      for (LoopOp loop : enclosingLoops(op))
        a.loops.push_back(loop);
      a.guards = enclosingGuards(op);
      a.stage = op->getParentOfType<StageOp>();
      Buffer &b = buffers[a.buffer];
      (a.isLoad ? b.loaded : b.stored) = true;
      b.accesses.push_back(accesses.size());
      accessOf[op] = accesses.size();
      accesses.push_back(std::move(a));
      ops.push_back(op);
    }
  });
}

/// Loop variables by the divisors that addresses use on them, each a multiple
/// of the one before: `tx = 32 * a + 8 * b + c` for `tx / 8` and `tx / 32`.
void Program::findDigits() {
  std::map<std::string, std::set<int64_t>> divisors;
  for (const Access &a : accesses) {
    if (!a.addr)
      continue;
    for (LoopOp loop : a.loops) {
      std::string var = loop.getVar().str();
      std::vector<std::pair<Expr, Expr>> divisions;
      collectDivisions(*a.addr, {var}, divisions);
      for (const auto &[dividend, divisor] : divisions)
        if (auto d = divisor.constant64();
            d && *d >= 2 && dividend == Expr::symbol(var))
          divisors[var].insert(*d);
    }
  }
  for (const auto &[var, all] : divisors) {
    auto trips = LoopOp(loopOf.at(var)).getTrips().constant64();
    int64_t below = 1;
    bool chain = trips.has_value();
    for (int64_t d : all) {
      chain &= d % below == 0;
      below = d;
    }
    if (!chain)
      continue;
    Expr sum;
    below = 1;
    auto digit = [&](int64_t size) {
      std::string name = var + "__digit" + std::to_string(digitsOf[var].size());
      fine.declare(name, Expr(0), Expr(size - 1));
      digitsOf[var].push_back(name);
      sum += Expr(below) * Expr::symbol(name);
    };
    for (int64_t d : all) {
      if (d >= *trips)
        break;
      digit(d / below);
      below = d;
    }
    digit((*trips + below - 1) / below);
    digits[var] = sum;
  }
}

std::optional<Program::Span>
Program::span(const Access &a, const std::set<std::string> &vars) const {
  if (!a.addr)
    return std::nullopt;
  Expr addr = *a.addr;
  std::set<std::string> free = vars;
  std::map<std::string, Expr> apart;
  for (const auto &[var, sum] : digits)
    if (vars.count(var) && addr.dependsOn(var)) {
      apart[var] = sum;
      free.insert(digitsOf.at(var).begin(), digitsOf.at(var).end());
    }
  if (!apart.empty())
    addr = simplify(addr.substitute(apart), fine);
  // A guard on lanes shortens a digit: `tx % 32 < 16` has no second half.
  Assumptions here = fine;
  for (const Cond &c : a.guards.conjuncts()) {
    if (c.kind() != CondKind::NonNegative || apart.empty())
      continue;
    Expr slack = simplify(c.expr().substitute(apart), fine);
    std::optional<Linear> linear = asLinear(slack, free);
    if (!linear)
      continue;
    for (const auto &[var, factor] : linear->coefs) {
      auto k = factor.constant64();
      if (!k || *k >= 0)
        continue;
      std::optional<Expr> top =
          fine.upperBound(slack - factor * Expr::symbol(var), free);
      if (top && top->isConst())
        here.declare(var, Expr(0), floordiv(*top, Expr(-*k)));
    }
  }
  std::optional<Expr> lo = here.lowerBound(addr, free),
                      hi = here.upperBound(addr + (a.width - 1), free);
  if (!lo || !hi)
    return std::nullopt;
  return Span{*lo, *hi};
}

namespace {
/// Accesses that may meet, and the first and last element of them all.
struct Cluster {
  Expr lo, hi;
  SmallVector<unsigned, 4> members;
};
} // namespace

/// One array holds several tiles in many kernels (`extern __shared__`): cells
/// keep their contents apart. What cannot be proved apart is one cell, so a
/// value is never lost.
void Program::partition(unsigned index) {
  Buffer &b = buffers[index];
  auto single = [&](ArrayRef<unsigned> members) {
    unsigned id = cells.size();
    Cell cell;
    cell.buffer = index;
    for (unsigned m : members) {
      (accesses[m].isLoad ? cell.loads : cell.stores).push_back(m);
      accesses[m].cells.push_back(id);
    }
    cells.push_back(std::move(cell));
  };
  // Read-only and write-only buffers carry no flow.
  if (b.op.getScalar() || !b.loaded || !b.stored || b.accesses.size() < 2)
    return single(b.accesses);

  std::set<std::string> loopVars;
  for (unsigned m : b.accesses)
    for (LoopOp loop : accesses[m].loops)
      loopVars.insert(loop.getVar().str());
  std::vector<Cluster> clusters;
  SmallVector<unsigned, 4> anywhere;
  std::map<std::pair<Expr, int64_t>, unsigned> seen;
  for (unsigned m : b.accesses) {
    const Access &a = accesses[m];
    if (!a.addr) {
      anywhere.push_back(m);
      continue;
    }
    // Most accesses repeat an address: no need to bound it again.
    std::pair<Expr, int64_t> key(*a.addr, a.width);
    if (auto it = seen.find(key); it != seen.end()) {
      for (Cluster &c : clusters)
        if (llvm::is_contained(c.members, it->second))
          c.members.push_back(m);
      continue;
    }
    seen.emplace(std::move(key), m);
    std::optional<Span> ends = span(a, loopVars);
    // Without an end the access may be anywhere: nothing can be kept apart.
    if (!ends || clusters.size() > maxClusters)
      return single(b.accesses);
    Cluster joined{ends->lo, ends->hi, {m}};
    for (size_t i = 0; i < clusters.size();) {
      Cluster &c = clusters[i];
      bool same = c.lo == joined.lo && c.hi == joined.hi;
      if (!same && (known.isPositive(c.lo - joined.hi) ||
                    known.isPositive(joined.lo - c.hi))) {
        ++i;
        continue;
      }
      // The hull; an access inside a cluster, the usual case, changes nothing.
      if (!same && !known.isNonNegative(joined.lo - c.lo))
        c.lo = simplify(min(c.lo, joined.lo), known);
      if (!same && !known.isNonNegative(c.hi - joined.hi))
        c.hi = simplify(max(c.hi, joined.hi), known);
      c.members.append(joined.members.begin(), joined.members.end());
      joined = std::move(c);
      clusters.erase(clusters.begin() + i);
      i = 0;
    }
    clusters.push_back(std::move(joined));
  }
  if (clusters.empty())
    return single(b.accesses);
  unsigned first = cells.size();
  for (Cluster &c : clusters) {
    llvm::sort(c.members);
    single(c.members);
  }
  for (unsigned m : anywhere)
    for (unsigned c = first; c < cells.size(); ++c) {
      accesses[m].cells.push_back(c);
      (accesses[m].isLoad ? cells[c].loads : cells[c].stores).push_back(m);
    }
}

bool Program::separateTiles() {
  bool split = false;
  for (Buffer &b : buffers) {
    if (b.op.getSpace() != Space::Shared || b.op.getScalar() || !b.loaded ||
        !b.stored)
      continue;
    std::set<std::string> loopVars;
    for (unsigned m : b.accesses)
      for (LoopOp loop : accesses[m].loops)
        loopVars.insert(loop.getVar().str());
    // Offsets up to a constant, which counts rows or columns in a tile.
    std::map<unsigned, Expr> starts;
    std::set<Expr> distinct;
    for (unsigned m : b.accesses) {
      const Access &a = accesses[m];
      if (!a.addr)
        break;
      Expr start;
      for (const Expr &term : a.addr->terms())
        if (!term.isConst() && !term.dependsOnAny(loopVars))
          start += term;
      starts[m] = start;
      distinct.insert(start);
    }
    if (starts.size() != b.accesses.size() || distinct.size() < 2)
      continue;
    std::map<std::pair<unsigned, Expr>, unsigned> cellOf;
    for (unsigned m : b.accesses) {
      Access &a = accesses[m];
      if (a.cells.size() != 1)
        continue;
      auto [it, isNew] =
          cellOf.try_emplace({a.cells.front(), starts[m]}, cells.size());
      if (isNew) {
        cells.emplace_back();
        cells.back().buffer = cells[a.cells.front()].buffer;
      }
      Cell &cell = cells[it->second];
      (a.isLoad ? cell.loads : cell.stores).push_back(m);
    }
    for (unsigned m : b.accesses) {
      Access &a = accesses[m];
      if (a.cells.size() != 1)
        continue;
      unsigned old = a.cells.front();
      a.cells.front() = cellOf.at({old, starts[m]});
      cells[old].loads.clear();
      cells[old].stores.clear();
    }
    split = true;
  }
  return split;
}
