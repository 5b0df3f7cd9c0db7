//===- Linalg.cpp - linalg operations as loops over their iteration space -*-
// C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "passes/extract/Extractor.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::extract;

namespace {
/// A structured operation: parallel loops outside, reductions inside, an
/// accumulator in a register while they run.
struct Structured {
  Extractor &x;
  linalg::LinalgOp op;
  Location loc;
  SmallVector<AffineMap> maps;
  std::vector<Entity> operands;
  Exprs ranges;
  SmallVector<unsigned> parallel, reduction;
  std::vector<View> outputs;

  Structured(Extractor &x, linalg::LinalgOp op)
      : x(x), op(op), loc(op->getLoc()), maps(op.getIndexingMapsArray()) {}

  bool findRanges() {
    ranges.assign(op.getNumLoops(), Expr());
    SmallVector<bool> found(op.getNumLoops(), false);
    for (OpOperand &operand : op->getOpOperands()) {
      operands.push_back(x.get(operand.get()));
      AffineMap map = maps[operand.getOperandNumber()];
      Exprs sizes = map.getNumResults() ? x.shapeOf(operand.get()) : Exprs();
      if (sizes.size() != map.getNumResults())
        return false;
      for (auto [e, size] : llvm::zip(map.getResults(), sizes))
        if (auto dim = dyn_cast<AffineDimExpr>(e)) {
          unsigned k = dim.getPosition();
          // A constant says most; then the first operand.
          if (!found[k] || (size.isConst() && !ranges[k].isConst()))
            ranges[k] = size;
          found[k] = true;
        }
    }
    for (auto [k, type] : llvm::enumerate(op.getIteratorTypesArray()))
      (type == utils::IteratorType::parallel ? parallel : reduction)
          .push_back(k);
    for (const Expr &range : ranges)
      x.ask(range);
    return llvm::all_of(found, [](bool b) { return b; });
  }

  void findOutputs() {
    for (OpOperand &init : op.getDpsInitsMutable()) {
      const Entity &e = operands[init.getOperandNumber()];
      bool inPlace =
          e.is(EntityKind::Array) && (isa<MemRefType>(init.get().getType()) ||
                                      x.isLastUse(init.get(), op, true));
      if (inPlace) {
        outputs.push_back(e.view);
        continue;
      }
      outputs.push_back(
          x.temporary("v", init.get().getType(), x.shapeOf(init.get()), loc));
    }
  }

  /// Runs the body with the words of this iteration; returns what it yields.
  SmallVector<mlir::Value> body(ArrayRef<Expr> at,
                                ArrayRef<mlir::Value> accumulators) {
    Block *block = op.getBlock();
    unsigned numInputs = op.getNumDpsInputs();
    for (OpOperand &operand : op->getOpOperands()) {
      unsigned k = operand.getOperandNumber();
      if (k >= block->getNumArguments())
        break;
      BlockArgument arg = block->getArgument(k);
      if (arg.use_empty())
        continue;
      const Entity &e = operands[k];
      Exprs where = x.apply(maps[k], at);
      if (k >= numInputs && accumulators[k - numInputs]) {
        x.set(arg, Entity::ofData(accumulators[k - numInputs]));
      } else if (e.is(EntityKind::Index) || e.is(EntityKind::Condition)) {
        x.set(arg, e.at(where));
      } else {
        mlir::Value word = x.element(e, where, loc);
        x.set(arg, getElementTypeOrSelf(arg.getType()).isIntOrIndex()
                       ? Entity::unknown("an integer in memory")
                       : Entity::ofData(word));
        // Integer tensors may still be data (quantised operands).
        if (getElementTypeOrSelf(arg.getType()).isInteger() &&
            !arg.getType().isInteger(1))
          x.set(arg, Entity::ofData(word));
      }
    }
    SmallVector<mlir::Value> yielded;
    for (Operation &inner : *block) {
      if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
        x.set(index.getResult(), Entity::ofIndex(at[index.getDim()]));
        continue;
      }
      if (auto yield = dyn_cast<linalg::YieldOp>(inner)) {
        for (mlir::Value v : yield.getValues())
          yielded.push_back(x.element(x.get(v), {}, loc));
        continue;
      }
      x.visit(&inner);
    }
    return yielded;
  }

  void nest(ArrayRef<unsigned> dims, Exprs &at, function_ref<void()> inside) {
    if (dims.empty())
      return inside();
    x.loop(loc, LoopKind::Seq, "t", ranges[dims[0]], [&](Expr i) {
      at[dims[0]] = i;
      nest(dims.drop_front(), at, inside);
    });
  }

