// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No index arithmetic in the loops: pointers advance by a tile, and a count of the
// rows that are left ends the walk. Exact.
//
// Traffic in words, Tr = ceil(n/BR), per head (d = D):
//   Q loads n d    K, V loads Tr n d each    O stores n d
#include <cuda_runtime.h>

constexpr int BR = 32, BC = 32, D = 32;

__global__ void bumping(const float *q, const float *k, const float *v,
                        float *o, int n, float scale) {
  __shared__ float ks[BC * D], vs[BC * D];
  const int i = blockIdx.x * BR + threadIdx.x;
  const size_t offset = (size_t)blockIdx.y * n * D;
  q += offset + (size_t)i * D;
  o += offset + (size_t)i * D;
  k += offset;
  v += offset;
  float row[D], acc[D] = {}, highest = -1e30f, sum = 0.0f;
  if (i < n)
    for (float *to = row; to != row + D;)
      *to++ = *q++ * scale;
  int left = n;
  do {
    const int rows = left < BC ? left : BC;
    for (int e = threadIdx.x; e < rows * D; e += BR) {
      ks[e] = k[e];
      vs[e] = v[e];
    }
    __syncthreads();
    if (i < n) {
      const float *key = ks, *value = vs;
      for (int r = rows; r > 0; --r) {
        float s = 0.0f;
        for (int c = 0; c < D; ++c)
          s += row[c] * *key++;
        const float next = fmaxf(highest, s);
        const float keep = __expf(highest - next), p = __expf(s - next);
        sum = sum * keep + p;
        for (int c = 0; c < D; ++c)
          acc[c] = acc[c] * keep + p * *value++;
        highest = next;
      }
    }
    __syncthreads();
    k += BC * D;
    v += BC * D;
    left -= BC;
  } while (left > 0);
  if (i < n)
    for (int c = 0; c < D; ++c)
      *o++ = acc[c] / sum;
}

void attention(const float *Q, const float *K, const float *V, float *O,
               int heads, int n) {
  bumping<<<dim3((n + BR - 1) / BR, heads), BR>>>(Q, K, V, O, n, 0.17677669f);
}
