//===- Pointers.cpp - LLVM pointers as buffer and byte offset -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/ir/Values.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace ioflor;
using namespace ioflor::ir;

/// Pointers that may point at more things than this are unknown.
static constexpr unsigned maxAlternatives = 4;

/// Fast buffers are taken to start at multiples of this, which swizzles rely
/// on: so large that no swizzle sees the start (its bits come from rows).
/// Their addresses only matter to each other.
static constexpr int64_t fastAlignment = 65536;

Pointers ValueReader::unknownPointer(StringRef reason) {
  Pointer p;
  p.reason = reason.str();
  return {p};
}

Pointers ValueReader::pointer(Value *v) {
  if (auto it = pointers.find(v); it != pointers.end()) {
    sawOpen |= it->second.open;
    return it->second.value;
  }
  if (depth > 500)
    return unknownPointer("pointer nested too deeply");
  bool outer = sawOpen;
  sawOpen = false;
  ++depth;
  Pointers p = readPointer(v);
  --depth;
  pointers[v] = {p, sawOpen};
  sawOpen |= outer;
  return p;
}

/// One list of alternatives under a choice between two.
Pointers ValueReader::choosePointer(const Value *v, const Cond &c,
                                    const Pointers &a, const Pointers &b) {
  Pointers all;
  // Two places in one buffer are one place that depends on the condition.
  if (a.size() == 1 && b.size() == 1 && !a.front().buffer.empty() &&
      a.front().buffer == b.front().buffer) {
    all = a;
    all.front().offset = choose(v, c, a.front().offset, b.front().offset);
    return all;
  }
  for (const Pointer &p : a) {
    all.push_back(p);
    all.back().when = c && p.when;
  }
  for (const Pointer &p : b) {
    all.push_back(p);
    all.back().when = !c && p.when;
  }
  llvm::erase_if(all, [](const Pointer &p) { return p.when.isNever(); });
  return all;
}

std::string ValueReader::globalBuffer(GlobalVariable &global) {
  std::string &name = memoryNames[&global];
  if (!name.empty())
    return name;
  const DataLayout &layout = global.getParent()->getDataLayout();
  std::string display = demangle(global.getName());
  if (size_t at = display.rfind("::"); at != std::string::npos)
    display = display.substr(at + 2);
  uint64_t size = layout.getTypeAllocSize(global.getValueType());
  bool shared = global.getAddressSpace() == 3;
  if (shared && size == 0) {
    // All extern __shared__ arrays of a kernel start at one address.
    for (auto &[other, known] : memoryNames)
      if (auto *g = dyn_cast<GlobalVariable>(other);
          g && g != &global && g->getAddressSpace() == 3 &&
          layout.getTypeAllocSize(g->getValueType()) == 0 && !known.empty())
        return name = known;
  }
  // A slow global is the same buffer in every stage.
  if (!shared)
    for (auto &[key, info] : buffers)
      if (info.space == Space::Slow && info.display == global.getName())
        return name = key;
  std::string fresh = context.fresh(display);
  std::optional<Expr> bytes;
  if (size != 0)
    bytes = Expr(static_cast<int64_t>(size));
  else if (shared)
    bytes = spec.dynamicSharedBytes;
  buffers[fresh] = {fresh, shared ? Space::Shared : Space::Slow,      0,
                    bytes, shared ? display : global.getName().str(), true};
  return memoryNames[&global] = fresh;
}

std::string ValueReader::allocaBuffer(AllocaInst &alloca) {
  std::string &name = memoryNames[&alloca];
  if (!name.empty())
    return name;
  StringRef display =
      alloca.getName().take_until([](char c) { return c == '.'; });
  std::string fresh =
      context.fresh(display.empty() ? std::string("local") : display.str());
  std::optional<Expr> bytes;
  if (auto size = alloca.getAllocationSize(alloca.getModule()->getDataLayout());
      size && !size->isScalable())
    bytes = Expr(static_cast<int64_t>(size->getFixedValue()));
  buffers[fresh] = {fresh, Space::Private, 0, bytes, display.str(), true};
  return memoryNames[&alloca] = fresh;
}

