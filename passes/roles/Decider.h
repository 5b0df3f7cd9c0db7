//===- Decider.h - Decides how large the operands are -----------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps from shapes to extents with evidence: each operand by itself
// (Extents.cpp), then what the operands have in common (Agreement.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_ROLES_DECIDER_H
#define IOFLOR_PASSES_ROLES_DECIDER_H

#include "passes/roles/Dims.h"

namespace ioflor::roles {

class Decider {
public:
  Decider(const Program &program, const Shapes &shapes, Result &result)
      : program(program), shapes(shapes), result(result) {}

  void run();

private:
  const Program &program;
  const Shapes &shapes;
  Result &result;

  /// An extent and the part of the address that it is about.
  struct Item {
    Extent e;
    const Part *part;
  };
  void dropAlias();
  std::vector<Extent> extents(const Shape &shape, const Operand &operand);
  void order(std::vector<Item> &all) const;
  void decideRows(Extent &e, const Part &part,
                  const std::optional<Expr> &ratio);
  void decideColumns(Extent &e, const Part &part,
                     const std::optional<Expr> &ratio, bool confirmed,
                     const Extent *next);
  void nameInstances(std::vector<Item> &all) const;
  void applyScale();
  void reconcile();
  void refuse();
  void fill();
  /// Is a known to be at least b (strides are positive)?
  bool larger(const Expr &a, const Expr &b) const {
    if (a == b)
      return false;
    if (program.known.isPositive(a - b))
      return true;
    return divideExactly(a, b) && !divideExactly(b, a);
  }
  Operand *operand(Role role) {
    for (Operand &o : result.operands)
      if (o.role == role && !o.extents.empty())
        return &o;
    return nullptr;
  }
  static Extent *find(Operand *o, llvm::StringRef dimension) {
    if (o)
      for (Extent &e : o->extents)
        if (e.dimension == dimension)
          return &e;
    return nullptr;
  }
};

} // namespace ioflor::roles

#endif // IOFLOR_PASSES_ROLES_DECIDER_H
