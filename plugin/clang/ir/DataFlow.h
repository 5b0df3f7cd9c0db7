//===- DataFlow.h - Which values are words in flight -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PLUGIN_CLANG_IR_DATAFLOW_H
#define IOFLOR_PLUGIN_CLANG_IR_DATAFLOW_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace ioflor::ir {

/// Splits the values of a kernel: data flow is whatever is floating point, and
/// integers that come from memory, from floating point or from an instruction
/// that moves words, as far as such integers end in data flow again. All other
/// integers are indices.
class DataFlow {
public:
  explicit DataFlow(const llvm::Function &function);
  /// Modelled as a value of the skeleton.
  bool isData(const llvm::Value *v) const;

private:
  llvm::DenseSet<const llvm::Value *> words;
};

/// An instruction that LLVM says touches memory and that moves nothing:
/// lifetime markers, assumptions, annotations.
bool isNoTransfer(const llvm::Instruction &inst);

} // namespace ioflor::ir

#endif // IOFLOR_PLUGIN_CLANG_IR_DATAFLOW_H
