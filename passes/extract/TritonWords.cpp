//===- TritonWords.cpp - Triton IR: loads, stores and arithmetic of tiles -*-
// C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/extract/Extractor.h"
#include "passes/extract/Unregistered.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::extract;

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

namespace {
/// Where a load or store of a tile goes.
struct Access {
  explicit Access(Extractor &x) : x(x) {}
  Extractor &x;
  Entity pointer;
  SmallVector<int64_t> checked; ///< of a block pointer, its checked dimensions
  bool all = false;             ///< a descriptor checks all
  mlir::Value mask;
  /// One name for one mask: two masks in memory may differ.
  Cond inMemory;

  /// The word at coordinates, and whether it is there.
  std::pair<Expr, Cond> at(ArrayRef<Expr> coordinates) {
    std::pair<Expr, Cond> out;
    if (pointer.offsets.empty()) {
      out.first = pointer.at(coordinates).index;
    } else {
      Exprs where;
      std::vector<Cond> inside;
      // The leading dimensions that a descriptor's tile has not are 1.
      unsigned missing = pointer.offsets.size() - coordinates.size();
      for (unsigned k = 0; k < pointer.offsets.size(); ++k) {
        where.push_back(pointer.offsets[k] +
                        (k < missing ? Expr(0) : coordinates[k - missing]));
        if (!all && !llvm::is_contained(checked, int64_t(k)))
          continue;
        inside.push_back(le(0, where.back()));
        inside.push_back(lt(where.back(), pointer.view.sizes[k]));
      }
      out.first = pointer.view.address(where);
      out.second = conjunction(inside);
    }
    if (mask) {
      const Entity &m = x.get(mask);
      out.second = out.second &&
                   (m.is(EntityKind::Condition) ? m.at(coordinates).condition
                                                : inMemory);
    }
    return out;
  }

  /// A tile of this shape is one of the block that a block pointer names.
  bool fits(ArrayRef<Expr> sizes) const {
    if (pointer.offsets.empty())
      return pointer.sizes.empty() == sizes.empty();
    ArrayRef<Expr> block = pointer.sizes;
    while (block.size() > sizes.size() && block.front().isOne())
      block = block.drop_front();
    return block == sizes;
  }
};
} // namespace

