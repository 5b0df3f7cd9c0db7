//===- Parameters.cpp - Kernel parameters by their bindings -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/ir/Values.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace ioflor;
using namespace ioflor::ir;

namespace {
/// Which parameter of the source an LLVM argument belongs to, and where in it
/// (a struct may be split over several arguments).
struct ArgumentPlace {
  const frontend::ParamBinding *param = nullptr;
  uint64_t offset = 0;
};
} // namespace

static StringRef parameterName(const Argument &arg) {
  return arg.getName().split(".coerce").first;
}

static ArgumentPlace placeOf(const Argument &arg,
                             const frontend::StageSpec &spec) {
  const Function &f = *arg.getParent();
  const DataLayout &layout = f.getParent()->getDataLayout();
  StringRef name = parameterName(arg);
  for (const frontend::ParamBinding &p : spec.params) {
    if (name.empty() || name != p.name)
      continue;
    uint64_t offset = 0;
    for (const Argument &before : f.args()) {
      if (&before == &arg)
        return {&p, offset};
      if (parameterName(before) == name)
        offset = alignTo(offset + layout.getTypeAllocSize(before.getType()),
                         layout.getABITypeAlign(arg.getType()));
    }
  }
  if (f.arg_size() == spec.params.size())
    return {&spec.params[arg.getArgNo()], 0};
  return {};
}

static const frontend::Binding *fieldAt(const ArgumentPlace &place,
                                        uint64_t offset) {
  if (!place.param)
    return nullptr;
  auto it = place.param->fields.find(place.offset + offset);
  return it == place.param->fields.end() ? nullptr : &it->second;
}

static bool isByValue(const Argument &arg) {
  return arg.hasByValAttr() || arg.hasAttribute(Attribute::ByRef);
}

/// The argument that a load reads from the parameter area, and where; null for
/// a load from memory.
static const Argument *parameterArea(const LoadInst &load, uint64_t &offset,
                                     bool &constant) {
  const DataLayout &layout = load.getModule()->getDataLayout();
  const Value *p = load.getPointerOperand();
  APInt at(layout.getIndexTypeSizeInBits(p->getType()), 0);
  const Value *base = p->stripAndAccumulateConstantOffsets(layout, at, true);
  constant = true;
  while (!isa<Argument>(base)) {
    if (auto *gep = dyn_cast<GEPOperator>(base)) {
      constant = false;
      base = gep->getPointerOperand();
    } else if (auto *cast = dyn_cast<AddrSpaceCastOperator>(base)) {
      base = cast->getPointerOperand();
    } else if (auto *call = dyn_cast<IntrinsicInst>(base);
               call && call->arg_size() == 1 &&
               call->getArgOperand(0)->getType()->isPointerTy()) {
      // nvvm.ptr.gen.to.param and its kind.
      base = call->getArgOperand(0);
    } else {
      return nullptr;
    }
    APInt more(layout.getIndexTypeSizeInBits(base->getType()), 0);
    base = base->stripAndAccumulateConstantOffsets(layout, more, true);
    at = at.zextOrTrunc(64) + more.zextOrTrunc(64);
  }
  auto *arg = cast<Argument>(base);
  if (!isByValue(*arg))
    return nullptr;
  offset = at.getZExtValue();
  return arg;
}

bool ValueReader::isParameterRead(const LoadInst &load) {
  uint64_t offset;
  bool constant;
  return parameterArea(load, offset, constant) != nullptr;
}

/// `params_16` for what lies 16 bytes into a parameter; empty where the offset
/// is not constant.
std::string ValueReader::fieldName(const LoadInst &load) const {
  uint64_t offset;
  bool constant;
  const Argument *arg = parameterArea(load, offset, constant);
  if (!arg || !constant)
    return "";
  std::string name = parameterName(*arg).str();
  return (name.empty() ? "argument" : name) + "_" + std::to_string(offset);
}

const frontend::Binding *ValueReader::parameterField(Value *v) {
  if (auto *arg = dyn_cast<Argument>(v))
    return fieldAt(placeOf(*arg, spec), 0);
  if (auto *load = dyn_cast<LoadInst>(v)) {
    uint64_t offset;
    bool constant;
    if (const Argument *arg = parameterArea(*load, offset, constant);
        arg && constant)
      return fieldAt(placeOf(*arg, spec), offset);
  }
  return nullptr;
}

Expr ValueReader::fromBinding(const frontend::Binding *binding, StringRef name,
                              const Value *v) {
  if (binding && binding->kind == frontend::Binding::Integer)
    return binding->value;
  std::string display =
      binding && !binding->display.empty() ? binding->display : name.str();
  return context.parameter(
      Context::identifier(display.empty() ? "argument" : display), std::nullopt,
      std::nullopt, display, location(v));
}

Pointers ValueReader::pointerFromBinding(const frontend::Binding *binding,
                                         const Value *v) {
  Pointer p;
  if (binding && binding->kind == frontend::Binding::Pointer) {
    p.buffer = binding->buffer;
    p.offset = binding->offsetBytes;
  } else if (binding && binding->kind == frontend::Binding::Integer &&
             binding->value.isZero()) {
    p.isNull = true;
    p.reason = "null pointer";
    return {p};
  } else {
    // Nobody says what it points at: a buffer of its own, one for all loads of
    // a field.
    std::string display;
    if (binding && !binding->display.empty())
      display = binding->display;
    else if (auto *load = dyn_cast<LoadInst>(v))
      display = fieldName(*load);
    else
      display = v->getName().split(".coerce").first.str();
    if (display.empty() && isa<LoadInst>(v))
      return unknownPointer("a parameter's element at a computed index");
    std::string &name = unboundBuffers[display.empty() ? "buffer" : display];
    if (name.empty()) {
      name = context.fresh(display.empty() ? "buffer" : display);
      unsigned space = v->getType()->getPointerAddressSpace();
      buffers[name] = {name,    space == 3 ? Space::Shared : Space::Slow,
                       0,       std::nullopt,
                       display, true};
    }
    p.buffer = name;
  }
  return {p};
}
