//===- Context.h - What the stages of a subject share -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PLUGIN_CLANG_IR_CONTEXT_H
#define IOFLOR_PLUGIN_CLANG_IR_CONTEXT_H

#include "plugin/clang/ir/IRReader.h"

namespace ioflor::ir {

/// A symbol that reading has brought in.
struct NewSymbol {
  std::string name;
  std::optional<Expr> lo, hi;
  std::string data; ///< the reason; empty: a launch parameter
  std::string display;
  mlir::Location loc;
};

/// A slow buffer of the subject, or a fast one of a stage.
struct BufferInfo {
  std::string name;
  Space space;
  /// Bytes of an element; 0 until the accesses have been seen.
  unsigned elementBytes = 0;
  std::optional<Expr> bytes; ///< size where it is known
  std::string display;
  /// The element size is the smallest access seen, not given.
  bool guessed = false;
  /// Every access seen was of an integer.
  bool packed = true;
};

/// Identifiers, symbols and assumptions of one subject.
class Context {
public:
  Context(const frontend::SubjectSpec &spec, const ReaderOptions &options,
          mlir::MLIRContext *mlir);

  const frontend::SubjectSpec &spec;
  const ReaderOptions &options;
  mlir::MLIRContext *mlir;

  /// What holds for every symbol and loop variable so far. Loop variables are
  /// only declared non-negative: a header may also run with t == trips.
  Assumptions known;
  std::vector<NewSymbol> symbols;
  std::vector<frontend::AssumptionSpec> assumptions;

  /// An identifier that is not in use, `base` itself if possible.
  std::string fresh(llvm::StringRef base);
  static std::string identifier(llvm::StringRef text);

  /// A new symbol whose value memory decides.
  Expr data(llvm::StringRef base, llvm::StringRef reason, mlir::Location loc,
            std::optional<Expr> lo = {}, std::optional<Expr> hi = {});
  /// A new symbol that the launch decides; one for each name.
  Expr parameter(llvm::StringRef base, std::optional<Expr> lo,
                 std::optional<Expr> hi, llvm::StringRef display,
                 mlir::Location loc);
  void assume(const Cond &c, llvm::StringRef source);

  bool isData(const Expr &e) const { return e.dependsOnAny(dataNames); }
  bool isData(const Cond &c) const;
  /// The reason of some data symbol in e.
  std::string dataReason(const std::set<std::string> &symbols) const;

private:
  std::set<std::string> used, dataNames;
  std::map<std::string, std::string> reasons;
  std::map<std::string, std::string> parameters;
};

/// 1 where c holds, 0 elsewhere, as an exact expression; nullopt if c has an
/// unknown.
std::optional<Expr> indicator(const Cond &c);

/// A comparison of an indicator is what it indicates: `8*[z >= 1] - 3 >= 0` is
/// `z >= 1`. Others are returned as they are.
Cond decoded(const Cond &c, const Assumptions &known);

/// The z of an indicator [z >= 1], written min(1, max(0, z)), or min(1, z)
/// where z >= 0 is known.
std::optional<Expr> indicated(const Expr &atom, const Assumptions &known);

/// Disjunction that merges `a and c` with `a and not c`.
Cond anyOf(llvm::ArrayRef<Cond> conds);

} // namespace ioflor::ir

#endif // IOFLOR_PLUGIN_CLANG_IR_CONTEXT_H
