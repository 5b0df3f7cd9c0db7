//===- Vanish.cpp - Factors and addends that mask -------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A factor that is 0 for some rows and keys, or minus infinity that is added
// for some, masks them. What is followed exactly shows that; here, whatever is
// not followed must be something that cannot do it, whatever the instance.
//
//===----------------------------------------------------------------------===//

#include "passes/coverage/sets/Dataflow.h"

#include <cctype>
#include <cmath>

using namespace mlir;
using namespace ioflor;
using namespace ioflor::sets;

/// The number that a constant is; nullopt for a name.
static std::optional<double> numberOf(ComputeOp op) {
  double value = 0;
  if (!op.getDetail())
    return std::nullopt;
  StringRef text = *op.getDetail();
  if (text.equals_insensitive("-inf"))
    return -HUGE_VAL;
  if (text == "memset")
    return 0;
  return text.getAsDouble(value) ? std::nullopt : std::optional(value);
}

bool Dataflow::isParameterName(StringRef text) const {
  for (char c : text)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '.')
      return false;
  return !text.empty() && text != "undef" && !model.isLoopVariable(text);
}

/// Is a constant the first value of a buffer, not one branch of a choice? It is
/// if the guard around its store is around every other store of its launch,
/// too.
static bool isInitial(StoreOp store, ArrayRef<StoreOp> others) {
  auto guard = store->getParentOfType<GuardOp>();
  return !guard || llvm::all_of(others, [&](StoreOp o) {
    return guard->isAncestor(o) ||
           o->getParentOfType<StageOp>() != store->getParentOfType<StageOp>();
  });
}

static constexpr unsigned live = Weight | Inverse | Score | Extreme | Output;

bool Dataflow::mayMask(Value v, bool factor) {
  std::set<void *> seen;
  return mayMask(v, factor, seen);
}

/// As a factor: may v be 0? As an addend: may it be minus infinity?
bool Dataflow::mayMask(Value v, bool factor, std::set<void *> &seen) {
  Operation *def = v.getDefiningOp();
  if (!def || !seen.insert(v.getAsOpaquePointer()).second)
    return false;
  auto masks = [&](ComputeOp c) {
    if (auto n = numberOf(c))
      return factor ? *n == 0 : *n <= -1e9;
    // A parameter's name, or an expression of indices: that may be 0, if it is
    // not infinite.
    return factor && !isParameterName(c.getDetail().value_or("?"));
  };
  if (auto load = dyn_cast<LoadOp>(def)) {
    BufferOp b = resolveBuffer(load);
    SmallVector<StoreOp> stores;
    for (unsigned s : model.storesOf(b))
      stores.push_back(cast<StoreOp>(model.statements[s].op));
    for (StoreOp s : stores) {
      auto c = s.getValue().getDefiningOp<ComputeOp>();
      if (c && c.getKind() == ComputeKind::Constant) {
        bool first = (kinds.of(v) & live) && isInitial(s, stores);
        if (masks(c) && !first)
          return true;
        continue;
      }
      if (mayMask(s.getValue(), factor, seen))
        return true;
    }
    return false;
  }
  auto op = cast<ComputeOp>(def);
  auto operands = op.getOperands();
  auto any = [&] {
    return llvm::any_of(operands,
                        [&](Value x) { return mayMask(x, factor, seen); });
  };
  switch (op.getKind()) {
  case ComputeKind::Constant:
    return masks(op);
  case ComputeKind::Exp:
    // Of a difference of maxima it is what sums are rescaled by.
    return factor && !(kinds.of(operands[0]) & (Extreme | Score)) &&
           mayMask(operands[0], false);
  case ComputeKind::Div:
    return mayMask(operands[0], factor, seen);
  case ComputeKind::Max:
    // Something else is greater.
    return !factor && llvm::all_of(operands, [&](Value x) {
      return mayMask(x, factor, seen);
    });
  case ComputeKind::Add:
  case ComputeKind::Sub:
  case ComputeKind::Min:
    // A difference may be 0; that of what data decides is not meant to be.
    if (factor)
      return !(kinds.of(v) & live);
    return any();
  case ComputeKind::Fma:
    return factor ? !(kinds.of(v) & live) : any();
  case ComputeKind::Select: {
    Value kept = keptBySelect(op);
    return kept ? mayMask(kept, factor, seen) : any();
  }
  default:
    return any();
  }
}

/// `sum == 0 ? 0 : x`, where the sum is one of weights: x. Null otherwise.
Value Dataflow::keptBySelect(ComputeOp op) {
  auto operands = op.getOperands();
  if (operands.size() != 4)
    return {};
  auto zero = [](Value v) {
    auto c = v.getDefiningOp<ComputeOp>();
    return c && c.getKind() == ComputeKind::Constant && numberOf(c) == 0.0;
  };
  auto weight = [&](Value v) {
    return (kinds.of(v) & ~unsigned(Loaded)) == Weight;
  };
  // The compared values come first or last.
  for (unsigned at : {0u, 2u}) {
    Value a = operands[at], b = operands[at + 1];
    Value x = operands[2 - at], y = operands[3 - at];
    if (!((weight(a) && zero(b)) || (weight(b) && zero(a))))
      continue;
    if (zero(x) && !zero(y))
      return y;
    if (zero(y) && !zero(x))
      return x;
  }
  return {};
}
