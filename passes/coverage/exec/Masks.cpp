//===- Masks.cpp - Sets of score pairs, and their names -------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/coverage/exec/Masks.h"
#include "llvm/ADT/STLExtras.h"

using namespace ioflor;
using namespace ioflor::coverage;
using floors::MaskKind;

bool ioflor::coverage::isRequired(MaskKind kind, int64_t w, int64_t i,
                                  int64_t j, int64_t nq, int64_t nk) {
  int64_t diagonal = i + nk - nq; // the last key of row i, bottom-right
  switch (kind) {
  case MaskKind::Exact:
    return true;
  case MaskKind::Causal:
    return j <= diagonal;
  case MaskKind::CausalTopLeft:
    return j <= i;
  case MaskKind::Window:
    return j <= diagonal && j > diagonal - w;
  case MaskKind::WindowSymmetric:
    return std::abs(diagonal - j) <= w;
  case MaskKind::Approximate:
  case MaskKind::Sparse:
  case MaskKind::MaskedBy:
    return false;
  }
  return false;
}

std::string MaskName::text() const {
  if (kind == "full")
    return "all pairs";
  if (kind == "causal")
    return "the causal pairs (j <= i + n_k - n_q)";
  if (kind == "causal_top_left")
    return "the causal pairs from the top left (j <= i)";
  if (kind == "window")
    return "a causal window of the last " + w->str() + " keys";
  if (kind == "window_symmetric")
    return "a symmetric window of " + w->str() + " keys on either side";
  return kind;
}

namespace {

using Predicate = llvm::function_ref<bool(int64_t i, int64_t j, int64_t nq,
                                          int64_t nk, int64_t w)>;

/// The predicate is each set exactly, and in some set `w` matters.
bool fits(const std::vector<PairSet> &sets, const std::optional<Expr> &w,
          Predicate holds) {
  for (const PairSet &s : sets) {
    int64_t value = 0;
    if (w) {
      std::optional<BigInt> v = evaluate(*w, s.at);
      std::optional<int64_t> v64 = v ? Expr(*v).constant64() : std::nullopt;
      if (!v64 || *v64 < 1)
        return false;
      value = *v64;
    }
    for (int64_t i = 0; i < s.nq; ++i) {
      if (!s.decided[i])
        continue;
      for (int64_t j = 0; j < s.nk; ++j)
        if (s(i, j) != holds(i, j, s.nq, s.nk, value))
          return false;
    }
  }
  return true;
}

} // namespace

MaskName ioflor::coverage::nameMask(const std::vector<PairSet> &sets,
                                    const floors::Problem &problem,
                                    const std::vector<Expr> &parameters) {
  const Expr &nq = problem.dims.nQ, &nk = problem.dims.nK;
  auto disclosed = [&](MaskKind kind, std::optional<Expr> w,
                       llvm::StringRef name) -> std::optional<MaskName> {
    if (!fits(sets, w,
              [&](int64_t i, int64_t j, int64_t q, int64_t k, int64_t v) {
                return isRequired(kind, v, i, j, q, k);
              }))
      return std::nullopt;
    MaskName m;
    m.kind = name.str();
    m.w = w;
    m.disclosable = true;
    floors::AttentionDims dims;
    dims.nQ = nq;
    dims.nK = nk;
    floors::Mask mask{kind, w.value_or(Expr(0))};
    Expr twice = floors::requiredPairs(dims, mask).twicePairs;
    m.pairs = floordiv(twice, Expr(2));
    return m;
  };
  MaskKind declared = problem.mask.kind;
  bool isWindow =
      declared == MaskKind::Window || declared == MaskKind::WindowSymmetric;
  if (declared == MaskKind::Causal || declared == MaskKind::CausalTopLeft ||
      isWindow)
    if (auto m = disclosed(
            declared, isWindow ? std::optional(problem.mask.w) : std::nullopt,
            floors::maskName(declared)))
      return *m;
  if (auto m = disclosed(MaskKind::Exact, std::nullopt, "full"))
    return *m;
  if (auto m = disclosed(MaskKind::Causal, std::nullopt, "causal"))
    return *m;
  if (auto m =
          disclosed(MaskKind::CausalTopLeft, std::nullopt, "causal_top_left"))
    return *m;
  for (const Expr &w : parameters) {
    if (auto m = disclosed(MaskKind::Window, w, "window"))
      return *m;
    if (auto m = disclosed(MaskKind::WindowSymmetric, w, "window_symmetric"))
      return *m;
  }
  MaskName m;
  auto described = [&](std::optional<Expr> w, std::string text,
                       Predicate holds) {
    if (!fits(sets, w, holds))
      return false;
    m.kind = std::move(text);
    m.w = w;
    return true;
  };
  using I = int64_t;
  for (I c : {-1, 1})
    if (described(
            std::nullopt,
            c < 0 ? "the pairs strictly below the diagonal"
                  : "the causal pairs and one key after the diagonal",
            [c](I i, I j, I nq, I nk, I) { return j <= i + nk - nq + c; }))
      return m;
  // Of tiles that fit alike the largest is what the program was written for.
  for (const Expr &w : llvm::reverse(parameters)) {
    std::string name = w.str();
    if (described(w, "the first " + name + " keys",
                  [](I, I j, I, I, I w) { return j < w; }) ||
        described(w, "the keys of whole tiles of " + name,
                  [](I, I j, I, I nk, I w) { return j < nk / w * w; }) ||
        described(w, "the rows and keys of whole tiles of " + name,
                  [](I i, I j, I nq, I nk, I w) {
                    return j < nk / w * w && i < nq / w * w;
                  }) ||
        described(w, "the query rows of whole tiles of " + name,
                  [](I i, I, I nq, I, I w) { return i < nq / w * w; }) ||
        described(w, "chunks of " + name + " keys",
                  [](I i, I j, I, I, I w) { return i / w == j / w; }) ||
        described(
            w, "causal chunks of " + name + " keys",
            [](I i, I j, I, I, I w) { return j <= i && i / w == j / w; }) ||
        described(w, "every " + name + "th key",
                  [](I, I j, I, I, I w) { return w > 1 && j % w == 0; }) ||
        described(w, "every " + name + "th tile of " + name + " keys",
                  [](I, I j, I, I, I w) { return w > 1 && j / w % w == 0; }) ||
        described(w, "every other tile of " + name + " keys",
                  [](I, I j, I, I, I w) { return j / w % 2 == 0; }) ||
        described(w, "all keys but the last tile of " + name,
                  [](I, I j, I, I nk, I w) {
                    return j < (nk + w - 1) / w * w - w;
                  }) ||
        described(w, "the keys up to the end of the diagonal tile of " + name,
                  [](I i, I j, I nq, I nk, I w) {
                    return j < (i + nk - nq) / w * w + w;
                  }) ||
        described(
            w, "the keys up to the first row of the tile of " + name,
            [](I i, I j, I nq, I nk, I w) { return j <= i / w * w + nk - nq; }))
      return m;
  }
  if (described(std::nullopt, "all keys but the last",
                [](I, I j, I, I nk, I) { return j < nk - 1; }) ||
      described(std::nullopt, "all keys but the first",
                [](I, I j, I, I, I) { return j > 0; }) ||
      described(std::nullopt, "the pairs above the diagonal",
                [](I i, I j, I nq, I nk, I) { return j >= i + nk - nq; }))
    return m;
  m.kind = "pairs that no mask known to ioflor describes";
  return m;
}
