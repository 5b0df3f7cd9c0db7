//===- Triton.cpp - Triton IR: shapes and addresses -*- C++ -*-===//
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
#include "passes/extract/Unregistered.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::extract;

bool Extractor::visitTriton(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (!name.consume_front("tt.") && !name.consume_front("ttg."))
    return false;
  if (name == "return" || name == "assert" || name == "print" ||
      name == "reduce.return")
    return true;
  return tritonShape(op, name) || tritonAddress(op, name) ||
         tritonMemory(op, name) || tritonWords(op, name);
}

/// The coordinates in a shape of the element that is number `linear` in
/// row-major order.
static Exprs delinearized(Expr linear, ArrayRef<Expr> sizes) {
  Exprs at(sizes.size(), Expr(0));
  for (size_t k = sizes.size(); k-- > 0;) {
    at[k] = k ? mod(linear, sizes[k]) : linear;
    linear = floordiv(linear, sizes[k]);
  }
  return at;
}

/// The row-major number of the element at `at`.
static Expr linearized(ArrayRef<Expr> at, ArrayRef<Expr> sizes) {
  Expr linear = 0;
  for (auto [i, size] : llvm::zip(at, sizes))
    linear = linear * size + i;
  return linear;
}

/// Where in `from` the element at `at` of its reshape to `to` is. Dimensions of
/// size 1 come and go without arithmetic.
static Exprs beforeReshape(ArrayRef<Expr> at, ArrayRef<Expr> to,
                           ArrayRef<Expr> from) {
  Exprs big, sizes;
  for (auto [i, size] : llvm::zip(at, to))
    if (!size.isOne()) {
      big.push_back(i);
      sizes.push_back(size);
    }
  Exprs kept;
  for (const Expr &size : from)
    if (!size.isOne())
      kept.push_back(size);
  if (kept != sizes)
    big = delinearized(linearized(big, sizes), kept);
  Exprs out;
  unsigned next = 0;
  for (const Expr &size : from)
    out.push_back(size.isOne() ? Expr(0) : big[next++]);
  return out;
}

/// Strides of an array after a reshape; nullopt where its words do not lie so
/// that new strides reach them.
static std::optional<Exprs> reshapedStrides(const View &view,
                                            ArrayRef<Expr> to) {
  Exprs sizes, strides, kept;
  for (auto [size, stride] : llvm::zip(view.sizes, view.strides))
    if (!size.isOne()) {
      sizes.push_back(size);
      strides.push_back(stride);
    }
  for (const Expr &size : to)
    if (!size.isOne())
      kept.push_back(size);
  if (kept != sizes) {
    // A row-major array has one step between neighbours.
    if (strides.empty() || strides.back().isZero())
      return std::nullopt;
    Expr step = strides.back();
    for (size_t k = strides.size() - 1; k-- > 0;)
      if (strides[k] != strides[k + 1] * sizes[k + 1])
        return std::nullopt;
    Exprs rows = Extractor::rowMajor(kept);
    strides.clear();
    for (const Expr &row : rows)
      strides.push_back(row * step);
  }
  Exprs out;
  unsigned next = 0;
  for (const Expr &size : to)
    out.push_back(size.isOne() ? Expr(0) : strides[next++]);
  return out;
}

