//===- Tables.h - Where the theorems are written down -----------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_THEOREMS_TABLES_H
#define IOFLOR_PASSES_THEOREMS_TABLES_H

#include "passes/theorems/Theorem.h"

namespace ioflor::theorems {

using Table = std::vector<Theorem>;

void addOrderings(Table &out); ///< the three of the seeds
void addSegments(Table &out);  ///< Theorem A, small caches, fast multiplication
void addTight(Table &out);     ///< Theorems B, C, R', aliasing
void addBackward(Table &out);
void addSharding(Table &out); ///< chord, balanced grid

} // namespace ioflor::theorems

#endif // IOFLOR_PASSES_THEOREMS_TABLES_H
