// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sliding window of W keys up to and with the diagonal, disclosed. Whole key tiles
// left of the window are skipped; inside the tiles at its edges keys are masked.
// Certified against the window's own number of pairs, n W - W (W - 1) / 2 for
// n >= W.
//
// Traffic in words, per head (d = D, lo(t) = max(0, t BR - W + 1),
// hi(t) = min(n, (t + 1) BR)):
//   Q loads n d    O stores n d
//   K, V loads  d sum_t (min(n, ceil(hi/BC) BC) - floor(lo/BC) BC) each
#include <cuda_runtime.h>
#include <ioflor/annotations.h>

constexpr int BR = 32, BC = 16, D = 32, W = 64;

IOFLOR_WINDOW(W)
__global__ void windowed(const float *__restrict__ Q,
                         const float *__restrict__ K,
                         const float *__restrict__ V, float *__restrict__ O,
                         int n, float scale) {
  __shared__ float ks[BC][D], vs[BC][D];
  const int i0 = blockIdx.x * BR, i = i0 + threadIdx.x;
  const size_t head = (size_t)blockIdx.y * n * D;
  float q[D], acc[D], highest = -INFINITY, sum = 0.0f;
  for (int c = 0; c < D; ++c) {
    q[c] = i < n ? Q[head + (size_t)i * D + c] : 0.0f;
    acc[c] = 0.0f;
  }
  const int first = max(0, i0 - W + 1) / BC * BC;
  const int end = min(n, i0 + BR);
  for (int j0 = first; j0 < end; j0 += BC) {
    __syncthreads();
    for (int e = threadIdx.x; e < BC * D; e += BR)
      if (j0 + e / D < n) {
        ks[e / D][e % D] = K[head + (size_t)j0 * D + e];
        vs[e / D][e % D] = V[head + (size_t)j0 * D + e];
      }
    __syncthreads();
    for (int t = 0; t < BC; ++t) {
      const int j = j0 + t;
      if (j > i || j <= i - W || j >= n || i >= n)
        continue;
      float s = 0.0f;
      for (int c = 0; c < D; ++c)
        s += q[c] * ks[t][c];
      s *= scale;
      const float next = fmaxf(highest, s);
      const float keep = __expf(highest - next), p = __expf(s - next);
      sum = sum * keep + p;
      for (int c = 0; c < D; ++c)
        acc[c] = acc[c] * keep + p * vs[t][c];
      highest = next;
    }
  }
  if (i < n)
    for (int c = 0; c < D; ++c)
      O[head + (size_t)i * D + c] = acc[c] / sum;
}

void attention(const float *Q, const float *K, const float *V, float *O,
               int heads, int n) {
  windowed<<<dim3((n + BR - 1) / BR, heads), BR>>>(Q, K, V, O, n, 0.17677669f);
}
