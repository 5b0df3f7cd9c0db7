//===- Digits.h - Affine addresses as digits of a number ---------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_COUNT_DIGITS_H
#define IOFLOR_PASSES_COUNT_DIGITS_H

#include "passes/count/Image.h"

namespace ioflor::count {

/// n runs of L consecutive words (up to a common factor), `stride` apart.
struct Blocks {
  Expr n, L, stride;
  Conj outer; ///< where there are any, over the outer variables
};
std::optional<Blocks> findBlocks(const Image &im, const Facts &base);

} // namespace ioflor::count

#endif // IOFLOR_PASSES_COUNT_DIGITS_H
