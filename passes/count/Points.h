//===- Points.h - Counting integer points ------------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_COUNT_POINTS_H
#define IOFLOR_PASSES_COUNT_POINTS_H

#include "passes/count/Domain.h"

namespace ioflor::count {

/// The sum of `body` over the integer points of c in the variables `vars`,
/// for every admissible value of the other symbols. Always exact: where no
/// closed form is found an open `sum` stays inside. nullopt only when a
/// variable has no bounds at all.
std::optional<Frac> sumPoints(const Names &vars, const Conj &c,
                              const Frac &body, const Facts &base);

/// The number of points of a union; nullopt where it cannot be made disjoint.
std::optional<Frac> countPoints(const Names &vars, const Dnf &d,
                                const Facts &base);

} // namespace ioflor::count

#endif // IOFLOR_PASSES_COUNT_POINTS_H
