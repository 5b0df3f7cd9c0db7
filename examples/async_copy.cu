// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Key and value tiles arrive by asynchronous copies, two tiles in flight. The
// kernel needs n to be a multiple of the tile, and its host function says so.
// Exact.
//
// Traffic in words, Tr = n/BR, per head (d = D):
//   Q loads n d    K, V loads Tr n d each    O stores n d
#include <cstdint>
#include <cuda_runtime.h>

constexpr int BR = 32, BC = 32, D = 32, CHUNK = 4;

__device__ __forceinline__ void copyAsync(float *to, const float *from) {
  const uint32_t address = (uint32_t)__cvta_generic_to_shared(to);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;\n" ::"r"(address),
               "l"(from));
}
__device__ __forceinline__ void commit() {
  asm volatile("cp.async.commit_group;\n" ::);
}
template <int LEFT> __device__ __forceinline__ void waitFor() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(LEFT));
}

__global__ void pipelined(const float *__restrict__ Q,
                          const float *__restrict__ K,
                          const float *__restrict__ V, float *__restrict__ O,
                          int n, float scale) {
  __shared__ __align__(16) float ks[2][BC * D], vs[2][BC * D];
  const int i = blockIdx.x * BR + threadIdx.x;
  const size_t head = (size_t)blockIdx.y * n * D;
  auto fetch = [&](int tile, int slot) {
    for (int e = threadIdx.x * CHUNK; e < BC * D; e += BR * CHUNK) {
      copyAsync(&ks[slot][e], K + head + (size_t)tile * BC * D + e);
      copyAsync(&vs[slot][e], V + head + (size_t)tile * BC * D + e);
    }
    commit();
  };
  float q[D], acc[D], highest = -INFINITY, sum = 0.0f;
  for (int c = 0; c < D; ++c) {
    q[c] = Q[head + (size_t)i * D + c] * scale;
    acc[c] = 0.0f;
  }
  const int tiles = n / BC;
  fetch(0, 0);
  for (int tile = 0; tile < tiles; ++tile) {
    const int slot = tile & 1;
    if (tile + 1 < tiles) {
      fetch(tile + 1, slot ^ 1);
      waitFor<1>();
    } else {
      waitFor<0>();
    }
    __syncthreads();
    for (int j = 0; j < BC; ++j) {
      float s = 0.0f;
      for (int c = 0; c < D; ++c)
        s += q[c] * ks[slot][j * D + c];
      const float next = fmaxf(highest, s);
      const float keep = __expf(highest - next), p = __expf(s - next);
      sum = sum * keep + p;
      for (int c = 0; c < D; ++c)
        acc[c] = acc[c] * keep + p * vs[slot][j * D + c];
      highest = next;
    }
    __syncthreads();
  }
  for (int c = 0; c < D; ++c)
    O[head + (size_t)i * D + c] = acc[c] / sum;
}

int attention(const float *Q, const float *K, const float *V, float *O,
              int heads, int n) {
  if (n % BR != 0)
    return 1;
  pipelined<<<dim3(n / BR, heads), BR>>>(Q, K, V, O, n, 0.17677669f);
  return 0;
}
