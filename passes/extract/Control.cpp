//===- Control.cpp - Loops and branches of scf and affine -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IntegerSet.h"
#include "passes/extract/Extractor.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::extract;

static bool isIntegerLike(Type t) {
  return getElementTypeOrSelf(t).isIntOrIndex();
}

std::optional<Expr> Extractor::growth(mlir::Value v, mlir::Value arg,
                                      Operation *loop, int dimension,
                                      unsigned depth) {
  if (v == arg)
    return Expr(0);
  Operation *op = v.getDefiningOp();
  if (!op || depth > 32 || !loop->isProperAncestor(op))
    return std::nullopt;
  // What is added must be the same in every iteration: defined outside, or
  // made of constants only.
  std::function<std::optional<Expr>(mlir::Value, unsigned)> fixed =
      [&](mlir::Value x, unsigned level) -> std::optional<Expr> {
    Operation *d = x.getDefiningOp();
    bool outside = d ? !loop->isProperAncestor(d)
                     : !loop->isAncestor(x.getParentBlock()->getParentOp());
    if (outside) {
      const Entity &e = get(x);
      return e.is(EntityKind::Index) ? std::optional<Expr>(e.index)
                                     : std::nullopt;
    }
    if (!d || level > 16)
      return std::nullopt;
    if (auto c = dyn_cast<arith::ConstantOp>(d)) {
      mlir::Attribute a = c.getValue();
      if (auto dense = dyn_cast<DenseElementsAttr>(a); dense && dense.isSplat())
        a = dense.getSplatValue<mlir::Attribute>();
      if (auto i = dyn_cast<IntegerAttr>(a))
        return Expr(i.getValue().getSExtValue());
      return std::nullopt;
    }
    StringRef name = d->getName().stripDialect();
    if (d->getNumOperands() == 1 &&
        (name.starts_with("index_cast") || name.starts_with("ext") ||
         name == "splat" || name == "broadcast" || name == "trunci"))
      return fixed(d->getOperand(0), level + 1);
    if (d->getNumOperands() == 2) {
      auto a = fixed(d->getOperand(0), level + 1);
      auto b = fixed(d->getOperand(1), level + 1);
      if (a && b) {
        if (name == "addi")
          return *a + *b;
        if (name == "subi")
          return *a - *b;
        if (name == "muli")
          return *a * *b;
      }
    }
    return std::nullopt;
  };
  StringRef name = op->getName().getStringRef();
  if (name == "tt.advance" && dimension >= 0) {
    auto g = growth(op->getOperand(0), arg, loop, dimension, depth + 1);
    auto c = fixed(op->getOperand(1 + dimension), 0);
    if (g && c)
      return *g + *c;
    return std::nullopt;
  }
  if (dimension >= 0)
    return std::nullopt;
  if (name == "arith.addi" || name == "tt.addptr" || name == "index.add") {
    for (unsigned k : {0u, 1u})
      if (auto g = growth(op->getOperand(k), arg, loop, -1, depth + 1))
        if (auto c = fixed(op->getOperand(1 - k), 0))
          return *g + *c;
    return std::nullopt;
  }
  if (name == "arith.subi" || name == "index.sub") {
    if (auto g = growth(op->getOperand(0), arg, loop, -1, depth + 1))
      if (auto c = fixed(op->getOperand(1), 0))
        return *g - *c;
    return std::nullopt;
  }
  if (name.starts_with("arith.index_cast") || name.starts_with("arith.ext"))
    return growth(op->getOperand(0), arg, loop, -1, depth + 1);
  if (auto map = dyn_cast<affine::AffineApplyOp>(op)) {
    // arg + constants, by evaluating at two values of arg.
    Exprs at0, at1;
    Expr probe = Expr::symbol("growth__");
    Exprs operands;
    for (mlir::Value o : map.getMapOperands()) {
      if (o == arg)
        operands.push_back(probe);
      else if (auto c = fixed(o, 0))
        operands.push_back(*c);
      else
        return std::nullopt;
    }
    Expr e = apply(map.getAffineMap(), operands)[0] - probe;
    if (e.dependsOn("growth__"))
      return std::nullopt;
    return e;
  }
  return std::nullopt;
}

void Extractor::keepOperands(Operation *loop) {
  loop->walk([&](Operation *inner) {
    for (mlir::Value v : inner->getOperands()) {
      auto it = values.find(v);
      if (it != values.end() && it->second.is(EntityKind::Array) &&
          !loop->isAncestor(v.getParentBlock()->getParentOp()))
        keep(it->second.view);
    }
  });
}

