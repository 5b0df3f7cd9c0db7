//===- Function.cpp - Symbols and stages of a function -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/extract/Extractor.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::extract;

Extractor::Extractor(Operation *function, StringRef name, OpBuilder &builder,
                     const ExtractOptions &options)
    : function(function), name(name.str()), builder(builder), options(options) {
}

Expr Extractor::symbol(StringRef like, std::optional<Expr> lo,
                       std::optional<Expr> hi, Location loc,
                       StringRef display) {
  std::string name = unique(like);
  OpBuilder::InsertionGuard keep(builder);
  if (lastHeader)
    builder.setInsertionPointAfter(lastHeader);
  else
    builder.setInsertionPointToStart(&subject.getBody().front());
  lastHeader = SymbolOp::create(
      builder, loc, builder.getStringAttr(name),
      lo ? ExprAttr::get(context(), *lo) : ExprAttr(),
      hi ? ExprAttr::get(context(), *hi) : ExprAttr(), StringAttr(),
      display.empty() ? StringAttr() : builder.getStringAttr(display));
  known.declare(name, lo, hi);
  return Expr::symbol(name);
}

Expr Extractor::dataSymbol(StringRef reason, Location loc) {
  std::string name = unique("data");
  OpBuilder::InsertionGuard keep(builder);
  if (lastHeader)
    builder.setInsertionPointAfter(lastHeader);
  else
    builder.setInsertionPointToStart(&subject.getBody().front());
  lastHeader =
      SymbolOp::create(builder, loc, builder.getStringAttr(name), ExprAttr(),
                       ExprAttr(), builder.getStringAttr(reason), StringAttr());
  known.declare(name, std::nullopt, std::nullopt);
  fromMemory.insert(name);
  return Expr::symbol(name);
}

void Extractor::assumption(const Cond &c, StringRef source, Location loc) {
  if (c.isAlways() || c.isNever())
    return;
  OpBuilder::InsertionGuard keep(builder);
  builder.setInsertionPointAfter(lastHeader);
  lastHeader = AssumeOp::create(builder, loc, CondAttr::get(context(), c),
                                builder.getStringAttr(source));
  assume(known, c);
}

void Extractor::statement(const llvm::Twine &text, Location loc) {
  OpBuilder::InsertionGuard keep(builder);
  if (lastHeader)
    builder.setInsertionPointAfter(lastHeader);
  else
    builder.setInsertionPointToStart(&subject.getBody().front());
  lastHeader =
      AssumeOp::create(builder, loc, CondAttr::get(context(), Cond::always()),
                       builder.getStringAttr(text));
}

void Extractor::stage(Operation *op, function_ref<void()> body) {
  OpBuilder::InsertionGuard keep(builder);
  builder.setInsertionPointToEnd(&subject.getBody().front());
  DictionaryAttr info = builder.getDictionaryAttr(builder.getNamedAttr(
      "kernel", builder.getStringAttr(op ? op->getName().getStringRef()
                                         : StringRef(name))));
  currentStage = StageOp::create(
      builder, op ? op->getLoc() : function->getLoc(),
      builder.getStringAttr(unique("stage")), info,
      ExprAttr::get(context(), Expr(1)), builder.getI64IntegerAttr(0));
  builder.setInsertionPointToStart(&currentStage.getBody().emplaceBlock());
  lastFast = nullptr;
  local.clear();
  body();
  // Neither its words nor its fast memory outlive it.
  for (mlir::Value v : local) {
    const Entity &e = values[v];
    if (e.is(EntityKind::Data) || (e.is(EntityKind::Array) && !e.view.slow))
      values[v] = Entity::unknown("fast memory of another stage");
  }
  local.clear();
  currentStage = nullptr;
}

void Extractor::set(mlir::Value v, Entity e) {
  if (e.is(EntityKind::Data) || (e.is(EntityKind::Array) && !e.view.slow))
    local.push_back(v);
  if (e.is(EntityKind::Array))
    inBuffer[e.view.buffer].push_back(v);
  values[v] = std::move(e);
}

/// Work that runs as a launch of its own.
static bool isLaunch(Operation &op) {
  return isa<scf::ForallOp, scf::ParallelOp, affine::AffineParallelOp,
             gpu::LaunchOp, gpu::LaunchFuncOp>(op);
}

/// An operation on whole tensors: on its own, each is a pass over its operands.
static bool isTensorPass(Operation &op) {
  if (op.getNumResults() == 0 || isa<linalg::FillOp>(op))
    return false;
  return isa<linalg::LinalgOp, linalg::SoftmaxOp>(op) ||
         op.getName().getDialectNamespace() == "iree_linalg_ext";
}

/// Whether an operation may move words: it is no integer arithmetic, constant,
/// allocation or view.
static bool moves(Operation &op) {
  if (op.hasTrait<OpTrait::IsTerminator>() ||
      op.hasTrait<OpTrait::ConstantLike>())
    return false;
  if (op.getNumRegions() || isLaunch(op))
    return true;
  StringRef name = op.getName().getStringRef();
  for (StringRef quiet : {"hal.tensor.import",
                          "hal.tensor.barrier",
                          "hal.tensor.export",
                          "hal.fence.create",
                          "hal.fence.await",
                          "hal.devices.get",
                          "hal.buffer_view.dim",
                          "util.null",
                          "util.return",
                          "memref.alloc",
                          "memref.alloca",
                          "memref.dealloc",
                          "memref.dim",
                          "memref.subview",
                          "memref.cast",
                          "memref.memory_space_cast",
                          "memref.reinterpret_cast",
                          "memref.expand_shape",
                          "memref.collapse_shape",
                          "memref.transpose",
                          "memref.assume_alignment",
                          "memref.get_global",
                          "tensor.empty",
                          "tensor.dim",
                          "tensor.cast",
                          "tensor.extract_slice",
                          "tensor.expand_shape",
                          "tensor.collapse_shape",
                          "bufferization.to_tensor",
                          "bufferization.to_buffer",
                          "bufferization.alloc_tensor"})
    if (name == quiet)
      return false;
  if (isa<linalg::FillOp>(op) && op.getNumResults())
    return false;
  auto scalar = [](Type t) { return t.isIntOrIndexOrFloat(); };
  return !llvm::all_of(op.getOperandTypes(), scalar) ||
         !llvm::all_of(op.getResultTypes(), scalar) || !isMemoryEffectFree(&op);
}

