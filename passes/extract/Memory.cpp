//===- Memory.cpp - memref operations -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "passes/extract/Extractor.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::extract;

/// The space that a memref type names; nullopt: none.
static std::optional<Space> spaceOf(MemRefType type) {
  mlir::Attribute a = type.getMemorySpace();
  if (!a)
    return std::nullopt;
  if (auto gpu = dyn_cast<gpu::AddressSpaceAttr>(a)) {
    switch (gpu.getValue()) {
    case gpu::AddressSpace::Workgroup:
      return Space::Shared;
    case gpu::AddressSpace::Private:
      return Space::Private;
    default:
      return Space::Slow;
    }
  }
  // Numbers as NVVM and ROCDL use them; 1 is the global space there, but the
  // fast one for affine-data-copy-generate, which only allocates in it.
  if (auto i = dyn_cast<IntegerAttr>(a)) {
    if (i.getInt() == 0)
      return Space::Slow;
    if (i.getInt() == 3)
      return Space::Shared;
    return Space::Private;
  }
  return std::nullopt;
}

/// Whether the function gives this memory, or a view of it, to its caller.
static bool isReturned(mlir::Value v, unsigned depth = 0) {
  return llvm::any_of(v.getUsers(), [&](Operation *user) {
    if (user->hasTrait<OpTrait::ReturnLike>() &&
        isa<FunctionOpInterface>(user->getParentOp()))
      return true;
    bool views = isa<ViewLikeOpInterface, bufferization::ToTensorOp>(user);
    return views && depth < 8 && user->getNumResults() == 1 &&
           user->getOperand(0) == v &&
           isReturned(user->getResult(0), depth + 1);
  });
}

