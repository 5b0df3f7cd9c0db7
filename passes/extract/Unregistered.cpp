//===- Unregistered.cpp - Operations whose dialect is not linked -*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/extract/Unregistered.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::extract;

mlir::Attribute extract::attributeOf(Operation *op, StringRef name) {
  if (mlir::Attribute a = op->getAttr(name))
    return a;
  if (auto d = dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute()))
    return d.get(name);
  return {};
}

DictionaryAttr extract::argumentAttributes(Operation *function, unsigned k) {
  if (auto f = dyn_cast<FunctionOpInterface>(function))
    return f.getArgAttrDict(k);
  auto all = dyn_cast_or_null<ArrayAttr>(attributeOf(function, "arg_attrs"));
  if (!all || k >= all.size())
    return {};
  return dyn_cast<DictionaryAttr>(all[k]);
}

SmallVector<int64_t> extract::integersOf(mlir::Attribute a) {
  SmallVector<int64_t> out;
  if (auto d = dyn_cast_or_null<DenseI32ArrayAttr>(a))
    out.append(d.asArrayRef().begin(), d.asArrayRef().end());
  else if (auto d = dyn_cast_or_null<DenseI64ArrayAttr>(a))
    out.append(d.asArrayRef().begin(), d.asArrayRef().end());
  return out;
}

/// What stands in the brackets of a type of Triton's; empty for other types.
static StringRef inside(Type type, StringRef name) {
  auto opaque = dyn_cast<OpaqueType>(type);
  if (!opaque || opaque.getDialectNamespace() != "tt")
    return {};
  StringRef text = opaque.getTypeData();
  if (!text.consume_front(name) || !text.consume_front("<"))
    return {};
  return text;
}

std::optional<Exprs> extract::blockShape(Type type) {
  StringRef text = inside(type, "tensordesc");
  bool descriptor = !text.empty();
  if (!descriptor)
    text = inside(type, "ptr");
  if (!text.consume_front("tensor<") && !descriptor)
    return std::nullopt;
  Exprs sizes;
  int64_t n;
  while (!text.consumeInteger(10, n) && text.consume_front("x"))
    sizes.push_back(n);
  if (sizes.empty())
    return std::nullopt;
  return sizes;
}

unsigned extract::pointeeBits(Type type) {
  StringRef text = inside(type, "tensordesc");
  if (text.empty())
    text = inside(type, "ptr");
  text.consume_front("tensor<");
  int64_t n;
  while (!text.consumeInteger(10, n) && text.consume_front("x"))
    ;
  // i32, bf16, f8E5M2: the first number after the letters.
  unsigned bits = 0;
  text.drop_while([](char c) { return isalpha(c); })
      .take_while([](char c) { return isdigit(c); })
      .getAsInteger(10, bits);
  return bits;
}

bool extract::isElementPointer(Type type) {
  return !inside(type, "ptr").empty() && !blockShape(type);
}

bool extract::isDescriptor(Type type) {
  return !inside(type, "tensordesc").empty();
}
