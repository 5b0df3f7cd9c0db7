//===- SubjectParams.cpp - What kernel parameters are bound to ------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/ast/SubjectBuilder.h"
#include "clang/AST/RecordLayout.h"

using namespace llvm;
using namespace clang;

namespace ioflor::frontend {

std::string SubjectBuilder::bufferFor(const Value &value, QualType pointer,
                                      const std::string &spelling,
                                      SourceLocation loc) {
  unsigned buffer;
  if (value.kind == Value::Pointer) {
    buffer = value.buffer;
  } else {
    // Where the pointer comes from could not be read: memory of its own, one
    // for each spelling.
    std::string text = value.spelling.empty() ? spelling : value.spelling;
    auto [it, fresh] = opaqueBuffers.try_emplace(text, 0);
    if (fresh)
      it->second = names.buffer(spelling, loc);
    buffer = it->second;
  }
  BufferInfo &info = names.buffers[buffer];
  unsigned bytes = scalarBytes(ctx, pointer->getPointeeType());
  if (bytes && (!info.elementBytes || bytes < info.elementBytes))
    info.elementBytes = bytes;
  auto [it, fresh] = bufferIndex.try_emplace(buffer, spec.buffers.size());
  if (fresh) {
    BufferSpec made;
    made.name = info.name;
    made.display = info.display;
    made.evidence = info.evidence;
    made.loc = info.loc;
    spec.buffers.push_back(std::move(made));
  }
  BufferSpec &made = spec.buffers[it->second];
  made.elementBytes = info.elementBytes;
  if (info.bytes && info.elementBytes)
    made.words = floordiv(*info.bytes, Expr(int64_t(info.elementBytes)));
  return made.name;
}

void SubjectBuilder::bindScalar(QualType type, const Value &value, uint64_t at,
                                const std::string &spelling,
                                ParamBinding &out) {
  Binding binding;
  binding.display = spelling;
  if (type->isAnyPointerType()) {
    if (value.kind == Value::Null) {
      binding.kind = Binding::Integer;
      binding.value = 0;
    } else if (!type->getPointeeType()->isFunctionType()) {
      binding.kind = Binding::Pointer;
      binding.buffer = bufferFor(value, type, spelling, spec.loc);
      if (value.kind == Value::Pointer)
        binding.offsetBytes = value.num;
    }
  } else if (type->isIntegralOrEnumerationType()) {
    binding.kind = Binding::Integer;
    if (value.kind == Value::Boolean && !value.cond.isAlways() &&
        !value.cond.isNever()) {
      // Either value; what it stands for is not carried along.
      binding.value = names.symbol(spelling, Expr(0), Expr(1), spec.loc);
    } else {
      binding.value = eval.integerOr(value, spelling, spec.loc, type).num;
    }
  }
  out.fields[at] = std::move(binding);
}

void SubjectBuilder::bindRecord(const RecordDecl *record, const Value &value,
                                uint64_t at, const std::string &spelling,
                                ParamBinding &out) {
  if (!record->isCompleteDefinition() || record->isUnion()) {
    out.fields[at] = Binding();
    return;
  }
  const ASTRecordLayout &layout = ctx.getASTRecordLayout(record);
  if (const auto *cxx = dyn_cast<CXXRecordDecl>(record))
    for (const CXXBaseSpecifier &base : cxx->bases())
      if (const auto *parent = base.getType()->getAsCXXRecordDecl();
          parent && !base.isVirtual())
        bindRecord(parent, value,
                   at + layout.getBaseClassOffset(parent).getQuantity(),
                   spelling, out);
  auto bindPart = [&](auto &self, QualType type, const Value &part,
                      uint64_t offset, const std::string &text) -> void {
    if (const ConstantArrayType *array = ctx.getAsConstantArrayType(type)) {
      uint64_t count = array->getZExtSize();
      uint64_t size =
          ctx.getTypeSizeInChars(array->getElementType()).getQuantity();
      for (uint64_t i = 0; i < count && i < 16; ++i) {
        auto it = part.fields.find({Step::Index, nullptr, int64_t(i)});
        std::string element = text + "[" + std::to_string(i) + "]";
        self(self, array->getElementType(),
             it == part.fields.end() ? Value::opaque(element) : it->second,
             offset + i * size, element);
      }
      return;
    }
    if (const RecordDecl *inner = type->getAsRecordDecl())
      bindRecord(inner, part, offset, text, out);
    else
      bindScalar(type, part, offset, text, out);
  };
  for (const FieldDecl *field : record->fields()) {
    if (field->isBitField())
      continue;
    uint64_t offset = at + layout.getFieldOffset(field->getFieldIndex()) / 8;
    std::string text = spelling + "." + field->getNameAsString();
    auto it = value.fields.find({Step::Field, field->getCanonicalDecl(), 0});
    Value part = it == value.fields.end() || it->second.kind == Value::None
                     ? Value::opaque(text)
                     : it->second;
    bindPart(bindPart, field->getType(), part, offset, text);
  }
}

ParamBinding SubjectBuilder::bindParam(const ParmVarDecl *param,
                                       const Value &value) {
  ParamBinding out;
  out.name = param->getNameAsString();
  QualType type = param->getType().getNonReferenceType();
  if (const RecordDecl *record = type->getAsRecordDecl())
    bindRecord(record->getDefinition() ? record->getDefinition() : record,
               value, 0, out.name, out);
  else
    bindScalar(type, value, 0, out.name, out);
  return out;
}

} // namespace ioflor::frontend
