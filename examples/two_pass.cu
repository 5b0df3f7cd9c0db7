// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two passes over the keys: the first finds maximum and sum, the second computes
// the scores again and weighs the values. Computing a score twice is no fault.
// Exact.
//
// Traffic in words, Tr = ceil(n/BR), per head (d = D):
//   Q loads n d    K loads 2 Tr n d    V loads Tr n d    O stores n d
#include <cuda_runtime.h>

constexpr int BR = 32, BC = 16, D = 32;

__device__ void stage(float (*to)[D], const float *from, int rows) {
  for (int e = threadIdx.x; e < rows * D; e += BR)
    to[e / D][e % D] = from[e];
}

__device__ float score(const float *q, const float *k) {
  float s = 0.0f;
  for (int c = 0; c < D; ++c)
    s += q[c] * k[c];
  return s;
}

__global__ void twoPass(const float *__restrict__ Q,
                        const float *__restrict__ K,
                        const float *__restrict__ V, float *__restrict__ O,
                        int n, float scale) {
  __shared__ float ks[BC][D], vs[BC][D];
  const int i = blockIdx.x * BR + threadIdx.x;
  const size_t head = (size_t)blockIdx.y * n * D;
  float q[D], acc[D], highest = -INFINITY, sum = 0.0f;
  for (int c = 0; c < D; ++c) {
    q[c] = i < n ? Q[head + (size_t)i * D + c] * scale : 0.0f;
    acc[c] = 0.0f;
  }
  for (int j0 = 0; j0 < n; j0 += BC) {
    const int rows = min(BC, n - j0);
    stage(ks, K + head + (size_t)j0 * D, rows);
    __syncthreads();
    for (int j = 0; j < rows; ++j) {
      const float s = score(q, ks[j]);
      const float next = fmaxf(highest, s);
      sum = sum * __expf(highest - next) + __expf(s - next);
      highest = next;
    }
    __syncthreads();
  }
  for (int j0 = 0; j0 < n; j0 += BC) {
    const int rows = min(BC, n - j0);
    stage(ks, K + head + (size_t)j0 * D, rows);
    stage(vs, V + head + (size_t)j0 * D, rows);
    __syncthreads();
    for (int j = 0; j < rows; ++j) {
      const float p = __expf(score(q, ks[j]) - highest) / sum;
      for (int c = 0; c < D; ++c)
        acc[c] += p * vs[j][c];
    }
    __syncthreads();
  }
  if (i < n)
    for (int c = 0; c < D; ++c)
      O[head + (size_t)i * D + c] = acc[c];
}

void attention(const float *Q, const float *K, const float *V, float *O,
               int heads, int n) {
  twoPass<<<dim3((n + BR - 1) / BR, heads), BR>>>(Q, K, V, O, n, 0.17677669f);
}
