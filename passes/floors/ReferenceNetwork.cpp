//===- ReferenceNetwork.cpp - Traffic of sharded schedules ----------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/floors/Reference.h"

using namespace ioflor;
using namespace ioflor::floors;

Traffic ioflor::floors::ring(const AttentionDims &s, const Expr &devices,
                             bool inModel) {
  Expr columns = inModel ? s.d : s.d + s.dV;
  return {inModel ? "ring, K only" : "ring",
          s.batch * s.kvHeads * s.nK * columns * (devices - 1)};
}

Traffic ioflor::floors::ulysses(const AttentionDims &s, const Expr &devices,
                                bool inModel) {
  Expr words = inModel ? s.heads * s.nQ * s.d + s.kvHeads * s.nK * s.d
                       : (s.heads * s.nQ + s.kvHeads * s.nK) * (s.d + s.dV);
  return {inModel ? "Ulysses, Q and K only" : "Ulysses",
          s.batch * words * (devices - 1),
          devices,
          0,
          {eq(mod(s.heads, devices), 0), eq(mod(s.kvHeads, devices), 0)}};
}

Traffic ioflor::floors::unifiedSequenceParallel(const AttentionDims &s,
                                                const Expr &ulysses,
                                                const Expr &ring) {
  Expr both = s.d + s.dV;
  Expr exchange = (s.heads * s.nQ + s.kvHeads * s.nK) * both * (ulysses - 1);
  Expr circulate = s.kvHeads * s.nK * both * (ring - 1) * ulysses;
  return {"USP",
          s.batch * (exchange + circulate),
          ulysses,
          0,
          {eq(mod(s.heads, ulysses), 0), eq(mod(s.kvHeads, ulysses), 0)}};
}

Traffic ioflor::floors::grid2D(const AttentionDims &s, const Expr &side,
                               bool inModel) {
  Expr words = s.nQ * s.d + s.nK * s.d;
  if (!inModel)
    words += s.nK * s.dV + s.nQ * (s.dV + 2);
  return {inModel ? "2-D grid, Q and K only" : "2-D grid",
          s.batch * s.heads * words * (side - 1)};
}
