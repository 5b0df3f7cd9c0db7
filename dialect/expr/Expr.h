//===- Expr.h - Symbolic integer expressions ---------------------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exact symbolic integers: what every address, bound and word count in ioflor
// is written in. An Expr is an immutable value in one canonical form: a sum of
// monomials with integer coefficients over atoms. Two expressions that are
// equal as polynomials over the same atoms compare equal.
//
// Depends on LLVM Support only, so that the certificate checker needs neither
// Clang nor MLIR.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_DIALECT_EXPR_EXPR_H
#define IOFLOR_DIALECT_EXPR_EXPR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DynamicAPInt.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ioflor {

using BigInt = llvm::DynamicAPInt;

namespace detail {
struct ExprNode;
} // namespace detail

/// Node kinds. `mod` is not one: mod(a, b) is a - b*floordiv(a, b), so that
/// `b*(a/b) + a%b` is `a` again; the printer recognises the pattern.
enum class ExprKind : uint8_t {
  Const,
  Symbol,
  Add,      ///< canonical sum of monomials
  Mul,      ///< canonical monomial: coefficient and powers of atoms
  FloorDiv, ///< floor(a / b), b >= 1
  CeilDiv,  ///< ceil(a / b), b >= 1
  Min,
  Max,
  Sum ///< sum(body for var in range(lo, hi)), 0 when hi <= lo
};

/// A symbolic integer. Cheap to copy (one shared pointer).
class Expr {
public:
  /// The constant 0.
  Expr();
  /*implicit*/ Expr(int64_t value);
  /*implicit*/ Expr(int value) : Expr(static_cast<int64_t>(value)) {}
  /*implicit*/ Expr(const BigInt &value);

  static Expr symbol(llvm::StringRef name);

  ExprKind kind() const;
  bool isConst() const { return kind() == ExprKind::Const; }
  bool isZero() const;
  bool isOne() const;
  /// The value of a constant; nullopt otherwise.
  std::optional<BigInt> constant() const;
  /// The value of a constant that fits in 64 bits.
  std::optional<int64_t> constant64() const;

  /// Name of a Symbol, or the bound variable of a Sum.
  llvm::StringRef name() const;
  /// Operands: FloorDiv/CeilDiv {a, b}; Min/Max the set; Sum {lo, hi, body};
  /// Add its monomials; Mul {coefficient, atoms...}, powers in `factors()`.
  llvm::ArrayRef<Expr> operands() const;

  /// The monomials of this expression seen as a sum (one for a non-sum, none
  /// for 0).
  std::vector<Expr> terms() const;
  /// The coefficient of this monomial (1 for an atom, the value of a constant).
  BigInt coefficient() const;
  /// The atoms of this monomial with their powers, in canonical order.
  std::vector<std::pair<Expr, unsigned>> factors() const;
  /// The constant term of this expression.
  BigInt constantTerm() const;

  bool operator==(const Expr &other) const;
  bool operator!=(const Expr &other) const { return !(*this == other); }
  /// A total order, deterministic over runs; no meaning in size.
  int compare(const Expr &other) const;
  bool operator<(const Expr &other) const { return compare(other) < 0; }
  llvm::hash_code hash() const;

  Expr operator-() const;
  Expr &operator+=(const Expr &e);
  Expr &operator-=(const Expr &e);
  Expr &operator*=(const Expr &e);

  /// Free symbols (bound variables of sums excluded).
  std::set<std::string> freeSymbols() const;
  bool dependsOn(llvm::StringRef symbol) const;
  bool dependsOnAny(const std::set<std::string> &symbols) const;

  /// Replaces free symbols, simultaneously, avoiding capture by sums.
  Expr substitute(const std::map<std::string, Expr> &map) const;
  Expr substitute(llvm::StringRef symbol, const Expr &by) const;

  /// If this is `a*symbol + b` with a, b free of `symbol`: {a, b}.
  std::optional<std::pair<Expr, Expr>> asAffineIn(llvm::StringRef symbol) const;
  /// Coefficients c0, c1, ... if this is a polynomial in `symbol` whose
  /// coefficients are free of it (symbol does not occur inside a division,
  /// min, max or sum).
  std::optional<std::vector<Expr>> asPolynomialIn(llvm::StringRef symbol) const;

  /// Number of nodes of the tree, saturating, for size budgets.
  size_t size() const;
  /// Nesting depth, for stack budgets.
  unsigned depth() const;

  /// Readable form, which parses back and which Python evaluates given the
  /// symbols and ceildiv, floordiv, mod, min, max:
  /// `2*N*d*ceildiv(N, 64)`, `N**2`, `sum(e for t in range(a, b))`.
  std::string str() const;
  void print(llvm::raw_ostream &os) const;

  const detail::ExprNode *node() const { return impl.get(); }

private:
  friend struct detail::ExprNode;
  explicit Expr(std::shared_ptr<const detail::ExprNode> n)
      : impl(std::move(n)) {}
  std::shared_ptr<const detail::ExprNode> impl;
};

Expr operator+(const Expr &a, const Expr &b);
Expr operator-(const Expr &a, const Expr &b);
Expr operator*(const Expr &a, const Expr &b);

