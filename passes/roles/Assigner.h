//===- Assigner.h - Steps of the assignment of roles ------------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_ROLES_ASSIGNER_H
#define IOFLOR_PASSES_ROLES_ASSIGNER_H

#include "passes/roles/Assign.h"

namespace ioflor::roles {

/// weight = exp(sum x * y), output = sum of weight * v: one way to read it.
struct Triple {
  Id x, y, v;
  bool operator<(const Triple &o) const {
    return std::tie(x, y, v) < std::tie(o.x, o.y, o.v);
  }
};

class Assigner {
public:
  Assigner(const Program &program) : program(program) {}
  Assignment run();

private:
  const Program &program;
  Assignment out;
  Flow &flow() { return *out.flow; }

  /// What stopped the reading of triples; empty if nothing.
  std::string trouble;
  /// Buffers whose loads have to be told apart.
  std::set<unsigned> mixed;

  void analyse(const std::set<unsigned> &perLoad, bool straight = false);
  std::vector<Fact> withoutInner(const std::vector<Fact> &all);
  std::set<Triple> readTriples();
  void dropMasks(std::vector<Id> &values, Id x, Id y, const Access &store);
  std::optional<Id> principal(Id set, Id other);
  std::set<unsigned> storedWith(FactKind kind);
  void dropUpstream(std::set<Triple> &triples);
  bool colour(const std::set<Triple> &triples);
  void orient();
  int preferFirst(const Frame &frame);
  int preferByName();
  void classifyBuffers();
  bool resolve(std::set<Triple> &triples);
  unsigned bufferOf(Id source) { return flow().sources[source].buffer; }
  bool storesGradient();
  bool suspicious();
  bool declared();
  void giveUp(const std::string &reason, mlir::Operation *at = nullptr) {
    out.outcome = Assignment::Inconclusive;
    out.reason = reason;
    out.at = at;
  }
};

} // namespace ioflor::roles

#endif // IOFLOR_PASSES_ROLES_ASSIGNER_H
