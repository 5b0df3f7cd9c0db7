//===- Structured.cpp - linalg and vector operations -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Machine.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace run;

/// A softmax as the three passes that its definition has.
static void softmax(Machine &m, Thread &t, linalg::SoftmaxOp op) {
  Array in = m.arrayOf(t, op, op.getInput());
  bool memref = isa<MemRefType>(op.getOutput().getType());
  Array to = memref ? m.arrayOf(t, op, op.getOutput())
                    : m.make(in.sizes, m.depth == 0);
  unsigned dim = op.getDimension();
  Ints outer = in.sizes;
  outer.erase(outer.begin() + dim);
  m.each(t, outer, [&](ArrayRef<int64_t> rest) {
    // Each pass is a loop of its own.
    int64_t pass = 0;
    auto along = [&](llvm::function_ref<void(ArrayRef<int64_t>)> fn) {
      t.trips.push_back(pass++);
      m.each(t, {in.sizes[dim]}, [&](ArrayRef<int64_t> j) {
        Ints at(rest.begin(), rest.end());
        at.insert(at.begin() + dim, j[0]);
        fn(at);
      });
      t.trips.pop_back();
    };
    double most = -std::numeric_limits<double>::infinity(), sum = 0;
    along([&](ArrayRef<int64_t> at) {
      most = std::max(most, m.read(t, op, in, at));
    });
    along([&](ArrayRef<int64_t> at) {
      double e = std::exp(m.read(t, op, in, at) - most);
      sum += e;
      m.write(t, op, to, at, e);
    });
    along([&](ArrayRef<int64_t> at) {
      m.write(t, op, to, at, m.read(t, op, to, at) / sum);
    });
  });
  for (Value r : op->getResults())
    m.set(t, r, Machine::array(to));
}

bool Machine::linalg(Thread &t, Operation *op) {
  if (auto s = dyn_cast<linalg::SoftmaxOp>(op)) {
    softmax(*this, t, s);
    return true;
  }
  auto l = dyn_cast<linalg::LinalgOp>(op);
  if (!l)
    return false;
  // The result of an operation on tensors is an array of its own: slow outside
  // of loops. What the body does not read of the output is not read.
  bool tensor = op->getNumResults() > 0;
  SmallVector<AffineMap> maps = l.getIndexingMapsArray();
  unsigned inputs = l.getNumDpsInputs(), outputs = l.getNumDpsInits();
  std::vector<Array> in;
  std::vector<double> scalars;
  Ints sizes(l.getNumLoops(), -1);
  for (OpOperand &o : op->getOpOperands()) {
    unsigned k = o.getOperandNumber();
    bool isArray = bool(get(t, o.get()).array);
    bool read = k < inputs || l.payloadUsesValueFromOperand(&o);
    in.push_back(!isArray ? Array()
                 : read   ? arrayOf(t, op, o.get())
                          : *get(t, o.get()).array);
    scalars.push_back(isArray ? 0 : get(t, o.get()).f);
    for (auto [e, n] : llvm::zip(maps[k].getResults(), in.back().sizes))
      if (auto d = dyn_cast<AffineDimExpr>(e))
        sizes[d.getPosition()] = n;
  }
  std::vector<Array> out;
  for (unsigned k = 0; k < outputs; ++k)
    out.push_back(tensor ? make(in[inputs + k].sizes,
                                depth == 0 && !isa<linalg::FillOp>(op))
                         : in[inputs + k]);
  Ints outer, inner, at(sizes.size(), 0);
  SmallVector<unsigned> outerDims, innerDims;
  for (auto [k, type] : llvm::enumerate(l.getIteratorTypesArray())) {
    bool parallel = type == utils::IteratorType::parallel;
    (parallel ? outer : inner).push_back(sizes[k]);
    (parallel ? outerDims : innerDims).push_back(k);
  }
  Block *body = l.getBlock();
  ++depth;
  each(t, outer, [&](ArrayRef<int64_t> o) {
    for (auto [d, i] : llvm::zip(outerDims, o))
      at[d] = i;
    for (unsigned d : innerDims)
      at[d] = 0;
    // What a reduction sums up stays in registers.
    std::vector<double> sums(outputs);
    for (unsigned k = 0; k < outputs; ++k)
      if (l.payloadUsesValueFromOperand(&op->getOpOperand(inputs + k)))
        sums[k] = read(t, op, in[inputs + k], apply(maps[inputs + k], at));
    each(t, inner, [&](ArrayRef<int64_t> i) {
      for (auto [d, x] : llvm::zip(innerDims, i))
        at[d] = x;
      for (unsigned k = 0; k < inputs + outputs; ++k) {
        BlockArgument arg = body->getArgument(k);
        if (arg.use_empty())
          continue;
        set(t, arg,
            scalar(k >= inputs ? sums[k - inputs]
                   : in[k].in  ? read(t, op, in[k], apply(maps[k], at))
                               : scalars[k]));
      }
      for (Operation &x : *body) {
        if (auto index = dyn_cast<linalg::IndexOp>(x))
          set(t, index.getResult(), scalar(at[index.getDim()]));
        else if (!x.hasTrait<OpTrait::IsTerminator>())
          visit(t, &x);
      }
      for (unsigned k = 0; k < outputs; ++k)
        sums[k] = get(t, body->getTerminator()->getOperand(k)).f;
    });
    for (unsigned d : innerDims)
      at[d] = 0;
    for (unsigned k = 0; k < outputs; ++k)
      write(t, op, out[k], apply(maps[inputs + k], at), sums[k]);
  });
  --depth;
  for (auto [k, r] : llvm::enumerate(op->getResults()))
    set(t, r, array(out[k]));
  return true;
}

