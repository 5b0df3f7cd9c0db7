//===- Tensors.cpp - tensor and bufferization operations -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "passes/extract/Extractor.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::extract;

Exprs Extractor::shapeOf(mlir::Value v) {
  auto it = values.find(v);
  if (it != values.end() && !it->second.sizes.empty())
    return it->second.sizes;
  Exprs sizes;
  if (auto type = dyn_cast<ShapedType>(v.getType()); type && type.hasRank())
    for (int64_t n : type.getShape())
      sizes.push_back(
          ShapedType::isDynamic(n)
              ? dataSymbol("a size that was not followed", v.getLoc())
              : Expr(n));
  return sizes;
}

/// Only overwritten: as the destination of fills.
static bool isOnlyFilled(mlir::Value v) {
  return llvm::all_of(v.getUses(), [](OpOperand &use) {
    return use.getOwner()->getName().getStringRef() == "linalg.fill" &&
           use.getOperandNumber() == 1;
  });
}

bool Extractor::visitTensor(Operation *op) {
  Location loc = op->getLoc();
  auto alias = [&](mlir::Value v) {
    set(op->getResult(0), get(v));
    return true;
  };
  if (isa<tensor::CastOp, bufferization::ToTensorOp, bufferization::ToBufferOp>(
          op))
    return alias(op->getOperand(0));
  if (auto e = dyn_cast<tensor::EmptyOp>(op)) {
    Entity entity = Entity::constant("undefined", integers(e.getMixedSizes()));
    set(e.getResult(), entity);
    return true;
  }
  if (auto a = dyn_cast<bufferization::AllocTensorOp>(op)) {
    if (a.getCopy())
      return alias(a.getCopy());
    Exprs sizes;
    auto dynamic = a.getDynamicSizes().begin();
    for (int64_t n : a.getType().getShape())
      sizes.push_back(ShapedType::isDynamic(n) ? integer(*dynamic++) : Expr(n));
    set(a.getResult(), Entity::constant("undefined", sizes));
    return true;
  }
  if (auto d = dyn_cast<tensor::DimOp>(op)) {
    Exprs sizes = shapeOf(d.getSource());
    auto k = integer(d.getIndex()).constant64();
    if (k && *k >= 0 && *k < int64_t(sizes.size())) {
      ask(sizes[*k]);
      set(d.getResult(), Entity::ofIndex(sizes[*k]));
    } else
      set(d.getResult(), Entity::unknown("a size that was not followed"));
    return true;
  }
  if (auto e = dyn_cast<tensor::ExtractOp>(op)) {
    Exprs at;
    for (mlir::Value v : e.getIndices())
      at.push_back(integer(v));
    Entity from = get(e.getTensor());
    if (from.is(EntityKind::Index) || from.is(EntityKind::Condition)) {
      set(e.getResult(), from.at(at));
      return true;
    }
    mlir::Value word = element(from, at, loc);
    set(e.getResult(), e.getType().isIntOrIndex()
                           ? Entity::unknown("an integer in memory")
                           : Entity::ofData(word));
    return true;
  }
  if (auto s = dyn_cast<tensor::SplatOp>(op)) {
    Entity in = get(s.getInput());
    Exprs sizes = shapeOf(s.getResult());
    if (in.is(EntityKind::Data)) {
      View to = temporary("v", s.getType(), sizes, loc);
      copy(in, to, loc);
      in = Entity::array(to);
    } else {
      in.sizes = sizes;
    }
    set(s.getResult(), in);
    return true;
  }

  if (auto s = dyn_cast<tensor::ExtractSliceOp>(op)) {
    Entity from = get(s.getSource());
    Exprs all = integers(s.getMixedSizes()), sizes;
    llvm::SmallBitVector dropped = s.getDroppedDims();
    for (unsigned k = 0; k < all.size(); ++k)
      if (!dropped.test(k))
        sizes.push_back(all[k]);
    if (from.is(EntityKind::Constant) || isOnlyFilled(s.getResult())) {
      set(s.getResult(),
          Entity::constant(
              from.is(EntityKind::Constant) ? from.text : "undefined", sizes));
      return true;
    }
    if (!from.is(EntityKind::Array))
      return unknown(op, "a part of a tensor that was not followed"), true;
    View v = from.view.part(integers(s.getMixedOffsets()), all,
                            integers(s.getMixedStrides()), dropped);
    bool bounded = llvm::all_of(sizes, [&](const Expr &size) {
      auto most = largest(simplified(size));
      return most && most->isConst();
    });
    // A tile is read into fast memory; a part without bound stays where it is.
    if (bounded && depthOfLoops > 0) {
      View tile = temporary("tile", s.getType(), sizes, loc);
      copy(Entity::array(v), tile, loc);
      v = tile;
    }
    set(s.getResult(), Entity::array(v));
    return true;
  }
  auto insert = [&](mlir::Value source, mlir::Value destination,
                    ArrayRef<Expr> offsets, ArrayRef<Expr> sizes,
                    ArrayRef<Expr> strides,
                    const llvm::SmallBitVector &dropped) {
    Entity into = get(destination);
    // Iterations of a forall write parts of what they share.
    if (!into.is(EntityKind::Array) ||
        (!isa<tensor::ParallelInsertSliceOp>(op) &&
         !isLastUse(destination, op, true))) {
      View fresh =
          temporary("v", destination.getType(), shapeOf(destination), loc);
      copy(into, fresh, loc);
      into = Entity::array(fresh);
    }
    copy(get(source), into.view.part(offsets, sizes, strides, dropped), loc);
    return into;
  };
  if (auto i = dyn_cast<tensor::InsertSliceOp>(op)) {
    set(i.getResult(),
        insert(i.getSource(), i.getDest(), integers(i.getMixedOffsets()),
               integers(i.getMixedSizes()), integers(i.getMixedStrides()),
               i.getDroppedDims()));
    return true;
  }
  if (auto i = dyn_cast<tensor::ParallelInsertSliceOp>(op)) {
    insert(i.getSource(), i.getDest(), integers(i.getMixedOffsets()),
           integers(i.getMixedSizes()), integers(i.getMixedStrides()),
           i.getDroppedDims());
    return true;
  }
  if (auto m = dyn_cast<bufferization::MaterializeInDestinationOp>(op)) {
    Entity to = get(m.getDest());
    if (!to.is(EntityKind::Array))
      return unknown(op, "a destination that was not followed"), true;
    copy(get(m.getSource()), to.view, loc);
    if (op->getNumResults())
      set(op->getResult(0), to);
    return true;
  }
  // A constant is the same everywhere: only its sizes change.
  auto reshape = [&](mlir::Value source,
                     function_ref<std::optional<View>(const View &)> change) {
    Entity from = get(source);
    if (!from.is(EntityKind::Array) && !from.is(EntityKind::Constant))
      return unknown(op, "a reshape of a tensor that was not followed");
    View view = from.view;
    if (from.is(EntityKind::Constant)) {
      view.sizes = from.sizes;
      view.strides = rowMajor(from.sizes);
    }
    std::optional<View> changed = change(view);
    if (!changed)
      return unknown(op, "a reshape of a strided tensor");
    from.sizes = changed->sizes;
    if (from.is(EntityKind::Array))
      from.view = *changed;
    set(op->getResult(0), from);
  };
  if (auto c = dyn_cast<tensor::CollapseShapeOp>(op)) {
    if (get(c.getSrc()).sizes.empty() && c.getSrcType().getRank())
      return unknown(op, "a reshape of a tensor that was not followed"), true;
    reshape(c.getSrc(), [&](const View &v) {
      return v.collapsed(c.getReassociationIndices());
    });
    return true;
  }
  if (auto c = dyn_cast<tensor::ExpandShapeOp>(op)) {
    if (get(c.getSrc()).sizes.empty() && c.getSrcType().getRank())
      return unknown(op, "a reshape of a tensor that was not followed"), true;
    reshape(c.getSrc(), [&](const View &v) {
      return v.expanded(c.getReassociationIndices(),
                        integers(c.getMixedOutputShape()));
    });
    return true;
  }
  if (auto p = dyn_cast<tensor::PadOp>(op)) {
    mlir::Value padding = p.getConstantPaddingValue();
    Entity from = get(p.getSource());
    if (!padding || from.sizes.empty())
      return unknown(op, "a padding that is no constant"), true;
    Exprs low = integers(p.getMixedLowPad()),
          high = integers(p.getMixedHighPad());
    Exprs sizes;
    for (unsigned k = 0; k < low.size(); ++k)
      sizes.push_back(simplified(low[k] + from.sizes[k] + high[k]));
    View to = temporary("padded", p.getType(), sizes, loc);
    loops(loc, sizes, [&](ArrayRef<Expr> at) {
      std::vector<Cond> inside;
      Exprs source;
      for (unsigned k = 0; k < low.size(); ++k) {
        source.push_back(at[k] - low[k]);
        inside.push_back(le(low[k], at[k]));
        inside.push_back(lt(source.back(), from.sizes[k]));
      }
      Cond c = conjunction(inside);
      guard(loc, c, [&] { store(element(from, source, loc), to, at, loc); });
      guard(loc, !c,
            [&] { store(element(get(padding), {}, loc), to, at, loc); });
    });
    set(p.getResult(), Entity::array(to));
    return true;
  }
  if (auto in = dyn_cast<scf::InParallelOp>(op)) {
    visit(in.getRegion().front());
    return true;
  }
  return false;
}
