//===- Floors.h - Lower bounds on attention's traffic ------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the passes ask of the floors. Each floor is defined once, symbolically,
// in Families.h; the numeric functions here evaluate that definition. All
// counts are in words: one element of an operand. M, the fast words of one CTA,
// is counted in the narrowest element of the subject.
//
// Sources: the form of `saha-ye` is Saha & Ye (arXiv:2402.07443); its explicit
// constant is this project's Theorem A, and `tight` its Theorems B, C and R':
// own derivations, elementary, not peer reviewed. Both hold for standard matrix
// multiplication with a cold fast memory.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_FLOORS_FLOORS_H
#define IOFLOR_PASSES_FLOORS_FLOORS_H

#include "passes/floors/Families.h"
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ioflor::floors {

/// The floors that decide the verdict, then those of `optional` (`tight`,
/// `sharp`, `small-cache`, `fmm`), each in the regimes that have a rational
/// form. One instance per KV head; E is summed over batch and query heads.
/// `fastWords` stands for the fast words M of one CTA. Only forms without a
/// root.
std::vector<Floor> symbolicFloors(const AttentionDims &dims, const Mask &mask,
                                  const Expr &fastWords,
                                  const std::set<std::string> &optional = {});

/// Concrete sizes of one problem; `pairs` is E of one head.
struct ConcreteProblem {
  BigInt nQ, nK, d, dV, batch, heads, kvHeads;
  BigInt twicePairs, rows, columns;
  bool aliasedKV = false;
  /// Pairs are required at all (not approximate or sparse).
  bool hasPairs = true;
};
/// nullopt with the reason where a size has no value, is below 1 or the heads
/// are no multiple of the KV heads.
std::optional<ConcreteProblem> concrete(const AttentionDims &dims,
                                        const Mask &mask, const Valuation &at,
                                        ExprError *error = nullptr);

/// The strongest floor of the whole forward pass at these sizes: the scans with
/// O's stores, `saha-ye` with V and O, and the applicable regimes of `tight`.
/// Exact integers.
NumericFloor bestTotalFloor(const ConcreteProblem &p, const BigInt &fastWords);
/// The strongest of Theorems B, C and R' (or of the aliased form) that applies;
/// nullopt if none does.
std::optional<NumericFloor> tightFloor(const ConcreteProblem &p,
                                       const BigInt &fastWords);
/// The work of a concrete problem, for Families.h.
Work workOf(const ConcreteProblem &p);
/// ceil(E d^2 / (2M)) over batch and heads; nullopt where M < d^2.
std::optional<BigInt> sahaYeFloor(const ConcreteProblem &p,
                                  const BigInt &fastWords);

} // namespace ioflor::floors

#endif // IOFLOR_PASSES_FLOORS_FLOORS_H
