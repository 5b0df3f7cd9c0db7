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

View View::part(llvm::ArrayRef<Expr> offsets, llvm::ArrayRef<Expr> partSizes,
                llvm::ArrayRef<Expr> partStrides,
                const llvm::SmallBitVector &dropped) const {
  View v = *this;
  v.offset = address(offsets);
  v.sizes.clear();
  v.strides.clear();
  for (unsigned k = 0; k < partSizes.size(); ++k) {
    if (dropped.test(k))
      continue;
    v.sizes.push_back(partSizes[k]);
    v.strides.push_back(strides[k] * partStrides[k]);
  }
  return v;
}

std::optional<View>
View::collapsed(llvm::ArrayRef<mlir::ReassociationIndices> groups) const {
  View v = *this;
  v.sizes.clear();
  v.strides.clear();
  for (const mlir::ReassociationIndices &group : groups) {
    Expr size = 1;
    for (int64_t d : group)
      size *= sizes[d];
    // One stride only if the dimensions of the group are contiguous.
    for (size_t i = 0; i + 1 < group.size(); ++i)
      if (strides[group[i]] != strides[group[i + 1]] * sizes[group[i + 1]])
        return std::nullopt;
    v.sizes.push_back(size);
    v.strides.push_back(group.empty() ? Expr(1) : strides[group.back()]);
  }
  return v;
}

View View::expanded(llvm::ArrayRef<mlir::ReassociationIndices> groups,
                    llvm::ArrayRef<Expr> newSizes) const {
  View v = *this;
  v.sizes.clear();
  v.strides.clear();
  for (auto [k, group] : llvm::enumerate(groups)) {
    Exprs inner(group.size(), strides[k]);
    for (size_t i = group.size(); i-- > 1;)
      inner[i - 1] = inner[i] * newSizes[group[i]];
    for (auto [i, d] : llvm::enumerate(group)) {
      v.sizes.push_back(newSizes[d]);
      v.strides.push_back(inner[i]);
    }
  }
  return v;
}

Expr extract::coordinate(unsigned k) {
  return Expr::symbol("coordinate__" + std::to_string(k));
}

Exprs extract::shapeOfType(mlir::Type type) {
  Exprs sizes;
  if (auto shaped = llvm::dyn_cast<mlir::ShapedType>(type);
      shaped && shaped.hasRank())
    for (int64_t n : shaped.getShape())
      sizes.push_back(n);
  return sizes;
}

llvm::StringRef extract::startOf(ComputeKind kind) {
  switch (kind) {
  case ComputeKind::Max:
    return "-Inf";
  case ComputeKind::Min:
    return "Inf";
  case ComputeKind::Mul:
    return "1";
  default:
    return "0";
  }
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
