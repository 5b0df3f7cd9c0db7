//===- Report.h - Findings as Clang diagnostics ------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only place that decides how loud a finding is.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PLUGIN_CLANG_REPORT_H
#define IOFLOR_PLUGIN_CLANG_REPORT_H

#include "dialect/ir/Ioflor.h"
#include "plugin/clang/Nolint.h"
#include "plugin/clang/Subject.h"
#include "plugin/loader/Options.h"
#include "clang/Basic/Diagnostic.h"
#include <set>

namespace clang {
class CompilerInstance;
class FunctionDecl;
} // namespace clang

namespace ioflor::frontend {

class Reporter {
public:
  Reporter(clang::CompilerInstance &compiler, const PluginOptions &options);

  /// Reports the findings that the passes left in `subject`.
  void report(SubjectOp subject, const SubjectSpec &spec);
  /// Reports one thing; `id` with or without `ioflor-`. False if it is silent.
  bool emit(llvm::StringRef id, llvm::StringRef severity,
            llvm::StringRef message, clang::SourceLocation loc);
  void note(llvm::StringRef message, clang::SourceLocation loc);
  void error(llvm::StringRef message, clang::SourceLocation loc = {});

  /// A note at the declaration of `function` whose fix-it puts `insert` before
  /// it.
  void suggest(llvm::StringRef insert, const clang::FunctionDecl *function);

  clang::SourceLocation locate(mlir::Location loc) const;

private:
  clang::SourceLocation locateHere(mlir::Location loc) const;
  std::optional<clang::DiagnosticsEngine::Level>
  levelOf(llvm::StringRef id, llvm::StringRef severity,
          clang::SourceLocation loc) const;

  clang::CompilerInstance &compiler;
  const PluginOptions &options;
  Nolint nolint;
  std::set<std::string> said; ///< one finding at one place once a subject
};

} // namespace ioflor::frontend

#endif // IOFLOR_PLUGIN_CLANG_REPORT_H
