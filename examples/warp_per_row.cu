// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One warp a query row: lanes hold two columns each, scores are summed by
// shuffles, keys and values come through the read-only path without staging. The
// warps of a CTA walk the keys together, so a key row counts once a CTA and trip.
// Exact.
//
// Traffic in words, Tr = ceil(n/WARPS), per head (d = D = 64):
//   Q loads n d    K, V loads Tr n d each (issued: n n d)    O stores n d
#include <cuda_runtime.h>

#define FULL_MASK 0xffffffffu

constexpr int WARPS = 4, D = 64;

__device__ __forceinline__ float warpSum(float x) {
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1)
    x += __shfl_xor_sync(FULL_MASK, x, offset);
  return x;
}

__global__ void warpRows(const float *__restrict__ Q,
                         const float *__restrict__ K,
                         const float *__restrict__ V, float *__restrict__ O,
                         int n, float scale) {
  const int lane = threadIdx.x & 31;
  const int i = blockIdx.x * WARPS + (threadIdx.x >> 5);
  if (i >= n)
    return;
  const size_t head = (size_t)blockIdx.y * n * D;
  const float *q = Q + head + (size_t)i * D;
  const float q0 = __ldg(q + lane), q1 = __ldg(q + lane + 32);
  float o0 = 0.0f, o1 = 0.0f, highest = -INFINITY, sum = 0.0f;
  for (int j = 0; j < n; ++j) {
    const float *k = K + head + (size_t)j * D;
    const float *v = V + head + (size_t)j * D;
    const float s =
        warpSum(q0 * __ldg(k + lane) + q1 * __ldg(k + lane + 32)) * scale;
    const float next = fmaxf(highest, s);
    const float keep = __expf(highest - next), p = __expf(s - next);
    sum = sum * keep + p;
    o0 = o0 * keep + p * __ldg(v + lane);
    o1 = o1 * keep + p * __ldg(v + lane + 32);
    highest = next;
  }
  O[head + (size_t)i * D + lane] = o0 / sum;
  O[head + (size_t)i * D + lane + 32] = o1 / sum;
}

void attention(const float *Q, const float *K, const float *V, float *O,
               int heads, int n) {
  dim3 grid((n + WARPS - 1) / WARPS, heads);
  warpRows<<<grid, WARPS * 32>>>(Q, K, V, O, n, 0.125f);
}
