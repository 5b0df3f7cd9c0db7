//===- Unroll.cpp - A subject's copy for exact data flow ------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/coverage/sets/Unroll.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::sets;

/// A warp's reduction takes 5 steps.
static constexpr int64_t maxTrips = 8;

static bool exchanges(LoopOp loop) {
  return loop
      .walk([](ComputeOp op) {
        return op.getKind() == ComputeKind::Shuffle ? WalkResult::interrupt()
                                                    : WalkResult::advance();
      })
      .wasInterrupted();
}

static void unroll(LoopOp loop, int64_t trips) {
  OpBuilder b(loop);
  std::string var = loop.getVar().str();
  for (int64_t i = 0; i < trips; ++i) {
    Expr value(i);
    AttrTypeReplacer replacer;
    replacer.addReplacement([&](ExprAttr e) -> std::optional<Attribute> {
      return Attribute(
          ExprAttr::get(e.getContext(), e.getValue().substitute(var, value)));
    });
    replacer.addReplacement([&](CondAttr c) -> std::optional<Attribute> {
      return Attribute(CondAttr::get(c.getContext(),
                                     c.getValue().substitute({{var, value}})));
    });
    IRMapping map;
    for (Operation &op : loop.getBody().front()) {
      Operation *copy = b.clone(op, map);
      copy->walk([&](Operation *inner) { replacer.replaceElementsIn(inner); });
    }
  }
  loop.erase();
}

static void forward(Block &block) {
  llvm::DenseMap<Operation *, Value> held;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    auto scalar = [](BufferOp b) {
      return b && b.getScalar() && b.getSpace() == Space::Private;
    };
    if (auto store = dyn_cast<StoreOp>(op)) {
      BufferOp b = resolveBuffer(store);
      if (scalar(b) && store.getWidth() == 1 && store.getAddress())
        held[b] = store.getValue();
      else if (b)
        held.erase(b);
    } else if (auto load = dyn_cast<LoadOp>(op)) {
      BufferOp b = resolveBuffer(load);
      auto it = held.find(b);
      if (it == held.end() || load.getWidth() != 1 || !load.getAddress())
        continue;
      load.getResult().replaceAllUsesWith(it->second);
      load.erase();
    } else if (op.getNumRegions()) {
      op.walk([&](StoreOp inner) { held.erase(resolveBuffer(inner)); });
    }
  }
}

OwningOpRef<SubjectOp> ioflor::sets::prepare(SubjectOp subject) {
  OwningOpRef<SubjectOp> copy(cast<SubjectOp>(subject->clone()));
  SmallVector<LoopOp> loops;
  // Inner loops first.
  (*copy)->walk([&](LoopOp loop) {
    auto trips = loop.getTrips().constant64();
    if (loop.getKind() == LoopKind::Seq && trips && *trips >= 0 &&
        *trips <= maxTrips && exchanges(loop))
      loops.push_back(loop);
  });
  for (LoopOp loop : loops)
    unroll(loop, *loop.getTrips().constant64());
  splitGrids(*copy);
  (*copy)->walk([](Operation *op) {
    for (Region &r : op->getRegions())
      for (Block &b : r)
        forward(b);
  });
  return copy;
}
