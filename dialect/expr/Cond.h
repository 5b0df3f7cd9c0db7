//===- Cond.h - Conditions over symbolic integers ----------------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Guards and assumptions: boolean formulas over comparisons of Exprs. A
// condition that the extractor could not read is Unknown with its reason; it is
// never dropped, and negating it keeps it unknown.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_DIALECT_EXPR_COND_H
#define IOFLOR_DIALECT_EXPR_COND_H

#include "dialect/expr/Expr.h"

namespace ioflor {

namespace detail {
struct CondNode;
} // namespace detail

enum class CondKind : uint8_t {
  True,
  False,
  NonNegative, ///< expr() >= 0
  Zero,        ///< expr() == 0
  NonZero,     ///< expr() != 0
  And,
  Or,
  Unknown ///< depends on data or on what could not be read; see reason()
};

/// An immutable condition. Comparisons are kept as one expression against 0
/// (`a < b` is `b - a - 1 >= 0`), And/Or are flat, without duplicates.
class Cond {
public:
  /// True.
  Cond();
  static Cond always() { return Cond(); }
  static Cond never();
  static Cond nonNegative(const Expr &e);
  static Cond zero(const Expr &e);
  static Cond nonZero(const Expr &e);
  /// `id` distinguishes two unknown conditions; equal ids are equal conditions.
  static Cond unknown(llvm::StringRef reason, llvm::StringRef id);

  CondKind kind() const;
  bool isAlways() const { return kind() == CondKind::True; }
  bool isNever() const { return kind() == CondKind::False; }
  const Expr &expr() const;
  llvm::ArrayRef<Cond> operands() const;
  llvm::StringRef reason() const;
  llvm::StringRef id() const;
  /// An Unknown whose value is negated.
  bool isNegatedUnknown() const;

  Cond operator!() const;
  bool operator==(const Cond &other) const;
  bool operator!=(const Cond &other) const { return !(*this == other); }
  int compare(const Cond &other) const;
  bool operator<(const Cond &other) const { return compare(other) < 0; }

  bool hasUnknown() const;
  std::set<std::string> freeSymbols() const;
  Cond substitute(const std::map<std::string, Expr> &map) const;

  /// The conjuncts of an And, itself alone otherwise, none for True.
  std::vector<Cond> conjuncts() const;

  /// Readable: `32*bx + tx < N and not unknown("loaded value", u1)`. Parses
  /// back; Python evaluates it where no unknown occurs.
  std::string str() const;
  void print(llvm::raw_ostream &os) const;

private:
  explicit Cond(std::shared_ptr<const detail::CondNode> n)
      : impl(std::move(n)) {}
  friend struct detail::CondNode;
  std::shared_ptr<const detail::CondNode> impl;
};

Cond operator&&(const Cond &a, const Cond &b);
Cond operator||(const Cond &a, const Cond &b);
/// The same over many; True (False) for none.
Cond conjunction(llvm::ArrayRef<Cond> cs);
Cond disjunction(llvm::ArrayRef<Cond> cs);
Cond lt(const Expr &a, const Expr &b);
Cond le(const Expr &a, const Expr &b);
Cond eq(const Expr &a, const Expr &b);
Cond ne(const Expr &a, const Expr &b);

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Cond &c);

/// Parses str(), and C syntax: `&& || ! < <= > >= == != %`, parentheses.
std::optional<Cond> parseCond(llvm::StringRef text, ExprError *error = nullptr);

/// Exact truth value; nullopt where an unknown decides or a symbol is missing.
std::optional<bool> evaluate(const Cond &c, const Valuation &at,
                             ExprError *error = nullptr);

/// Rewrites with what is known: comparisons that `known` decides become
/// True/False.
Cond simplify(const Cond &c, const Assumptions &known);

/// Adds the facts of c's conjuncts to `known` (ranges of single symbols,
/// non-negativity, divisibility from `floordiv`/`mod` equalities).
void assume(Assumptions &known, const Cond &c);

} // namespace ioflor

#endif // IOFLOR_DIALECT_EXPR_COND_H
