//===- ASTReader.cpp - Subjects of a translation unit ---------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/ast/ASTReader.h"
#include "plugin/clang/ast/LaunchGroups.h"
#include "plugin/clang/ast/SubjectBuilder.h"
#include "plugin/loader/Kernels.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;
using namespace clang;

namespace ioflor::frontend {

namespace {

class Reader {
public:
  Reader(ASTContext &ctx, const CoreInput &input) : ctx(ctx), input(input) {
    for (const Candidate &candidate : input.candidates) {
      sizes.read(candidate.function);
      weights[candidate.function->getCanonicalDecl()] = candidate.weight;
      if (candidate.annotated || candidate.weight.looksLikeAttention())
        alone.insert(candidate.function->getCanonicalDecl());
    }
    for (const auto *list : {&input.launchers, &input.pipelines})
      for (const FunctionDecl *host : *list)
        sizes.read(host);
    sizes.settle();
  }

  ReadResult run() {
    // A helper that is given the grid is read where it is called from; only
    // what no caller in this file launches is read by itself.
    for (bool helpers : {false, true})
      for (const FunctionDecl *host : input.launchers)
        if (takesLaunchExtents(host) == helpers)
          launchesOf(host);
    for (const FunctionDecl *host : input.pipelines)
      pipelineOf(host);
    for (const Candidate &candidate : input.candidates) {
      const FunctionDecl *f = candidate.function;
      if (alone.contains(f->getCanonicalDecl()) &&
          !launched.contains(f->getCanonicalDecl()))
        launchedNowhere(f);
    }
    return std::move(result);
  }

private:
  bool isAlone(const FunctionDecl *kernel) {
    return alone.contains(kernel->getCanonicalDecl());
  }

  void launchesOf(const FunctionDecl *host) {
    HostEval eval(ctx, sizes, input.hostChecks);
    eval.run(host);
    LaunchFlow flow(eval.launches, use);
    std::set<size_t> taken; // combine the results of others
    for (auto [i, launch] : enumerate(eval.launches)) {
      if (!isAlone(launch.kernel) || taken.count(i))
        continue;
      // A launch inside a called function that is a launcher of its own is
      // read there, with that function's parameters as symbols.
      if (launch.within && !isLambda(launch.within) &&
          launch.within->getCanonicalDecl() != host->getCanonicalDecl() &&
          is_contained(input.launchers, launch.within->getDefinition()) &&
          !takesLaunchExtents(launch.within))
        continue;
      if (takesLaunchExtents(host) &&
          launched.contains(launch.kernel->getCanonicalDecl()))
        continue;
      LaunchGroup group = flow.around(i);
      taken.insert(group.stages.begin(), group.stages.end());
      result.subjects.push_back(subjectOf(eval, flow, group, host));
      // Whoever calls the helper decides the grid.
      if (takesLaunchExtents(host))
        for (StageSpec &stage : result.subjects.back().stages)
          stage.launched = false;
    }
  }

  SubjectSpec subjectOf(HostEval &eval, const LaunchFlow &flow,
                        const LaunchGroup &group, const FunctionDecl *host) {
    std::vector<const Launch *> stages;
    for (size_t i : group.stages) {
      stages.push_back(&eval.launches[i]);
      launched.insert(stages.back()->kernel->getCanonicalDecl());
    }
    const FunctionDecl *main = eval.launches[group.main].kernel;
    SubjectBuilder builder(eval, result.problems);
    SubjectSpec spec =
        builder.build((stages.size() > 1 ? host : main)->getNameAsString(),
                      stages, host, true);
    spec.loc = main->getLocation();
    for (auto [i, info] : enumerate(eval.names.buffers))
      for (BufferSpec &buffer : spec.buffers)
        if (buffer.name == info.name)
          if (const HostTouch *fill = flow.initial(i, group, eval.touches);
              fill && (!fill->bytes || isOver(spec, *fill->bytes))) {
            buffer.initial = fill->fill;
            buffer.initialBytes = fill->bytes;
          }
    append_range(spec.unknowns,
                 flow.disturbances(group, eval.touches, [&](unsigned buffer) {
                   return eval.names.buffers[buffer].display;
                 }));
    return spec;
  }

  /// Are the subject's symbols all that e uses?
  static bool isOver(const SubjectSpec &spec, const Expr &e) {
    return all_of(e.freeSymbols(), [&](const std::string &name) {
      return any_of(spec.symbols,
                    [&](const SymbolSpec &s) { return s.name == name; });
    });
  }

  static bool isLambda(const FunctionDecl *f) {
    auto *method = dyn_cast<CXXMethodDecl>(f);
    return method && method->getParent()->isLambda();
  }

  void pipelineOf(const FunctionDecl *host) {
    HostEval eval(ctx, sizes, input.hostChecks);
    eval.run(host);
    bool anyAlone = any_of(eval.launches, [&](const Launch &launch) {
      return isAlone(launch.kernel);
    });
    LaunchFlow flow(eval.launches, use);
    std::vector<LaunchGroup> groups =
        flow.pipelines([&](const FunctionDecl *kernel) {
          auto it = weights.find(kernel->getCanonicalDecl());
          return it == weights.end() ? Weight() : it->second;
        });
    // Where the flow cannot be read the passes see all of it.
    if (groups.empty() && !anyAlone && eval.launches.size() > 1) {
      LaunchGroup all;
      for (size_t i = 0; i < eval.launches.size(); ++i)
        all.stages.push_back(i);
      groups.push_back(std::move(all));
    }
    for (const LaunchGroup &group : groups) {
      SubjectSpec spec = subjectOf(eval, flow, group, host);
      spec.fallback = anyAlone;
      if (!anyAlone || !isPartOfAnother(spec))
        result.subjects.push_back(std::move(spec));
    }
  }

