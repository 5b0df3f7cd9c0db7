// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A two-dimensional block and shared memory sized at launch: d is a runtime
// value. Threads (x, y): y is the query row of the tile, x walks keys and columns.
// The kernel needs d <= 128 and says so. Exact.
//
// Traffic in words, Tr = ceil(nq/BR), per head:
//   Q loads nq d    K, V loads Tr nk d each    O stores nq d
#include <cassert>
#include <cuda_runtime.h>

#define BR 16
#define BC 16
#define MAX_D 128

__global__ void block2d(const float *Q, const float *K, const float *V,
                        float *O, int nq, int nk, int d) {
  extern __shared__ float memory[];
  float *qs = memory;
  float *ks = qs + BR * d;
  float *vs = ks + BC * d;
  float *ss = vs + BC * d;
  const int x = threadIdx.x, y = threadIdx.y;
  const int i = blockIdx.x * BR + y;
  const float *q = Q + (size_t)blockIdx.y * nq * d;
  const float *k = K + (size_t)blockIdx.y * nk * d;
  const float *v = V + (size_t)blockIdx.y * nk * d;
  float *o = O + (size_t)blockIdx.y * nq * d;
  const float scale = rsqrtf((float)d);

  if (i < nq)
    for (int c = x; c < d; c += BC)
      qs[y * d + c] = q[(size_t)i * d + c];
  float acc[MAX_D / BC];
  for (int t = 0; t < MAX_D / BC; ++t)
    acc[t] = 0.0f;
  float highest = -INFINITY, sum = 0.0f;

  for (int j0 = 0; j0 < nk; j0 += BC) {
    const int j = j0 + y;
    if (j < nk)
      for (int c = x; c < d; c += BC) {
        ks[y * d + c] = k[(size_t)j * d + c];
        vs[y * d + c] = v[(size_t)j * d + c];
      }
    __syncthreads();
    const int keys = min(BC, nk - j0);
    if (x < keys && i < nq) {
      float s = 0.0f;
      for (int c = 0; c < d; ++c)
        s += qs[y * d + c] * ks[x * d + c];
      ss[y * BC + x] = s * scale;
    }
    __syncthreads();
    if (i < nq) {
      float next = highest;
      for (int t = 0; t < keys; ++t)
        next = fmaxf(next, ss[y * BC + t]);
      const float keep = __expf(highest - next);
      sum *= keep;
      for (int t = 0; t < MAX_D / BC; ++t)
        acc[t] *= keep;
      for (int t = 0; t < keys; ++t) {
        const float p = __expf(ss[y * BC + t] - next);
        sum += p;
        for (int u = 0, c = x; c < d; ++u, c += BC)
          acc[u] += p * vs[t * d + c];
      }
      highest = next;
    }
    __syncthreads();
  }
  if (i < nq)
    for (int u = 0, c = x; c < d; ++u, c += BC)
      o[(size_t)i * d + c] = acc[u] / sum;
}

void attention(const float *Q, const float *K, const float *V, float *O,
               int heads, int nq, int nk, int d) {
  assert(d <= MAX_D);
  const dim3 grid((nq + BR - 1) / BR, heads), block(BC, BR);
  const size_t bytes = sizeof(float) * (BR * d + 2 * BC * d + BR * BC);
  cudaFuncSetAttribute(block2d, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       (int)bytes);
  block2d<<<grid, block, bytes>>>(Q, K, V, O, nq, nk, d);
}
