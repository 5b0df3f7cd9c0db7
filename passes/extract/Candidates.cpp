//===- Candidates.cpp - Which functions may be attention -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "passes/extract/Extract.h"
#include "passes/extract/Extractor.h"
#include "llvm/Support/Regex.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::extract;

namespace {
enum class Sign : uint8_t {
  None,
  Exponential,
  Multiplication,
  Product,
  Whole,
  Copy,
  Softmax,
  Structured
};
} // namespace

static Sign signOf(StringRef name) {
  if (name == "math.exp" || name == "math.exp2" || name == "linalg.exp")
    return Sign::Exponential;
  if (name == "linalg.softmax")
    return Sign::Softmax;
  if (name == "linalg.generic" || name == "linalg.reduce")
    return Sign::Structured;
  if (name == "arith.mulf" || name == "math.fma")
    return Sign::Multiplication;
  if (name == "vector.contract" || name == "vector.outerproduct" ||
      name == "tt.dot" || name == "linalg.contract" ||
      name.contains("matmul") || name.contains("mma"))
    return Sign::Product;
  if (name == "iree_linalg_ext.attention" ||
      name == "iree_linalg_ext.online_attention")
    return Sign::Whole;
  if (name == "nvgpu.device_async_copy" || name == "nvgpu.tma.async.load")
    return Sign::Copy;
  return Sign::None;
}

/// A linalg operation that sums what it reads, as a softmax does its weights.
static bool isRowSum(linalg::LinalgOp op) {
  if (!op || op.getNumReductionLoops() == 0)
    return false;
  bool adds = false, multiplies = false;
  for (Operation &inner : *op.getBlock()) {
    StringRef name = inner.getName().getStringRef();
    adds |= name == "arith.addf";
    multiplies |= name == "arith.mulf" || name == "math.fma";
  }
  return adds && !multiplies;
}

Signs extract::signsOf(Operation *function, NameSigns &names) {
  Signs signs;
  function->walk([&](Operation *op) {
    // Names are compared once each, not for every operation.
    auto [it, isNew] = names.try_emplace(op->getName(), 0);
    if (isNew)
      it->second = uint8_t(signOf(op->getName().getStringRef()));
    switch (Sign(it->second)) {
    case Sign::None:
      return;
    case Sign::Exponential:
      ++signs.exponentials;
      // In loops what sums them is not seen at a glance.
      signs.sums += op->getName().getDialectNamespace() == "math" &&
                    !isa<linalg::LinalgOp>(op->getParentOp());
      return;
    case Sign::Softmax:
      ++signs.exponentials;
      ++signs.sums;
      return;
    case Sign::Structured:
      signs.sums += isRowSum(dyn_cast<linalg::LinalgOp>(op));
      return;
    case Sign::Whole:
      ++signs.whole;
      return;
    case Sign::Multiplication:
      // Of an operation over elements, as an activation has: it sums nothing.
      if (auto l = dyn_cast<linalg::LinalgOp>(op->getParentOp());
          l && l.getNumReductionLoops() == 0)
        return;
      [[fallthrough]];
    case Sign::Product:
      ++signs.products;
      break;
    case Sign::Copy:
      break;
    }
    if (!signs.first)
      signs.first = op;
  });
  return signs;
}

std::string Signs::missing() const {
  if (!products)
    return "no product follows what is read into fast memory";
  if (!exponentials)
    return "no exponential follows this product";
  if (!sums)
    return "nothing sums the exponentials behind this product";
  return "no second product follows this one";
}

bool extract::functionsOf(ModuleOp module, StringRef pattern,
                          std::vector<Function> &found, Fragment &fragment) {
  std::string error;
  llvm::Regex regex(pattern);
  if (!pattern.empty() && !regex.isValid(error)) {
    module.emitError() << "'functions' is no regular expression: " << error;
    return false;
  }
  // A kernel that a host function launches is read there, with its launch.
  llvm::DenseMap<Operation *, SmallVector<Operation *, 1>> kernels;
  llvm::DenseSet<Operation *> launched;
  SmallVector<std::pair<Operation *, std::string>> all;
  // Each launch is looked up once: a table of symbols for a module, not a walk
  // over its functions for each.
  SymbolTableCollection tables;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    // Functions of Triton and IREE are not registered, so have no interface.
    bool triton = op->getName().getStringRef() == "tt.func" ||
                  op->getName().getStringRef() == "util.func";
    if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
      auto kernel = tables.lookupNearestSymbolFrom<gpu::GPUFuncOp>(
          launch, launch.getKernel());
      if (kernel) {
        launched.insert(kernel);
        for (Operation *p = op->getParentOp(); p; p = p->getParentOp())
          if (isa<FunctionOpInterface>(p))
            kernels[p].push_back(kernel);
      }
      return;
    }
    if ((!triton && !isa<FunctionOpInterface>(op)) ||
        op->getNumRegions() != 1 || op->getRegion(0).empty())
      return;
    std::string name = "function";
    if (auto attr = op->getAttrOfType<StringAttr>("sym_name"))
      name = attr.str();
    // The generic form keeps the properties of what is not registered.
    if (triton)
      if (auto properties =
              dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute()))
        if (auto attr = properties.getAs<StringAttr>("sym_name"))
          name = attr.str();
    all.emplace_back(op, std::move(name));
  });
  NameSigns names;
  for (auto &[f, name] : all) {
    if (launched.contains(f))
      continue;
    if (!pattern.empty()) {
      if (regex.match(name))
        found.push_back({f, name});
      continue;
    }
    Signs signs = signsOf(f, names);
    bool candidate = signs.candidate();
    for (Operation *kernel : kernels.lookup(f))
      candidate |= signsOf(kernel, names).candidate();
    if (candidate) {
      found.push_back({f, name});
    } else if (signs.first && ++fragment.functions == 1) {
      fragment.at = signs.first;
      fragment.name = name;
      fragment.missing = signs.missing();
    }
  }
  return true;
}
