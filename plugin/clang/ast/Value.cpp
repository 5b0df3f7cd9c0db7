//===- Value.cpp - Values of host code, symbolically ----------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/ast/Value.h"

namespace ioflor::frontend {

bool Value::operator==(const Value &o) const {
  if (kind != o.kind)
    return false;
  switch (kind) {
  case None:
  case Null:
    return true;
  case Integer:
    return num == o.num;
  case Ratio:
    return num == o.num && den == o.den;
  case Boolean:
    return cond == o.cond;
  case Pointer:
    return buffer == o.buffer && num == o.num;
  case Address:
    return target == o.target;
  case Record:
    return fields == o.fields;
  case Function:
  case Closure:
    return function == o.function;
  case Opaque:
    return spelling == o.spelling;
  }
  return false;
}

} // namespace ioflor::frontend