/// floor(a / b). b must be >= 1 for every admissible value; a may be negative.
/// Multiples of b are taken out: floordiv(b*q + r, b) = q + floordiv(r, b), and
/// floordiv(a + b - 1, b) is written ceildiv(a, b). A factor of b that b shares
/// with a is cancelled, which takes the symbols in it to be at least 1.
Expr floordiv(const Expr &a, const Expr &b);
/// ceil(a / b), likewise.
Expr ceildiv(const Expr &a, const Expr &b);
/// a - b*floordiv(a, b).
Expr mod(const Expr &a, const Expr &b);
Expr min(const Expr &a, const Expr &b);
Expr max(const Expr &a, const Expr &b);
Expr min(llvm::ArrayRef<Expr> es);
Expr max(llvm::ArrayRef<Expr> es);
/// sum of body for var = lo .. hi-1; 0 when hi <= lo. Only the trivial cases
/// are folded here (constant range of at most 0 or 1 elements); closed forms
/// are the business of passes/count.
Expr sum(llvm::StringRef var, const Expr &lo, const Expr &hi, const Expr &body);

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Expr &e);

/// Values of symbols for exact evaluation.
using Valuation = std::map<std::string, BigInt>;

/// Why an evaluation or a parse failed; a lower-case phrase.
struct ExprError {
  std::string message;
  /// Byte offset in the parsed text, for parse errors.
  size_t offset = 0;
};

/// Exact value. Fails on a missing symbol, on a divisor below 1, and when more
/// than `maxSteps` terms would have to be summed.
/// Never floating point.
std::optional<BigInt> evaluate(const Expr &e, const Valuation &at,
                               ExprError *error = nullptr,
                               uint64_t maxSteps = 50'000'000);

/// A faster evaluator for repeated evaluation on values that fit in 64 bits:
/// compiles the expression once; falls back to BigInt on overflow.
class CompiledExpr {
public:
  /// `slots` lists the symbols; run() takes their values in this order.
  CompiledExpr(const Expr &e, llvm::ArrayRef<std::string> slots);
  ~CompiledExpr();
  CompiledExpr(CompiledExpr &&) noexcept;
  CompiledExpr &operator=(CompiledExpr &&) noexcept;
  /// nullopt on a missing symbol, a bad divisor or more than 50 million summed
  /// terms. Exact: what overflows 64 bits is computed again in BigInt.
  std::optional<BigInt> run(llvm::ArrayRef<int64_t> values) const;
  /// The same where 64 bits are known to be enough (loop bounds, addresses).
  std::optional<int64_t> run64(llvm::ArrayRef<int64_t> values) const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// Parses str()'s output, and also: `/` and `//` (floor division), `%`,
/// `cdiv(a, b)`, `a**2`, C integer literals with suffixes. Names are Python
/// identifiers (with `.` and `::` mapped to `_` by the callers).
std::optional<Expr> parseExpr(llvm::StringRef text, ExprError *error = nullptr);

/// What is known of symbols: closed integer ranges whose ends are expressions.
/// The order of the variables is that of declaration; an end may use symbols
/// declared before. Used to decide signs without a solver.
class Assumptions {
public:
  /// lo <= symbol (<= hi). Either end may be absent. Declaring again narrows.
  void declare(llvm::StringRef symbol, std::optional<Expr> lo,
               std::optional<Expr> hi);
  /// A fact e >= 0 used when ranges alone do not decide.
  void addNonNegative(const Expr &e);
  /// `symbol % divisor == 0`.
  void addDivisible(const Expr &e, const Expr &divisor);

  /// True if e >= 0 (e >= 1, e == 0) is proved for every admissible value;
  /// false if not decided. Sound, incomplete, cheap.
  bool isNonNegative(const Expr &e) const;
  bool isPositive(const Expr &e) const { return isNonNegative(e - 1); }
  bool isZero(const Expr &e) const;
  bool isDivisible(const Expr &e, const Expr &divisor) const;
  /// Some expression over the symbols outside `eliminate` that is a lower
  /// (upper) bound of e; nullopt if none is found.
  std::optional<Expr> lowerBound(const Expr &e,
                                 const std::set<std::string> &eliminate) const;
  std::optional<Expr> upperBound(const Expr &e,
                                 const std::set<std::string> &eliminate) const;

  struct Range {
    std::optional<Expr> lo, hi;
  };
  const Range *range(llvm::StringRef symbol) const;
  /// In declaration order.
  llvm::ArrayRef<std::string> symbols() const { return order; }
  llvm::ArrayRef<Expr> facts() const { return nonNegative; }
  llvm::ArrayRef<std::pair<Expr, Expr>> divisibilities() const {
    return divisible;
  }

private:
  std::vector<std::string> order;
  std::map<std::string, Range> ranges;
  std::vector<Expr> nonNegative;
  std::vector<std::pair<Expr, Expr>> divisible;
};

/// Rewrites e with what is known: min/max whose order is decided,
/// floordiv(D*r + c, D) with 0 <= c < D, exact divisions, empty and one-element
/// sums.
Expr simplify(const Expr &e, const Assumptions &known);

} // namespace ioflor

#endif // IOFLOR_DIALECT_EXPR_EXPR_H
