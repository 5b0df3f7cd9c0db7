//===- Decompose.cpp - A value as a sum -----------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/coverage/sets/Dataflow.h"
#include "passes/roles/Roles.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::sets;

void Dataflow::opaque(Operation *op, std::vector<Item> &out, StringRef why) {
  unsigned id = model.idOf(op);
  reasons.try_emplace(id, why.str());
  out.push_back({Item::Term, TermKind::Opaque, id});
}

std::string Dataflow::reason(unsigned statement) const {
  auto it = reasons.find(statement);
  if (it != reasons.end())
    return it->second;
  const Statement &s = model.statements[statement];
  return s.approximate ? s.why : "a value could not be followed";
}

const std::vector<Dataflow::Item> &Dataflow::items(Value v, unsigned want) {
  auto [it, isNew] = itemsOf.try_emplace({v.getAsOpaquePointer(), want});
  if (isNew) {
    std::vector<Item> out;
    decompose(v, want, out);
    it = itemsOf.find({v.getAsOpaquePointer(), want});
    it->second = std::move(out);
  }
  return it->second;
}

/// A term of a score that is no product of Q and K: fine if it is a finite
/// number that no loaded word decides.
bool Dataflow::isHarmless(Value v) {
  return !(kinds.of(v) & (Loaded | Raw | Score | Weight | Output));
}

void Dataflow::product(ComputeOp op, unsigned want, std::vector<Item> &out) {
  Value x = op.getOperands()[0], y = op.getOperands()[1];
  unsigned kx = kinds.of(x), ky = kinds.of(y);
  unsigned id = model.idOf(op);
  // A site?
  if (want == Score && isScoreProduct(kx, ky)) {
    if ((kx | ky) & Score)
      return opaque(op, out, "a product of operands may also be one of scores");
    out.push_back({Item::Term, TermKind::Product, id});
    return;
  }
  if (want == Output && (isOutputProduct(kx, ky) || isOutputProduct(ky, kx))) {
    if ((kx | ky) & Output)
      return opaque(op, out, "a product of weights may also be one of outputs");
    out.push_back({Item::Term, TermKind::Product, id});
    return;
  }
  // One side is what is followed, the other scales it.
  bool first = kx & want, second = ky & want;
  if (first && second) {
    // Of two weights, one rescales: it is not followed. The one that is a sum
    // was loaded.
    bool fx = x.getDefiningOp<ComputeOp>() &&
              x.getDefiningOp<ComputeOp>().getKind() == ComputeKind::Exp;
    bool fy = y.getDefiningOp<ComputeOp>() &&
              y.getDefiningOp<ComputeOp>().getKind() == ComputeKind::Exp;
    if (want != Weight || fx == fy)
      return opaque(op, out, "a product of two values of the same kind");
    first = !fx;
  }
  Value followed = first ? x : y, factor = first ? y : x;
  unsigned kf = kinds.of(factor);
  if (!first && !second)
    return opaque(op, out, "a product that holds none of what is followed");
  if (kf & Raw || (want != Output && want != Weight && kf & (Score | Output)))
    return opaque(op, out, "a product with words of an operand");
  if ((kf & Loaded) && !(kf & (Score | Weight | Extreme | Inverse)))
    return opaque(op, out, "a factor is loaded from slow memory");
  if (mayMask(factor, Mask::Factor))
    return opaque(op, out, "a factor may be 0");
  decompose(followed, want, out);
  if (kf & Inverse)
    out.push_back({Item::Term, TermKind::Factor, id});
}

