//===- Integers.cpp - Integers, conditions and affine maps -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "passes/extract/Extractor.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::extract;

const Entity &Extractor::get(mlir::Value v) {
  auto it = values.find(v);
  if (it != values.end())
    return it->second;
  return values.try_emplace(v, Entity::unknown("a value that was not read"))
      .first->second;
}

Expr Extractor::integer(mlir::Value v) {
  Entity e = get(v);
  if (e.is(EntityKind::Index))
    return e.index;
  if (e.is(EntityKind::Constant))
    if (auto parsed = parseExpr(e.text); parsed && parsed->isConst())
      return *parsed;
  Expr s =
      dataSymbol(e.text.empty() ? "an integer in memory" : e.text, v.getLoc());
  set(v, Entity::ofIndex(s, e.sizes));
  return s;
}

Expr Extractor::integer(OpFoldResult v) {
  if (auto attr = dyn_cast<mlir::Attribute>(v))
    return cast<IntegerAttr>(attr).getInt();
  return integer(cast<mlir::Value>(v));
}

Exprs Extractor::integers(ArrayRef<OpFoldResult> vs) {
  Exprs out;
  for (OpFoldResult v : vs)
    out.push_back(integer(v));
  return out;
}

Cond Extractor::condition(mlir::Value v) {
  const Entity &e = get(v);
  if (e.is(EntityKind::Condition))
    return e.condition;
  if (e.is(EntityKind::Index))
    return ne(e.index, 0);
  Cond c = Cond::unknown(e.text.empty() ? "a condition in memory" : e.text,
                         "u" + std::to_string(++nextUnknown));
  set(v, Entity::ofCondition(c));
  return c;
}

Expr Extractor::apply(AffineExpr e, ArrayRef<Expr> dims,
                      ArrayRef<Expr> symbols) {
  if (auto dim = dyn_cast<AffineDimExpr>(e))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(e))
    return symbols[symbol.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(e))
    return constant.getValue();
  auto binary = cast<AffineBinaryOpExpr>(e);
  Expr l = apply(binary.getLHS(), dims, symbols);
  Expr r = apply(binary.getRHS(), dims, symbols);
  switch (e.getKind()) {
  case AffineExprKind::Add:
    return l + r;
  case AffineExprKind::Mul:
    return l * r;
  case AffineExprKind::Mod:
    return mod(l, r);
  case AffineExprKind::FloorDiv:
    return floordiv(l, r);
  default:
    return ceildiv(l, r);
  }
}

Exprs Extractor::apply(AffineMap map, ArrayRef<Expr> operands) {
  Exprs out;
  for (AffineExpr e : map.getResults())
    out.push_back(apply(e, operands.take_front(map.getNumDims()),
                        operands.drop_front(map.getNumDims())));
  return out;
}

/// a < b (or a <= b) of the same bits without a sign, where a negative number
/// is the largest.
static Cond below(const Expr &a, const Expr &b, bool orEqual,
                  const Assumptions &known) {
  Cond less = orEqual ? le(a, b) : lt(a, b);
  bool aIs = known.isNonNegative(a), bIs = known.isNonNegative(b);
  if (aIs && bIs)
    return less;
  if (bIs)
    return le(0, a) && less;
  if (aIs)
    return lt(b, 0) || less;
  return (le(0, a) && lt(b, 0)) || (less && (le(0, a) || lt(b, 0)));
}

static std::optional<Cond> compare(arith::CmpIPredicate p, const Expr &a,
                                   const Expr &b, const Assumptions &known) {
  switch (p) {
  case arith::CmpIPredicate::eq:
    return eq(a, b);
  case arith::CmpIPredicate::ne:
    return ne(a, b);
  // Indices are taken not to wrap.
  case arith::CmpIPredicate::slt:
    return lt(a, b);
  case arith::CmpIPredicate::sle:
    return le(a, b);
  case arith::CmpIPredicate::sgt:
    return lt(b, a);
  case arith::CmpIPredicate::sge:
    return le(b, a);
  case arith::CmpIPredicate::ult:
    return below(a, b, false, known);
  case arith::CmpIPredicate::ule:
    return below(a, b, true, known);
  case arith::CmpIPredicate::ugt:
    return below(b, a, false, known);
  case arith::CmpIPredicate::uge:
    return below(b, a, true, known);
  }
  return std::nullopt;
}

