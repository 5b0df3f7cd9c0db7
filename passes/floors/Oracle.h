//===- Oracle.h - Is a claimed number of words possible? --------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A claim below a floor that applies is impossible for what was claimed to be
// computed: it must disclose an approximation, or it counts something else. A
// claim at or above all floors is not thereby true.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_FLOORS_ORACLE_H
#define IOFLOR_PASSES_FLOORS_ORACLE_H

#include "passes/floors/Families.h"
#include <optional>

namespace ioflor::floors {

/// Which floors may be compared with a number of words.
struct Setting {
  /// Standard matrix multiplication; otherwise any algorithm that computes
  /// every required score, fast matrix multiplication among them.
  bool standard = true;
  /// Loads only; otherwise loads and stores.
  bool loadsOnly = false;
  bool backward = false;
  /// A disclosed approximation: no pair is required, every input is read.
  bool approximate = false;
};

/// Every kind of floor in this setting, each against what it bounds by itself.
std::vector<Floor> floorsOf(const Work &w, const Expr &M, const Setting &s);

/// Every kind of floor that bounds this count, each with its hypotheses: those
/// of operands are completed by V's reads and O's stores.
std::vector<Floor> comparableFloors(const Work &w, const Expr &M,
                                    const Setting &s);

/// The strongest at concrete sizes, of the sum of the parts and of each part
/// for itself (sequences of a batch, whose floors add up).
NumericFloor strongestFloor(const std::vector<Work> &parts, const BigInt &M,
                            const Setting &s);

struct Claim {
  std::vector<Work> parts; ///< constants
  BigInt M;
  Rational words;
  Setting setting;
  /// Case I of the approximate regime (rank r): M >= d r.
  std::optional<BigInt> rank;
  /// As the seed certificates: only E d^2 / (2 M) for exact attention, only the
  /// input scan for approximate.
  bool seedCompat = false;
};

struct Ruling {
  bool flagged = false;
  /// The floor decided on; where the claim is flagged, it is below this.
  NumericFloor binding;
  std::string reason;
  /// What else a reader must know; full sentences.
  std::vector<std::string> notes;
  /// In the regime of Case I, where a rank was given.
  std::optional<bool> caseOne;
};

/// nullopt with the reason where no floor can be applied (seedCompat with
/// M < d^2).
std::optional<Ruling> rule(const Claim &claim, std::string *why = nullptr);

} // namespace ioflor::floors

#endif // IOFLOR_PASSES_FLOORS_ORACLE_H
