// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows are moved four floats at a time. A word is still one float: the counts are
// those of flash2.cu with one thread a row. Exact.
//
// Traffic in words, Tr = ceil(n/BR), per head (d = D):
//   Q loads n d    K, V loads Tr n d each    O stores n d
#include <cuda_runtime.h>

constexpr int BR = 64, BC = 32, D = 64, D4 = D / 4;

__device__ __forceinline__ float dot(float4 a, float4 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

__global__ void __launch_bounds__(BR)
    vectorised(const float *__restrict__ Q, const float *__restrict__ K,
               const float *__restrict__ V, float *__restrict__ O, int n,
               float scale) {
  __shared__ float4 ks[BC][D4], vs[BC][D4];
  const int i = blockIdx.x * BR + threadIdx.x;
  const size_t head = (size_t)blockIdx.y * n * D4;
  const float4 *q4 = reinterpret_cast<const float4 *>(Q) + head;
  const float4 *k4 = reinterpret_cast<const float4 *>(K) + head;
  const float4 *v4 = reinterpret_cast<const float4 *>(V) + head;
  float4 *o4 = reinterpret_cast<float4 *>(O) + head;
  float4 q[D4], acc[D4];
  float highest = -INFINITY, sum = 0.0f;
  for (int c = 0; c < D4; ++c) {
    q[c] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (i < n)
      q[c] = q4[(size_t)i * D4 + c];
    acc[c] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  }
  for (int j0 = 0; j0 < n; j0 += BC) {
    for (int e = threadIdx.x; e < BC * D4; e += BR)
      if (j0 + e / D4 < n) {
        ks[e / D4][e % D4] = k4[(size_t)j0 * D4 + e];
        vs[e / D4][e % D4] = v4[(size_t)j0 * D4 + e];
      }
    __syncthreads();
    for (int j = 0; j < BC && j0 + j < n; ++j) {
      float s = 0.0f;
#pragma unroll
      for (int c = 0; c < D4; ++c)
        s += dot(q[c], ks[j][c]);
      s *= scale;
      const float next = fmaxf(highest, s);
      const float keep = __expf(highest - next), p = __expf(s - next);
      sum = sum * keep + p;
#pragma unroll
      for (int c = 0; c < D4; ++c) {
        acc[c].x = acc[c].x * keep + p * vs[j][c].x;
        acc[c].y = acc[c].y * keep + p * vs[j][c].y;
        acc[c].z = acc[c].z * keep + p * vs[j][c].z;
        acc[c].w = acc[c].w * keep + p * vs[j][c].w;
      }
      highest = next;
    }
    __syncthreads();
  }
  if (i < n) {
    const float inverse = 1.0f / sum;
    for (int c = 0; c < D4; ++c)
      o4[(size_t)i * D4 + c] =
          make_float4(acc[c].x * inverse, acc[c].y * inverse,
                      acc[c].z * inverse, acc[c].w * inverse);
  }
}

void attention(const float *Q, const float *K, const float *V, float *O,
               int heads, int n) {
  vectorised<<<dim3((n + BR - 1) / BR, heads), BR>>>(Q, K, V, O, n, 0.125f);
}
