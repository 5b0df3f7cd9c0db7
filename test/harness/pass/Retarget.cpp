// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A host runs the CTAs of a launch one after the other, so shared variables are
// plain globals that one CTA at a time owns. All dynamic shared arrays of CUDA
// name the same memory.

#include "test/harness/pass/Passes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace {

constexpr unsigned sharedSpace = 3;
constexpr uint64_t dynamicSharedBytes = 1 << 20;

/// Intrinsics whose value one thread never sees change.
bool isThreadConstant(StringRef name) {
  return name.starts_with("llvm.nvvm.read.ptx.sreg.tid") ||
         name.starts_with("llvm.nvvm.read.ptx.sreg.ntid") ||
         name.starts_with("llvm.nvvm.read.ptx.sreg.ctaid") ||
         name.starts_with("llvm.nvvm.read.ptx.sreg.nctaid") ||
         name.starts_with("llvm.nvvm.read.ptx.sreg.laneid") ||
         name.starts_with("llvm.nvvm.read.ptx.sreg.warpsize");
}

/// "llvm.nvvm.shfl.sync.bfly.f32" becomes a call of
/// "nvvm_shfl_sync_bfly_f32", which the runtime defines.
void lowerIntrinsics(Module &module) {
  SmallVector<Function *> intrinsics;
  for (Function &function : module)
    if (function.getName().starts_with("llvm.nvvm."))
      intrinsics.push_back(&function);
  for (Function *intrinsic : intrinsics) {
    std::string name = intrinsic->getName().drop_front(5).str();
    std::replace(name.begin(), name.end(), '.', '_');
    FunctionCallee callee =
        module.getOrInsertFunction(name, intrinsic->getFunctionType());
    auto *function = cast<Function>(callee.getCallee());
    AttributeList attributes;
    LLVMContext &context = module.getContext();
    for (auto [index, type] : enumerate(intrinsic->getFunctionType()->params()))
      if (type->isIntegerTy() && type->getIntegerBitWidth() < 32)
        attributes =
            attributes.addParamAttribute(context, index, Attribute::ZExt);
    if (intrinsic->getReturnType()->isIntegerTy(1))
      attributes = attributes.addRetAttribute(context, Attribute::ZExt);
    function->setAttributes(attributes);
    function->setDoesNotThrow();
    if (isThreadConstant(intrinsic->getName())) {
      function->setDoesNotAccessMemory();
      function->setWillReturn();
    }
    for (User *user : make_early_inc_range(intrinsic->users())) {
      auto *call = dyn_cast<CallInst>(user);
      if (!call)
        continue;
      call->setCalledFunction(callee);
      call->setAttributes(attributes);
    }
    if (intrinsic->use_empty())
      intrinsic->eraseFromParent();
  }
}

void lowerShared(Module &module) {
  LLVMContext &context = module.getContext();
  Type *i8 = Type::getInt8Ty(context), *i64 = Type::getInt64Ty(context);
  PointerType *pointer = PointerType::get(context, 0);
  SmallVector<GlobalVariable *> dynamic, fixed;
  for (GlobalVariable &global : module.globals()) {
    if (global.getAddressSpace() != sharedSpace)
      continue;
    (global.isDeclaration() ? dynamic : fixed).push_back(&global);
  }
  auto *arena = new GlobalVariable(
      module, ArrayType::get(i8, dynamicSharedBytes), false,
      GlobalValue::ExternalLinkage,
      ConstantAggregateZero::get(ArrayType::get(i8, dynamicSharedBytes)),
      "ioflor_dynamic_shared", nullptr, GlobalValue::NotThreadLocal,
      sharedSpace);
  arena->setAlignment(Align(1024));
  for (GlobalVariable *global : dynamic) {
    global->replaceAllUsesWith(arena);
    global->eraseFromParent();
  }
  // The runtime fills them with NaN before each CTA.
  StructType *row = StructType::get(pointer, i64);
  SmallVector<Constant *> rows;
  for (GlobalVariable *global : fixed) {
    global->setLinkage(GlobalValue::InternalLinkage);
    global->setComdat(nullptr);
    global->setConstant(false);
    global->setInitializer(Constant::getNullValue(global->getValueType()));
    uint64_t bytes =
        module.getDataLayout().getTypeAllocSize(global->getValueType());
    rows.push_back(ConstantStruct::get(
        row, {ConstantExpr::getAddrSpaceCast(global, pointer),
              ConstantInt::get(i64, bytes)}));
  }
  ArrayType *table = ArrayType::get(row, rows.size());
  new GlobalVariable(module, table, true, GlobalValue::ExternalLinkage,
                     ConstantArray::get(table, rows), "ioflor_shared");
  new GlobalVariable(module, i64, true, GlobalValue::ExternalLinkage,
                     ConstantInt::get(i64, rows.size()), "ioflor_shared_count");
}

