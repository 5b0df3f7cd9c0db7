// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instruction identity and iteration vectors come from the IR itself: an
// instruction has one number, and each natural loop a phi in its header that
// counts arrivals over back edges since the loop was entered.

#include "test/harness/pass/Passes.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace {

enum AccessKind : unsigned { Read = 1, Write = 2 };

/// One memory access of an instruction: `bytes` from `pointer`.
struct Access {
  Instruction *instruction;
  Value *pointer;
  Value *bytes;
  unsigned kind;
};

/// True where the address is certainly fast memory: private, shared, or a
/// kernel parameter.
bool isFast(const Value *pointer) {
  if (pointer->getType()->getPointerAddressSpace() == 3)
    return true;
  const Value *object = getUnderlyingObject(pointer, /*MaxLookup=*/0);
  if (isa<AllocaInst>(object))
    return true;
  if (const auto *argument = dyn_cast<Argument>(object))
    return argument->hasByValAttr();
  if (const auto *global = dyn_cast<GlobalVariable>(object))
    return global->getAddressSpace() == 3;
  return false;
}

class Counter {
public:
  Counter(Module &module)
      : module(module), context(module.getContext()),
        i64(Type::getInt64Ty(context)), i32(Type::getInt32Ty(context)),
        pointer(PointerType::get(context, 0)) {
    hook = module.getOrInsertFunction(
        "ioflor_access",
        FunctionType::get(Type::getVoidTy(context),
                          {pointer, i64, i32, i32, pointer, i32}, false));
  }

  void run(Function &function, LoopInfo &loops) {
    SmallVector<Access> accesses;
    for (Instruction &instruction : instructions(function))
      collect(instruction, accesses);
    if (accesses.empty())
      return;
    // A callee does not know the trips of its callers' loops.
    if (function.hasLocalLinkage() && !function.use_empty())
      ioflor::harness::fail("'" + function.getName() +
                            "' accesses memory and cannot be inlined");
    for (const Loop *loop : loops.getLoopsInPreorder())
      trips[loop] = tripNumber(*loop);
    unsigned deepest = 0;
    for (const Access &access : accesses)
      deepest = std::max(deepest,
                         loops.getLoopDepth(access.instruction->getParent()));
    IRBuilder<> entry(&*function.getEntryBlock().getFirstInsertionPt());
    AllocaInst *vector = entry.CreateAlloca(
        ArrayType::get(i64, std::max(deepest, 1u)), nullptr, "trips");
    for (const Access &access : accesses)
      instrument(access, loops, vector);
    trips.clear();
  }

  /// The table of instructions that the runtime prints: name of the function,
  /// line and column, by number.
  void emitTable() {
    SmallVector<Constant *> rows;
    StructType *row = StructType::get(pointer, pointer, i32, i32);
    IRBuilder<> builder(context);
    for (const Site &site : sites)
      rows.push_back(
          ConstantStruct::get(row, {text(site.function), text(site.file),
                                    ConstantInt::get(i32, site.line),
                                    ConstantInt::get(i32, site.column)}));
    ArrayType *type = ArrayType::get(row, rows.size());
    new GlobalVariable(module, type, true, GlobalValue::ExternalLinkage,
                       ConstantArray::get(type, rows), "ioflor_sites");
    new GlobalVariable(module, i32, true, GlobalValue::ExternalLinkage,
                       ConstantInt::get(i32, rows.size()), "ioflor_site_count");
  }

private:
  struct Site {
    std::string function, file;
    unsigned line = 0, column = 0;
  };

  Constant *text(StringRef string) {
    Constant *data = ConstantDataArray::getString(context, string);
    auto *global =
        new GlobalVariable(module, data->getType(), true,
                           GlobalValue::PrivateLinkage, data, "ioflor.text");
    return global;
  }

  void add(Instruction &instruction, Value *address, Value *bytes,
           unsigned kind, SmallVectorImpl<Access> &accesses) {
    if (!isFast(address))
      accesses.push_back({&instruction, address, bytes, kind});
  }

