//===- Loader.cpp - The Clang plugin that everyone loads ------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ioflor.so: checks its arguments, records what Sema announces, and opens
// ioflor-core.so beside itself only where the filter found a candidate. A file
// without attention pays for neither MLIR nor z3.
//
//===----------------------------------------------------------------------===//

#include "plugin/loader/CandidateFilter.h"
#include "plugin/loader/Handover.h"
#include "plugin/loader/HostChecks.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/OffloadArch.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>

using namespace llvm;
using namespace clang;

namespace ioflor::frontend {

namespace {

void reportError(DiagnosticsEngine &diags, StringRef text) {
  unsigned id = diags.getCustomDiagID(DiagnosticsEngine::Error, "ioflor: %0");
  diags.Report(id) << text;
}

/// The folder that this shared object was loaded from.
std::string ownFolder() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(&ownFolder), &info) || !info.dli_fname)
    return ".";
  StringRef path(info.dli_fname);
  size_t slash = path.rfind('/');
  return slash == StringRef::npos ? "." : path.take_front(slash).str();
}

/// Opens the core once per process.
CoreRunFn openCore(std::string &error) {
  std::string path = ownFolder() + "/ioflor-core.so";
  if (access(path.c_str(), R_OK) != 0) {
    error = "cannot find '" + path + "', which is installed beside ioflor.so";
    return nullptr;
  }
  void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    error = std::string("cannot load ioflor-core.so: ") + dlerror();
    return nullptr;
  }
  auto version =
      reinterpret_cast<CoreVersionFn>(dlsym(handle, coreVersionSymbol));
  auto run = reinterpret_cast<CoreRunFn>(dlsym(handle, coreRunSymbol));
  if (!version || !run || version() != handoverVersion) {
    error = "'" + path + "' belongs to another version of ioflor.so";
    return nullptr;
  }
  return run;
}

class LoaderConsumer : public ASTConsumer {
public:
  LoaderConsumer(CompilerInstance &compiler, PluginOptions options)
      : compiler(compiler), options(std::move(options)),
        hostChecks(watchHostChecks(compiler)) {}

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    add(AstEvent::TopLevelDecl, group.getAsOpaquePtr());
    return true;
  }
  void HandleInterestingDecl(DeclGroupRef group) override {
    add(AstEvent::TopLevelDecl, group.getAsOpaquePtr());
  }
  void HandleInlineFunctionDefinition(FunctionDecl *d) override {
    add(AstEvent::InlineFunctionDefinition, d);
  }
  void HandleTagDeclDefinition(TagDecl *d) override {
    add(AstEvent::TagDeclDefinition, d);
  }
  void HandleTagDeclRequiredDefinition(const TagDecl *d) override {
    add(AstEvent::TagDeclRequiredDefinition, const_cast<TagDecl *>(d));
  }
  void HandleCXXImplicitFunctionInstantiation(FunctionDecl *d) override {
    add(AstEvent::ImplicitFunctionInstantiation, d);
  }
  void HandleCXXStaticMemberVarInstantiation(VarDecl *d) override {
    add(AstEvent::StaticMemberVarInstantiation, d);
  }
  void CompleteTentativeDefinition(VarDecl *d) override {
    add(AstEvent::TentativeDefinition, d);
  }
  void CompleteExternalDeclaration(DeclaratorDecl *d) override {
    add(AstEvent::ExternalDeclaration, d);
  }
  void AssignInheritanceModel(CXXRecordDecl *d) override {
    add(AstEvent::InheritanceModel, d);
  }
  void HandleVTable(CXXRecordDecl *d) override { add(AstEvent::VTable, d); }
  bool shouldSkipFunctionBody(Decl *) override { return false; }

  void HandleTranslationUnit(ASTContext &context) override {
    DiagnosticsEngine &diags = compiler.getDiagnostics();
    // Half an AST proves nothing.
    if (diags.hasErrorOccurred() || diags.hasUncompilableErrorOccurred())
      return;
    CoreInput input{compiler, options, events, {}, {}, {}, {}, {}};
    CandidateFilter filter(compiler, options);
    if (!filter.run(context, input)) {
      writeEmptyCertificate(diags);
      return;
    }
    input.hostChecks = *hostChecks;
    std::string error;
    if (CoreRunFn run = openCore(error))
      run(input);
    else
      reportError(diags, error);
  }

