//===- Core.cpp - The heavy half of the Clang plugin ----------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ioflor-core.so: reads the subjects off the AST, has Clang generate LLVM IR
// for them, reads that into skeletons, runs the passes and reports.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "passes/Pipeline.h"
#include "passes/floors/Targets.h"
#include "passes/output/Certificate.h"
#include "plugin/clang/Replay.h"
#include "plugin/clang/Report.h"
#include "plugin/clang/Twins.h"
#include "plugin/clang/ast/ASTReader.h"
#include "plugin/clang/ir/IRReader.h"
#include "plugin/loader/Handover.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include <set>

using namespace llvm;
using namespace clang;

namespace ioflor::frontend {

namespace {

StringRef languageOf(const LangOptions &lang) {
  if (lang.HIP)
    return "HIP";
  if (lang.CUDA)
    return "CUDA";
  if (lang.OpenCL)
    return "OpenCL";
  return lang.CPlusPlus ? "C++" : "C";
}

class Core {
public:
  explicit Core(CoreInput &input)
      : input(input), compiler(input.compiler), options(input.options),
        reporter(input.compiler, input.options) {}

  void run() {
    if (!options.target.empty() && !floors::findTarget(options.target)) {
      std::string known;
      for (const floors::Target &t : floors::targets())
        known += (known.empty() ? "" : ", ") + std::string(t.name);
      reporter.error("unknown target '" + options.target +
                     "'; the targets whose fast memory is known are " + known);
      return;
    }
    ReadResult read = readSubjects(compiler.getASTContext(), input);
    for (const AnnotationProblem &problem : read.problems)
      reporter.error(problem.message,
                     compiler.getSourceManager().getExpansionLoc(problem.loc));
    if (!read.problems.empty())
      return;
    for (const FunctionDecl *pattern : input.uninstantiated)
      reporter.emit("inconclusive", "remark",
                    "kernel template '" + pattern->getNameAsString() +
                        "' is not instantiated in this file",
                    pattern->getLocation());
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    context.loadDialect<IoflorDialect>();
    mlir::OwningOpRef<mlir::ModuleOp> all =
        mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
    // A file of many instantiations shares what one kernel may cost.
    uint64_t subjects = std::max<size_t>(read.subjects.size(), 1);
    countWork = std::clamp<uint64_t>(600'000 / subjects, 8'000, 150'000);
    coverSteps =
        std::clamp<uint64_t>(84'000'000 / subjects, 1'000'000, 28'000'000);
    coverOperations =
        std::clamp<uint64_t>(60'000'000 / subjects, 1'000'000, 20'000'000);
    // What holds operations goes before the context does.
    auto release = llvm::make_scope_exit([&] { twins = {}; });
    if (!read.subjects.empty())
      analyse(read.subjects, context, *all);
    if (options.emitSkeleton && !read.subjects.empty()) {
      all->print(outs());
      outs() << "\n";
    }
    outs().flush();
    if (!options.emitSkeleton && !options.emitSubjects)
      finish(*all);
  }

private:
  void analyse(std::vector<SubjectSpec> &subjects, mlir::MLIRContext &context,
               mlir::ModuleOp all) {
    LLVMContext llvmContext;
    std::vector<const FunctionDecl *> functions;
    for (const SubjectSpec &subject : subjects)
      for (const StageSpec &stage : subject.stages)
        if (!is_contained(functions, stage.kernel))
          functions.push_back(stage.kernel);
    Replayed code = replay(input, functions, llvmContext);
    std::vector<std::string> entries;
    for (SubjectSpec &subject : subjects)
      for (StageSpec &stage : subject.stages) {
        stage.mangledName = code.names[stage.kernel];
        if (!is_contained(entries, stage.mangledName))
          entries.push_back(stage.mangledName);
      }
    if (options.emitSubjects) {
      for (const SubjectSpec &subject : subjects)
        printSubject(subject, compiler.getSourceManager(), outs());
      return;
    }
    if (!code.module) {
      for (const SubjectSpec &subject : subjects)
        reporter.emit("inconclusive", "remark", code.error, subject.loc);
      return;
    }
    std::unique_ptr<llvm::Module> module =
        ir::simplified(std::move(code.module), entries);

    mlir::SymbolTable names(all);
    for (const SubjectSpec &spec : subjects) {
      auto isSettled = [&](const StageSpec &stage) {
        return settled.count(stage.launch);
      };
      if (spec.fallback && any_of(spec.stages, isSettled))
        continue;
      if (one(*module, spec, context, names))
        for (const StageSpec &stage : spec.stages)
          if (stage.launch.isValid())
            settled.insert(stage.launch);
    }
  }

  /// Reads, judges and reports one subject and moves it to the others. Each has
  /// a module of its own until then, so that one failure stays one. False if it
  /// is no attention.
  bool one(llvm::Module &module, const SubjectSpec &spec,
           mlir::MLIRContext &context, mlir::SymbolTable &names) {
    // What MLIR complains about is ours to explain, not the user's error.
    std::string complaint;
    mlir::ScopedDiagnosticHandler handler(&context,
                                          [&](mlir::Diagnostic &diagnostic) {
                                            if (complaint.empty())
                                              complaint = diagnostic.str();
                                            return mlir::success();
                                          });
    mlir::OwningOpRef<mlir::ModuleOp> own =
        mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
    mlir::OpBuilder builder(own->getBodyRegion());
    ir::ReaderOptions readerOptions;
    llvm::append_range(readerOptions.info, infoOf(spec, builder));
    readerOptions.sourceLocation = [&](SourceLocation loc) {
      return locationOf(context, loc);
    };
    std::string error;
    mlir::FailureOr<SubjectOp> subject =
        ir::extractSubject(module, spec, builder, {}, readerOptions, &error);
    if (mlir::failed(subject)) {
      fail(spec, error.empty() ? complaint : error);
      return true;
    }
    if (!options.emitSkeleton) {
      if (std::optional<unsigned> twin = twins.find(*subject)) {
        SubjectOp first = analysed[*twin];
        if (!first)
          return false;
        mlir::OwningOpRef<SubjectOp> copy = asTwin(first, *subject);
        reporter.report(*copy, spec);
        names.insert(copy.release());
        return true;
      }
      mlir::OwningOpRef<SubjectOp> asExtracted(
          mlir::cast<SubjectOp>(subject->getOperation()->clone()));
      mlir::PassManager passes(&context);
      buildIoflorPipeline(passes, pipelineOptions());
      if (mlir::failed(passes.run(*own))) {
        fail(spec, "internal error: " + complaint);
        return true;
      }
      VerdictOp verdict;
      for (VerdictOp op : subject->getBody().getOps<VerdictOp>())
        verdict = op;
      bool attention = verdict && verdict.getVerdict() != "not-attention";
      twins.enter(*asExtracted, analysed.size());
      analysed.push_back(attention ? *subject : SubjectOp());
      if (!attention)
        return false; // silence: nothing here claims to be attention
      reporter.report(*subject, spec);
    } else if (mlir::failed(mlir::verify(*own))) {
      errs() << "ioflor: skeleton does not verify: " << complaint << "\n";
    }
    subject->getOperation()->remove();
    names.insert(*subject); // renames where two subjects share a name
    return true;
  }

  void fail(const SubjectSpec &spec, StringRef why) {
    reporter.emit("inconclusive", "remark",
                  ("cannot read '" + spec.name + "': " + why).str(), spec.loc);
  }

  std::vector<mlir::NamedAttribute> infoOf(const SubjectSpec &spec,
                                           mlir::OpBuilder &builder) {
    const SourceManager &sources = compiler.getSourceManager();
    PresumedLoc at = sources.getPresumedLoc(sources.getExpansionLoc(spec.loc));
    const clang::TargetOptions &target = compiler.getTargetOpts();
    auto text = [&](StringRef key, StringRef value) {
      return builder.getNamedAttr(key, builder.getStringAttr(value));
    };
    auto number = [&](StringRef key, unsigned value) {
      return builder.getNamedAttr(key, builder.getI64IntegerAttr(value));
    };
    return {text("file", at.isValid() ? at.getFilename() : ""),
            number("line", at.isValid() ? at.getLine() : 0),
            number("column", at.isValid() ? at.getColumn() : 0),
            text("language", languageOf(compiler.getLangOpts())),
            text("target", target.CPU.empty() ? target.Triple : target.CPU)};
  }

  mlir::Location locationOf(mlir::MLIRContext &context, SourceLocation loc) {
    const SourceManager &sources = compiler.getSourceManager();
    PresumedLoc at = sources.getPresumedLoc(sources.getExpansionLoc(loc));
    if (at.isInvalid())
      return mlir::UnknownLoc::get(&context);
    return mlir::FileLineColLoc::get(&context, at.getFilename(), at.getLine(),
                                     at.getColumn());
  }

  /// Plain C and C++ run on an implicit cache unless the user says otherwise.
  std::string mode() const {
    const LangOptions &lang = compiler.getLangOpts();
    bool plain = !lang.CUDA && !lang.HIP && !lang.OpenCL;
    return options.cacheMode.value_or(plain) ? "cache" : "explicit";
  }

  IoflorOptions pipelineOptions() const {
    IoflorOptions out;
    out.fastWords = options.fastWords.value_or("");
    out.target = options.target;
    out.floors = llvm::join(options.floors, ",");
    out.mode = mode();
    out.maxRatio = options.maxRatio;
    out.smt2 = options.smt2;
    out.countWork = countWork;
    out.coverSteps = coverSteps;
    out.coverOperations = coverOperations;
    return out;
  }

  void finish(mlir::ModuleOp module) {
    if (options.certificate.empty())
      return;
    CertificateOptions written;
    written.fastWords = options.fastWords.value_or("");
    written.target = options.target;
    written.mode = mode();
    std::string error;
    if (!writeCertificate(module, options.certificate, error, written))
      reporter.error("cannot write the certificate: " + error);
  }

  // Of each subject.
  uint64_t countWork = 0, coverSteps = 0, coverOperations = 0;
  CoreInput &input;
  CompilerInstance &compiler;
  const PluginOptions &options;
  Reporter reporter;
  std::set<SourceLocation> settled; ///< launches of reported subjects
  Twins twins;
  /// By number of the twin; null where it is no attention.
  std::vector<SubjectOp> analysed;
};

} // namespace
} // namespace ioflor::frontend

extern "C" uint32_t ioflor_core_handover_version() {
  return ioflor::frontend::handoverVersion;
}

extern "C" void ioflor_core_run(ioflor::frontend::CoreInput &input) {
  ioflor::frontend::Core(input).run();
}
