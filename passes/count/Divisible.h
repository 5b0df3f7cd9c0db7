//===- Divisible.h - Symbols that are multiples ------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_COUNT_DIVISIBLE_H
#define IOFLOR_PASSES_COUNT_DIVISIBLE_H

#include "passes/count/Counting.h"

namespace ioflor::count {

/// Where N % 64 == 0 is assumed, counting works on N = 64*q: whether a bound of
/// q is met is then linear over the integers.
class DivisibleSymbols {
public:
  explicit DivisibleSymbols(const Context &original);

  const Context &context() const { return replacedContext; }
  Access replace(const Access &a) const;
  /// Back to the subject's symbols: q is N/64.
  Expr restore(const Expr &e) const;

private:
  Context replacedContext;
  std::map<std::string, Expr> forward;
  std::map<std::string, std::pair<std::string, BigInt>> back; // q -> N, D
};

} // namespace ioflor::count

#endif // IOFLOR_PASSES_COUNT_DIVISIBLE_H
