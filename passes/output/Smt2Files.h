//===- Smt2Files.h - Obligations as files ------------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_OUTPUT_SMT2FILES_H
#define IOFLOR_PASSES_OUTPUT_SMT2FILES_H

#include "dialect/ir/Ioflor.h"

namespace ioflor::output {

/// The name of an obligation's file: `<subject>-<obligation>.smt2`, made of
/// letters, digits, `-`, `_` and `.` only.
std::string smt2FileName(SubjectOp subject, ObligationOp obligation);

/// Writes every obligation of the subject that has a query into `folder`, which
/// is made if it is not there. False with a lower-case `error` on failure.
bool writeSmt2Files(SubjectOp subject, llvm::StringRef folder,
                    std::string &error);

} // namespace ioflor::output

#endif // IOFLOR_PASSES_OUTPUT_SMT2FILES_H
