// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same sliding window without saying so: every query reads its last W keys
// only, which is impossible for exact attention. Must be flagged:
// ioflor-uncovered-pairs (amounts to a window of W). A single query tile whose
// rows all lie past the first W keys also moves fewer words than exact attention
// must.
//
// Traffic in words, per head (d = D): Q loads n d, O stores n d. Each thread reads
// its own rows of K and V; a CTA's threads meet the same row at different trips, so
// K, V loads are d sum over CTAs and trips t of the rows i with
// t < min(i + 1, W), which are distinct: i - min(i, W - 1) + t.
#include <cuda_runtime.h>

constexpr int ROWS = 32, D = 32, W = 64;

__global__ void local(const float *__restrict__ Q, const float *__restrict__ K,
                      const float *__restrict__ V, float *__restrict__ O,
                      int n, float scale) {
  const int i = blockIdx.x * ROWS + threadIdx.x;
  if (i >= n)
    return;
  const size_t head = (size_t)blockIdx.y * n * D;
  float q[D], acc[D] = {}, highest = -1e30f, sum = 0.0f;
  for (int c = 0; c < D; ++c)
    q[c] = Q[head + (size_t)i * D + c];
  for (int j = max(0, i - W + 1); j <= i; ++j) {
    float s = 0.0f;
    for (int c = 0; c < D; ++c)
      s += q[c] * K[head + (size_t)j * D + c];
    s *= scale;
    const float next = fmaxf(highest, s);
    const float keep = expf(highest - next), p = expf(s - next);
    sum = sum * keep + p;
    for (int c = 0; c < D; ++c)
      acc[c] = acc[c] * keep + p * V[head + (size_t)j * D + c];
    highest = next;
  }
  for (int c = 0; c < D; ++c)
    O[head + (size_t)i * D + c] = acc[c] / sum;
}

void attention(const float *Q, const float *K, const float *V, float *O,
               int heads, int n) {
  local<<<dim3((n + ROWS - 1) / ROWS, heads), ROWS>>>(Q, K, V, O, n,
                                                      0.17677669f);
}
