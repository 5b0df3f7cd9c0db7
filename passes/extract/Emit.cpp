//===- Emit.cpp - Loops, guards and words of a skeleton -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/extract/Extractor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::extract;

static int64_t bytesOf(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (element.isIntOrFloat())
    return std::max<int64_t>(1, (element.getIntOrFloatBitWidth() + 7) / 8);
  return 8; // an index, a pointer
}

std::string Extractor::unique(StringRef like) {
  std::string base;
  for (char c : like)
    base += isalnum(static_cast<unsigned char>(c)) || c == '_' ? c : '_';
  if (base.empty() || isdigit(static_cast<unsigned char>(base[0])))
    base = "v" + base;
  // Words of the expressions' own language.
  for (StringRef word :
       {"ceildiv", "floordiv", "mod", "min", "max", "sum", "for", "in", "range",
        "and", "or", "not", "unknown", "true", "false", "M"})
    if (base == word)
      base += "_";
  std::string name = base;
  for (unsigned k = 1; !names.insert(name).second; ++k)
    name = base + std::to_string(k);
  return name;
}

void Extractor::loop(Location loc, LoopKind kind, StringRef hint,
                     const Expr &trips, function_ref<void(Expr)> body) {
  Expr n = simplified(trips);
  if (n.isOne())
    return body(0);
  std::string var = unique(hint);
  auto op = LoopOp::create(builder, loc, kind, var, n, StringAttr());
  OpBuilder::InsertionGuard keep(builder);
  builder.setInsertionPointToStart(&op.getBody().emplaceBlock());
  Assumptions outer = known;
  known.declare(var, Expr(0), n - 1);
  variables.insert(var);
  ++depthOfLoops;
  body(Expr::symbol(var));
  --depthOfLoops;
  variables.erase(var);
  known = std::move(outer);
}

void Extractor::loops(Location loc, ArrayRef<Expr> sizes,
                      function_ref<void(ArrayRef<Expr>)> body) {
  Exprs at;
  std::function<void()> nest = [&] {
    if (at.size() == sizes.size())
      return body(at);
    loop(loc, LoopKind::Seq, "t", sizes[at.size()], [&](Expr i) {
      at.push_back(i);
      nest();
      at.pop_back();
    });
  };
  nest();
}

void Extractor::guard(Location loc, const Cond &c, function_ref<void()> fn) {
  Cond simple = simplify(c, known);
  if (simple.isNever())
    return;
  if (simple.isAlways())
    return fn();
  auto op = GuardOp::create(builder, loc, CondAttr::get(context(), simple));
  OpBuilder::InsertionGuard keep(builder);
  builder.setInsertionPointToStart(&op.getBody().emplaceBlock());
  Assumptions outer = known;
  assume(known, simple);
  fn();
  known = std::move(outer);
}

mlir::Value Extractor::loadWord(StringRef buffer, const Expr &word,
                                Location loc) {
  return LoadOp::create(builder, loc, ValueType::get(context()), buffer,
                        ExprAttr::get(context(), simplified(word)), 1,
                        nextInstr++, StringAttr());
}

void Extractor::storeWord(mlir::Value v, StringRef buffer, const Expr &word,
                          Location loc) {
  StoreOp::create(builder, loc, v, buffer,
                  ExprAttr::get(context(), simplified(word)), 1, nextInstr++,
                  StringAttr());
}

mlir::Value Extractor::load(const View &view, ArrayRef<Expr> at, Location loc) {
  return loadWord(view.buffer, view.address(at), loc);
}

void Extractor::store(mlir::Value v, const View &view, ArrayRef<Expr> at,
                      Location loc) {
  storeWord(v, view.buffer, view.address(at), loc);
}

mlir::Value Extractor::compute(ComputeKind kind, ArrayRef<mlir::Value> operands,
                               StringRef detail, Location loc) {
  return ComputeOp::create(
      builder, loc, ValueType::get(context()), kind, operands,
      detail.empty() ? StringAttr() : builder.getStringAttr(detail));
}

mlir::Value Extractor::element(const Entity &e, ArrayRef<Expr> at,
                               Location loc) {
  switch (e.kind) {
  case EntityKind::Data:
    return e.data;
  case EntityKind::Constant:
    return compute(ComputeKind::Constant, {}, e.text, loc);
  case EntityKind::Array:
    return load(e.view, at, loc);
  case EntityKind::Index:
  case EntityKind::Condition:
  case EntityKind::Pointer:
    // An integer used as data: its value is no word of memory.
    return compute(ComputeKind::Constant, {}, "integer", loc);
  case EntityKind::Unknown:
    return compute(ComputeKind::Other, {}, e.text, loc);
  }
  llvm_unreachable("kind of entity");
}

void Extractor::copy(const Entity &from, const View &to, Location loc) {
  loops(loc, to.sizes,
        [&](ArrayRef<Expr> at) { store(element(from, at, loc), to, at, loc); });
}

