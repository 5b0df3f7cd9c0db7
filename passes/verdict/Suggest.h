//===- Suggest.h - Which disclosure would fit --------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_VERDICT_SUGGEST_H
#define IOFLOR_PASSES_VERDICT_SUGGEST_H

#include "passes/verdict/Judgement.h"

namespace ioflor::verdict {

struct Suggestion {
  std::string note;
  std::string insert; ///< `IOFLOR_WINDOW(256) `
};

/// The strongest mask whose floors the traffic meets: causal, else the widest
/// window among the constants and symbols of K's traffic; else an approximation
/// that the author has to describe. A suggestion, not a claim about the code.
Suggestion suggestDisclosure(const Judgement &j);
/// Where no mask with a name will do.
Suggestion suggestApproximation();

} // namespace ioflor::verdict

#endif // IOFLOR_PASSES_VERDICT_SUGGEST_H
