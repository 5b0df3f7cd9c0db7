//===- Handover.h - From the loader to the core ------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What ioflor.so gives to ioflor-core.so once it has found a candidate. Both
// are built from one source tree; the version symbol catches a mixed
// installation.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PLUGIN_LOADER_HANDOVER_H
#define IOFLOR_PLUGIN_LOADER_HANDOVER_H

#include "plugin/loader/Options.h"
#include "clang/AST/DeclGroup.h"
#include "clang/Basic/SourceLocation.h"
#include <cstdint>
#include <string>
#include <vector>

namespace clang {
class CompilerInstance;
class FunctionDecl;
} // namespace clang

namespace ioflor::frontend {

/// One callback that Sema made to its consumers, kept for a later replay into
/// a code generator.
struct AstEvent {
  enum Kind : uint8_t {
    TopLevelDecl,
    InlineFunctionDefinition,
    TagDeclDefinition,
    TagDeclRequiredDefinition,
    ImplicitFunctionInstantiation,
    StaticMemberVarInstantiation,
    TentativeDefinition,
    ExternalDeclaration,
    InheritanceModel,
    VTable,
  } kind;
  /// The Decl, or for TopLevelDecl the opaque DeclGroupRef.
  void *payload;
};

/// What the filter counted in the bodies reachable from one function.
struct Weight {
  unsigned exponentials = 0;
  /// Places that multiply and accumulate, callees counted at each call.
  unsigned contractions = 0;
  bool looksLikeAttention() const {
    return exponentials >= 1 && contractions >= 2;
  }
};

struct Candidate {
  const clang::FunctionDecl *function = nullptr; ///< the definition
  Weight weight;
  bool annotated = false; ///< carries an annotation of ioflor, or was asked for
};

/// A check macro of host code (TORCH_CHECK and its kind) whose condition may
/// have been expanded away: where it stood and the text of its first argument.
struct HostCheck {
  clang::SourceLocation loc;
  std::string macro;
  std::string condition;
};

struct CoreInput {
  clang::CompilerInstance &compiler;
  const PluginOptions &options;
  const std::vector<AstEvent> &events;
  /// Kernels that are candidates by themselves or as a stage of a pipeline, in
  /// source order.
  std::vector<Candidate> candidates;
  /// Host functions whose text names a kernel that is a candidate by itself.
  std::vector<const clang::FunctionDecl *> launchers;
  /// Host functions that launch a pipeline which as a whole may be attention.
  std::vector<const clang::FunctionDecl *> pipelines;
  /// Kernel templates that look like attention and are never instantiated.
  std::vector<const clang::FunctionDecl *> uninstantiated;
  std::vector<HostCheck> hostChecks;
};

/// Changes whenever a struct of this file does.
constexpr uint32_t handoverVersion = 3;

/// Exported by ioflor-core.so.
constexpr const char *coreVersionSymbol = "ioflor_core_handover_version";
constexpr const char *coreRunSymbol = "ioflor_core_run";
using CoreVersionFn = uint32_t (*)();
using CoreRunFn = void (*)(CoreInput &);

} // namespace ioflor::frontend

#endif // IOFLOR_PLUGIN_LOADER_HANDOVER_H