  void collect(Instruction &instruction, SmallVectorImpl<Access> &accesses) {
    const DataLayout &layout = module.getDataLayout();
    auto size = [&](Type *type) {
      return ConstantInt::get(i64, layout.getTypeStoreSize(type));
    };
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      add(instruction, load->getPointerOperand(), size(load->getType()), Read,
          accesses);
    else if (auto *store = dyn_cast<StoreInst>(&instruction))
      add(instruction, store->getPointerOperand(),
          size(store->getValueOperand()->getType()), Write, accesses);
    else if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction))
      add(instruction, atomic->getPointerOperand(), size(atomic->getType()),
          Read | Write, accesses);
    else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
      add(instruction, exchange->getPointerOperand(),
          size(exchange->getNewValOperand()->getType()), Read | Write,
          accesses);
    else if (auto *copy = dyn_cast<MemTransferInst>(&instruction)) {
      add(instruction, copy->getRawSource(), copy->getLength(), Read, accesses);
      add(instruction, copy->getRawDest(), copy->getLength(), Write, accesses);
    } else if (auto *fill = dyn_cast<MemSetInst>(&instruction))
      add(instruction, fill->getRawDest(), fill->getLength(), Write, accesses);
    else if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
      if (isa<MemIntrinsic>(call) ||
          call->getIntrinsicID() == Intrinsic::masked_load ||
          call->getIntrinsicID() == Intrinsic::masked_store ||
          call->getIntrinsicID() == Intrinsic::masked_gather ||
          call->getIntrinsicID() == Intrinsic::masked_scatter)
        ioflor::harness::fail("masked memory access in '" +
                              instruction.getFunction()->getName() + "'");
  }

  PHINode *tripNumber(const Loop &loop) {
    BasicBlock *header = loop.getHeader();
    IRBuilder<> builder(header, header->begin());
    PHINode *phi = builder.CreatePHI(i64, pred_size(header), "trip");
    for (BasicBlock *predecessor : predecessors(header)) {
      if (!loop.contains(predecessor)) {
        phi->addIncoming(ConstantInt::get(i64, 0), predecessor);
        continue;
      }
      IRBuilder<> latch(predecessor->getTerminator());
      phi->addIncoming(latch.CreateAdd(phi, ConstantInt::get(i64, 1)),
                       predecessor);
    }
    return phi;
  }

  void instrument(const Access &access, LoopInfo &loops, AllocaInst *vector) {
    SmallVector<PHINode *> around;
    for (const Loop *loop = loops.getLoopFor(access.instruction->getParent());
         loop; loop = loop->getParentLoop())
      around.push_back(trips.lookup(loop));
    IRBuilder<> builder(access.instruction);
    for (auto [depth, trip] : enumerate(reverse(around)))
      builder.CreateStore(
          trip, builder.CreateConstInBoundsGEP2_64(vector->getAllocatedType(),
                                                   vector, 0, depth));
    Value *address = access.pointer;
    if (address->getType()->getPointerAddressSpace() != 0)
      address = builder.CreateAddrSpaceCast(address, pointer);
    Value *base = vector;
    if (base->getType() != pointer)
      base = builder.CreateAddrSpaceCast(base, pointer);
    builder.CreateCall(hook,
                       {address, builder.CreateZExtOrTrunc(access.bytes, i64),
                        ConstantInt::get(i32, access.kind),
                        ConstantInt::get(i32, sites.size()), base,
                        ConstantInt::get(i32, around.size())});
    Site site;
    site.function = access.instruction->getFunction()->getName();
    if (const DebugLoc &location = access.instruction->getDebugLoc()) {
      site.line = location.getLine();
      site.column = location.getCol();
      if (auto *scope = dyn_cast<DIScope>(location.getScope()))
        site.file = scope->getFilename();
    }
    sites.push_back(site);
  }

  Module &module;
  LLVMContext &context;
  Type *i64, *i32, *pointer;
  FunctionCallee hook;
  DenseMap<const Loop *, PHINode *> trips;
  std::vector<Site> sites;
};

} // namespace

PreservedAnalyses ioflor::harness::CountPass::run(Module &module,
                                                  ModuleAnalysisManager &mam) {
  auto &fam =
      mam.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  Counter counter(module);
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    // Of a plain program only the call of the subject is counted.
    if (!module.getTargetTriple().isNVPTX() &&
        !function.getName().contains("ioflorCall"))
      continue;
    auto &loops = fam.getResult<LoopAnalysis>(function);
    ReversePostOrderTraversal<const Function *> order(&function);
    if (containsIrreducibleCFG<const BasicBlock *>(order, loops))
      fail("irreducible control flow in '" + function.getName() +
           "' has no iteration vector");
    counter.run(function, loops);
  }
  counter.emitTable();
  return PreservedAnalyses::none();
}
