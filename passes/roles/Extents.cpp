//===- Extents.cpp - How large the operands are, and who says so --------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/roles/Decider.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::roles;

/// Slowest first. Where strides cannot be compared the order is kept.
void Decider::order(std::vector<Item> &all) const {
  std::vector<Item> sorted;
  while (!all.empty()) {
    auto best = all.begin();
    for (auto it = all.begin(); it != all.end(); ++it)
      if (larger(it->e.stride, best->e.stride))
        best = it;
    sorted.push_back(*best);
    all.erase(best);
  }
  // A single row has no distance; it stands before its columns.
  auto columns = llvm::find_if(
      sorted, [](const Item &i) { return i.e.dimension == "columns"; });
  auto row = llvm::find_if(sorted, [](const Item &i) {
    return i.e.dimension == "rows" && i.e.stride.isZero();
  });
  if (row != sorted.end() && columns < row)
    std::rotate(columns, row, row + 1);
  all = std::move(sorted);
}

/// True if b is a plain size: a symbol or a constant.
static bool isPlain(const Expr &e) {
  return e.kind() == ExprKind::Symbol || e.isConst();
}

/// Rows: the stride ratio counts rows of the array; the code's own bound may
/// be a shorter current length of it (a cache with a capacity).
void Decider::decideRows(Extent &e, const Part &part,
                         const std::optional<Expr> &ratio) {
  if (ratio) {
    bool ownLength =
        part.touched && *part.touched != *ratio && !part.touched->isConst() &&
        llvm::none_of(part.touched->freeSymbols(),
                      [&](auto &s) { return ratio->dependsOn(s); });
    if (!ownLength) {
      e.size = *ratio;
      e.evidence = Evidence::Stride;
      e.text = "distance of heads over distance of rows";
      return;
    }
    e.size = *part.touched;
    e.evidence = Evidence::Guard;
    e.text = part.touchedBy + " in the kernel; the array has room for " +
             ratio->str();
    e.capacity = *ratio;
    return;
  }
  if (part.touched) {
    e.size = *part.touched;
    // A loop that stops early at a limit of its own says nothing of the array.
    bool cut = part.touched->isConst() || part.touched->kind() == ExprKind::Min;
    e.evidence = cut ? Evidence::Read : Evidence::Guard;
    e.text = part.touchedBy == "guard"   ? "rows below it are accessed"
             : part.touchedBy == "tiles" ? "number of tiles"
                                         : "bound of the loop over rows";
    if (cut)
      e.text = "what the kernel reads";
    return;
  }
  e.size = Expr(-1);
}

/// Columns: the distance of rows is a width only where something confirms that
/// rows lie without gaps; else it is a pitch.
void Decider::decideColumns(Extent &e, const Part &part,
                            const std::optional<Expr> &ratio, bool confirmed,
                            const Extent *next) {
  std::optional<Expr> touched = part.touched;
  if (ratio && confirmed) {
    e.size = *ratio;
    e.evidence = Evidence::Stride;
    e.text = next && next->dimension == "rows"
                 ? "distance of rows, and heads lie without gaps"
                 : "distance of heads in a row";
    return;
  }
  if (ratio && touched && *ratio == *touched) {
    e.size = *ratio;
    e.evidence = Evidence::Stride;
    e.text = "distance of rows, all of which is accessed";
    return;
  }
  if (touched) {
    e.size = *touched;
    e.evidence = touched->isConst() || ratio ? Evidence::Read : Evidence::Guard;
    e.text = ratio ? "what the kernel accesses; the distance of rows is a pitch"
                   : "what the kernel accesses";
    return;
  }
  e.size = Expr(-1);
}

/// Several instance dimensions: the slowest is the batch, the rest are heads.
void Decider::nameInstances(std::vector<Item> &all) const {
  std::vector<Extent *> instances;
  for (Item &item : all)
    if (item.e.dimension.empty())
      instances.push_back(&item.e);
  for (size_t i = 0; i < instances.size(); ++i)
    instances[i]->dimension =
        i == 0 && instances.size() > 1 ? "batch" : "heads";
}

