//===- Program.h - A subject as flat tables ---------------------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the role analysis reads of a subject: its accesses with their loops and
// guards, and the cells (parts of buffers that are provably apart) that they
// touch. Built once; nothing here is changed afterwards.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_ROLES_PROGRAM_H
#define IOFLOR_PASSES_ROLES_PROGRAM_H

#include "dialect/expr/Work.h"
#include "dialect/ir/Ioflor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace ioflor::roles {

struct Access {
  mlir::Operation *op = nullptr; ///< LoadOp or StoreOp
  bool isLoad = false;
  unsigned buffer = 0;                ///< index into Program::buffers
  std::optional<Expr> addr;           ///< absent: only the buffer is known
  int64_t width = 1;                  ///< consecutive elements
  llvm::SmallVector<LoopOp, 6> loops; ///< around it, outermost first
  Cond guards;
  StageOp stage;
  /// Cells that it may touch: one, or all of the buffer without an address.
  llvm::SmallVector<unsigned, 1> cells;

  LoadOp load() const { return mlir::cast<LoadOp>(op); }
  StoreOp store() const { return mlir::cast<StoreOp>(op); }
};

struct Buffer {
  BufferOp op;
  bool slow = false;
  std::string name;
  llvm::SmallVector<unsigned, 4> accesses;
  bool stored = false, loaded = false;
};

/// A part of a buffer that no access of another part touches.
struct Cell {
  unsigned buffer = 0;
  llvm::SmallVector<unsigned, 4> loads, stores; ///< indices of accesses
};

struct Program {
  SubjectOp subject;
  /// Symbols, assumptions and the ranges of all loop variables.
  Assumptions known;
  std::vector<Buffer> buffers;
  std::vector<Access> accesses;
  std::vector<Cell> cells;
  /// Computes and accesses in program order.
  std::vector<mlir::Operation *> ops;
  std::vector<UnknownOp> unknowns;
  llvm::DenseMap<mlir::Operation *, unsigned> accessOf;
  /// Loops by variable.
  std::map<std::string, LoopOp> loopOf;

  /// Work done so far: nodes of addresses that were solved, pairs of facts that
  /// were multiplied. Deterministic, so that a subject that is too large ends
  /// as inconclusive on every machine.
  static constexpr uint64_t maxWork = 6'000'000;
  mutable uint64_t work = 0;
  /// False once the budget is used up.
  bool spend(uint64_t units) const {
    work += units;
    return !isExhausted();
  }
  bool isExhausted() const { return work > maxWork || WorkScope::exhausted(); }

  explicit Program(SubjectOp subject);

  /// The stores whose words the load `access` may read: all of its cells', or,
  /// once findReaching ran, those that no later store overwrites.
  llvm::ArrayRef<unsigned> writers(unsigned access) const {
    auto it = reaching.find(access);
    return it == reaching.end() ? llvm::ArrayRef<unsigned>() : it->second;
  }
  /// Least and greatest element.
  struct Span {
    Expr lo, hi;
  };
  /// What `a` may touch while the loop variables `vars` take all their values;
  /// nullopt where its address or an end is not known. A variable that
  /// addresses take apart by divisions is taken apart here, too, so that a
  /// swizzled tile has the ends of the tile.
  std::optional<Span> span(const Access &a,
                           const std::set<std::string> &vars) const;

  /// Narrows `writers` by program order. Takes for granted that a loop that
  /// fills a tile runs and fills what its twin filled, so it is used only to
  /// tell apart tiles that share memory.
  void findReaching();
  /// Takes tiles that start at different symbolic offsets of one shared array
  /// (`K = sram`, `V = sram + Bc*d`) for disjoint, where sizes that no launch
  /// here gives leave it open. A kernel for which that is wrong overwrites its
  /// own tiles. False if nothing was split; findReaching has to follow.
  bool separateTiles();

private:
  llvm::DenseMap<unsigned, llvm::SmallVector<unsigned, 4>> reaching;
  /// `known` with constant ends of loops, and with digits of loop variables.
  Assumptions fine;
  std::map<std::string, Expr> digits;
  std::map<std::string, std::vector<std::string>> digitsOf;
  void collect();
  void findDigits();
  void partition(unsigned buffer);
};

} // namespace ioflor::roles

#endif // IOFLOR_PASSES_ROLES_PROGRAM_H