  void run() {
    unsigned numInputs = op.getNumDpsInputs();
    Exprs at(op.getNumLoops(), Expr(0));
    auto reads = [&](unsigned k) {
      return op.payloadUsesValueFromOperand(&op->getOpOperand(numInputs + k));
    };
    nest(parallel, at, [&] {
      if (reduction.empty()) {
        SmallVector<mlir::Value> none(outputs.size());
        auto yielded = body(at, none);
        for (auto [k, view] : llvm::enumerate(outputs))
          x.store(yielded[k], view, x.apply(maps[numInputs + k], at), loc);
        return;
      }
      std::vector<View> registers;
      for (unsigned k = 0; k < outputs.size(); ++k) {
        auto reg = x.fastArray("acc", op.getDpsInits()[k].getType(), {}, loc,
                               Space::Private, true);
        registers.push_back(*reg);
        if (reads(k))
          x.store(x.element(operands[numInputs + k],
                            x.apply(maps[numInputs + k], at), loc),
                  *reg, {}, loc);
      }
      nest(reduction, at, [&] {
        SmallVector<mlir::Value> accumulators(outputs.size());
        for (unsigned k = 0; k < outputs.size(); ++k)
          if (reads(k))
            accumulators[k] = x.load(registers[k], {}, loc);
        auto yielded = body(at, accumulators);
        for (unsigned k = 0; k < outputs.size(); ++k)
          x.store(yielded[k], registers[k], {}, loc);
      });
      for (unsigned r : reduction)
        at[r] = 0;
      for (auto [k, view] : llvm::enumerate(outputs))
        x.store(x.load(registers[k], {}, loc), view,
                x.apply(maps[numInputs + k], at), loc);
    });
    for (auto [k, r] : llvm::enumerate(op->getResults()))
      x.set(r, Entity::array(outputs[k]));
  }
};

/// The three passes of a softmax over one dimension.
void softmax(Extractor &x, linalg::SoftmaxOp op) {
  Location loc = op.getLoc();
  Entity in = x.get(op.getInput());
  Entity init = x.get(op.getOutput());
  Exprs sizes = x.shapeOf(op.getInput());
  unsigned dim = op.getDimension();
  if (!in.is(EntityKind::Array) || sizes.size() <= dim)
    return x.unknown(op, "a softmax of what was not followed");
  View to =
      isa<MemRefType>(op.getOutput().getType()) && init.is(EntityKind::Array)
          ? init.view
          : x.temporary("softmax", op.getOutput().getType(), sizes, loc);
  Exprs outer = sizes;
  outer.erase(outer.begin() + dim);
  Type element = op.getInput().getType();
  auto max = x.fastArray("highest", element, {}, loc, Space::Private, true);
  auto sum = x.fastArray("total", element, {}, loc, Space::Private, true);
  x.loops(loc, outer, [&](ArrayRef<Expr> rest) {
    auto along = [&](function_ref<void(ArrayRef<Expr>)> fn) {
      x.loop(loc, LoopKind::Seq, "t", sizes[dim], [&](Expr j) {
        Exprs at(rest.begin(), rest.end());
        at.insert(at.begin() + dim, j);
        fn(at);
      });
    };
    x.store(x.compute(ComputeKind::Constant, {}, "-Inf", loc), *max, {}, loc);
    along([&](ArrayRef<Expr> at) {
      mlir::Value s = x.load(in.view, at, loc);
      x.store(x.compute(ComputeKind::Max, {x.load(*max, {}, loc), s}, "", loc),
              *max, {}, loc);
    });
    x.store(x.compute(ComputeKind::Constant, {}, "0", loc), *sum, {}, loc);
    along([&](ArrayRef<Expr> at) {
      mlir::Value s = x.load(in.view, at, loc);
      mlir::Value shifted =
          x.compute(ComputeKind::Sub, {s, x.load(*max, {}, loc)}, "", loc);
      mlir::Value e = x.compute(ComputeKind::Exp, {shifted}, "", loc);
      x.store(e, to, at, loc);
      x.store(x.compute(ComputeKind::Add, {x.load(*sum, {}, loc), e}, "", loc),
              *sum, {}, loc);
    });
    along([&](ArrayRef<Expr> at) {
      x.store(x.compute(ComputeKind::Div,
                        {x.load(to, at, loc), x.load(*sum, {}, loc)}, "", loc),
              to, at, loc);
    });
  });
  for (mlir::Value r : op->getResults())
    x.set(r, Entity::array(to));
}
} // namespace

bool Extractor::visitLinalg(Operation *op) {
  if (auto s = dyn_cast<linalg::SoftmaxOp>(op)) {
    softmax(*this, s);
    return true;
  }
  auto l = dyn_cast<linalg::LinalgOp>(op);
  if (!l)
    return false;
  // A fill of a tensor is a value; nothing moves until it is used.
  if (auto fill = dyn_cast<linalg::FillOp>(op); fill && op->getNumResults()) {
    Entity value = get(fill.getInputs()[0]);
    if (value.is(EntityKind::Constant) || value.is(EntityKind::Index)) {
      Exprs sizes = shapeOf(fill.getOutputs()[0]);
      std::string text =
          value.is(EntityKind::Constant) ? value.text : value.index.str();
      set(op->getResult(0), Entity::constant(text, sizes));
      return true;
    }
  }
  Structured s(*this, l);
  if (!s.findRanges()) {
    unknown(op, "an operation whose iteration space was not followed");
    return true;
  }
  s.findOutputs();
  s.run();
  return true;
}
