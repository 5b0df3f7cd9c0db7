// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grouped-query attention that reads each key and value once for all the query
// heads of its group: a CTA owns a KV head and a tile of positions, one thread a
// (head of the group, position). Exact.
//
// Traffic in words, Tr = ceil(nq/BR), per KV head (g = GROUP, d = D):
//   Q loads g nq d    K, V loads Tr nk d each    O stores g nq d
#include <cuda_runtime.h>
#include <ioflor/annotations.h>

template <int GROUP, int BR, int BC, int D>
IOFLOR_EXACT __global__ void
grouped(const float *__restrict__ Q, const float *__restrict__ K,
        const float *__restrict__ V, float *__restrict__ O, int nq, int nk,
        float scale) {
  constexpr int THREADS = GROUP * BR;
  __shared__ float ks[BC * D], vs[BC * D];
  const int kvHead = blockIdx.y;
  const int head = kvHead * GROUP + threadIdx.x / BR;
  const int i = blockIdx.x * BR + threadIdx.x % BR;
  const float *k = K + (size_t)kvHead * nk * D;
  const float *v = V + (size_t)kvHead * nk * D;
  const size_t mine = ((size_t)head * nq + i) * D;
  float q[D], acc[D], highest = -INFINITY, sum = 0.0f;
  for (int c = 0; c < D; ++c) {
    q[c] = i < nq ? Q[mine + c] * scale : 0.0f;
    acc[c] = 0.0f;
  }
  for (int j0 = 0; j0 < nk; j0 += BC) {
    const int rows = min(BC, nk - j0);
    for (int e = threadIdx.x; e < rows * D; e += THREADS) {
      ks[e] = k[(size_t)j0 * D + e];
      vs[e] = v[(size_t)j0 * D + e];
    }
    __syncthreads();
    for (int r = 0; r < rows; ++r) {
      float s = 0.0f;
      for (int c = 0; c < D; ++c)
        s += q[c] * ks[r * D + c];
      const float next = fmaxf(highest, s);
      const float keep = __expf(highest - next), p = __expf(s - next);
      sum = sum * keep + p;
      for (int c = 0; c < D; ++c)
        acc[c] = acc[c] * keep + p * vs[r * D + c];
      highest = next;
    }
    __syncthreads();
  }
  if (i < nq)
    for (int c = 0; c < D; ++c)
      O[mine + c] = acc[c] / sum;
}

void attention(const float *Q, const float *K, const float *V, float *O,
               int kvHeads, int nq, int nk) {
  constexpr int GROUP = 4, BR = 16, BC = 32, D = 32;
  grouped<GROUP, BR, BC, D><<<dim3((nq + BR - 1) / BR, kvHeads), GROUP * BR>>>(
      Q, K, V, O, nq, nk, 0.17677669f);
}
