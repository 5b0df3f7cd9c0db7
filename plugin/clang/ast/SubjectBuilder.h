//===- SubjectBuilder.h - Launches to a subject ------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PLUGIN_CLANG_AST_SUBJECTBUILDER_H
#define IOFLOR_PLUGIN_CLANG_AST_SUBJECTBUILDER_H

#include "plugin/clang/Subject.h"
#include "plugin/clang/ast/ASTReader.h"
#include "plugin/clang/ast/HostEval.h"

namespace ioflor::frontend {

/// Makes one SubjectSpec of launches that one evaluation of host code found.
class SubjectBuilder {
public:
  SubjectBuilder(HostEval &eval, std::vector<AnnotationProblem> &problems);

  /// `host` carries annotations for the whole; may be null.
  SubjectSpec build(std::string name, llvm::ArrayRef<const Launch *> launches,
                    const clang::FunctionDecl *host, bool launched);

private:
  StageSpec stage(const Launch &launch, bool launched);
  ParamBinding bindParam(const clang::ParmVarDecl *param, const Value &value);
  void bindRecord(const clang::RecordDecl *record, const Value &value,
                  uint64_t at, const std::string &spelling, ParamBinding &out);
  void bindScalar(clang::QualType type, const Value &value, uint64_t at,
                  const std::string &spelling, ParamBinding &out);
  std::string bufferFor(const Value &value, clang::QualType pointer,
                        const std::string &spelling, clang::SourceLocation loc);
  void deviceAsserts(const Launch &launch);
  void annotate(const Launch &launch);
  void annotateHost(const clang::FunctionDecl *host, const Launch &launch);
  void factsOf(llvm::ArrayRef<const Launch *> launches);
  void nonEmptyLaunches();
  void keepLoops(llvm::ArrayRef<const Launch *> launches);
  void substituteFixed();
  void closeSymbols();
  std::set<std::string> usedSymbols() const;
  std::optional<Expr> constantNamed(llvm::StringRef name,
                                    const clang::FunctionDecl *function);

  HostEval &eval;
  Names &names;
  clang::ASTContext &ctx;
  std::vector<AnnotationProblem> &problems;
  SubjectSpec spec;
  std::map<unsigned, size_t> bufferIndex;        ///< HostEval's -> spec.buffers
  std::map<std::string, unsigned> opaqueBuffers; ///< by spelling
};

} // namespace ioflor::frontend

#endif // IOFLOR_PLUGIN_CLANG_AST_SUBJECTBUILDER_H
