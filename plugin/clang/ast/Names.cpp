//===- Names.cpp - Symbols and buffers of one host function ---------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/ast/Names.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecordLayout.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace ioflor::frontend {

Names::Names() {
  // Python's words and the loop variables and functions of the skeleton.
  for (const char *word :
       {"and",   "as",     "assert",   "break",   "class",  "continue",
        "def",   "del",    "elif",     "else",    "except", "finally",
        "for",   "from",   "global",   "if",      "import", "in",
        "is",    "lambda", "nonlocal", "not",     "or",     "pass",
        "raise", "return", "try",      "while",   "with",   "yield",
        "None",  "True",   "False",    "min",     "max",    "sum",
        "range", "mod",    "floordiv", "ceildiv", "cdiv",   "unknown",
        "bx",    "by",     "bz",       "tx",      "ty",     "tz",
        "M",     "true",   "false",    "async",   "await"})
    taken.insert(word);
}

std::string Names::identifier(StringRef spelling) {
  std::string out;
  for (char c : spelling) {
    if (isAlnum(c) || c == '_')
      out += c;
    else if (!out.empty() && out.back() != '_')
      out += '_';
  }
  while (out.size() > 1 && out.back() == '_')
    out.pop_back();
  if (out.size() > 40)
    out.resize(40);
  if (out.empty() || isDigit(out.front()))
    out.insert(0, "v_");
  std::string unique = out;
  for (unsigned n = 1; !taken.insert(unique).second; ++n)
    unique = out + "_" + utostr(n);
  return unique;
}

Expr Names::symbol(StringRef spelling, std::optional<Expr> lo,
                   std::optional<Expr> hi, SourceLocation loc,
                   StringRef unreadable) {
  std::string name = identifier(spelling);
  known.declare(name, lo, hi);
  index.emplace(name, symbols.size());
  symbols.push_back({name, spelling.str(), lo, hi, unreadable.str(), loc});
  return Expr::symbol(name);
}

unsigned Names::buffer(StringRef spelling, SourceLocation loc) {
  BufferInfo info;
  info.name = identifier(spelling);
  info.display = spelling.str();
  info.loc = loc;
  buffers.push_back(std::move(info));
  return buffers.size() - 1;
}

SymbolInfo *Names::find(StringRef name) {
  auto it = index.find(name);
  return it == index.end() ? nullptr : &symbols[it->second];
}

const SymbolInfo *Names::find(StringRef name) const {
  return const_cast<Names *>(this)->find(name);
}

unsigned scalarBytes(const ASTContext &context, QualType pointee) {
  pointee = pointee.getCanonicalType().getUnqualifiedType();
  for (unsigned depth = 0; depth < 8; ++depth) {
    if (pointee.isNull() || pointee->isVoidType() ||
        pointee->isIncompleteType() || pointee->isFunctionType())
      return 0;
    if (const auto *array = context.getAsArrayType(pointee)) {
      pointee = array->getElementType();
      continue;
    }
    if (const auto *vector = pointee->getAs<VectorType>()) {
      pointee = vector->getElementType();
      continue;
    }
    if (const auto *record = pointee->getAsCXXRecordDecl()) {
      if (!record->hasDefinition())
        return 0;
      record = record->getDefinition();
      const FieldDecl *first = nullptr;
      for (const FieldDecl *field : record->fields()) {
        first = field;
        break;
      }
      if (!first && record->getNumBases() == 1) {
        pointee = record->bases_begin()->getType();
        continue;
      }
      if (!first)
        return 0;
      pointee = first->getType();
      continue;
    }
    if (const auto *record = pointee->getAsRecordDecl()) {
      if (record->field_empty())
        return 0;
      pointee = record->field_begin()->getType();
      continue;
    }
    return context.getTypeSizeInChars(pointee).getQuantity();
  }
  return 0;
}

} // namespace ioflor::frontend
