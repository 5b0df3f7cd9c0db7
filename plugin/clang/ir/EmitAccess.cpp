//===- EmitAccess.cpp - Loads and stores of a stage -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/ir/Emit.h"
#include "plugin/clang/ir/Hardware.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace ioflor;
using namespace ioflor::ir;

unsigned ioflor::ir::scalarBytes(Type *type, const DataLayout &layout) {
  while (true) {
    if (auto *vector = dyn_cast<VectorType>(type))
      type = vector->getElementType();
    else if (auto *array = dyn_cast<ArrayType>(type))
      type = array->getElementType();
    else if (auto *st = dyn_cast<StructType>(type);
             st && st->getNumElements() > 0)
      type = st->getElementType(0);
    else
      break;
  }
  return type->isSized() ? layout.getTypeStoreSize(type).getKnownMinValue() : 0;
}

/// The scalar in a vector, array or struct type is an integer: perhaps several
/// packed halves, which the headers move as one.
static bool holdsIntegers(Type *type) {
  while (true) {
    if (auto *array = dyn_cast<ArrayType>(type))
      type = array->getElementType();
    else if (auto *st = dyn_cast<StructType>(type);
             st && st->getNumElements() > 0)
      type = st->getElementType(0);
    else
      return type->isIntOrIntVectorTy();
  }
}

void Emitter::measure(Value *pointer, Type *type) {
  measure(pointer, scalarBytes(type, layout), holdsIntegers(type));
}

void Emitter::measure(Value *pointer, unsigned bytes, bool integers) {
  if (bytes == 0)
    return;
  for (const Pointer &p : asPointer(pointer)) {
    auto it = buffers.find(p.buffer);
    if (it == buffers.end())
      continue;
    BufferInfo &b = it->second;
    b.packed &= integers;
    if (b.guessed)
      b.elementBytes =
          b.elementBytes == 0 ? bytes : std::min(b.elementBytes, bytes);
  }
}

void Emitter::measureElements() {
  // Counted loops bound their variables, which reading values makes use of.
  for (Loop *l : loops.getLoopsInPreorder())
    reader.loop(l);
  for (Instruction &inst : instructions(function)) {
    if (auto *load = dyn_cast<LoadInst>(&inst)) {
      if (!reader.isParameterRead(*load) && !launchRead(inst))
        measure(load->getPointerOperand(), load->getType());
    } else if (auto *store = dyn_cast<StoreInst>(&inst)) {
      measure(store->getPointerOperand(),
              store->getValueOperand()->getType());
    } else if (auto *rmw = dyn_cast<AtomicRMWInst>(&inst)) {
      measure(rmw->getPointerOperand(), rmw->getType());
    } else if (auto *call = dyn_cast<CallBase>(&inst);
               call && call->isInlineAsm()) {
      for (const AsmEffect &e : readAsm(*call)) {
        unsigned bytes = e.scalarBytes;
        if (e.from && bytes)
          measure(call->getArgOperand(*e.from), bytes);
        if (e.to && bytes)
          measure(call->getArgOperand(*e.to), bytes);
      }
    } else if (auto *intrinsic = dyn_cast<IntrinsicInst>(&inst)) {
      // Fragment loads name the element in the intrinsic: f16, bf16, f32, ...
      StringRef name = intrinsic->getCalledFunction()->getName();
      if (name.starts_with("llvm.nvvm.wmma.") ||
          name.starts_with("llvm.nvvm.ldmatrix")) {
        unsigned bytes = name.contains("f16") || name.contains("b16") ? 2
                         : name.contains("s8") || name.contains("u8") ? 1
                                                                      : 4;
        measure(intrinsic->getArgOperand(0), bytes);
      }
    }
  }
  // A tile of packed halves counts halves, as the operand that it holds does:
  // else one of its elements would be two of theirs.
  unsigned narrowest = 0;
  for (const auto &[name, b] : buffers)
    if (b.space == Space::Slow && b.elementBytes > 0 && !b.guessed)
      narrowest =
          narrowest ? std::min(narrowest, b.elementBytes) : b.elementBytes;
  for (auto &[name, b] : buffers)
    if (b.space != Space::Slow && b.guessed && b.packed && narrowest >= 2 &&
        b.elementBytes > narrowest && b.elementBytes % narrowest == 0)
      b.elementBytes = narrowest;
}

void Emitter::unknown(StringRef reason, mlir::Location loc) {
  UnknownOp::create(builder, loc, builder.getStringAttr(reason),
                    mlir::ArrayAttr(), mlir::ArrayAttr(),
                    builder.getUnitAttr());
}

bool Emitter::isSlowOrUnknown(const Pointers &targets) const {
  return any_of(targets, [&](const Pointer &p) {
    auto it = buffers.find(p.buffer);
    return it == buffers.end() || it->second.space == Space::Slow;
  });
}