static double combine(vector::CombiningKind kind, double a, double b) {
  switch (kind) {
  case vector::CombiningKind::ADD:
    return a + b;
  case vector::CombiningKind::MUL:
    return a * b;
  case vector::CombiningKind::MAXNUMF:
  case vector::CombiningKind::MAXIMUMF:
    return std::fmax(a, b);
  default:
    return std::fmin(a, b);
  }
}

bool Machine::vectors(Thread &t, Operation *op) {
  auto vectorOf = [&](Type type) {
    return make(cast<VectorType>(type).getShape(), false);
  };
  if (isa<vector::TransferReadOp, vector::TransferWriteOp>(op)) {
    auto x = cast<VectorTransferOpInterface>(op);
    auto r = dyn_cast<vector::TransferReadOp>(op);
    Array &memory = arrayOf(t, op, x.getBase());
    Ints base = integers(t, x.getIndices());
    SmallVector<bool> inBounds = x.getInBoundsValues();
    Array v = r ? vectorOf(r.getVectorType())
                : arrayOf(t, op, cast<vector::TransferWriteOp>(op).getVector());
    each(t, v.sizes, [&](ArrayRef<int64_t> at) {
      Ints where = base;
      bool inside =
          !x.getMask() || read(t, op, arrayOf(t, op, x.getMask()), at) != 0;
      for (auto [k, e] : llvm::enumerate(x.getPermutationMap().getResults()))
        if (auto d = dyn_cast<AffineDimExpr>(e)) {
          where[d.getPosition()] += at[k];
          inside &= inBounds[k] ||
                    where[d.getPosition()] < memory.sizes[d.getPosition()];
        }
      if (!r) {
        if (inside)
          write(t, op, memory, where, read(t, op, v, at));
      } else {
        write(t, op, v, at,
              inside ? read(t, op, memory, where) : get(t, r.getPadding()).f);
      }
    });
    if (r)
      set(t, r.getResult(), array(v));
    else if (op->getNumResults())
      fail(op, "a transfer to a tensor");
    return true;
  }
  if (auto m = dyn_cast<vector::CreateMaskOp>(op)) {
    Array v = vectorOf(m.getType());
    Ints ends = integers(t, m.getOperands());
    each(t, v.sizes, [&](ArrayRef<int64_t> at) {
      bool inside = true;
      for (size_t k = 0; k < at.size(); ++k)
        inside &= at[k] < ends[k];
      write(t, op, v, at, inside);
    });
    set(t, m.getResult(), array(v));
    return true;
  }
  if (auto b = dyn_cast<vector::BroadcastOp>(op)) {
    Array v = vectorOf(b.getType());
    Val &from = get(t, b.getSource());
    each(t, v.sizes, [&](ArrayRef<int64_t> at) {
      if (!from.array)
        return write(t, op, v, at, from.f);
      Ints source(at.end() - from.array->sizes.size(), at.end());
      for (size_t k = 0; k < source.size(); ++k)
        if (from.array->sizes[k] == 1)
          source[k] = 0;
      write(t, op, v, at, read(t, op, *from.array, source));
    });
    set(t, b.getResult(), array(v));
    return true;
  }
  if (auto p = dyn_cast<vector::TransposeOp>(op)) {
    Array v = vectorOf(p.getType());
    Array &from = arrayOf(t, op, p.getVector());
    each(t, v.sizes, [&](ArrayRef<int64_t> at) {
      Ints source(at.size(), 0);
      for (auto [k, d] : llvm::enumerate(p.getPermutation()))
        source[d] = at[k];
      write(t, op, v, at, read(t, op, from, source));
    });
    set(t, p.getResult(), array(v));
    return true;
  }
  if (auto c = dyn_cast<vector::ContractionOp>(op)) {
    if (!isa<VectorType>(c.getResultType()))
      fail(op, "a contraction to a scalar");
    Array &l = arrayOf(t, op, c.getLhs()), &r = arrayOf(t, op, c.getRhs()),
          &acc = arrayOf(t, op, c.getAcc());
    Array v = vectorOf(c.getResultType());
    SmallVector<AffineMap> maps = c.getIndexingMapsArray();
    copy(t, op, acc, v);
    Ints sizes(c.getIteratorTypes().size(), 1);
    Array *both[] = {&l, &r};
    for (auto [a, map] : llvm::zip(both, maps))
      for (auto [e, n] : llvm::zip(map.getResults(), a->sizes))
        sizes[cast<AffineDimExpr>(e).getPosition()] = n;
    each(t, sizes, [&](ArrayRef<int64_t> at) {
      Ints to = apply(maps[2], at);
      write(t, op, v, to,
            combine(c.getKind(), read(t, op, v, to),
                    read(t, op, l, apply(maps[0], at)) *
                        read(t, op, r, apply(maps[1], at))));
    });
    set(t, c.getResult(), array(v));
    return true;
  }
  if (auto m = dyn_cast<vector::MultiDimReductionOp>(op)) {
    if (!isa<VectorType>(m.getDestType()))
      fail(op, "a reduction to a scalar");
    Array &from = arrayOf(t, op, m.getSource());
    Array v = vectorOf(m.getDestType());
    copy(t, op, arrayOf(t, op, m.getAcc()), v);
    SmallVector<bool> reduced = m.getReductionMask();
    each(t, from.sizes, [&](ArrayRef<int64_t> at) {
      Ints to;
      for (size_t k = 0; k < at.size(); ++k)
        if (!reduced[k])
          to.push_back(at[k]);
      write(t, op, v, to,
            combine(m.getKind(), read(t, op, v, to), read(t, op, from, at)));
    });
    set(t, m.getResult(), array(v));
    return true;
  }
  return false;
}
