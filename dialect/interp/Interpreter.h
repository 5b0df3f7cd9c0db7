//===- Interpreter.h - Executes a skeleton and counts its words --*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The skeleton is a program: this executes it at given sizes and counts what it
// moves, by enumeration and with no algebra. Closed forms are believed only
// where they agree with it.
//
// Counts, in words (elements of the buffer), for each slow buffer and
// direction:
//   issued      every executed access of every thread, times its width;
//   traffic     distinct addresses for each (CTA, instruction, iteration vector
//               of the seq loops around it), summed;
//   compulsory  distinct addresses for each CTA over its whole stage, summed
//               over CTAs and stages (a stage in a host loop is launched once
//               an iteration; each launch has CTAs of its own).
//
// The threads of a CTA run in lock step, so iteration vectors come one after
// the other and no order of the thread loops matters.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_DIALECT_INTERP_INTERPRETER_H
#define IOFLOR_DIALECT_INTERP_INTERPRETER_H

#include "dialect/interp/PageSet.h"
#include "dialect/ir/Ioflor.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ioflor {

namespace interp {
class Machine;
}

/// A number of words between two ends; no upper end if hi is absent.
struct Words {
  uint64_t lo = 0;
  std::optional<uint64_t> hi = 0;
  bool exact() const { return hi && *hi == lo; }
  bool operator==(const Words &) const = default;
};

/// What moved between a CTA and one slow buffer in one direction.
struct AccessCounts {
  Words issued, traffic, compulsory;
  /// Smallest and largest element touched by accesses whose address is known.
  std::optional<int64_t> minAddress, maxAddress;
  /// Some executed access had no (or a data-dependent) address.
  bool unknownAddress = false;
  /// With InterpOptions::keepTouched: the known addresses over all CTAs of what
  /// certainly executes.
  interp::PageSet touched;
  /// Some access that certainly executes had none.
  bool touchedUnknown = false;
};

/// The same for one load or store op of a slow buffer.
struct InstrCounts {
  mlir::Operation *op = nullptr;
  Words issued, traffic;
  std::optional<int64_t> minAddress, maxAddress;
  bool unknownAddress = false;
};

enum class InterpStatus {
  Ok,
  BudgetExhausted, ///< more than maxSteps
  Error            ///< a missing or unusable value; see message
};

struct InterpCounts {
  InterpStatus status = InterpStatus::Ok;
  /// Why the status is not Ok; a lower-case phrase.
  std::string message;
  /// By name, every slow buffer of the subject.
  std::map<std::string, AccessCounts> loads, stores;
  /// In program order; ops that never executed have zeros.
  std::vector<InstrCounts> instrs;
  /// A condition, trip count or address depended on data or was not read.
  bool metUnknown = false;
  /// Sum of executed accesses, iterations and guard tests.
  uint64_t steps = 0;

  bool ok() const { return status == InterpStatus::Ok; }
};

/// What to do where the skeleton does not determine what happens.
enum class UnknownPolicy {
  Exclude, ///< only what certainly executes: lower ends
  Include  ///< all that may execute: upper ends
};

/// One executed access of one thread.
struct AccessEvent {
  mlir::Operation *op; ///< LoadOp or StoreOp
  bool isStore;
  BufferOp buffer;
  std::optional<int64_t> address; ///< absent where it is not known
  int64_t width;
  uint64_t cta;    ///< ordinal of the CTA in the run, over all launches
  uint32_t thread; ///< ordinal of the thread in its CTA
  /// Values of names(), in that order: symbols and loop variables. Only those
  /// of the loops around `op` mean anything.
  llvm::ArrayRef<int64_t> values;
};

struct InterpOptions {
  UnknownPolicy policy = UnknownPolicy::Exclude;
  /// Decides an unknown condition (kind Unknown, perhaps negated); nullopt
  /// leaves it to the policy.
  std::function<std::optional<bool>(const Cond &literal)> decide;
  /// Called for each executed access, in lock-step order; makes the run slower.
  std::function<void(const AccessEvent &)> onAccess;
  /// Gives every operation its meaning; nothing is counted then. Needs an
  /// interpreter that keeps values.
  interp::Machine *machine = nullptr;
  uint64_t maxSteps = 20'000'000;
  bool keepTouched = false; ///< fill AccessCounts::touched
};

/// Compiles a subject once and runs it at many sizes. The subject must outlive
/// it and stay as it is. One thread at a time: runs share caches.
class Interpreter {
public:
  /// With `keepFast`, accesses of fast buffers are executed too, for onAccess;
  /// they are never counted. With `keepValues`, so are computes, for a machine.
  explicit Interpreter(SubjectOp subject, bool keepFast = false,
                       bool keepValues = false);
  ~Interpreter();
  Interpreter(Interpreter &&) noexcept;

  /// One run. Needs a value for every symbol that is used and is no data
  /// symbol; a data symbol with a value has that value at every use. Does not
  /// check that `at` is admissible (see whyInadmissible). lo and hi of the
  /// result differ only through addresses that are not known.
  InterpCounts run(const Valuation &at, const InterpOptions &options = {});

  /// Both ends: lo of a run that excludes the unknown and hi of one that
  /// includes it. One run is enough where nothing is unknown. `minAddress` and
  /// the like are of what certainly executes.
  InterpCounts bounds(const Valuation &at, InterpOptions options = {});

  /// The names whose values an AccessEvent gives.
  llvm::ArrayRef<std::string> names() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace ioflor

#endif // IOFLOR_DIALECT_INTERP_INTERPRETER_H