bool Extractor::tritonShape(Operation *op, StringRef name) {
  Location loc = op->getLoc();
  if (name == "make_range") {
    auto start = dyn_cast_or_null<IntegerAttr>(attributeOf(op, "start"));
    set(op->getResult(0),
        Entity::ofIndex(coordinate(0) + (start ? start.getInt() : int64_t(0)),
                        shapeOfType(op->getResult(0).getType())));
    return true;
  }
  if (op->getNumResults() == 0 || op->getNumOperands() == 0)
    return false;
  mlir::Value result = op->getResult(0);
  Entity from = get(op->getOperand(0));
  Exprs sizes = shapeOfType(result.getType());
  Exprs before = shapeOfType(op->getOperand(0).getType());

  // A view of the source with rearranged coordinates: no words move.
  auto rearranged = [&](mlir::Value into, ArrayRef<Expr> sourceAt,
                        ArrayRef<Expr> strides, const Expr &offset = 0) {
    Entity e = from;
    if (from.is(EntityKind::Array)) {
      e.view.strides.assign(strides.begin(), strides.end());
      e.view.offset += offset;
    } else if (!from.sizes.empty()) {
      e = from.at(sourceAt);
    }
    e.sizes = shapeOfType(into.getType());
    e.view.sizes = e.sizes;
    set(into, e);
    return true;
  };
  auto stride = [&](unsigned k) {
    return from.is(EntityKind::Array) ? from.view.strides[k] : Expr(0);
  };
  // The first operand in an array of its own, where that can be rearranged.
  auto copied = [&] {
    View to = temporary("v", op->getOperand(0).getType(), before, loc);
    copy(from, to, loc);
    return Entity::array(to);
  };

  if (name == "splat") {
    if (from.is(EntityKind::Data)) {
      View to = temporary("v", result.getType(), sizes, loc);
      copy(from, to, loc);
      from = Entity::array(to);
    }
    from.sizes = sizes;
    set(result, from);
    return true;
  }
  if (name == "unsplat") {
    Exprs zeros(before.size(), Expr(0));
    if (from.is(EntityKind::Array))
      from = Entity::ofData(load(from.view, zeros, loc));
    else if (!from.sizes.empty())
      from = from.at(zeros);
    set(result, from);
    return true;
  }
  if (name == "expand_dims") {
    auto axis = dyn_cast_or_null<IntegerAttr>(attributeOf(op, "axis"));
    if (!axis || axis.getInt() < 0 || axis.getInt() >= int64_t(sizes.size()))
      return unknown(op, "expand_dims without an axis"), true;
    Exprs at, strides;
    for (unsigned k = 0, s = 0; k < sizes.size(); ++k) {
      if (k == axis.getInt()) {
        strides.push_back(0);
        continue;
      }
      at.push_back(coordinate(k));
      strides.push_back(stride(s++));
    }
    return rearranged(result, at, strides);
  }
  if (name == "broadcast") {
    Exprs at, strides;
    if (before.size() != sizes.size())
      return unknown(op, "a broadcast that changes the rank"), true;
    for (unsigned k = 0; k < sizes.size(); ++k) {
      bool stretched = before[k].isOne() && !sizes[k].isOne();
      at.push_back(stretched ? Expr(0) : coordinate(k));
      strides.push_back(stretched ? Expr(0) : stride(k));
    }
    return rearranged(result, at, strides);
  }
  if (name == "trans") {
    SmallVector<int64_t> order = integersOf(attributeOf(op, "order"));
    if (order.empty())
      order = {1, 0};
    if (order.size() != before.size())
      return unknown(op, "a transposition of another rank"), true;
    Exprs at(order.size(), Expr(0)), strides;
    for (auto [k, o] : llvm::enumerate(order)) {
      at[o] = coordinate(k);
      strides.push_back(stride(o));
    }
    return rearranged(result, at, strides);
  }
  if (name == "reshape") {
    if (attributeOf(op, "allow_reorder"))
      return unknown(op, "a reshape that may reorder"), true;
    Exprs at;
    for (unsigned k = 0; k < sizes.size(); ++k)
      at.push_back(coordinate(k));
    Exprs strides;
    if (from.is(EntityKind::Array)) {
      auto moved = reshapedStrides(from.view, sizes);
      if (!moved) {
        from = copied();
        moved = reshapedStrides(from.view, sizes);
      }
      strides = *moved;
    }
    return rearranged(result, beforeReshape(at, sizes, before), strides);
  }
  if (name == "split" && op->getNumResults() == 2 && !before.empty()) {
    for (unsigned half : {0u, 1u}) {
      Exprs at, strides;
      for (unsigned k = 0; k + 1 < before.size(); ++k) {
        at.push_back(coordinate(k));
        strides.push_back(stride(k));
      }
      at.push_back(Expr(int64_t(half)));
      rearranged(op->getResult(half), at, strides,
                 stride(before.size() - 1) * Expr(int64_t(half)));
    }
    return true;
  }
  if (name == "join" && op->getNumOperands() == 2) {
    // Functions of coordinates are not joined; an index would be a choice.
    for (mlir::Value v : op->getOperands())
      if (!get(v).is(EntityKind::Array) && !get(v).is(EntityKind::Constant))
        return unknown(op, "a join of what is no tile of words"), true;
    View to = temporary("v", result.getType(), sizes, loc);
    for (unsigned half : {0u, 1u}) {
      View part = to;
      part.offset += Expr(int64_t(half)) * to.strides.back();
      part.strides.pop_back();
      part.sizes.pop_back();
      copy(get(op->getOperand(half)), part, loc);
    }
    set(result, Entity::array(to));
    return true;
  }
  if (name == "convert_layout" || name == "bitcast") {
    set(result, from);
    return true;
  }
  return false;
}

