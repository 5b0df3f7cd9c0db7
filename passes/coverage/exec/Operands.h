//===- Operands.h - Entries of operands at concrete sizes --------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_COVERAGE_EXEC_OPERANDS_H
#define IOFLOR_PASSES_COVERAGE_EXEC_OPERANDS_H

#include "dialect/ir/Ioflor.h"

namespace ioflor::coverage {

/// Where an entry of an operand is: batch and head (0 where there is none),
/// row, column.
struct Place {
  int64_t batch = 0, head = 0, row = 0, column = 0;
};

/// Q, K, V or O at concrete sizes: a dense numbering of its entries and their
/// addresses.
class Operand {
public:
  /// The extents that `ioflor-roles` wrote on `buffer`, at these sizes. nullopt
  /// with the reason (lower case) where there are none or they are unusable.
  static std::optional<Operand> read(BufferOp buffer, Role role,
                                     const Valuation &at, std::string &why);

  BufferOp buffer;
  Role role = Role::Other;
  int64_t batches = 1, heads = 1, rows = 1, columns = 1;

  /// The entry at an address; nullopt between entries (padding of a pitch).
  /// Outside of all of them `outside` is set.
  std::optional<Place> decode(int64_t address, bool &outside) const;
  int64_t addressOf(const Place &p) const;

  int64_t allRows() const { return batches * heads * rows; }
  int64_t rowNumber(const Place &p) const {
    return (p.batch * heads + p.head) * rows + p.row;
  }
  Place placeOfRow(int64_t number) const {
    return {number / rows / heads, number / rows % heads, number % rows, 0};
  }

private:
  enum Axis : uint8_t { Batch, Head, Row, Column };
  struct Dimension {
    Axis axis;
    int64_t size, stride;
    int64_t weight; ///< within its axis: index = sum of digit * weight
  };
  std::vector<Dimension> dimensions; ///< strides falling, sizes above 1
};

} // namespace ioflor::coverage

#endif // IOFLOR_PASSES_COVERAGE_EXEC_OPERANDS_H
