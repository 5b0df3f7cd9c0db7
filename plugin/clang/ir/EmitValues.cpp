//===- EmitValues.cpp - Computations of a stage -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/ir/Emit.h"
#include "plugin/clang/ir/Hardware.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace ioflor;
using namespace ioflor::ir;

mlir::Value Emitter::constant(StringRef detail, mlir::Location loc) {
  return compute(ComputeKind::Constant, {}, detail, loc);
}

mlir::Value Emitter::compute(ComputeKind kind, ArrayRef<mlir::Value> operands,
                             StringRef detail, mlir::Location loc) {
  mlir::MLIRContext *context = builder.getContext();
  return ComputeOp::create(builder, loc, ValueType::get(context),
                           ComputeKindAttr::get(context, kind), operands,
                           detail.empty() ? mlir::StringAttr()
                                          : builder.getStringAttr(detail))
      .getResult();
}

/// A part of a value, by its place in bytes: the roles follow it into the
/// element of memory that it came from.
mlir::Value Emitter::extract(mlir::Value of, int64_t bytes, int64_t offset,
                             mlir::Location loc) {
  std::string detail =
      ("extract " + Twine(bytes) + " at " + Twine(offset)).str();
  return compute(ComputeKind::Convert, {of}, detail, loc);
}

/// {size, offset} in bytes.
using Place = std::pair<int64_t, int64_t>;

/// A member of an aggregate.
static Place place(Type *type, ArrayRef<unsigned> indices,
                   const DataLayout &layout) {
  int64_t offset = 0;
  for (unsigned index : indices) {
    if (auto *st = dyn_cast<StructType>(type)) {
      offset += layout.getStructLayout(st)->getElementOffset(index);
      type = st->getElementType(index);
    } else {
      type = cast<ArrayType>(type)->getElementType();
      offset +=
          int64_t(index) * layout.getTypeAllocSize(type).getKnownMinValue();
    }
  }
  return {layout.getTypeStoreSize(type).getKnownMinValue(), offset};
}

/// Where inst puts its second operand into its first.
static std::optional<Place> partPut(const Instruction &inst,
                                    const DataLayout &layout) {
  if (auto *member = dyn_cast<InsertValueInst>(&inst))
    return place(member->getAggregateOperand()->getType(), member->getIndices(),
                 layout);
  auto *element = dyn_cast<InsertElementInst>(&inst);
  auto *index =
      element ? dyn_cast<ConstantInt>(element->getOperand(2)) : nullptr;
  if (!index || index->getValue().ugt(1024))
    return std::nullopt;
  int64_t bytes = layout.getTypeStoreSize(element->getOperand(1)->getType())
                      .getKnownMinValue();
  return Place(bytes, bytes * int64_t(index->getZExtValue()));
}

/// The bytes of its operand that inst takes: an element, a member, the low or
/// high bits of an integer; {size, offset}.
static std::optional<Place> partTaken(const Instruction &inst,
                                      const DataLayout &layout) {
  if (auto *element = dyn_cast<ExtractElementInst>(&inst)) {
    auto *index = dyn_cast<ConstantInt>(element->getIndexOperand());
    int64_t bytes = layout.getTypeStoreSize(inst.getType()).getKnownMinValue();
    if (!index || index->getValue().ugt(1024))
      return std::nullopt;
    return std::pair(bytes, bytes * int64_t(index->getZExtValue()));
  }
  if (auto *member = dyn_cast<ExtractValueInst>(&inst))
    return place(member->getAggregateOperand()->getType(), member->getIndices(),
                 layout);
  if (isa<TruncInst>(inst) && inst.getType()->isIntegerTy() &&
      inst.getType()->getIntegerBitWidth() % 8 == 0)
    return std::pair(int64_t(inst.getType()->getIntegerBitWidth() / 8),
                     int64_t(0));
  if (inst.getOpcode() == Instruction::LShr ||
      inst.getOpcode() == Instruction::AShr) {
    auto *by = dyn_cast<ConstantInt>(inst.getOperand(1));
    if (!by || !inst.getType()->isIntegerTy() || by->getValue().ugt(1024))
      return std::nullopt;
    int64_t bits = by->getSExtValue(),
            all = inst.getType()->getIntegerBitWidth();
    if (bits % 8 == 0 && all % 8 == 0 && bits < all)
      return std::pair((all - bits) / 8, bits / 8);
  }
  return std::nullopt;
}

static std::string constantText(const Constant &c) {
  if (isa<UndefValue>(c))
    return "undef";
  if (c.isNullValue())
    return "0";
  if (auto *fp = dyn_cast<ConstantFP>(&c)) {
    SmallString<24> text;
    fp->getValueAPF().toString(text);
    return text.str().str();
  }
  if (auto *i = dyn_cast<ConstantInt>(&c)) {
    SmallString<24> text;
    i->getValue().toString(text, 10, /*Signed=*/true);
    return text.str().str();
  }
  if (c.getType()->isVectorTy())
    if (Constant *element = c.getSplatValue())
      return constantText(*element);
  return "constant";
}

/// The skeleton's value of v where the builder stands. Indices become constants
/// with their expression as detail.
mlir::Value Emitter::get(Value *v, mlir::Location loc) {
  if (auto it = values.find(v); it != values.end())
    return it->second;
  if (auto *c = dyn_cast<Constant>(v); c && !c->getType()->isPointerTy())
    return constant(constantText(*c), loc);
  if (v->getType()->isPtrOrPtrVectorTy())
    return constant("pointer", loc);
  if (auto *arg = dyn_cast<Argument>(v); arg && flow.isData(arg))
    return constant(arg->getName(), loc);
  if (v->getType()->isIntegerTy(1)) {
    Cond c = reader.condition(v);
    return constant(c.hasUnknown() ? "unknown condition" : c.str(), loc);
  }
  if (v->getType()->isIntegerTy() && !flow.isData(v))
    return constant(simplified(reader.integer(v)).str(), loc);
  return constant("not modelled", loc);
}

