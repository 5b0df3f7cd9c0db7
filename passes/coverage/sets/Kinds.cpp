//===- Kinds.cpp - What values are made of --------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/coverage/sets/Kinds.h"
#include "passes/roles/Program.h"
#include "passes/roles/Roles.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::sets;

bool ioflor::sets::isScoreProduct(unsigned x, unsigned y) {
  return ((x & RawQ) && (y & RawK)) || ((x & RawK) && (y & RawQ));
}
bool ioflor::sets::isOutputProduct(unsigned weight, unsigned value) {
  return (weight & Weight) && (value & RawV);
}

unsigned Kinds::product(unsigned x, unsigned y) {
  unsigned out = (x | y) & (Loaded | Output);
  if (isScoreProduct(x, y))
    out |= Score;
  if (isOutputProduct(x, y) || isOutputProduct(y, x))
    out |= Output;
  // Scaled by something that is none of them, or that only rescales.
  for (auto [a, b] : {std::pair(x, y), std::pair(y, x)}) {
    if (!(b & (Raw | Score | Weight | Output)))
      out |= a & (Raw | Score | Extreme | Inverse);
    if (!(b & (Raw | Score | Output)))
      out |= a & (Weight | Inverse);
  }
  return out;
}

unsigned Kinds::compute(ComputeOp op) const {
  auto k = [&](unsigned i) {
    return i < op.getOperands().size() ? of(op.getOperands()[i]) : 0u;
  };
  unsigned all = 0;
  for (Value v : op.getOperands())
    all |= of(v);
  unsigned loaded = all & Loaded;
  switch (op.getKind()) {
  case ComputeKind::Constant:
    return 0;
  case ComputeKind::Mul:
    return product(k(0), k(1));
  case ComputeKind::Fma:
  case ComputeKind::Mma: {
    unsigned out = product(k(0), k(1)) | k(2);
    return out & Score ? out & ~unsigned(Extreme) : out;
  }
  case ComputeKind::Add:
  case ComputeKind::Sub:
    // A score less the maximum is the score still.
    return all & Score && !(all & Weight) ? all & ~unsigned(Extreme) : all;
  case ComputeKind::Div:
    return (k(0) & ~unsigned(Loaded)) | loaded | (k(1) & Weight ? Inverse : 0);
  case ComputeKind::Exp:
    // Of maxima alone it is what earlier sums are rescaled by.
    return loaded | (all & Score ? Weight : all & Extreme);
  case ComputeKind::Max:
  case ComputeKind::Min:
    return loaded | (all & (Score | Extreme) ? Extreme : 0) |
           (all & (Weight | Inverse));
  case ComputeKind::Neg:
  case ComputeKind::Select:
  case ComputeKind::Convert:
  case ComputeKind::Shuffle:
    return all;
  case ComputeKind::Other:
    // A function of a score is a score; of a sum of weights, its inverse.
    return op.getOperands().size() == 1
               ? loaded | (all & (Raw | Score | Output)) |
                     (all & (Weight | Inverse) ? Inverse : 0)
               : all;
  }
  return all;
}

Kinds::Kinds(SubjectOp subject) {
  roles::Program program(subject);
  // Every kind is gained once at most by every value: this ends.
  bool changed = true;
  while (changed) {
    changed = false;
    subject->walk([&](Operation *op) {
      if (auto load = dyn_cast<LoadOp>(op)) {
        BufferOp b = resolveBuffer(load);
        if (!b)
          return;
        unsigned k = 0;
        if (auto it = program.accessOf.find(op); it != program.accessOf.end())
          for (unsigned c : program.accesses[it->second].cells)
            k |= cells.lookup(c);
        if (b.getSpace() == Space::Slow) {
          k |= Loaded;
          switch (roles::roleOf(op)) {
          case Role::Q:
            k |= RawQ;
            break;
          case Role::K:
            k |= RawK;
            break;
          case Role::V:
            k |= RawV;
            break;
          default:
            break;
          }
          // V may be columns of K's rows.
          if (auto all = b->getAttrOfType<ArrayAttr>("ioflor.roles"))
            for (Attribute a : all)
              if (auto s = dyn_cast<StringAttr>(a)) {
                if (s.getValue() == "V" && !op->hasAttr("ioflor.role"))
                  k |= RawV;
                if (s.getValue() == "K" && !op->hasAttr("ioflor.role"))
                  k |= RawK;
              }
        }
        unsigned &into = values[load.getResult()];
        changed |= (into | k) != into;
        into |= k;
      } else if (auto store = dyn_cast<StoreOp>(op)) {
        auto it = program.accessOf.find(op);
        if (it == program.accessOf.end())
          return;
        unsigned k = of(store.getValue());
        for (unsigned c : program.accesses[it->second].cells) {
          unsigned &into = cells[c];
          changed |= (into | k) != into;
          into |= k;
        }
      } else if (auto c = dyn_cast<ComputeOp>(op)) {
        unsigned k = compute(c);
        unsigned &into = values[c.getResult()];
        changed |= (into | k) != into;
        into |= k;
      }
    });
  }
}
