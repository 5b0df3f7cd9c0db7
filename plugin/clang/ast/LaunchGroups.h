//===- LaunchGroups.h - Launches that are one subject -----------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Launches of one host function form one subject where data flows between them
// through buffers: scores, softmax and product in three kernels; an attention
// kernel with the one that sets its accumulators, or with the one that combines
// its partial results. Projections before and after do not belong to it, and
// attention kernels that run one after the other are a subject each.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PLUGIN_CLANG_AST_LAUNCHGROUPS_H
#define IOFLOR_PLUGIN_CLANG_AST_LAUNCHGROUPS_H

#include "plugin/clang/ast/BufferUse.h"
#include "plugin/clang/ast/HostEval.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <set>
#include <vector>

namespace ioflor::frontend {

/// Positions in the list of launches, ascending; `main` is the stage that
/// stands for the whole.
struct LaunchGroup {
  std::vector<size_t> stages;
  size_t main = 0;
};

class LaunchFlow {
public:
  LaunchFlow(llvm::ArrayRef<Launch> launches, BufferUse &use);

  /// The attention kernel at `main` with its initialisers and the kernel that
  /// combines its partial results, if there are such.
  LaunchGroup around(size_t main) const;
  /// Groups of launches that are attention only together: from the kernels that
  /// feed one with exponentials to those that contract what it leaves.
  std::vector<LaunchGroup> pipelines(
      llvm::function_ref<Weight(const clang::FunctionDecl *)> weigh) const;
  /// What else writes the group's buffers so that its stages are not all that
  /// decides what they hold: between two stages, or over what the last one
  /// wrote before anything has read it. The name of the buffer goes to `name`.
  std::vector<std::pair<std::string, clang::SourceLocation>>
  disturbances(const LaunchGroup &group, llvm::ArrayRef<HostTouch> touches,
               llvm::function_ref<std::string(unsigned)> name) const;

  /// What the host has filled a buffer of the group with before its first
  /// stage that touches it; null if that is not known.
  const HostTouch *initial(unsigned buffer, const LaunchGroup &group,
                           llvm::ArrayRef<HostTouch> touches) const;

private:
  /// A buffer and the offset into it, as text.
  using Place = std::pair<unsigned, std::string>;
  struct Node {
    std::set<Place> reads;
    std::set<unsigned> readBuffers, writes;
    /// Read and not written, and no integers such as lengths or block tables.
    std::set<Place> inputs;
  };
  void add(const Value &value, clang::QualType type, Access access, Node &node);
  /// A write by what is no stage of a group.
  struct Outside {
    size_t after;   ///< launches before it
    size_t touches; ///< calls in the list of touches before it
    std::string what;
    clang::SourceLocation loc;
    bool overwrites; ///< with values that come from nowhere in the buffer
  };
  std::vector<Outside> outsideWrites(unsigned buffer, const LaunchGroup &group,
                                     llvm::ArrayRef<HostTouch> touches) const;
  bool readBetween(unsigned buffer, size_t from, const Outside &to,
                   llvm::ArrayRef<HostTouch> touches) const;
  bool exclusive(size_t a, size_t b) const;
  std::optional<size_t> lastWriter(unsigned buffer, size_t before,
                                   size_t reader) const;
  bool initialises(size_t candidate) const;
  bool combines(size_t candidate, size_t main) const;

  llvm::ArrayRef<Launch> launches;
  std::vector<Node> nodes;
};

} // namespace ioflor::frontend

#endif // IOFLOR_PLUGIN_CLANG_AST_LAUNCHGROUPS_H
