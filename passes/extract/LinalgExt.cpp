//===- LinalgExt.cpp - Operations of IREE -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What IREE wraps around linalg: memory of the caller as tensors.
// iree_linalg_ext.attention, read in generic form: its operands and their
// indexing maps. The operation says what is computed and not how; written here
// is the online softmax, row by row. Its issued words are those of no tiling at
// all, its compulsory words those of every implementation: in cache mode the
// count is the range between them.
//
//===----------------------------------------------------------------------===//
#include "mlir/IR/AffineMap.h"
#include "passes/extract/Extractor.h"
#include "passes/extract/Unregistered.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::extract;

namespace {
struct Attention {
  Extractor &x;
  Operation *op;
  Location loc;
  SmallVector<AffineMap> maps;
  Entity q, k, v;
  std::optional<Entity> mask;
  bool maskIsBool = false;
  Exprs ranges;
  /// Dimensions of the operation, by what they are in an attention.
  SmallVector<unsigned> rows, keys, inner, columns;
  std::string why;

  Attention(Extractor &x, Operation *op) : x(x), op(op), loc(op->getLoc()) {}

  bool refuse(StringRef reason) {
    why = reason.str();
    return false;
  }

  bool read() {
    auto list = dyn_cast_or_null<ArrayAttr>(attributeOf(op, "indexing_maps"));
    unsigned n = op->getNumOperands();
    if (!list || op->getNumResults() != 1 || list.size() != n ||
        (n != 5 && n != 6))
      return refuse("operands without a map each");
    for (mlir::Attribute a : list) {
      auto map = dyn_cast<AffineMapAttr>(a);
      if (!map || !map.getValue().isProjectedPermutation())
        return refuse("an indexing map that is no choice of dimensions");
      maps.push_back(map.getValue());
    }
    Region &region = op->getRegion(0);
    if (op->getNumRegions() != 1 || !region.hasOneBlock() ||
        !llvm::hasSingleElement(region.front()) ||
        region.front().front().getOperands() !=
            ValueRange(region.front().getArguments()))
      return refuse("a region that changes the scores");
    q = x.get(op->getOperand(0));
    k = x.get(op->getOperand(1));
    v = x.get(op->getOperand(2));
    for (const Entity *e : {&q, &k, &v})
      if (!e->is(EntityKind::Array))
        return refuse("an operand that was not followed");
    if (n == 6) {
      mask = x.get(op->getOperand(4));
      maskIsBool =
          getElementTypeOrSelf(op->getOperand(4).getType()).isInteger(1);
      if (!mask->is(EntityKind::Array) && !mask->is(EntityKind::Constant))
        return refuse("a mask that was not followed");
    }
    return classify();
  }

  bool classify() {
    unsigned dims = maps[0].getNumDims();
    ranges.assign(dims, Expr(0));
    std::vector<bool> known(dims), in[4];
    for (auto [m, map] : llvm::enumerate(
             SmallVector<AffineMap>{maps[0], maps[1], maps[2], maps.back()})) {
      in[m].assign(dims, false);
      mlir::Value operand =
          m == 3 ? op->getOperands().back() : op->getOperand(m);
      Exprs sizes = x.shapeOf(operand);
      if (map.getNumDims() != dims || sizes.size() != map.getNumResults())
        return refuse("maps of different spaces");
      for (auto [i, e] : llvm::enumerate(map.getResults())) {
        unsigned d = cast<AffineDimExpr>(e).getPosition();
        in[m][d] = true;
        // Of what equals in a correct program, a constant says most.
        if (!known[d] || sizes[i].isConst())
          ranges[d] = sizes[i];
        known[d] = true;
      }
    }
    for (unsigned d = 0; d < dims; ++d) {
      bool isQ = in[0][d], isK = in[1][d], isV = in[2][d], isO = in[3][d];
      if (isQ && isO)
        rows.push_back(d); // with the batch and heads
      else if (isK && isV && !isQ && !isO)
        keys.push_back(d);
      else if (isQ && isK && !isV && !isO)
        inner.push_back(d);
      else if (isV && isO && !isQ && !isK)
        columns.push_back(d);
      else
        return refuse("a dimension that attention has not");
      x.ask(ranges[d]);
    }
    for (unsigned d : columns)
      if (!ranges[d].isConst())
        return refuse("columns of V without a constant number");
    return true;
  }

  Exprs sizesOf(ArrayRef<unsigned> dims) const {
    Exprs out;
    for (unsigned d : dims)
      out.push_back(ranges[d]);
    return out;
  }
  /// Loops over some dimensions, whose values stand in `at` meanwhile.
  void over(ArrayRef<unsigned> dims, Exprs &at, function_ref<void()> body) {
    x.loops(loc, sizesOf(dims), [&](ArrayRef<Expr> values) {
      for (auto [d, value] : llvm::zip(dims, values))
        at[d] = value;
      body();
    });
  }
  Exprs through(AffineMap map, ArrayRef<Expr> at) const {
    Exprs out;
    for (AffineExpr e : map.getResults())
      out.push_back(at[cast<AffineDimExpr>(e).getPosition()]);
    return out;
  }

