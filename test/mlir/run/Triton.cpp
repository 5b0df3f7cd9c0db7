//===- Triton.cpp - Triton's operations in generic form, by name -*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Machine.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace run;

static Attribute attribute(Operation *op, StringRef name) {
  if (Attribute a = op->getAttr(name))
    return a;
  if (auto d = dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute()))
    return d.get(name);
  return {};
}

static int64_t axisOf(Operation *op) {
  auto a = dyn_cast_or_null<IntegerAttr>(attribute(op, "axis"));
  return a ? a.getInt() : 0;
}

bool Machine::triton(Thread &t, Operation *op) {
  StringRef n = op->getName().getStringRef();
  if (!n.consume_front("tt."))
    return false;
  auto shape = [&] {
    return cast<RankedTensorType>(op->getResult(0).getType()).getShape();
  };
  auto in = [&](unsigned k) -> Array & {
    return arrayOf(t, op, op->getOperand(k));
  };
  auto give = [&](const Array &a) {
    set(t, op->getResult(0), array(a));
    return true;
  };
  auto listed = [&](StringRef name) {
    auto d = dyn_cast_or_null<DenseI32ArrayAttr>(attribute(op, name));
    return d ? SmallVector<int32_t>(d.asArrayRef()) : SmallVector<int32_t>();
  };
  if (n == "get_program_id" || n == "get_num_programs") {
    set(t, op->getResult(0),
        scalar(n == "get_program_id" ? t.block[axisOf(op)]
                                     : t.grid[axisOf(op)]));
    return true;
  }
  if (n == "make_tensor_ptr") {
    Array p = in(0);
    unsigned rank = (op->getNumOperands() - 1) / 3;
    p.sizes.clear();
    p.strides.clear();
    for (unsigned k = 0; k < rank; ++k) {
      p.sizes.push_back(integer(t, op->getOperand(1 + k)));
      p.strides.push_back(integer(t, op->getOperand(1 + rank + k)));
      p.start.push_back(integer(t, op->getOperand(1 + 2 * rank + k)));
    }
    return give(p);
  }
  if (n == "advance") {
    Array p = in(0);
    for (size_t k = 0; k < p.start.size(); ++k)
      p.start[k] += integer(t, op->getOperand(1 + k));
    return give(p);
  }
  auto inside = [&](const Array &p, ArrayRef<int64_t> at, Ints &where) {
    where = p.start;
    bool holds = true;
    for (size_t k = 0; k < where.size(); ++k)
      where[k] += at[k];
    for (int32_t k : listed("boundaryCheck"))
      holds &= where[k] >= 0 && where[k] < p.sizes[k];
    return holds;
  };
  if (n == "load" && op->getNumOperands() == 1) {
    Array &p = in(0), v = make(shape(), false);
    each(t, v.sizes, [&](ArrayRef<int64_t> at) {
      Ints where;
      bool there = inside(p, at, where);
      write(t, op, v, at, there ? readWord(t, op, *p.in, p.at(where)) : 0);
    });
    return give(v);
  }
  if (n == "store" && op->getNumOperands() == 2) {
    Array &p = in(0), &v = in(1);
    each(t, v.sizes, [&](ArrayRef<int64_t> at) {
      Ints where;
      if (inside(p, at, where))
        writeWord(t, op, *p.in, p.at(where), read(t, op, v, at));
    });
    return true;
  }
  if (n == "dot") {
    Array &a = in(0), &b = in(1), v = make(shape(), false);
    copy(t, op, in(2), v);
    for (int64_t i = 0; i < v.sizes[0]; ++i)
      for (int64_t j = 0; j < v.sizes[1]; ++j)
        for (int64_t k = 0; k < a.sizes[1]; ++k)
          v.in->words[v.at({i, j})] +=
              a.in->words[a.at({i, k})] * b.in->words[b.at({k, j})];
    return give(v);
  }
  if (n == "reduce") {
    Array &from = in(0), v = make(shape(), false);
    bool isSum = op->getRegion(0).front().front().getName().getStringRef() ==
                 "arith.addf";
    int64_t axis = axisOf(op);
    each(t, from.sizes, [&](ArrayRef<int64_t> at) {
      Ints to(at.begin(), at.end());
      to.erase(to.begin() + axis);
      double &x = v.in->words[v.at(to)], y = read(t, op, from, at);
      x = at[axis] == 0 ? y : isSum ? x + y : std::max(x, y);
    });
    return give(v);
  }
  if (n == "expand_dims" || n == "broadcast") {
    Array v = in(0);
    if (n == "expand_dims") {
      v.sizes.insert(v.sizes.begin() + axisOf(op), 1);
      v.strides.insert(v.strides.begin() + axisOf(op), 0);
    } else {
      for (auto [k, s] : llvm::enumerate(shape()))
        if (v.sizes[k] != s) {
          v.sizes[k] = s;
          v.strides[k] = 0;
        }
    }
    return give(v);
  }
  return n == "return" || n == "reduce.return";
}
