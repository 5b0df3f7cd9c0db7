//===- Words.cpp - Counts of words ------------------------------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialect/expr/Words.h"

using namespace ioflor;

WordRange &WordRange::operator+=(const WordRange &o) {
  lo += o.lo;
  if (hi && o.hi)
    hi = *hi + *o.hi;
  else
    hi = std::nullopt;
  return *this;
}

std::string ioflor::decimal(const BigInt &v) {
  std::string s;
  llvm::raw_string_ostream(s) << v;
  return s;
}
