//===- Model.h - A certificate as it was read --------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_CHECK_MODEL_H
#define IOFLOR_PASSES_CHECK_MODEL_H

#include "dialect/expr/Cond.h"
#include "dialect/expr/Words.h"
#include "passes/check/Check.h"
#include "passes/floors/Floors.h"
#include "llvm/ADT/Twine.h"
#include <map>
#include <set>

namespace ioflor::check {

using Words = WordRange;

struct Symbol {
  std::string name;
  std::optional<Expr> lo, hi;
  bool fromData = false;
};

struct Direction {
  Words issued, traffic, compulsory;
};

struct Buffer {
  std::string path, name, role;
  std::set<std::string> roles; ///< of its accesses and its own
  std::vector<Expr> extents;
  BigInt elementBytes;
  Direction loads, stores;
  bool exact = false;
};

struct FloorRow {
  std::string path, kind, against, source;
  Expr num, den;
  std::vector<Cond> hypotheses;
  bool decides = false;
};

using Witness = std::map<std::string, BigInt>;

struct ObligationRow {
  std::string path, name, result, solver, note, smt2;
  std::optional<Witness> witness;
};

struct FindingRow {
  std::string path, id, severity, message;
  std::optional<Witness> witness;
};

/// A fault that an execution at some sizes showed.
struct ExecutedFault {
  std::string path, id, fault;
  Witness sizes;
};

/// What is said of one operand (q, k, v, o) or of the pairs.
struct CoverageRow {
  std::string path, what, state, method;
  std::optional<std::string> mask; ///< of the pairs
  std::optional<Expr> w, pairs;    ///< of the pairs: of a window; of one head
  std::vector<ExecutedFault> faults;
};

struct Certificate {
  std::string path; ///< `[0]`
  const Json *json = nullptr;
  std::vector<Symbol> symbols;
  /// Of the subject, without the standing ones.
  std::vector<Cond> assumptions;
  bool hasDims = false;
  std::map<std::string, Expr> dims;
  std::vector<Buffer> buffers;
  Words loads, stores, total;
  std::optional<Expr> footprintLo, footprintHi, pairs;
  std::vector<FloorRow> floors;
  /// Absent: nothing is disclosed.
  std::optional<std::string> disclosure;
  std::optional<Expr> width; ///< of a disclosed window
  std::optional<Expr> claim; ///< IOFLOR_CLAIM_WORDS
  std::string fastWords;     ///< the name of M
  std::optional<Expr> givenM;
  BigInt elementBytes;
  std::string verdict, reason;
  std::vector<FindingRow> findings;
  std::vector<CoverageRow> coverage;
  std::vector<ObligationRow> obligations;

  const Symbol *symbol(llvm::StringRef name) const;
  /// Ranges and assumptions, as the prover was given them: M at least 1.
  Assumptions known(bool withFastWords) const;
};

/// Where differences go.
class Report {
public:
  explicit Report(std::vector<Difference> &out) : out(out) {}
  void differ(const llvm::Twine &path, const llvm::Twine &what) {
    out.push_back({path.str(), what.str(), false});
  }
  void malformed(const llvm::Twine &path, const llvm::Twine &what) {
    out.push_back({path.str(), what.str(), true});
    ++forms;
  }
  unsigned malformedCount() const { return forms; }

private:
  std::vector<Difference> &out;
  unsigned forms = 0;
};

/// Reads one certificate; nullopt where its form is not one, after reporting.
std::optional<Certificate>
readCertificate(const Json &json, const std::string &path, Report &report);

/// Sizes that the assumptions admit, small and large, always the same.
std::vector<Valuation> samplePoints(const Certificate &c);

/// The words that a floor against `what` bounds.
Words wordsAgainst(const Certificate &c, llvm::StringRef what);

/// What the sizes and the disclosure say, for the floors' library; nullopt
/// where there are no sizes or the disclosure is not one that is known.
struct ProblemOf {
  floors::AttentionDims dims;
  floors::Mask mask;
};
std::optional<ProblemOf> problemOf(const Certificate &c);

// The checks, each in its file.
void checkCounts(const Certificate &c, Report &report, Summary &summary);
void checkFloors(const Certificate &c, Report &report, Summary &summary);
void checkObligations(const Certificate &c, const Options &options,
                      Report &report, Summary &summary);
void checkCoverage(const Certificate &c, Report &report);
void checkFindings(const Certificate &c, Report &report, Summary &summary);
void checkVerdict(const Certificate &c, Report &report);

/// Why coverage is not proved; "" where it is.
std::string lackOfCoverage(const Certificate &c);
/// The fault with these sizes that the flag tells; nullptr for none.
const ExecutedFault *executedFault(const Certificate &c, const FindingRow &f);

/// True if the ranges and assumptions admit these sizes; else why not.
std::string whyInadmissible(const Certificate &c, const Valuation &at);

} // namespace ioflor::check

#endif // IOFLOR_PASSES_CHECK_MODEL_H
