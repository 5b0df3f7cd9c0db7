//===- Triton.cpp - Triton IR, read by the names of its operations -*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Triton's dialects are not linked: their operations are read in generic form.
// A tile of words is an array in private memory; pointers, offsets and masks
// are functions of their coordinates. One program is one thread of one CTA.
//
//===----------------------------------------------------------------------===//
#include "passes/extract/Extractor.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::extract;

/// An attribute of an operation that is not registered: in its properties where
/// the generic form wrote it there.
static mlir::Attribute attribute(Operation *op, StringRef name) {
  if (mlir::Attribute a = op->getAttr(name))
    return a;
  if (auto d = dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute()))
    return d.get(name);
  return {};
}

static SmallVector<int64_t> integersOf(mlir::Attribute a) {
  SmallVector<int64_t> out;
  if (auto d = dyn_cast_or_null<DenseI32ArrayAttr>(a))
    out.append(d.asArrayRef().begin(), d.asArrayRef().end());
  else if (auto d = dyn_cast_or_null<DenseI64ArrayAttr>(a))
    out.append(d.asArrayRef().begin(), d.asArrayRef().end());
  return out;
}

/// The shape in `ptr<tensor<128x64xf16>>` or `tensordesc<tensor<...>>`.
static std::optional<Exprs> blockShape(Type type) {
  auto opaque = dyn_cast<OpaqueType>(type);
  if (!opaque)
    return std::nullopt;
  StringRef text = opaque.getTypeData();
  size_t at = text.find("tensor<");
  if (at == StringRef::npos)
    return std::nullopt;
  text = text.substr(at + 7);
  Exprs sizes;
  int64_t n;
  while (!text.consumeInteger(10, n) && text.consume_front("x"))
    sizes.push_back(n);
  return sizes;
}

static ComputeKind combiner(Region &region) {
  if (!llvm::hasSingleElement(region) ||
      std::distance(region.front().begin(), region.front().end()) != 2)
    return ComputeKind::Other;
  return llvm::StringSwitch<ComputeKind>(
             region.front().front().getName().getStringRef())
      .Cases({"arith.addf", "arith.addi"}, ComputeKind::Add)
      .Cases({"arith.maxnumf", "arith.maximumf", "arith.maxsi"},
             ComputeKind::Max)
      .Cases({"arith.minnumf", "arith.minimumf", "arith.minsi"},
             ComputeKind::Min)
      .Case("arith.mulf", ComputeKind::Mul)
      .Default(ComputeKind::Other);
}

Extractor::Launch Extractor::unknownLaunch() {
  Launch sizes;
  auto grid = dyn_cast_or_null<ArrayAttr>(attribute(function, "ioflor.grid"));
  auto block = dyn_cast_or_null<ArrayAttr>(attribute(function, "ioflor.block"));
  auto known = [&](StringRef name, ArrayAttr given, Expr *into, bool asked[3]) {
    for (unsigned k = 0; k < 3; ++k) {
      if (given && k < given.size()) {
        if (auto text = dyn_cast<StringAttr>(given[k])) {
          ExprError error;
          if (auto e = parseExpr(text.getValue(), &error)) {
            into[k] = *e;
            continue;
          }
          function->emitWarning() << "'" << text.getValue()
                                  << "' is no expression: " << error.message;
        }
      }
      if (asked[k])
        into[k] = symbol(name.str() + "_" + "xyz"[k], Expr(1),
                         parseExpr("2**31 - 1"), function->getLoc());
    }
  };
  bool grids[3] = {}, blocks[3] = {};
  function->walk([&](Operation *op) {
    StringRef name = op->getName().getStringRef();
    if (name == "tt.get_program_id" || name == "tt.get_num_programs")
      if (auto axis = dyn_cast_or_null<IntegerAttr>(attribute(op, "axis")))
        grids[std::min<uint64_t>(2, axis.getInt())] = true;
    if (name == "gpu.block_id" || name == "gpu.thread_id" ||
        name == "gpu.block_dim" || name == "gpu.grid_dim" ||
        name == "gpu.global_id") {
      std::string text;
      llvm::raw_string_ostream os(text);
      op->getAttrDictionary().print(os);
      for (unsigned k = 0; k < 3; ++k)
        if (text.find(std::string("dim ") + "xyz"[k]) != std::string::npos) {
          bool isGrid = name == "gpu.block_id" || name == "gpu.grid_dim";
          (isGrid ? grids : blocks)[k] = true;
          if (name == "gpu.global_id")
            grids[k] = true;
        }
    }
  });
  // What a gpu.func promises of its launch.
  auto promised = [&](StringRef name, Expr *into, bool asked[3]) {
    SmallVector<int64_t> ns = integersOf(attribute(function, name));
    for (unsigned k = 0; k < ns.size() && k < 3; ++k) {
      into[k] = ns[k];
      asked[k] = false;
    }
  };
  promised("known_block_size", sizes.block, blocks);
  promised("known_grid_size", sizes.grid, grids);
  // These names tell the verdict that the launch is not known.
  known("gridDim", grid, sizes.grid, grids);
  known("blockDim", block, sizes.block, blocks);
  return sizes;
}

