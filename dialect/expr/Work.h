//===- Work.h - One deterministic budget of work -----------------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an analysis may cost, in units of work and never in seconds, so that no
// verdict depends on the machine. One unit is one expression node asked for,
// which is counted here and costs, with what is done with it, up to a
// microsecond; other engines convert
// what they count (steps of the interpreter, cells of a linear programme, the
// solver's resource units) by the constants below.
//
// A phase opens a scope:
//
//   WorkScope scope("coverage", units); // at most that, and at most what the
//                                       // scopes around have left
//   while (...) {
//     if (WorkScope::exhausted())       // end as undecided
//       break;
//     WorkScope::spend(n);              // what makes no expressions
//   }
//
// A pass uses PhaseScope (passes/Phase.h), which also tells the verdict.
//
// Scopes nest; what an inner one spends is spent of the outer ones, too. The
// state is the thread's. Where a scope is exhausted, `Assumptions` proves
// nothing more and `simplify` gives back its argument: both are allowed to, so
// code that asks them ends soon and on the safe side. Expr arithmetic itself
// always works.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_DIALECT_EXPR_WORK_H
#define IOFLOR_DIALECT_EXPR_WORK_H

#include <cstdint>
#include <string>
#include <vector>

namespace ioflor {

/// What one scope cost, for those who ask (WorkLedger).
struct WorkEntry {
  std::string phase;
  uint64_t units = 0;
  bool ranOut = false;
};

namespace detail {
struct WorkMeter {
  uint64_t spent = 0;
  uint64_t limit = UINT64_MAX; ///< value of `spent` at which to stop
  std::vector<WorkEntry> *ledger = nullptr;
};
WorkMeter &workMeter();
} // namespace detail

/// Arithmetic operations of the interpreter for one unit.
inline constexpr uint64_t interpreterOperationsPerUnit = 192;
/// Units for one query of z3, and for one unit of its rlimit.
inline constexpr uint64_t unitsPerQuery = 5'000;
inline constexpr uint64_t unitsPerSolverUnit = 1;

/// Limits the work of the thread while it lives.
class WorkScope {
public:
  /// No more than `units`, nor than what is left of the scope around.
  WorkScope(const char *phase, uint64_t units);
  ~WorkScope();
  WorkScope(const WorkScope &) = delete;
  WorkScope &operator=(const WorkScope &) = delete;

  /// Units spent since this scope began.
  uint64_t used() const;
  /// Its units, or those of a scope around, are used up.
  bool ranOut() const;

  static void spend(uint64_t units);
  /// The innermost scope has no units left. False where there is no scope.
  static bool exhausted();
  /// Units left to the innermost scope; UINT64_MAX where there is none.
  static uint64_t left();

private:
  const char *phase;
  uint64_t start, outer, own;
};

/// Collects an entry of each scope that ends on this thread while it lives.
class WorkLedger {
public:
  WorkLedger();
  ~WorkLedger();
  WorkLedger(const WorkLedger &) = delete;
  WorkLedger &operator=(const WorkLedger &) = delete;

  std::vector<WorkEntry> entries;

private:
  std::vector<WorkEntry> *outer;
};

} // namespace ioflor

#endif // IOFLOR_DIALECT_EXPR_WORK_H