void Dataflow::decompose(Value v, unsigned want, std::vector<Item> &out) {
  Operation *def = v.getDefiningOp();
  if (!def)
    return;
  if (auto load = dyn_cast<LoadOp>(def)) {
    BufferOp b = resolveBuffer(load);
    Role role = roles::roleOf(def);
    bool operand = b.getSpace() == Space::Slow &&
                   (role == Role::Q || role == Role::K || role == Role::V);
    if (operand && want == Raw)
      out.push_back({Item::Term, TermKind::Word, model.idOf(def)});
    else
      out.push_back({Item::Load, TermKind::Opaque, model.idOf(def)});
    return;
  }
  auto op = cast<ComputeOp>(def);
  auto operands = op.getOperands();
  auto follow = [&](Value x, Mask as = Mask::Addend) {
    if (kinds.of(x) & want) {
      decompose(x, want, out);
      return;
    }
    // What is added to a score and is no score.
    auto c = x.getDefiningOp<ComputeOp>();
    auto load = x.getDefiningOp<LoadOp>();
    bool fast = load && resolveBuffer(load).getSpace() != Space::Slow;
    if (c && c.getKind() == ComputeKind::Constant)
      decompose(x, want, out);
    else if (kinds.of(x) & (Extreme | Inverse) || isHarmless(x)) {
      // Infinity for some rows and keys would mask them, of either sign where a
      // later negation is not seen.
      bool last = isa<ComputeOp>(def) &&
                  llvm::all_of(def->getUsers(), [](Operation *user) {
                    auto c = dyn_cast<ComputeOp>(user);
                    return c && c.getKind() == ComputeKind::Exp;
                  });
      Mask other = as == Mask::Addend ? Mask::Subtrahend : Mask::Addend;
      if (!mayMask(x, as) && (last || !mayMask(x, other)))
        return;
      if (fast && isHarmless(x))
        decompose(x, want, out);
      else
        opaque(op, out, "minus infinity may be added");
    } else if (fast)
      decompose(x, want, out);
    else
      opaque(op, out, "an addend is loaded from slow memory");
  };
  if (partOf(op) || reductionOf(v)) {
    out.push_back({Item::Via, TermKind::Opaque, model.idOf(op)});
    return;
  }
  switch (op.getKind()) {
  case ComputeKind::Constant:
    // Subtracted or negated it is a mask: its sign is not followed.
    if (isUnread(op) || (want == Score && isPlusInfinity(op)))
      return opaque(op, out, "a constant could not be read");
    out.push_back({Item::Term, TermKind::Constant, model.idOf(op)});
    return;
  case ComputeKind::Add:
  case ComputeKind::Sub:
    for (unsigned i = 0; i < operands.size(); ++i)
      follow(operands[i], i && op.getKind() == ComputeKind::Sub
                              ? Mask::Subtrahend
                              : Mask::Addend);
    return;
  case ComputeKind::Mul:
    if (operands.size() == 2)
      return product(op, want, out);
    break;
  case ComputeKind::Fma:
    if (operands.size() == 3) {
      if ((kinds.of(operands[0]) | kinds.of(operands[1])) & ~unsigned(Loaded)) {
        unsigned made = 0;
        if (isScoreProduct(kinds.of(operands[0]), kinds.of(operands[1])))
          made |= Score;
        if (isOutputProduct(kinds.of(operands[0]), kinds.of(operands[1])) ||
            isOutputProduct(kinds.of(operands[1]), kinds.of(operands[0])))
          made |= Output;
        if (((kinds.of(operands[0]) | kinds.of(operands[1])) | made) & want)
          product(op, want, out);
      }
      return follow(operands[2]);
    }
    break;
  case ComputeKind::Div:
    if (operands.size() == 2) {
      if (kinds.of(operands[0]) & want || want != Inverse)
        follow(operands[0]);
      if (kinds.of(operands[1]) & Weight)
        out.push_back({Item::Term, TermKind::Divisor, model.idOf(op)});
      else if (kinds.of(operands[1]) & (Raw | Output))
        opaque(op, out, "a division by words of an operand");
      return;
    }
    break;
  case ComputeKind::Exp:
    if (want == Weight) {
      out.push_back({Item::Term, TermKind::Exp, model.idOf(op)});
      return;
    }
    break;
  case ComputeKind::Neg:
    return decompose(operands[0], want, out);
  case ComputeKind::Convert:
    if (operands.size() == 1)
      return decompose(operands[0], want, out);
    break;
  case ComputeKind::Other:
    // A function of one value stands for it.
    if (operands.size() == 1 && kinds.of(operands[0]) & want)
      return decompose(operands[0], want, out);
    break;
  case ComputeKind::Shuffle:
    out.push_back({Item::Via, TermKind::Opaque, model.idOf(op)});
    return;
  case ComputeKind::Mma:
    return opaque(op, out, "fragments of matrices are not followed");
  case ComputeKind::Select:
    // A sum of weights that is 0 divides nothing: `sum == 0 ? 0 : x / sum`.
    if (want == Output || want == Inverse)
      if (Value kept = keptBySelect(op); kept && kinds.of(kept) & want)
        return decompose(kept, want, out);
    return opaque(op, out, "data decides which of two values is used");
  case ComputeKind::Max:
  case ComputeKind::Min:
    break;
  }
  opaque(op, out, "a computation that is not followed");
}
