//===- Pairs.cpp - What a mask requires -----------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/floors/Pairs.h"
#include "llvm/ADT/StringSwitch.h"
#include <algorithm>
#include <set>

using namespace ioflor;
using namespace ioflor::floors;

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

std::optional<Mask> ioflor::floors::maskFromName(llvm::StringRef kind,
                                                 const Expr &w) {
  auto k = llvm::StringSwitch<std::optional<MaskKind>>(kind)
               .Cases({"", "exact"}, MaskKind::Exact)
               .Case("causal", MaskKind::Causal)
               .Case("causal_top_left", MaskKind::CausalTopLeft)
               .Case("window", MaskKind::Window)
               .Case("window_symmetric", MaskKind::WindowSymmetric)
               .Case("approximate", MaskKind::Approximate)
               .Case("sparse", MaskKind::Sparse)
               .Case("masked_by", MaskKind::MaskedBy)
               .Default(std::nullopt);
  if (!k)
    return std::nullopt;
  return Mask{*k, w};
}

llvm::StringRef ioflor::floors::maskName(MaskKind kind) {
  switch (kind) {
  case MaskKind::Exact:
    return "exact";
  case MaskKind::Causal:
    return "causal";
  case MaskKind::CausalTopLeft:
    return "causal_top_left";
  case MaskKind::Window:
    return "window";
  case MaskKind::WindowSymmetric:
    return "window_symmetric";
  case MaskKind::Approximate:
    return "approximate";
  case MaskKind::Sparse:
    return "sparse";
  case MaskKind::MaskedBy:
    return "masked_by";
  }
  return "exact";
}

/// Twice the pairs of `the last w keys up to and with the diagonal` where the
/// diagonal of row i is column i + n_k - n_q and n_q <= n_k, w >= 1: row i sees
/// min(w, i + 1 + off) keys, off = n_k - n_q. proofs/Masks.v: window_pairs.
static Expr twiceWindow(const Expr &nQ, const Expr &nK, const Expr &w) {
  Expr off = nK - nQ;
  // The first `ragged` rows see fewer than w keys.
  Expr ragged = max(Expr(0), min(nQ, w - off - 1));
  return 2 * ragged * (off + 1) + ragged * (ragged - 1) + 2 * (nQ - ragged) * w;
}

Required ioflor::floors::requiredPairs(const AttentionDims &s,
                                       const Mask &mask) {
  const Expr &nQ = s.nQ, &nK = s.nK;
  Required r;
  r.rows = nQ;
  r.columns = nK;
  switch (mask.kind) {
  case MaskKind::Exact:
    r.twicePairs = 2 * nQ * nK;
    break;
  case MaskKind::Causal:
  case MaskKind::MaskedBy:
    r.twicePairs = 2 * nQ * nK - nQ * (nQ - 1);
    r.hypotheses.push_back(le(nQ, nK));
    break;
  case MaskKind::CausalTopLeft: {
    Expr m = min(nQ, nK);
    r.twicePairs = m * (m + 1) + 2 * max(Expr(0), nQ - nK) * nK;
    r.columns = m;
    break;
  }
  case MaskKind::Window:
    r.twicePairs = twiceWindow(nQ, nK, mask.w);
    r.columns = nQ + min(mask.w - 1, nK - nQ);
    r.hypotheses.push_back(le(nQ, nK));
    r.hypotheses.push_back(le(1, mask.w));
    break;
  case MaskKind::WindowSymmetric: {
    // Left of and with the diagonal a window of w + 1 keys; right of it row
    // n_q - 1 - k has min(w, k) more.
    Expr a = min(mask.w, nQ - 1);
    r.twicePairs = twiceWindow(nQ, nK, mask.w + 1) + a * (a + 1) +
                   2 * (nQ - 1 - a) * mask.w;
    r.columns = nQ + min(mask.w, nK - nQ);
    r.hypotheses.push_back(le(nQ, nK));
    r.hypotheses.push_back(le(0, mask.w));
    break;
  }
  case MaskKind::Approximate:
    r.twicePairs = 0;
    break;
  case MaskKind::Sparse:
    r.twicePairs = 0;
    r.columns = 0;
    break;
  }
  return r;
}

std::optional<Required> ioflor::floors::blockSparsePairs(
    const BigInt &nQ, const BigInt &nK, const BigInt &blockRows,
    const BigInt &blockColumns,
    const std::vector<std::pair<BigInt, BigInt>> &blocks, std::string *why) {
  std::set<std::pair<BigInt, BigInt>> distinct(blocks.begin(), blocks.end());
  std::set<BigInt> blockRowsTouched, blockColumnsTouched;
  BigInt pairs(0), rows(0), columns(0);
  for (const auto &[i, j] : distinct) {
    BigInt height = std::min(blockRows, nQ - i * blockRows);
    BigInt width = std::min(blockColumns, nK - j * blockColumns);
    if (i < 0 || j < 0 || height < 1 || width < 1) {
      if (why)
        llvm::raw_string_ostream(*why)
            << "block " << i << ":" << j << " lies outside";
      return std::nullopt;
    }
    pairs += height * width;
    if (blockRowsTouched.insert(i).second)
      rows += height;
    if (blockColumnsTouched.insert(j).second)
      columns += width;
  }
  return Required{2 * pairs, rows, columns, {}};
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

Work ioflor::floors::workOf(const AttentionDims &s, const Required &r,
                            bool hasPairs) {
  Expr queryHeads = s.batch * s.heads, kvHeads = s.batch * s.kvHeads;
  Work w;
  w.twicePairs = queryHeads * r.twicePairs;
  w.d = s.d;
  w.dV = s.dV;
  w.q = queryHeads * r.rows * s.d;
  w.k = kvHeads * r.columns * s.d;
  w.v = s.aliasedKV ? Expr(0) : kvHeads * r.columns * s.dV;
  // Every row of O is stored, masked or not.
  w.o = queryHeads * s.nQ * s.dV;
  w.oRequired = queryHeads * r.rows * s.dV;
  w.aliasedKV = s.aliasedKV;
  w.hasPairs = hasPairs && !w.twicePairs.isZero();
  w.hypotheses = r.hypotheses;
  return w;
}

Work ioflor::floors::workOf(const AttentionDims &s, const Mask &mask) {
  return workOf(s, requiredPairs(s, mask),
                mask.kind != MaskKind::Approximate &&
                    mask.kind != MaskKind::Sparse);
}

Work ioflor::floors::sumOf(const std::vector<Work> &parts) {
  Work total;
  total.hasPairs = false;
  for (const Work &w : parts) {
    total.twicePairs += w.twicePairs;
    total.d = w.d;
    total.dV = w.dV;
    total.q += w.q;
    total.k += w.k;
    total.v += w.v;
    total.o += w.o;
    total.oRequired += w.oRequired;
    total.aliasedKV |= w.aliasedKV;
    total.hasPairs |= w.hasPairs;
    total.hypotheses.insert(total.hypotheses.end(), w.hypotheses.begin(),
                            w.hypotheses.end());
  }
  return total;
}
