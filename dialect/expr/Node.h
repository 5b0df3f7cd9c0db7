//===- Node.h - Nodes of symbolic expressions -------------------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to dialect/expr. Nodes are immutable and interned: two equal
// expressions share one node, so equality is a pointer comparison and shared
// sub-expressions never cost more than once.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_DIALECT_EXPR_NODE_H
#define IOFLOR_DIALECT_EXPR_NODE_H

#include "dialect/expr/Expr.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ioflor::detail {

/// An atom and its power, at least 1.
using Factor = std::pair<Expr, unsigned>;

/// Above this many pairs of terms a product of two sums is not multiplied out
/// but kept as a monomial whose atoms are the sums. Equality of such products
/// is then only recognised in the same factored form.
inline constexpr size_t maxProductTerms = 4096;

struct ExprNode : std::enable_shared_from_this<ExprNode> {
  ExprKind kind = ExprKind::Const;
  unsigned degree = 0;   ///< of a monomial: sum of the powers
  unsigned depth = 1;    ///< nesting, for stack budgets
  uint64_t hash = 0;     ///< of the structure; equal nodes have equal hashes
  uint64_t symbols = 0;  ///< bloom mask of the symbols that occur
  size_t size = 1;       ///< nodes of the tree, saturating
  BigInt value;          ///< of a Const; coefficient of a Mul
  std::string name;      ///< of a Symbol; bound variable of a Sum
  std::vector<Expr> ops; ///< see Expr::operands()
  std::vector<Factor> factors; ///< of a Mul, in canonical order

  ~ExprNode();

  /// The interned expression of this node; fills hash, mask and sizes.
  static Expr make(ExprNode &&n);
  static Expr make(ExprKind kind, std::vector<Expr> ops,
                   llvm::StringRef name = {});
  /// A monomial from factors in canonical order: a Const, an atom or a Mul.
  static Expr monomial(const BigInt &coefficient, std::vector<Factor> factors);
};

/// The bit of a symbol in ExprNode::symbols.
uint64_t symbolBit(llvm::StringRef name);

/// The value in 64 bits where they hold it.
BigInt normalized(const BigInt &v);
bool fits64(const BigInt &v);

/// A monomial seen without copying: a Const, an atom or a Mul.
class MonoRef {
public:
  explicit MonoRef(const Expr &e) : e(e), n(e.node()) {}
  size_t size() const {
    return n->kind == ExprKind::Mul     ? n->factors.size()
           : n->kind == ExprKind::Const ? 0
                                        : 1;
  }
  const Expr &atom(size_t i) const {
    return n->kind == ExprKind::Mul ? n->factors[i].first : e;
  }
  unsigned power(size_t i) const {
    return n->kind == ExprKind::Mul ? n->factors[i].second : 1;
  }
  unsigned degree() const {
    return n->kind == ExprKind::Mul     ? n->degree
           : n->kind == ExprKind::Const ? 0
                                        : 1;
  }
  BigInt coefficient() const {
    return n->kind == ExprKind::Mul || n->kind == ExprKind::Const ? n->value
                                                                  : BigInt(1);
  }

private:
  const Expr &e;
  const ExprNode *n;
};

/// Order of atoms: symbols by name, then the others by kind and operands.
int compareAtoms(const Expr &a, const Expr &b);
/// Graded lexicographic order of monomials, coefficients ignored; larger
/// degree first, the constant last.
int compareMonomials(const Expr &a, const Expr &b);

/// The monomials without copying them.
llvm::ArrayRef<Expr> termsRef(const Expr &e);
/// The sum of monomials in any order.
Expr sumOfTerms(std::vector<Expr> terms);
/// The same monomial with another coefficient.
Expr withCoefficient(const Expr &mono, const BigInt &c);
/// The monomial with coefficient 1 (for a constant: 1).
Expr primitive(const Expr &mono);
/// Product of two monomials.
Expr mulMonomials(const Expr &a, const Expr &b);
/// The quotient monomial a / b if b's atoms divide a's, with coefficient 1.
std::optional<Expr> monomialQuotient(const Expr &a, const Expr &b);
/// Every coefficient divided by `g`, which must divide them.
Expr divideExactly(const Expr &e, const BigInt &g);
/// The gcd of all coefficients, with or without the constant term; 0 for 0.
BigInt content(const Expr &e, bool withConstant);
/// e without its constant term.
Expr withoutConstant(const Expr &e);
/// More terms with a negative than with a positive coefficient; on a tie, the
/// leading one decides. Constants do not count.
bool leansNegative(const Expr &e);
/// The only term of e besides its constant, if it is `1*atom` of this kind.
const Expr *soleAtom(const Expr &e);

/// e with f applied to its direct parts (terms, atoms, operands) and put
/// together canonically. f is not told about bound variables.
Expr rebuild(const Expr &e, llvm::function_ref<Expr(const Expr &)> f);

} // namespace ioflor::detail

#endif // IOFLOR_DIALECT_EXPR_NODE_H
