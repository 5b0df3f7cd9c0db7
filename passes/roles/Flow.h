//===- Flow.h - What a value is made of -------------------------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Abstract interpretation of a subject's data flow. A value is a set of facts:
// "holds words of K", "sums products of Q and K", "is exp of such a sum", ...
// Scaling, rescaling, masking, conversion and movement keep facts; products,
// sums and exp make new ones. The fixpoint takes every store of a cell to
// reach every load of it, so a fact that holds in an execution is never
// missing; facts that hold in none may be present, and roles that they make
// ambiguous are reported, not guessed.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_ROLES_FLOW_H
#define IOFLOR_PASSES_ROLES_FLOW_H

#include "passes/roles/Program.h"
#include "llvm/ADT/DenseSet.h"

namespace ioflor::roles {

using Id = unsigned;

/// Interned sets of sources (small, sorted).
class SourceSets {
public:
  static constexpr size_t maxSources = 6;
  Id of(std::vector<Id> sources);
  /// The union; nullopt above maxSources.
  std::optional<Id> join(Id a, Id b);
  llvm::ArrayRef<Id> members(Id set) const { return sets[set]; }

private:
  std::vector<std::vector<Id>> sets;
  std::map<std::vector<Id>, Id> ids;
};

enum class FactKind : uint8_t {
  Raw,      ///< words of slow buffers, multiplied element by element (a)
  Prod,     ///< one product of words of a and of b
  Dot,      ///< a sum of such products
  Weight,   ///< exp of a Dot of a and b, or a sum or quotient of weights
  Stat,     ///< a sum of weights: the softmax denominator
  ExpRaw,   ///< exp of words
  Product,  ///< weight (of a and b) times words of c, one product
  Weighted, ///< a sum of those: the attention output
  Grad,     ///< weight (of a and b) times another Dot (c)
  Back,     ///< a Grad times words of a or b: a gradient of a backward pass
};

/// a, b, c are source sets; unused ones are 0, the empty set.
struct Fact {
  FactKind kind;
  Id a = 0, b = 0, c = 0;
  bool operator<(const Fact &o) const {
    return std::tie(kind, a, b, c) < std::tie(o.kind, o.a, o.b, o.c);
  }
};

/// Does op move words between lanes as a warp reduction does (not as matrix
/// fragments are filled)?
bool isLaneExchange(ComputeOp op);

/// Sorted ids of facts.
using Facts = std::vector<Id>;

class Flow {
public:
  /// Buffers in `perLoad` get one source a load operation instead of one in
  /// all: to tell apart operands that share a buffer. `straight`: any addition
  /// of two products is a sum, not only one that a loop or a warp repeats.
  Flow(const Program &program, const std::set<unsigned> &perLoad,
       bool straight);

  const Program &program;
  SourceSets sets;

  struct Source {
    unsigned buffer = 0;
    std::optional<unsigned> access; ///< set where sources are loads
  };
  std::vector<Source> sources;

  const Fact &fact(Id id) const { return facts[id]; }
  const Facts &of(mlir::Value v) const;
  /// All that is stored to a cell.
  Facts ofCell(unsigned cell) const;
  bool has(mlir::Value v, FactKind kind) const;
  /// Was a sum of weights of these two source sets (in any order) ever made?
  bool isNormalised(Id a, Id b) const;
  /// The source of a slow load; nullopt for a fast one.
  std::optional<Id> sourceOf(unsigned access) const;

  /// Why facts were given up, if they were: too many sources or facts.
  std::optional<std::string> overflow;
  bool sawExp = false;

private:
  std::vector<Fact> facts;
  std::map<Fact, Id> factIds;
  llvm::DenseMap<mlir::Value, Facts> values;
  /// Additions that feed back into themselves or across lanes.
  llvm::DenseSet<mlir::Operation *> reductions;
  llvm::DenseMap<unsigned, Id> sourceIds; ///< by access

  bool straight;

  Id intern(Fact f);
  /// Values that depend on slow memory. A factor that does not only scales;
  /// one that does but has no facts (yet) makes no facts.
  llvm::DenseSet<mlir::Value> loaded;
  void findReductions();
  void findLoaded();
  void number(const std::set<unsigned> &perLoad);
  bool step();
  bool setTo(Facts &into, const Facts &from);
  Facts compute(ComputeOp op);
  Facts multiply(const Facts &x, const Facts &y);
  /// Products by their factors: unrolled code asks for the same ones often.
  std::map<std::pair<Facts, Facts>, Facts> products;
  /// The product of two operands of an op.
  Facts multiply(mlir::Value x, mlir::Value y);
  Facts sum(const Facts &x, const Facts &y, bool addition, bool reduction);
  Facts exponential(const Facts &x);
  /// What summing products over a fragment's inner dimension makes of them.
  Facts reduce(const Facts &x);
  void push(Facts &out, FactKind kind, std::optional<Id> a,
            std::optional<Id> b = 0, std::optional<Id> c = 0);
  static Facts unite(const Facts &x, const Facts &y);
};

} // namespace ioflor::roles

#endif // IOFLOR_PASSES_ROLES_FLOW_H
