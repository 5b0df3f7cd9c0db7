// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp-wide matrix instructions, built from exchanges of 32-bit registers. The
// layouts are those of the PTX ISA ("Matrix Fragments for mma.m16n8k16").

#include "test/harness/runtime/Fiber.h"

#include <bit>
#include <cstring>

using namespace ioflor::harness;

static uint32_t fromLane(uint32_t value, uint32_t lane) {
  return Machine::get().warpExchange(WarpOp::ShuffleIdx, 0xffffffff, value,
                                     lane, 0x1f);
}

/// Shared variables live below 4 GiB, where device code expects them.
extern "C" void ioflor_ldmatrix(uint32_t *result, const void *row,
                                uint32_t count, uint32_t transposed) {
  const uint32_t lane = Machine::get().current().linear % 32;
  const auto address = uint32_t(reinterpret_cast<uintptr_t>(row));
  for (uint32_t matrix = 0; matrix < count; ++matrix) {
    const uint16_t *rows[8];
    for (uint32_t index = 0; index < 8; ++index)
      rows[index] = reinterpret_cast<const uint16_t *>(
          uintptr_t(fromLane(address, 8 * matrix + index)));
    const uint32_t major = lane / 4, minor = 2 * (lane % 4);
    const uint32_t low = transposed ? rows[minor][major] : rows[major][minor];
    const uint32_t high =
        transposed ? rows[minor + 1][major] : rows[major][minor + 1];
    result[matrix] = high << 16 | low;
  }
}

static float half(uint32_t word, uint32_t index, bool brain) {
  const auto bits = uint16_t(word >> 16 * index);
  return brain ? std::bit_cast<float>(uint32_t(bits) << 16)
               : float(std::bit_cast<_Float16>(bits));
}

/// sums[0..3]: rows lane / 4 and that plus 8, columns 2 (lane % 4) and the
/// next.
static void multiply(float *sums, const uint32_t *a, const uint32_t *b,
                     bool brain) {
  const uint32_t lane = Machine::get().current().linear % 32;
  const uint32_t group = lane / 4, column = 2 * (lane % 4);
  for (uint32_t part = 0; part < 4; ++part) {
    uint32_t rows[4], columns[2][2];
    for (uint32_t index = 0; index < 4; ++index)
      rows[index] = fromLane(a[index], 4 * group + part);
    for (uint32_t next : {0u, 1u})
      for (uint32_t index : {0u, 1u})
        columns[next][index] = fromLane(b[index], 4 * (column + next) + part);
    for (uint32_t k : {0u, 1u})
      for (uint32_t index : {0u, 1u})
        for (uint32_t next : {0u, 1u}) {
          const float right = half(columns[next][k], index, brain);
          sums[next] += half(rows[2 * k], index, brain) * right;
          sums[2 + next] += half(rows[2 * k + 1], index, brain) * right;
        }
  }
}

extern "C" void ioflor_mma_m16n8k16_f32(uint32_t *d, const uint32_t *a,
                                        const uint32_t *b, const uint32_t *c,
                                        uint32_t brain) {
  float sums[4];
  std::memcpy(sums, c, sizeof sums);
  multiply(sums, a, b, brain);
  std::memcpy(d, sums, sizeof sums);
}

extern "C" void ioflor_mma_m16n8k16_f16(uint32_t *d, const uint32_t *a,
                                        const uint32_t *b, const uint32_t *c,
                                        uint32_t) {
  float sums[4];
  for (uint32_t index = 0; index < 4; ++index)
    sums[index] = half(c[index / 2], index % 2, false);
  multiply(sums, a, b, false);
  for (uint32_t index : {0u, 1u})
    d[index] = uint32_t(std::bit_cast<uint16_t>(_Float16(sums[2 * index + 1])))
                   << 16 |
               std::bit_cast<uint16_t>(_Float16(sums[2 * index]));
}
