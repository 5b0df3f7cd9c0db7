//===- Control.cpp - Loops, branches, launches -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Machine.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;
using namespace run;

bool Machine::control(Thread &t, Operation *op) {
  auto loop = [&](int64_t lo, int64_t hi, int64_t step, Value iv,
                  ValueRange inits, ValueRange args, Block &body) {
    SmallVector<Val> now;
    for (Value v : inits)
      now.push_back(get(t, v));
    ++depth;
    t.trips.push_back(0);
    for (int64_t i = lo; i < hi; i += step) {
      set(t, iv, scalar(i));
      for (auto [arg, v] : llvm::zip(args, now))
        set(t, arg, v);
      block(t, body);
      now.clear();
      for (Value v : body.getTerminator()->getOperands())
        now.push_back(get(t, v));
      ++t.trips.back();
    }
    t.trips.pop_back();
    --depth;
    for (auto [r, v] : llvm::zip(op->getResults(), now))
      set(t, r, v);
  };
  auto parallel = [&](ArrayRef<int64_t> lo, ArrayRef<int64_t> hi,
                      ArrayRef<int64_t> step, ValueRange ivs, Block &body) {
    Ints n;
    for (auto [a, b, s] : llvm::zip(lo, hi, step))
      n.push_back(b > a ? (b - a + s - 1) / s : 0);
    ++depth;
    each(t, n, [&](ArrayRef<int64_t> k) {
      for (size_t d = 0; d < k.size(); ++d)
        set(t, ivs[d], scalar(lo[d] + step[d] * k[d]));
      block(t, body);
    });
    --depth;
  };
  if (auto l = dyn_cast<scf::ForOp>(op)) {
    loop(integer(t, l.getLowerBound()), integer(t, l.getUpperBound()),
         integer(t, l.getStep()), l.getInductionVar(), l.getInitArgs(),
         l.getRegionIterArgs(), *l.getBody());
    return true;
  }
  if (auto l = dyn_cast<affine::AffineForOp>(op)) {
    Ints lo =
        apply(l.getLowerBoundMap(), integers(t, l.getLowerBoundOperands()));
    Ints hi =
        apply(l.getUpperBoundMap(), integers(t, l.getUpperBoundOperands()));
    loop(*llvm::max_element(lo), *llvm::min_element(hi), l.getStepAsInt(),
         l.getInductionVar(), l.getInits(), l.getRegionIterArgs(),
         *l.getBody());
    return true;
  }
  if (auto l = dyn_cast<scf::ParallelOp>(op)) {
    if (l.getNumReductions())
      fail(op, "reductions are not known");
    parallel(integers(t, l.getLowerBound()), integers(t, l.getUpperBound()),
             integers(t, l.getStep()), l.getInductionVars(), *l.getBody());
    return true;
  }
  if (auto l = dyn_cast<scf::ForallOp>(op)) {
    for (auto [arg, out] : llvm::zip(l.getRegionIterArgs(), l.getOutputs()))
      set(t, arg, get(t, out));
    parallel(integers(t, l.getMixedLowerBound()),
             integers(t, l.getMixedUpperBound()), integers(t, l.getMixedStep()),
             l.getInductionVars(), *l.getBody());
    for (auto [r, out] : llvm::zip(l.getResults(), l.getOutputs()))
      set(t, r, get(t, out));
    return true;
  }
  if (auto in = dyn_cast<scf::InParallelOp>(op)) {
    block(t, in.getRegion().front());
    return true;
  }
  if (isa<scf::IfOp, affine::AffineIfOp>(op)) {
    bool holds = true;
    if (auto i = dyn_cast<scf::IfOp>(op)) {
      holds = get(t, i.getCondition()).f != 0;
    } else {
      IntegerSet s = cast<affine::AffineIfOp>(op).getIntegerSet();
      AffineMap map = AffineMap::get(s.getNumDims(), s.getNumSymbols(),
                                     s.getConstraints(), op->getContext());
      Ints all = apply(map, integers(t, op->getOperands()));
      for (size_t k = 0; k < all.size(); ++k)
        holds &= s.isEq(k) ? all[k] == 0 : all[k] >= 0;
    }
    Region &taken = op->getRegion(holds ? 0 : 1);
    if (taken.empty())
      return true;
    block(t, taken.front());
    for (auto [r, v] : llvm::zip(op->getResults(),
                                 taken.front().getTerminator()->getOperands()))
      set(t, r, get(t, v));
    return true;
  }
  return false;
}

