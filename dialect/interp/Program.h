//===- Program.h - A skeleton compiled for execution -------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Interpreter executes: the loops, guards and accesses of a subject that
// matter for counting, with every expression compiled over one array of slots.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_DIALECT_INTERP_PROGRAM_H
#define IOFLOR_DIALECT_INTERP_PROGRAM_H

#include "dialect/ir/Ioflor.h"
#include "llvm/ADT/StringMap.h"
#include <memory>
#include <string>
#include <vector>

namespace ioflor::interp {

/// An expression, split by what its terms depend on: most addresses are a part
/// that all threads share plus a part that only the thread decides.
struct CompiledTerms {
  Expr source;
  /// Same for all threads of a CTA.
  std::optional<CompiledExpr> shared;
  /// Depends on thread variables and on symbols only: computed once a run.
  std::optional<CompiledExpr> ofThread;
  /// Depends on thread variables and on other loop variables.
  std::optional<CompiledExpr> mixed;
  /// Slots of the data symbols in it.
  std::vector<unsigned> dataSlots;
  /// Slots of everything else in it; only where there are data symbols.
  std::vector<unsigned> otherSlots;
  /// Nodes of the whole and of the mixed part: what an evaluation costs.
  uint32_t size = 1, mixedSize = 0;

  bool perThread() const { return ofThread || mixed; }

  /// Values of `ofThread` for the set of threads numbered `cacheKey`.
  std::vector<int64_t> cache;
  uint64_t cacheKey = 0;
};

struct CompiledCond {
  CondKind kind = CondKind::True;
  Cond source;
  CompiledTerms expr;                 ///< of a comparison
  std::vector<CompiledCond> operands; ///< of And, Or
  bool perThread = false;             ///< any comparison below is
  /// With InterpOptions::decide an unknown may differ from thread to thread.
  bool hasUnknown = false;
};

struct Node {
  enum Kind { Loop, Guard, Stage, Access, Compute, Unknown } kind;
  mlir::Operation *op = nullptr;
  std::vector<std::unique_ptr<Node>> children;

  // Loop
  LoopKind loopKind = LoopKind::Seq;
  unsigned slot = 0;
  CompiledTerms trips;
  /// Something inside uses the variable; otherwise one iteration stands for
  /// all.
  bool usesVar = true;

  /// Loop, Stage: each iteration (execution) is one CTA.
  bool isCta = false;

  // Guard: all must hold.
  std::vector<CompiledCond> conds;

  // Access
  bool isStore = false;
  BufferOp buffer;
  /// Number of the slow buffer; -1 for a fast one.
  int bufferIndex = -1;
  int64_t width = 1;
  std::optional<CompiledTerms> address; ///< Compute: the lane of a shuffle
  unsigned instrIndex = 0; ///< into Program::instrs, of slow accesses

  // Unknown: slow buffers it may touch, by number.
  std::vector<unsigned> mayRead, mayWrite;
};

struct Program {
  std::vector<std::string> names; ///< of slots: symbols, then loop variables
  llvm::StringMap<unsigned> slots;
  struct SymbolInfo {
    unsigned slot;
    bool isData;
    std::optional<Expr> lo, hi;
  };
  std::vector<SymbolInfo> symbols;
  std::vector<bool> used; ///< by slot: some kept expression uses it
  std::vector<BufferOp> slowBuffers;
  std::vector<mlir::Operation *> instrs; ///< slow accesses in program order
  std::vector<std::unique_ptr<Node>> roots;
};

/// Compiles what counts. Without `keepFast`, accesses of fast buffers are left
/// out, and so are loops and guards that then hold nothing; without
/// `keepValues`, so are computes, and unknowns that touch no slow memory.
Program compile(SubjectOp subject, bool keepFast, bool keepValues = false);

} // namespace ioflor::interp

#endif // IOFLOR_DIALECT_INTERP_PROGRAM_H
