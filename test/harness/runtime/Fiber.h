// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of one CTA as fibers of the calling thread. A fiber runs until it
// waits for others (a barrier, a warp exchange) or ends.
#ifndef IOFLOR_TEST_HARNESS_FIBER_H
#define IOFLOR_TEST_HARNESS_FIBER_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ioflor::harness {

struct Extent3 {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t volume() const { return uint64_t(x) * y * z; }
};

using Thunk = void (*)(void **arguments);

/// What the lanes of a warp exchange. The operand is 32 bits, or 64 where an
/// exchange is built from two.
enum class WarpOp : uint32_t {
  Sync,
  ShuffleIdx,
  ShuffleUp,
  ShuffleDown,
  ShuffleXor,
  Any,
  All,
  Uniform,
  Ballot,
  MatchAny,
  ReduceAdd,
  ReduceMinSigned,
  ReduceMaxSigned,
  ReduceMin,
  ReduceMax,
  ReduceAnd,
  ReduceOr,
  ReduceXor,
};

enum class BarrierOp : uint32_t { None, Count, And, Or };

enum class State : uint8_t { Ready, Barrier, Warp, Done };

struct Fiber {
  void *stackPointer = nullptr;
  Extent3 tid{0, 0, 0};
  uint32_t linear = 0;
  State state = State::Done;
  // The exchange that this fiber waits in.
  WarpOp warpOp{};
  uint32_t mask = 0, operand = 0, control = 0, clamp = 0;
  BarrierOp barrierOp{};
  uint32_t barrier = 0, arrivals = 0;
  bool arriveOnly = false;
  // Its result, once released.
  uint32_t result = 0;
};

/// Runs the CTAs of a launch, one after the other. Ends the process with
/// status 1 and a message when threads wait for each other for ever.
class Machine {
public:
  static Machine &get();

  void launch(Thunk thunk, void **arguments, Extent3 grid, Extent3 block,
              size_t dynamicShared);

  Fiber &current() { return *running; }
  bool inKernel() const { return running != nullptr; }
  const Extent3 &gridExtent() const { return grid; }
  const Extent3 &blockExtent() const { return block; }
  const Extent3 &blockIndex() const { return ctaid; }
  size_t dynamicSharedBytes() const { return dynamicBytes; }

  uint32_t warpExchange(WarpOp op, uint32_t mask, uint32_t operand,
                        uint32_t control, uint32_t clamp);
  uint32_t barrier(uint32_t id, uint32_t arrivals, BarrierOp op,
                   uint32_t operand);
  /// Lanes of the caller's warp that have not ended.
  uint32_t liveLanes() const;

private:
  void runCta();
  void start(Fiber &fiber);
  void yield();
  bool resolveBarriers();
  bool resolveWarp(uint32_t warp);
  uint32_t lanesOf(uint32_t warp, bool (*test)(const Fiber &)) const;
  [[noreturn]] void deadlock() const;
  static void entry();

  std::vector<Fiber> fibers;
  std::vector<void *> stacks;
  Fiber *running = nullptr;
  void *mainStack = nullptr;
  Thunk thunk = nullptr;
  void **arguments = nullptr;
  Extent3 grid, block, ctaid;
  size_t dynamicBytes = 0;
};

} // namespace ioflor::harness

#endif
