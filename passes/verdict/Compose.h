//===- Compose.h - Floors that follow from other floors ----------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_VERDICT_COMPOSE_H
#define IOFLOR_PASSES_VERDICT_COMPOSE_H

#include "passes/verdict/View.h"

namespace ioflor::verdict {

/// Traffic at least a floor, by way of its operands: each operand's traffic is
/// at least a floor that is proved, so their sum may stand for the traffic.
struct Composition {
  Cond goal;         ///< cross-multiplied
  std::string parts; ///< `scan-q + scan-k`
};

/// Nullopt where no operand has a floor that is proved under no more than the
/// hypotheses of `floor`, or where the operands' lower
/// ends are not known to add up to no more than that of the sum.
std::optional<Composition> compose(const View &view, FloorOp floor,
                                   llvm::ArrayRef<FloorOp> proved);

/// The conditions of a floor.
std::vector<Cond> hypothesesOf(FloorOp floor);

} // namespace ioflor::verdict

#endif // IOFLOR_PASSES_VERDICT_COMPOSE_H
