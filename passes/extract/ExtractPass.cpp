//===- ExtractPass.cpp - ioflor-extract -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "passes/extract/Extract.h"
#include "passes/extract/Extractor.h"
#include "llvm/Support/Regex.h"

namespace ioflor {
#define GEN_PASS_DEF_IOFLOREXTRACT
#include "passes/extract/ExtractPasses.h.inc"
} // namespace ioflor

using namespace mlir;
using namespace ioflor;

int extract::extractSubjects(ModuleOp from, ModuleOp to, StringRef functions) {
  std::string error;
  llvm::Regex regex(functions);
  if (!functions.empty() && !regex.isValid(error)) {
    from.emitError() << "'functions' is no regular expression: " << error;
    return -1;
  }
  // A kernel that a host function launches is read there, with its launch.
  llvm::DenseSet<Operation *> launched;
  from.walk([&](gpu::LaunchFuncOp launch) {
    if (auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
            launch, launch.getKernel()))
      launched.insert(kernel);
  });
  SmallVector<std::pair<Operation *, std::string>> found;
  from.walk([&](Operation *f) {
    // A tt.func is not registered, so it has no interface.
    bool triton = f->getName().getStringRef() == "tt.func";
    if ((!triton && !isa<FunctionOpInterface>(f)) || f->getNumRegions() != 1 ||
        f->getRegion(0).empty() || launched.contains(f))
      return;
    std::string name = "function";
    if (auto attr = f->getAttrOfType<StringAttr>("sym_name"))
      name = attr.str();
    // The generic form keeps the properties of what is not registered.
    if (auto properties =
            dyn_cast_or_null<DictionaryAttr>(f->getPropertiesAsAttribute()))
      if (auto attr = properties.getAs<StringAttr>("sym_name"))
        name = attr.str();
    if (!functions.empty()) {
      if (regex.match(name))
        found.emplace_back(f, name);
      return;
    }
    bool candidate = isCandidate(f);
    f->walk([&](gpu::LaunchFuncOp launch) {
      if (auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
              launch, launch.getKernel()))
        candidate |= isCandidate(kernel);
    });
    if (candidate)
      found.emplace_back(f, name);
  });
  for (auto &[f, name] : found) {
    OpBuilder builder = OpBuilder::atBlockEnd(to.getBody());
    if (!Extractor(f, name, builder).run())
      return -1;
  }
  return found.size();
}

namespace {
struct ExtractPass : ioflor::impl::IoflorExtractBase<ExtractPass> {
  using IoflorExtractBase::IoflorExtractBase;
  void runOnOperation() override {
    if (extract::extractSubjects(getOperation(), getOperation(), functions) < 0)
      signalPassFailure();
  }
};
} // namespace
