//===- Scalars.cpp - Arithmetic on words, element by element -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "passes/extract/Extractor.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::extract;

static ComputeKind kindOf(Operation *op) {
  return llvm::StringSwitch<ComputeKind>(op->getName().getStringRef())
      .Cases({"arith.addf", "arith.addi"}, ComputeKind::Add)
      .Cases({"arith.subf", "arith.subi"}, ComputeKind::Sub)
      .Cases({"arith.mulf", "arith.muli"}, ComputeKind::Mul)
      .Cases({"arith.divf", "arith.divsi", "arith.divui", "math.recip",
              "tt.precise_divf"},
             ComputeKind::Div)
      .Cases({"arith.maximumf", "arith.maxnumf", "arith.maxsi", "arith.maxui"},
             ComputeKind::Max)
      .Cases({"arith.minimumf", "arith.minnumf", "arith.minsi", "arith.minui"},
             ComputeKind::Min)
      .Case("arith.negf", ComputeKind::Neg)
      .Cases({"math.exp", "math.exp2", "math.expm1"}, ComputeKind::Exp)
      .Case("math.fma", ComputeKind::Fma)
      .Cases({"arith.extf", "arith.truncf", "arith.sitofp", "arith.uitofp",
              "arith.fptosi", "arith.fptoui", "arith.extsi", "arith.extui",
              "arith.trunci", "arith.bitcast", "tt.fp_to_fp", "tt.bitcast"},
             ComputeKind::Convert)
      .Default(ComputeKind::Other);
}

bool Extractor::visitScalar(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  bool known = dialect == "arith" || dialect == "math" ||
               op->getName().getStringRef() == "tt.precise_divf" ||
               op->getName().getStringRef() == "tt.fp_to_fp" ||
               op->getName().getStringRef() == "tt.bitcast";
  if (!known || op->getNumResults() != 1 || op->getNumRegions())
    return false;
  mlir::Value result = op->getResult(0);
  Location loc = op->getLoc();
  Exprs sizes = isa<ShapedType>(result.getType()) ? shapeOf(result) : Exprs();

  // What memory decides; a comparison of scores, say.
  if (getElementTypeOrSelf(result.getType()).isInteger(1)) {
    set(result,
        Entity::ofCondition(Cond::unknown("a comparison of data",
                                          "u" + std::to_string(++nextUnknown)),
                            sizes));
    return true;
  }

  std::vector<Entity> in;
  for (mlir::Value v : op->getOperands())
    in.push_back(get(v));
  bool allConstant = llvm::all_of(in, [](const Entity &e) {
    return e.is(EntityKind::Constant) || e.is(EntityKind::Index);
  });
  if (allConstant) {
    set(result, Entity::constant(op->getName().getStringRef(), sizes));
    return true;
  }
  // Between launches there is no memory for a word: none of these is loaded, so
  // it is a number that every launch is given.
  if (!currentStage && !isa<ShapedType>(result.getType())) {
    bool followed = llvm::none_of(
        in, [](const Entity &e) { return e.is(EntityKind::Unknown); });
    set(result, followed && isa<FloatType>(result.getType())
                    ? Entity::constant(op->getName().getStringRef())
                    : Entity::unknown(("'" + op->getName().getStringRef() +
                                       "' of numbers "
                                       "that are not followed")
                                          .str()));
    return true;
  }
  auto isSelect = isa<arith::SelectOp>(op);
  ComputeKind kind = isSelect ? ComputeKind::Select : kindOf(op);
  StringRef detail =
      kind == ComputeKind::Other ? op->getName().getStringRef() : StringRef();

  // One word: into `to` where a guard decides, else returned.
  auto one = [&](ArrayRef<Expr> at, function_ref<void(mlir::Value)> give) {
    if (isSelect && in[0].is(EntityKind::Condition)) {
      Cond c = in[0].at(at).condition;
      if (!c.hasUnknown()) {
        guard(loc, c, [&] { give(element(in[1], at, loc)); });
        guard(loc, !c, [&] { give(element(in[2], at, loc)); });
        return;
      }
    }
    SmallVector<mlir::Value> operands;
    for (const Entity &e : ArrayRef<Entity>(in).drop_front(isSelect ? 1 : 0))
      operands.push_back(element(e, at, loc));
    give(compute(kind, operands, detail, loc));
  };

  if (sizes.empty() && !isa<ShapedType>(result.getType())) {
    bool guarded = isSelect && in[0].is(EntityKind::Condition) &&
                   !in[0].condition.hasUnknown();
    if (!guarded) {
      one({}, [&](mlir::Value v) { set(result, Entity::ofData(v)); });
      return true;
    }
    auto reg = fastArray("r", result.getType(), {}, loc, Space::Private, true);
    one({}, [&](mlir::Value v) { store(v, *reg, {}, loc); });
    set(result, Entity::ofData(load(*reg, {}, loc)));
    return true;
  }
  // In place where nothing reads the operand afterwards and the loop around
  // carries the result there. Elsewhere a value of its own: an array that holds
  // now scores, now weights says less.
  std::optional<View> to;
  for (auto [v, e] : llvm::zip(op->getOperands(), in))
    if (!to && e.is(EntityKind::Array) && !e.view.slow &&
        v.getType() == result.getType() && isLastUse(v, op) && carriesOn(v, op))
      to = e.view;
  if (!to)
    to = temporary("v", result.getType(), sizes, loc);
  loops(loc, sizes, [&](ArrayRef<Expr> at) {
    one(at, [&](mlir::Value v) { store(v, *to, at, loc); });
  });
  set(result, Entity::array(*to));
  return true;
}

