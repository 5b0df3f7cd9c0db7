//===- Function.cpp - Symbols, arguments and stages of a function -*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/extract/Extractor.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::extract;

bool extract::isCandidate(Operation *function) {
  unsigned exponentials = 0, products = 0, opaque = 0;
  function->walk([&](Operation *op) {
    StringRef name = op->getName().getStringRef();
    if (name == "math.exp" || name == "math.exp2" || name == "linalg.exp" ||
        name == "linalg.softmax")
      ++exponentials;
    else if (name == "arith.mulf" || name == "math.fma" ||
             name == "vector.contract" || name == "vector.outerproduct" ||
             name == "tt.dot" || name.contains("matmul") ||
             name.contains("mma") || name == "linalg.contract")
      ++products;
    else if (name == "iree_linalg_ext.attention" ||
             name == "iree_linalg_ext.online_attention")
      ++opaque;
  });
  return opaque || (exponentials && products >= 2);
}

Extractor::Extractor(Operation *function, StringRef name, OpBuilder &builder)
    : function(function), name(name.str()), builder(builder) {}

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

/// The name that the source gave to an argument, if the location keeps one.
static std::string nameOf(BlockArgument arg, unsigned number) {
  if (auto name = dyn_cast<NameLoc>(arg.getLoc()))
    return name.getName().str();
  return "arg" + std::to_string(number);
}

/// A number that bounds a loop, a launch or a size is at least 1.
static bool isSize(mlir::Value v, unsigned depth = 0) {
  if (depth > 8)
    return false;
  for (OpOperand &use : v.getUses()) {
    Operation *user = use.getOwner();
    StringRef name = user->getName().getStringRef();
    if (auto l = dyn_cast<scf::ForOp>(user)) {
      if (use.get() == l.getUpperBound())
        return true;
      continue;
    }
    if (isa<affine::AffineForOp, scf::ForallOp, scf::ParallelOp, gpu::LaunchOp>(
            user) ||
        name.ends_with(".alloc") || name.ends_with(".empty") ||
        name == "tt.make_tensor_ptr")
      return true;
    if (auto l = dyn_cast<gpu::LaunchFuncOp>(user)) {
      auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
          l, l.getKernel());
      unsigned first = l.getNumOperands() - l.getNumKernelOperands();
      if (use.getOperandNumber() < first)
        return true;
      if (kernel &&
          isSize(kernel.getArgument(use.getOperandNumber() - first), depth + 1))
        return true;
      continue;
    }
    if (isa_and_nonnull<arith::ArithDialect>(user->getDialect()) &&
        user->getNumResults() == 1 &&
        (name.contains("ceildiv") || name.contains("cast") ||
         name.contains("ext") || name.contains("div") || name.contains("min") ||
         name.contains("cmpi")) &&
        (name.contains("cmpi") || isSize(user->getResult(0), depth + 1)))
      return true;
  }
  return false;
}

