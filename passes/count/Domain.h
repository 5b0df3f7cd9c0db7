//===- Domain.h - Sets of iteration points -----------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The points at which an access runs, as a union of conjunctions of affine
// constraints, and the exact transformations of such sets that counting is
// made of: projection, merging of x + T*y into one variable, splitting of a
// variable into quotient and remainder, removal of a determined quotient.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_COUNT_DOMAIN_H
#define IOFLOR_PASSES_COUNT_DOMAIN_H

#include "passes/count/Facts.h"

namespace ioflor::count {

/// A conjunction: every expression is >= 0.
using Conj = std::vector<Expr>;
/// A union of conjunctions, not necessarily disjoint.
using Dnf = std::vector<Conj>;

using Names = std::vector<std::string>;

/// e >= 0 with divisions, min and max of `vars` rewritten into affine
/// constraints where that is exact; what is left stays in the constraint.
Dnf linearise(const Expr &e, const std::set<std::string> &vars);

/// `unknownAs` is what unknown conditions count as. nullopt when the condition
/// has more than `limit` alternatives.
std::optional<Dnf> toDnf(const Cond &c, bool unknownAs,
                         const std::set<std::string> &vars, size_t limit = 24);

/// Both hold.
std::optional<Dnf> conjoin(const Dnf &a, const Dnf &b, size_t limit = 24);

/// Drops constraints that the others imply. False: the set is empty.
bool cleanup(Conj &c, const Facts &base);
/// The same on every alternative; drops empty and contained ones.
void cleanup(Dnf &d, const Facts &base);

/// Bounds of v in c: v >= each of lowers, v < each of uppers. nullopt when v
/// occurs in a way that gives no such bound (left in `other`).
struct Bounds {
  std::vector<Expr> lowers, uppers;
  Conj free;             ///< constraints without v
  Conj other;            ///< constraints with v that give no bound
  bool unit = true;      ///< no coefficient but 1 and -1
  bool symbolic = false; ///< a coefficient that is not constant
};
Bounds boundsOf(const Conj &c, llvm::StringRef v, const Facts &base);

/// The set of the other variables' values for which some v exists; nullopt
/// where that is not exact.
std::optional<Conj> project(const Conj &c, llvm::StringRef v,
                            const Facts &base);
std::optional<Dnf> project(const Dnf &d, llvm::StringRef v, const Facts &base);

/// Replaces x, y by e = x + T*y (0 <= x < T) in every alternative and in
/// `also`; nullopt unless everything depends on e alone. `params`: T may only
/// use symbols outside `vars`.
struct Merged {
  Dnf set;
  std::vector<Expr> also;
  Expr factor; ///< T
};
std::optional<Merged> merge(const Dnf &d, llvm::ArrayRef<Expr> also,
                            llvm::StringRef x, llvm::StringRef y,
                            llvm::StringRef fresh, const Names &vars,
                            const Facts &base);

/// Replaces v by D*q + r - shift with 0 <= r < D.
std::optional<Merged> split(const Dnf &d, llvm::ArrayRef<Expr> also,
                            llvm::StringRef v, const Expr &shift,
                            const Expr &divisor, llvm::StringRef q,
                            llvm::StringRef r, const Facts &base);

/// Removes y where 0 <= A - T*y < T makes it the quotient of A by T.
std::optional<Conj> dropQuotient(const Conj &c, llvm::StringRef y,
                                 const Facts &base);

/// Alternatives that exclude each other; nullopt beyond the limit.
std::optional<Dnf> disjoint(const Dnf &d, const Facts &base, size_t limit = 24);

/// 1 where e >= 0, else 0.
Expr indicator(const Expr &e);

/// A name that this count does not use yet; starts with two underscores, which
/// no symbol of a subject does.
std::string freshName(llvm::StringRef stem, Budget &budget);

} // namespace ioflor::count

#endif // IOFLOR_PASSES_COUNT_DOMAIN_H
