//===- Formula.h - Real polynomials in infix, as SMT-LIB2 ------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `4*d*m <= (d + x)*(d + y)` over the reals. Expr and Cond do not do here: they
// are about integers, where `a < b` is `a + 1 <= b`.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_THEOREMS_FORMULA_H
#define IOFLOR_PASSES_THEOREMS_FORMULA_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <set>
#include <string>

namespace ioflor::theorems {

/// The SMT-LIB2 term of a formula over reals: comparisons (`< <= > >= =`) of
/// polynomials (`+ - * ^`, whole numbers, names), joined by `and`, `or`, `not`.
/// Adds the names to `variables`. nullopt with a lower-case `error`.
std::optional<std::string> toSmtLib(llvm::StringRef formula,
                                    std::set<std::string> &variables,
                                    std::string *error = nullptr);

/// The two sides of a formula that is one comparison `<=` or `>=`, the smaller
/// first; nullopt otherwise.
struct Sides {
  std::string smaller, larger;
};
std::optional<Sides> sidesOf(llvm::StringRef formula);

} // namespace ioflor::theorems

#endif // IOFLOR_PASSES_THEOREMS_FORMULA_H