void Extractor::argument(BlockArgument arg, unsigned number) {
  Type type = arg.getType();
  Location loc = arg.getLoc();
  std::string name = nameOf(arg, number);
  if (type.isIntOrIndex()) {
    std::optional<Expr> lo, hi;
    if (isSize(arg))
      lo = 1;
    if (auto i = dyn_cast<IntegerType>(type); i && i.getWidth() > 1)
      hi = parseExpr("2**" + std::to_string(i.getWidth() - 1) + " - 1");
    set(arg, Entity::ofIndex(symbol(name, lo, hi, loc)));
    return;
  }
  auto shaped = dyn_cast<ShapedType>(type);
  if (auto opaque = dyn_cast<OpaqueType>(type)) {
    // Triton's pointer to elements.
    StringRef data = opaque.getTypeData();
    if (opaque.getDialectNamespace() == "tt" && data.consume_front("ptr<")) {
      unsigned bits = 0;
      data.drop_while([](char c) { return isalpha(c); })
          .take_while([](char c) { return isdigit(c); })
          .getAsInteger(10, bits);
      BufferOp b =
          declare(Space::Slow, name, builder.getIntegerType(bits ? bits : 8),
                  std::nullopt, loc, false);
      set(arg, Entity::pointer(b.getSymName(), 0));
      return;
    }
  }
  if (!shaped || !shaped.hasRank()) {
    if (isa<FloatType>(type))
      set(arg, Entity::constant(name));
    else
      set(arg, Entity::unknown("an argument of a type that is not followed"));
    return;
  }
  if (isa<VectorType>(type)) {
    set(arg, Entity::unknown("a vector argument"));
    return;
  }
  Exprs sizes = values[arg].sizes; // of the same dimension as another's
  sizes.resize(shaped.getRank());
  for (int64_t k = 0; k < shaped.getRank(); ++k)
    if (!shaped.isDynamicDim(k))
      sizes[k] = shaped.getDimSize(k);
    else if (sizes[k].isZero())
      sizes[k] = symbol(name + "_" + std::to_string(k), Expr(1), std::nullopt,
                        loc, "dimension " + std::to_string(k) + " of " + name);
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || memref.getLayout().isIdentity()) {
    set(arg, Entity::array(slowArray(name, type, sizes, loc)));
    return;
  }
  int64_t offset;
  SmallVector<int64_t> strides;
  if (failed(memref.getStridesAndOffset(strides, offset))) {
    set(arg, Entity::unknown("an argument whose layout is not strided"));
    return;
  }
  // Its sizes say nothing of the words that it spans, so the buffer has neither
  // words nor extents. Addresses count from where the data starts.
  View view;
  view.slow = true;
  view.sizes = sizes;
  for (auto [k, s] : llvm::enumerate(strides))
    view.strides.push_back(
        ShapedType::isDynamic(s)
            ? symbol(name + "_stride" + std::to_string(k), Expr(1),
                     std::nullopt, loc,
                     "stride " + std::to_string(k) + " of " + name)
            : Expr(s));
  if (view.strides == rowMajor(sizes))
    view = slowArray(name, type, sizes, loc);
  else
    view.buffer = declare(Space::Slow, name, type, std::nullopt, loc, false)
                      .getSymName()
                      .str();
  if (offset != 0)
    shifted.insert(view.buffer);
  set(arg, Entity::array(view));
}

