//===- Check.h - Certificates, checked again --------------------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates again everything in a certificate that follows from something else
// in it, without Clang and MLIR: sums, floors (derived from sizes and
// disclosure by the floors' own library), obligations (built again, compared
// with their SMT-LIB text, decided again), witnesses, verdict. What a
// certificate alone cannot show, that the counts are those of the source, is
// not checked.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_CHECK_CHECK_H
#define IOFLOR_PASSES_CHECK_CHECK_H

#include "passes/check/Json.h"
#include <functional>
#include <map>

namespace ioflor::check {

struct Difference {
  std::string path;       ///< `[0].floors[2].num`
  std::string what;       ///< lower case
  bool malformed = false; ///< not the form of a certificate at all
};

struct Options {
  /// z3's resource units for each obligation.
  unsigned rlimit = 20'000'000;
  /// Decides a script: `unsat`, `sat`, anything else is no answer.
  /// Absent: no second solver.
  std::function<std::string(const std::string &smt2)> secondSolver;
  /// What z3 said of scripts before; shared by the certificates of one run.
  std::map<std::string, std::string> *answered = nullptr;
  /// Whether the digest must fit. Without it only what follows from something
  /// else is found.
  bool digest = true;
};

struct Summary {
  unsigned certificates = 0, obligations = 0, floors = 0, witnesses = 0;
  unsigned points = 0;       ///< sizes at which counts were evaluated
  unsigned secondSolver = 0; ///< obligations that it decided, too
};

/// Everything that is wrong with the certificates of one file.
std::vector<Difference>
checkCertificates(const Json &file, const Options &options, Summary &summary);

/// What the digest of a certificate is: SHA-256 in hexadecimal.
std::string digestOf(llvm::StringRef compactText);

} // namespace ioflor::check

#endif // IOFLOR_PASSES_CHECK_CHECK_H
