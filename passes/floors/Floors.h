//===- Floors.h - Lower bounds on attention's traffic ------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every floor, symbolic and numeric, from one definition. All counts are in
// words: one element of an operand. M, the fast words of one CTA, is counted in
// the narrowest element of the subject.
//
// Sources: the form of `saha-ye` is Saha & Ye (arXiv:2402.07443); its explicit
// constant is this project's Theorem A, and `tight` its Theorems B, C and R':
// own derivations, elementary, not peer reviewed. Both hold for standard matrix
// multiplication with a cold fast memory.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_FLOORS_FLOORS_H
#define IOFLOR_PASSES_FLOORS_FLOORS_H

#include "dialect/expr/Cond.h"
#include "dialect/expr/Expr.h"
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ioflor::floors {

/// The sizes of one attention problem. Rows and columns are per head.
struct AttentionDims {
  Expr nQ, nK; ///< rows of Q and O; rows of K and V
  Expr d, dV;  ///< columns of Q and K; of V and O
  Expr batch = 1;
  Expr heads = 1;   ///< query heads
  Expr kvHeads = 1; ///< heads of K and V; each serves heads / kvHeads
  /// V is a part of K's buffer (shared latent): no scan of V, no `tight`.
  bool aliasedKV = false;
};

/// Which score pairs the author says are required.
enum class MaskKind : uint8_t {
  Exact,           ///< all of them (also: nothing disclosed)
  Causal,          ///< bottom-right: j <= i + n_k - n_q; needs n_q <= n_k
  CausalTopLeft,   ///< j <= i
  Window,          ///< the last w keys up to and with the diagonal
  WindowSymmetric, ///< |i + n_k - n_q - j| <= w
  Approximate,     ///< no pair, but every input is read
  Sparse,          ///< no pair; rows of Q and O only
  MaskedBy         ///< decided at run time: no more than the causal pairs
};

struct Mask {
  MaskKind kind = MaskKind::Exact;
  Expr w; ///< for the windows
};

/// The mask of a disclosure kind (`causal_top_left`, ...); nullopt for a name
/// that is none.
std::optional<Mask> maskFromName(llvm::StringRef kind, const Expr &w = 0);
/// The reverse, for messages and the certificate.
llvm::StringRef maskName(MaskKind kind);

/// What a mask requires of one head.
struct Required {
  /// Twice the number of pairs E: every E here is a polynomial over 2.
  Expr twicePairs;
  /// Rows of Q (of K and V) with at least one required pair.
  Expr rows, columns;
  /// What the formulas assume of the sizes.
  std::vector<Cond> hypotheses;
};
Required requiredPairs(const AttentionDims &dims, const Mask &mask);

/// A lower bound of num / den words.
struct Floor {
  std::string kind;    ///< saha-ye, scan-q, scan-k, scan-v, scan-o, scan, ...
  std::string against; ///< qk, q, k, v, o, loads, total
  Expr num, den;
  std::vector<Cond> hypotheses; ///< over the symbols and M
  std::string source;
};

/// The floors that decide the verdict, then those of `optional` (`tight`,
/// `sharp`, `fmm`), each in the regimes that have a rational form. One instance
/// per KV head; E is summed over batch and query heads. `fastWords` stands for
/// the fast words M of one CTA.
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

/// A bound with a name, in words of traffic (loads + stores), rounded up.
struct NumericFloor {
  std::string kind;
  BigInt words;
};
/// The strongest floor of the whole forward pass at these sizes: the scans with
/// O's stores, `saha-ye` with V and O, and (unless aliased) the applicable
/// regimes of `tight`. Exact integers.
NumericFloor bestTotalFloor(const ConcreteProblem &p, const BigInt &fastWords);
/// The strongest of Theorems B, C and R' that applies; nullopt if none does.
std::optional<NumericFloor> tightFloor(const ConcreteProblem &p,
                                       const BigInt &fastWords);
/// ceil(E d^2 / (2M)) over batch and heads; nullopt where M < d^2.
std::optional<BigInt> sahaYeFloor(const ConcreteProblem &p,
                                  const BigInt &fastWords);

/// floor(sqrt(n)) for n >= 0.
BigInt isqrt(const BigInt &n);

} // namespace ioflor::floors

#endif // IOFLOR_PASSES_FLOORS_FLOORS_H