Pointers ValueReader::readPointer(Value *v) {
  if (v->getType()->isVectorTy())
    return unknownPointer("vector of pointers");
  if (isa<ConstantPointerNull>(v)) {
    Pointer p;
    p.isNull = true;
    p.reason = "null pointer";
    return {p};
  }
  if (isa<UndefValue>(v))
    return unknownPointer("undefined pointer");
  if (auto *arg = dyn_cast<Argument>(v)) {
    if (arg->hasByValAttr() || arg->hasAttribute(Attribute::ByRef))
      return unknownPointer("address of a parameter");
    return pointerFromBinding(parameterField(arg), arg);
  }
  if (auto *global = dyn_cast<GlobalVariable>(v)) {
    Pointer p;
    p.buffer = globalBuffer(*global);
    return {p};
  }
  if (auto *alloca = dyn_cast<AllocaInst>(v)) {
    Pointer p;
    p.buffer = allocaBuffer(*alloca);
    return {p};
  }
  if (auto *gep = dyn_cast<GEPOperator>(v)) {
    const DataLayout &layout = function.getParent()->getDataLayout();
    Pointers base = pointer(gep->getPointerOperand());
    Expr offset;
    for (auto it = gep_type_begin(gep), end = gep_type_end(gep); it != end;
         ++it) {
      Value *index = it.getOperand();
      if (StructType *type = it.getStructTypeOrNull()) {
        unsigned field = cast<ConstantInt>(index)->getZExtValue();
        offset += Expr(static_cast<int64_t>(layout.getStructLayout(type)
                                                ->getElementOffset(field)
                                                .getFixedValue()));
        continue;
      }
      TypeSize stride = it.getSequentialElementStride(layout);
      if (stride.isScalable() || index->getType()->isVectorTy())
        return unknownPointer("vector of pointers");
      offset +=
          integer(index) * Expr(static_cast<int64_t>(stride.getFixedValue()));
    }
    for (Pointer &p : base)
      p.offset += offset;
    return base;
  }
  if (auto *op = dyn_cast<Operator>(v)) {
    switch (op->getOpcode()) {
    case Instruction::AddrSpaceCast:
    case Instruction::BitCast:
    case Instruction::Freeze:
      if (op->getOperand(0)->getType()->isPointerTy())
        return pointer(op->getOperand(0));
      return unknownPointer("pointer made of bits");
    case Instruction::IntToPtr:
      return pointerFromInteger(integer(op->getOperand(0)), op->getOperand(0));
    default:
      break;
    }
  }
  if (auto *select = dyn_cast<SelectInst>(v)) {
    Pointers both = choosePointer(v, condition(select->getCondition()),
                                  pointer(select->getTrueValue()),
                                  pointer(select->getFalseValue()));
    return both.size() > maxAlternatives
               ? unknownPointer("pointer with too many targets")
               : both;
  }
  if (auto *phi = dyn_cast<PHINode>(v))
    return readPointerPhi(*phi);
  if (auto *load = dyn_cast<LoadInst>(v)) {
    if (isParameterRead(*load))
      return pointerFromBinding(parameterField(load), load);
    return unknownPointer("pointer loaded from memory");
  }
  if (auto *extract = dyn_cast<ExtractValueInst>(v)) {
    Value *inserted = FindInsertedValue(extract->getAggregateOperand(),
                                        extract->getIndices());
    return inserted ? pointer(inserted)
                    : unknownPointer("pointer in an aggregate");
  }
  if (auto *call = dyn_cast<CallBase>(v)) {
    if (auto *intrinsic = dyn_cast<IntrinsicInst>(call);
        intrinsic && call->arg_size() >= 1 &&
        call->getArgOperand(0)->getType()->isPointerTy())
      switch (intrinsic->getIntrinsicID()) {
      case Intrinsic::launder_invariant_group:
      case Intrinsic::strip_invariant_group:
      case Intrinsic::ptr_annotation:
      case Intrinsic::ssa_copy:
        return pointer(call->getArgOperand(0));
      default:
        // Casts between address spaces.
        if (Function *f = call->getCalledFunction();
            f && f->getName().starts_with("llvm.nvvm.ptr."))
          return pointer(call->getArgOperand(0));
        break;
      }
    return unknownPointer("pointer returned by a call");
  }
  return unknownPointer("pointer not understood");
}