private:
  /// Nothing here is attention, and the user asked for a list.
  void writeEmptyCertificate(DiagnosticsEngine &diags) {
    if (options.certificate.empty())
      return;
    std::error_code ec;
    raw_fd_ostream os(options.certificate, ec, sys::fs::OF_Text);
    if (!ec) {
      os << "[]\n";
      os.flush();
      ec = os.error();
      os.clear_error();
    }
    if (ec)
      reportError(diags, "cannot write the certificate: '" +
                             options.certificate + "': " + ec.message());
  }

  void add(AstEvent::Kind kind, void *payload) {
    events.push_back({kind, payload});
  }

  CompilerInstance &compiler;
  PluginOptions options;
  std::shared_ptr<std::vector<HostCheck>> hostChecks;
  std::vector<AstEvent> events;
};

/// A plugin of one Clang in another crashes at the first struct whose layout
/// differs, so stop before anything of the compiler is touched.
void requireMatchingClang() {
  std::string version = getClangFullVersion();
  size_t at = version.find("version ");
  int major = at == std::string::npos ? 0 : atoi(version.c_str() + at + 8);
  if (major == CLANG_VERSION_MAJOR)
    return;
  fprintf(stderr,
          "error: ioflor: this plugin was built for clang %d and cannot run in "
          "'%s'\n",
          CLANG_VERSION_MAJOR, version.c_str());
  fflush(stderr);
  _exit(1);
}

/// `pattern` with %a replaced by the architecture, %f by the name of the source
/// file and %% by %: each compile then writes a file of its own.
std::string forCompile(StringRef pattern, const CompilerInstance &compiler,
                       std::string &error) {
  std::string out;
  const clang::TargetOptions &target = compiler.getTargetOpts();
  const auto &inputs = compiler.getFrontendOpts().Inputs;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') {
      out += pattern[i];
      continue;
    }
    char key = ++i < pattern.size() ? pattern[i] : '\0';
    if (key == 'a')
      out += target.CPU.empty() ? target.Triple : target.CPU;
    else if (key == 'f')
      out += inputs.empty() || !inputs.front().isFile()
                 ? std::string("-")
                 : sys::path::filename(inputs.front().getFile()).str();
    else if (key == '%')
      out += '%';
    else
      error = "bad value '" + pattern.str() +
              "' for 'certificate': after % stands a (architecture), f (source "
              "file) or %";
  }
  return out;
}

class LoaderAction : public PluginASTAction {
public:
  ActionType getActionType() override { return AddBeforeMainAction; }

  bool ParseArgs(const CompilerInstance &compiler,
                 const std::vector<std::string> &args) override {
    requireMatchingClang();
    std::string error;
    if (std::optional<PluginOptions> parsed = parseOptions(args, error)) {
      options = std::move(*parsed);
      options.certificate = forCompile(options.certificate, compiler, error);
      for (StringRef arch : options.archs)
        if (StringToOffloadArch(arch.split(':').first) == OffloadArch::UNKNOWN)
          error = "bad value '" + arch.str() +
                  "' for 'arch': no architecture that this Clang knows";
      if (error.empty())
        return true;
    }
    // Returning false alone would be silent and exit with 0.
    reportError(compiler.getDiagnostics(), error);
    return false;
  }

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler,
                                                 StringRef) override {
    const LangOptions &lang = compiler.getLangOpts();
    if (lang.CUDA || lang.HIP) {
      bool device = lang.CUDAIsDevice;
      if (options.side != CompileSide::Both &&
          device != (options.side == CompileSide::Device))
        return std::make_unique<ASTConsumer>();
      if (device && !options.archs.empty() &&
          !is_contained(options.archs, compiler.getTargetOpts().CPU))
        return std::make_unique<ASTConsumer>();
    }
    return std::make_unique<LoaderConsumer>(compiler, options);
  }

private:
  PluginOptions options;
};

} // namespace
} // namespace ioflor::frontend

static FrontendPluginRegistry::Add<ioflor::frontend::LoaderAction>
    registration("ioflor", "holds attention kernels against their I/O floors");
