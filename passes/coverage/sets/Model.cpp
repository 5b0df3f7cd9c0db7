//===- Model.cpp - A subject as integer sets ------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/coverage/sets/Model.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::sets;

static const char lane[] = "lane";

static std::string join(const std::vector<std::string> &parts) {
  std::string out;
  for (const std::string &p : parts)
    out += (out.empty() ? "" : ", ") + p;
  return out;
}

std::string Statement::tuple() const {
  std::vector<std::string> all;
  for (const std::string &d : dims)
    all.push_back(spell(d));
  if (width > 1)
    all.push_back(lane);
  return name + "[" + join(all) + "]";
}

Set Model::set(const std::string &text) const {
  return isl.set(params.prefix() + text);
}
Map Model::map(const std::string &text) const {
  return isl.map(params.prefix() + text);
}

Model::Model(SubjectOp subject, uint64_t maxOperations)
    : subject(subject), isl(maxOperations), known(collectAssumptions(subject)) {
  unsigned stages = 0;
  subject->walk([&](StageOp) { ++stages; });
  // Words that go through slow memory may go from one CTA to another.
  std::map<Operation *, std::pair<bool, bool>> slow;
  subject->walk([&](Operation *op) {
    auto load = dyn_cast<LoadOp>(op);
    auto store = dyn_cast<StoreOp>(op);
    if (!load && !store)
      return;
    BufferOp b = load ? resolveBuffer(load) : resolveBuffer(store);
    if (b && b.getSpace() == Space::Slow)
      (load ? slow[b].first : slow[b].second) = true;
  });
  gridIsDimension = stages != 1 || llvm::any_of(slow, [](const auto &s) {
                      return s.second.first && s.second.second;
                    });
  for (auto symbol : subject.getBody().getOps<SymbolOp>()) {
    if (symbol.getData())
      params.data.insert(symbol.getName().str());
    else
      params.name(symbol.getName());
  }
  collect();
  if (problem)
    return;
  for (Statement &s : statements)
    findDomain(s);
  // Every expression has been read: all parameters are known by now, but for
  // those that only shapes use.
  for (auto buffer : subject.getBody().getOps<BufferOp>())
    shape(buffer);
  for (Statement &s : statements)
    if (s.address) {
      const Shape *sh =
          s.buffer.getSpace() == Space::Slow ? &shape(s.buffer) : nullptr;
      if (sh && sh->problem.empty())
        split(s, sh->strides);
    }
  addContext();
  for (Statement &s : statements)
    s.domain = intersectParams(s.domain, context);
}

std::optional<Part> ioflor::sets::partOf(ComputeOp op) {
  if (!op.getDetail())
    return std::nullopt;
  StringRef detail = *op.getDetail();
  Part out;
  out.insert = detail.consume_front("insert");
  if (!out.insert && !detail.consume_front("extract"))
    return std::nullopt;
  auto [bytes, offset] = detail.trim().split(" at ");
  if (bytes.trim().getAsInteger(10, out.bytes) ||
      offset.trim().getAsInteger(10, out.offset))
    out.bytes = out.offset = 0;
  return out;
}

/// Elements that a value holds.
static int64_t widthOf(Value v, llvm::DenseMap<Operation *, int64_t> &widths) {
  Operation *def = v.getDefiningOp();
  if (!def)
    return 1;
  auto it = widths.find(def);
  return it == widths.end() ? 1 : it->second;
}

