//===- Backward.cpp - Floors of the backward pass -------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel-level backward pass: Q, K, V and dO (and row statistics, which are
// free) in, dQ, dK and dV out. A pair needs its score and the product of dO's
// and V's rows, so Theorem A holds with d + d_V in place of d; for d = d_V
// counting the products of dQ, dK and dV as well gives E min(12 d^2 / M, 1/2),
// which FlashAttention-2's backward pass with atomic dQ attains. Own
// derivations, not peer reviewed; standard matrix multiplication, cold fast
// memory. An atomic add to slow memory counts one word.
//
//===----------------------------------------------------------------------===//
#include "passes/floors/Families.h"

using namespace ioflor;
using namespace ioflor::floors;

static constexpr char kScan[] = "every required row of Q, K, V and dO is read "
                                "once, of dQ, dK and dV stored";
static constexpr char kSharp[] = "Theorem A with d + d_V, own derivation, not "
                                 "peer reviewed; standard matrix "
                                 "multiplication, cold fast memory";
static constexpr char kTight[] =
    "backward form of the tight floor, own derivation, not peer reviewed; "
    "standard matrix multiplication, cold fast memory";

std::vector<Floor> ioflor::floors::backwardFloors(const Work &w,
                                                  const Expr &M) {
  std::vector<Floor> out;
  auto add = [&](const char *kind, const char *regime, Expr num, Expr den,
                 const char *source, std::vector<Cond> more) {
    reduce(num, den);
    Floor f{kind, "total", num, den, {}, source};
    assume(f, w.hypotheses);
    assume(f, more);
    f.regime = regime;
    out.push_back(std::move(f));
  };
  // dQ, dK and dV have the shapes of Q, K and V; dO that of O. Where V is a
  // part of K, so may dV be of dK: v is 0.
  Expr stores = w.q + w.k + w.v;
  add("scan", "backward", w.q + w.k + w.v + w.oRequired + stores, 1, kScan, {});
  // A row of K that is also one of V gives both of a pair's products, so for K
  // = V a pair needs fewer words than the theorems count.
  if (!w.hasPairs || w.aliasedKV)
    return out;
  Expr side = (w.d + w.dV) * (w.d + w.dV);
  add("sharp", "backward, large M", w.twicePairs * side + 2 * stores * M, 2 * M,
      kSharp, {le(2 * side, M)});
  add("sharp", "backward, small M", w.twicePairs + 4 * stores, 4, kSharp,
      {le(M, 2 * side)});
  Expr dd = w.d * w.d;
  add("tight", "backward, large M", 6 * w.twicePairs * dd, M, kTight,
      {eq(w.d, w.dV), le(24 * dd, M)});
  add("tight", "backward, small M", w.twicePairs, 4, kTight,
      {eq(w.d, w.dV), le(M, 24 * dd)});
  return out;
}