/// void thunk(void **arguments): what cudaLaunchKernel is given, unpacked.
Function *thunkOf(Function &kernel) {
  Module &module = *kernel.getParent();
  LLVMContext &context = module.getContext();
  PointerType *pointer = PointerType::get(context, 0);
  Function *thunk = Function::Create(
      FunctionType::get(Type::getVoidTy(context), {pointer}, false),
      GlobalValue::InternalLinkage, "ioflor.thunk", module);
  IRBuilder<> builder(BasicBlock::Create(context, "", thunk));
  SmallVector<Value *> values;
  for (Argument &argument : kernel.args()) {
    Value *slot = builder.CreateConstGEP1_64(pointer, thunk->getArg(0),
                                             argument.getArgNo());
    Value *address = builder.CreateLoad(pointer, slot);
    if (argument.hasByValAttr())
      values.push_back(address);
    else
      values.push_back(builder.CreateLoad(argument.getType(), address));
  }
  CallInst *call = builder.CreateCall(&kernel, values);
  call->setAttributes(kernel.getAttributes());
  builder.CreateRetVoid();
  return thunk;
}

/// Names of host-visible device objects: kernels and variables.
void emitTable(Module &module, StringRef name,
               ArrayRef<std::pair<std::string, Constant *>> objects) {
  LLVMContext &context = module.getContext();
  PointerType *pointer = PointerType::get(context, 0);
  StructType *row = StructType::get(pointer, pointer);
  SmallVector<Constant *> rows;
  for (const auto &[text, object] : objects) {
    Constant *data = ConstantDataArray::getString(context, text);
    auto *global =
        new GlobalVariable(module, data->getType(), true,
                           GlobalValue::PrivateLinkage, data, "ioflor.name");
    rows.push_back(ConstantStruct::get(row, {global, object}));
  }
  ArrayType *table = ArrayType::get(row, rows.size());
  new GlobalVariable(module, table, true, GlobalValue::ExternalLinkage,
                     ConstantArray::get(table, rows), name);
  Type *i64 = Type::getInt64Ty(context);
  new GlobalVariable(module, i64, true, GlobalValue::ExternalLinkage,
                     ConstantInt::get(i64, rows.size()), name + "_count");
}

void lowerFunctions(Module &module) {
  std::vector<std::pair<std::string, Constant *>> kernels, variables;
  PointerType *pointer = PointerType::get(module.getContext(), 0);
  SmallVector<Function *> kernelFunctions;
  for (Function &function : module) {
    if (function.isIntrinsic())
      continue;
    if (function.getCallingConv() == CallingConv::PTX_Kernel)
      kernelFunctions.push_back(&function);
    if (function.getCallingConv() == CallingConv::PTX_Kernel ||
        function.getCallingConv() == CallingConv::PTX_Device)
      function.setCallingConv(CallingConv::C);
    function.removeFnAttr("target-cpu");
    function.removeFnAttr("target-features");
    function.removeFnAttr("tune-cpu");
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        call->setCallingConv(CallingConv::C);
  }
  for (Function *kernel : kernelFunctions) {
    std::string name = kernel->getName().str();
    // The host object defines a launch stub of the same name.
    kernel->setName("ioflor.kernel." + name);
    kernel->setLinkage(GlobalValue::InternalLinkage);
    kernels.emplace_back(name, thunkOf(*kernel));
  }
  for (GlobalVariable &global : module.globals()) {
    if (global.getAddressSpace() == 0 ||
        global.getAddressSpace() == sharedSpace || global.isDeclaration())
      continue;
    variables.emplace_back(global.getName().str(),
                           ConstantExpr::getAddrSpaceCast(&global, pointer));
    global.setLinkage(GlobalValue::InternalLinkage);
    global.setComdat(nullptr);
    global.setConstant(false);
  }
  emitTable(module, "ioflor_kernels", kernels);
  emitTable(module, "ioflor_variables", variables);
}

} // namespace

PreservedAnalyses ioflor::harness::RetargetPass::run(Module &module,
                                                     ModuleAnalysisManager &) {
  lowerIntrinsics(module);
  lowerShared(module);
  lowerFunctions(module);
  for (const char *name : {"nvvm.annotations", "nvvmir.version", "llvm.used",
                           "llvm.compiler.used", "nvvm.reflection"}) {
    if (NamedMDNode *node = module.getNamedMetadata(name))
      node->eraseFromParent();
    if (GlobalVariable *global = module.getNamedGlobal(name))
      global->eraseFromParent();
  }
  module.setTargetTriple(Triple("x86_64-pc-linux-gnu"));
  module.setDataLayout(
      "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-"
      "n8:16:32:64-S128");
  return PreservedAnalyses::none();
}