std::vector<Extent> Decider::extents(const Shape &shape,
                                     const Operand &operand) {
  std::vector<Item> all;
  for (const Part &p : shape.parts) {
    Extent e;
    e.stride = p.stride;
    e.dimension = p.axis == Axis::Row      ? "rows"
                  : p.axis == Axis::Column ? "columns"
                                           : "";
    if (p.axis != Axis::Column && p.vars.empty())
      e.stride = Expr(); // no distance is visible
    all.push_back({std::move(e), &p});
  }
  order(all);
  nameInstances(all);
  BufferOp buffer = operand.buffer;
  bool packed = llvm::count_if(result.operands, [&](const Operand &o) {
                  return o.buffer == operand.buffer;
                }) > 1;
  for (size_t i = 0; i < all.size(); ++i) {
    Extent &e = all[i].e;
    const Part &part = *all[i].part;
    if (e.dimension == "rows" && part.vars.empty()) {
      // Nothing fits between the columns of two heads: one row is all there is.
      const Part *columns = nullptr;
      for (const Item &item : all)
        if (item.e.dimension == "columns")
          columns = item.part;
      bool adjacent =
          columns && columns->touched &&
          llvm::any_of(all, [&](const Item &item) {
            return item.part->axis == Axis::Instance &&
                   item.e.stride == *columns->touched * columns->stride;
          });
      e.size = Expr(1);
      e.evidence = adjacent ? Evidence::Stride : Evidence::Read;
      e.text =
          adjacent ? "heads lie next to each other" : "one row is addressed";
      continue;
    }
    // The next slower dimension whose distance is visible.
    const Extent *next = nullptr;
    for (size_t j = i; j-- > 0 && !next;)
      if (!all[j].e.stride.isZero())
        next = &all[j].e;
    std::optional<Expr> ratio;
    if (next && !e.stride.isZero() && larger(next->stride, e.stride))
      ratio = divideExactly(next->stride, e.stride);
    // The array's size bounds its slowest dimension.
    std::optional<Expr> allocated;
    if (!next && !e.stride.isZero() && buffer.getWords() && !packed)
      allocated = divideExactly(*buffer.getWords(), e.stride);
    if (e.dimension == "columns") {
      // Heads lie within a row only where their distance is the smaller one.
      bool confirmed = ratio && !packed && next->dimension != "rows" &&
                       llvm::all_of(all, [&](const Item &item) {
                         return item.e.dimension != "rows" ||
                                item.e.stride.isZero() ||
                                larger(item.e.stride, next->stride);
                       });
      if (ratio && !packed && next->dimension == "rows")
        for (const auto &[outer, p] : all)
          confirmed |= outer.dimension != "rows" &&
                       outer.dimension != "columns" &&
                       divideExactly(outer.stride, next->stride) &&
                       !divideExactly(next->stride, outer.stride);
      // An array of known size with known rows has known columns.
      if (ratio && !packed && next->dimension == "rows" &&
          next->evidence == Evidence::Allocation)
        confirmed = true;
      if (packed)
        ratio.reset();
      decideColumns(e, part, ratio, confirmed, next);
    } else if (e.dimension == "rows") {
      decideRows(e, part, ratio);
    } else if (part.touched) {
      e.size = *part.touched;
      e.evidence = ratio && *ratio == *part.touched ? Evidence::Stride
                                                    : Evidence::Launch;
      e.text = ratio && *ratio == *part.touched
                   ? "distance of the next dimension"
                   : "extent of the loop or grid";
      // Where heads are found by a division, their stride knows the number.
      if (ratio && *ratio != *part.touched && !packed &&
          part.touched->kind() != ExprKind::Symbol && isPlain(*ratio)) {
        e.size = *ratio;
        e.evidence = Evidence::Stride;
        e.text = "distance of the next dimension";
      }
    } else {
      e.size = Expr(-1);
    }
    if (allocated && e.size != Expr(-1) && !part.vars.empty()) {
      e.size = *allocated;
      e.evidence = Evidence::Allocation;
      e.text = buffer.getEvidence().value_or("its size").str();
    }
  }
  std::vector<Extent> out;
  for (Item &item : all)
    out.push_back(std::move(item.e));
  return out;
}

