//===- IRReader.h - LLVM IR of kernels to the I/O skeleton -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The door from Clang's own LLVM IR into the ioflor dialect. `simplified`
// prepares a module once; `extractSubject` then reads one subject of it.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PLUGIN_CLANG_IR_IRREADER_H
#define IOFLOR_PLUGIN_CLANG_IR_IRREADER_H

#include "dialect/ir/Ioflor.h"
#include "mlir/IR/Builders.h"
#include "plugin/clang/Subject.h"
#include "llvm/IR/Module.h"
#include <functional>
#include <memory>
#include <string>

namespace ioflor::ir {

/// Maps a position of the source to an MLIR location. Absent: a FileLineColLoc
/// with the file name as the compiler was given it.
using LocMapper = std::function<mlir::Location(
    mlir::MLIRContext *, llvm::StringRef file, unsigned line, unsigned column)>;

struct ReaderOptions {
  /// LLVM instructions of one kernel after simplification; a larger one becomes
  /// an `ioflor.unknown`.
  unsigned instructionBudget = 60000;
  /// Nodes of one expression; a larger one becomes a `data` symbol.
  unsigned expressionBudget = 1500;
  /// Entries of the subject's `info` that the caller knows (file, line, column,
  /// language, target); the rest comes from the spec.
  llvm::SmallVector<mlir::NamedAttribute, 8> info;
  /// Positions of the host side: launches, declarations, annotations.
  std::function<mlir::Location(clang::SourceLocation)> sourceLocation;
};

/// Inlines and simplifies without unrolling, rotation or widening, which ruin
/// the symbolic form. `entries` are the functions that will be read (mangled
/// names); kernels by their calling convention are kept besides them.
/// `__nvvm_reflect` is answered with 0, so that the doubled ftz paths of CUDA's
/// headers vanish.
std::unique_ptr<llvm::Module> simplified(std::unique_ptr<llvm::Module> module,
                                         llvm::ArrayRef<std::string> entries);

/// Builds the skeleton of one subject at the builder's insertion point. What
/// could not be read stands in it as unknowns; fails only if a stage's function
/// is not in the module (and says so through `error`).
mlir::FailureOr<SubjectOp>
extractSubject(llvm::Module &module, const frontend::SubjectSpec &spec,
               mlir::OpBuilder &builder, const LocMapper &locations = {},
               const ReaderOptions &options = {}, std::string *error = nullptr);

} // namespace ioflor::ir

#endif // IOFLOR_PLUGIN_CLANG_IR_IRREADER_H
