//===- Shares.h - Divides a budget of work over subjects ---------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_DIALECT_EXPR_SHARES_H
#define IOFLOR_DIALECT_EXPR_SHARES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>

namespace ioflor {

/// What one job made of its share.
struct ShareUse {
  uint64_t units = 0;  ///< spent, at most a little more than the share
  bool ranOut = false; ///< more could change its result
};

/// Runs each of `jobs` with an equal share of half of `total` (a lone job with
/// all of it), then those that ran out again, from the start, with equal shares
/// of what is left, while that is worth it. A job's last run counts. The order
/// of the jobs changes no share. Returns the units spent.
uint64_t runInShares(llvm::ArrayRef<unsigned> jobs, uint64_t total,
                     llvm::function_ref<ShareUse(unsigned, uint64_t)> run);

} // namespace ioflor

#endif // IOFLOR_DIALECT_EXPR_SHARES_H