void Extractor::forLoop(Operation *op, mlir::Value iv, const Expr &lo,
                        const Expr &hi, const Expr &step, ValueRange inits,
                        ValueRange args, ValueRange yielded, Block &body) {
  Location loc = op->getLoc();
  Expr trips = ceildiv(hi - lo, step);
  // Words that an iteration leaves to the next are memory.
  struct Carried {
    mlir::Value arg, next, result;
    std::optional<View> home;
    std::optional<Expr> grows;
    Entity init;
    Exprs moves;          // a block pointer: what each of its offsets grows by
    bool lastUse = false; // nothing else reads what it starts from
    bool exchanged = false; // a memref that is not always the same
  };
  std::vector<Carried> carried;
  for (unsigned k = 0; k < inits.size(); ++k) {
    Carried c{
        args[k],       yielded[k], op->getResult(k), std::nullopt, std::nullopt,
        get(inits[k]), {}};
    Type type = args[k].getType();
    bool followed = c.init.is(EntityKind::Index) ||
                    c.init.is(EntityKind::Pointer) ||
                    c.init.is(EntityKind::Condition);
    if (followed) {
      if (c.init.offsets.empty()) {
        c.grows = growth(c.next, c.arg, op);
      } else {
        c.grows = Expr(0);
        for (int d = 0; d < int(c.init.offsets.size()) && c.grows; ++d) {
          auto g = growth(c.next, c.arg, op, d);
          if (g)
            c.moves.push_back(*g);
          else
            c.grows.reset();
        }
      }
    } else if (isa<BaseMemRefType>(type)) {
      // A name of memory, which may be exchanged for another. Asked here: in
      // the body, the loop's own argument is a further name of it.
      if (c.init.is(EntityKind::Array)) {
        c.home = c.init.view;
        c.lastUse = isLastUse(inits[k], op);
      }
    } else if (c.init.is(EntityKind::Array) && isLastUse(inits[k], op, true)) {
      // A destination: updated where it is.
      c.home = c.init.view;
    } else if (!c.init.is(EntityKind::Unknown) || !isIntegerLike(type)) {
      bool shaped = isa<ShapedType>(type);
      Exprs sizes =
          shaped ? (c.init.sizes.empty() ? shapeOf(inits[k]) : c.init.sizes)
                 : Exprs();
      c.home = shaped
                   ? std::optional<View>(temporary("carried", type, sizes, loc))
                   : fastArray("r", type, {}, loc, Space::Private, true);
      copy(c.init, *c.home, loc);
    }
    if (c.home)
      keep(*c.home);
    carried.push_back(std::move(c));
  }
  keepOperands(op);
  Expr after = max(simplified(trips), 0);
  auto advanced = [&](const Carried &c, const Expr &t) {
    Entity e = c.init;
    e.index = simplified(e.index + *c.grows * t);
    for (size_t d = 0; d < c.moves.size(); ++d)
      e.offsets[d] = simplified(e.offsets[d] + c.moves[d] * t);
    return e;
  };
  loop(loc, LoopKind::Seq, "t", trips, [&](Expr t) {
    if (iv)
      set(iv, Entity::ofIndex(simplified(lo + step * t)));
    for (Carried &c : carried) {
      if (c.grows)
        set(c.arg, advanced(c, t));
      else if (c.home)
        set(c.arg, isa<ShapedType>(c.arg.getType())
                       ? Entity::array(*c.home)
                       : Entity::ofData(load(*c.home, {}, loc)));
      else
        set(c.arg, c.init.is(EntityKind::Condition) ||
                           isa<BaseMemRefType>(c.arg.getType())
                       ? Entity::unknown("a value that a loop carries")
                       : Entity::ofIndex(dataSymbol("a value that a loop "
                                                    "carries",
                                                    loc),
                                         c.init.sizes));
    }
    visit(body);
    // All next values before any is written: they may be swapped.
    std::vector<std::pair<Entity, View>> late;
    for (Carried &c : carried) {
      if (!c.home || c.grows)
        continue;
      Entity next = get(c.next);
      bool same =
          next.is(EntityKind::Array) && next.view.buffer == c.home->buffer;
      if (same && next.view.offset == c.home->offset &&
          next.view.strides == c.home->strides)
        continue;
      if (isa<BaseMemRefType>(c.arg.getType())) {
        // Other memory under this name in the next iteration. To copy says the
        // same only of fast memory that no other name reaches.
        Operation *yield = body.getTerminator();
        if (same || !next.is(EntityKind::Array) || next.view.slow ||
            c.home->slow || !c.lastUse || !isLastUse(c.next, yield)) {
          unknown(op, "memory that a loop exchanges for other memory");
          c.exchanged = true;
          continue;
        }
      }
      bool swapped = llvm::any_of(carried, [&](const Carried &other) {
        return &other != &c && other.home && next.is(EntityKind::Array) &&
               next.view.buffer == other.home->buffer;
      });
      if (swapped || same) {
        View between =
            temporary("carried", c.arg.getType(), c.home->sizes, loc);
        copy(next, between, loc);
        next = Entity::array(between);
      }
      late.push_back({next, *c.home});
    }
    for (auto &[next, home] : late)
      copy(next, home, loc);
  });
  for (Carried &c : carried) {
    if (c.grows)
      set(c.result, advanced(c, after));
    else if (c.home && !c.exchanged)
      set(c.result, isa<ShapedType>(c.result.getType())
                        ? Entity::array(*c.home)
                        : Entity::ofData(load(*c.home, {}, loc)));
    else
      set(c.result, Entity::unknown("a value that a loop carries"));
  }
}

