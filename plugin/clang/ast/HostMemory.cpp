//===- HostMemory.cpp - Variables of host code on symbols -----------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Host objects by path: reading, writing, and what stands in an object that
// nobody has written.
//
//===----------------------------------------------------------------------===//

#include "plugin/clang/ast/HostEval.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace ioflor::frontend {

std::string HostEval::spell(const Stmt *s) const {
  if (!s)
    return {};
  // The text as written where it is one piece, else printed from the AST.
  CharSourceRange range = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(s->getSourceRange()),
      ctx.getSourceManager(), ctx.getLangOpts());
  if (range.isValid()) {
    StringRef text =
        Lexer::getSourceText(range, ctx.getSourceManager(), ctx.getLangOpts());
    if (!text.empty() && text.size() < 200 && !text.contains('\n'))
      return text.str();
  }
  std::string text;
  raw_string_ostream os(text);
  PrintingPolicy policy(ctx.getLangOpts());
  policy.TerseOutput = true;
  s->printPretty(os, nullptr, policy);
  if (text.size() > 80)
    text.resize(80);
  return text;
}

std::string HostEval::where(SourceLocation loc) const {
  PresumedLoc presumed = ctx.getSourceManager().getPresumedLoc(
      ctx.getSourceManager().getExpansionLoc(loc));
  if (presumed.isInvalid())
    return "unknown place";
  StringRef file(presumed.getFilename());
  size_t slash = file.rfind('/');
  if (slash != StringRef::npos)
    file = file.drop_front(slash + 1);
  return (file + ":" + Twine(presumed.getLine())).str();
}

std::string HostEval::spellPath(const Path &path) const {
  std::string out;
  bool arrow = false;
  if (auto it = roots.find(path.root); it != roots.end()) {
    out = it->second.spelling;
    arrow = it->second.viaPointer;
  }
  for (const Step &step : path.steps) {
    if (step.kind == Step::Index) {
      out += "[" + itostr(step.index) + "]";
    } else {
      if (!out.empty())
        out += arrow ? "->" : ".";
      if (auto *field = dyn_cast_or_null<NamedDecl>(step.decl))
        out += field->getNameAsString();
    }
    arrow = false;
  }
  return out.empty() ? "value" : out;
}

Path HostEval::variable(const ValueDecl *decl) {
  decl = cast<ValueDecl>(decl->getCanonicalDecl());
  Path path;
  path.root = decl;
  roots.try_emplace(decl, Root{decl->getNameAsString(), decl->getType(), decl});
  return path;
}

/// The range that a value of this type has by itself.
static void typeRange(const ASTContext &ctx, QualType type,
                      std::optional<Expr> &lo, std::optional<Expr> &hi) {
  if (type.isNull() || !type->isIntegralOrEnumerationType())
    return;
  if (type->isBooleanType()) {
    lo = Expr(0);
    hi = Expr(1);
    return;
  }
  unsigned bits = std::min<uint64_t>(ctx.getTypeSize(type), 64);
  bool isSigned = type->isSignedIntegerOrEnumerationType();
  BigInt top(1);
  for (unsigned i = 0; i < bits - (isSigned ? 1 : 0); ++i)
    top = top * BigInt(2);
  hi = Expr(top - BigInt(1));
  if (!isSigned)
    lo = Expr(0);
}

Value HostEval::defaultFor(const Path &path, QualType type) {
  type = type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  std::string spelling = spellPath(path);
  SourceLocation loc;
  const Decl *decl = nullptr;
  if (!path.steps.empty())
    decl = path.steps.back().decl;
  else if (auto it = roots.find(path.root); it != roots.end())
    decl = it->second.decl;
  if (decl)
    loc = decl->getLocation();
  if (type->isIntegralOrEnumerationType()) {
    std::optional<Expr> lo, hi;
    typeRange(ctx, type, lo, hi);
    if (decl && !type->isBooleanType())
      if (std::optional<int> least = sizes.least(decl))
        lo = Expr(*least);
    return Value::integer(names.symbol(spelling, lo, hi, loc));
  }
  if (type->isAnyPointerType()) {
    QualType pointee = type->getPointeeType();
    const CXXRecordDecl *record = pointee->getAsCXXRecordDecl();
    if (pointee->isFunctionType() || pointee->isAnyPointerType())
      return Value::opaque(spelling);
    // A record that is not a word (half, float4) is a host object: `params->n`.
    if (record && record->hasDefinition() &&
        ctx.getTypeSizeInChars(pointee).getQuantity() > 16 &&
        pointee->isRecordType()) {
      Path object;
      object.root = &pointees.emplace_back();
      roots[object.root] = Root{spelling, pointee, nullptr, true};
      return Value::address(object);
    }
    unsigned buffer = names.buffer(spelling, loc);
    names.buffers[buffer].elementBytes = scalarBytes(ctx, pointee);
    return Value::pointer(buffer, 0);
  }
  if (type->isRecordType() || type->isArrayType())
    return Value::record();
  return Value::opaque(spelling);
}

