//===- CandidateFilter.cpp - Which kernels may be attention ---------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/loader/CandidateFilter.h"
#include "plugin/loader/Kernels.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;
using namespace clang;

namespace ioflor::frontend {

CandidateFilter::CandidateFilter(CompilerInstance &compiler,
                                 const PluginOptions &options)
    : compiler(compiler) {
  const LangOptions &lang = compiler.getLangOpts();
  openCL = lang.OpenCL;
  gpuLanguage = lang.CUDA || lang.HIP || openCL;
  if (!options.kernels.empty())
    nameFilter.emplace(options.kernels);
  // One look-up says whether ioflor/annotations.h was included.
  Preprocessor &pp = compiler.getPreprocessor();
  hasAnnotations =
      pp.isMacroDefined(pp.getIdentifierInfo("IOFLOR_ANNOTATIONS_H"));
}

bool CandidateFilter::selectedByName(const FunctionDecl *function) {
  return nameFilter && nameFilter->match(function->getQualifiedNameAsString());
}

void CandidateFilter::add(const FunctionDecl *function) {
  if (!function->doesThisDeclarationHaveABody() && !function->isDefined())
    return;
  const FunctionDecl *definition = function->getDefinition();
  if (!definition || definition->isInvalidDecl())
    return;
  if (definition->isDependentContext()) {
    if (isKernel(definition))
      patterns.push_back(definition);
    return;
  }
  bool opted =
      selectedByName(definition) || (hasAnnotations && isAnnotated(definition));
  if (isKernel(definition)) {
    if (!nameFilter || selectedByName(definition))
      kernels.push_back(definition);
    return;
  }
  if (gpuLanguage && !openCL) {
    // Device functions are read where kernels call them.
    if (definition->hasAttr<CUDADeviceAttr>() &&
        !definition->hasAttr<CUDAHostAttr>())
      return;
    const SourceManager &sources = compiler.getSourceManager();
    if (!sources.isInSystemHeader(definition->getLocation()))
      hosts.push_back(definition);
    return;
  }
  if (opted)
    kernels.push_back(definition);
}

void CandidateFilter::collect(const DeclContext *context) {
  for (const Decl *d : context->decls()) {
    if (auto *function = dyn_cast<FunctionDecl>(d)) {
      if (function->isThisDeclarationADefinition() || isKernel(function))
        add(function);
    } else if (auto *functions = dyn_cast<FunctionTemplateDecl>(d)) {
      if (functions != functions->getCanonicalDecl())
        continue;
      add(functions->getTemplatedDecl());
      for (const FunctionDecl *instance : functions->specializations())
        add(instance);
    } else if (auto *record = dyn_cast<CXXRecordDecl>(d)) {
      if (record->isThisDeclarationADefinition() &&
          !record->isInjectedClassName())
        collect(record);
    } else if (auto *classes = dyn_cast<ClassTemplateDecl>(d)) {
      if (classes == classes->getCanonicalDecl())
        for (const auto *instance : classes->specializations())
          if (instance->isThisDeclarationADefinition() &&
              instance->getSpecializationKind() != TSK_ExplicitSpecialization)
            collect(instance);
    } else if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(d)) {
      collect(cast<DeclContext>(d));
    }
  }
}

