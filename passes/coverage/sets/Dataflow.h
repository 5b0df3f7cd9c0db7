//===- Dataflow.h - What every instance of a value is made of -----*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exact, for every value of the parameters: a value is a sum of terms (words of
// operands, products, exponentials), each an instance of a statement. Terms go
// through memory by the last write before each read. A cell that is updated in
// place over and over holds the terms of all updates since it was last
// overwritten; copies of one register to another and back count as one cell,
// once it is shown that no copy is ever out of date when it is used.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_COVERAGE_SETS_DATAFLOW_H
#define IOFLOR_PASSES_COVERAGE_SETS_DATAFLOW_H

#include "passes/coverage/sets/Kinds.h"
#include "passes/coverage/sets/Model.h"

namespace ioflor::sets {

/// What a term is; see Terms.
enum class TermKind : uint8_t {
  Word,      ///< a load of an operand; its entry stands for the instance
  Product,   ///< of two operands' words (a score's), or a weight's and V's
  Exp,       ///< an exponential of a score
  Constant,  ///< a compute constant
  Divisor,   ///< a division: its second operand divides what it is a term of
  Factor,    ///< a multiplication by something that holds an inverse
  Unwritten, ///< a load that reads a word never written
  Opaque     ///< what could not be followed
};

/// { instance -> instance of each term }, by the term's statement.
struct Terms {
  std::map<unsigned, Map> of;
  /// What kind each is.
  std::map<unsigned, TermKind> kinds;
  /// Terms that some instance holds more than once.
  std::map<unsigned, Set> twice;
};

/// A constant whose value the skeleton does not tell.
bool isUnread(ComputeOp op);
/// A number that no score reaches: infinity, or large.
bool isPlusInfinity(ComputeOp op);

/// `x += shuffle(x, o)` for several powers of two o, each once: a sum over the
/// lanes of a warp.
struct Reduction {
  enum Mode : uint8_t { None, Xor, Down, Up } mode = None;
  mlir::Value base; ///< what each lane brings
  int64_t width = 0;
  int64_t distance = 0; ///< the smallest o
  int64_t span = 0;     ///< twice the largest o
};
std::optional<Reduction> reductionOf(mlir::Value v);

class Dataflow {
public:
  Dataflow(Model &model, const Kinds &kinds) : model(model), kinds(kinds) {}

  /// The terms of kind `want` of every instance of the statement that makes v.
  const Terms &value(mlir::Value v, unsigned want);
  /// The terms that a store writes; its instances.
  const Terms &stored(unsigned store, unsigned want);
  /// The terms that instances of `use` get through their operand v.
  Terms operand(unsigned use, mlir::Value v, unsigned want);
  /// { from -> term } of { from -> mid } and the terms of mid.
  Terms through(const Map &first, const Terms &terms);
  void add(Terms &into, const Terms &from);

  /// Last writers of what `sinks` read (instances to cells of `buffer`), after
  /// everything where they have no time of their own.
  std::vector<Map> writers(BufferOp buffer, const std::vector<Map> &sinks,
                           const std::vector<Map> &times, std::string &why);
  /// Why a statement's terms are Opaque.
  std::string reason(unsigned statement) const;

private:
  Model &model;
  const Kinds &kinds;
  using Key = std::pair<void *, unsigned>;
  std::map<Key, Terms> values, stores, loads, vias;
  std::set<Key> active;
  std::map<unsigned, std::string> reasons;
  std::map<mlir::Operation *, std::vector<Map>> writersOf;
  std::map<mlir::Operation *, std::string> writersProblem;

  struct Item {
    enum What { Term, Load, Via } what; ///< Via: see via()
    TermKind kind;
    unsigned statement;
  };
  std::map<Key, std::vector<Item>> itemsOf;
  const std::vector<Item> &items(mlir::Value v, unsigned want);
  void decompose(mlir::Value v, unsigned want, std::vector<Item> &out);
  void product(ComputeOp op, unsigned want, std::vector<Item> &out);
  bool isHarmless(mlir::Value v);
  // Vanish.cpp
  /// As a factor: may v be 0? As an addend: minus infinity? Subtracted: plus
  /// infinity?
  enum class Mask : uint8_t { Factor, Addend, Subtrahend };
  bool mayMask(mlir::Value v, Mask as);
  bool mayMask(mlir::Value v, Mask as, std::set<std::pair<void *, Mask>> &seen);
  bool isParameterName(llvm::StringRef text) const;
  mlir::Value keptBySelect(ComputeOp op);
  void opaque(mlir::Operation *op, std::vector<Item> &out, llvm::StringRef why);
  Terms single(unsigned from, unsigned to, TermKind kind);
  void add(Terms &into, unsigned term, TermKind kind, const Map &m);
  bool isOrdered(const Map &m, const Statement &reader,
                 const Statement &writer);
  const Terms &loaded(unsigned load, unsigned want);
  const std::vector<Map> &writersFor(BufferOp buffer, std::string &why);
  // Via.cpp
  /// The terms of a value that comes from another lane or out of a vector.
  const Terms &via(unsigned id, unsigned want);
  Map partner(unsigned shuffle, std::string &why);
  Map summed(unsigned id, const Reduction &r);

  // Accumulators.cpp
  struct Group {
    std::set<mlir::Operation *> buffers;
    std::string problem;
    /// { store -> store }: the stores since the last overwriting one, itself
    /// included.
    std::map<unsigned, std::vector<Map>> since;
    /// Stores that update before any overwriting one.
    std::map<unsigned, Set> unstarted;
  };
  std::map<unsigned, std::map<mlir::Operation *, int>> groupOf; ///< by want
  std::map<unsigned, std::vector<Group>> groups;
  void findGroups(unsigned want);
  Group *groupOfStore(unsigned store, unsigned want);
  void solve(Group &group, unsigned want);
  bool label(const Group &group, unsigned want, std::map<unsigned, Map> &labels,
             std::string &why);
  std::vector<const Item *> ownLoads(const Group &group, unsigned store,
                                     unsigned want);
};

} // namespace ioflor::sets

#endif // IOFLOR_PASSES_COVERAGE_SETS_DATAFLOW_H
