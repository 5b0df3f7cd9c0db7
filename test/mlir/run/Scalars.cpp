//===- Scalars.cpp - Arithmetic, of scalars and element by element -*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Machine.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <cmath>

using namespace mlir;
using namespace run;

static int64_t floorDiv(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/// One element; nullopt: not an operation of scalars.
static std::optional<double> element(Operation *op, ArrayRef<double> in) {
  StringRef n = op->getName().getStringRef();
  auto a = [&] { return in[0]; };
  auto b = [&] { return in[1]; };
  auto i = [&](unsigned k) { return int64_t(in[k]); };
  if (n == "arith.addi" || n == "arith.addf" || n == "index.add")
    return a() + b();
  if (n == "arith.subi" || n == "arith.subf" || n == "index.sub")
    return a() - b();
  if (n == "arith.muli" || n == "arith.mulf" || n == "index.mul")
    return a() * b();
  if (n == "arith.divf")
    return a() / b();
  if (n == "arith.divui" || n == "arith.divsi")
    return i(0) / i(1);
  if (n == "arith.ceildivui" || n == "arith.ceildivsi")
    return -floorDiv(-i(0), i(1));
  if (n == "arith.floordivsi")
    return floorDiv(i(0), i(1));
  if (n == "arith.remui" || n == "arith.remsi")
    return i(0) % i(1);
  if (n == "arith.minui" || n == "arith.minsi" || n == "arith.minimumf" ||
      n == "arith.minnumf")
    return std::min(a(), b());
  if (n == "arith.maxui" || n == "arith.maxsi" || n == "arith.maximumf")
    return std::max(a(), b());
  if (n == "arith.maxnumf")
    return std::fmax(a(), b());
  if (n == "arith.andi")
    return i(0) & i(1);
  if (n == "arith.ori")
    return i(0) | i(1);
  if (n == "arith.xori")
    return i(0) ^ i(1);
  if (n == "arith.negf")
    return -a();
  if (n == "arith.select")
    return in[0] != 0 ? in[1] : in[2];
  if (n == "math.fma")
    return in[0] * in[1] + in[2];
  if (n == "math.exp")
    return std::exp(a());
  if (n == "math.exp2")
    return std::exp2(a());
  if (n == "math.log")
    return std::log(a());
  if (n.starts_with("arith.ext") || n.starts_with("arith.trunc") ||
      n.starts_with("arith.index_cast") || n == "arith.sitofp" ||
      n == "arith.uitofp" || n == "index.casts")
    return a();
  if (auto c = dyn_cast<arith::CmpIOp>(op)) {
    switch (c.getPredicate()) {
    case arith::CmpIPredicate::eq:
      return a() == b();
    case arith::CmpIPredicate::ne:
      return a() != b();
    case arith::CmpIPredicate::slt:
    case arith::CmpIPredicate::ult:
      return a() < b();
    case arith::CmpIPredicate::sle:
    case arith::CmpIPredicate::ule:
      return a() <= b();
    case arith::CmpIPredicate::sgt:
    case arith::CmpIPredicate::ugt:
      return a() > b();
    case arith::CmpIPredicate::sge:
    case arith::CmpIPredicate::uge:
      return a() >= b();
    }
  }
  return std::nullopt;
}

static double number(Attribute a) {
  if (auto i = dyn_cast<IntegerAttr>(a))
    return i.getType().isInteger(1) ? double(i.getValue().getBoolValue())
                                    : double(i.getValue().getSExtValue());
  return cast<FloatAttr>(a).getValueAsDouble();
}

Ints Machine::apply(AffineMap map, ArrayRef<int64_t> operands) {
  std::function<int64_t(AffineExpr)> value = [&](AffineExpr e) -> int64_t {
    if (auto d = dyn_cast<AffineDimExpr>(e))
      return operands[d.getPosition()];
    if (auto s = dyn_cast<AffineSymbolExpr>(e))
      return operands[map.getNumDims() + s.getPosition()];
    if (auto c = dyn_cast<AffineConstantExpr>(e))
      return c.getValue();
    auto b = cast<AffineBinaryOpExpr>(e);
    int64_t l = value(b.getLHS()), r = value(b.getRHS());
    switch (e.getKind()) {
    case AffineExprKind::Add:
      return l + r;
    case AffineExprKind::Mul:
      return l * r;
    case AffineExprKind::FloorDiv:
      return floorDiv(l, r);
    case AffineExprKind::CeilDiv:
      return -floorDiv(-l, r);
    default:
      return l - floorDiv(l, r) * r;
    }
  };
  Ints out;
  for (AffineExpr e : map.getResults())
    out.push_back(value(e));
  return out;
}

bool Machine::scalars(Thread &t, Operation *op) {
  if (op->getNumResults() != 1 || op->getNumRegions())
    return false;
  Value result = op->getResult(0);
  if (auto c = dyn_cast<arith::ConstantOp>(op)) {
    if (auto dense = dyn_cast<DenseElementsAttr>(c.getValue())) {
      Array a = make(cast<ShapedType>(c.getType()).getShape(), false);
      int64_t k = 0;
      for (Attribute x : dense.getValues<Attribute>())
        a.in->words[k++] = number(x);
      set(t, result, array(a));
    } else {
      set(t, result, scalar(number(c.getValue())));
    }
    return true;
  }
  if (auto m = dyn_cast<affine::AffineApplyOp>(op)) {
    set(t, result,
        scalar(apply(m.getAffineMap(), integers(t, m.getMapOperands()))[0]));
    return true;
  }
  if (isa<affine::AffineMinOp, affine::AffineMaxOp>(op)) {
    auto min = dyn_cast<affine::AffineMinOp>(op);
    Ints all =
        apply(min ? min.getMap() : cast<affine::AffineMaxOp>(op).getMap(),
              integers(t, op->getOperands()));
    set(t, result,
        scalar(min ? *llvm::min_element(all) : *llvm::max_element(all)));
    return true;
  }
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect != "arith" && dialect != "math" && dialect != "index")
    return false;
  if (isa<ShapedType>(result.getType())) {
    std::vector<Array> in;
    std::vector<std::optional<double>> scalars;
    for (Value v : op->getOperands()) {
      bool shaped = isa<ShapedType>(v.getType());
      in.push_back(shaped ? arrayOf(t, op, v) : Array());
      scalars.push_back(shaped ? std::nullopt
                               : std::optional<double>(get(t, v).f));
    }
    Array to = make(in.back().sizes, false);
    each(t, to.sizes, [&](ArrayRef<int64_t> at) {
      SmallVector<double> words;
      for (auto [a, s] : llvm::zip(in, scalars))
        words.push_back(s ? *s : read(t, op, a, at));
      auto x = element(op, words);
      if (!x)
        fail(op, "is not known to the interpreter");
      write(t, op, to, at, *x);
    });
    set(t, result, array(to));
    return true;
  }
  SmallVector<double> words;
  for (Value v : op->getOperands())
    words.push_back(get(t, v).f);
  auto x = element(op, words);
  if (!x)
    return false;
  set(t, result, scalar(*x));
  return true;
}