bool CandidateFilter::run(ASTContext &context, CoreInput &result) {
  if (!gpuLanguage && !hasAnnotations && !nameFilter)
    return false;
  collect(context.getTranslationUnitDecl());

  auto distinct = [&](std::vector<const FunctionDecl *> &list) {
    SmallPtrSet<const FunctionDecl *, 32> seen;
    erase_if(list, [&](const FunctionDecl *f) {
      return !seen.insert(f->getCanonicalDecl()).second;
    });
    // By position; instantiations of one template in order of discovery.
    const SourceManager &sources = compiler.getSourceManager();
    std::vector<std::pair<const FunctionDecl *, unsigned>> order;
    for (const FunctionDecl *f : list)
      order.emplace_back(f, order.size());
    sort(order, [&](const auto &a, const auto &b) {
      SourceLocation la = a.first->getLocation(), lb = b.first->getLocation();
      return la == lb ? a.second < b.second
                      : sources.isBeforeInTranslationUnit(la, lb);
    });
    for (auto [i, entry] : enumerate(order))
      list[i] = entry.first;
  };
  distinct(kernels);
  distinct(hosts);
  distinct(patterns);
  if (kernels.empty() && patterns.empty())
    return false;

  SmallPtrSet<const FunctionDecl *, 32> alone;
  for (const FunctionDecl *kernel : kernels) {
    Candidate candidate{kernel, scanner.weigh(kernel),
                        hasAnnotations && isAnnotated(kernel)};
    if (!isKernel(kernel))
      candidate.annotated = true; // plain C and C++ only by request
    if (candidate.weight.looksLikeAttention() || candidate.annotated) {
      alone.insert(kernel->getCanonicalDecl());
      result.candidates.push_back(candidate);
    }
  }

  // Pipelines: those of one host function together may be attention. Where one
  // looks like it by itself, that one is tried first.
  SmallPtrSet<const FunctionDecl *, 32> wanted;
  for (const FunctionDecl *host : hosts) {
    Weight sum;
    std::vector<const FunctionDecl *> launched = scanner.launchedBy(host);
    if (launched.size() < 2)
      continue;
    for (const FunctionDecl *kernel : launched) {
      Weight w = scanner.weigh(kernel);
      sum.exponentials += w.exponentials;
      sum.contractions += w.contractions;
    }
    if (!sum.looksLikeAttention())
      continue;
    result.pipelines.push_back(host);
    for (const FunctionDecl *kernel : launched)
      if (!alone.contains(kernel->getCanonicalDecl()))
        wanted.insert(kernel->getCanonicalDecl());
  }
  // The innermost function that holds the whole pipeline: its callers only
  // repeat it.
  SmallPtrSet<const FunctionDecl *, 8> whole;
  for (const FunctionDecl *host : result.pipelines)
    whole.insert(host->getCanonicalDecl());
  erase_if(result.pipelines, [&](const FunctionDecl *host) {
    SmallPtrSet<const FunctionDecl *, 16> called;
    scanner.launchedBy(host, &called);
    called.erase(host->getCanonicalDecl());
    return any_of(called, [&](const auto *f) { return whole.contains(f); });
  });
  for (const FunctionDecl *kernel : kernels)
    if (wanted.contains(kernel->getCanonicalDecl()))
      result.candidates.push_back({kernel, scanner.weigh(kernel), false});

  auto isWanted = [&](const FunctionDecl *kernel) {
    return alone.contains(kernel->getCanonicalDecl());
  };
  SmallPtrSet<const FunctionDecl *, 8> given; // their callers' grids
  for (const FunctionDecl *host : hosts)
    if (any_of(scanner.namedBy(host), isWanted)) {
      result.launchers.push_back(host);
      if (takesLaunchExtents(host))
        given.insert(host->getCanonicalDecl());
    }
  for (const FunctionDecl *host : hosts) {
    if (given.empty() || is_contained(result.launchers, host) ||
        takesLaunchExtents(host))
      continue;
    SmallPtrSet<const FunctionDecl *, 16> called;
    if (any_of(scanner.launchedBy(host, &called), isWanted) &&
        any_of(called, [&](const auto *f) { return given.contains(f); }))
      result.launchers.push_back(host);
  }

  for (const FunctionDecl *pattern : patterns) {
    const FunctionTemplateDecl *described =
        pattern->getDescribedFunctionTemplate();
    if (!described || described->spec_begin() != described->spec_end() ||
        compiler.getSourceManager().isInSystemHeader(pattern->getLocation()))
      continue;
    if (nameFilter && !selectedByName(pattern))
      continue;
    if (scanner.weigh(pattern).looksLikeAttention())
      result.uninstantiated.push_back(pattern);
  }
  return !result.candidates.empty() || !result.uninstantiated.empty();
}

} // namespace ioflor::frontend
