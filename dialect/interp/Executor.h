//===- Executor.h - One run of a compiled skeleton ---------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_DIALECT_INTERP_EXECUTOR_H
#define IOFLOR_DIALECT_INTERP_EXECUTOR_H

#include "dialect/interp/Interpreter.h"
#include "dialect/interp/Machine.h"
#include "dialect/interp/PageSet.h"
#include "dialect/interp/Program.h"
#include "dialect/interp/Range.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include <unordered_map>

namespace ioflor::interp {

class Executor {
public:
  Executor(Program &program, const InterpOptions &options)
      : program(program), options(options) {}
  InterpCounts run(const Valuation &at);

private:
  enum class Tri : uint8_t { False, Maybe, True };
  using Active = llvm::ArrayRef<uint32_t>;
  using Values = llvm::SmallVector<int64_t, 64>;
  struct Ends {
    std::optional<int64_t> lo, hi;
  };

  // All return false when the run has to stop.
  bool bind(const Valuation &at);
  bool exec(Node &node, const Lanes &lanes, Active active, uint64_t mult);
  bool execAll(Node &node, const Lanes &lanes, Active active, uint64_t mult);
  bool execLoop(Node &node, const Lanes &lanes, Active active, uint64_t mult);
  bool execDivergent(Node &node, const Lanes &lanes, Active active,
                     uint64_t mult, llvm::ArrayRef<int64_t> trips);
  bool execThreads(Node &node, const Lanes &lanes, Active active, uint64_t mult,
                   llvm::ArrayRef<int64_t> trips);
  bool execGuard(Node &node, const Lanes &lanes, Active active, uint64_t mult);
  bool execAccess(Node &node, const Lanes &lanes, Active active, uint64_t mult);
  bool execOnMachine(Node &node, const Lanes &lanes, Active active);
  bool countAccess(Node &node, size_t threads, uint64_t mult,
                   Values &addresses);
  bool countUnknown(Node &node, size_t threads, uint64_t mult,
                    llvm::ArrayRef<Ends> ends);
  bool report(Node &node, const Lanes &lanes, Active active,
              llvm::ArrayRef<int64_t> addresses);
  void execUnknown(Node &node);
  void openBelow(const Node &node);
  void beginCta();
  bool endCta();

  /// One value for all of `active` unless the expression is per thread.
  bool values(CompiledTerms &e, const Lanes &lanes, Active active, Values &out);
  void ranges(CompiledTerms &e, const Lanes &lanes, Active active,
              llvm::SmallVectorImpl<Ends> &out);
  bool truth(CompiledCond &c, const Lanes &lanes, Active active,
             llvm::SmallVectorImpl<Tri> &out);
  /// Trip counts by the policy; nullopt in `out` where no upper end is known.
  bool tripCounts(CompiledTerms &e, const Lanes &lanes, Active active,
                  Values &out, bool &unbounded);
  bool holds(Tri t);
  void setThread(const Lanes &lanes, uint32_t lane);
  /// Some data symbol in it has no value in this run.
  bool isRange(const CompiledTerms &e) const;

  bool charge(uint64_t steps);
  /// Counts towards the budget of the analysis (dialect/expr/Work.h), not
  /// towards maxSteps: which sizes are executed does not depend on it.
  void work(uint64_t operations);
  bool fail(InterpStatus status, std::string message);
  bool add(uint64_t &total, uint64_t a, uint64_t b = 1);

  struct Direction {
    AccessCounts *counts = nullptr;
    PageSet cta;            ///< known addresses of the CTA
    uint64_t unknownLo = 0; ///< distinct words of its unknown accesses
    uint64_t unknownHi = 0;
    bool dirty = false; ///< touched by the CTA
    bool open = false;  ///< no upper end
    uint64_t compulsoryLo = 0, compulsoryHi = 0;
  };
  Direction &direction(unsigned buffer, bool isStore) {
    return directions[2 * buffer + isStore];
  }

  Program &program;
  const InterpOptions &options;
  InterpCounts result;
  std::vector<int64_t> env;               ///< by slot
  std::vector<std::optional<Range>> data; ///< by slot, data symbols only
  std::vector<Direction> directions;
  std::set<unsigned> openInstrs; ///< how often they execute has no upper end
  uint64_t ctas = 0;
  struct CachedLanes {
    uint64_t parent = 0;
    int64_t trips = -1;
    std::unique_ptr<Lanes> lanes;
    std::vector<uint32_t> all;
  };
  llvm::DenseMap<const Node *, CachedLanes> laneCache;
  /// Ends that depend on data, by the values of everything else: the threads of
  /// a warp mostly share them.
  struct RangeMemo {
    struct Hash {
      size_t operator()(const std::vector<int64_t> &key) const {
        return llvm::hash_combine_range(key.begin(), key.end());
      }
    };
    std::unordered_map<std::vector<int64_t>, Ends, Hash> ends;
    std::vector<int64_t> key;
  };
  std::unordered_map<const CompiledTerms *, RangeMemo> rangeMemo;
  uint64_t pending = 0; ///< operations not yet made units of work
};

} // namespace ioflor::interp

#endif // IOFLOR_DIALECT_INTERP_EXECUTOR_H