void Model::collect() {
  llvm::DenseMap<Operation *, int64_t> widths;
  unsigned order = 0;
  llvm::DenseMap<Operation *, unsigned> position;
  std::set<Operation *> seenGrids;
  subject->walk<WalkOrder::PreOrder>([&](Operation *op) {
    position[op] = order++;
    if (auto unknown = dyn_cast<UnknownOp>(op)) {
      if (unknown.getAny() || unknown.getWrites())
        problem = {op, unknown.getReason().str()};
      return;
    }
    if (auto loop = dyn_cast<LoopOp>(op)) {
      known.declare(loop.getVar(), Expr(0), loop.getTrips() - 1);
      loopVariables.insert(loop.getVar().str());
      if (loop.getKind() == LoopKind::Grid && seenGrids.insert(op).second)
        grids.push_back(loop);
      return;
    }
    if (!isa<LoadOp, StoreOp, ComputeOp>(op))
      return;
    Statement s;
    s.op = op;
    s.name = "S" + std::to_string(statements.size());
    for (LoopOp loop : enclosingLoops(op)) {
      bool grid = loop.getKind() == LoopKind::Grid;
      if (grid && !gridIsDimension)
        continue;
      std::string var = loop.getVar().str();
      s.dims.push_back(var);
      if (loop.getKind() == LoopKind::Thread)
        s.threads.push_back(var);
      if (grid || loop.getKind() == LoopKind::Host)
        s.outer.push_back(var);
    }
    if (auto load = dyn_cast<LoadOp>(op)) {
      s.buffer = resolveBuffer(load);
      s.address = load.getAddress();
      s.width = std::max<int64_t>(1, load.getWidth());
      s.elementBytes = s.buffer.getElementBytes();
    } else if (auto store = dyn_cast<StoreOp>(op)) {
      s.buffer = resolveBuffer(store);
      s.address = store.getAddress();
      s.width = std::max<int64_t>(1, store.getWidth());
    } else if (auto part = partOf(cast<ComputeOp>(op))) {
      auto of = cast<ComputeOp>(op).getOperands();
      if (part->insert) {
        s.elementBytes = part->bytes;
        s.width = part->bytes ? part->offset / part->bytes + 1 : 1;
        if (of.size() > 1)
          s.width = std::max(s.width, widthOf(of[0], widths));
      } else if (!of.empty() && of[0].getDefiningOp()) {
        auto from = ids.find(of[0].getDefiningOp());
        int64_t bytes =
            from == ids.end() ? 0 : statements[from->second].elementBytes;
        if (bytes && part->bytes % bytes == 0)
          s.width = std::max<int64_t>(1, part->bytes / bytes);
        s.elementBytes = bytes;
      }
    } else {
      for (Value v : cast<ComputeOp>(op).getOperands())
        s.width = std::max(s.width, widthOf(v, widths));
    }
    if (s.address && s.width > 1)
      *s.address += Expr::symbol(lane);
    widths[op] = s.width;
    ids[op] = statements.size();
    byName[s.name] = statements.size();
    statements.push_back(std::move(s));
  });
  for (const Statement &s : statements) {
    timeDims = std::max<unsigned>(timeDims, s.dims.size() - s.threads.size());
    threadDims = std::max<unsigned>(threadDims, s.threads.size());
  }
  // Times: position and value of each sequential loop, the position of the
  // operation, then threads and lane.
  for (Statement &s : statements) {
    std::vector<std::string> time;
    for (LoopOp loop : enclosingLoops(s.op)) {
      if (loop.getKind() == LoopKind::Thread ||
          (loop.getKind() == LoopKind::Grid && !gridIsDimension))
        continue;
      time.push_back(std::to_string(position[loop]));
      time.push_back(spell(loop.getVar()));
    }
    time.push_back(std::to_string(position[s.op]));
    time.resize(2 * timeDims + 1, "0");
    std::vector<std::string> threads;
    for (const std::string &t : s.threads)
      threads.push_back(spell(t));
    threads.resize(threadDims, "0");
    time.insert(time.end(), threads.begin(), threads.end());
    time.push_back(s.width > 1 ? lane : "0");
    s.time = isl.map("{ " + s.tuple() + " -> [" + join(time) + "] }");
  }
}