void Extractor::unknown(Operation *op, StringRef reason) {
  if (!currentStage)
    return stage(op, [&] { unknown(op, reason); });
  // It may touch what its operands name; where one names what was not followed
  // (an address as a number, say) or they name nothing, all.
  llvm::SetVector<mlir::Attribute> buffers;
  bool all = false;
  auto add = [&](mlir::Value v) {
    auto it = values.find(v);
    if (it == values.end()) {
      Operation *maker = v.getDefiningOp();
      all |= !op->isAncestor(maker ? maker : v.getParentBlock()->getParentOp());
      return;
    }
    const Entity &e = it->second;
    all |= e.is(EntityKind::Unknown);
    if (e.is(EntityKind::Array) || e.is(EntityKind::Pointer))
      buffers.insert(FlatSymbolRefAttr::get(context(), e.view.buffer));
  };
  op->walk([&](Operation *inner) {
    for (mlir::Value v : inner->getOperands())
      add(v);
  });
  if (all)
    buffers.clear();
  auto list = buffers.empty() ? ArrayAttr()
                              : builder.getArrayAttr(buffers.getArrayRef());
  UnknownOp::create(builder, op->getLoc(), builder.getStringAttr(reason), list,
                    list, buffers.empty() ? builder.getUnitAttr() : UnitAttr());
  for (mlir::Value r : op->getResults())
    set(r, Entity::unknown(reason));
}

BufferOp Extractor::declare(Space space, StringRef hint, Type element,
                            std::optional<Expr> words, Location loc,
                            bool scalar) {
  OpBuilder::InsertionGuard keep(builder);
  Operation *&last = space == Space::Slow ? lastHeader : lastFast;
  if (last)
    builder.setInsertionPointAfter(last);
  else
    builder.setInsertionPointToStart(space == Space::Slow
                                         ? &subject.getBody().front()
                                         : &currentStage.getBody().front());
  auto op = BufferOp::create(
      builder, loc, unique(hint), space, bytesOf(element),
      words ? ExprAttr::get(context(), *words) : ExprAttr(), RoleAttr(),
      ArrayAttr(), StringAttr(), StringAttr(), scalar);
  last = op;
  return op;
}

Exprs Extractor::rowMajor(ArrayRef<Expr> sizes) {
  Exprs strides(sizes.size(), Expr(1));
  for (size_t k = sizes.size(); k-- > 1;)
    strides[k - 1] = strides[k] * sizes[k];
  return strides;
}

std::optional<Expr> Extractor::largest(const Expr &e) const {
  if (e.isConst())
    return e;
  // A constant over a symbol: a tile min(32, n - i) has room for 32.
  std::set<std::string> all = e.freeSymbols();
  if (auto bound = known.upperBound(e, all); bound && bound->isConst())
    return bound;
  if (!e.dependsOnAny(variables))
    return e;
  return known.upperBound(e, variables);
}

std::optional<View> Extractor::fastArray(StringRef hint, Type element,
                                         ArrayRef<Expr> sizes, Location loc,
                                         Space space, bool scalar) {
  // Between two stages nothing fast survives.
  if (!currentStage)
    return std::nullopt;
  Exprs room;
  Expr words = 1;
  for (const Expr &size : sizes) {
    std::optional<Expr> most = largest(simplified(size));
    if (!most)
      return std::nullopt;
    room.push_back(*most);
    words *= *most;
  }
  View view;
  view.strides = rowMajor(room);
  view.sizes.assign(sizes.begin(), sizes.end());
  view.buffer =
      declare(space, hint, element, words, loc, scalar).getSymName().str();
  return view;
}

View Extractor::slowArray(StringRef hint, Type element, ArrayRef<Expr> sizes,
                          Location loc) {
  View view;
  view.slow = true;
  Expr words = 1;
  for (const Expr &size : sizes)
    words *= size;
  view.strides = rowMajor(sizes);
  view.sizes.assign(sizes.begin(), sizes.end());
  bool fixed = !words.dependsOnAny(variables);
  BufferOp op =
      declare(Space::Slow, hint, element,
              fixed ? std::optional<Expr>(words) : std::nullopt, loc, false);
  if (fixed && !sizes.empty()) {
    SmallVector<mlir::Attribute> extents;
    for (const Expr &size : sizes)
      extents.push_back(ExprAttr::get(context(), size));
    op.setExtentsAttr(builder.getArrayAttr(extents));
    op.setEvidence("shape");
  }
  view.buffer = op.getSymName().str();
  return view;
}

View Extractor::temporary(StringRef hint, Type element, ArrayRef<Expr> sizes,
                          Location loc) {
  // Between two stages nothing fast survives. Inside of loops a tile is fast,
  // outside a value is where the program keeps its operands.
  bool bounded = llvm::all_of(sizes, [&](const Expr &size) {
    auto most = largest(simplified(size));
    return most && most->isConst();
  });
  bool inside = depthOfLoops > 0;
  if (currentStage && (inside || !severalStages) && bounded)
    if (auto view = fastArray(hint, element, sizes, loc)) {
      passing.insert(view->buffer);
      return *view;
    }
  return slowArray(hint, element, sizes, loc);
}