/// V that is columns of K's rows (a shared latent) is no operand of its own:
/// its words are K's.
void Decider::dropAlias() {
  Operand *k = nullptr, *v = nullptr;
  for (Operand &o : result.operands) {
    if (o.role == Role::K)
      k = &o;
    if (o.role == Role::V)
      v = &o;
  }
  if (!k || !v || k->buffer != v->buffer)
    return;
  bool sameLoads = llvm::all_of(v->accesses, [&](Operation *op) {
    return llvm::is_contained(k->accesses, op);
  });
  auto rowStride = [](const Shape &s) {
    for (const Part &p : s.parts)
      if (p.axis == Axis::Row)
        return p.stride;
    return Expr();
  };
  bool sameWords = shapes.k.complete && shapes.v.complete &&
                   shapes.k.base == shapes.v.base &&
                   rowStride(shapes.k) == rowStride(shapes.v);
  if (!sameLoads && !sameWords)
    return;
  for (Operation *op : v->accesses)
    if (!llvm::is_contained(k->accesses, op))
      k->accesses.push_back(op);
  result.aliased = true;
  result.operands.erase(result.operands.begin() + (v - result.operands.data()));
}

void Decider::run() {
  dropAlias();
  for (Operand &o : result.operands) {
    const Shape *shape = nullptr;
    switch (o.role) {
    case Role::Q:
      shape = &shapes.q;
      break;
    case Role::K:
      shape = &shapes.k;
      break;
    case Role::V:
      shape = &shapes.v;
      break;
    case Role::O:
      shape = &shapes.o;
      break;
    default:
      continue;
    }
    if (!shape->complete) {
      o.problem = shape->problem;
      continue;
    }
    unsigned sameRole = llvm::count_if(
        result.operands, [&](const Operand &p) { return p.role == o.role; });
    if (sameRole > 1) {
      o.problem = "several buffers hold this operand";
      continue;
    }
    o.extents = extents(*shape, o);
    for (Extent &e : o.extents)
      if (e.size == Expr(-1))
        o.problem = "the number of " + e.dimension + " is not bounded";
    if (!o.problem.empty())
      o.extents.clear();
  }
  for (Operand &o : result.operands)
    if (o.buffer.getAnnotated() && o.buffer.getExtents()) {
      // The annotation gives the last dimensions; the others stay.
      ArrayRef<Attribute> said = o.buffer.getExtents()->getValue();
      std::vector<Extent *> rowsAndColumns;
      for (StringRef d : {"rows", "columns"}) {
        Extent *e = find(&o, d);
        if (!e) {
          Extent missing;
          missing.dimension = d.str();
          o.extents.push_back(missing);
          e = &o.extents.back();
        }
        (void)e;
      }
      size_t n = std::min<size_t>(2, said.size());
      for (size_t i = 0; i < n; ++i) {
        Extent *e = find(&o, i + 1 == n ? "columns" : "rows");
        e->size = cast<ExprAttr>(said[said.size() - n + i]).getValue();
        e->evidence = Evidence::Annotation;
        e->text = "IOFLOR_EXTENT";
      }
      o.problem.clear();
    }
  // A batch is a dimension of K, too; what K does not have is more heads.
  if (Operand *k = operand(Role::K); k && !find(k, "batch"))
    for (Operand &o : result.operands)
      for (Extent &e : o.extents)
        if (e.dimension == "batch")
          e.dimension = "heads";
  applyScale();
  reconcile();
  refuse();
  fill();
}

void Decider::fill() {
  Dims &d = result.dims;
  auto size = [&](Role r, StringRef dimension) -> std::optional<Expr> {
    if (Extent *e = find(operand(r), dimension))
      return e->size;
    return std::nullopt;
  };
  auto either = [&](Role a, Role b, StringRef dimension) {
    std::optional<Expr> x = size(a, dimension);
    return x ? x : size(b, dimension);
  };
  d.nq = either(Role::Q, Role::O, "rows");
  d.nk = either(Role::K, Role::V, "rows");
  d.d = either(Role::Q, Role::K, "columns");
  d.dv = either(Role::V, Role::O, "columns");
  auto product = [&](Role r, StringRef dimension) -> std::optional<Expr> {
    Operand *o = operand(r);
    if (!o)
      return std::nullopt;
    Expr p(1);
    for (const Extent &e : o->extents)
      if (e.dimension == dimension)
        p *= e.size;
    return p;
  };
  auto first = [](std::optional<Expr> a, std::optional<Expr> b) {
    return a ? a : b;
  };
  d.batch = first(product(Role::Q, "batch"), product(Role::O, "batch"));
  d.heads = first(product(Role::Q, "heads"), product(Role::O, "heads"));
  d.kvHeads = first(product(Role::K, "heads"), product(Role::V, "heads"));
}

void ioflor::roles::decideExtents(const Program &program, const Shapes &shapes,
                                  Result &result) {
  Decider(program, shapes, result).run();
}
