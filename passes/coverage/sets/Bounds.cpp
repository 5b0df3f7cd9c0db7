//===- Bounds.cpp - Fast arrays are large enough --------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is written past the end of a shared or private array lands in another
// one. The relations of coverage take arrays for apart, so this must be shown.
//
//===----------------------------------------------------------------------===//
#include "passes/coverage/sets/Prover.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::sets;

/// 0 <= address < words by the ranges of the loops around.
static bool isInside(const Model &model, const Statement &s,
                     const Expr &words) {
  Assumptions known = model.known;
  for (LoopOp loop : enclosingLoops(s.op))
    known.declare(loop.getVar(), Expr(0), loop.getTrips() - 1);
  if (s.width > 1)
    known.declare("lane", Expr(0), Expr(s.width - 1));
  assume(known, enclosingGuards(s.op));
  return known.isNonNegative(*s.address) &&
         known.isNonNegative(words - 1 - *s.address);
}

bool Prover::staysInside() {
  for (const Statement &s : model.statements) {
    BufferOp buffer = s.buffer;
    if (!buffer || buffer.getSpace() == Space::Slow || buffer.getScalar() ||
        !buffer.getWords() || !s.address)
      continue;
    Expr words = *buffer.getWords();
    if (isInside(model, s, words))
      continue;
    std::set<std::string> dims(s.dims.begin(), s.dims.end());
    if (s.width > 1)
      dims.insert("lane");
    auto address = Affine(model.params, dims).expr(*s.address);
    auto size = Affine(model.params, {}).expr(words);
    std::string why = "'" + s.address->str() + "' is not seen to stay in '" +
                      s.bufferName() + "', which has " + words.str() + " words";
    if (!address || !size)
      return fail(s.op, why);
    Set outside = model.set("{ " + s.tuple() + " : " + *address + " < 0 or " +
                            *address + " >= " + *size + " }");
    if (!require(isEmpty(intersectParams(intersect(outside, s.domain),
                                         model.context)),
                 s.op, why))
      return false;
  }
  return true;
}
