//===- PrintItems.h - Addends of a printed sum ------------------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to dialect/expr.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_DIALECT_EXPR_PRINTITEMS_H
#define IOFLOR_DIALECT_EXPR_PRINTITEMS_H

#include "dialect/expr/Expr.h"

namespace ioflor::detail {

/// One addend: `coefficient*text`, or the constant alone when text is empty.
struct PrintItem {
  BigInt coefficient;
  std::string text;
};

/// The addends of e in printing order, remainders recognised.
std::vector<PrintItem> printItems(const Expr &e);
/// Their sum, starting with a positive one where there is one.
void printSum(llvm::raw_ostream &os, std::vector<PrintItem> &items);

} // namespace ioflor::detail

#endif // IOFLOR_DIALECT_EXPR_PRINTITEMS_H
