//===- Vectors.cpp - vector operations as loops over private arrays -*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/extract/Extractor.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::extract;

static ComputeKind combining(vector::CombiningKind kind) {
  switch (kind) {
  case vector::CombiningKind::ADD:
    return ComputeKind::Add;
  case vector::CombiningKind::MUL:
    return ComputeKind::Mul;
  case vector::CombiningKind::MAXNUMF:
  case vector::CombiningKind::MAXIMUMF:
  case vector::CombiningKind::MAXSI:
  case vector::CombiningKind::MAXUI:
    return ComputeKind::Max;
  case vector::CombiningKind::MINNUMF:
  case vector::CombiningKind::MINIMUMF:
  case vector::CombiningKind::MINSI:
  case vector::CombiningKind::MINUI:
    return ComputeKind::Min;
  default:
    return ComputeKind::Other;
  }
}

/// Coordinates of the source for each coordinate of a result, applied to what
/// kind of shaped value this is.
static Entity rearranged(const Entity &from, ArrayRef<Expr> sizes,
                         ArrayRef<Expr> sourceAt, ArrayRef<Expr> strides) {
  Entity e = from;
  if (from.is(EntityKind::Array)) {
    e.view.sizes.assign(sizes.begin(), sizes.end());
    e.view.strides.assign(strides.begin(), strides.end());
  } else if (!from.sizes.empty()) {
    e = from.at(sourceAt);
  }
  e.sizes.assign(sizes.begin(), sizes.end());
  return e;
}

