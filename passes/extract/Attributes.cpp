//===- Attributes.cpp - What a function says about itself -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On the function: ioflor.disclosure ("causal", "window(256)"), and expressions
// ioflor.claim_words and ioflor.fast_words. On an argument: ioflor.role and
// ioflor.extents. docs/mlir.md describes them.
//
//===----------------------------------------------------------------------===//
#include "passes/extract/Extractor.h"
#include "passes/extract/Unregistered.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::extract;

/// An expression over symbols of the subject; nullopt: an error, which is said.
static std::optional<Expr> expression(Operation *function, StringRef name,
                                      mlir::Attribute a) {
  auto text = dyn_cast<StringAttr>(a);
  ExprError error;
  std::optional<Expr> e;
  if (text)
    e = parseExpr(text.getValue(), &error);
  if (!e)
    function->emitError() << "'" << name << "' is no expression"
                          << (error.message.empty() ? "" : ": ")
                          << error.message;
  return e;
}

bool Extractor::declareFunction() {
  if (mlir::Attribute a = attributeOf(function, "ioflor.disclosure")) {
    auto text = dyn_cast<StringAttr>(a);
    StringRef kind = text ? text.getValue() : StringRef(), inside;
    bool given = kind.contains('(') && kind.ends_with(")");
    if (given)
      std::tie(kind, inside) = kind.drop_back().split('(');
    // 0: alone, 1: with an expression, 2: with words.
    int wants = llvm::StringSwitch<int>(kind)
                    .Cases({"exact", "causal", "causal_top_left"}, 0)
                    .Cases({"window", "window_symmetric"}, 1)
                    .Cases({"approximate", "sparse", "masked_by"}, 2)
                    .Default(-1);
    if (wants < 0 || (wants > 0) != given) {
      function->emitError()
          << "'ioflor.disclosure' must be exact, causal, causal_top_left, "
             "window(WIDTH), window_symmetric(WIDTH), approximate(WORDS), "
             "sparse(WORDS) or masked_by(FLAG)";
      return false;
    }
    NamedAttrList attrs;
    attrs.set("kind", builder.getStringAttr(kind));
    if (wants == 1) {
      auto w = expression(function, "ioflor.disclosure",
                          builder.getStringAttr(inside));
      if (!w)
        return false;
      attrs.set("w", ExprAttr::get(context(), *w));
    } else if (wants == 2) {
      attrs.set("text", builder.getStringAttr(inside));
    }
    if (auto where = function->getLoc()->findInstanceOf<FileLineColLoc>()) {
      attrs.set("line", builder.getI64IntegerAttr(where.getLine()));
      attrs.set("column", builder.getI64IntegerAttr(where.getColumn()));
    }
    subject.setDisclosureAttr(attrs.getDictionary(context()));
  }
  for (bool claim : {false, true}) {
    StringRef name = claim ? "ioflor.claim_words" : "ioflor.fast_words";
    mlir::Attribute a = attributeOf(function, name);
    if (!a)
      continue;
    auto e = expression(function, name, a);
    if (!e)
      return false;
    if (claim)
      subject.setClaimWordsAttr(ExprAttr::get(context(), *e));
    else
      subject.setFastWordsAttr(ExprAttr::get(context(), *e));
  }
  return true;
}

bool Extractor::isDeclared(const std::set<std::string> &symbols,
                           StringRef name) {
  for (const std::string &symbol : symbols)
    if (!names.contains(symbol)) {
      function->emitError() << "'" << name << "' uses '" << symbol
                            << "', which is no size of the function";
      return false;
    }
  return true;
}

std::optional<Expr> Extractor::declaredExpression(StringRef name,
                                                  mlir::Attribute a) {
  std::optional<Expr> e = expression(function, name, a);
  if (!e || !isDeclared(e->freeSymbols(), name))
    return std::nullopt;
  return e->substitute(given);
}

bool Extractor::replaceArgument(StringRef text) {
  auto [left, right] = text.split("==");
  std::optional<Expr> symbol = parseExpr(left.trim()),
                      value = parseExpr(right.trim());
  if (!symbol || symbol->kind() != ExprKind::Symbol || !value ||
      value->dependsOn(symbol->name()))
    return false;
  for (BlockArgument arg : function->getRegion(0).front().getArguments()) {
    const Entity &e = get(arg);
    if (!e.is(EntityKind::Index) || e.index != *symbol)
      continue;
    // Arguments that were given a value before are not named any more.
    std::map<std::string, Expr> map = given;
    Expr now = value->substitute(map);
    if (now.dependsOn(symbol->name()))
      return false;
    given[symbol->name().str()] = now;
    for (auto &[name, old] : given)
      old = old.substitute(symbol->name(), now);
    for (auto &[v, entity] : values)
      entity.index = entity.index.substitute(given);
    statement(symbol->str() + " == " + value->str() + " (ioflor.assume)",
              function->getLoc());
    return true;
  }
  return false;
}

