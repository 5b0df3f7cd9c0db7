//===- Ioflor.h - The ioflor dialect -----------------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The I/O skeleton of a kernel as MLIR operations: the one format that every
// front end writes and every pass reads. Semantics in docs/architecture.md.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_DIALECT_IR_IOFLOR_H
#define IOFLOR_DIALECT_IR_IOFLOR_H

#include "dialect/expr/Cond.h"
#include "dialect/expr/Expr.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialect/ir/IoflorEnums.h.inc"

#include "dialect/ir/IoflorDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialect/ir/IoflorAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialect/ir/IoflorTypes.h.inc"

#define GET_OP_CLASSES
#include "dialect/ir/IoflorOps.h.inc"

namespace ioflor {

/// Of a shuffle: the lane that it reads, an expression. `ioflor.lane_mode` says
/// how: `xor`, `down`, `up` (relative to the own lane) or `idx`;
/// `ioflor.lane_width` the lanes that exchange among themselves.
inline constexpr llvm::StringLiteral laneAttr("ioflor.lane");
/// On a slow buffer: what its words hold before the first stage, `zero` or
/// `minus infinity`; how many of them from the first on, where not all.
inline constexpr llvm::StringLiteral initialAttr("ioflor.initial");
inline constexpr llvm::StringLiteral initialWordsAttr("ioflor.initial_words");
inline constexpr llvm::StringLiteral laneModeAttr("ioflor.lane_mode");
inline constexpr llvm::StringLiteral laneWidthAttr("ioflor.lane_width");

/// The buffer that an access names: a fast buffer of its stage, else a slow one
/// of its subject. Null if there is none (the verifier rejects that).
BufferOp resolveBuffer(mlir::Operation *access, llvm::StringRef name);
BufferOp resolveBuffer(LoadOp load);
BufferOp resolveBuffer(StoreOp store);

/// True for reads and writes of slow memory; these are what is counted.
bool isSlow(LoadOp load);
bool isSlow(StoreOp store);

/// The loops around `op` inside its subject, outermost first.
llvm::SmallVector<LoopOp> enclosingLoops(mlir::Operation *op);

/// The conjunction of all guards around `op` inside its subject.
Cond enclosingGuards(mlir::Operation *op);

/// What the subject declares of its symbols, and its assumptions' facts.
/// Loop variables are not included.
Assumptions collectAssumptions(SubjectOp subject);

/// Every expression that an op holds in its attributes, arrays and
/// dictionaries included.
void forEachExpr(mlir::Operation *op,
                 llvm::function_ref<void(const Expr &)> onExpr,
                 llvm::function_ref<void(const Cond &)> onCond);

/// The name that stands for the fast words of one CTA in the results of the
/// passes: `M`, or `M_fast` (and so on) where the subject has a symbol or a
/// loop variable of that name.
std::string fastWordsName(SubjectOp subject);

/// Why the valuation is not one that the subject admits: a symbol without a
/// value or out of its range, or a violated assumption. Data symbols need none.
/// nullopt where it is admissible. Assumptions that hold unknowns do not count.
std::optional<std::string> whyInadmissible(SubjectOp subject,
                                           const Valuation &at);

} // namespace ioflor

#endif // IOFLOR_DIALECT_IR_IOFLOR_H
