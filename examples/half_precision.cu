// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Half precision operands moved as half2, arithmetic in float. A word is one half:
// counts in words are those of float, bytes are half as many. Exact.
//
// Traffic in words (2 bytes each), Tr = ceil(n/BR), per head (d = D):
//   Q loads n d    K, V loads Tr n d each    O stores n d
#include <cuda_fp16.h>
#include <cuda_runtime.h>

template <int BR, int BC, int D>
__global__ void halfAttention(const half *__restrict__ Q,
                              const half *__restrict__ K,
                              const half *__restrict__ V,
                              half *__restrict__ O, int n, float scale) {
  constexpr int D2 = D / 2;
  __shared__ half2 ks[BC][D2], vs[BC][D2];
  const int i = blockIdx.x * BR + threadIdx.x;
  const size_t head = (size_t)blockIdx.y * n * D;
  const half2 *q2 = (const half2 *)(Q + head + (size_t)i * D);
  const half2 *k2 = (const half2 *)(K + head);
  const half2 *v2 = (const half2 *)(V + head);
  half2 *o2 = (half2 *)(O + head + (size_t)i * D);
  float2 q[D2], acc[D2];
  float highest = -INFINITY, sum = 0.0f;
  for (int c = 0; c < D2; ++c) {
    q[c] = i < n ? __half22float2(q2[c]) : make_float2(0.0f, 0.0f);
    acc[c] = make_float2(0.0f, 0.0f);
  }
  for (int j0 = 0; j0 < n; j0 += BC) {
    const int rows = min(BC, n - j0);
    for (int e = threadIdx.x; e < rows * D2; e += BR) {
      ks[e / D2][e % D2] = k2[(size_t)j0 * D2 + e];
      vs[e / D2][e % D2] = v2[(size_t)j0 * D2 + e];
    }
    __syncthreads();
    for (int j = 0; j < rows; ++j) {
      float s = 0.0f;
      for (int c = 0; c < D2; ++c) {
        const float2 key = __half22float2(ks[j][c]);
        s += q[c].x * key.x + q[c].y * key.y;
      }
      s *= scale;
      const float next = fmaxf(highest, s);
      const float keep = __expf(highest - next), p = __expf(s - next);
      sum = sum * keep + p;
      for (int c = 0; c < D2; ++c) {
        const float2 value = __half22float2(vs[j][c]);
        acc[c].x = acc[c].x * keep + p * value.x;
        acc[c].y = acc[c].y * keep + p * value.y;
      }
      highest = next;
    }
    __syncthreads();
  }
  if (i < n)
    for (int c = 0; c < D2; ++c)
      o2[c] = __floats2half2_rn(acc[c].x / sum, acc[c].y / sum);
}

void attention(const half *Q, const half *K, const half *V, half *O, int heads,
               int n) {
  constexpr int BR = 32, BC = 64, D = 64;
  halfAttention<BR, BC, D>
      <<<dim3((n + BR - 1) / BR, heads), BR>>>(Q, K, V, O, n, 0.125f);
}
