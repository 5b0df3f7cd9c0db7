//===- Replay.cpp - LLVM IR of a translation unit -------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/Replay.h"
#include "plugin/loader/Kernels.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PreprocessorOptions.h"

using namespace llvm;
using namespace clang;

namespace ioflor::frontend {

namespace {

clang::CodeGenOptions optionsFor(const clang::CodeGenOptions &user) {
  clang::CodeGenOptions options = user;
  options.OptimizationLevel = 1;
  options.DisableO0ImplyOptNone = true;
  options.DisableLLVMPasses = true;
  options.DiscardValueNames = false;
  options.setDebugInfo(llvm::codegenoptions::DebugLineTablesOnly);
  options.DebugColumnInfo = true;
  options.ClearASTBeforeBackend = false;
  options.VerifyModule = false;
  options.setProfileInstr(llvm::driver::ProfileInstrKind::ProfileNone);
  options.CoverageMapping = false;
  return options;
}

void feed(CodeGenerator &generator, const AstEvent &event) {
  switch (event.kind) {
  case AstEvent::TopLevelDecl:
    generator.HandleTopLevelDecl(DeclGroupRef::getFromOpaquePtr(event.payload));
    break;
  case AstEvent::InlineFunctionDefinition:
    generator.HandleInlineFunctionDefinition(
        static_cast<FunctionDecl *>(event.payload));
    break;
  case AstEvent::TagDeclDefinition:
    generator.HandleTagDeclDefinition(static_cast<TagDecl *>(event.payload));
    break;
  case AstEvent::TagDeclRequiredDefinition:
    generator.HandleTagDeclRequiredDefinition(
        static_cast<TagDecl *>(event.payload));
    break;
  case AstEvent::ImplicitFunctionInstantiation:
    generator.HandleCXXImplicitFunctionInstantiation(
        static_cast<FunctionDecl *>(event.payload));
    break;
  case AstEvent::StaticMemberVarInstantiation:
    generator.HandleCXXStaticMemberVarInstantiation(
        static_cast<VarDecl *>(event.payload));
    break;
  case AstEvent::TentativeDefinition:
    generator.CompleteTentativeDefinition(
        static_cast<VarDecl *>(event.payload));
    break;
  case AstEvent::ExternalDeclaration:
    generator.CompleteExternalDeclaration(
        static_cast<DeclaratorDecl *>(event.payload));
    break;
  case AstEvent::InheritanceModel:
    generator.AssignInheritanceModel(
        static_cast<CXXRecordDecl *>(event.payload));
    break;
  case AstEvent::VTable:
    generator.HandleVTable(static_cast<CXXRecordDecl *>(event.payload));
    break;
  }
}

GlobalDecl globalOf(const FunctionDecl *function) {
  return isKernel(function) ? GlobalDecl(function, KernelReferenceKind::Kernel)
                            : GlobalDecl(function);
}

} // namespace

Replayed replay(const CoreInput &input,
                ArrayRef<const FunctionDecl *> functions,
                LLVMContext &context) {
  Replayed out;
  CompilerInstance &compiler = input.compiler;
  DiagnosticsEngine quiet(compiler.getDiagnostics().getDiagnosticIDs(),
                          compiler.getDiagnosticOpts(),
                          new IgnoringDiagConsumer());
  quiet.setSourceManager(&compiler.getSourceManager());
  clang::CodeGenOptions options = optionsFor(compiler.getCodeGenOpts());
  context.setDiscardValueNames(false);
  std::unique_ptr<CodeGenerator> generator(
      CreateLLVMCodeGen(quiet, "ioflor", compiler.getVirtualFileSystemPtr(),
                        compiler.getHeaderSearchOpts(),
                        compiler.getPreprocessorOpts(), options, context));
  generator->Initialize(compiler.getASTContext());
  for (const AstEvent &event : input.events)
    feed(*generator, event);
  for (const FunctionDecl *function : functions) {
    GlobalDecl global = globalOf(function);
    // Also what nothing else in the file uses.
    generator->GetAddrOfGlobal(global, /*isForDefinition=*/true);
    out.names[function] = generator->GetMangledName(global).str();
  }
  generator->HandleTranslationUnit(compiler.getASTContext());
  if (!quiet.hasErrorOccurred())
    out.module = generator->ReleaseModule();
  if (!out.module)
    out.error = "no code could be generated for this file";
  return out;
}

} // namespace ioflor::frontend
