//===- Gpu.cpp - Launches, thread numbers, asynchronous copies -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "passes/extract/Extractor.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::extract;

static const char *const axes[] = {"x", "y", "z"};

void Extractor::launched(Operation *op, Launch sizes, StringRef kernel,
                         function_ref<void()> body) {
  Location loc = op->getLoc();
  std::optional<Launch> outer = launch;
  // A launch of no blocks or threads is refused by every runtime.
  std::function<bool(const Expr &)> positive = [&](const Expr &e) {
    return known.isPositive(e) ||
           (e.kind() == ExprKind::CeilDiv && positive(e.operands()[0]) &&
            positive(e.operands()[1]));
  };
  for (const Expr *extents : {sizes.grid, sizes.block})
    for (int k = 0; k < 3; ++k)
      if (isSubjectSize(extents[k]) && !positive(extents[k]))
        assumption(le(1, extents[k]), "a launch has blocks and threads", loc);
  // Outermost the slowest: z, y, x of the grid, then of the block.
  std::function<void(int)> nest = [&](int level) {
    if (level == 6) {
      launch = sizes;
      return body();
    }
    bool grid = level < 3;
    int axis = 2 - level % 3;
    Expr &id = grid ? sizes.blockId[axis] : sizes.threadId[axis];
    loop(loc, grid ? LoopKind::Grid : LoopKind::Thread,
         std::string(grid ? "b" : "t") + axes[axis],
         grid ? sizes.grid[axis] : sizes.block[axis], [&](Expr i) {
           id = i;
           nest(level + 1);
         });
  };
  nest(0);
  launch = outer;
}