static ComputeKind kindOf(const Instruction &inst) {
  switch (inst.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::Add:
    return ComputeKind::Add;
  case Instruction::FSub:
  case Instruction::Sub:
    return ComputeKind::Sub;
  case Instruction::FMul:
  case Instruction::Mul:
    return ComputeKind::Mul;
  case Instruction::FDiv:
  case Instruction::SDiv:
  case Instruction::UDiv:
    return ComputeKind::Div;
  case Instruction::FNeg:
    return ComputeKind::Neg;
  case Instruction::ExtractElement:
  case Instruction::ShuffleVector:
  case Instruction::ExtractValue:
  case Instruction::Freeze:
    return ComputeKind::Convert;
  default:
    return inst.isCast() ? ComputeKind::Convert : ComputeKind::Other;
  }
}

void Emitter::emitInstruction(Instruction &inst) {
  if (auto *load = dyn_cast<LoadInst>(&inst))
    return emitLoad(*load);
  if (auto *store = dyn_cast<StoreInst>(&inst))
    return emitStore(*store);
  if (auto *rmw = dyn_cast<AtomicRMWInst>(&inst))
    return emitAtomic(inst, rmw->getPointerOperand(), {rmw->getValOperand()},
                      AtomicRMWInst::getOperationName(rmw->getOperation()),
                      layout.getTypeStoreSize(rmw->getType()));
  if (auto *xchg = dyn_cast<AtomicCmpXchgInst>(&inst))
    return emitAtomic(
        inst, xchg->getPointerOperand(),
        {xchg->getCompareOperand(), xchg->getNewValOperand()}, "cmpxchg",
        layout.getTypeStoreSize(xchg->getNewValOperand()->getType()));
  if (auto *call = dyn_cast<CallBase>(&inst))
    return emitCall(*call);
  if (isa<AllocaInst>(inst) || inst.isTerminator() || !flow.isData(&inst))
    return;
  if (auto *select = dyn_cast<SelectInst>(&inst))
    return emitSelect(*select);
  emitArithmetic(inst);
}

void Emitter::emitArithmetic(Instruction &inst) {
  mlir::Location loc = reader.location(inst);
  if (auto part = partTaken(inst, layout))
    return define(&inst, extract(get(inst.getOperand(0), loc), part->first,
                                 part->second, loc));
  SmallVector<mlir::Value, 4> operands;
  std::string detail;
  ComputeKind kind = kindOf(inst);
  for (Value *v : inst.operands()) {
    if (isa<UndefValue>(v))
      continue;
    bool position =
        (isa<ExtractElementInst>(inst) && v == inst.getOperand(1)) ||
        (isa<InsertElementInst>(inst) && v == inst.getOperand(2));
    if (!position)
      operands.push_back(get(v, loc));
  }
  if (isa<ExtractElementInst, ExtractValueInst>(inst))
    detail = "extract";
  else if (auto part = partPut(inst, layout))
    detail =
        ("insert " + Twine(part->first) + " at " + Twine(part->second)).str();
  else if (isa<InsertElementInst, InsertValueInst>(inst))
    detail = "insert";
  else if (kind == ComputeKind::Other)
    detail = inst.getOpcodeName();
  define(&inst, compute(kind, operands, detail, loc));
}

/// A choice by sizes and indices is control flow: one guarded store each. One
/// by data stays a computation of both and what is compared.
void Emitter::emitSelect(SelectInst &select) {
  mlir::Location loc = reader.location(select);
  Value *cond = select.getCondition(), *a = select.getTrueValue(),
        *b = select.getFalseValue();
  if (cond->getType()->isIntegerTy(1)) {
    Cond c = reader.condition(cond);
    if (!c.hasUnknown()) {
      c = simplify(c, here());
      if (c.isAlways() || c.isNever())
        return define(&select, get(c.isAlways() ? a : b, loc));
      guarded(c, loc, [&] { storeRegister(&select, get(a, loc), loc); });
      guarded(!c, loc, [&] { storeRegister(&select, get(b, loc), loc); });
      values[&select] = loadRegister(&select, loc);
      return; // its register also serves uses outside of the loop
    }
  }
  SmallVector<mlir::Value, 4> operands{get(a, loc), get(b, loc)};
  if (auto *cmp = dyn_cast<FCmpInst>(cond)) {
    Value *x = cmp->getOperand(0), *y = cmp->getOperand(1);
    if ((x == a && y == b) || (x == b && y == a)) {
      switch (cmp->getPredicate()) {
      case CmpInst::FCMP_OGT:
      case CmpInst::FCMP_OGE:
      case CmpInst::FCMP_UGT:
      case CmpInst::FCMP_UGE:
        return define(&select,
                      compute(x == a ? ComputeKind::Max : ComputeKind::Min,
                              operands, "", loc));
      case CmpInst::FCMP_OLT:
      case CmpInst::FCMP_OLE:
      case CmpInst::FCMP_ULT:
      case CmpInst::FCMP_ULE:
        return define(&select,
                      compute(x == a ? ComputeKind::Min : ComputeKind::Max,
                              operands, "", loc));
      default:
        break;
      }
    }
    operands.push_back(get(x, loc));
    operands.push_back(get(y, loc));
  }
  std::string detail;
  if (cond->getType()->isIntegerTy(1))
    detail = reader.condition(cond).str();
  define(&select, compute(ComputeKind::Select, operands, detail, loc));
}
