//===- CondNode.h - Nodes of conditions -------------------------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to dialect/expr.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_DIALECT_EXPR_CONDNODE_H
#define IOFLOR_DIALECT_EXPR_CONDNODE_H

#include "dialect/expr/Cond.h"

namespace ioflor::detail {

struct CondNode {
  CondKind kind = CondKind::True;
  bool negated = false; ///< of an Unknown
  uint64_t hash = 0;
  Expr expr;              ///< of a comparison
  std::vector<Cond> ops;  ///< of And, Or
  std::string reason, id; ///< of an Unknown

  static Cond make(CondNode &&n);
  static Cond comparison(CondKind kind, const Expr &e);
};

/// A string without its escapes, and with them.
std::string unquote(llvm::StringRef s);
std::string quote(llvm::StringRef s);

} // namespace ioflor::detail

#endif // IOFLOR_DIALECT_EXPR_CONDNODE_H
