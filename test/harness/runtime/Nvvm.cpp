// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device intrinsics, by the names that the retargeting pass gives them.

#include "test/harness/runtime/Fiber.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace ioflor::harness;

static Machine &machine() { return Machine::get(); }

#define SREG(name, value)                                                      \
  extern "C" uint32_t nvvm_read_ptx_sreg_##name() { return value; }
SREG(tid_x, machine().current().tid.x)
SREG(tid_y, machine().current().tid.y)
SREG(tid_z, machine().current().tid.z)
SREG(ntid_x, machine().blockExtent().x)
SREG(ntid_y, machine().blockExtent().y)
SREG(ntid_z, machine().blockExtent().z)
SREG(ctaid_x, machine().blockIndex().x)
SREG(ctaid_y, machine().blockIndex().y)
SREG(ctaid_z, machine().blockIndex().z)
SREG(nctaid_x, machine().gridExtent().x)
SREG(nctaid_y, machine().gridExtent().y)
SREG(nctaid_z, machine().gridExtent().z)
SREG(laneid, machine().current().linear % 32)
SREG(warpid, machine().current().linear / 32)
SREG(warpsize, 32)
SREG(lanemask_eq, 1u << machine().current().linear % 32)
SREG(lanemask_lt, (1u << machine().current().linear % 32) - 1)
SREG(lanemask_le, (2u << machine().current().linear % 32) - 1)
SREG(lanemask_gt, ~((2u << machine().current().linear % 32) - 1))
SREG(lanemask_ge, ~((1u << machine().current().linear % 32) - 1))
SREG(clock, 0)
SREG(dynamic_smem_size, uint32_t(machine().dynamicSharedBytes()))
SREG(total_smem_size, uint32_t(machine().dynamicSharedBytes()))
extern "C" uint64_t nvvm_read_ptx_sreg_clock64() { return 0; }
extern "C" uint64_t nvvm_read_ptx_sreg_globaltimer() { return 0; }

//===----------------------------------------------------------------------===//
// Barriers and fences
//===----------------------------------------------------------------------===//

extern "C" {
void nvvm_barrier0() { machine().barrier(0, 0, BarrierOp::None, 0); }
void nvvm_barrier_cta_sync_aligned_all(uint32_t id) {
  machine().barrier(id, 0, BarrierOp::None, 0);
}
void nvvm_barrier_cta_sync_all(uint32_t id) {
  machine().barrier(id, 0, BarrierOp::None, 0);
}
void nvvm_barrier_cta_sync_aligned_count(uint32_t id, uint32_t count) {
  machine().barrier(id, count, BarrierOp::None, 0);
}
void nvvm_barrier_cta_sync_count(uint32_t id, uint32_t count) {
  machine().barrier(id, count, BarrierOp::None, 0);
}
uint32_t nvvm_barrier_cta_red_popc_aligned_all(uint32_t id, bool value) {
  return machine().barrier(id, 0, BarrierOp::Count, value);
}
bool nvvm_barrier_cta_red_and_aligned_all(uint32_t id, bool value) {
  return machine().barrier(id, 0, BarrierOp::And, value);
}
bool nvvm_barrier_cta_red_or_aligned_all(uint32_t id, bool value) {
  return machine().barrier(id, 0, BarrierOp::Or, value);
}
void nvvm_bar_warp_sync(uint32_t mask) {
  machine().warpExchange(WarpOp::Sync, mask, 0, 0, 0);
}
void nvvm_membar_cta() {}
void nvvm_membar_gl() {}
void nvvm_membar_sys() {}
void nvvm_cp_async_commit_group() {}
void nvvm_cp_async_wait_all() {}
void nvvm_cp_async_wait_group(uint32_t) {}
}

//===----------------------------------------------------------------------===//
// Warp exchanges
//===----------------------------------------------------------------------===//

static uint32_t shuffle(WarpOp op, uint32_t mask, uint32_t value,
                        uint32_t control, uint32_t clamp) {
  return machine().warpExchange(op, mask, value, control, clamp);
}

#define SHUFFLE(name, op)                                                      \
  extern "C" uint32_t nvvm_shfl_sync_##name##_i32(                             \
      uint32_t mask, uint32_t value, uint32_t control, uint32_t clamp) {       \
    return shuffle(WarpOp::op, mask, value, control, clamp);                   \
  }                                                                            \
  extern "C" float nvvm_shfl_sync_##name##_f32(                                \
      uint32_t mask, float value, uint32_t control, uint32_t clamp) {          \
    return std::bit_cast<float>(shuffle(                                       \
        WarpOp::op, mask, std::bit_cast<uint32_t>(value), control, clamp));    \
  }
