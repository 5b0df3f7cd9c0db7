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
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "passes/extract/Extractor.h"
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
  if (mlir::Attribute a = function->getDiscardableAttr("ioflor.disclosure")) {
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
    mlir::Attribute a = function->getDiscardableAttr(name);
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

bool Extractor::declareArguments() {
  auto f = dyn_cast<FunctionOpInterface>(function);
  auto declared = [&](const Expr &e, StringRef name) {
    for (const std::string &symbol : e.freeSymbols())
      if (!names.contains(symbol)) {
        function->emitError() << "'" << name << "' uses '" << symbol
                              << "', which is no size of the function";
        return false;
      }
    return true;
  };
  if (subject.getClaimWords() &&
      !declared(*subject.getClaimWords(), "ioflor.claim_words"))
    return false;
  if (subject.getFastWords() &&
      !declared(*subject.getFastWords(), "ioflor.fast_words"))
    return false;
  if (DictionaryAttr d = subject.getDisclosureAttr())
    if (auto w = d.getAs<ExprAttr>("w");
        w && !declared(w.getValue(), "ioflor.disclosure"))
      return false;
  if (!f)
    return true;
  for (unsigned k = 0; k < f.getNumArguments(); ++k) {
    mlir::Attribute role = f.getArgAttr(k, "ioflor.role"),
                    extents = f.getArgAttr(k, "ioflor.extents");
    if (!role && !extents)
      continue;
    const Entity &e = get(f.getArgument(k));
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
        auto size = expression(function, "ioflor.extents", a);
        if (!size || !declared(*size, "ioflor.extents"))
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
