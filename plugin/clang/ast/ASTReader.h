//===- ASTReader.h - Subjects of a translation unit --------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the AST and the filter's candidates to SubjectSpecs: which kernels are
// analysed, at which launch, with which names, assumptions and annotations.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PLUGIN_CLANG_AST_ASTREADER_H
#define IOFLOR_PLUGIN_CLANG_AST_ASTREADER_H

#include "plugin/clang/Subject.h"
#include "plugin/loader/Handover.h"
#include "clang/AST/ASTContext.h"
#include "llvm/Support/raw_ostream.h"

namespace ioflor::frontend {

/// A mistake in an annotation, to be reported at its place.
struct AnnotationProblem {
  clang::SourceLocation loc;
  std::string message;
};

struct ReadResult {
  std::vector<SubjectSpec> subjects; ///< in source order of their launches
  std::vector<AnnotationProblem> problems;
};

ReadResult readSubjects(clang::ASTContext &context, const CoreInput &input);

/// Readable text of a subject, for `emit=subjects` and for tests.
void printSubject(const SubjectSpec &subject,
                  const clang::SourceManager &sources, llvm::raw_ostream &os);

} // namespace ioflor::frontend

#endif // IOFLOR_PLUGIN_CLANG_AST_ASTREADER_H
