//===- ShapeReader.h - Reads the shapes of operands -------------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_ROLES_SHAPEREADER_H
#define IOFLOR_PASSES_ROLES_SHAPEREADER_H

#include "passes/roles/Dims.h"

namespace ioflor::roles {

/// Steps of a loop: `t < ceildiv(E, s)` counts s at a time.
Expr stepOf(const Expr &trips);

/// One operand while its address is read.
struct View {
  std::optional<Expr> addr;
  Cond guards;
  bool lossy = false, fragment = false;
  std::string problem; ///< why it cannot be read
  Linear linear;
  std::set<std::string> vars; ///< in the address, after splitting
};

class ShapeReader {
public:
  ShapeReader(const Program &program, const Frame &frame)
      : program(program), frame(frame), known(frame.known), fresh(known) {
    for (const auto &[name, loop] : program.loopOf)
      loopVars.insert(name);
    for (const std::string &name : frame.known.symbols())
      if (!program.known.range(name))
        loopVars.insert(name);
    SubjectOp subject = program.subject;
    for (auto symbol : subject.getBody().getOps<SymbolOp>())
      if (symbol.getData())
        dataSymbols.insert(symbol.getName().str());
  }

  /// `frames` are those of all stores of the output, this one's included:
  /// written-out iterations are accesses of their own.
  Shapes read(const std::vector<Frame> &frames);
  /// Fills the shapes that fragments or lost staging left open, from the
  /// accesses' own addresses.
  static void readTiles(const Program &program, const Frame &frame,
                        Shapes &shapes);

private:
  const Program &program;
  const Frame &frame;
  Assumptions known;
  Fresh fresh;
  std::set<std::string> loopVars;
  /// Symbols whose value memory decides: tables of pages, lengths.
  std::set<std::string> dataSymbols;
  /// Digits and the variable that they are digits of.
  std::map<std::string, std::string> parent;
  /// By quotient: its remainder, and the largest value of the dividend.
  struct DigitPair {
    std::string remainder;
    Expr divisor;
    std::optional<Expr> top;
  };
  std::map<std::string, DigitPair> pairs;
  /// Variables that stand for what is not linear: a window's lower end.
  std::map<std::string, Expr> opaque;
  View q, k, v, o;

  View pick(const std::vector<Reach> &from, const std::set<std::string> &near);
  // Unroll.cpp
  void addUnrolled(View &view, const std::vector<Expr> &siblings);
  std::vector<Expr> siblings(char operand, const std::vector<Frame> &frames);
  std::optional<Expr> topWhereStored(const Expr &e) const;
  void split();
  void hideNonlinear();
  bool linearise(View &view);
  bool isDigitOf(std::string digit, const std::string &whole) const {
    for (auto it = parent.find(digit); it != parent.end();
         it = parent.find(digit))
      if ((digit = it->second) == whole)
        return true;
    return false;
  }
  /// Does the view depend on var, on a digit of it, or on what it is a digit
  /// of? Two digits of one variable are independent.
  bool related(const std::string &var, const View &view) const {
    return llvm::any_of(view.vars, [&](const std::string &other) {
      return other == var || isDigitOf(other, var) || isDigitOf(var, other);
    });
  }
  Axis axisInOutput(const std::string &var) const;
  Axis axis(const std::string &var, char operand) const;
  bool isInnerHead(const std::string &var, const Part &rows,
                   const std::vector<Part> &instances, const View &view) const;
  Part *groupsOf(const std::string &var, const Part &rows,
                 std::vector<Part> &instances, const View &view) const;
  void splitHeads(Part &row, std::vector<Part> &instances, const View &view);
  void joinInstances(std::vector<Part> &instances, const View &view);
  bool isOwnLane(const std::string &var) const;
  Shape shape(const View &view, char operand);
  void match(Shape &a, Shape &b, Axis axis, llvm::StringRef what) const;
  void unitStride(Part &part, const Linear &linear);
  std::optional<Expr> boundBy(const Expr &end, const std::vector<Expr> &facts,
                              unsigned depth) const;
  void findTouched(Part &part, const View &view);

  // Tiles.cpp
  View rawView(unsigned access);
  Shape tileShape(const View &view, char operand);
  bool isTileLoop(const std::string &var, const View &view, Expr &stride,
                  Expr &size) const;
  std::optional<Expr> contiguous(const Linear &linear) const;
};

} // namespace ioflor::roles

#endif // IOFLOR_PASSES_ROLES_SHAPEREADER_H
