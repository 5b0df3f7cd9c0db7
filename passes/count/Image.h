//===- Image.h - Counting distinct addresses ---------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many different values an address takes over its inner variables, summed
// over the outer ones. The address is brought to a form in which it is
// injective (variables it does not depend on are projected away, x + T*y
// becomes one variable, e / D and e % D become two, a min, max or quotient of
// projected variables becomes a variable), and then points are counted.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_COUNT_IMAGE_H
#define IOFLOR_PASSES_COUNT_IMAGE_H

#include "passes/count/Points.h"

namespace ioflor::count {

/// An address over a set of points.
struct Image {
  Names outer, inner;
  Dnf set;
  Expr address;
};

/// Rewrites the image; the multiset of (outer point, set of addresses) is
/// unchanged. Afterwards the address depends on every variable of `inner`
/// unless a projection was not exact.
/// `shift`: also change variables of addresses that are not injective;
/// `digits`: also write x + T*y as one variable.
void normalise(Image &image, const Facts &base, bool shift = true,
               bool digits = true);

/// Different inner points of one outer point have different addresses.
bool isInjective(const Image &image, const Facts &base);

struct Cardinality {
  std::optional<Expr> lo, hi;
  bool exact = false;
  std::string reason; ///< why not exact
};

/// An exact result that is a long nest of open sums: of no use to a reader or
/// a solver.
bool isBulky(const Expr &e);

/// Normalises and counts.
Cardinality cardinality(Image image, const Facts &base);
/// Of an image that is already normal.
Cardinality cardinalityOfNormal(const Image &image, const Facts &base);

/// The union of the normal images a and b, which have the same outer
/// variables, if both can be written with one address.
std::optional<Image> unite(const Image &a, const Image &b, const Facts &base);

} // namespace ioflor::count

#endif // IOFLOR_PASSES_COUNT_IMAGE_H
