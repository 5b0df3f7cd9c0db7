//===- Arguments.cpp - Arguments of a function and their sizes -*- C++ -*-===//
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
#include "passes/extract/Unregistered.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::extract;

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
    // A divisor: 0 is none, and sizes are not negative.
    if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
            arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(
            user) &&
        use.getOperandNumber() == 1)
      return true;
    if (auto l = dyn_cast<scf::ForOp>(user)) {
      if (use.get() == l.getUpperBound())
        return true;
      continue;
    }
    if (isa<affine::AffineForOp, scf::ForallOp, scf::ParallelOp, gpu::LaunchOp>(
            user) ||
        name.ends_with(".alloc") || name.ends_with(".empty") ||
        name == "tt.make_tensor_ptr" || name == "tt.make_tensor_descriptor")
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
         name.contains("muli") || name.contains("cmpi")) &&
        (name.contains("cmpi") || isSize(user->getResult(0), depth + 1)))
      return true;
  }
  return false;
}

Expr Extractor::dimension(BlockArgument arg, unsigned k) {
  std::string name = nameOf(arg, arg.getArgNumber());
  return symbol(name + "_" + std::to_string(k), Expr(1), std::nullopt,
                arg.getLoc(), "dimension " + std::to_string(k) + " of " + name);
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
  if (isElementPointer(type) || isDescriptor(type)) {
    unsigned bits = pointeeBits(type);
    BufferOp b =
        declare(Space::Slow, name, builder.getIntegerType(bits ? bits : 8),
                std::nullopt, loc, false);
    set(arg, Entity::pointer(b.getSymName(), 0));
    return;
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
      sizes[k] = dimension(arg, k);
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
void Extractor::arguments() {
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
        it = symbols.emplace(leader, dimension(arg, k)).first;
      sizes[k] = it->second;
    }
    values[arg].sizes = sizes;
  }
  for (BlockArgument arg : entry.getArguments())
    argument(arg, arg.getArgNumber());
}

bool Extractor::isSubjectSize(const Expr &e) const {
  return !e.dependsOnAny(variables) && !e.dependsOnAny(fromMemory);
}

void Extractor::describe(StringRef buffer, const Expr &offset,
                         ArrayRef<Expr> sizes, ArrayRef<Expr> strides) {
  std::optional<Exprs> shape;
  // Contiguous from the start of the buffer, in some order of the dimensions.
  SmallVector<unsigned> left;
  for (unsigned k = 0; k < sizes.size(); ++k)
    left.push_back(k);
  Exprs reversed;
  Expr next = 1;
  while (!left.empty()) {
    auto it = llvm::find_if(left, [&](unsigned k) {
      return known.isZero(strides[k] - next) && isSubjectSize(sizes[k]);
    });
    if (it == left.end())
      break;
    reversed.push_back(sizes[*it]);
    next = simplified(next * sizes[*it]);
    left.erase(it);
  }
  if (left.empty() && offset.isZero())
    shape = Exprs(reversed.rbegin(), reversed.rend());
  auto [it, isNew] = described.emplace(buffer.str(), shape);
  if (!isNew && it->second != shape)
    it->second = std::nullopt;
}

void Extractor::applyDescriptions() {
  for (auto &[name, shape] : described) {
    auto buffer =
        dyn_cast_or_null<BufferOp>(SymbolTable::lookupSymbolIn(subject, name));
    if (!buffer || !shape || buffer.getExtents() || buffer.getWords())
      continue;
    Expr words = 1;
    SmallVector<mlir::Attribute> extents;
    for (const Expr &size : *shape) {
      words *= size;
      extents.push_back(ExprAttr::get(context(), size));
    }
    buffer.setWordsAttr(ExprAttr::get(context(), words));
    buffer.setExtentsAttr(builder.getArrayAttr(extents));
    buffer.setEvidence("shape");
  }
}

/// A dynamic dimension that the program never asks for says nothing of what it
/// touches (the rows of O beside those of Q, say): the accesses then do.
void Extractor::dropUnusedDimensions() {
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
