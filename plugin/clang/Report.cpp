//===- Report.cpp - Findings as Clang diagnostics -------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/Report.h"
#include "mlir/IR/Location.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Basic/FileManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace llvm;
using namespace clang;

namespace ioflor::frontend {

namespace {

StringRef plainId(StringRef id) {
  id.consume_front("ioflor-");
  return id;
}

/// The first file position in a location.
mlir::FileLineColLoc filePosition(mlir::Location loc) {
  return TypeSwitch<mlir::Location, mlir::FileLineColLoc>(loc)
      .Case([](mlir::FileLineColLoc l) { return l; })
      .Case([](mlir::NameLoc l) { return filePosition(l.getChildLoc()); })
      .Case([](mlir::CallSiteLoc l) { return filePosition(l.getCallee()); })
      .Case([](mlir::FusedLoc l) {
        for (mlir::Location part : l.getLocations())
          if (mlir::FileLineColLoc found = filePosition(part))
            return found;
        return mlir::FileLineColLoc();
      })
      .Default([](mlir::Location) { return mlir::FileLineColLoc(); });
}

} // namespace

Reporter::Reporter(CompilerInstance &compiler, const PluginOptions &options)
    : compiler(compiler), options(options),
      nolint(compiler.getSourceManager()) {}

/// The outermost call that brought an operation here.
static mlir::Location callerOf(mlir::Location loc) {
  if (auto call = dyn_cast<mlir::CallSiteLoc>(loc))
    return call.getCaller();
  if (auto name = dyn_cast<mlir::NameLoc>(loc))
    return callerOf(name.getChildLoc());
  if (auto fused = dyn_cast<mlir::FusedLoc>(loc))
    for (mlir::Location part : fused.getLocations())
      if (mlir::Location caller = callerOf(part); caller != part)
        return caller;
  return loc;
}

clang::SourceLocation Reporter::locate(mlir::Location loc) const {
  SourceLocation found = locateHere(loc);
  // An atomicAdd of the toolkit's headers is no place for a message: its call.
  const SourceManager &sources = compiler.getSourceManager();
  if (found.isValid() &&
      sources.isInSystemHeader(sources.getExpansionLoc(found)))
    if (mlir::Location caller = callerOf(loc); caller != loc)
      return locate(caller);
  return found;
}

clang::SourceLocation Reporter::locateHere(mlir::Location loc) const {
  mlir::FileLineColLoc position = filePosition(loc);
  if (!position || position.getLine() == 0)
    return {};
  SourceManager &sources = compiler.getSourceManager();
  StringRef name = position.getFilename().getValue();
  OptionalFileEntryRef file =
      compiler.getFileManager().getOptionalFileRef(name);
  if (!file)
    return {};
  SourceLocation found =
      sources.translateFileLineCol(&file->getFileEntry(), position.getLine(),
                                   std::max(1u, position.getColumn()));
  if (found.isInvalid() || position.getColumn() > 0)
    return found;
  // Hoisted and merged code has a line only: its first character.
  bool invalid = false;
  const char *text = sources.getCharacterData(found, &invalid);
  if (invalid)
    return found;
  unsigned blanks = 0;
  while (text[blanks] == ' ' || text[blanks] == '\t')
    ++blanks;
  return found.getLocWithOffset(blanks);
}

std::optional<DiagnosticsEngine::Level>
Reporter::levelOf(StringRef id, StringRef severity, SourceLocation loc) const {
  // Diagnostics with an ID of their own ignore -Werror, -w and system headers
  // in this Clang, so all of that is decided here.
  DiagnosticsEngine &diags = compiler.getDiagnostics();
  const SourceManager &sources = compiler.getSourceManager();
  if (loc.isValid() && diags.getSuppressSystemWarnings() &&
      sources.isInSystemHeader(sources.getExpansionLoc(loc)))
    return std::nullopt;
  if (severity == "remark") {
    if (!options.showsRemark(plainId(id)))
      return std::nullopt;
    return DiagnosticsEngine::Remark;
  }
  if (diags.getIgnoreAllWarnings())
    return std::nullopt;
  return diags.getWarningsAsErrors() ? DiagnosticsEngine::Error
                                     : DiagnosticsEngine::Warning;
}

bool Reporter::emit(StringRef id, StringRef severity, StringRef message,
                    SourceLocation loc) {
  std::string full = "ioflor-" + plainId(id).str();
  std::optional<DiagnosticsEngine::Level> level = levelOf(id, severity, loc);
  if (!level || nolint.suppresses(loc, full))
    return false;
  DiagnosticsEngine &diags = compiler.getDiagnostics();
  // One constant format: each different text would make an ID of its own.
  unsigned diag = diags.getDiagnosticIDs()->getCustomDiagID(
      static_cast<DiagnosticIDs::Level>(*level), "%0 [%1]");
  diags.Report(loc, diag) << message << full;
  return true;
}

void Reporter::suggest(StringRef insert, const FunctionDecl *function) {
  // What the user wrote, of which this may be an instance.
  if (const FunctionDecl *pattern = function->getTemplateInstantiationPattern())
    function = pattern;
  const SourceManager &sources = compiler.getSourceManager();
  SourceLocation at = sources.getExpansionLoc(function->getBeginLoc());
  if (at.isInvalid() || !at.isFileID())
    return;
  std::string text = insert.str();
  if (text.empty() || !isWhitespace(text.back()))
    text += ' ';
  DiagnosticsEngine &diags = compiler.getDiagnostics();
  unsigned id = diags.getCustomDiagID(DiagnosticsEngine::Note, "%0");
  // At the declaration: Clang prints all lines from a diagnostic to its fix-it.
  diags.Report(at, id) << ("disclose it with '" + insert.rtrim() + "'").str()
                       << FixItHint::CreateInsertion(at, text);
}

void Reporter::note(StringRef message, SourceLocation loc) {
  DiagnosticsEngine &diags = compiler.getDiagnostics();
  unsigned id = diags.getCustomDiagID(DiagnosticsEngine::Note, "%0");
  diags.Report(loc, id) << message;
}

void Reporter::error(StringRef message, SourceLocation loc) {
  DiagnosticsEngine &diags = compiler.getDiagnostics();
  unsigned id = diags.getCustomDiagID(DiagnosticsEngine::Error, "ioflor: %0");
  diags.Report(loc, id) << message;
}

void Reporter::report(SubjectOp subject, const SubjectSpec &spec) {
  const FunctionDecl *kernel = nullptr;
  for (const StageSpec &stage : spec.stages)
    if (!kernel || (kernel->getLocation() != spec.loc &&
                    stage.kernel->getLocation() == spec.loc))
      kernel = stage.kernel;
  const SourceManager &sources = compiler.getSourceManager();
  SourceLocation declared = spec.loc;
  for (FindingOp finding : subject.getBody().getOps<FindingOp>()) {
    SourceLocation loc = locate(finding.getLoc());
    if (loc.isInvalid() ||
        sources.isInSystemHeader(sources.getExpansionLoc(loc)))
      loc = declared;
    std::string full = "ioflor-" + plainId(finding.getId()).str();
    // A comment at the kernel's declaration silences all of it.
    if (nolint.suppresses(declared, full))
      continue;
    std::string key = spec.name + "|" + full + "|" +
                      finding.getMessage().str() + "|" +
                      loc.printToString(sources);
    if (!said.insert(key).second)
      continue;
    if (!emit(full, finding.getSeverity(), finding.getMessage(), loc))
      continue;
    for (mlir::Attribute attr : finding.getNotes())
      if (auto text = dyn_cast<mlir::StringAttr>(attr))
        note(text.getValue(), loc);
    if (kernel && finding.getInsert() && !finding.getInsert()->empty())
      suggest(*finding.getInsert(), kernel);
    if (spec.stages.size() == 1 && !spec.stages.front().instantiation.empty()) {
      const StageSpec &stage = spec.stages.front();
      note("in instantiation of kernel '" + stage.instantiation + "'" +
               (stage.launch.isValid() ? " launched here" : ""),
           stage.launch.isValid() ? stage.launch : declared);
    }
  }
}

} // namespace ioflor::frontend