void Extractor::stages(Block &body) {
  unsigned launches = llvm::count_if(body, isLaunch);
  unsigned passes = llvm::count_if(body, isTensorPass);
  severalStages = launches + passes > 0 && llvm::count_if(body, moves) > 1;
  if (launches + passes == 0) {
    stage(nullptr, [&] { visit(body); });
    return;
  }
  // What stands between launches and moves words is a stage, too.
  for (Operation &op : body) {
    if (op.hasTrait<OpTrait::IsTerminator>())
      continue;
    if (!moves(op)) {
      visit(&op);
      continue;
    }
    stage(&op, [&] { visit(&op); });
    StageOp last = cast<StageOp>(subject.getBody().front().back());
    // A fill of a tensor, say, moved nothing.
    if (last.getBody().front().empty())
      last.erase();
  }
}

void Extractor::visit(Block &block) {
  for (Operation &op : block)
    visit(&op);
}

void Extractor::visit(Operation *op) {
  // Terminators are read by what they end.
  if (op->hasTrait<OpTrait::IsTerminator>() && !isa<scf::InParallelOp>(op))
    return;
  if (visitInteger(op) || visitControl(op) || visitScalar(op) ||
      visitMemory(op) || visitTensor(op) || visitLinalg(op) ||
      visitLinalgExt(op) || visitGpu(op) || visitVector(op) || visitTriton(op))
    return;
  StringRef name = op->getName().getStringRef();
  // What the author promises can only be read less exactly without it.
  if (name == "llvm.intr.assume" || name == "cf.assert" ||
      name == "memref.prefetch" || name == "vector.print")
    return;
  std::string why = ("'" + name + "' is not followed").str();
  // An operation on a tensor or vector reads it, although it has no effect; one
  // on a memref without effects makes a view, whose accesses are then unknown.
  bool moves = op->getNumRegions() || !isMemoryEffectFree(op);
  SmallVector<mlir::Value> words;
  for (mlir::Value v : op->getOperands()) {
    Entity e = get(v);
    moves |= e.is(EntityKind::Array) && !isa<BaseMemRefType>(v.getType());
    if (e.is(EntityKind::Data))
      words.push_back(e.data);
  }
  if (moves)
    return unknown(op, why);
  bool one = currentStage && !words.empty() && op->getNumResults() == 1 &&
             !isa<ShapedType>(op->getResult(0).getType());
  for (mlir::Value r : op->getResults())
    set(r, one ? Entity::ofData(
                     compute(ComputeKind::Other, words, name, op->getLoc()))
               : Entity::unknown(why));
}

SubjectOp Extractor::run() {
  if (function->getNumRegions() != 1 || function->getRegion(0).empty())
    return nullptr;
  Location loc = function->getLoc();
  std::string file;
  int64_t line = 0, column = 0;
  loc->walk([&](Location l) {
    if (auto where = dyn_cast<FileLineColLoc>(l)) {
      file = where.getFilename().str();
      line = where.getLine();
      column = where.getColumn();
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  auto text = [&](StringRef name, StringRef value) {
    return builder.getNamedAttr(name, builder.getStringAttr(value));
  };
  DictionaryAttr info = builder.getDictionaryAttr(
      {text("name", name), text("file", file),
       builder.getNamedAttr("line", builder.getI64IntegerAttr(line)),
       builder.getNamedAttr("column", builder.getI64IntegerAttr(column)),
       text("language", "MLIR"), text("target", ""), text("instantiation", ""),
       text("launch", "")});
  subject = SubjectOp::create(
      builder, loc, builder.getStringAttr(name + ".skeleton"), info,
      DictionaryAttr(), ExprAttr(), ExprAttr(), DictionaryAttr());
  subject.getBody().emplaceBlock();

  Block &entry = function->getRegion(0).front();
  if (!declareFunction())
    return nullptr;
  arguments();
  if (!declareAssumptions())
    return nullptr;
  descriptorArguments(entry);
  if (!declareArguments())
    return nullptr;
  bool kernel = function->getName().getStringRef() == "tt.func" ||
                function->getName().getStringRef() == "gpu.func";
  if (llvm::hasSingleElement(function->getRegion(0)) && kernel) {
    std::optional<Launch> sizes = unknownLaunch();
    if (!sizes)
      return nullptr;
    stage(nullptr,
          [&] { launched(function, *sizes, name, [&] { visit(entry); }); });
  } else if (llvm::hasSingleElement(function->getRegion(0))) {
    stages(entry);
  } else {
    stage(nullptr, [&] {
      unknown(function, "control flow between blocks is not followed");
    });
  }
  subject->walk([&](BufferOp buffer) {
    if (passing.contains(buffer.getSymName()))
      buffer->setAttr("ioflor.passing", builder.getUnitAttr());
  });
  applyDescriptions();
  dropUnusedDimensions();
  for (SymbolOp symbol : subject.getOps<SymbolOp>())
    if (symbol.getDisplay() && !asked.count(symbol.getName().str()))
      symbol->setAttr("unasked", builder.getUnitAttr());
  return subject;
}