SHUFFLE(idx, ShuffleIdx)
SHUFFLE(up, ShuffleUp)
SHUFFLE(down, ShuffleDown)
SHUFFLE(bfly, ShuffleXor)

#define REDUCE(name, op)                                                       \
  extern "C" uint32_t nvvm_redux_sync_##name(uint32_t value, uint32_t mask) {  \
    return machine().warpExchange(WarpOp::op, mask, value, 0, 0);              \
  }
REDUCE(add, ReduceAdd)
REDUCE(min, ReduceMinSigned)
REDUCE(max, ReduceMaxSigned)
REDUCE(umin, ReduceMin)
REDUCE(umax, ReduceMax)
REDUCE(and, ReduceAnd)
REDUCE(or, ReduceOr)
REDUCE(xor, ReduceXor)

extern "C" {
bool nvvm_vote_any_sync(uint32_t mask, bool value) {
  return machine().warpExchange(WarpOp::Any, mask, value, 0, 0);
}
bool nvvm_vote_all_sync(uint32_t mask, bool value) {
  return machine().warpExchange(WarpOp::All, mask, value, 0, 0);
}
bool nvvm_vote_uni_sync(uint32_t mask, bool value) {
  return machine().warpExchange(WarpOp::Uniform, mask, value, 0, 0);
}
uint32_t nvvm_vote_ballot_sync(uint32_t mask, bool value) {
  return machine().warpExchange(WarpOp::Ballot, mask, value, 0, 0);
}
uint32_t nvvm_match_any_sync_i32(uint32_t mask, uint32_t value) {
  return machine().warpExchange(WarpOp::MatchAny, mask, value, 0, 0);
}
/// Lanes that share a branch cannot be known here; every lane that has not
/// ended is a legal answer for converged code.
uint32_t nvvm_activemask() { return machine().liveLanes(); }
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

#define UNARY(name, expression)                                                \
  extern "C" float nvvm_##name(float x) { return expression; }                 \
  extern "C" float nvvm_##name##_f(float x) { return expression; }             \
  extern "C" float nvvm_##name##_ftz_f(float x) { return expression; }         \
  extern "C" float nvvm_##name##_ftz_f32(float x) { return expression; }       \
  extern "C" float nvvm_##name##_f32(float x) { return expression; }
UNARY(ex2_approx, std::exp2(x))
UNARY(lg2_approx, std::log2(x))
UNARY(sin_approx, std::sin(x))
UNARY(cos_approx, std::cos(x))
UNARY(tanh_approx, std::tanh(x))
UNARY(sqrt_approx, std::sqrt(x))
UNARY(sqrt_rn, std::sqrt(x))
UNARY(sqrt, std::sqrt(x))
UNARY(rsqrt_approx, 1.f / std::sqrt(x))
UNARY(rcp_approx, 1.f / x)
UNARY(rcp_rn, 1.f / x)
UNARY(fabs, std::fabs(x))

#define BINARY(name, expression)                                               \
  extern "C" float nvvm_##name(float x, float y) { return expression; }        \
  extern "C" float nvvm_##name##_ftz_f(float x, float y) { return expression; }
BINARY(div_approx_f, x / y)
BINARY(div_rn_f, x / y)
BINARY(div_full, x / y)
BINARY(mul_rn_f, x *y)
BINARY(add_rn_f, x + y)
BINARY(fmin_f, std::fmin(x, y))
BINARY(fmax_f, std::fmax(x, y))

extern "C" {
float nvvm_fma_rn_f(float x, float y, float z) { return std::fma(x, y, z); }
uint32_t nvvm_mulhi_ui(uint32_t x, uint32_t y) { return uint64_t(x) * y >> 32; }
int32_t nvvm_mulhi_i(int32_t x, int32_t y) { return int64_t(x) * y >> 32; }
uint32_t nvvm_prmt(uint32_t low, uint32_t high, uint32_t selector) {
  const uint64_t bytes = uint64_t(high) << 32 | low;
  uint32_t result = 0;
  for (int index = 0; index < 4; ++index) {
    const uint32_t pick = selector >> 4 * index & 15;
    uint32_t byte = bytes >> 8 * (pick & 7) & 255;
    if (pick & 8)
      byte = byte & 128 ? 255 : 0;
    result |= byte << 8 * index;
  }
  return result;
}
}

extern "C" void __assertfail(const char *message, const char *file,
                             uint32_t line, const char *, size_t) {
  std::fprintf(stderr,
               "ioflor-harness: error: device assertion '%s' at %s:%u\n",
               message, file, line);
  std::exit(1);
}
extern "C" void nvvm_exit() {
  std::fprintf(stderr, "ioflor-harness: error: the kernel trapped\n");
  std::exit(1);
}