bool Extractor::visitMemory(Operation *op) {
  Location loc = op->getLoc();
  auto arrayOf = [&](mlir::Value v) -> const View * {
    const Entity &e = get(v);
    return e.is(EntityKind::Array) ? &e.view : nullptr;
  };
  auto indices = [&](ValueRange range) {
    Exprs out;
    for (mlir::Value v : range)
      out.push_back(integer(v));
    return out;
  };
  auto read = [&](mlir::Value from, ArrayRef<Expr> at, mlir::Value result) {
    const View *view = arrayOf(from);
    if (!view)
      return unknown(op, "a load from memory that was not followed");
    mlir::Value word = load(*view, at, loc);
    // An integer from memory decides nothing that can be followed.
    if (result.getType().isIntOrIndex())
      set(result, Entity::unknown("an integer in memory"));
    else
      set(result, Entity::ofData(word));
  };
  auto write = [&](mlir::Value v, mlir::Value into, ArrayRef<Expr> at) {
    const View *view = arrayOf(into);
    if (!view)
      return unknown(op, "a store to memory that was not followed");
    store(element(get(v), {}, loc), *view, at, loc);
  };

  if (auto l = dyn_cast<memref::LoadOp>(op))
    return read(l.getMemRef(), indices(l.getIndices()), l.getResult()), true;
  if (auto s = dyn_cast<memref::StoreOp>(op))
    return write(s.getValueToStore(), s.getMemRef(), indices(s.getIndices())),
           true;
  if (auto l = dyn_cast<affine::AffineLoadOp>(op))
    return read(l.getMemRef(),
                apply(l.getAffineMap(), indices(l.getMapOperands())),
                l.getResult()),
           true;
  if (auto s = dyn_cast<affine::AffineStoreOp>(op))
    return write(s.getValueToStore(), s.getMemRef(),
                 apply(s.getAffineMap(), indices(s.getMapOperands()))),
           true;
  if (isa<memref::AllocOp, memref::AllocaOp>(op)) {
    auto type = cast<MemRefType>(op->getResult(0).getType());
    Exprs sizes;
    auto dynamic = op->getOperands().begin();
    for (int64_t n : type.getShape())
      sizes.push_back(ShapedType::isDynamic(n) ? integer(*dynamic++) : Expr(n));
    std::optional<Space> space = spaceOf(type);
    if (!space && isa<memref::AllocaOp>(op))
      space = Space::Private;
    View view;
    if (space && *space != Space::Slow) {
      auto fast = fastArray(space == Space::Shared ? "shared" : "local", type,
                            sizes, loc, *space);
      if (!fast)
        return unknown(op, "fast memory whose size has no upper end"), true;
      view = *fast;
    } else if (space) {
      view = slowArray("buffer", type, sizes, loc);
    } else if (!insideLoops() && isReturned(op->getResult(0))) {
      view = slowArray("buffer", type, sizes, loc);
    } else {
      view = temporary("buffer", type, sizes, loc);
      keep(view);
    }
    set(op->getResult(0), Entity::array(view));
    return true;
  }
  if (isa<memref::DeallocOp, memref::AssumeAlignmentOp>(op)) {
    if (op->getNumResults())
      set(op->getResult(0), get(op->getOperand(0)));
    return true;
  }
  if (auto d = dyn_cast<memref::DimOp>(op)) {
    const View *view = arrayOf(d.getSource());
    auto k = integer(d.getIndex()).constant64();
    if (view && k && *k >= 0 && *k < int64_t(view->sizes.size())) {
      ask(view->sizes[*k]);
      set(d.getResult(), Entity::ofIndex(view->sizes[*k]));
    } else
      set(d.getResult(), Entity::unknown("a size that was not followed"));
    return true;
  }
  if (auto c = dyn_cast<memref::CopyOp>(op)) {
    const View *to = arrayOf(c.getTarget());
    if (!to || !arrayOf(c.getSource()))
      return unknown(op, "a copy of memory that was not followed"), true;
    View target = *to;
    const View &source = *arrayOf(c.getSource());
    // Bufferization leaves copies of a part onto itself, which do nothing.
    if (source.buffer == target.buffer && source.offset == target.offset &&
        source.strides == target.strides)
      return true;
    copy(Entity::array(source), target, loc);
    return true;
  }
  if (auto s = dyn_cast<memref::SubViewOp>(op)) {
    const View *view = arrayOf(s.getSource());
    if (!view)
      return unknown(op, "a part of memory that was not followed"), true;
    set(s.getResult(), Entity::array(view->part(integers(s.getMixedOffsets()),
                                                integers(s.getMixedSizes()),
                                                integers(s.getMixedStrides()),
                                                s.getDroppedDims())));
    return true;
  }
  if (auto c = dyn_cast<memref::CollapseShapeOp>(op)) {
    const View *view = arrayOf(c.getSrc());
    auto v = view ? view->collapsed(c.getReassociationIndices()) : std::nullopt;
    if (!v)
      return unknown(op, "a reshape that was not followed"), true;
    set(c.getResult(), Entity::array(*v));
    return true;
  }
  if (auto c = dyn_cast<memref::ExpandShapeOp>(op)) {
    const View *view = arrayOf(c.getSrc());
    if (!view)
      return unknown(op, "a reshape that was not followed"), true;
    set(c.getResult(),
        Entity::array(view->expanded(c.getReassociationIndices(),
                                     integers(c.getMixedOutputShape()))));
    return true;
  }
  if (auto t = dyn_cast<memref::TransposeOp>(op)) {
    const View *view = arrayOf(t.getIn());
    if (!view)
      return unknown(op, "a transpose that was not followed"), true;
    View v = *view;
    for (auto [k, e] : llvm::enumerate(t.getPermutation().getResults())) {
      unsigned from = cast<AffineDimExpr>(e).getPosition();
      v.sizes[k] = view->sizes[from];
      v.strides[k] = view->strides[from];
    }
    set(t.getResult(), Entity::array(v));
    return true;
  }
  if (auto r = dyn_cast<memref::ReinterpretCastOp>(op)) {
    const View *view = arrayOf(r.getSource());
    if (!view)
      return unknown(op, "a cast of memory that was not followed"), true;
    if (startsBehindBase(view->buffer))
      return unknown(op, "a cast to the base of an argument with an offset"),
             true;
    View v = *view;
    // Offsets of a reinterpret_cast count from the start of the buffer.
    v.offset = integers(r.getMixedOffsets())[0];
    v.sizes = integers(r.getMixedSizes());
    v.strides = integers(r.getMixedStrides());
    set(r.getResult(), Entity::array(v));
    return true;
  }
  if (isa<memref::CastOp, memref::MemorySpaceCastOp>(op)) {
    set(op->getResult(0), get(op->getOperand(0)));
    return true;
  }
  return false;
}
