//===- Floor.h - One lower bound --------------------------------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_FLOORS_FLOOR_H
#define IOFLOR_PASSES_FLOORS_FLOOR_H

#include "passes/floors/Exact.h"
#include "passes/floors/Pairs.h"
#include <string>
#include <vector>

namespace ioflor::floors {

/// A lower bound of sqrt(rootNum / rootDen) + num / den words, where every
/// hypothesis holds. The dialect's expressions are the definition; a number is
/// the same definition at constants or at a valuation.
struct Floor {
  std::string kind; ///< saha-ye, scan-q, scan-k, scan-v, scan-o, scan, ...
  std::string
      against; ///< what it bounds: qk, q, k, v, o, loads, total, network
  Expr num, den;
  std::vector<Cond> hypotheses; ///< over the symbols and M
  std::string source;
  Expr rootNum = 0, rootDen = 1;
  /// Where one kind has several forms: `B`, `C`, `C below its threshold`, ...
  std::string regime = "";

  bool isRational() const { return rootNum.isZero(); }
};

/// Adds hypotheses; those that always hold are left out.
void assume(Floor &f, const std::vector<Cond> &hypotheses);

/// num / den (and the root's) without a common integer factor.
void reduce(Expr &num, Expr &den);

/// The value; nullopt where a symbol is missing.
std::optional<Surd> valueOf(const Floor &f, const Valuation &at = {},
                            ExprError *error = nullptr);
/// True if every hypothesis holds at the valuation.
bool applies(const Floor &f, const Valuation &at = {});

/// A floor at concrete sizes.
struct NumericFloor {
  std::string kind;
  BigInt words; ///< rounded up
  std::string regime = "";
  std::string against;
  Surd exact;
  std::string source;
};
NumericFloor numericOf(const Floor &f, const Surd &value);

/// Those of `floors` that apply, at their values.
std::vector<NumericFloor> numericFloors(const std::vector<Floor> &floors,
                                        const Valuation &at = {});
/// The largest; nullptr for none. Of equal ones the first.
const NumericFloor *largest(const std::vector<NumericFloor> &floors);

} // namespace ioflor::floors

#endif // IOFLOR_PASSES_FLOORS_FLOOR_H
