//===- Problem.h - The attention problem of a subject ------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_FLOORS_PROBLEM_H
#define IOFLOR_PASSES_FLOORS_PROBLEM_H

#include "dialect/ir/Ioflor.h"
#include "passes/floors/Floors.h"

namespace ioflor::floors {

/// Bytes of the narrowest element among the slow buffers with a role; a word of
/// fast memory. 1 where no buffer has a role.
int64_t wordBytes(SubjectOp subject);

/// What `ioflor-roles` and the disclosure say of a subject.
struct Problem {
  AttentionDims dims;
  Mask mask;
  bool disclosed = false; ///< the author declared something
  Expr fastWords;         ///< the symbol of M
};
/// nullopt where the subject is no attention or a size is missing; `why` says
/// which, as a lower-case phrase.
std::optional<Problem> readProblem(SubjectOp subject,
                                   std::string *why = nullptr);

/// M as the user, the target or the author gave it.
struct GivenFastWords {
  Expr atLeast, atMost; ///< words, rounded down and up
  std::string source;   ///< `M=...`, `sm_80`, `IOFLOR_FAST_WORDS`
};
/// Nothing given: an empty optional and no error. A text that cannot be used
/// sets `error` (lower case).
std::optional<GivenFastWords> givenFastWords(SubjectOp subject,
                                             llvm::StringRef option,
                                             llvm::StringRef target,
                                             std::string &error);

} // namespace ioflor::floors

#endif // IOFLOR_PASSES_FLOORS_PROBLEM_H
