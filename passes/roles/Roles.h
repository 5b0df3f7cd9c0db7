//===- Roles.h - What is Q, K, V, O and how large ---------------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The result of the role analysis, for the pass that writes it into the subject
// and for passes that need more than its attributes hold.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_ROLES_ROLES_H
#define IOFLOR_PASSES_ROLES_ROLES_H

#include "dialect/ir/Ioflor.h"

namespace ioflor::roles {

/// How good the reason for an extent is, best first (design: annotation,
/// allocation, stride ratio, guard, softmax scale). With `Read` nothing but the
/// accesses themselves speaks for it: what they miss can not be noticed, so a
/// finding that rests on it is inconclusive.
enum class Evidence : uint8_t {
  Annotation,
  Allocation,
  Stride,
  Guard,
  Scale,
  Launch, ///< extent of a grid dimension, given by the caller
  Read
};

llvm::StringRef stringifyEvidence(Evidence e);
/// Parses the first word of a text that describeExtent made.
std::optional<Evidence> parseEvidence(llvm::StringRef text);

/// One dimension of an operand.
struct Extent {
  std::string dimension; ///< `batch`, `heads`, `rows` or `columns`
  Expr size;             ///< elements
  Expr stride;           ///< words between neighbours
  Evidence evidence = Evidence::Read;
  std::string text; ///< the reason, readable
  /// Rows that the array has room for, where the code's own bound is another
  /// length: a cache with a capacity.
  std::optional<Expr> capacity;
};

struct Operand {
  BufferOp buffer;
  Role role = Role::Other;
  /// Slowest to columns; empty where the shape is not known.
  std::vector<Extent> extents;
  std::string problem; ///< why extents is empty
  /// Its loads (Q, K, V) or stores (O) in slow memory.
  std::vector<mlir::Operation *> accesses;
};

/// The sizes of the problem; 1 where a dimension is absent.
struct Dims {
  std::optional<Expr> nq, nk, d, dv, batch, heads, kvHeads;
};

/// An access that repeats in a loop which its address does not depend on.
struct RedundantLoad {
  LoadOp load;
  LoopOp loop;
};

struct Result {
  enum Outcome { NotAttention, Inconclusive, Attention } outcome = NotAttention;
  std::string reason;            ///< for Inconclusive
  mlir::Operation *at = nullptr; ///< the construct, may be null
  /// Several where one buffer holds several operands or an operand is split.
  std::vector<Operand> operands;
  Dims dims;
  bool aliased = false; ///< V is columns of K's rows: there is no operand V
  std::set<std::string> partials; ///< names of buffers of partial outputs
  std::set<std::string> scores;   ///< names of buffers of role S
  std::vector<RedundantLoad> redundant;
  std::string note; ///< a tie that names broke
  /// The operands' addresses in one frame: that of a store of the output.
  std::string explanation;
};

/// Attribute of the subject: how a tie between Q and K was broken (a string).
inline constexpr llvm::StringLiteral roleNoteAttr("ioflor.role_note");

/// Analyses a subject; changes nothing.
Result analyseRoles(SubjectOp subject);

/// Writes role, extents and evidence on the buffers and dims on the subject.
void writeRoles(SubjectOp subject, const Result &result);

/// The role of a slow access: that of its buffer, or, where the buffer holds
/// several operands, its own (attribute `ioflor.role`).
Role roleOf(mlir::Operation *access);

/// The slow buffers of role S: scores or weights that go through slow memory.
llvm::SmallVector<BufferOp> materialisedScores(SubjectOp subject);

/// Seq, grid and host loops around a slow access that its address does not
/// depend on, outermost first: it is repeated in each.
llvm::SmallVector<LoopOp> invariantLoops(mlir::Operation *access);

} // namespace ioflor::roles

#endif // IOFLOR_PASSES_ROLES_ROLES_H