bool Extractor::visitVector(Operation *op) {
  Location loc = op->getLoc();
  auto arrayOf = [&](mlir::Value v) -> std::optional<View> {
    const Entity &e = get(v);
    if (e.is(EntityKind::Array))
      return e.view;
    return std::nullopt;
  };
  auto indices = [&](ValueRange range) {
    Exprs out;
    for (mlir::Value v : range)
      out.push_back(integer(v));
    return out;
  };
  // Coordinates of the memory for coordinates of the vector, and whether that
  // word is there.
  struct Place {
    Exprs at;
    Cond inside;
  };
  auto place = [&](ArrayRef<Expr> base, const View &memory, AffineMap map,
                   ArrayRef<bool> inBounds, ArrayRef<Expr> at) {
    Place p{Exprs(base.begin(), base.end()), Cond()};
    std::vector<Cond> inside;
    for (auto [k, e] : llvm::enumerate(map.getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(e);
      if (!dim)
        continue; // broadcast
      unsigned m = dim.getPosition();
      p.at[m] += at[k];
      if (!inBounds[k])
        inside.push_back(lt(p.at[m], memory.sizes[m]));
    }
    p.inside = conjunction(inside);
    return p;
  };

  auto scalable = [](Type t) {
    auto v = dyn_cast<VectorType>(t);
    return v && v.isScalable();
  };
  if (op->getName().getDialectNamespace() == "vector" &&
      (llvm::any_of(op->getOperandTypes(), scalable) ||
       llvm::any_of(op->getResultTypes(), scalable)))
    return unknown(op, "a vector whose size the machine decides"), true;
  // One name for one mask: two masks in memory may differ.
  Cond inMemory =
      Cond::unknown("a mask in memory", "mask" + std::to_string(++nextUnknown));
  auto masked = [&](const Entity &mask, ArrayRef<Expr> at) {
    return mask.is(EntityKind::Condition) ? mask.at(at).condition : inMemory;
  };

  if (auto r = dyn_cast<vector::TransferReadOp>(op)) {
    if (r.getMask() && !r.getPermutationMap().isMinorIdentity())
      return unknown(op, "a mask in another order than the vector"), true;
    auto memory = arrayOf(r.getBase());
    if (!memory)
      return unknown(op, "a read of what was not followed"), true;
    Exprs sizes = shapeOfType(r.getVectorType());
    View to = temporary("v", r.getVectorType(), sizes, loc);
    Exprs base = indices(r.getIndices());
    SmallVector<bool> inBounds = r.getInBoundsValues();
    Entity padding = get(r.getPadding());
    std::optional<Entity> mask;
    if (r.getMask())
      mask = get(r.getMask());
    loops(loc, sizes, [&](ArrayRef<Expr> at) {
      Place p = place(base, *memory, r.getPermutationMap(), inBounds, at);
      Cond c = p.inside;
      if (mask)
        c = c && masked(*mask, at);
      guard(loc, c, [&] { store(load(*memory, p.at, loc), to, at, loc); });
      guard(loc, !c, [&] { store(element(padding, {}, loc), to, at, loc); });
    });
    set(r.getResult(), Entity::array(to));
    return true;
  }
  if (auto w = dyn_cast<vector::TransferWriteOp>(op)) {
    if (w.getMask() && !w.getPermutationMap().isMinorIdentity())
      return unknown(op, "a mask in another order than the vector"), true;
    auto memory = arrayOf(w.getBase());
    if (isa<TensorType>(w.getBase().getType()) &&
        (!memory || !isLastUse(w.getBase(), op, true))) {
      // A value of its own: what was there is still read.
      View fresh =
          temporary("v", w.getBase().getType(), shapeOf(w.getBase()), loc);
      copy(get(w.getBase()), fresh, loc);
      memory = fresh;
    }
    if (!memory)
      return unknown(op, "a write to what was not followed"), true;
    Exprs base = indices(w.getIndices());
    SmallVector<bool> inBounds = w.getInBoundsValues();
    Entity from = get(w.getVector());
    std::optional<Entity> mask;
    if (w.getMask())
      mask = get(w.getMask());
    loops(loc, shapeOfType(w.getVectorType()), [&](ArrayRef<Expr> at) {
      Place p = place(base, *memory, w.getPermutationMap(), inBounds, at);
      Cond c = p.inside;
      if (mask)
        c = c && masked(*mask, at);
      guard(loc, c, [&] { store(element(from, at, loc), *memory, p.at, loc); });
    });
    if (op->getNumResults())
      set(op->getResult(0), Entity::array(*memory));
    return true;
  }
  // Trailing dimensions, contiguous.
  auto trailing = [&](mlir::Value base, ValueRange at, VectorType type,
                      mlir::Value mask, mlir::Value pass, mlir::Value stored,
                      mlir::Value result) {
    auto memory = arrayOf(base);
    if (!memory)
      return unknown(op, "an access to what was not followed");
    Exprs start = indices(at), sizes = shapeOfType(type);
    View to;
    if (result)
      to = temporary("v", type, sizes, loc);
    Entity maskOf = mask ? get(mask) : Entity::ofCondition(Cond::always());
    loops(loc, sizes, [&](ArrayRef<Expr> i) {
      Exprs where = start;
      for (size_t k = 0; k < i.size(); ++k)
        where[where.size() - i.size() + k] += i[k];
      Cond c = masked(maskOf, i);
      guard(loc, c, [&] {
        if (result)
          store(load(*memory, where, loc), to, i, loc);
        else
          store(element(get(stored), i, loc), *memory, where, loc);
      });
      if (result && pass)
        guard(loc, !c, [&] { store(element(get(pass), i, loc), to, i, loc); });
    });
    if (result)
      set(result, Entity::array(to));
  };
  if (auto l = dyn_cast<vector::LoadOp>(op))
    return trailing(l.getBase(), l.getIndices(), l.getVectorType(), {}, {}, {},
                    l.getResult()),
           true;
  if (auto s = dyn_cast<vector::StoreOp>(op))
    return trailing(s.getBase(), s.getIndices(), s.getVectorType(), {}, {},
                    s.getValueToStore(), {}),
           true;
  if (auto l = dyn_cast<vector::MaskedLoadOp>(op))
    return trailing(l.getBase(), l.getIndices(), l.getVectorType(), l.getMask(),
                    l.getPassThru(), {}, l.getResult()),
           true;
  if (auto s = dyn_cast<vector::MaskedStoreOp>(op))
    return trailing(s.getBase(), s.getIndices(), s.getVectorType(), s.getMask(),
                    {}, s.getValueToStore(), {}),
           true;
  if (isa<vector::CreateMaskOp, vector::ConstantMaskOp>(op)) {
    Exprs sizes = shapeOfType(op->getResult(0).getType());
    std::vector<Cond> all;
    for (unsigned k = 0; k < sizes.size(); ++k) {
      Expr bound;
      if (auto m = dyn_cast<vector::ConstantMaskOp>(op))
        bound = m.getMaskDimSizes()[k];
      else
        bound = integer(op->getOperand(k));
      all.push_back(lt(coordinate(k), bound));
    }
    set(op->getResult(0), Entity::ofCondition(conjunction(all), sizes));
    return true;
  }
  if (auto s = dyn_cast<vector::StepOp>(op)) {
    set(s.getResult(),
        Entity::ofIndex(coordinate(0), shapeOfType(s.getType())));
    return true;
  }
  if (auto b = dyn_cast<vector::BroadcastOp>(op)) {
    Entity from = get(b.getSource());
    Exprs sizes = shapeOfType(b.getType());
    if (from.is(EntityKind::Data)) {
      View to = temporary("v", b.getType(), sizes, loc);
      copy(from, to, loc);
      set(b.getResult(), Entity::array(to));
      return true;
    }
    size_t lead = sizes.size() - from.sizes.size();
    Exprs at, strides(sizes.size(), Expr(0));
    for (size_t k = 0; k < from.sizes.size(); ++k) {
      bool stretched = from.sizes[k] != sizes[lead + k];
      at.push_back(stretched ? Expr(0) : coordinate(lead + k));
      if (from.is(EntityKind::Array) && !stretched)
        strides[lead + k] = from.view.strides[k];
    }
    set(b.getResult(), rearranged(from, sizes, at, strides));
    return true;
  }
  if (auto t = dyn_cast<vector::TransposeOp>(op)) {
    Entity from = get(t.getVector());
    ArrayRef<int64_t> permutation = t.getPermutation();
    Exprs at(permutation.size(), Expr(0)), strides;
    for (auto [k, p] : llvm::enumerate(permutation)) {
      at[p] = coordinate(k);
      if (from.is(EntityKind::Array))
        strides.push_back(from.view.strides[p]);
    }
    set(t.getResult(), rearranged(from, shapeOfType(t.getType()), at, strides));
    return true;
  }
  if (auto s = dyn_cast<vector::ShapeCastOp>(op)) {
    Entity from = get(s.getSource());
    Exprs sizes = shapeOfType(s.getType());
    if (from.is(EntityKind::Constant)) {
      from.sizes = sizes;
      set(s.getResult(), from);
      return true;
    }
    if (!from.is(EntityKind::Array))
      return unknown(op, "a shape_cast of integers"), true;
    View to = temporary("v", s.getType(), from.sizes, loc);
    copy(from, to, loc);
    // The copy is row-major, so the new shape is, too.
    to.sizes = sizes;
    to.strides = rowMajor(sizes);
    set(s.getResult(), Entity::array(to));
    return true;
  }
  if (auto c = dyn_cast<vector::ContractionOp>(op)) {
    Entity l = get(c.getLhs()), r = get(c.getRhs()), acc = get(c.getAcc());
    SmallVector<AffineMap> maps = c.getIndexingMapsArray();
    SmallVector<int64_t> ranges(c.getIteratorTypes().size(), 1);
    for (auto [v, map] : llvm::zip(ValueRange{c.getLhs(), c.getRhs()}, maps))
      for (auto [e, n] : llvm::zip(map.getResults(),
                                   cast<VectorType>(v.getType()).getShape()))
        ranges[cast<AffineDimExpr>(e).getPosition()] = n;
    SmallVector<unsigned> parallel, reduction;
    for (auto [k, type] : llvm::enumerate(c.getIteratorTypesArray()))
      (type == vector::IteratorType::parallel ? parallel : reduction)
          .push_back(k);
    auto result = dyn_cast<VectorType>(c.getResultType());
    std::optional<View> to;
    if (result)
      to = acc.is(EntityKind::Array) && isLastUse(c.getAcc(), op)
               ? acc.view
               : temporary("v", result, shapeOfType(result), loc);
    auto reg =
        fastArray("acc", c.getResultType(), {}, loc, Space::Private, true);
    Exprs at(ranges.size(), Expr(0));
    std::function<void(ArrayRef<unsigned>, function_ref<void()>)> nest =
        [&](ArrayRef<unsigned> dims, function_ref<void()> fn) {
          if (dims.empty())
            return fn();
          loop(loc, LoopKind::Seq, "t", ranges[dims[0]], [&](Expr i) {
            at[dims[0]] = i;
            nest(dims.drop_front(), fn);
          });
        };
    nest(parallel, [&] {
      store(element(acc, apply(maps[2], at), loc), *reg, {}, loc);
      nest(reduction, [&] {
        mlir::Value product = compute(ComputeKind::Mul,
                                      {element(l, apply(maps[0], at), loc),
                                       element(r, apply(maps[1], at), loc)},
                                      "", loc);
        store(compute(combining(c.getKind()), {load(*reg, {}, loc), product},
                      "", loc),
              *reg, {}, loc);
      });
      for (unsigned k : reduction)
        at[k] = 0;
      if (to)
        store(load(*reg, {}, loc), *to, apply(maps[2], at), loc);
    });
    set(c.getResult(),
        to ? Entity::array(*to) : Entity::ofData(load(*reg, {}, loc)));
    return true;
  }
  if (isa<vector::MultiDimReductionOp, vector::ReductionOp>(op)) {
    mlir::Value source, acc, result = op->getResult(0);
    vector::CombiningKind kind;
    SmallVector<bool> reduced;
    if (auto m = dyn_cast<vector::MultiDimReductionOp>(op)) {
      source = m.getSource();
      acc = m.getAcc();
      kind = m.getKind();
      reduced = m.getReductionMask();
    } else {
      auto one = cast<vector::ReductionOp>(op);
      source = one.getVector();
      acc = one.getAcc();
      kind = one.getKind();
      reduced = {true};
    }
    Entity from = get(source);
    Exprs sizes = shapeOfType(source.getType()), outer;
    for (auto [k, r] : llvm::enumerate(reduced))
      if (!r)
        outer.push_back(sizes[k]);
    std::optional<View> to;
    if (isa<VectorType>(result.getType()))
      to = temporary("v", result.getType(), outer, loc);
    auto reg =
        fastArray("acc", result.getType(), {}, loc, Space::Private, true);
    loops(loc, outer, [&](ArrayRef<Expr> rest) {
      if (acc) {
        store(element(get(acc), rest, loc), *reg, {}, loc);
      } else {
        ComputeKind k = combining(kind);
        store(compute(ComputeKind::Constant, {}, startOf(k), loc), *reg, {},
              loc);
      }
      Exprs inner;
      for (auto [k, r] : llvm::enumerate(reduced))
        if (r)
          inner.push_back(sizes[k]);
      loops(loc, inner, [&](ArrayRef<Expr> along) {
        Exprs at;
        size_t a = 0, b = 0;
        for (bool r : reduced)
          at.push_back(r ? along[a++] : rest[b++]);
        store(compute(combining(kind),
                      {load(*reg, {}, loc), element(from, at, loc)}, "", loc),
              *reg, {}, loc);
      });
      if (to)
        store(load(*reg, {}, loc), *to, rest, loc);
    });
    set(result, to ? Entity::array(*to) : Entity::ofData(load(*reg, {}, loc)));
    return true;
  }
  if (auto e = dyn_cast<vector::ExtractOp>(op)) {
    Entity from = get(e.getSource());
    Exprs at = integers(e.getMixedPosition());
    Exprs sizes = shapeOfType(e.getType());
    if (from.is(EntityKind::Array) && sizes.empty()) {
      set(e.getResult(), Entity::ofData(load(from.view, at, loc)));
      return true;
    }
    Exprs all = at;
    for (unsigned k = 0; k < sizes.size(); ++k)
      all.push_back(coordinate(k));
    Exprs strides;
    if (from.is(EntityKind::Array)) {
      for (unsigned k = 0; k < at.size(); ++k)
        from.view.offset += at[k] * from.view.strides[k];
      strides.assign(from.view.strides.begin() + at.size(),
                     from.view.strides.end());
    }
    set(e.getResult(), rearranged(from, sizes, all, strides));
    return true;
  }
  if (auto e = dyn_cast<vector::ExtractStridedSliceOp>(op)) {
    Entity from = get(e.getSource());
    Exprs sizes = shapeOfType(e.getType()), at, strides;
    for (unsigned k = 0; k < sizes.size(); ++k) {
      int64_t o = k < e.getOffsets().size()
                      ? cast<IntegerAttr>(e.getOffsets()[k]).getInt()
                      : 0;
      at.push_back(coordinate(k) + o);
      if (from.is(EntityKind::Array)) {
        from.view.offset += from.view.strides[k] * o;
        strides.push_back(from.view.strides[k]);
      }
    }
    set(e.getResult(), rearranged(from, sizes, at, strides));
    return true;
  }
  // What writes a part of a vector makes a new one.
  auto changed = [&](mlir::Value whole,
                     function_ref<void(const View &)> write) {
    View to = temporary("v", op->getResult(0).getType(),
                        shapeOfType(op->getResult(0).getType()), loc);
    copy(get(whole), to, loc);
    write(to);
    set(op->getResult(0), Entity::array(to));
    return true;
  };
  if (auto i = dyn_cast<vector::InsertOp>(op))
    return changed(i.getDest(), [&](const View &to) {
      Exprs at = integers(i.getMixedPosition());
      Entity value = get(i.getValueToStore());
      loops(loc, shapeOfType(i.getValueToStore().getType()),
            [&](ArrayRef<Expr> rest) {
              Exprs all = at;
              all.append(rest.begin(), rest.end());
              store(element(value, rest, loc), to, all, loc);
            });
    });
  if (auto i = dyn_cast<vector::InsertStridedSliceOp>(op))
    return changed(i.getDest(), [&](const View &to) {
      Exprs sizes = shapeOfType(i.getValueToStore().getType());
      size_t lead = to.sizes.size() - sizes.size();
      Entity value = get(i.getValueToStore());
      loops(loc, sizes, [&](ArrayRef<Expr> at) {
        Exprs all;
        for (size_t k = 0; k < to.sizes.size(); ++k) {
          Expr o = cast<IntegerAttr>(i.getOffsets()[k]).getInt();
          all.push_back(k < lead ? o : o + at[k - lead]);
        }
        store(element(value, at, loc), to, all, loc);
      });
    });
  if (auto o = dyn_cast<vector::OuterProductOp>(op)) {
    auto type = dyn_cast<VectorType>(o.getResult().getType());
    if (!type || type.getRank() != 2)
      return unknown(op, "an outer product with a scalar"), true;
    Entity l = get(o.getLhs()), r = get(o.getRhs());
    View to = temporary("v", type, shapeOfType(type), loc);
    loops(loc, shapeOfType(type), [&](ArrayRef<Expr> at) {
      mlir::Value product =
          compute(ComputeKind::Mul,
                  {element(l, at[0], loc), element(r, at[1], loc)}, "", loc);
      if (o.getAcc())
        product =
            compute(combining(o.getKind()),
                    {element(get(o.getAcc()), at, loc), product}, "", loc);
      store(product, to, at, loc);
    });
    set(o.getResult(), Entity::array(to));
    return true;
  }
  if (auto f = dyn_cast<vector::FMAOp>(op)) {
    View to = temporary("v", f.getType(), shapeOfType(f.getType()), loc);
    loops(loc, shapeOfType(f.getType()), [&](ArrayRef<Expr> at) {
      SmallVector<mlir::Value> operands;
      for (mlir::Value v : f->getOperands())
        operands.push_back(element(get(v), at, loc));
      store(compute(ComputeKind::Fma, operands, "", loc), to, at, loc);
    });
    set(f.getResult(), Entity::array(to));
    return true;
  }
  return false;
}
