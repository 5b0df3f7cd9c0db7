//===- Problem.cpp - The attention problem of a subject -------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/floors/Problem.h"
#include "passes/floors/Targets.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::floors;

int64_t ioflor::floors::wordBytes(SubjectOp subject) {
  int64_t narrowest = 0;
  for (auto buffer : subject.getBody().getOps<BufferOp>()) {
    if (buffer.getRole().value_or(Role::Other) == Role::Other)
      continue;
    int64_t bytes = buffer.getElementBytes();
    narrowest = narrowest == 0 ? bytes : std::min(narrowest, bytes);
  }
  return std::max<int64_t>(narrowest, 1);
}

static std::optional<Expr> sizeOf(DictionaryAttr dims, StringRef name) {
  Attribute a = dims ? dims.get(name) : Attribute();
  if (auto e = dyn_cast_or_null<ExprAttr>(a))
    return e.getValue();
  if (auto i = dyn_cast_or_null<IntegerAttr>(a))
    return Expr(i.getInt());
  return std::nullopt;
}

static BufferOp bufferOfRole(SubjectOp subject, Role role) {
  for (auto buffer : subject.getBody().getOps<BufferOp>())
    if (buffer.getRole().value_or(Role::Other) == role)
      return buffer;
  return {};
}

/// `: 'K': rows of K and V do not match`, for the first buffer whose shape the
/// role analysis gave up.
static std::string openShapes(SubjectOp subject) {
  for (auto buffer : subject.getBody().getOps<BufferOp>()) {
    StringRef evidence = buffer.getEvidence().value_or("");
    if (evidence.consume_front("inconclusive: "))
      return (": '" + buffer.getSymName() + "': " + evidence).str();
  }
  return "";
}

std::optional<Problem> ioflor::floors::readProblem(SubjectOp subject,
                                                   std::string *why) {
  auto fail = [&](const llvm::Twine &reason) -> std::optional<Problem> {
    if (why)
      *why = reason.str();
    return std::nullopt;
  };
  DictionaryAttr dims = subject.getDims().value_or(DictionaryAttr());
  if (!dims || dims.empty())
    return fail("no sizes of an attention were found" + openShapes(subject));
  Problem p;
  p.fastWords = Expr::symbol(fastWordsName(subject));
  const std::pair<StringRef, Expr *> needed[] = {{"n_q", &p.dims.nQ},
                                                 {"n_k", &p.dims.nK},
                                                 {"d", &p.dims.d},
                                                 {"d_v", &p.dims.dV}};
  for (auto [name, to] : needed) {
    auto e = sizeOf(dims, name);
    if (!e)
      return fail("the size " + name + " was not found" + openShapes(subject));
    *to = *e;
  }
  p.dims.batch = sizeOf(dims, "batch").value_or(Expr(1));
  p.dims.heads = sizeOf(dims, "heads").value_or(Expr(1));
  p.dims.kvHeads = sizeOf(dims, "kv_heads").value_or(p.dims.heads);
  // One buffer that is both K and V carries the role K.
  p.dims.aliasedKV =
      bufferOfRole(subject, Role::K) && !bufferOfRole(subject, Role::V);
  if (std::optional<DictionaryAttr> disclosure = subject.getDisclosure()) {
    Expr w;
    if (auto width = disclosure->getAs<ExprAttr>("w"))
      w = width.getValue();
    auto kind = disclosure->getAs<StringAttr>("kind");
    auto mask = maskFromName(kind ? kind.getValue() : "", w);
    if (!mask)
      return fail("the disclosure is not one that is known");
    bool window = mask->kind == MaskKind::Window ||
                  mask->kind == MaskKind::WindowSymmetric;
    if (window && !disclosure->get("w"))
      return fail("the width of the window could not be read");
    p.mask = *mask;
    p.disclosed = true;
  }
  return p;
}

std::optional<GivenFastWords>
ioflor::floors::givenFastWords(SubjectOp subject, StringRef option,
                               StringRef target, std::string &error) {
  if (!option.empty()) {
    ExprError parse;
    auto e = parseExpr(option, &parse);
    if (!e) {
      error = "M is no expression: " + parse.message;
      return std::nullopt;
    }
    // The expression may speak of the subject's symbols; elsewhere a number
    // is all that makes sense.
    std::set<std::string> known;
    for (auto symbol : subject.getBody().getOps<SymbolOp>())
      known.insert(symbol.getName().str());
    for (const std::string &s : e->freeSymbols())
      if (!known.count(s)) {
        error = "M uses '" + s + "', which the subject does not have";
        return std::nullopt;
      }
    if (auto c = e->constant(); c && *c < 1) {
      error = "M must be at least 1";
      return std::nullopt;
    }
    return GivenFastWords{*e, *e, ("M=" + option).str()};
  }
  if (std::optional<Expr> e = subject.getFastWords())
    return GivenFastWords{*e, *e, "IOFLOR_FAST_WORDS"};
  if (target.empty())
    return std::nullopt;
  auto t = findTarget(target);
  if (!t) {
    error = ("target '" + target + "' is not known").str();
    return std::nullopt;
  }
  int64_t bytes = wordBytes(subject);
  return GivenFastWords{t->fastBytes() / bytes,
                        (t->fastBytes() + bytes - 1) / bytes, t->name};
}
