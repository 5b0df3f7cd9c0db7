//===- Annotations.h - ioflor/annotations.h, read ----------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PLUGIN_CLANG_AST_ANNOTATIONS_H
#define IOFLOR_PLUGIN_CLANG_AST_ANNOTATIONS_H

#include "plugin/clang/Subject.h"
#include "plugin/clang/ast/ASTReader.h"
#include <functional>

namespace ioflor::frontend {

/// What the names in an annotation's arguments stand for.
struct AnnotationScope {
  /// Value of an integer name (a parameter, a template parameter, a constant).
  std::function<std::optional<Expr>(llvm::StringRef)> integer;
  /// The subject's buffer that a pointer parameter is bound to; null if none.
  std::function<BufferSpec *(llvm::StringRef)> buffer;
  /// The function as it is called in messages.
  std::string function;
};

/// Reads the annotations of `function` into the subject. Mistakes go to
/// `problems`. `disclosureOnlyIfNone`: a disclosure that the subject already
/// has stays (the kernel's own goes before that of the host function).
void readAnnotations(
    const clang::FunctionDecl *function, const AnnotationScope &scope,
    SubjectSpec &subject, std::vector<AnnotationProblem> &problems,
    const std::function<std::string(clang::SourceLocation)> &where);

} // namespace ioflor::frontend

#endif // IOFLOR_PLUGIN_CLANG_AST_ANNOTATIONS_H
