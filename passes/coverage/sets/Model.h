//===- Model.h - A subject as integer sets ------------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every operation of a skeleton as a statement whose instances are the points
// of a parametric set: the values of the loops around it, and the element of a
// vector access. Instances are ordered as the threads of a CTA run in lock
// step: by the sequential loops and the program text, then by thread.
//
// A subject with one stage is looked at one CTA at a time: its grid variables
// are parameters. With several stages they are dimensions.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_COVERAGE_SETS_MODEL_H
#define IOFLOR_PASSES_COVERAGE_SETS_MODEL_H

#include "dialect/ir/Ioflor.h"
#include "passes/coverage/sets/Affine.h"
#include "passes/coverage/sets/Isl.h"
#include "llvm/ADT/DenseMap.h"

namespace ioflor::sets {

/// A load, store or compute.
struct Statement {
  mlir::Operation *op = nullptr;
  std::string name;                 ///< of its tuple
  std::vector<std::string> dims;    ///< loop variables, outermost first
  std::vector<std::string> threads; ///< those of them that are threads
  std::vector<std::string> outer;   ///< those of them that are grid or host
  int64_t width = 1; ///< above 1, a last dimension `lane` counts elements
  /// Bytes of an element of what a load or an insertion makes; 0: not known.
  int64_t elementBytes = 0;
  BufferOp buffer;             ///< of an access
  std::optional<Expr> address; ///< of an access, with the lane
  Set domain;
  Map time; ///< instance -> time
  /// The domain is an over-estimate, and why.
  bool approximate = false;
  std::string why;

  /// `S4[tx, t1]`.
  std::string tuple() const;
  std::string bufferName() const {
    BufferOp b = buffer;
    return b.getSymName().str();
  }
};

/// The part that a compute takes out of a value (`extract`) or puts into one
/// (`insert`): its bytes, and where they start. Two numbers of 0 where the
/// detail does not say.
struct Part {
  bool insert = false;
  int64_t bytes = 0, offset = 0;
};
std::optional<Part> partOf(ComputeOp op);

/// A role's buffer in its own coordinates.
struct Shape {
  BufferOp buffer;
  std::vector<std::string> dimensions; ///< `batch`, `heads`, `rows`, `columns`
  std::vector<Expr> sizes, strides;
  std::string problem; ///< why it has none
};

class Model {
public:
  Model(SubjectOp subject, uint64_t maxOperations);

  SubjectOp subject;
  Context isl;
  Parameters params;
  Assumptions known;
  bool gridIsDimension = false;
  std::vector<Statement> statements;
  /// What is true of the parameters.
  Set context;
  /// Grid variables with the conditions 0 <= var < trips, as one set of
  /// parameters or part of the domains.
  std::vector<LoopOp> grids;
  /// Set where the subject cannot be modelled at all.
  std::optional<std::pair<mlir::Operation *, std::string>> problem;

  bool isLoopVariable(llvm::StringRef name) const {
    return loopVariables.count(name.str()) > 0;
  }
  unsigned idOf(mlir::Operation *op) const { return ids.lookup(op); }
  const Statement &of(mlir::Operation *op) const {
    return statements[ids.lookup(op)];
  }
  const Statement &named(const std::string &tuple) const;
  /// Statements that touch a buffer, loads and stores.
  std::vector<unsigned> loadsOf(BufferOp b) const;
  std::vector<unsigned> storesOf(BufferOp b) const;

  /// { instance -> cell } of an access to a buffer that is no operand: equal
  /// cells are equal words. Null with `why` if its addresses cannot be written.
  Map cell(unsigned access, std::string &why);
  /// The coordinates (as of `cell`) of the words that a buffer has by itself,
  /// in slow memory and no operand; null with `why` where they have none.
  Set cellsInside(BufferOp buffer, std::string &why);
  /// { instance -> (coordinates) } of an access to an operand, in the order of
  /// its shape; null with `why` where it cannot be told or can be out of
  /// bounds.
  Map coordinates(unsigned access, std::string &why);
  const Shape &shape(BufferOp buffer);
  /// Within each launch every word of a buffer is written by one CTA at most.
  bool ownedByOneCta(BufferOp buffer, std::string &why);
  /// { [grid variables] -> cell } of a store, given what its instances write.
  Map owners(unsigned store, const Map &cells, std::string &why);

  /// { from instance -> to instance } where `to` stands in a region around
  /// `from`, or in the same one.
  Map upwards(unsigned from, unsigned to);
  /// Reads a set or map over the parameters, in the context.
  Set set(const std::string &text) const;
  Map map(const std::string &text) const;

private:
  llvm::DenseMap<mlir::Operation *, unsigned> ids;
  std::map<std::string, unsigned> byName;
  std::set<std::string> loopVariables;
  std::map<mlir::Operation *, Shape> shapes;
  std::map<unsigned, Map> coordinateCache;
  struct Cells {
    bool ready = false;
    std::string why;
    std::vector<Expr> strides; ///< from 1 up
  };
  std::map<mlir::Operation *, Cells> cellStrides;
  std::map<mlir::Operation *, std::string> ownership; ///< why not, or empty
  unsigned timeDims = 0, threadDims = 0;

  void collect();
  void addContext();
  void findDomain(Statement &s);
  std::string timeOf(const Statement &s, unsigned seqs) const;
  /// The coordinates of an address by strides, largest first; nullopt if some
  /// term fits none.
  std::optional<std::vector<std::string>>
  split(const Statement &s, const std::vector<Expr> &strides);
  void findStrides(BufferOp buffer, Cells &cells);
  bool areUnique(BufferOp buffer, const Cells &cells, std::string &why);
  std::string cellTuple(const Statement &s,
                        const std::vector<std::string> &coords) const;
};

/// 0 <= address < words by the ranges of the loops around an access.
bool isInside(const Model &model, const Statement &s, const Expr &words);

} // namespace ioflor::sets

#endif // IOFLOR_PASSES_COVERAGE_SETS_MODEL_H
