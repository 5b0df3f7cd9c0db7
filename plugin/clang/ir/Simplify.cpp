//===- Simplify.cpp - Passes before a kernel is read -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/ir/Simplify.h"
#include "plugin/clang/ir/Hardware.h"
#include "plugin/clang/ir/IRReader.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace ioflor::ir;

static constexpr const char *modulePasses =
    "globaldce,cgscc(inline<only-mandatory>,function(sroa,early-cse,"
    "simplifycfg)),globaldce,function(loop-simplify,lcssa)";

/// early-cse folds what the constants decide, simplifycfg drops the dead paths,
/// sroa what became constant-indexed by that.
static constexpr const char *stagePasses =
    "early-cse,simplifycfg,sroa,early-cse,simplifycfg,adce,loop-simplify,"
    "lcssa";

namespace {
/// One set of analysis managers; order of destruction matters.
struct PassRunner {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager sccs;
  ModuleAnalysisManager modules;
  PassBuilder builder;

  PassRunner() {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(sccs);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, sccs, modules);
  }

  void run(Module &module, StringRef pipeline) {
    ModulePassManager manager;
    if (Error e = builder.parsePassPipeline(manager, pipeline)) {
      consumeError(std::move(e));
      return;
    }
    manager.run(module, modules);
  }

  void run(Function &function, StringRef pipeline) {
    FunctionPassManager manager;
    if (Error e = builder.parsePassPipeline(manager, pipeline)) {
      consumeError(std::move(e));
      return;
    }
    manager.run(function, functions);
  }
};
} // namespace

/// CUDA's headers ask for ftz and the architecture by __nvvm_reflect; without
/// libdevice linked nobody answers.
static void answerReflect(Module &module) {
  for (StringRef name :
       {"__nvvm_reflect", "__nvvm_reflect_ocl", "llvm.nvvm.reflect"}) {
    Function *reflect = module.getFunction(name);
    if (!reflect)
      continue;
    for (User *user : make_early_inc_range(reflect->users()))
      if (auto *call = dyn_cast<CallInst>(user)) {
        call->replaceAllUsesWith(ConstantInt::get(call->getType(), 0));
        call->eraseFromParent();
      }
  }
}

static bool isKernel(const Function &f) {
  switch (f.getCallingConv()) {
  case CallingConv::PTX_Kernel:
  case CallingConv::AMDGPU_KERNEL:
  case CallingConv::SPIR_KERNEL:
    return true;
  default:
    return f.hasFnAttribute("nvvm.kernel");
  }
}

/// The device math libraries' functions without pointers take and return values
/// only; declared without attributes, as long as no library is linked, each
/// call would end the removal of redundant loads.
static void markPureMath(Function &f) {
  if (!f.getName().starts_with("__nv_") && !f.getName().starts_with("__ocml_"))
    return;
  for (const Argument &argument : f.args())
    if (argument.getType()->isPointerTy())
      return;
  f.setDoesNotAccessMemory();
  f.setDoesNotThrow();
  f.setWillReturn();
}

std::unique_ptr<Module> ioflor::ir::simplified(std::unique_ptr<Module> module,
                                               ArrayRef<std::string> entries) {
  answerReflect(*module);
  for (Function &f : *module) {
    if (f.isDeclaration()) {
      markPureMath(f);
      continue;
    }
    f.removeFnAttr(Attribute::OptimizeNone);
    if (isKernel(f) || is_contained(entries, f.getName())) {
      f.setLinkage(GlobalValue::ExternalLinkage);
      f.setComdat(nullptr);
      continue;
    }
    f.removeFnAttr(Attribute::NoInline);
    f.addFnAttr(Attribute::AlwaysInline);
    f.setLinkage(GlobalValue::InternalLinkage);
    f.setComdat(nullptr);
    // A body that is kept for another translation unit only.
    f.setVisibility(GlobalValue::DefaultVisibility);
  }
  for (Function &f : *module)
    for (Instruction &inst : instructions(f))
      if (auto *call = dyn_cast<CallBase>(&inst))
        call->removeFnAttr(Attribute::NoInline);
  // Globals that keep functions alive by their address are no concern here.
  for (StringRef name : {"llvm.used", "llvm.compiler.used", "llvm.global_ctors",
                         "llvm.global_dtors"})
    if (GlobalVariable *list = module->getGlobalVariable(name))
      list->eraseFromParent();
  PassRunner().run(*module, modulePasses);
  return module;
}

static void putConstants(Function &f, const StageConstants &constants) {
  auto extent = [](const std::array<std::optional<int64_t>, 3> &e, unsigned d) {
    return d < 3 ? e[d] : std::nullopt;
  };
  for (Instruction &inst : make_early_inc_range(instructions(f))) {
    auto read = launchRead(inst);
    if (!read || !inst.getType()->isIntegerTy())
      continue;
    std::optional<int64_t> value;
    auto block = extent(constants.block, read->dim);
    auto grid = extent(constants.grid, read->dim);
    switch (read->kind) {
    case LaunchRead::BlockExtent:
      value = block;
      break;
    case LaunchRead::GridExtent:
      value = grid;
      break;
    case LaunchRead::ThreadIndex:
      if (block == 1)
        value = 0;
      break;
    case LaunchRead::BlockIndex:
      if (grid == 1)
        value = 0;
      break;
    default:
      break;
    }
    if (!value)
      continue;
    inst.replaceAllUsesWith(ConstantInt::get(inst.getType(), *value));
    inst.eraseFromParent();
  }
  for (auto [number, value] : constants.arguments)
    if (number < f.arg_size() && f.getArg(number)->getType()->isIntegerTy())
      f.getArg(number)->replaceAllUsesWith(
          ConstantInt::get(f.getArg(number)->getType(), value,
                           /*IsSigned=*/true, /*ImplicitTrunc=*/true));
}

Function *ioflor::ir::specialise(Function &kernel,
                                 const StageConstants &constants) {
  ValueToValueMapTy map;
  Function *copy = CloneFunction(&kernel, map);
  copy->setName(kernel.getName() + ".ioflor");
  putConstants(*copy, constants);
  PassRunner().run(*copy, stagePasses);
  return copy;
}
