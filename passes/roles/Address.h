//===- Address.h - The structure of addresses -------------------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Addresses as linear forms over loop variables, and the solution of "which
// iteration of the writer wrote the element that the reader reads".
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_ROLES_ADDRESS_H
#define IOFLOR_PASSES_ROLES_ADDRESS_H

#include "dialect/expr/Cond.h"

namespace ioflor::roles {

using Subst = std::map<std::string, Expr>;

/// e / by, if by divides every monomial of e (as polynomials); by is a
/// monomial.
std::optional<Expr> divideExactly(const Expr &e, const Expr &by);

/// e as a sum of coefficients times variables of `vars`, and a rest without
/// them. nullopt if some variable occurs in a product with another one or
/// inside a division, min, max or sum.
struct Linear {
  std::map<std::string, Expr> coefs;
  Expr rest;
  Expr coef(const std::string &v) const {
    auto it = coefs.find(v);
    return it == coefs.end() ? Expr() : it->second;
  }
};
std::optional<Linear> asLinear(const Expr &e,
                               const std::set<std::string> &vars);

/// Every floordiv(E, D) inside e whose E depends on `vars` and D does not.
void collectDivisions(const Expr &e, const std::set<std::string> &vars,
                      std::vector<std::pair<Expr, Expr>> &out);

/// E = D*quotient + remainder, with one variable of E (coefficient 1) written
/// in terms of the two. Removes floordiv(E, D) and mod(E, D) where substituted.
struct Digits {
  Expr dividend, divisor;
  std::string quotient, remainder; ///< fresh variables
  std::string eliminated;
  Expr replacement;
};

/// Makes names that no variable has.
class Fresh {
public:
  explicit Fresh(Assumptions &known) : known(known) {}
  /// A new variable in 0 .. trips - 1.
  std::string make(llvm::StringRef base, const std::optional<Expr> &trips);
  Assumptions &known;

  /// A variable for dividend / divisor where that has no remainder: of what is
  /// written out four at a time, the iteration that wrote this element.
  std::string exactQuotient(const Expr &dividend, const Expr &divisor,
                            const std::optional<Expr> &trips);
  /// Writes exact quotients whose multiples e has by their dividends again.
  Expr multiplied(const Expr &e) const;
  bool hasQuotient(const Expr &e) const;

private:
  unsigned next = 0;
  struct Quotient {
    std::string name;
    Expr dividend, divisor;
  };
  std::vector<Quotient> quotients;
};

/// Splits dividend / divisor into digits over fresh variables; nullopt if no
/// variable of `vars` has coefficient 1 in the dividend. `top` bounds the
/// dividend where more than its variables' ranges is known.
std::optional<Digits> splitDigits(const Expr &dividend, const Expr &divisor,
                                  const std::set<std::string> &vars,
                                  Fresh &fresh,
                                  std::optional<Expr> top = std::nullopt);

/// Values for the variables `own` of the writer (over the reader's variables)
/// such that `written` (the writer's address) is `read` (the reader's). Mixed
/// radix: the terms of `read` go to the largest stride that divides them.
/// A variable of `written` that is not needed becomes 0; one that `written`
/// does not depend on is left out. Of a writer that writes each D-th element
/// the solution holds for those (Fresh::exactQuotient). nullopt: not solved.
std::optional<Subst> solveWriter(const Expr &written, const Expr &read,
                                 const std::set<std::string> &own,
                                 Fresh &fresh);

} // namespace ioflor::roles

#endif // IOFLOR_PASSES_ROLES_ADDRESS_H