/// Integers are addresses of the shared window in inline assembly.
Pointers Emitter::asPointer(Value *v) {
  if (v->getType()->isPointerTy())
    return reader.pointer(v);
  return reader.pointerOfAddress(v);
}

mlir::Value Emitter::readOne(const Pointer &p, int64_t bytes,
                             mlir::Location loc, bool atomic) {
  mlir::MLIRContext *context = builder.getContext();
  auto it = buffers.find(p.buffer);
  if (it == buffers.end()) {
    if (!p.isNull)
      unknown("reads through a pointer that is not known: " + p.reason, loc);
    return constant("unknown", loc);
  }
  int64_t element = std::max(1u, it->second.elementBytes);
  int64_t width = std::max<int64_t>(1, (bytes + element - 1) / element);
  Expr address = simplified(floordiv(p.offset, Expr(element)));
  return LoadOp::create(builder, loc, ValueType::get(context),
                        mlir::FlatSymbolRefAttr::get(context, p.buffer),
                        ExprAttr::get(context, address),
                        builder.getI64IntegerAttr(width),
                        builder.getI64IntegerAttr(instr++), mlir::StringAttr(),
                        atomic ? builder.getUnitAttr() : mlir::UnitAttr())
      .getResult();
}

void Emitter::writeOne(mlir::Value value, const Pointer &p, int64_t bytes,
                       mlir::Location loc, bool atomic) {
  mlir::MLIRContext *context = builder.getContext();
  auto it = buffers.find(p.buffer);
  if (it == buffers.end()) {
    if (!p.isNull)
      unknown("writes through a pointer that is not known: " + p.reason, loc);
    return;
  }
  int64_t element = std::max(1u, it->second.elementBytes);
  int64_t width = std::max<int64_t>(1, (bytes + element - 1) / element);
  Expr address = simplified(floordiv(p.offset, Expr(element)));
  StoreOp::create(
      builder, loc, value, mlir::FlatSymbolRefAttr::get(context, p.buffer),
      ExprAttr::get(context, address), builder.getI64IntegerAttr(width),
      builder.getI64IntegerAttr(instr++), mlir::StringAttr(),
      atomic ? builder.getUnitAttr() : mlir::UnitAttr());
}

mlir::Value Emitter::read(const Pointers &from, int64_t bytes,
                          mlir::Location loc, bool atomic) {
  if (from.size() == 1)
    return readOne(from.front(), bytes, loc, atomic);
  // One guarded load each, joined by a register.
  Pointer joined;
  joined.buffer = temporary(bytes, loc);
  for (const Pointer &p : from)
    guarded(p.when, loc, [&] {
      mlir::Value v = readOne(p, bytes, loc, atomic);
      writeOne(v, joined, bytes, loc, false);
    });
  return readOne(joined, bytes, loc, false);
}

void Emitter::write(mlir::Value value, const Pointers &to, int64_t bytes,
                    mlir::Location loc, bool atomic) {
  for (const Pointer &p : to)
    guarded(p.when, loc, [&] { writeOne(value, p, bytes, loc, atomic); });
}

void Emitter::emitLoad(LoadInst &load) {
  if (launchRead(load))
    return;
  mlir::Location loc = reader.location(load);
  if (reader.isParameterRead(load)) {
    if (flow.isData(&load))
      define(&load, constant(load.getName(), loc));
    return;
  }
  int64_t bytes = layout.getTypeStoreSize(load.getType()).getKnownMinValue();
  mlir::Value v =
      read(asPointer(load.getPointerOperand()), bytes, loc, load.isAtomic());
  if (flow.isData(&load))
    define(&load, v);
}

void Emitter::emitStore(StoreInst &store) {
  mlir::Location loc = reader.location(store);
  Value *v = store.getValueOperand();
  int64_t bytes = layout.getTypeStoreSize(v->getType()).getKnownMinValue();
  write(get(v, loc), asPointer(store.getPointerOperand()), bytes, loc,
        store.isAtomic());
}

void Emitter::emitAtomic(Instruction &inst, Value *pointer,
                         ArrayRef<Value *> operands, StringRef name,
                         int64_t bytes) {
  mlir::Location loc = reader.location(inst);
  Pointers where = asPointer(pointer);
  mlir::Value old = read(where, bytes, loc, true);
  SmallVector<mlir::Value, 3> in{old};
  for (Value *v : operands)
    in.push_back(get(v, loc));
  ComputeKind kind = name.contains("add")   ? ComputeKind::Add
                     : name.contains("sub") ? ComputeKind::Sub
                     : name.contains("max") ? ComputeKind::Max
                     : name.contains("min") ? ComputeKind::Min
                                            : ComputeKind::Other;
  write(compute(kind, in, "atomic " + name.str(), loc), where, bytes, loc,
        true);
  if (flow.isData(&inst))
    define(&inst, old);
}