void Model::findDomain(Statement &s) {
  std::set<std::string> dims(s.dims.begin(), s.dims.end());
  dims.insert(lane);
  Affine affine(params, dims);
  std::string text;
  auto require = [&](const std::string &c) {
    text += (text.empty() ? "" : " and ") + ("(" + c + ")");
  };
  for (LoopOp loop : enclosingLoops(s.op)) {
    std::string var = loop.getVar().str();
    std::string name = dims.count(var) ? spell(var) : params.name(var);
    require(name + " >= 0");
    Affine end(params, dims);
    std::string isBelow = end.cond(lt(Expr::symbol(var), loop.getTrips()));
    if (!end.approximate)
      require(isBelow);
    else if (!s.approximate) {
      s.approximate = true;
      s.why = "the trip count '" + loop.getTrips().str() + "' is not affine";
    }
  }
  if (s.width > 1)
    require("0 <= lane < " + std::to_string(s.width));
  require(affine.cond(enclosingGuards(s.op)));
  if (affine.approximate && !s.approximate) {
    s.approximate = true;
    s.why = affine.why;
  }
  s.domain = set("{ " + s.tuple() + " : " + text + " }");
}

void Model::addContext() {
  Affine affine(params, {});
  std::string text;
  auto require = [&](const std::string &c) {
    text += (text.empty() ? "" : " and ") + ("(" + c + ")");
  };
  for (auto symbol : subject.getBody().getOps<SymbolOp>()) {
    if (symbol.getData())
      continue;
    // The upper end is that of the type; what holds above it holds below it.
    std::string name = params.name(symbol.getName());
    if (symbol.getLo())
      if (auto lo = affine.expr(*symbol.getLo()))
        require(name + " >= " + *lo);
    if (symbol.getHi() && !symbol.getHi()->isConst())
      if (auto hi = affine.expr(*symbol.getHi()))
        require(name + " <= " + *hi);
  }
  for (auto assumption : subject.getBody().getOps<AssumeOp>())
    for (const Cond &c : assumption.getCondition().conjuncts()) {
      Affine each(params, {});
      std::string said = each.cond(c);
      // Taking a part of it as true would be right for `and` only.
      if (!each.approximate)
        require(said);
    }
  // Of an opaque expression: its sign, and the extents that it stays below, as
  // the key head h / (H / G) below G.
  std::set<Expr> extents;
  for (const auto &[op, shape] : shapes)
    extents.insert(shape.sizes.begin(), shape.sizes.end());
  const std::map<Expr, std::string> opaques = params.opaques();
  for (const auto &[e, name] : opaques) {
    if (known.isPositive(e))
      require(name + " >= 1");
    else if (known.isNonNegative(e))
      require(name + " >= 0");
    for (const Expr &extent : extents)
      if (!extent.isConst() && extent != e && known.isPositive(extent - e))
        if (auto text = affine.expr(extent))
          require(name + " < " + *text);
  }
  context = isl.set(params.prefix() + "{ : " + (text.empty() ? "1 = 1" : text) +
                    " }");
  context = Set(isl_set_params(context.give()));
}

const Statement &Model::named(const std::string &tuple) const {
  return statements[byName.at(tuple)];
}

std::vector<unsigned> Model::loadsOf(BufferOp b) const {
  std::vector<unsigned> out;
  for (unsigned i = 0; i < statements.size(); ++i)
    if (statements[i].buffer == b && isa<LoadOp>(statements[i].op))
      out.push_back(i);
  return out;
}
std::vector<unsigned> Model::storesOf(BufferOp b) const {
  std::vector<unsigned> out;
  for (unsigned i = 0; i < statements.size(); ++i)
    if (statements[i].buffer == b && isa<StoreOp>(statements[i].op))
      out.push_back(i);
  return out;
}

Map Model::upwards(unsigned fromId, unsigned toId) {
  const Statement &from = statements[fromId], &to = statements[toId];
  if (to.width > 1 && from.width != to.width)
    return Map();
  for (const std::string &d : to.dims)
    if (std::find(from.dims.begin(), from.dims.end(), d) == from.dims.end())
      return Map();
  Map m = isl.map("{ " + from.tuple() + " -> " + to.tuple() + " }");
  return intersectDomain(m, from.domain);
}