  void write() {
    Type element = op->getResult(0).getType();
    // On its own it is a pass over its operands, as linalg's are.
    Exprs shape = x.shapeOf(op->getOperands().back());
    View to = x.insideLoops() ? x.temporary("v", element, shape, loc)
                              : x.slowArray("v", element, shape, loc);
    auto word = [&](StringRef hint) {
      return *x.fastArray(hint, element, {}, loc, Space::Private, true);
    };
    View score = word("score"), highest = word("highest"),
         total = word("total");
    View before = word("before");
    View acc = *x.fastArray("row", element, sizesOf(columns), loc);
    auto c = [&](StringRef text) {
      return x.compute(ComputeKind::Constant, {}, text, loc);
    };
    auto put = [&](const View &into, mlir::Value value) {
      x.store(value, into, {}, loc);
    };
    auto of = [&](const View &from) { return x.load(from, {}, loc); };
    Exprs at(ranges.size(), Expr(0));
    auto column = [&] {
      Exprs out;
      for (unsigned d : columns)
        out.push_back(at[d]);
      return out;
    };
    over(rows, at, [&] {
      put(highest, c("-Inf"));
      put(total, c("0"));
      over(columns, at, [&] { x.store(c("0"), acc, column(), loc); });
      over(keys, at, [&] {
        put(score, c("0"));
        over(inner, at, [&] {
          mlir::Value product =
              x.compute(ComputeKind::Mul,
                        {x.load(q.view, through(maps[0], at), loc),
                         x.load(k.view, through(maps[1], at), loc)},
                        "", loc);
          put(score,
              x.compute(ComputeKind::Add, {of(score), product}, "", loc));
        });
        put(score,
            x.compute(ComputeKind::Mul, {of(score), c("scale")}, "", loc));
        if (mask) {
          mlir::Value m = x.element(*mask, through(maps[4], at), loc);
          put(score, maskIsBool ? x.compute(ComputeKind::Select,
                                            {m, of(score), c("-Inf")}, "", loc)
                                : x.compute(ComputeKind::Add, {of(score), m},
                                            "", loc));
        }
        put(before, of(highest));
        put(highest,
            x.compute(ComputeKind::Max, {of(highest), of(score)}, "", loc));
        mlir::Value rescale = x.compute(
            ComputeKind::Exp,
            {x.compute(ComputeKind::Sub, {of(before), of(highest)}, "", loc)},
            "", loc);
        View factor = word("factor"), weight = word("weight");
        put(factor, rescale);
        put(weight, x.compute(ComputeKind::Exp,
                              {x.compute(ComputeKind::Sub,
                                         {of(score), of(highest)}, "", loc)},
                              "", loc));
        put(total, x.compute(ComputeKind::Add,
                             {x.compute(ComputeKind::Mul,
                                        {of(total), of(factor)}, "", loc),
                              of(weight)},
                             "", loc));
        over(columns, at, [&] {
          mlir::Value kept =
              x.compute(ComputeKind::Mul,
                        {x.load(acc, column(), loc), of(factor)}, "", loc);
          mlir::Value more = x.compute(
              ComputeKind::Mul,
              {of(weight), x.load(v.view, through(maps[2], at), loc)}, "", loc);
          x.store(x.compute(ComputeKind::Add, {kept, more}, "", loc), acc,
                  column(), loc);
        });
      });
      over(columns, at, [&] {
        x.store(x.compute(ComputeKind::Div,
                          {x.load(acc, column(), loc), of(total)}, "", loc),
                to, through(maps.back(), at), loc);
      });
    });
    x.set(op->getResult(0), Entity::array(to));
  }
};
} // namespace

/// A view of memory that the caller gives, as a tensor.
static void import(Extractor &x, Operation *op) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type)
    return x.unknown(op, "an import of what is no ranked tensor");
  SmallVector<mlir::Value> dims;
  for (mlir::Value v : op->getOperands())
    if (v.getType().isIndex())
      dims.push_back(v);
  if (int64_t(dims.size()) != type.getNumDynamicDims())
    return x.unknown(op, "an import whose sizes were not followed");
  Exprs sizes;
  unsigned next = 0;
  for (int64_t n : type.getShape())
    sizes.push_back(ShapedType::isDynamic(n) ? x.integer(dims[next++])
                                             : Expr(n));
  std::string name = "imported";
  if (auto arg = dyn_cast<BlockArgument>(op->getOperand(0)))
    name = "arg" + std::to_string(arg.getArgNumber());
  x.set(op->getResult(0),
        Entity::array(x.slowArray(name, type, sizes, op->getLoc())));
}

bool Extractor::visitLinalgExt(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (name == "hal.tensor.import" && op->getNumResults() == 1 &&
      op->getNumOperands() > 0) {
    import(*this, op);
    return true;
  }
  if (name == "hal.tensor.barrier") {
    // The same tensors, later.
    for (auto [k, result] : llvm::enumerate(op->getResults()))
      set(result, get(op->getOperand(k)));
    return true;
  }
  if (name == "hal.buffer_view.dim" && op->getNumResults() == 1) {
    auto k = dyn_cast_or_null<IntegerAttr>(attributeOf(op, "index"));
    auto arg = dyn_cast<BlockArgument>(op->getOperand(0));
    if (!k || !arg)
      return unknown(op, "a size that was not followed"), true;
    std::string like = "arg" + std::to_string(arg.getArgNumber()) + "_" +
                       std::to_string(k.getInt());
    set(op->getResult(0),
        Entity::ofIndex(symbol(like, Expr(1), std::nullopt, op->getLoc())));
    return true;
  }
  // Time and devices: no words.
  if (name.starts_with("hal.fence.") || name.starts_with("hal.device") ||
      name == "util.null" || name == "util.return" ||
      name == "hal.tensor.export")
    return true;
  if (name != "iree_linalg_ext.attention")
    return false;
  Attention attention(*this, op);
  if (attention.read())
    attention.write();
  else
    unknown(op, ("an attention with " + attention.why));
  return true;
}
