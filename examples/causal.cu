// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Causal attention, disclosed, that skips the key tiles above the diagonal.
// Certified against n (n + 1) / 2 pairs.
//
// Traffic in words, Tr = ceil(n/BR), per head (d = D):
//   Q loads n d    O stores n d
//   K, V loads d sum_{t < Tr} min(n, (t + 1) BR) each; for BR | n that is
//   d BR Tr (Tr + 1) / 2
#include <cuda_runtime.h>
#include <ioflor/annotations.h>

template <typename T, int BR, int BC, int D> struct CausalTile {
  T keys[BC][D];
  T values[BC][D];
};

template <typename T, int BR, int BC, int D>
IOFLOR_CAUSAL __global__ void
causalAttention(const T *__restrict__ Q, const T *__restrict__ K,
                const T *__restrict__ V, T *__restrict__ O, int n, T scale) {
  static_assert(BR % BC == 0, "a query tile ends at the end of a key tile");
  __shared__ CausalTile<T, BR, BC, D> tile;
  const int i = blockIdx.x * BR + threadIdx.x;
  const T *q = Q + ((size_t)blockIdx.y * n + i) * D;
  const T *k = K + (size_t)blockIdx.y * n * D;
  const T *v = V + (size_t)blockIdx.y * n * D;
  T row[D], acc[D], highest = -INFINITY, sum = 0;
#pragma unroll
  for (int c = 0; c < D; ++c) {
    row[c] = i < n ? q[c] * scale : T(0);
    acc[c] = 0;
  }
  const int tiles = (min(n, (int)(blockIdx.x + 1) * BR) + BC - 1) / BC;
  for (int t = 0; t < tiles; ++t) {
    __syncthreads();
    for (int e = threadIdx.x; e < BC * D; e += BR) {
      const int j = t * BC + e / D;
      if (j < n) {
        tile.keys[e / D][e % D] = k[(size_t)j * D + e % D];
        tile.values[e / D][e % D] = v[(size_t)j * D + e % D];
      }
    }
    __syncthreads();
    if (i < n)
      for (int j = 0; j < BC && t * BC + j <= i; ++j) {
        T s = 0;
#pragma unroll
        for (int c = 0; c < D; ++c)
          s += row[c] * tile.keys[j][c];
        const T next = fmaxf(highest, s);
        const T keep = __expf(highest - next), p = __expf(s - next);
        sum = sum * keep + p;
#pragma unroll
        for (int c = 0; c < D; ++c)
          acc[c] = acc[c] * keep + p * tile.values[j][c];
        highest = next;
      }
  }
  if (i < n)
    for (int c = 0; c < D; ++c)
      O[((size_t)blockIdx.y * n + i) * D + c] = acc[c] / sum;
}

void attention(const float *Q, const float *K, const float *V, float *O,
               int heads, int n) {
  constexpr int BR = 32, BC = 16, D = 64;
  causalAttention<float, BR, BC, D>
      <<<dim3((n + BR - 1) / BR, heads), BR>>>(Q, K, V, O, n, 0.125f);
}
