//===- Bounds.cpp - Arrays are large enough -------------------------------===//
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

bool ioflor::sets::isInside(const Model &model, const Statement &s,
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

/// No load reaches beyond an operand, and no access beyond a buffer in slow
/// memory whose size is known: executions show that at small sizes only.
bool Prover::readsInside() {
  for (unsigned i = 0; i < model.statements.size(); ++i) {
    const Statement &s = model.statements[i];
    BufferOp buffer = s.buffer;
    if (!buffer || buffer.getSpace() != Space::Slow)
      continue;
    std::string why;
    Map words;
    Set inside;
    const Operand *operand = nullptr;
    for (const Operand *o : {&q, &k, &v, &out})
      if (o->shape && BufferOp(o->shape->buffer) == buffer)
        operand = o;
    if (operand == &out)
      continue; // findOwners
    if (operand) {
      words = entry(i, *operand, why);
      inside = box(*operand);
    } else if (buffer.getWords()) {
      words = model.cell(i, why);
      if (words)
        inside = model.cellsInside(buffer, why);
    } else {
      continue;
    }
    if (!words || !inside)
      return fail(s.op, why);
    words = intersectDomain(words, s.domain);
    if (!require(isSubset(intersectParams(range(words), model.context), inside),
                 s.op,
                 "'" + s.address->str() + "' is not seen to stay in '" +
                     s.bufferName() + "'"))
      return false;
  }
  return true;
}
