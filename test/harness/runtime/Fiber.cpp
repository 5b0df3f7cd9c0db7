// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/harness/runtime/Fiber.h"
#include "test/harness/runtime/Counts.h"

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

using namespace ioflor::harness;

#ifndef __x86_64__
#error "the fiber switch is written for x86-64"
#endif

extern "C" {
/// Saves the callee-saved registers on the current stack, its pointer in
/// *save, and continues on the stack load.
void ioflor_switch_stack(void **save, void *load);

struct SharedVariable {
  void *address;
  uint64_t bytes;
};
extern const SharedVariable ioflor_shared[];
extern const uint64_t ioflor_shared_count;
extern char ioflor_dynamic_shared[];
}

asm(R"(
  .text
  .globl ioflor_switch_stack
  .type ioflor_switch_stack,@function
ioflor_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size ioflor_switch_stack,.-ioflor_switch_stack
)");

static constexpr size_t stackBytes = 1 << 20;

Machine &Machine::get() {
  static Machine machine;
  return machine;
}

static void *allocateStack() {
  // Pages are committed when touched; the lowest one traps an overflow.
  void *memory = mmap(nullptr, stackBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory, 4096, PROT_NONE)) {
    std::fprintf(stderr, "ioflor-harness: error: no memory for a stack\n");
    std::exit(1);
  }
  return memory;
}

void Machine::entry() {
  Machine &machine = get();
  machine.thunk(machine.arguments);
  machine.running->state = State::Done;
  machine.yield();
  std::abort();
}

void Machine::start(Fiber &fiber) {
  auto *top = static_cast<char *>(stacks[fiber.linear]) + stackBytes;
  auto **frame = reinterpret_cast<void **>(top) - 1;
  // The entry expects a return address at 16 k + 8.
  *frame-- = nullptr;
  *frame = reinterpret_cast<void *>(&Machine::entry);
  for (int saved = 0; saved < 6; ++saved)
    *--frame = nullptr;
  fiber.stackPointer = frame;
  fiber.state = State::Ready;
}

void Machine::yield() {
  ioflor_switch_stack(&running->stackPointer, mainStack);
}

void Machine::launch(Thunk kernel, void **values, Extent3 launchGrid,
                     Extent3 launchBlock, size_t dynamicShared) {
  thunk = kernel;
  arguments = values;
  grid = launchGrid;
  block = launchBlock;
  dynamicBytes = dynamicShared;
  fibers.resize(block.volume());
  while (stacks.size() < fibers.size())
    stacks.push_back(allocateStack());
  for (ctaid.z = 0; ctaid.z < grid.z; ++ctaid.z)
    for (ctaid.y = 0; ctaid.y < grid.y; ++ctaid.y)
      for (ctaid.x = 0; ctaid.x < grid.x; ++ctaid.x)
        runCta();
}

void Machine::runCta() {
  Counts::get().beginCta();
  // Whoever reads shared memory before writing it sees NaN.
  for (uint64_t index = 0; index < ioflor_shared_count; ++index)
    std::memset(ioflor_shared[index].address, 0xff, ioflor_shared[index].bytes);
  std::memset(ioflor_dynamic_shared, 0xff, dynamicBytes);
  uint32_t linear = 0;
  for (uint32_t z = 0; z < block.z; ++z)
    for (uint32_t y = 0; y < block.y; ++y)
      for (uint32_t x = 0; x < block.x; ++x, ++linear) {
        Fiber &fiber = fibers[linear];
        fiber = Fiber();
        fiber.tid = {x, y, z};
        fiber.linear = linear;
        start(fiber);
      }
  const uint32_t warps = (fibers.size() + 31) / 32;
  for (;;) {
    bool progress = false, alive = false;
    for (uint32_t warp = 0; warp < warps; ++warp) {
      const size_t end = std::min<size_t>(fibers.size(), 32 * (warp + 1));
      do {
        for (size_t index = 32 * warp; index < end; ++index) {
          Fiber &fiber = fibers[index];
          if (fiber.state != State::Ready)
            continue;
          running = &fiber;
          ioflor_switch_stack(&mainStack, fiber.stackPointer);
          running = nullptr;
          progress = true;
        }
      } while (resolveWarp(warp));
    }
    progress |= resolveBarriers();
    for (const Fiber &fiber : fibers)
      alive |= fiber.state != State::Done;
    if (!alive)
      return;
    if (!progress)
      deadlock();
  }
}

