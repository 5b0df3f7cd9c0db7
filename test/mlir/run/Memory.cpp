//===- Memory.cpp - memref and tensor operations -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Machine.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace run;

static Array part(const Array &of, ArrayRef<int64_t> offsets,
                  ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides,
                  const llvm::SmallBitVector &dropped) {
  Array a = of;
  a.offset = of.at(offsets);
  a.sizes.clear();
  a.strides.clear();
  for (size_t k = 0; k < sizes.size(); ++k)
    if (!dropped.test(k)) {
      a.sizes.push_back(sizes[k]);
      a.strides.push_back(of.strides[k] * strides[k]);
    }
  return a;
}

bool Machine::memory(Thread &t, Operation *op) {
  auto loaded = [&](Value from, const Ints &at) {
    set(t, op->getResult(0), scalar(read(t, op, arrayOf(t, op, from), at)));
    return true;
  };
  auto stored = [&](Value v, Value to, const Ints &at) {
    write(t, op, arrayOf(t, op, to), at, get(t, v).f);
    return true;
  };
  if (auto l = dyn_cast<memref::LoadOp>(op))
    return loaded(l.getMemRef(), integers(t, l.getIndices()));
  if (auto s = dyn_cast<memref::StoreOp>(op))
    return stored(s.getValueToStore(), s.getMemRef(),
                  integers(t, s.getIndices()));
  if (auto l = dyn_cast<affine::AffineLoadOp>(op))
    return loaded(l.getMemRef(),
                  apply(l.getAffineMap(), integers(t, l.getMapOperands())));
  if (auto s = dyn_cast<affine::AffineStoreOp>(op))
    return stored(s.getValueToStore(), s.getMemRef(),
                  apply(s.getAffineMap(), integers(t, s.getMapOperands())));
  if (isa<memref::AllocOp, memref::AllocaOp>(op)) {
    auto type = cast<MemRefType>(op->getResult(0).getType());
    Ints sizes;
    unsigned next = 0;
    bool dynamic = false;
    for (int64_t n : type.getShape()) {
      dynamic |= ShapedType::isDynamic(n);
      sizes.push_back(
          ShapedType::isDynamic(n) ? integer(t, op->getOperand(next++)) : n);
    }
    // Outside of loops an array of a size that varies is where a program keeps
    // its operands.
    bool slow = !type.getMemorySpace() && isa<memref::AllocOp>(op) &&
                depth == 0 && dynamic;
    set(t, op->getResult(0), array(make(sizes, slow)));
    return true;
  }
  if (isa<memref::DeallocOp>(op))
    return true;
  if (auto d = dyn_cast<memref::DimOp>(op)) {
    set(t, d.getResult(),
        scalar(get(t, d.getSource()).array->sizes[integer(t, d.getIndex())]));
    return true;
  }
  if (auto c = dyn_cast<memref::CopyOp>(op)) {
    Array &from = arrayOf(t, op, c.getSource()),
          &to = arrayOf(t, op, c.getTarget());
    if (from.in == to.in && from.offset == to.offset)
      return true; // onto itself
    copy(t, op, from, to);
    return true;
  }
  if (auto s = dyn_cast<memref::SubViewOp>(op)) {
    set(t, s.getResult(),
        array(part(arrayOf(t, op, s.getSource()),
                   integers(t, s.getMixedOffsets()),
                   integers(t, s.getMixedSizes()),
                   integers(t, s.getMixedStrides()), s.getDroppedDims())));
    return true;
  }
  if (isa<memref::CastOp, memref::MemorySpaceCastOp>(op)) {
    set(t, op->getResult(0), get(t, op->getOperand(0)));
    return true;
  }
  return false;
}

bool Machine::tensors(Thread &t, Operation *op) {
  if (isa<tensor::CastOp, bufferization::ToTensorOp, bufferization::ToBufferOp>(
          op)) {
    set(t, op->getResult(0), get(t, op->getOperand(0)));
    return true;
  }
  if (auto e = dyn_cast<tensor::EmptyOp>(op)) {
    set(t, e.getResult(), array(make(integers(t, e.getMixedSizes()), false)));
    return true;
  }
  if (auto d = dyn_cast<tensor::DimOp>(op)) {
    set(t, d.getResult(),
        scalar(get(t, d.getSource()).array->sizes[integer(t, d.getIndex())]));
    return true;
  }
  if (auto s = dyn_cast<tensor::ExtractSliceOp>(op)) {
    Array &from = arrayOf(t, op, s.getSource());
    Val v = array(part(from, integers(t, s.getMixedOffsets()),
                       integers(t, s.getMixedSizes()),
                       integers(t, s.getMixedStrides()), s.getDroppedDims()));
    v.lazy = true; // a value of its own, once anything reads it
    set(t, s.getResult(), v);
    return true;
  }
  if (auto i = dyn_cast<tensor::ParallelInsertSliceOp>(op)) {
    copy(t, op, arrayOf(t, op, i.getSource()),
         part(arrayOf(t, op, i.getDest()), integers(t, i.getMixedOffsets()),
              integers(t, i.getMixedSizes()), integers(t, i.getMixedStrides()),
              i.getDroppedDims()));
    return true;
  }
  return false;
}