/// The type of the part that a step leads to.
static QualType typeOfStep(const ASTContext &ctx, const Step &step,
                           QualType of) {
  if (step.kind == Step::Field)
    return cast<ValueDecl>(step.decl)->getType();
  if (of.isNull())
    return of;
  const ArrayType *array = ctx.getAsArrayType(of.getNonReferenceType());
  return array ? array->getElementType() : QualType();
}

Value *HostEval::slot(State &state, const Path &path) {
  Value *at = &state.vars.insert({path.root, Value()}).first->second;
  QualType type;
  if (auto it = roots.find(path.root); it != roots.end())
    type = it->second.type;
  for (const Step &step : path.steps) {
    // A part of what could not be read is made up by its type and spelling.
    if (at->kind != Value::Record)
      *at = Value::record();
    at = &at->fields[step];
    type = typeOfStep(ctx, step, type);
  }
  if (at->kind == Value::None && !type.isNull())
    *at = defaultFor(path, type);
  return at;
}

void HostEval::store(State &state, const Path &path, Value value) {
  // Walk without making up what is overwritten.
  Value *at = &state.vars.insert({path.root, Value()}).first->second;
  for (const Step &step : path.steps) {
    if (at->kind != Value::Record)
      *at = Value::record();
    at = &at->fields[step];
  }
  *at = std::move(value);
}

Value HostEval::part(State &state, const Path &path, QualType type) {
  Value *at = slot(state, path);
  if (at->kind == Value::None)
    *at = defaultFor(path, type);
  return *at;
}

Value HostEval::unknown(const clang::Expr *e, StringRef hint, bool noted) {
  QualType type = e->getType().getNonReferenceType();
  std::string text = spell(e);
  if (!type->isDependentType() && type->isIntegralOrEnumerationType()) {
    std::optional<Expr> lo, hi;
    typeRange(ctx, type, lo, hi);
    Expr made = names.symbol(hint.empty() ? StringRef(text) : hint, lo, hi,
                             e->getExprLoc(), noted ? StringRef(text) : "");
    if (SymbolInfo *info = names.find(made.name()); info && !hint.empty())
      info->display = hint.str();
    return Value::integer(made);
  }
  return Value::opaque(hint.empty() ? text : hint.str());
}

Value HostEval::integerOr(Value v, StringRef spelling, SourceLocation loc,
                          QualType type) {
  if (v.kind == Value::Integer)
    return v;
  if (v.kind == Value::Boolean) {
    if (v.cond.isAlways())
      return Value::integer(1);
    if (v.cond.isNever())
      return Value::integer(0);
  }
  std::optional<Expr> lo, hi;
  typeRange(ctx, type, lo, hi);
  return Value::integer(names.symbol(spelling, lo, hi, loc, spelling));
}

Value HostEval::mergeValue(const Value &a, const Value &b, StringRef name,
                           SourceLocation loc) {
  if (a == b)
    return a;
  if (a.kind == Value::None)
    return b.kind == Value::Record ? b : Value();
  if (b.kind == Value::None)
    return a.kind == Value::Record ? a : Value();
  if (a.kind == Value::Integer && b.kind == Value::Integer) {
    Expr made = names.symbol(name, min(a.num, b.num), max(a.num, b.num), loc,
                             (name + ", which differs between branches").str());
    return Value::integer(made);
  }
  if (a.kind == Value::Record && b.kind == Value::Record) {
    Value out = Value::record();
    for (const auto &[step, value] : a.fields) {
      auto other = b.fields.find(step);
      out.fields[step] = other == b.fields.end()
                             ? value
                             : mergeValue(value, other->second, name, loc);
    }
    for (const auto &[step, value] : b.fields)
      out.fields.try_emplace(step, value);
    return out;
  }
  return Value::opaque((name + ", which differs between branches").str());
}

State HostEval::merge(const State &before, State a, State b,
                      SourceLocation loc) {
  State out = before;
  out.vars.clear();
  auto nameOf = [&](const void *root) {
    Path p;
    p.root = root;
    return spellPath(p);
  };
  for (auto &[root, value] : a.vars) {
    auto it = b.vars.find(root);
    if (it == b.vars.end())
      out.vars.insert({root, value});
    else if (value == it->second)
      out.vars.insert({root, value});
    else
      out.vars.insert({root, mergeValue(value, it->second, nameOf(root), loc)});
  }
  for (auto &[root, value] : b.vars)
    out.vars.insert({root, value});
  // Facts that both ways share; what one way alone adds holds only there.
  out.facts.clear();
  for (const Fact &fact : a.facts)
    if (is_contained(b.facts, fact))
      out.facts.push_back(fact);
  return out;
}

} // namespace ioflor::frontend