/// Dimensions of the arguments that one operation runs over together.
static void unify(Operation *function,
                  llvm::DenseMap<mlir::Value, Entity> &values,
                  function_ref<Expr(BlockArgument, unsigned)> fresh) {
  using Dim = std::pair<unsigned, unsigned>; // argument, dimension
  llvm::EquivalenceClasses<Dim> classes;
  Block &entry = function->getRegion(0).front();
  auto dynamic = [&](mlir::Value v, unsigned k) -> std::optional<Dim> {
    while (Operation *op = v.getDefiningOp()) {
      if (op->getName().getStringRef() != "tensor.cast" &&
          op->getName().getStringRef() != "memref.cast")
        return std::nullopt;
      v = op->getOperand(0);
    }
    auto arg = dyn_cast<BlockArgument>(v);
    if (!arg || arg.getOwner() != &entry)
      return std::nullopt;
    auto type = dyn_cast<ShapedType>(arg.getType());
    if (!type || !type.hasRank() || int64_t(k) >= type.getRank() ||
        !type.isDynamicDim(k))
      return std::nullopt;
    return Dim(arg.getArgNumber(), k);
  };
  function->walk([&](linalg::LinalgOp op) {
    std::map<unsigned, Dim> of;
    for (OpOperand &operand : op->getOpOperands()) {
      AffineMap map = op.getMatchingIndexingMap(&operand);
      for (auto [k, e] : llvm::enumerate(map.getResults())) {
        auto d = dyn_cast<AffineDimExpr>(e);
        auto dim = d ? dynamic(operand.get(), k) : std::nullopt;
        if (!dim)
          continue;
        auto [it, isNew] = of.emplace(d.getPosition(), *dim);
        classes.unionSets(it->second, *dim);
      }
    }
  });
  std::map<Dim, Expr> symbols;
  for (BlockArgument arg : entry.getArguments()) {
    auto type = dyn_cast<ShapedType>(arg.getType());
    if (!type || !type.hasRank() || isa<VectorType>(type))
      continue;
    Exprs sizes(type.getRank(), Expr(0));
    for (int64_t k = 0; k < type.getRank(); ++k) {
      Dim self(arg.getArgNumber(), k);
      if (!type.isDynamicDim(k) || !classes.contains(self))
        continue;
      Dim leader = classes.getLeaderValue(self);
      auto it = symbols.find(leader);
      if (it == symbols.end())
        it = symbols.emplace(leader, fresh(arg, k)).first;
      sizes[k] = it->second;
    }
    values[arg].sizes = sizes;
  }
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
  return isa<linalg::LinalgOp, linalg::SoftmaxOp>(op);
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
  for (StringRef quiet : {"memref.alloc",
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
      visitMemory(op) || visitTensor(op) || visitLinalg(op) || visitGpu(op) ||
      visitVector(op) || visitTriton(op))
    return;
  StringRef name = op->getName().getStringRef();
  if (name == "cf.assert" || name == "memref.prefetch" ||
      name == "vector.print")
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

/// A dynamic dimension that the program never asks for says nothing of what it
/// touches (the rows of O beside those of Q, say): the accesses then do.
static void dropUnusedDimensions(SubjectOp subject) {
  std::set<std::string> used;
  auto use = [&](const std::set<std::string> &names) {
    used.insert(names.begin(), names.end());
  };
  for (StageOp stage : subject.getOps<StageOp>())
    stage->walk([&](Operation *op) {
      forEachExpr(
          op, [&](const Expr &e) { use(e.freeSymbols()); },
          [&](const Cond &c) { use(c.freeSymbols()); });
    });
  for (AssumeOp assume : subject.getOps<AssumeOp>())
    use(assume.getCondition().freeSymbols());
  // What is declared is used.
  if (subject.getClaimWords())
    use(subject.getClaimWords()->freeSymbols());
  if (subject.getFastWords())
    use(subject.getFastWords()->freeSymbols());
  if (DictionaryAttr d = subject.getDisclosureAttr())
    if (auto w = d.getAs<ExprAttr>("w"))
      use(w.getValue().freeSymbols());
  for (BufferOp buffer : subject.getOps<BufferOp>())
    if (buffer.getExtents() && buffer.getEvidence() == "annotated")
      for (mlir::Attribute a : buffer.getExtentsAttr())
        use(cast<ExprAttr>(a).getValue().freeSymbols());
  for (BufferOp buffer : subject.getOps<BufferOp>()) {
    if (buffer.getWords())
      for (const std::string &name : buffer.getWords()->freeSymbols())
        if (!used.count(name)) {
          buffer.removeWordsAttr();
          break;
        }
    if (!buffer.getExtents())
      continue;
    bool unknown = false;
    ArrayAttr extents = buffer.getExtentsAttr();
    for (mlir::Attribute a : extents)
      for (const std::string &name : cast<ExprAttr>(a).getValue().freeSymbols())
        unknown |= !used.count(name);
    if (!unknown)
      continue;
    buffer.removeExtentsAttr();
    buffer.removeEvidenceAttr();
    buffer.removeWordsAttr();
  }
  for (SymbolOp symbol : llvm::make_early_inc_range(subject.getOps<SymbolOp>()))
    if (!used.count(symbol.getName().str()))
      symbol.erase();
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
  unify(function, values, [&](BlockArgument arg, unsigned k) {
    std::string name = nameOf(arg, arg.getArgNumber());
    return symbol(name + "_" + std::to_string(k), Expr(1), std::nullopt,
                  arg.getLoc(),
                  "dimension " + std::to_string(k) + " of " + name);
  });
  for (BlockArgument arg : entry.getArguments())
    argument(arg, arg.getArgNumber());
  if (!declareArguments())
    return nullptr;
  bool kernel = function->getName().getStringRef() == "tt.func" ||
                function->getName().getStringRef() == "gpu.func";
  if (llvm::hasSingleElement(function->getRegion(0)) && kernel) {
    Launch sizes = unknownLaunch();
    stage(nullptr,
          [&] { launched(function, sizes, name, [&] { visit(entry); }); });
  } else if (llvm::hasSingleElement(function->getRegion(0))) {
    stages(entry);
  } else {
    stage(nullptr, [&] {
      unknown(function, "control flow between blocks is not followed");
    });
  }
  dropUnusedDimensions(subject);
  for (SymbolOp symbol : subject.getOps<SymbolOp>())
    if (symbol.getDisplay() && !asked.count(symbol.getName().str()))
      symbol->setAttr("unasked", builder.getUnitAttr());
  return subject;
}