bool Extractor::tritonMemory(Operation *op, StringRef name) {
  Location loc = op->getLoc();
  bool descriptor = name == "descriptor_load" || name == "descriptor_store";
  Access access(*this);
  access.checked = integersOf(attributeOf(op, "boundaryCheck"));
  access.all = descriptor;
  access.inMemory =
      Cond::unknown("a mask in memory", "mask" + std::to_string(++nextUnknown));
  if ((name == "load" || name == "descriptor_load") &&
      op->getNumResults() == 1 && op->getNumOperands() > 0) {
    mlir::Value result = op->getResult(0);
    Exprs sizes = shapeOfType(result.getType());
    access.pointer = get(op->getOperand(0));
    Entity &p = access.pointer;
    if (!p.is(EntityKind::Pointer))
      return unknown(op, "a load from an address that was not followed"), true;
    mlir::Value other;
    if (descriptor) {
      if (p.offsets.empty() || op->getNumOperands() < 1 + p.offsets.size())
        return unknown(op, "a descriptor that was not followed"), true;
      for (unsigned k = 0; k < p.offsets.size(); ++k)
        p.offsets[k] = integer(op->getOperand(1 + k));
    } else {
      auto segments = integersOf(attributeOf(op, "operandSegmentSizes"));
      unsigned next = 1;
      bool hasMask =
          segments.size() > 1 ? segments[1] : op->getNumOperands() > 1;
      bool hasOther =
          segments.size() > 2 ? segments[2] : op->getNumOperands() > 2;
      if (hasMask && next < op->getNumOperands())
        access.mask = op->getOperand(next++);
      if (hasOther && next < op->getNumOperands())
        other = op->getOperand(next++);
    }
    if (!access.fits(sizes))
      return unknown(op, "a load of another shape than its address"), true;
    // What is not there reads as `other`, or as what the hardware leaves: 0.
    auto absent = [&](ArrayRef<Expr> at) {
      return other ? element(get(other), at, loc)
                   : compute(ComputeKind::Constant, {}, "0", loc);
    };
    if (sizes.empty() && !isa<RankedTensorType>(result.getType())) {
      auto [word, inside] = access.at({});
      mlir::Value v;
      if (simplify(inside, known).isAlways()) {
        v = loadWord(p.view.buffer, word, loc);
      } else {
        auto reg =
            fastArray("r", result.getType(), {}, loc, Space::Private, true);
        guard(loc, inside, [&, word = word] {
          store(loadWord(p.view.buffer, word, loc), *reg, {}, loc);
        });
        guard(loc, !inside, [&] { store(absent({}), *reg, {}, loc); });
        v = load(*reg, {}, loc);
      }
      set(result, result.getType().isIntOrIndex()
                      ? Entity::unknown("an integer in memory")
                      : Entity::ofData(v));
      return true;
    }
    View to = temporary("tile", result.getType(), sizes, loc);
    loops(loc, sizes, [&](ArrayRef<Expr> at) {
      auto [word, inside] = access.at(at);
      guard(loc, inside, [&, word = word] {
        store(loadWord(p.view.buffer, word, loc), to, at, loc);
      });
      guard(loc, !inside, [&] { store(absent(at), to, at, loc); });
    });
    set(result, Entity::array(to));
    return true;
  }
  if ((name == "store" || name == "descriptor_store") &&
      op->getNumOperands() > 1) {
    access.pointer = get(op->getOperand(0));
    Entity &p = access.pointer;
    Entity value = get(op->getOperand(1));
    Exprs sizes = shapeOfType(op->getOperand(1).getType());
    if (!p.is(EntityKind::Pointer))
      return unknown(op, "a store to an address that was not followed"), true;
    if (descriptor) {
      if (p.offsets.empty() || op->getNumOperands() < 2 + p.offsets.size())
        return unknown(op, "a descriptor that was not followed"), true;
      for (unsigned k = 0; k < p.offsets.size(); ++k)
        p.offsets[k] = integer(op->getOperand(2 + k));
    } else if (op->getNumOperands() > 2) {
      access.mask = op->getOperand(2);
    }
    if (!access.fits(sizes))
      return unknown(op, "a store of another shape than its address"), true;
    loops(loc, sizes, [&](ArrayRef<Expr> at) {
      auto [word, inside] = access.at(at);
      guard(loc, inside, [&, word = word] {
        storeWord(element(value, at, loc), p.view.buffer, word, loc);
      });
    });
    return true;
  }
  if (name.starts_with("atomic_"))
    return unknown(op, "an atomic update"), true;
  return false;
}

