//===- Entity.cpp - What an MLIR value is to the extractor -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/extract/Entity.h"

using namespace ioflor;
using namespace ioflor::extract;

Expr View::address(llvm::ArrayRef<Expr> at) const {
  Expr e = offset;
  for (auto [stride, i] : llvm::zip(strides, at))
    e += stride * i;
  return e;
}

Expr extract::coordinate(unsigned k) {
  return Expr::symbol("coordinate__" + std::to_string(k));
}

Entity Entity::unknown(llvm::StringRef why) {
  Entity e;
  e.text = why.str();
  return e;
}

Entity Entity::ofIndex(const Expr &index, llvm::ArrayRef<Expr> sizes) {
  Entity e;
  e.kind = EntityKind::Index;
  e.index = index;
  e.sizes.assign(sizes.begin(), sizes.end());
  return e;
}

Entity Entity::ofCondition(const Cond &c, llvm::ArrayRef<Expr> sizes) {
  Entity e;
  e.kind = EntityKind::Condition;
  e.condition = c;
  e.sizes.assign(sizes.begin(), sizes.end());
  return e;
}

Entity Entity::ofData(mlir::Value v) {
  Entity e;
  e.kind = EntityKind::Data;
  e.data = v;
  return e;
}

Entity Entity::constant(llvm::StringRef text, llvm::ArrayRef<Expr> sizes) {
  Entity e;
  e.kind = EntityKind::Constant;
  e.text = text.str();
  e.sizes.assign(sizes.begin(), sizes.end());
  return e;
}

Entity Entity::array(const View &view) {
  Entity e;
  e.kind = EntityKind::Array;
  e.view = view;
  e.sizes = view.sizes;
  return e;
}

Entity Entity::pointer(llvm::StringRef buffer, const Expr &word,
                       llvm::ArrayRef<Expr> sizes) {
  Entity e;
  e.kind = EntityKind::Pointer;
  e.view.buffer = buffer.str();
  e.view.slow = true;
  e.index = word;
  e.sizes.assign(sizes.begin(), sizes.end());
  return e;
}

Entity Entity::at(llvm::ArrayRef<Expr> coordinates) const {
  Entity e = *this;
  if (sizes.empty())
    return e;
  std::map<std::string, Expr> map;
  for (auto [k, c] : llvm::enumerate(coordinates))
    map.emplace(coordinate(k).name().str(), c);
  e.index = index.substitute(map);
  e.condition = condition.substitute(map);
  e.sizes.clear();
  return e;
}