/// The address of a pointer as an integer: a symbol for the start of its buffer
/// plus the offset.
Expr ValueReader::address(Value *v, bool) {
  // Integers that were kept in a pointer's storage for a while.
  if (auto *extract = dyn_cast<ExtractValueInst>(v))
    if (Value *inserted = FindInsertedValue(extract->getAggregateOperand(),
                                            extract->getIndices()))
      v = inserted;
  if (auto *op = dyn_cast<Operator>(v);
      op && op->getOpcode() == Instruction::IntToPtr)
    return integer(op->getOperand(0));
  Pointers targets = pointer(v);
  if (targets.size() != 1 ||
      (targets.front().buffer.empty() && !targets.front().isNull))
    return unreadable(v, "address of an unknown pointer");
  const Pointer &p = targets.front();
  if (p.isNull)
    return p.offset;
  Expr base = context.parameter("base_" + p.buffer, Expr(0), std::nullopt,
                                "address of " + p.buffer, location(v));
  addressBase[base.name().str()] = p.buffer;
  auto it = buffers.find(p.buffer);
  bool fast = it != buffers.end() && it->second.space != Space::Slow;
  return base * Expr(fast ? fastAlignment : 1) + p.offset;
}

/// The only buffer whose address goes into an integer, however it is mixed with
/// others; empty if there is none or more.
std::string ValueReader::provenance(Value *v) {
  SmallVector<Value *, 16> work{v};
  SmallPtrSet<Value *, 32> seen{v};
  std::set<std::string> found;
  while (!work.empty() && seen.size() < 128) {
    auto *user = dyn_cast<User>(work.pop_back_val());
    if (!user || isa<LoadInst>(user))
      continue;
    for (Value *operand : user->operands()) {
      if (operand->getType()->isPointerTy() && !isa<Function>(operand) &&
          !isa<InlineAsm>(operand)) {
        for (const Pointer &p : pointer(operand))
          found.insert(p.buffer);
      } else if (operand->getType()->isIntegerTy() &&
                 !operand->getType()->isIntegerTy(1) &&
                 seen.insert(operand).second) {
        work.push_back(operand);
      }
    }
  }
  return work.empty() && found.size() == 1 ? *found.begin() : "";
}

Pointers ValueReader::pointerFromInteger(const Expr &e, Value *v) {
  for (const std::string &s : e.freeSymbols()) {
    auto it = addressBase.find(s);
    if (it == addressBase.end())
      continue;
    auto affine = e.asAffineIn(s);
    auto buffer = buffers.find(it->second);
    bool fast = buffer != buffers.end() && buffer->second.space != Space::Slow;
    if (!affine || affine->first != Expr(fast ? fastAlignment : 1))
      break;
    Pointer p;
    p.buffer = it->second;
    p.offset = affine->second;
    return {p};
  }
  if (std::string buffer = provenance(v); !buffer.empty()) {
    Pointer p;
    p.buffer = buffer;
    p.offset = unreadable(v, "address computed by bit operations");
    return {p};
  }
  return unknownPointer("pointer made of an integer");
}

Pointers ValueReader::pointerOfAddress(Value *v) {
  return pointerFromInteger(integer(v), v);
}

Pointers ValueReader::readPointerPhi(PHINode &phi) {
  Loop *l = loops.getLoopFor(phi.getParent());
  if (l && l->getHeader() == phi.getParent())
    return headerPointer(phi, l);
  auto incoming = incomingConditions(phi);
  if (incoming.empty())
    return unknownPointer("pointer phi not understood");
  auto read = [&](Value *v, unsigned i) {
    Pointers p = pointer(v);
    if (Loop *left = loopLeftBy(phi.getIncomingBlock(i), phi.getParent()))
      for (Pointer &target : p) {
        target.offset = atExit(target.offset, phi.getIncomingBlock(i), left);
        if (!target.when.isAlways())
          return unknownPointer("choice of a pointer made inside of a loop");
      }
    return p;
  };
  bool same = all_of(
      incoming, [&](auto &in) { return in.second == incoming.front().second; });
  Pointers result = read(incoming.back().second, incoming.size() - 1);
  if (same)
    return result;
  for (unsigned i = incoming.size() - 1; i-- > 0;) {
    Pointers p = read(incoming[i].second, i);
    result = choosePointer(&phi, incoming[i].first, p, result);
  }
  return result.size() > maxAlternatives
             ? unknownPointer("pointer with too many targets")
             : result;
}
