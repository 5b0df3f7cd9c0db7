//===- View.h - What the passes before know of a subject ---------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads roles, counts, footprint and floors once, and says of each number
// whether it may be used from below, from above or both.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_VERDICT_VIEW_H
#define IOFLOR_PASSES_VERDICT_VIEW_H

#include "dialect/expr/Words.h"
#include "dialect/ir/Ioflor.h"
#include "passes/floors/Problem.h"

namespace ioflor::verdict {

using Words = WordRange;

class View {
public:
  explicit View(SubjectOp subject);

  SubjectOp subject;
  /// Ranges and assumptions; M is at least 1.
  Assumptions known;
  /// The assumptions as they stand, without those that hold unknowns.
  std::vector<Cond> assumptions;
  /// Absent: no attention, or a size is missing (`why`).
  std::optional<floors::Problem> problem;
  std::string why;
  /// ioflor-traffic has run.
  bool counted = false;
  std::optional<Expr> footprintLo, footprintHi;

  /// Words of one buffer (`loads` or `stores`).
  Words buffer(BufferOp buffer, llvm::StringRef direction,
               llvm::StringRef measure = "traffic") const;
  /// What a floor bounds: `qk`, `q`, `k`, `v`, `o`, `loads`, `total`.
  Words against(llvm::StringRef what) const;
  /// All loads (stores) of slow memory.
  Words all(llvm::StringRef direction) const;

  /// Which closed form no execution has confirmed, as a sentence; "" for none.
  std::string notExecuted() const;

  std::vector<BufferOp> slowBuffers() const;
  /// What its accesses and its own role say that it holds.
  std::set<Role> rolesIn(BufferOp buffer) const;
  /// The buffers that hold this operand (also among others).
  std::vector<BufferOp> holding(Role role) const;
  /// Slow accesses of this operand in program order.
  std::vector<mlir::Operation *> accesses(Role role, bool stores) const;
  /// Why the extents that a floor against `what` uses cannot carry a flag; ""
  /// where each has evidence.
  std::string lackOfEvidence(llvm::StringRef what) const;

  /// Hypotheses on M for a proof, beside those of the floor itself: at least
  /// what the kernel holds, and what is given.
  std::vector<Cond>
  fastWordsAtLeast(const std::optional<floors::GivenFastWords> &given) const;
  /// An M that is not too small for a flag; nullopt where the footprint has no
  /// upper end.
  std::optional<Expr>
  fastWordsForFlags(const std::optional<floors::GivenFastWords> &given) const;

  /// Symbols of the sequence lengths, to be swept for witnesses.
  std::vector<std::string> lengthSymbols() const;

private:
  Words operand(Role role, llvm::StringRef direction) const;

  std::map<std::string, std::set<Role>> rolesOf; ///< by buffer
  std::set<std::string> unboundedLoads, unboundedStores;
  std::set<std::string> dataSymbols;
};

} // namespace ioflor::verdict

#endif // IOFLOR_PASSES_VERDICT_VIEW_H