/// min and max written as a select.
static std::optional<Expr> selected(const Cond &c, const Expr &a,
                                    const Expr &b) {
  if (c.isAlways())
    return a;
  if (c.isNever())
    return b;
  if (a == b)
    return a;
  if (c == lt(a, b) || c == le(a, b))
    return min(a, b);
  if (c == lt(b, a) || c == le(b, a))
    return max(a, b);
  return std::nullopt;
}

static bool isInteger(Type type) {
  return getElementTypeOrSelf(type).isIntOrIndex();
}

bool Extractor::visitInteger(Operation *op) {
  if (op->getNumResults() != 1)
    return false;
  mlir::Value result = op->getResult(0);

  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    Exprs sizes = isa<ShapedType>(result.getType()) ? shapeOf(result) : Exprs();
    mlir::Attribute value = constant.getValue();
    if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
      if (!dense.isSplat()) {
        set(result, isInteger(result.getType())
                        ? Entity::unknown("a table of constants")
                        : Entity::constant("table", sizes));
        return true;
      }
      value = dense.getSplatValue<mlir::Attribute>();
    }
    if (auto i = dyn_cast<IntegerAttr>(value)) {
      if (getElementTypeOrSelf(result.getType()).isInteger(1))
        set(result,
            Entity::ofCondition(
                i.getValue().isZero() ? Cond::never() : Cond::always(), sizes));
      else
        set(result, Entity::ofIndex(i.getValue().getSExtValue(), sizes));
    } else if (auto f = dyn_cast<FloatAttr>(value)) {
      SmallString<16> text;
      f.getValue().toString(text);
      set(result,
          Entity::constant(f.getValue().isInfinity()
                               ? (f.getValue().isNegative() ? "-Inf" : "Inf")
                               : StringRef(text),
                           sizes));
    } else {
      set(result, Entity::unknown("a constant"));
    }
    return true;
  }
  if (auto constant = dyn_cast<index::ConstantOp>(op)) {
    set(result, Entity::ofIndex(constant.getValue().getSExtValue()));
    return true;
  }
  if (auto map = dyn_cast<affine::AffineApplyOp>(op)) {
    Exprs operands;
    for (mlir::Value v : map.getMapOperands())
      operands.push_back(integer(v));
    set(result, Entity::ofIndex(apply(map.getAffineMap(), operands)[0]));
    return true;
  }
  if (isa<affine::AffineMinOp, affine::AffineMaxOp>(op)) {
    Exprs operands;
    for (mlir::Value v : op->getOperands())
      operands.push_back(integer(v));
    auto minimum = dyn_cast<affine::AffineMinOp>(op);
    Exprs all = apply(minimum ? minimum.getMap()
                              : cast<affine::AffineMaxOp>(op).getMap(),
                      operands);
    set(result, Entity::ofIndex(simplified(minimum ? min(all) : max(all))));
    return true;
  }
  if (!isInteger(result.getType()) ||
      !isa_and_nonnull<arith::ArithDialect, index::IndexDialect>(
          op->getDialect()))
    return false;

  // Shaped integers are functions of their coordinates, so that the same
  // arithmetic serves them. An array in memory is data.
  Exprs sizes;
  for (mlir::Value v : op->getOperands()) {
    const Entity &e = get(v);
    if (e.is(EntityKind::Array) || e.is(EntityKind::Data))
      return false;
    if (!e.sizes.empty())
      sizes = e.sizes;
  }
  auto number = [&](unsigned k) { return integer(op->getOperand(k)); };
  auto give = [&](const Expr &e) {
    set(result, Entity::ofIndex(simplified(e), sizes));
    return true;
  };
  auto truth = [&](const Cond &c) {
    set(result, Entity::ofCondition(simplify(c, known), sizes));
    return true;
  };
  bool isBool = getElementTypeOrSelf(result.getType()).isInteger(1);
  StringRef name = op->getName().stripDialect();

  if (auto cmp = dyn_cast<arith::CmpIOp>(op))
    return truth(*compare(cmp.getPredicate(), number(0), number(1), known));
  if (auto cmp = dyn_cast<index::CmpOp>(op)) {
    auto p = arith::symbolizeCmpIPredicate(
        index::stringifyIndexCmpPredicate(cmp.getPred()));
    return p ? truth(*compare(*p, number(0), number(1), known)) : false;
  }
  if (name == "select") {
    Cond c = condition(op->getOperand(0));
    if (isBool) {
      Cond a = condition(op->getOperand(1)), b = condition(op->getOperand(2));
      return truth((c && a) || (!c && b));
    }
    Expr a = number(1), b = number(2);
    if (auto e = selected(simplify(c, known), a, b))
      return give(*e);
    set(result,
        Entity::ofIndex(
            dataSymbol("a select that is no min or max", op->getLoc()), sizes));
    return true;
  }
  if (isBool) {
    if (name == "andi")
      return truth(condition(op->getOperand(0)) &&
                   condition(op->getOperand(1)));
    if (name == "ori")
      return truth(condition(op->getOperand(0)) ||
                   condition(op->getOperand(1)));
    if (name == "xori") {
      Cond a = condition(op->getOperand(0)), b = condition(op->getOperand(1));
      return truth((a && !b) || (!a && b));
    }
    return truth(Cond::unknown(("arith." + name).str(),
                               "u" + std::to_string(++nextUnknown)));
  }
  if (name == "addi" || name == "add")
    return give(number(0) + number(1));
  if (name == "subi" || name == "sub")
    return give(number(0) - number(1));
  if (name == "muli" || name == "mul")
    return give(number(0) * number(1));
  // Of numbers without a sign a negative one is the largest, so these are read
  // only where both are known not to be negative.
  auto unsignedPair = [&] {
    return known.isNonNegative(number(0)) && known.isNonNegative(number(1));
  };
  if (name == "minsi" || name == "mins" ||
      ((name == "minui" || name == "minu") && unsignedPair()))
    return give(min(number(0), number(1)));
  if (name == "maxsi" || name == "maxs" ||
      ((name == "maxui" || name == "maxu") && unsignedPair()))
    return give(max(number(0), number(1)));
  if (name == "trunci" &&
      getElementTypeOrSelf(result.getType()).getIntOrFloatBitWidth() < 32) {
    // A cut, not a cast of an index: its value only where it fits.
    unsigned width =
        getElementTypeOrSelf(result.getType()).getIntOrFloatBitWidth();
    if (get(op->getOperand(0)).is(EntityKind::Condition))
      return false;
    Expr n = number(0), half = Expr(int64_t(1) << (width - 1));
    if (known.isNonNegative(n + half) && known.isPositive(half - n))
      return give(n);
    set(result,
        Entity::ofIndex(
            dataSymbol("an integer cut to fewer bits", op->getLoc()), sizes));
    return true;
  }
  // Casts keep the value; that no index wraps is an assumption of the tool.
  bool isUnsigned =
      name == "extui" || name == "index_castui" || name == "castu";
  if (name == "index_cast" || name == "extsi" || name == "trunci" ||
      name == "casts" || isUnsigned) {
    const Entity &e = get(op->getOperand(0));
    if (e.is(EntityKind::Condition))
      return false;
    Expr n = number(0);
    if (!isUnsigned || known.isNonNegative(n))
      return give(n);
  }
  if (op->getNumOperands() == 2) {
    Expr a = number(0), b = number(1);
    if (name.starts_with("shl"))
      if (auto k = b.constant64(); k && *k >= 0 && *k < 63)
        return give(a * Expr(int64_t(1) << *k));
    if (name.starts_with("shrs") ||
        (name.starts_with("shr") && known.isNonNegative(a)))
      if (auto k = b.constant64(); k && *k >= 0 && *k < 63)
        return give(floordiv(a, int64_t(1) << *k));
    if (known.isPositive(b)) {
      bool natural = known.isNonNegative(a);
      if (name.starts_with("ceildivs") ||
          (name.starts_with("ceildiv") && natural))
        return give(ceildiv(a, b));
      if (name.starts_with("floordiv") || (name.starts_with("divu") && natural))
        return give(floordiv(a, b));
      // Rounds to zero: the floor of what is not negative.
      if (name.starts_with("divs") && natural)
        return give(floordiv(a, b));
      if (name.starts_with("rem") && natural)
        return give(mod(a, b));
    }
  }
  set(result,
      Entity::ofIndex(dataSymbol(("arith." + name).str() + " is not followed",
                                 op->getLoc()),
                      sizes));
  return true;
}
