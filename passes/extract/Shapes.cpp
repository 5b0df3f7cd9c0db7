//===- Shapes.cpp - Dimensions that operands of an attention share -*- C++ -*-//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/extract/Shapes.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;
using namespace ioflor;

/// A dynamic dimension of an argument's type: a bare symbol.
static std::optional<std::string> dimension(BufferOp buffer, unsigned k) {
  ArrayAttr extents = buffer.getExtentsAttr();
  if (!extents || k >= extents.size() || buffer.getEvidence() != "shape")
    return std::nullopt;
  Expr e = cast<ExprAttr>(extents[k]).getValue();
  if (e.kind() != ExprKind::Symbol)
    return std::nullopt;
  return e.name().str();
}

bool extract::shareDimensions(SubjectOp subject, SubjectOp roled) {
  std::map<Role, BufferOp> of;
  for (BufferOp b : roled.getOps<BufferOp>()) {
    if (!b.getRole() || *b.getRole() == Role::Other || *b.getRole() == Role::S)
      continue;
    auto original = dyn_cast_or_null<BufferOp>(
        SymbolTable::lookupSymbolIn(subject, b.getSymName()));
    if (!original || !of.emplace(*b.getRole(), original).second)
      return false;
  }
  if (of.size() != 4) {
    for (SymbolOp symbol : subject.getOps<SymbolOp>())
      symbol->removeAttr("unasked");
    return false;
  }
  std::map<std::string, Expr> rename;
  std::vector<std::string> said;
  auto follow = [&](std::string name) {
    for (auto it = rename.find(name); it != rename.end();
         it = rename.find(name))
      name = it->second.name().str();
    return name;
  };
  auto same = [&](Role a, Role b) {
    unsigned rank =
        std::min(of[a].getExtentsAttr() ? of[a].getExtentsAttr().size() : 0,
                 of[b].getExtentsAttr() ? of[b].getExtentsAttr().size() : 0);
    for (unsigned k = 0; k < rank; ++k) {
      auto x = dimension(of[a], k), y = dimension(of[b], k);
      if (!x || !y)
        continue;
      std::string keep = follow(*x), drop = follow(*y);
      if (keep == drop)
        continue;
      rename.emplace(drop, Expr::symbol(keep));
      said.push_back(("dimension " + llvm::Twine(k) + " of " +
                      of[b].getSymName() + " equals that of " +
                      of[a].getSymName())
                         .str());
    }
  };
  // O has the shape of Q, V that of K, where both are dynamic.
  same(Role::Q, Role::O);
  same(Role::K, Role::V);
  // A dimension that the program never asks for is that of the operand whose
  // same dimension it does ask for: it runs over both together.
  std::set<std::string> unasked;
  for (SymbolOp symbol : subject.getOps<SymbolOp>())
    if (symbol->hasAttr("unasked"))
      unasked.insert(symbol.getName().str());
  for (Role a : {Role::Q, Role::K, Role::V, Role::O})
    for (Role b : {Role::Q, Role::K, Role::V, Role::O}) {
      ArrayAttr x = of[a].getExtentsAttr(), y = of[b].getExtentsAttr();
      if (a == b || !x || !y || x.size() != y.size())
        continue;
      for (unsigned k = 0; k < x.size(); ++k) {
        auto keep = dimension(of[a], k), drop = dimension(of[b], k);
        if (!keep || !drop)
          continue;
        std::string kept = follow(*keep), dropped = follow(*drop);
        if (kept == dropped || unasked.count(kept) || !unasked.count(dropped))
          continue;
        rename.emplace(dropped, Expr::symbol(kept));
        said.push_back(("dimension " + llvm::Twine(k) + " of " +
                        of[b].getSymName() + " equals that of " +
                        of[a].getSymName() + ": the program never asks for it")
                           .str());
      }
    }
  for (SymbolOp symbol : subject.getOps<SymbolOp>())
    symbol->removeAttr("unasked");
  if (rename.empty())
    return false;
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](ExprAttr a) -> std::optional<mlir::Attribute> {
    Expr e = a.getValue();
    for (unsigned n = 0; n < rename.size(); ++n)
      e = e.substitute(rename);
    return ExprAttr::get(a.getContext(), e);
  });
  replacer.addReplacement([&](CondAttr a) -> std::optional<mlir::Attribute> {
    Cond c = a.getValue();
    for (unsigned n = 0; n < rename.size(); ++n)
      c = c.substitute(rename);
    return CondAttr::get(a.getContext(), c);
  });
  replacer.recursivelyReplaceElementsIn(subject, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/false);
  Operation *first = nullptr;
  for (SymbolOp symbol :
       llvm::make_early_inc_range(subject.getOps<SymbolOp>())) {
    if (rename.count(symbol.getName().str()))
      symbol.erase();
    else if (!first)
      first = symbol;
  }
  OpBuilder builder(subject.getContext());
  builder.setInsertionPointToStart(&subject.getBody().front());
  if (first)
    builder.setInsertionPointAfter(first);
  for (const std::string &s : said)
    AssumeOp::create(builder, subject.getLoc(),
                     CondAttr::get(builder.getContext(), Cond::always()),
                     builder.getStringAttr(s));
  return true;
}
