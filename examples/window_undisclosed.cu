// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same sliding window without saying so: every query reads its last W keys
// only, which is impossible for exact attention. Must be flagged:
// ioflor-uncovered-pairs (amounts to a window of W) and ioflor-sub-floor, since
// n d (W + 1) words of Q and K are less than n^2 d^2 / (2 M) once
// n > 2 M (W + 1) / d.
//
// Traffic in words, per head (d = D): Q loads n d, O stores n d. Thread i meets
// row max(0, i - W + 1) + t at trip t: in a CTA past the first W rows no two
// threads meet a row at the same trip, so K, V loads are W n d each but for the
// first rows.
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
