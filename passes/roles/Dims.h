//===- Dims.h - Sizes of the operands ---------------------------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows, columns, heads and batch of each operand, from the structure of its
// addresses in the frame of an output store.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_ROLES_DIMS_H
#define IOFLOR_PASSES_ROLES_DIMS_H

#include "passes/roles/Assign.h"
#include "passes/roles/Roles.h"

namespace ioflor::roles {

/// What a variable of the frame counts, by the operands whose addresses it is
/// in, as in an einsum.
enum class Axis : uint8_t { Instance, Row, Column };

/// The part of an operand's address that belongs to one dimension.
struct Part {
  Axis axis = Axis::Column;
  Expr stride;                 ///< words between neighbours
  Expr index;                  ///< over the frame's variables
  std::optional<Expr> touched; ///< 1 + the largest index that the code reaches
  std::string touchedBy;       ///< `guard`, `loops`
  std::set<std::string> vars;
};

/// An operand's address as dimensions, slowest first.
struct Shape {
  std::vector<Part> parts;
  Expr base;             ///< what no loop moves
  bool hidden = false;   ///< by fragments or lost staging: tiles may tell more
  bool mismatch = false; ///< read, but it contradicts another operand
  bool complete = false; ///< false: the address could not be taken apart
  std::string problem;
};

struct Shapes {
  Shape q, k, v, o;
  /// The addresses that they were read off, a line each.
  std::string explanation;
};

/// Reads the shapes off the frames (at least one) of the output's stores. The
/// row variables of Q and O are those that V does not have; those of K and V
/// are those that O does not have.
Shapes readShapes(const Program &program, const std::vector<Frame> &frames);

/// Sets dims and extents with their evidence from the shapes and from better
/// sources (annotations, allocations, strides).
void decideExtents(const Program &program, const Shapes &shapes,
                   Result &result);

} // namespace ioflor::roles

#endif // IOFLOR_PASSES_ROLES_DIMS_H
