//===- Bounds.h - Bounds free of some symbols -------------------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to dialect/expr.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_DIALECT_EXPR_BOUNDS_H
#define IOFLOR_DIALECT_EXPR_BOUNDS_H

#include "dialect/expr/Prove.h"

namespace ioflor::detail {

enum class Direction : uint8_t { Down, Up };

inline Direction opposite(Direction d) {
  return d == Direction::Up ? Direction::Down : Direction::Up;
}

/// Replaces the symbols to eliminate, latest declared first, so that the
/// result is at least (at most) the expression at every admissible value.
class Bounds {
public:
  Bounds(const Assumptions &known, const std::set<std::string> &eliminate)
      : known(known), eliminate(eliminate), prover(known) {}
  std::optional<Expr> bound(const Expr &e, Direction d);

private:
  std::optional<Expr> one(const Expr &e, llvm::StringRef symbol, Direction d);
  std::optional<Expr> byMembers(const Expr &e, llvm::StringRef symbol,
                                Direction d);
  std::optional<Expr> byRemainder(const Expr &e, llvm::StringRef symbol,
                                  Direction d);
  std::optional<Expr> byTerms(const Expr &e, llvm::StringRef symbol,
                              Direction d);
  std::optional<Expr> term(const Expr &t, llvm::StringRef symbol, Direction d);
  std::optional<Expr> atom(const Expr &a, llvm::StringRef symbol, Direction d);

  const Assumptions &known;
  const std::set<std::string> &eliminate;
  Prover prover;
  unsigned steps = 0;
};

/// A name that no symbol of the source has and that `known` does not use.
std::string freshName(llvm::StringRef base, const Assumptions &known);

} // namespace ioflor::detail

#endif // IOFLOR_DIALECT_EXPR_BOUNDS_H
