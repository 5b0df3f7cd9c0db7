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

#include "dialect/expr/Shares.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "passes/Phase.h"
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

/// Units of work for all subjects of a file (dialect/expr/Work.h), 3 to 5 s.
constexpr uint64_t fileUnits = 5'000'000;

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
    // What holds operations goes before the context does.
    auto release = llvm::make_scope_exit([&] {
      finished.clear();
      twins = {};
    });
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

    finished.resize(subjects.size());
    auto isSettled = [&](const SubjectSpec &spec) {
      return any_of(spec.stages, [&](const StageSpec &stage) {
        return settled.count(stage.launch);
      });
    };
    uint64_t left = fileUnits / 1000 * options.budget;
    for (bool fallback : {false, true}) {
      std::vector<unsigned> jobs;
      for (auto [i, spec] : enumerate(subjects))
        if (spec.fallback == fallback && !(fallback && isSettled(spec)))
          jobs.push_back(i);
      uint64_t spent = runInShares(jobs, left, [&](unsigned i, uint64_t units) {
        finished[i] = one(*module, subjects[i], i, context, units);
        return ShareUse{finished[i].units, finished[i].ranOut};
      });
      left -= std::min(left, spent);
      for (unsigned i : jobs)
        if (finished[i].state != Finished::NotAttention)
          for (const StageSpec &stage : subjects[i].stages)
            if (stage.launch.isValid())
              settled.insert(stage.launch);
    }
    mlir::SymbolTable names(all);
    std::set<const FunctionDecl *> exhausted;
    for (auto [spec, result] : zip_equal(subjects, finished)) {
      if (options.emitWork)
        printWork(spec, result);
      if (result.state == Finished::NotAttention)
        continue;
      // Dozens of instances of one template run out alike: the first says so.
      const FunctionDecl *kernel = spec.stages.front().kernel;
      if (const FunctionDecl *p = kernel->getTemplateInstantiationPattern())
        kernel = p;
      bool isSilent = isExhausted(result) && !exhausted.insert(kernel).second;
      if (result.state == Finished::Failed) {
        if (!isSilent)
          fail(spec, result.why);
        continue;
      }
      if (!options.emitSkeleton && !isSilent)
        reporter.report(*result.subject, spec);
      names.insert(result.subject.release()); // renames what shares a name
    }
  }

  /// What became of one subject.
  struct Finished {
    enum { NotAttention, Failed, Analysed } state = NotAttention;
    std::string why; ///< it failed
    /// As the passes left it, in no module.
    mlir::OwningOpRef<SubjectOp> subject;
    uint64_t units = 0;
    bool ranOut = false;
    std::vector<WorkEntry> work; ///< by phase
  };

  /// Reads and judges subject number `index`. Each has a module of its own, so
  /// that one failure stays one.
  Finished one(llvm::Module &module, const SubjectSpec &spec, unsigned index,
               mlir::MLIRContext &context, uint64_t units) {
    Finished result;
    WorkLedger ledger;
    {
      WorkScope scope("total", units);
      readAndJudge(module, spec, index, context, result);
      result.units = scope.used();
    }
    result.work = std::move(ledger.entries);
    for (const WorkEntry &entry : result.work)
      result.ranOut |= entry.ranOut;
    return result;
  }

  void readAndJudge(llvm::Module &module, const SubjectSpec &spec,
                    unsigned index, mlir::MLIRContext &context,
                    Finished &result) {
    // What MLIR complains about is ours to explain, not the user's error.
    std::string complaint;
    mlir::ScopedDiagnosticHandler handler(&context,
                                          [&](mlir::Diagnostic &diagnostic) {
                                            if (complaint.empty())
                                              complaint = diagnostic.str();
                                            return mlir::success();
                                          });
    auto failed = [&](const std::string &why) {
      result.state = Finished::Failed;
      result.why = why;
    };
    mlir::OwningOpRef<mlir::ModuleOp> own =
        mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
    mlir::OpBuilder builder(own->getBodyRegion());
    ir::ReaderOptions readerOptions;
    llvm::append_range(readerOptions.info, infoOf(spec, builder));
    readerOptions.sourceLocation = [&](SourceLocation loc) {
      return locationOf(context, loc);
    };
    std::string error;
    mlir::FailureOr<SubjectOp> subject = mlir::failure();
    {
      WorkScope reading("reading", WorkScope::left() / 2);
      subject =
          ir::extractSubject(module, spec, builder, {}, readerOptions, &error);
      if (reading.ranOut())
        return failed(exhaustedIn("reading"));
    }
    if (mlir::failed(subject))
      return failed(error.empty() ? complaint : error);
    if (options.emitSkeleton) {
      if (mlir::failed(mlir::verify(*own)))
        errs() << "ioflor: skeleton does not verify: " << complaint << "\n";
    } else {
      std::optional<unsigned> twin = twins.find(*subject);
      if (!twin)
        twins.enter(*subject, index);
      else if (*twin != index && finished[*twin].state != Finished::Failed) {
        const Finished &first = finished[*twin];
        result.state = first.state;
        result.ranOut = first.ranOut;
        if (first.subject)
          result.subject = asTwin(first.subject.get(), *subject);
        return;
      }
      mlir::PassManager passes(&context);
      buildIoflorPipeline(passes, pipelineOptions());
      if (mlir::failed(passes.run(*own)))
        return failed("internal error: " + complaint);
      VerdictOp verdict;
      for (VerdictOp op : subject->getBody().getOps<VerdictOp>())
        verdict = op;
      if (!verdict || verdict.getVerdict() == "not-attention")
        return; // silence: nothing here claims to be attention
    }
    result.state = Finished::Analysed;
    subject->getOperation()->remove();
    result.subject = *subject;
  }

  /// Undecided because the work for it was used up.
  static bool isExhausted(const Finished &result) {
    if (!result.ranOut)
      return false;
    if (result.state == Finished::Failed)
      return true;
    SubjectOp subject = result.subject.get();
    for (VerdictOp verdict : subject.getBody().getOps<VerdictOp>())
      return verdict.getVerdict() == "inconclusive" &&
             !whyExhausted(subject).empty();
    return false;
  }

  void printWork(const SubjectSpec &spec, const Finished &result) {
    outs() << spec.name << ":";
    for (const WorkEntry &entry : result.work)
      outs() << " " << entry.phase << " " << entry.units
             << (entry.ranOut ? " (ran out)" : "");
    outs() << "\n";
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

  CoreInput &input;
  CompilerInstance &compiler;
  const PluginOptions &options;
  Reporter reporter;
  std::set<SourceLocation> settled; ///< launches of attention subjects
  std::vector<Finished> finished;   ///< by number of the subject
  Twins twins;
};

} // namespace
} // namespace ioflor::frontend

extern "C" uint32_t ioflor_core_handover_version() {
  return ioflor::frontend::handoverVersion;
}

extern "C" void ioflor_core_run(ioflor::frontend::CoreInput &input) {
  ioflor::frontend::Core(input).run();
}
