//===- Pairs.h - What a mask requires ---------------------------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_FLOORS_PAIRS_H
#define IOFLOR_PASSES_FLOORS_PAIRS_H

#include "dialect/expr/Cond.h"
#include "dialect/expr/Expr.h"
#include <optional>
#include <vector>

namespace ioflor::floors {

/// The sizes of one attention problem. Rows and columns are per head.
struct AttentionDims {
  Expr nQ, nK; ///< rows of Q and O; rows of K and V
  Expr d, dV;  ///< columns of Q and K; of V and O
  Expr batch = 1;
  Expr heads = 1;   ///< query heads
  Expr kvHeads = 1; ///< heads of K and V; each serves heads / kvHeads
  /// V is a part of K's buffer (shared latent): no scan of V, another `tight`.
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

/// The pairs of a block-sparse layout: block (i, j) holds the rows
/// i*blockRows .. and the columns j*blockColumns .. that exist. Repeated blocks
/// count once. nullopt with the reason where a block lies outside.
std::optional<Required>
blockSparsePairs(const BigInt &nQ, const BigInt &nK, const BigInt &blockRows,
                 const BigInt &blockColumns,
                 const std::vector<std::pair<BigInt, BigInt>> &blocks,
                 std::string *why = nullptr);

/// What every floor is a function of: the required pairs and the words of each
/// operand's required rows, summed over batch and heads. K and V count once for
/// each KV head, whichever number of query heads shares them.
struct Work {
  Expr twicePairs; ///< 2 E
  Expr d, dV;      ///< columns of Q and K; of V
  Expr q, k, v, o; ///< words; v is 0 where V is a part of K; o are stores
  Expr oRequired;  ///< words of O's rows with a required pair
  bool aliasedKV = false;
  /// Pairs are required at all (not approximate or sparse).
  bool hasPairs = true;
  std::vector<Cond> hypotheses;
};
Work workOf(const AttentionDims &dims, const Mask &mask);
Work workOf(const AttentionDims &dims, const Required &required,
            bool hasPairs = true);
/// Sequences of different lengths in one launch; all have one d and d_V. Sums
/// of pairs and words: by concavity no floor of the sum is above the sum of the
/// floors.
Work sumOf(const std::vector<Work> &parts);

} // namespace ioflor::floors

#endif // IOFLOR_PASSES_FLOORS_PAIRS_H