void Extractor::parallelLoops(Operation *op, ValueRange ivs, ArrayRef<Expr> lo,
                              ArrayRef<Expr> hi, ArrayRef<Expr> step,
                              Block &body) {
  // Outermost in its stage: its iterations are CTAs.
  bool grid = depthOfLoops == 0;
  std::function<void(unsigned)> nest = [&](unsigned k) {
    if (k == ivs.size())
      return visit(body);
    loop(op->getLoc(), grid ? LoopKind::Grid : LoopKind::Seq,
         grid ? "p" + std::to_string(k) : std::string("t"),
         ceildiv(hi[k] - lo[k], step[k]), [&](Expr t) {
           set(ivs[k], Entity::ofIndex(simplified(lo[k] + step[k] * t)));
           nest(k + 1);
         });
  };
  nest(0);
}

bool Extractor::visitControl(Operation *op) {
  Location loc = op->getLoc();
  if (auto l = dyn_cast<scf::ForOp>(op)) {
    forLoop(op, l.getInductionVar(), integer(l.getLowerBound()),
            integer(l.getUpperBound()), integer(l.getStep()), l.getInitArgs(),
            l.getRegionIterArgs(), l.getYieldedValues(), *l.getBody());
    return true;
  }
  if (auto l = dyn_cast<affine::AffineForOp>(op)) {
    Exprs lower, upper;
    for (mlir::Value v : l.getLowerBoundOperands())
      lower.push_back(integer(v));
    for (mlir::Value v : l.getUpperBoundOperands())
      upper.push_back(integer(v));
    forLoop(op, l.getInductionVar(), max(apply(l.getLowerBoundMap(), lower)),
            min(apply(l.getUpperBoundMap(), upper)), l.getStepAsInt(),
            l.getInits(), l.getRegionIterArgs(), l.getYieldedValues(),
            *l.getBody());
    return true;
  }
  if (auto l = dyn_cast<scf::ForallOp>(op)) {
    std::vector<View> shared;
    for (auto [arg, out] : llvm::zip(l.getRegionIterArgs(), l.getOutputs())) {
      Entity e = get(out);
      if (e.is(EntityKind::Array) && isLastUse(out, op, true)) {
        shared.push_back(e.view);
      } else {
        // Shared by all iterations, so slow where they are CTAs.
        shared.push_back(
            depthOfLoops
                ? temporary("shared", out.getType(), shapeOf(out), loc)
                : slowArray("shared", out.getType(), shapeOf(out), loc));
        if (!e.is(EntityKind::Constant) || e.text != "undefined")
          copy(e, shared.back(), loc);
      }
      set(arg, Entity::array(shared.back()));
    }
    parallelLoops(op, l.getInductionVars(), integers(l.getMixedLowerBound()),
                  integers(l.getMixedUpperBound()), integers(l.getMixedStep()),
                  *l.getBody());
    for (auto [result, view] : llvm::zip(l.getResults(), shared))
      set(result, Entity::array(view));
    return true;
  }
  if (auto l = dyn_cast<scf::ParallelOp>(op)) {
    if (l.getNumReductions()) {
      unknown(op, "a reduction over parallel iterations");
      return true;
    }
    Exprs lo, hi, step;
    for (auto [a, b, c] :
         llvm::zip(l.getLowerBound(), l.getUpperBound(), l.getStep())) {
      lo.push_back(integer(a));
      hi.push_back(integer(b));
      step.push_back(integer(c));
    }
    parallelLoops(op, l.getInductionVars(), lo, hi, step, *l.getBody());
    return true;
  }
  if (auto l = dyn_cast<affine::AffineParallelOp>(op)) {
    if (l.getNumResults()) {
      unknown(op, "a reduction over parallel iterations");
      return true;
    }
    Exprs lower, upper, lo, hi, step;
    for (mlir::Value v : l.getLowerBoundsOperands())
      lower.push_back(integer(v));
    for (mlir::Value v : l.getUpperBoundsOperands())
      upper.push_back(integer(v));
    for (unsigned k = 0; k < l.getNumDims(); ++k) {
      lo.push_back(max(apply(l.getLowerBoundMap(k), lower)));
      hi.push_back(min(apply(l.getUpperBoundMap(k), upper)));
      step.push_back(l.getSteps()[k]);
    }
    parallelLoops(op, l.getIVs(), lo, hi, step, *l.getBody());
    return true;
  }
  if (isa<scf::IfOp, affine::AffineIfOp>(op)) {
    Cond c;
    if (auto i = dyn_cast<scf::IfOp>(op)) {
      c = condition(i.getCondition());
    } else {
      auto affineIf = cast<affine::AffineIfOp>(op);
      IntegerSet set = affineIf.getIntegerSet();
      Exprs operands;
      for (mlir::Value v : op->getOperands())
        operands.push_back(integer(v));
      ArrayRef<Expr> all = operands;
      std::vector<Cond> parts;
      for (unsigned k = 0; k < set.getNumConstraints(); ++k) {
        Expr e = apply(set.getConstraint(k), all.take_front(set.getNumDims()),
                       all.drop_front(set.getNumDims()));
        parts.push_back(set.isEq(k) ? Cond::zero(e) : Cond::nonNegative(e));
      }
      c = conjunction(parts);
    }
    // Results: a home that both branches write.
    SmallVector<std::optional<View>> homes;
    for (mlir::Value r : op->getResults()) {
      if (isIntegerLike(r.getType()) || isa<BaseMemRefType>(r.getType())) {
        homes.push_back(std::nullopt);
        continue;
      }
      if (isa<ShapedType>(r.getType())) {
        Exprs sizes;
        for (Region &region : op->getRegions())
          if (sizes.empty() && !region.empty())
            sizes = shapeOf(r);
        homes.push_back(temporary("chosen", r.getType(), sizes, loc));
      } else {
        homes.push_back(
            fastArray("r", r.getType(), {}, loc, Space::Private, true));
      }
    }
    std::vector<std::vector<Entity>> gave(2);
    for (unsigned branch = 0; branch < op->getNumRegions(); ++branch) {
      Region &region = op->getRegion(branch);
      if (region.empty())
        continue;
      guard(loc, branch ? !c : c, [&] {
        visit(region.front());
        for (auto [k, v] :
             llvm::enumerate(region.front().getTerminator()->getOperands())) {
          gave[branch].push_back(get(v));
          if (homes[k])
            copy(get(v), *homes[k], loc);
        }
      });
    }
    for (auto [k, r] : llvm::enumerate(op->getResults())) {
      if (homes[k]) {
        set(r, isa<ShapedType>(r.getType())
                   ? Entity::array(*homes[k])
                   : Entity::ofData(load(*homes[k], {}, loc)));
        continue;
      }
      bool both = gave[0].size() > k && gave[1].size() > k;
      if (simplify(c, known).isAlways() && gave[0].size() > k)
        set(r, gave[0][k]);
      else if (both && gave[0][k].is(EntityKind::Index) &&
               gave[1][k].is(EntityKind::Index) &&
               gave[0][k].index == gave[1][k].index)
        set(r, gave[0][k]);
      else if (both && gave[0][k].is(EntityKind::Array) &&
               gave[1][k].is(EntityKind::Array) &&
               gave[0][k].view.buffer == gave[1][k].view.buffer &&
               gave[0][k].view.offset == gave[1][k].view.offset &&
               gave[0][k].view.strides == gave[1][k].view.strides)
        set(r, gave[0][k]);
      else
        set(r, Entity::unknown("a value that a branch decides"));
    }
    return true;
  }
  return false;
}