bool Machine::gpu(Thread &t, Operation *op) {
  auto rooms = [&](Thread &in, ArrayRef<BlockArgument> args) {
    for (BlockArgument a : args)
      set(in, a, array(make(cast<MemRefType>(a.getType()).getShape(), false)));
  };
  auto numbers = [&](gpu::KernelDim3 d, int64_t *into) {
    into[0] = integer(t, d.x);
    into[1] = integer(t, d.y);
    into[2] = integer(t, d.z);
  };
  auto start = [&](gpu::KernelDim3 g, gpu::KernelDim3 b,
                   ArrayRef<BlockArgument> shared, ArrayRef<BlockArgument> own,
                   llvm::function_ref<void(Thread &)> body) {
    int64_t grid[3], size[3];
    numbers(g, grid);
    numbers(b, size);
    // One array a block: its first thread to come makes it.
    int64_t cta = -1;
    ++depth;
    launch(t, grid, size, [&](Thread &in) {
      if (in.cta != cta) {
        cta = in.cta;
        rooms(t, shared);
      }
      rooms(in, own);
      body(in);
    });
    --depth;
  };
  if (auto l = dyn_cast<gpu::LaunchOp>(op)) {
    start(l.getGridSizeOperandValues(), l.getBlockSizeOperandValues(),
          l.getWorkgroupAttributions(), l.getPrivateAttributions(),
          [&](Thread &in) {
            auto give = [&](gpu::KernelDim3 d, const int64_t *n) {
              set(in, d.x, scalar(n[0]));
              set(in, d.y, scalar(n[1]));
              set(in, d.z, scalar(n[2]));
            };
            give(l.getBlockIds(), in.block);
            give(l.getThreadIds(), in.thread);
            give(l.getGridSize(), in.grid);
            give(l.getBlockSize(), in.size);
            block(in, l.getBody().front());
          });
    return true;
  }
  if (auto l = dyn_cast<gpu::LaunchFuncOp>(op)) {
    auto kernel =
        SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(op, l.getKernel());
    if (!kernel)
      fail(op, "a kernel that is not there");
    for (auto [arg, v] :
         llvm::zip(kernel.getArguments(), l.getKernelOperands()))
      set(t, arg, get(t, v));
    start(l.getGridSizeOperandValues(), l.getBlockSizeOperandValues(),
          kernel.getWorkgroupAttributions(), kernel.getPrivateAttributions(),
          [&](Thread &in) { block(in, kernel.getBody().front()); });
    return true;
  }
  auto id = [&](gpu::Dimension d, const int64_t *from) {
    set(t, op->getResult(0), scalar(from[int(d)]));
    return true;
  };
  if (auto i = dyn_cast<gpu::ThreadIdOp>(op))
    return id(i.getDimension(), t.thread);
  if (auto i = dyn_cast<gpu::BlockIdOp>(op))
    return id(i.getDimension(), t.block);
  if (auto i = dyn_cast<gpu::BlockDimOp>(op))
    return id(i.getDimension(), t.size);
  if (auto i = dyn_cast<gpu::GridDimOp>(op))
    return id(i.getDimension(), t.grid);
  if (isa<gpu::BarrierOp>(op)) {
    if (t.barrier)
      t.barrier();
    return true;
  }
  if (isa<nvgpu::DeviceAsyncCreateGroupOp, nvgpu::DeviceAsyncWaitOp>(op)) {
    if (op->getNumResults())
      set(t, op->getResult(0), scalar(0));
    return true;
  }
  if (auto c = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op)) {
    Array &from = arrayOf(t, op, c.getSrc()), &to = arrayOf(t, op, c.getDst());
    Ints a = integers(t, c.getSrcIndices()), b = integers(t, c.getDstIndices());
    int64_t n = c.getDstElementsAttr().getInt();
    int64_t valid = c.getSrcElements() ? integer(t, c.getSrcElements()) : n;
    each(t, {n}, [&](ArrayRef<int64_t> k) {
      Ints x = a, y = b;
      x.back() += k[0];
      y.back() += k[0];
      write(t, op, to, y, k[0] < valid ? read(t, op, from, x) : 0);
    });
    set(t, op->getResult(0), scalar(0));
    return true;
  }
  return false;
}