  /// Whether a subject has all the launches of `spec`.
  bool isPartOfAnother(const SubjectSpec &spec) const {
    return any_of(result.subjects, [&](const SubjectSpec &other) {
      return all_of(spec.stages, [&](const StageSpec &stage) {
        return any_of(other.stages, [&](const StageSpec &s) {
          return s.launch == stage.launch;
        });
      });
    });
  }

  void launchedNowhere(const FunctionDecl *kernel) {
    HostEval eval(ctx, sizes, input.hostChecks);
    Launch launch = eval.entry(kernel);
    SubjectBuilder builder(eval, result.problems);
    const Launch *one[] = {&launch};
    SubjectSpec spec =
        builder.build(kernel->getNameAsString(), one, nullptr, false);
    // Plain C and C++: one thread, nothing is left open.
    if (!isKernel(kernel))
      spec.stages.front().launched = true;
    result.subjects.push_back(std::move(spec));
  }

  ASTContext &ctx;
  const CoreInput &input;
  SizeUse sizes;
  BufferUse use;
  DenseMap<const FunctionDecl *, Weight> weights;
  SmallPtrSet<const FunctionDecl *, 16> alone, launched;
  ReadResult result;
};

} // namespace

ReadResult readSubjects(ASTContext &context, const CoreInput &input) {
  return Reader(context, input).run();
}

void printSubject(const SubjectSpec &subject, const SourceManager &sources,
                  raw_ostream &os) {
  auto list = [&](const std::array<Expr, 3> &extents) {
    os << "(" << extents[0] << ", " << extents[1] << ", " << extents[2] << ")";
  };
  os << "subject " << subject.name
     << (subject.fallback ? " unless a stage is attention by itself" : "")
     << "\n";
  for (const SymbolSpec &symbol : subject.symbols) {
    os << "  symbol " << symbol.name;
    if (symbol.display != symbol.name)
      os << " '" << symbol.display << "'";
    if (symbol.lo)
      os << " from " << *symbol.lo;
    if (symbol.hi)
      os << " to " << *symbol.hi;
    os << "\n";
  }
  for (const AssumptionSpec &assumption : subject.assumptions)
    os << "  assume " << assumption.condition << " [" << assumption.source
       << "]\n";
  for (const BufferSpec &buffer : subject.buffers) {
    os << "  buffer " << buffer.name;
    if (buffer.display != buffer.name)
      os << " '" << buffer.display << "'";
    os << " : " << buffer.elementBytes << " bytes";
    if (buffer.words)
      os << " words " << *buffer.words;
    if (!buffer.role.empty())
      os << " role " << buffer.role;
    for (const Expr &e : buffer.extents)
      os << " extent " << e;
    if (!buffer.evidence.empty())
      os << " [" << buffer.evidence << "]";
    os << "\n";
  }
  if (subject.disclosure) {
    os << "  disclosure " << subject.disclosure->kind;
    if (subject.disclosure->w)
      os << " " << *subject.disclosure->w;
    if (!subject.disclosure->text.empty())
      os << " '" << subject.disclosure->text << "'";
    os << "\n";
  }
  if (subject.claimWords)
    os << "  claim " << *subject.claimWords << "\n";
  if (subject.fastWords)
    os << "  fast " << *subject.fastWords << "\n";
  for (const StageSpec &stage : subject.stages) {
    os << "  stage " << stage.mangledName;
    if (!stage.instantiation.empty())
      os << " " << stage.instantiation;
    os << (stage.launched ? "" : " launched elsewhere") << "\n    grid ";
    list(stage.grid);
    os << " block ";
    list(stage.block);
    os << " shared " << stage.dynamicSharedBytes << "\n";
    for (const HostLoop &loop : stage.hostLoops)
      os << "    host loop " << loop.var << " to " << loop.trips << "\n";
    if (!stage.hostGuard.isAlways())
      os << "    guard " << stage.hostGuard << "\n";
    for (const ParamBinding &param : stage.params)
      for (const auto &[at, binding] : param.fields) {
        os << "    param " << param.name;
        if (param.fields.size() > 1 || at)
          os << " +" << at << " " << binding.display;
        os << " = ";
        switch (binding.kind) {
        case Binding::Integer:
          os << binding.value;
          break;
        case Binding::Pointer:
          os << "@" << binding.buffer;
          if (!binding.offsetBytes.isZero())
            os << " + " << binding.offsetBytes << " bytes";
          break;
        case Binding::Opaque:
          os << "?";
          break;
        }
        os << "\n";
      }
  }
  for (const auto &[reason, loc] : subject.unknowns)
    os << "  unknown " << reason << "\n";
}

} // namespace ioflor::frontend
