//===- Emit.h - One kernel as a stage of the skeleton -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PLUGIN_CLANG_IR_EMIT_H
#define IOFLOR_PLUGIN_CLANG_IR_EMIT_H

#include "plugin/clang/ir/Asm.h"
#include "plugin/clang/ir/DataFlow.h"
#include "plugin/clang/ir/Values.h"

namespace ioflor::ir {

/// The arguments of a matrix multiplication that make up its two factors; both
/// empty if that is not known.
struct MmaFactors {
  llvm::SmallVector<unsigned, 8> left, right;
};
MmaFactors mmaFactors(const llvm::IntrinsicInst &call);

/// Bytes of the scalar that a type is made of (vectors and arrays: of their
/// element).
unsigned scalarBytes(llvm::Type *type, const llvm::DataLayout &layout);

/// Builds the program of one thread at the end of a block. Scopes: a block of
/// the kernel is emitted into the MLIR block of its dominator, inside of a
/// guard if it does not always run after it, so that every value is visible
/// where LLVM uses it; only phis and values that leave a loop go through scalar
/// buffers.
class Emitter {
public:
  Emitter(ValueReader &reader, const DataFlow &flow, llvm::Function &function,
          llvm::LoopInfo &loops, std::map<std::string, BufferInfo> &buffers,
          mlir::OpBuilder &builder);

  /// Smallest scalar access to each buffer whose element size is not given.
  void measureElements();
  /// `fastBuffers`: where the stage's own buffers are declared.
  void run(mlir::Block *body, mlir::Block *fastBuffers);

private:
  // Emit.cpp: regions, scopes, phis
  void emitRegion(llvm::Loop *region, mlir::Block *body);
  void emitLoop(llvm::Loop *l, mlir::Block *scope);
  void emitBlock(llvm::BasicBlock *block, mlir::Block *scope);
  void emitPhi(llvm::PHINode &phi);
  void emitEdges(llvm::BasicBlock *block);
  mlir::Block *scopeOf(llvm::BasicBlock *block, mlir::Block *regionBody);
  mlir::Block *guard(const Cond &c, mlir::Block *in, mlir::Location loc);
  void guarded(const Cond &c, mlir::Location loc,
               llvm::function_ref<void()> fn);
  std::string registerOf(llvm::Value *v);
  mlir::Value loadRegister(llvm::Value *v, mlir::Location loc);
  void storeRegister(llvm::Value *v, mlir::Value value, mlir::Location loc);
  std::string temporary(int64_t bytes, mlir::Location loc);
  void declareRegister(const std::string &name, unsigned bytes, int64_t words,
                       mlir::Location loc);
  mlir::Value leaving(llvm::Value *v, llvm::Loop *left, mlir::Location loc);
  void define(llvm::Value *v, mlir::Value value);

  // EmitValues.cpp
  mlir::Value get(llvm::Value *v, mlir::Location loc);
  mlir::Value constant(llvm::StringRef detail, mlir::Location loc);
  mlir::Value extract(mlir::Value of, int64_t bytes, int64_t offset,
                      mlir::Location loc);
  mlir::Value compute(ComputeKind kind, llvm::ArrayRef<mlir::Value> operands,
                      llvm::StringRef detail, mlir::Location loc);
  void emitInstruction(llvm::Instruction &inst);
  void emitArithmetic(llvm::Instruction &inst);
  void emitSelect(llvm::SelectInst &select);

  // EmitAccess.cpp
  void emitLoad(llvm::LoadInst &load);
  void emitStore(llvm::StoreInst &store);
  void emitAtomic(llvm::Instruction &inst, llvm::Value *pointer,
                  llvm::ArrayRef<llvm::Value *> operands, llvm::StringRef name,
                  int64_t bytes);
  mlir::Value read(const Pointers &from, int64_t bytes, mlir::Location loc,
                   bool atomic = false);
  void write(mlir::Value value, const Pointers &to, int64_t bytes,
             mlir::Location loc, bool atomic = false);
  mlir::Value readOne(const Pointer &p, int64_t bytes, mlir::Location loc,
                      bool atomic);
  void writeOne(mlir::Value value, const Pointer &p, int64_t bytes,
                mlir::Location loc, bool atomic);
  void unknown(llvm::StringRef reason, mlir::Location loc);
  bool isSlowOrUnknown(const Pointers &p) const;
  void measure(llvm::Value *pointer, llvm::Type *type);
  void measure(llvm::Value *pointer, unsigned bytes, bool integers = false);

  // EmitCalls.cpp
  void emitCall(llvm::CallBase &call);
  bool emitIntrinsic(llvm::IntrinsicInst &call);
  void emitMemoryCopy(llvm::Instruction &inst, llvm::Value *to,
                      llvm::Value *from, llvm::Value *length);
  void emitAsm(llvm::CallBase &call);
  void emitAsmEffect(llvm::CallBase &call, const AsmEffect &effect);
  bool emitFragment(llvm::IntrinsicInst &call);
  void emitMatrix(const Pointers &p, unsigned matrices, mlir::Value stored,
                  mlir::Location loc);
  void copyAsync(const Pointers &to, const Pointers &from, int64_t bytes,
                 const Cond &reads, mlir::Location loc);
  void emitMma(llvm::CallBase &call, const MmaFactors &factors,
               llvm::StringRef detail);
  /// `parts`: what a call of inline assembly uses of its arguments.
  void computeResult(llvm::CallBase &call, ComputeKind kind,
                     llvm::StringRef detail,
                     llvm::ArrayRef<AsmPart> parts = {});
  void noteLane(llvm::CallBase &call, mlir::Operation *op);
  Pointers asPointer(llvm::Value *v);

  const Assumptions &here() const;
  Expr simplified(const Expr &e) const;

  ValueReader &reader;
  const DataFlow &flow;
  llvm::Function &function;
  llvm::LoopInfo &loops;
  std::map<std::string, BufferInfo> &buffers;
  mlir::OpBuilder &builder;
  const llvm::DataLayout &layout;
  mlir::Block *fastBuffers = nullptr;

  std::vector<llvm::BasicBlock *> order;
  llvm::DenseMap<llvm::BasicBlock *, mlir::Block *> scopes;
  /// What holds in a block: ranges of the loop variables around it and guards.
  std::map<mlir::Block *, std::shared_ptr<Assumptions>> facts;
  llvm::DenseMap<llvm::Value *, mlir::Value> values;
  llvm::DenseMap<llvm::Value *, std::string> registers;
  llvm::DenseSet<llvm::Value *> escaping;
  int64_t instr = 0;
  /// Results of the last ldmatrix and of the inline assembly being emitted.
  mlir::Value matrixValue, asmValue;
};

/// An over-estimate of the 32-bit registers that one thread needs: the largest
/// number of 32-bit units of SSA values live at one point.
int64_t registerEstimate(const llvm::Function &function);

} // namespace ioflor::ir

#endif // IOFLOR_PLUGIN_CLANG_IR_EMIT_H