bool Extractor::declareAssumptions() {
  // Triton compiles a variant for each of these, and calls no other.
  Block &entry = function->getRegion(0).front();
  for (BlockArgument arg : entry.getArguments()) {
    DictionaryAttr attributes =
        argumentAttributes(function, arg.getArgNumber());
    auto divisor = attributes ? attributes.getAs<IntegerAttr>("tt.divisibility")
                              : IntegerAttr();
    if (divisor && divisor.getInt() > 1 && arg.getType().isIntOrIndex())
      assumption(eq(mod(integer(arg), divisor.getInt()), 0), "tt.divisibility",
                 arg.getLoc());
  }
  SmallVector<StringRef> texts;
  if (mlir::Attribute a = attributeOf(function, "ioflor.assume")) {
    auto list = dyn_cast<ArrayAttr>(a);
    for (mlir::Attribute one :
         list ? list.getValue() : ArrayRef<mlir::Attribute>(a)) {
      auto text = dyn_cast<StringAttr>(one);
      texts.push_back(text ? text.getValue() : StringRef());
    }
  }
  if (!options.assume.empty())
    StringRef(options.assume).split(texts, ';');
  for (StringRef text : texts) {
    ExprError error;
    std::optional<Cond> c = parseCond(text.trim(), &error);
    if (!c || c->hasUnknown()) {
      function->emitError()
          << "'ioflor.assume' is no condition"
          << (error.message.empty() ? "" : ": ") << error.message;
      return false;
    }
    if (!isDeclared(c->freeSymbols(), "ioflor.assume"))
      return false;
    if (replaceArgument(text))
      continue;
    assumption(c->substitute(given), "ioflor.assume", function->getLoc());
  }
  return true;
}

bool Extractor::declareArguments() {
  if (subject.getClaimWords() &&
      !isDeclared(subject.getClaimWords()->freeSymbols(), "ioflor.claim_words"))
    return false;
  if (subject.getFastWords() &&
      !isDeclared(subject.getFastWords()->freeSymbols(), "ioflor.fast_words"))
    return false;
  if (DictionaryAttr d = subject.getDisclosureAttr())
    if (auto w = d.getAs<ExprAttr>("w");
        w && !isDeclared(w.getValue().freeSymbols(), "ioflor.disclosure"))
      return false;
  Block &entry = function->getRegion(0).front();
  for (unsigned k = 0; k < entry.getNumArguments(); ++k) {
    DictionaryAttr attributes = argumentAttributes(function, k);
    if (!attributes)
      continue;
    mlir::Attribute role = attributes.get("ioflor.role"),
                    extents = attributes.get("ioflor.extents");
    if (!role && !extents)
      continue;
    const Entity &e = get(entry.getArgument(k));
    auto buffer = e.is(EntityKind::Array) || e.is(EntityKind::Pointer)
                      ? dyn_cast_or_null<BufferOp>(
                            SymbolTable::lookupSymbolIn(subject, e.view.buffer))
                      : BufferOp();
    if (!buffer) {
      function->emitError() << "'ioflor.role' and 'ioflor.extents' describe "
                               "memory, which argument "
                            << k << " is not";
      return false;
    }
    if (role) {
      auto text = dyn_cast<StringAttr>(role);
      std::optional<Role> r =
          text ? symbolizeRole(text.getValue()) : std::nullopt;
      if (!r) {
        function->emitError() << "'ioflor.role' of argument " << k
                              << " must be Q, K, V, O, S or other";
        return false;
      }
      buffer.setRoleAttr(RoleAttr::get(context(), *r));
      buffer.setAnnotated(true);
    }
    if (extents) {
      auto list = dyn_cast<ArrayAttr>(extents);
      SmallVector<mlir::Attribute> sizes;
      for (mlir::Attribute a :
           list ? list.getValue() : ArrayRef<mlir::Attribute>(extents)) {
        auto size = declaredExpression("ioflor.extents", a);
        if (!size)
          return false;
        sizes.push_back(ExprAttr::get(context(), *size));
      }
      buffer.setExtentsAttr(builder.getArrayAttr(sizes));
      buffer.setEvidence("annotated");
      buffer.setAnnotated(true);
    }
  }
  return true;
}
