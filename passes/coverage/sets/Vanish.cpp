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
  if (text.equals_insensitive("+inf") || text.equals_insensitive("inf"))
    return HUGE_VAL;
  if (text == "memset")
    return 0;
  return text.getAsDouble(value) ? std::nullopt : std::optional(value);
}

/// A constant whose value the skeleton does not tell.
bool ioflor::sets::isUnread(ComputeOp op) {
  return op.getDetail() &&
         llvm::is_contained({"constant", "not modelled", "unknown condition",
                             "undef", "integer", "pointer"},
                            *op.getDetail());
}

bool ioflor::sets::isPlusInfinity(ComputeOp op) {
  auto n = numberOf(op);
  return n && *n >= 1e9;
}

bool Dataflow::isParameterName(StringRef text) const {
  for (char c : text)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '.')
      return false;
  return !text.empty() && !model.isLoopVariable(text);
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

bool Dataflow::mayMask(Value v, Mask as) {
  std::set<std::pair<void *, Mask>> seen;
  return mayMask(v, as, seen);
}

bool Dataflow::mayMask(Value v, Mask as,
                       std::set<std::pair<void *, Mask>> &seen) {
  Operation *def = v.getDefiningOp();
  if (!def || !seen.insert({v.getAsOpaquePointer(), as}).second)
    return false;
  bool factor = as == Mask::Factor;
  Mask negated = factor               ? as
                 : as == Mask::Addend ? Mask::Subtrahend
                                      : Mask::Addend;
  auto masks = [&](ComputeOp c) {
    if (auto n = numberOf(c))
      return factor ? *n == 0 : as == Mask::Addend ? *n <= -1e9 : *n >= 1e9;
    // A parameter's name, or an expression of indices: that may be 0, if it is
    // not infinite.
    if (!c.getDetail())
      return false; // a parameter without a name
    return isUnread(c) || (factor && !isParameterName(*c.getDetail()));
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
      if (mayMask(s.getValue(), as, seen))
        return true;
    }
    return false;
  }
  auto op = cast<ComputeOp>(def);
  auto operands = op.getOperands();
  auto any = [&] {
    return llvm::any_of(operands,
                        [&](Value x) { return mayMask(x, as, seen); });
  };
  switch (op.getKind()) {
  case ComputeKind::Constant:
    return masks(op);
  case ComputeKind::Exp:
    // Of a difference of maxima it is what sums are rescaled by.
    return factor && !(kinds.of(operands[0]) & (Extreme | Score)) &&
           mayMask(operands[0], Mask::Addend);
  case ComputeKind::Div:
    return mayMask(operands[0], as, seen);
  case ComputeKind::Max:
    // Something else is greater.
    return as == Mask::Addend
               ? llvm::all_of(operands,
                              [&](Value x) { return mayMask(x, as, seen); })
               : !factor && any();
  case ComputeKind::Neg:
    return mayMask(operands[0], negated, seen);
  case ComputeKind::Sub:
    if (!factor && operands.size() == 2)
      return mayMask(operands[0], as, seen) ||
             mayMask(operands[1], negated, seen);
    [[fallthrough]];
  case ComputeKind::Add:
  case ComputeKind::Min:
    // A difference may be 0; that of what data decides is not meant to be.
    if (factor)
      return !(kinds.of(v) & live);
    return any();
  case ComputeKind::Fma:
    return factor ? !(kinds.of(v) & live)
                  : llvm::any_of(operands, [&](Value x) {
                      return mayMask(x, as, seen) || mayMask(x, negated, seen);
                    });
  case ComputeKind::Select: {
    Value kept = keptBySelect(op);
    return kept ? mayMask(kept, as, seen) : any();
  }
  default:
    return any() || (!factor && llvm::any_of(operands, [&](Value x) {
             return mayMask(x, negated, seen);
           }));
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
