//===- SmallCache.cpp - Floors for M below d^2 ----------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Own derivations (segment arguments with Loomis-Whitney, arithmetic checked by
// z3), not peer reviewed; standard matrix multiplication, cold fast memory.
//
//===----------------------------------------------------------------------===//
#include "passes/floors/Families.h"

using namespace ioflor;
using namespace ioflor::floors;

static constexpr char kSource[] =
    "small cache, own derivation, not peer reviewed; standard matrix "
    "multiplication, cold fast memory";

void ioflor::floors::addSmallCache(const Work &w, const Expr &M,
                                   std::vector<Floor> &out) {
  if (!w.hasPairs)
    return;
  Expr dd = w.d * w.d;
  auto add = [&](const char *regime, Expr rootNum, Expr rootDen, Expr num,
                 Expr den, std::vector<Cond> more) {
    Floor f{"small-cache", "qk", num, den, {}, kSource};
    assume(f, w.hypotheses);
    assume(f, more);
    f.rootNum = rootNum;
    f.rootDen = rootDen;
    f.regime = regime;
    reduce(f.num, f.den);
    reduce(f.rootNum, f.rootDen);
    out.push_back(std::move(f));
  };
  Expr square = w.twicePairs * w.twicePairs;
  // sqrt(E^2 d^4 / (M d^2 + M^2)) - M, loads and stores.
  add("U", square * dd * dd, 4 * (M * dd + M * M), -M, 1, {});
  // sqrt(4 E^2 d^2 / M) - E - 2 M, loads.
  add("R", square * dd, M, -w.twicePairs - 4 * M, 2, {le(M, 4 * dd)});
  // R without a root: 1/sqrt(M) is at least its tangent at M = d^2, which is
  // (3 d^2 - M) / (2 d^3). Dominated by R; what the prover can use.
  add("R, tangent", 0, 1, w.twicePairs * (2 * dd - M) - 4 * M * dd, 2 * dd,
      {le(M, 2 * dd)});
  // Theorem A, loads.
  add("D", 0, 1, w.twicePairs, 4, {le(M, 2 * dd)});
}
