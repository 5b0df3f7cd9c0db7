// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/harness/pass/Passes.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// Math functions of the device library take and return values only; that they
/// are declared without attributes here would otherwise end every redundancy
/// removal at each call.
static bool isPureMath(const Function &function) {
  if (!function.isDeclaration() || !function.getName().starts_with("__nv_"))
    return false;
  return none_of(function.args(), [](const Argument &argument) {
    return argument.getType()->isPointerTy();
  });
}

static SmallPtrSet<const Function *, 8> recursiveFunctions(Module &module) {
  SmallPtrSet<const Function *, 8> result;
  CallGraph graph(module);
  for (auto scc = scc_begin(&graph); !scc.isAtEnd(); ++scc)
    if (scc.hasCycle())
      for (const CallGraphNode *node : *scc)
        if (node->getFunction())
          result.insert(node->getFunction());
  return result;
}

/// A generated driver's functions, which the runtime calls.
static bool isDriver(const Function &function) {
  return function.getName().contains("ioflorCall") ||
         function.getName().contains("ioflorDefine") ||
         function.getName().contains("ioflorCheck");
}

PreservedAnalyses ioflor::harness::PreparePass::run(Module &module,
                                                    ModuleAnalysisManager &) {
  SmallPtrSet<const Function *, 8> recursive = recursiveFunctions(module);
  for (Function &function : module) {
    if (isPureMath(function)) {
      function.setDoesNotAccessMemory();
      function.setDoesNotThrow();
      function.setWillReturn();
    }
    if (function.isDeclaration())
      continue;
    function.removeFnAttr(Attribute::OptimizeNone);
    function.removeFnAttr(Attribute::NoInline);
    if (isDriver(function))
      continue;
    if (function.getCallingConv() == CallingConv::PTX_Kernel) {
      // Templates are weak; an implicit instantiation that nothing on the
      // device side refers to must survive.
      function.setLinkage(GlobalValue::ExternalLinkage);
      function.setComdat(nullptr);
      continue;
    }
    function.setLinkage(GlobalValue::InternalLinkage);
    function.setComdat(nullptr);
    if (!recursive.contains(&function))
      function.addFnAttr(Attribute::AlwaysInline);
  }
  return PreservedAnalyses::none();
}
