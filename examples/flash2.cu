// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of FlashAttention-2: a CTA owns a tile of query rows, walks the keys
// once and stores each output row once. Four threads share a row: each computes a
// quarter of its scores and owns a quarter of its output columns. Exact.
//
// Traffic in words, Tr = ceil(n/BR), per head (d = D):
//   Q loads n d    K, V loads Tr n d each    O stores n d
#include <cuda_runtime.h>
#include <ioflor/annotations.h>

template <int BR, int BC, int D>
IOFLOR_EXACT __global__ void
flash2(const float *__restrict__ Q, const float *__restrict__ K,
       const float *__restrict__ V, float *__restrict__ O, int n, float scale) {
  constexpr int LANES = 4, THREADS = BR * LANES, OWN = D / LANES;
  static_assert(D % LANES == 0 && BC % LANES == 0, "four threads a row");
  __shared__ float qs[BR][D + 1];
  __shared__ float ks[BC][D + 1];
  __shared__ float vs[BC][D];
  __shared__ float ss[BR][BC + 1];
  const int tid = threadIdx.x, row = tid / LANES, lane = tid % LANES;
  const int i0 = blockIdx.x * BR;
  const size_t head = (size_t)blockIdx.y * n * D;

  for (int e = tid; e < BR * D; e += THREADS)
    if (i0 + e / D < n)
      qs[e / D][e % D] = Q[head + (size_t)i0 * D + e] * scale;

  float acc[OWN], highest = -INFINITY, sum = 0.0f;
  for (int c = 0; c < OWN; ++c)
    acc[c] = 0.0f;

  for (int j0 = 0; j0 < n; j0 += BC) {
    __syncthreads();
    for (int e = tid; e < BC * D; e += THREADS)
      if (j0 + e / D < n) {
        ks[e / D][e % D] = K[head + (size_t)j0 * D + e];
        vs[e / D][e % D] = V[head + (size_t)j0 * D + e];
      }
    __syncthreads();
    const int keys = n - j0 < BC ? n - j0 : BC;
    for (int j = lane; j < keys; j += LANES) {
      float s = 0.0f;
      for (int c = 0; c < D; ++c)
        s += qs[row][c] * ks[j][c];
      ss[row][j] = s;
    }
    __syncthreads();
    float next = highest;
    for (int j = 0; j < keys; ++j)
      next = fmaxf(next, ss[row][j]);
    const float keep = __expf(highest - next);
    sum *= keep;
    for (int c = 0; c < OWN; ++c)
      acc[c] *= keep;
    for (int j = 0; j < keys; ++j) {
      const float p = __expf(ss[row][j] - next);
      sum += p;
      for (int c = 0; c < OWN; ++c)
        acc[c] += p * vs[j][lane * OWN + c];
    }
    highest = next;
  }

  if (i0 + row < n)
    for (int c = 0; c < OWN; ++c)
      O[head + (size_t)(i0 + row) * D + lane * OWN + c] = acc[c] / sum;
}

void attention(const float *Q, const float *K, const float *V, float *O,
               int heads, int n) {
  constexpr int BR = 32, BC = 32, D = 64;
  dim3 grid((n + BR - 1) / BR, heads);
  flash2<BR, BC, D><<<grid, BR * 4>>>(Q, K, V, O, n, 0.125f);
}
