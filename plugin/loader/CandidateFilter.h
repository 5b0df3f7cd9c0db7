//===- CandidateFilter.h - Which kernels may be attention --------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cheap look at the AST that decides whether the heavy part of ioflor is
// loaded at all. It may say yes too often (the passes then stay silent); it
// must be fast and say no for ordinary kernels.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PLUGIN_LOADER_CANDIDATEFILTER_H
#define IOFLOR_PLUGIN_LOADER_CANDIDATEFILTER_H

#include "plugin/loader/Handover.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/Regex.h"
#include <memory>

namespace clang {
class ASTContext;
class CompilerInstance;
class DeclContext;
class Preprocessor;
} // namespace clang

namespace ioflor::frontend {

/// Counts exponentials and contractions in what a function reaches. Results are
/// kept, so that shared helpers are read once.
class BodyScanner {
public:
  Weight weigh(const clang::FunctionDecl *function);
  /// Kernels that the body itself names (launches, arguments of
  /// cudaLaunchKernel), lambdas in it included, with repetition.
  std::vector<const clang::FunctionDecl *>
  namedBy(const clang::FunctionDecl *host);
  /// The same with those of the host functions that it calls. `visited`, if
  /// given, receives these functions.
  std::vector<const clang::FunctionDecl *> launchedBy(
      const clang::FunctionDecl *host,
      llvm::SmallPtrSetImpl<const clang::FunctionDecl *> *visited = nullptr);

private:
  struct Facts;
  friend struct BodyVisitor;
  const Facts &factsOf(const clang::FunctionDecl *function);
  bool reachesKernel(const clang::FunctionDecl *function, unsigned depth);
  Weight weighRec(const clang::FunctionDecl *function, unsigned depth);

  llvm::DenseMap<const clang::FunctionDecl *, std::shared_ptr<Facts>> cache;
};

class CandidateFilter {
public:
  CandidateFilter(clang::CompilerInstance &compiler,
                  const PluginOptions &options);

  /// Fills candidates, pipelines and uninstantiated. True if there is anything
  /// to analyse.
  bool run(clang::ASTContext &context, CoreInput &result);

private:
  void collect(const clang::DeclContext *context);
  void add(const clang::FunctionDecl *function);
  bool selectedByName(const clang::FunctionDecl *function);

  clang::CompilerInstance &compiler;
  std::optional<llvm::Regex> nameFilter;
  bool gpuLanguage = false, openCL = false, hasAnnotations = false;
  std::vector<const clang::FunctionDecl *> kernels, hosts, patterns;
  BodyScanner scanner;
};

} // namespace ioflor::frontend

#endif // IOFLOR_PLUGIN_LOADER_CANDIDATEFILTER_H