bool Extractor::tritonAddress(Operation *op, StringRef name) {
  if (op->getNumResults() != 1)
    return false;
  mlir::Value result = op->getResult(0);
  if (name == "get_program_id" || name == "get_num_programs") {
    auto axis = dyn_cast_or_null<IntegerAttr>(attributeOf(op, "axis"));
    if (!axis || axis.getInt() < 0 || axis.getInt() > 2 || !launch)
      return unknown(op, "a program number that was not followed"), true;
    set(result, Entity::ofIndex(name == "get_program_id"
                                    ? launch->blockId[axis.getInt()]
                                    : launch->grid[axis.getInt()]));
    return true;
  }
  if (name == "addptr") {
    Entity p = get(op->getOperand(0));
    if (!p.is(EntityKind::Pointer) || !p.offsets.empty())
      return unknown(op, "an address that was not followed"), true;
    Expr offset = integer(op->getOperand(1));
    p.index = simplified(p.index + offset);
    Exprs sizes = shapeOfType(result.getType());
    if (!sizes.empty())
      p.sizes = sizes;
    set(result, p);
    return true;
  }
  if (name == "make_tensor_ptr" || name == "make_tensor_descriptor") {
    Entity p = get(op->getOperand(0));
    auto block = blockShape(result.getType());
    if (!p.is(EntityKind::Pointer) || !p.offsets.empty() || !p.sizes.empty() ||
        !block)
      return unknown(op, "a block pointer that was not followed"), true;
    unsigned rank = block->size();
    bool descriptor = name == "make_tensor_descriptor";
    if (op->getNumOperands() != 1 + rank * (descriptor ? 2 : 3))
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
    set(result, p);
    return true;
  }
  if (name == "advance") {
    Entity p = get(op->getOperand(0));
    if (!p.is(EntityKind::Pointer) ||
        p.offsets.size() + 1 != op->getNumOperands())
      return unknown(op, "a block pointer that was not followed"), true;
    for (unsigned k = 0; k < p.offsets.size(); ++k)
      p.offsets[k] = simplified(p.offsets[k] + integer(op->getOperand(1 + k)));
    set(result, p);
    return true;
  }
  return false;
}

void Extractor::descriptorArguments(Block &entry) {
  for (unsigned n = 0; n < entry.getNumArguments(); ++n) {
    BlockArgument arg = entry.getArgument(n);
    auto block = blockShape(arg.getType());
    if (!block || !isDescriptor(arg.getType()))
      continue;
    Entity p = get(arg);
    unsigned rank = block->size();
    bool complete =
        p.is(EntityKind::Pointer) && n + 2 * rank < entry.getNumArguments();
    for (unsigned k = 1; complete && k <= 2 * rank; ++k)
      complete =
          entry.getArgument(n + k).getType().isInteger(k <= rank ? 32 : 64);
    if (!complete) {
      set(arg, Entity::unknown("a descriptor whose sizes and strides are no "
                               "arguments"));
      continue;
    }
    for (unsigned k = 0; k < rank; ++k) {
      p.view.sizes.push_back(integer(entry.getArgument(n + 1 + k)));
      p.view.strides.push_back(integer(entry.getArgument(n + 1 + rank + k)));
      p.offsets.push_back(0);
    }
    // What the hardware asks of the host.
    assumption(eq(p.view.strides.back(), 1),
               "the last dimension of a descriptor is contiguous",
               arg.getLoc());
    p.view.strides.back() = 1;
    describe(p.view.buffer, 0, p.view.sizes, p.view.strides);
    p.sizes = *block;
    set(arg, p);
  }
}
