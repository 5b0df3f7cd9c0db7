//===- Assign.h - Which operand is which ------------------------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From facts to roles: is this attention, and which sources are Q, K and V,
// which buffers O, S and partial results.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_ROLES_ASSIGN_H
#define IOFLOR_PASSES_ROLES_ASSIGN_H

#include "passes/roles/Trace.h"

namespace ioflor::roles {

struct Assignment {
  enum Outcome { NotAttention, Inconclusive, Attention } outcome = NotAttention;
  std::string reason;            ///< for Inconclusive, a lower-case phrase
  mlir::Operation *at = nullptr; ///< the construct, may be null
  std::unique_ptr<Flow> flow;
  /// x holds Q, y K; sources of `flow`.
  AttentionPattern pattern;
  std::set<unsigned> outputs;  ///< buffers that are O
  std::set<unsigned> partials; ///< partial outputs of a split
  std::set<unsigned> scores;   ///< materialised scores or weights
  /// One for each store of an output.
  std::vector<Frame> frames;
  /// Set where names decided what data flow left open.
  std::string tieBreak;
};

/// May narrow the program's `writers`.
Assignment assignRoles(Program &program);

/// Loop variables (the frame's fresh ones included) that e depends on.
std::set<std::string> loopVarsOf(const Frame &frame, const Program &program,
                                 const Expr &e);

} // namespace ioflor::roles

#endif // IOFLOR_PASSES_ROLES_ASSIGN_H
