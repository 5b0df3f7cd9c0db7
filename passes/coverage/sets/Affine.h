//===- Affine.h - Expressions as affine functions of instances ----*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes Exprs and Conds in isl's notation. What no dimension of an instance
// changes (symbols, and within one CTA its grid variables) is a parameter, and
// so is a product or quotient of such things that is not affine: it gets a
// parameter of its own, of which only what the assumptions say is known. What
// is proved for every value of it then holds for the true one.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_COVERAGE_SETS_AFFINE_H
#define IOFLOR_PASSES_COVERAGE_SETS_AFFINE_H

#include "dialect/expr/Cond.h"
#include <map>
#include <set>
#include <string>

namespace ioflor::sets {

/// The parameters of one subject.
class Parameters {
public:
  /// The spelling of a symbol that isl's parser takes as a name.
  std::string name(llvm::StringRef symbol);
  /// A parameter for an expression that is not affine in the symbols.
  std::string opaque(const Expr &e);
  const std::map<Expr, std::string> &opaques() const { return opaqueNames; }
  /// Every parameter that was named so far.
  const std::set<std::string> &all() const { return names; }
  /// Symbols whose value memory decides: they are no parameters.
  std::set<std::string> data;
  /// `[n, heads] -> ` over all parameters so far.
  std::string prefix() const;

private:
  std::set<std::string> names;
  std::map<Expr, std::string> opaqueNames;
};

class Affine {
public:
  /// `dims`: the loop variables that are dimensions.
  Affine(Parameters &params, std::set<std::string> dims)
      : params(params), dims(std::move(dims)) {}
  /// nullopt if e is not affine in the dimensions.
  std::optional<std::string> expr(const Expr &e);
  /// Conditions that cannot be written are taken as true, which sets
  /// `approximate` and `why`.
  std::string cond(const Cond &c);
  /// True if e holds none of the dimensions.
  bool isParameter(const Expr &e) const { return !e.dependsOnAny(dims); }

  bool approximate = false;
  std::string why;

private:
  Parameters &params;
  std::set<std::string> dims;
  std::optional<std::string> atom(const Expr &e);
  bool hasData(const Expr &e) const { return e.dependsOnAny(params.data); }
};

/// A dimension's or parameter's spelling: itself, or with `v_` before a word of
/// isl's notation.
std::string spell(llvm::StringRef name);

} // namespace ioflor::sets

#endif // IOFLOR_PASSES_COVERAGE_SETS_AFFINE_H