bool Extractor::carriesOn(mlir::Value v, Operation *op) {
  auto loop = dyn_cast_or_null<LoopLikeOpInterface>(op->getParentOp());
  if (!loop || loop.getRegionIterArgs().empty())
    return false;
  const Entity &home = get(v);
  Operation *yield = op->getBlock()->getTerminator();
  // Forward through what makes a value of the same type of this one.
  SmallVector<mlir::Value> next = {op->getResult(0)};
  llvm::DenseSet<mlir::Value> seen;
  while (!next.empty() && seen.size() < 64) {
    mlir::Value value = next.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (user == yield) {
        ArrayRef<BlockArgument> args = loop.getRegionIterArgs();
        if (use.getOperandNumber() >= args.size())
          continue;
        const Entity &arg = get(args[use.getOperandNumber()]);
        if (arg.is(EntityKind::Array) && home.is(EntityKind::Array) &&
            arg.view.buffer == home.view.buffer)
          return true;
      } else if (user->getBlock() == op->getBlock() &&
                 user->getNumResults() == 1 &&
                 user->getResult(0).getType() == v.getType()) {
        next.push_back(user->getResult(0));
      }
    }
  }
  return false;
}

/// Whether `value`, in the buffer of `v`, may be read once `op` has overwritten
/// `v`.
static bool readAfter(mlir::Value value, mlir::Value v, Operation *op) {
  for (Operation *user : value.getUsers()) {
    if (isa<tensor::DimOp, memref::DimOp, memref::DeallocOp>(user) ||
        (value == v && user == op))
      continue;
    // The innermost block with both.
    Operation *here = nullptr, *there = user;
    while (there && there->getBlock() &&
           !(here = there->getBlock()->findAncestorOpInBlock(*op)))
      there = there->getParentOp();
    if (!here)
      return true;
    if (here == there) {
      // What the loop around starts from was read before.
      if (there == user && user != op)
        continue;
      return true;
    }
    if (here->isBeforeInBlock(there))
      return true;
    // Read before, but again in the next iteration of a loop that does not make
    // it anew.
    if (!here->getParentRegion()->isAncestor(value.getParentRegion()))
      return true;
  }
  return false;
}

bool Extractor::isLastUse(mlir::Value v, Operation *op, bool destination) {
  Operation *definition = v.getDefiningOp();
  Block *home = v.getParentBlock();
  // A value from around a loop is needed again in the next iteration.
  if (home != op->getBlock())
    return false;
  if (definition && definition->hasTrait<OpTrait::ConstantLike>())
    return false;
  if (isa<BlockArgument>(v) && home == &function->getRegion(0).front() &&
      !destination)
    return false;
  // Read twice by this operation, it would be read after it was written.
  if (llvm::count(op->getOperands(), v) != 1 || readAfter(v, v, op))
    return false;
  auto it = values.find(v);
  if (it == values.end() || !it->second.is(EntityKind::Array))
    return true;
  StringRef buffer = it->second.view.buffer;
  for (mlir::Value other : inBuffer[buffer]) {
    auto found = values.find(other);
    if (other != v && found != values.end() &&
        found->second.is(EntityKind::Array) &&
        found->second.view.buffer == buffer && readAfter(other, v, op))
      return false;
  }
  return true;
}