void Machine::deadlock() const {
  std::fprintf(stderr, "ioflor-harness: error: deadlock in block (%u,%u,%u):\n",
               ctaid.x, ctaid.y, ctaid.z);
  int shown = 0;
  for (const Fiber &fiber : fibers) {
    if (fiber.state == State::Done || ++shown > 8)
      continue;
    if (fiber.state == State::Barrier)
      std::fprintf(stderr, "  thread %u waits at barrier %u\n", fiber.linear,
                   fiber.barrier);
    else
      std::fprintf(stderr,
                   "  thread %u waits in warp exchange %u with mask %08x\n",
                   fiber.linear, unsigned(fiber.warpOp), fiber.mask);
  }
  std::exit(1);
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

uint32_t Machine::barrier(uint32_t id, uint32_t arrivals, BarrierOp op,
                          uint32_t operand) {
  Fiber &fiber = *running;
  fiber.state = State::Barrier;
  fiber.barrier = id;
  fiber.arrivals = arrivals;
  fiber.barrierOp = op;
  fiber.operand = operand;
  yield();
  return fiber.result;
}

bool Machine::resolveBarriers() {
  bool released = false;
  uint32_t seen = 0;
  for (const Fiber &first : fibers) {
    if (first.state != State::Barrier || first.barrier > 31 ||
        (seen >> first.barrier & 1))
      continue;
    const uint32_t id = first.barrier, arrivals = first.arrivals;
    seen |= 1u << id;
    uint32_t waiting = 0, alive = 0, count = 0;
    for (const Fiber &fiber : fibers) {
      alive += fiber.state != State::Done;
      if (fiber.state != State::Barrier || fiber.barrier != id)
        continue;
      ++waiting;
      count += fiber.operand != 0;
    }
    // Without a count a barrier waits for every thread that has not ended.
    if (waiting < (arrivals ? arrivals : alive))
      continue;
    for (Fiber &fiber : fibers) {
      if (fiber.state != State::Barrier || fiber.barrier != id)
        continue;
      fiber.state = State::Ready;
      fiber.result = fiber.barrierOp == BarrierOp::And  ? count == waiting
                     : fiber.barrierOp == BarrierOp::Or ? count != 0
                                                        : count;
      released = true;
    }
  }
  return released;
}

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

uint32_t Machine::warpExchange(WarpOp op, uint32_t mask, uint32_t operand,
                               uint32_t control, uint32_t clamp) {
  Fiber &fiber = *running;
  fiber.state = State::Warp;
  fiber.warpOp = op;
  fiber.mask = mask;
  fiber.operand = operand;
  fiber.control = control;
  fiber.clamp = clamp;
  yield();
  return fiber.result;
}

uint32_t Machine::lanesOf(uint32_t warp, bool (*test)(const Fiber &)) const {
  uint32_t lanes = 0;
  for (uint32_t lane = 0; lane < 32; ++lane)
    if (32 * warp + lane < fibers.size() && test(fibers[32 * warp + lane]))
      lanes |= 1u << lane;
  return lanes;
}

uint32_t Machine::liveLanes() const {
  return lanesOf(running->linear / 32,
                 [](const Fiber &fiber) { return fiber.state != State::Done; });
}

/// The lane that `lane` reads in a shuffle; its own where the source is out of
/// the segment. PTX ISA, shfl.sync: clamp holds the segment mask in bits 8..12
/// and the bound in bits 0..4.
static uint32_t shuffleSource(const Fiber &fiber) {
  const uint32_t lane = fiber.linear % 32;
  const uint32_t segment = fiber.clamp >> 8 & 31, bound = fiber.clamp & 31;
  const uint32_t control = fiber.control & 31;
  const uint32_t highest = (lane & segment) | (bound & ~segment);
  const uint32_t lowest = lane & segment;
  int32_t source = lane;
  bool valid = true;
  switch (fiber.warpOp) {
  case WarpOp::ShuffleUp:
    source = int32_t(lane) - int32_t(control);
    valid = source >= int32_t(highest);
    break;
  case WarpOp::ShuffleDown:
    source = lane + control;
    valid = source <= int32_t(highest);
    break;
  case WarpOp::ShuffleXor:
    source = lane ^ control;
    valid = source <= int32_t(highest);
    break;
  default:
    source = lowest | (control & ~segment);
    valid = source <= int32_t(highest);
    break;
  }
  return valid ? source : lane;
}

bool Machine::resolveWarp(uint32_t warp) {
  const uint32_t alive = lanesOf(
      warp, [](const Fiber &fiber) { return fiber.state != State::Done; });
  const uint32_t waiting = lanesOf(
      warp, [](const Fiber &fiber) { return fiber.state == State::Warp; });
  Fiber *lanes = fibers.data() + 32 * warp;
  bool released = false;
  uint32_t handled = 0;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    if (!(waiting >> lane & 1) || (handled >> lane & 1))
      continue;
    const Fiber &first = lanes[lane];
    // Lanes that ended or never existed cannot arrive.
    const uint32_t members = first.mask & alive;
    if ((members & ~waiting) || !(members >> lane & 1))
      continue;
    bool together = true;
    for (uint32_t other = 0; other < 32; ++other)
      if (members >> other & 1)
        together &= lanes[other].mask == first.mask &&
                    lanes[other].warpOp == first.warpOp;
    if (!together)
      continue;
    const WarpOp op = first.warpOp;
    uint32_t ballot = 0, sum = 0, low = ~0u, high = 0, all = ~0u, any = 0,
             parity = 0;
    int32_t signedLow = INT32_MAX, signedHigh = INT32_MIN;
    for (uint32_t other = 0; other < 32; ++other) {
      if (!(members >> other & 1))
        continue;
      const uint32_t value = lanes[other].operand;
      ballot |= uint32_t(value != 0) << other;
      sum += value;
      low = std::min(low, value);
      high = std::max(high, value);
      signedLow = std::min(signedLow, int32_t(value));
      signedHigh = std::max(signedHigh, int32_t(value));
      all &= value;
      any |= value;
      parity ^= value;
    }
    for (uint32_t other = 0; other < 32; ++other) {
      if (!(members >> other & 1))
        continue;
      Fiber &fiber = lanes[other];
      switch (op) {
      case WarpOp::Sync:
        break;
      case WarpOp::ShuffleIdx:
      case WarpOp::ShuffleUp:
      case WarpOp::ShuffleDown:
      case WarpOp::ShuffleXor: {
        const uint32_t source = shuffleSource(fiber);
        if (members >> source & 1) {
          fiber.result = lanes[source].operand;
        } else {
          Counts::get().fault("a shuffle reads a lane that takes no part");
          fiber.result = fiber.operand;
        }
        break;
      }
      case WarpOp::Any:
        fiber.result = ballot != 0;
        break;
      case WarpOp::All:
        fiber.result = ballot == members;
        break;
      case WarpOp::Uniform:
        fiber.result = low == high;
        break;
      case WarpOp::Ballot:
        fiber.result = ballot;
        break;
      case WarpOp::MatchAny: {
        uint32_t equal = 0;
        for (uint32_t peer = 0; peer < 32; ++peer)
          if (members >> peer & 1)
            equal |= uint32_t(lanes[peer].operand == fiber.operand) << peer;
        fiber.result = equal;
        break;
      }
      case WarpOp::ReduceAdd:
        fiber.result = sum;
        break;
      case WarpOp::ReduceMinSigned:
        fiber.result = signedLow;
        break;
      case WarpOp::ReduceMaxSigned:
        fiber.result = signedHigh;
        break;
      case WarpOp::ReduceMin:
        fiber.result = low;
        break;
      case WarpOp::ReduceMax:
        fiber.result = high;
        break;
      case WarpOp::ReduceAnd:
        fiber.result = all;
        break;
      case WarpOp::ReduceOr:
        fiber.result = any;
        break;
      case WarpOp::ReduceXor:
        fiber.result = parity;
        break;
      }
    }
    for (uint32_t other = 0; other < 32; ++other)
      if (members >> other & 1)
        lanes[other].state = State::Ready;
    handled |= members;
    released = true;
  }
  return released;
}