bool Extractor::visitTriton(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (!name.consume_front("tt.") && !name.consume_front("ttg."))
    return false;
  Location loc = op->getLoc();
  auto result = [&] { return op->getResult(0); };
  auto segments = integersOf(attribute(op, "operandSegmentSizes"));

  // A view of the source with rearranged coordinates: no words move.
  auto rearranged = [&](const Entity &from, ArrayRef<Expr> sourceAt,
                        ArrayRef<Expr> strides) {
    Entity e = from;
    if (from.is(EntityKind::Array))
      e.view.strides.assign(strides.begin(), strides.end());
    else if (!from.sizes.empty())
      e = from.at(sourceAt);
    e.sizes = shapeOfType(result().getType());
    e.view.sizes = e.sizes;
    set(result(), e);
    return true;
  };

  if (name == "return" || name == "assert" || name == "print" ||
      name == "reduce.return")
    return true;
  if (name == "get_program_id" || name == "get_num_programs") {
    auto axis = dyn_cast_or_null<IntegerAttr>(attribute(op, "axis"));
    if (!axis || axis.getInt() > 2 || !launch)
      return unknown(op, "a program number that was not followed"), true;
    set(result(), Entity::ofIndex(name == "get_program_id"
                                      ? launch->blockId[axis.getInt()]
                                      : launch->grid[axis.getInt()]));
    return true;
  }
  if (name == "make_range") {
    auto start = dyn_cast_or_null<IntegerAttr>(attribute(op, "start"));
    set(result(),
        Entity::ofIndex(coordinate(0) + (start ? start.getInt() : int64_t(0)),
                        shapeOfType(result().getType())));
    return true;
  }
  if (name == "splat") {
    Entity e = get(op->getOperand(0));
    if (e.is(EntityKind::Data)) {
      View to = temporary("v", result().getType(),
                          shapeOfType(result().getType()), loc);
      copy(e, to, loc);
      e = Entity::array(to);
    }
    e.sizes = shapeOfType(result().getType());
    set(result(), e);
    return true;
  }
  if (name == "expand_dims") {
    Entity from = get(op->getOperand(0));
    auto axis = dyn_cast_or_null<IntegerAttr>(attribute(op, "axis"));
    if (!axis)
      return unknown(op, "expand_dims without an axis"), true;
    Exprs at, strides;
    unsigned rank = shapeOfType(result().getType()).size();
    for (unsigned k = 0, s = 0; k < rank; ++k) {
      if (k == axis.getInt()) {
        strides.push_back(0);
        continue;
      }
      at.push_back(coordinate(k));
      if (from.is(EntityKind::Array))
        strides.push_back(from.view.strides[s]);
      ++s;
    }
    return rearranged(from, at, strides);
  }
  if (name == "broadcast") {
    Entity from = get(op->getOperand(0));
    Exprs sizes = shapeOfType(result().getType()), at, strides;
    for (unsigned k = 0; k < sizes.size(); ++k) {
      bool stretched = from.sizes.size() == sizes.size() &&
                       from.sizes[k].isOne() && !sizes[k].isOne();
      at.push_back(stretched ? Expr(0) : coordinate(k));
      if (from.is(EntityKind::Array))
        strides.push_back(stretched ? Expr(0) : from.view.strides[k]);
    }
    return rearranged(from, at, strides);
  }
  if (name == "trans") {
    Entity from = get(op->getOperand(0));
    SmallVector<int64_t> order = integersOf(attribute(op, "order"));
    if (order.empty())
      order = {1, 0};
    Exprs at(order.size(), Expr(0)), strides;
    for (auto [k, o] : llvm::enumerate(order)) {
      at[o] = coordinate(k);
      if (from.is(EntityKind::Array))
        strides.push_back(from.view.strides[o]);
    }
    return rearranged(from, at, strides);
  }
  if (name == "convert_layout" || name == "local_load" ||
      name == "memdesc_trans" || name == "ptr_to_int" || name == "bitcast") {
    if (name == "memdesc_trans")
      return unknown(op, "a transposed descriptor is not followed"), true;
    set(result(), get(op->getOperand(0)));
    return true;
  }
  if (name == "addptr") {
    Entity p = get(op->getOperand(0));
    if (!p.is(EntityKind::Pointer))
      return unknown(op, "an address that was not followed"), true;
    p.index = simplified(p.index + integer(op->getOperand(1)));
    p.sizes = get(op->getOperand(1)).sizes.empty()
                  ? p.sizes
                  : get(op->getOperand(1)).sizes;
    set(result(), p);
    return true;
  }
  if (name == "make_tensor_ptr" || name == "make_tensor_descriptor") {
    Entity p = get(op->getOperand(0));
    auto block = blockShape(result().getType());
    if (!p.is(EntityKind::Pointer) || !block)
      return unknown(op, "a block pointer that was not followed"), true;
    unsigned rank = block->size();
    bool descriptor = name == "make_tensor_descriptor";
    if (op->getNumOperands() < 1 + rank * (descriptor ? 2 : 3))
      return unknown(op, "a block pointer that was not followed"), true;
    p.view.offset = p.index;
    p.index = 0;
    for (unsigned k = 0; k < rank; ++k) {
      p.view.sizes.push_back(integer(op->getOperand(1 + k)));
      p.view.strides.push_back(integer(op->getOperand(1 + rank + k)));
      p.offsets.push_back(
          descriptor ? Expr(0) : integer(op->getOperand(1 + 2 * rank + k)));
    }
    p.sizes = *block;
    describe(p.view.buffer, p.view.offset, p.view.sizes, p.view.strides);
    set(result(), p);
    return true;
  }
  if (name == "advance") {
    Entity p = get(op->getOperand(0));
    for (unsigned k = 0; k < p.offsets.size(); ++k)
      p.offsets[k] = simplified(p.offsets[k] + integer(op->getOperand(1 + k)));
    set(result(), p);
    return true;
  }

  // The word that a pointer has at coordinates, and whether it is there.
  auto place = [&](const Entity &p, ArrayRef<Expr> at,
                   ArrayRef<int64_t> checked, bool all) {
    std::pair<Expr, Cond> out;
    if (p.offsets.empty()) {
      out.first = p.at(at).index;
      return out;
    }
    Exprs where;
    std::vector<Cond> inside;
    for (unsigned k = 0; k < p.offsets.size(); ++k) {
      where.push_back(p.offsets[k] + at[k]);
      if (all || llvm::is_contained(checked, int64_t(k)))
        inside.push_back(lt(where.back(), p.view.sizes[k]));
    }
    out.first = p.view.address(where);
    out.second = conjunction(inside);
    return out;
  };
  // One name for one mask: two masks in memory may differ.
  Cond inMemory =
      Cond::unknown("a mask in memory", "mask" + std::to_string(++nextUnknown));
  auto maskAt = [&](mlir::Value mask, ArrayRef<Expr> at) {
    const Entity &m = get(mask);
    return m.is(EntityKind::Condition) ? m.at(at).condition : inMemory;
  };

  if (name == "load" || name == "descriptor_load") {
    bool descriptor = name == "descriptor_load";
    Entity p = get(op->getOperand(0));
    if (!p.is(EntityKind::Pointer))
      return unknown(op, "a load from an address that was not followed"), true;
    if (descriptor)
      for (unsigned k = 0; k < p.offsets.size(); ++k)
        p.offsets[k] = integer(op->getOperand(1 + k));
    mlir::Value mask, other;
    if (!descriptor) {
      unsigned next = 1;
      bool hasMask =
          segments.size() > 1 ? segments[1] : op->getNumOperands() > 1;
      bool hasOther =
          segments.size() > 2 ? segments[2] : op->getNumOperands() > 2;
      if (hasMask)
        mask = op->getOperand(next++);
      if (hasOther)
        other = op->getOperand(next++);
    }
    SmallVector<int64_t> checked = integersOf(attribute(op, "boundaryCheck"));
    if (!isa<RankedTensorType>(result().getType())) {
      mlir::Value word = loadWord(p.view.buffer, p.index, loc);
      set(result(), result().getType().isIntOrIndex()
                        ? Entity::unknown("an integer in memory")
                        : Entity::ofData(word));
      return true;
    }
    Exprs sizes = shapeOfType(result().getType());
    View to = temporary("tile", result().getType(), sizes, loc);
    loops(loc, sizes, [&](ArrayRef<Expr> at) {
      auto [word, inside] = place(p, at, checked, descriptor);
      Cond c = mask ? inside && maskAt(mask, at) : inside;
      guard(loc, c, [&, word = word] {
        store(loadWord(p.view.buffer, word, loc), to, at, loc);
      });
      guard(loc, !c, [&] {
        store(other ? element(get(other), at, loc)
                    : compute(ComputeKind::Constant, {}, "0", loc),
              to, at, loc);
      });
    });
    set(result(), Entity::array(to));
    return true;
  }
  if (name == "store" || name == "descriptor_store" || name == "atomic_rmw") {
    bool descriptor = name == "descriptor_store";
    Entity p = get(op->getOperand(0));
    if (!p.is(EntityKind::Pointer) || name == "atomic_rmw")
      return unknown(op, name == "atomic_rmw"
                             ? "an atomic update"
                             : "a store to an address that was not followed"),
             true;
    Entity value = get(op->getOperand(1));
    mlir::Value mask;
    if (descriptor)
      for (unsigned k = 0; k < p.offsets.size(); ++k)
        p.offsets[k] = integer(op->getOperand(2 + k));
    else if (op->getNumOperands() > 2)
      mask = op->getOperand(2);
    SmallVector<int64_t> checked = integersOf(attribute(op, "boundaryCheck"));
    Exprs sizes = shapeOfType(op->getOperand(1).getType());
    loops(loc, sizes, [&](ArrayRef<Expr> at) {
      auto [word, inside] = place(p, at, checked, descriptor);
      Cond c = mask ? inside && maskAt(mask, at) : inside;
      guard(loc, c, [&, word = word] {
        storeWord(element(value, at, loc), p.view.buffer, word, loc);
      });
    });
    return true;
  }
  if (name == "dot") {
    Entity a = get(op->getOperand(0)), b = get(op->getOperand(1)),
           acc = get(op->getOperand(2));
    Exprs sizes = shapeOfType(result().getType());
    Exprs left = shapeOfType(op->getOperand(0).getType());
    if (sizes.size() != 2 || left.size() != 2)
      return unknown(op, "a batched dot"), true;
    View to = acc.is(EntityKind::Array) && isLastUse(op->getOperand(2), op)
                  ? acc.view
                  : temporary("v", result().getType(), sizes, loc);
    auto reg =
        fastArray("acc", result().getType(), {}, loc, Space::Private, true);
    loops(loc, sizes, [&](ArrayRef<Expr> at) {
      store(element(acc, at, loc), *reg, {}, loc);
      loop(loc, LoopKind::Seq, "t", left[1], [&](Expr k) {
        mlir::Value product =
            compute(ComputeKind::Mul,
                    {element(a, {at[0], k}, loc), element(b, {k, at[1]}, loc)},
                    "", loc);
        store(
            compute(ComputeKind::Add, {load(*reg, {}, loc), product}, "", loc),
            *reg, {}, loc);
      });
      store(load(*reg, {}, loc), to, at, loc);
    });
    set(result(), Entity::array(to));
    return true;
  }
  if (name == "reduce" && op->getNumResults() == 1) {
    Entity from = get(op->getOperand(0));
    auto axis = dyn_cast_or_null<IntegerAttr>(attribute(op, "axis"));
    ComputeKind kind = combiner(op->getRegion(0));
    Exprs sizes = shapeOfType(op->getOperand(0).getType()), outer = sizes;
    if (!axis || kind == ComputeKind::Other ||
        axis.getInt() >= int64_t(sizes.size()))
      return unknown(op, "a reduction that is no sum, product or extremum"),
             true;
    unsigned dim = axis.getInt();
    outer.erase(outer.begin() + dim);
    std::optional<View> to;
    if (isa<RankedTensorType>(result().getType()))
      to = temporary("v", result().getType(), outer, loc);
    auto reg =
        fastArray("acc", result().getType(), {}, loc, Space::Private, true);
    loops(loc, outer, [&](ArrayRef<Expr> rest) {
      store(compute(ComputeKind::Constant, {}, startOf(kind), loc), *reg, {},
            loc);
      loop(loc, LoopKind::Seq, "t", sizes[dim], [&](Expr j) {
        Exprs at(rest.begin(), rest.end());
        at.insert(at.begin() + dim, j);
        store(compute(kind, {load(*reg, {}, loc), element(from, at, loc)}, "",
                      loc),
              *reg, {}, loc);
      });
      if (to)
        store(load(*reg, {}, loc), *to, rest, loc);
    });
    set(result(),
        to ? Entity::array(*to) : Entity::ofData(load(*reg, {}, loc)));
    return true;
  }
  if (name == "extern_elementwise" && op->getNumResults() == 1) {
    auto symbol = dyn_cast_or_null<StringAttr>(attribute(op, "symbol"));
    bool isExp = symbol && symbol.getValue().contains("exp");
    Exprs sizes = shapeOfType(result().getType());
    View to = temporary("v", result().getType(), sizes, loc);
    loops(loc, sizes, [&](ArrayRef<Expr> at) {
      SmallVector<mlir::Value> in;
      for (mlir::Value v : op->getOperands())
        in.push_back(element(get(v), at, loc));
      store(compute(isExp ? ComputeKind::Exp : ComputeKind::Other, in,
                    symbol ? symbol.getValue() : "", loc),
            to, at, loc);
    });
    set(result(), Entity::array(to));
    return true;
  }
  return false;
}