bool Extractor::tritonWords(Operation *op, StringRef name) {
  if (op->getNumResults() != 1)
    return false;
  Location loc = op->getLoc();
  mlir::Value result = op->getResult(0);
  Exprs sizes = shapeOfType(result.getType());
  if (name == "dot" && op->getNumOperands() == 3) {
    Entity a = get(op->getOperand(0)), b = get(op->getOperand(1)),
           acc = get(op->getOperand(2));
    Exprs left = shapeOfType(op->getOperand(0).getType());
    if (sizes.size() < 2 || left.size() != sizes.size())
      return unknown(op, "a dot of another rank"), true;
    View to = acc.is(EntityKind::Array) && isLastUse(op->getOperand(2), op)
                  ? acc.view
                  : temporary("v", result.getType(), sizes, loc);
    auto reg =
        fastArray("acc", result.getType(), {}, loc, Space::Private, true);
    loops(loc, sizes, [&](ArrayRef<Expr> at) {
      store(element(acc, at, loc), *reg, {}, loc);
      loop(loc, LoopKind::Seq, "t", left.back(), [&](Expr k) {
        // Leading dimensions are those of a batch.
        Exprs row(at.begin(), at.end() - 1), column(at.begin(), at.end() - 2);
        row.push_back(k);
        column.push_back(k);
        column.push_back(at.back());
        mlir::Value product =
            compute(ComputeKind::Mul,
                    {element(a, row, loc), element(b, column, loc)}, "", loc);
        store(
            compute(ComputeKind::Add, {load(*reg, {}, loc), product}, "", loc),
            *reg, {}, loc);
      });
      store(load(*reg, {}, loc), to, at, loc);
    });
    set(result, Entity::array(to));
    return true;
  }
  if (name == "reduce" && op->getNumOperands() == 1 &&
      op->getNumRegions() == 1) {
    Entity from = get(op->getOperand(0));
    auto axis = dyn_cast_or_null<IntegerAttr>(attributeOf(op, "axis"));
    ComputeKind kind = combiner(op->getRegion(0));
    Exprs all = shapeOfType(op->getOperand(0).getType()), outer = all;
    if (!axis || kind == ComputeKind::Other || axis.getInt() < 0 ||
        axis.getInt() >= int64_t(all.size()))
      return unknown(op, "a reduction that is no sum, product or extremum"),
             true;
    unsigned dim = axis.getInt();
    outer.erase(outer.begin() + dim);
    std::optional<View> to;
    if (isa<RankedTensorType>(result.getType()))
      to = temporary("v", result.getType(), outer, loc);
    auto reg =
        fastArray("acc", result.getType(), {}, loc, Space::Private, true);
    loops(loc, outer, [&](ArrayRef<Expr> rest) {
      store(compute(ComputeKind::Constant, {}, startOf(kind), loc), *reg, {},
            loc);
      loop(loc, LoopKind::Seq, "t", all[dim], [&](Expr j) {
        Exprs at(rest.begin(), rest.end());
        at.insert(at.begin() + dim, j);
        store(compute(kind, {load(*reg, {}, loc), element(from, at, loc)}, "",
                      loc),
              *reg, {}, loc);
      });
      if (to)
        store(load(*reg, {}, loc), *to, rest, loc);
    });
    set(result, to ? Entity::array(*to) : Entity::ofData(load(*reg, {}, loc)));
    return true;
  }
  bool isExtern = name == "extern_elementwise";
  if (isExtern || name == "elementwise_inline_asm") {
    // Each element of the result from the same element of each operand.
    auto pure = dyn_cast_or_null<BoolAttr>(attributeOf(op, "pure"));
    auto packed =
        dyn_cast_or_null<IntegerAttr>(attributeOf(op, "packed_element"));
    auto text = dyn_cast_or_null<StringAttr>(
        attributeOf(op, isExtern ? "symbol" : "asm_string"));
    if (!pure || !pure.getValue() || !text || (packed && packed.getInt() != 1))
      return unknown(op, "an elementwise operation that has effects or works "
                         "on several elements at once"),
             true;
    bool isExp = isExtern ? text.getValue().contains("exp")
                          : text.getValue().trim().starts_with("ex2.") &&
                                text.getValue().count(';') <= 1;
    bool shaped = isa<RankedTensorType>(result.getType());
    View to = shaped ? temporary("v", result.getType(), sizes, loc)
                     : *fastArray("r", result.getType(), {}, loc,
                                  Space::Private, true);
    loops(loc, sizes, [&](ArrayRef<Expr> at) {
      SmallVector<mlir::Value> in;
      for (mlir::Value v : op->getOperands())
        in.push_back(element(get(v), at, loc));
      store(compute(isExp ? ComputeKind::Exp : ComputeKind::Other, in,
                    isExp ? StringRef() : text.getValue(), loc),
            to, at, loc);
    });
    set(result, shaped ? Entity::array(to) : Entity::ofData(load(to, {}, loc)));
    return true;
  }
  return false;
}