bool Extractor::visitGpu(Operation *op) {
  Location loc = op->getLoc();
  auto attributions = [&](ArrayRef<BlockArgument> args, Space space) {
    for (BlockArgument arg : args) {
      auto type = cast<MemRefType>(arg.getType());
      Exprs sizes;
      for (int64_t n : type.getShape())
        sizes.push_back(n);
      if (auto view = fastArray(space == Space::Shared ? "shared" : "local",
                                type, sizes, loc, space))
        set(arg, Entity::array(*view));
    }
  };
  if (auto l = dyn_cast<gpu::LaunchOp>(op)) {
    if (!l.getBody().hasOneBlock())
      return unknown(op, "control flow between blocks is not followed"), true;
    Launch sizes;
    auto number = [&](gpu::KernelDim3 d, Expr *into) {
      into[0] = integer(d.x);
      into[1] = integer(d.y);
      into[2] = integer(d.z);
    };
    number(l.getGridSizeOperandValues(), sizes.grid);
    number(l.getBlockSizeOperandValues(), sizes.block);
    attributions(l.getWorkgroupAttributions(), Space::Shared);
    attributions(l.getPrivateAttributions(), Space::Private);
    launched(op, sizes, "", [&] {
      auto give = [&](gpu::KernelDim3 d, const Expr *from) {
        set(d.x, Entity::ofIndex(from[0]));
        set(d.y, Entity::ofIndex(from[1]));
        set(d.z, Entity::ofIndex(from[2]));
      };
      give(l.getBlockIds(), launch->blockId);
      give(l.getThreadIds(), launch->threadId);
      give(l.getGridSize(), launch->grid);
      give(l.getBlockSize(), launch->block);
      visit(l.getBody().front());
    });
    return true;
  }
  if (auto l = dyn_cast<gpu::LaunchFuncOp>(op)) {
    auto kernel =
        SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(op, l.getKernel());
    if (!kernel || kernel.isExternal())
      return unknown(op, "a kernel without a body"), true;
    if (!kernel.getBody().hasOneBlock())
      return unknown(op, "control flow between blocks is not followed"), true;
    Launch sizes;
    gpu::KernelDim3 g = l.getGridSizeOperandValues(),
                    b = l.getBlockSizeOperandValues();
    mlir::Value grid[] = {g.x, g.y, g.z}, block[] = {b.x, b.y, b.z};
    for (int k = 0; k < 3; ++k) {
      sizes.grid[k] = integer(grid[k]);
      sizes.block[k] = integer(block[k]);
    }
    for (auto [arg, v] :
         llvm::zip(kernel.getArguments(), l.getKernelOperands()))
      set(arg, get(v));
    attributions(kernel.getWorkgroupAttributions(), Space::Shared);
    attributions(kernel.getPrivateAttributions(), Space::Private);
    launched(op, sizes, kernel.getName(),
             [&] { visit(kernel.getBody().front()); });
    return true;
  }
  auto id = [&](gpu::Dimension d, const Expr *from) {
    set(op->getResult(0), Entity::ofIndex(from[static_cast<int>(d)]));
    return true;
  };
  if (isa<gpu::ThreadIdOp, gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp,
          gpu::GlobalIdOp, gpu::LaneIdOp, gpu::SubgroupIdOp>(op) &&
      !launch)
    return unknown(op, "a thread's number outside of a launch"), true;
  if (auto i = dyn_cast<gpu::ThreadIdOp>(op))
    return id(i.getDimension(), launch->threadId);
  if (auto i = dyn_cast<gpu::BlockIdOp>(op))
    return id(i.getDimension(), launch->blockId);
  if (auto i = dyn_cast<gpu::BlockDimOp>(op))
    return id(i.getDimension(), launch->block);
  if (auto i = dyn_cast<gpu::GridDimOp>(op))
    return id(i.getDimension(), launch->grid);
  if (auto i = dyn_cast<gpu::GlobalIdOp>(op)) {
    int k = static_cast<int>(i.getDimension());
    set(op->getResult(0),
        Entity::ofIndex(launch->blockId[k] * launch->block[k] +
                        launch->threadId[k]));
    return true;
  }
  if (isa<gpu::LaneIdOp, gpu::SubgroupIdOp>(op)) {
    Expr linear = launch->threadId[0] +
                  launch->block[0] * (launch->threadId[1] +
                                      launch->block[1] * launch->threadId[2]);
    // A subgroup of 32, as on NVIDIA hardware.
    set(op->getResult(0),
        Entity::ofIndex(simplified(
            isa<gpu::LaneIdOp>(op) ? mod(linear, 32) : floordiv(linear, 32))));
    return true;
  }
  if (isa<gpu::SubgroupSizeOp>(op)) {
    set(op->getResult(0), Entity::ofIndex(32));
    return true;
  }
  if (isa<gpu::BarrierOp>(op)) {
    BarrierOp::create(builder, loc);
    return true;
  }
  if (isa<gpu::TerminatorOp, gpu::ReturnOp, gpu::WaitOp>(op))
    return true;
  if (isa<gpu::ShuffleOp, gpu::AllReduceOp, gpu::SubgroupReduceOp>(op)) {
    Entity in = get(op->getOperand(0));
    if (op->getNumRegions() && !op->getRegion(0).empty())
      return unknown(op, "a reduction with a body of its own"), true;
    if (isa<ShapedType>(op->getResult(0).getType()))
      return unknown(op, "a shuffle of vectors"), true;
    mlir::Value v = compute(ComputeKind::Shuffle, {element(in, {}, loc)},
                            op->getName().getStringRef(), loc);
    set(op->getResult(0), Entity::ofData(v));
    for (mlir::Value extra : op->getResults().drop_front())
      set(extra, Entity::ofCondition(
                     Cond::unknown("whether a lane took part",
                                   "u" + std::to_string(++nextUnknown))));
    return true;
  }
  if (auto c = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op)) {
    Entity from = get(c.getSrc()), to = get(c.getDst());
    if (!from.is(EntityKind::Array) || !to.is(EntityKind::Array))
      return unknown(op, "a copy of what was not followed"), true;
    Exprs source, target;
    for (mlir::Value v : c.getSrcIndices())
      source.push_back(integer(v));
    for (mlir::Value v : c.getDstIndices())
      target.push_back(integer(v));
    Expr n = c.getDstElementsAttr().getInt();
    Expr valid = c.getSrcElements() ? integer(c.getSrcElements()) : n;
    loop(loc, LoopKind::Seq, "t", n, [&](Expr k) {
      Exprs s = source, t = target;
      s.back() += k;
      t.back() += k;
      guard(loc, lt(k, valid),
            [&] { store(load(from.view, s, loc), to.view, t, loc); });
      // What is not read is filled with zeros.
      guard(loc, !lt(k, valid), [&] {
        store(compute(ComputeKind::Constant, {}, "0", loc), to.view, t, loc);
      });
    });
    return true;
  }
  if (isa<nvgpu::DeviceAsyncCreateGroupOp, nvgpu::DeviceAsyncWaitOp>(op))
    return true;
  return false;
}
