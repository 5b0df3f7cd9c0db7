//===- BruteForce.h - Counting by enumeration --------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The definitions of the three counts, executed literally: the oracle for the
// closed forms. Shares no code with them beyond evaluation.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_TEST_UNIT_COUNT_BRUTEFORCE_H
#define IOFLOR_TEST_UNIT_COUNT_BRUTEFORCE_H

#include "passes/count/Counting.h"

namespace ioflor::count::test {

struct Brute {
  int64_t issued = 0, traffic = 0, compulsory = 0;
  bool tooLarge = false;
};

/// Counts the accesses of one stage at the given sizes.
Brute bruteForce(const std::vector<Access> &accesses, const Valuation &at,
                 int64_t maxSteps = 20'000'000);

int64_t valueAt(const Expr &e, const Valuation &at);

} // namespace ioflor::count::test

#endif // IOFLOR_TEST_UNIT_COUNT_BRUTEFORCE_H
