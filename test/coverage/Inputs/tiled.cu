// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exact attention by small tiles, and by -D its faults, one each. The comments
// of variants.test say what each must be found to be.
#include <cuda_runtime.h>
#include <ioflor/annotations.h>

#ifndef DISCLOSE
#define DISCLOSE
#endif
#ifndef KEY_TILES // of the loop over key tiles
#define KEY_TILES j0 < n
#endif
#ifndef KEY_STEP
#define KEY_STEP BC
#endif
#ifndef KEY_BEGIN
#define KEY_BEGIN 0
#endif
#ifndef LOAD_KEY // the tile that is loaded
#define LOAD_KEY j0
#endif
#ifndef FILL // where there is no key
#define FILL(x)
#endif
#ifndef KEYS // of a tile that are scored
#define KEYS min(BC, n - j0)
#endif
#ifndef VISIBLE
#define VISIBLE(i, j) true
#endif
#ifndef COLUMNS
#define COLUMNS D
#endif
#ifndef KV_HEAD
#define KV_HEAD blockIdx.y
#endif
#ifndef VALUE
#define VALUE v
#endif
#ifndef STORED
#define STORED i < n
#endif
#ifndef OUT
#define OUT i
#endif
#ifndef GRID
#define GRID (n + BR - 1) / BR
#endif

constexpr int BR = 8, BC = 4, D = 4;

DISCLOSE __global__ void tiled(const float *Q, const float *K, const float *V,
                               float *O, int n) {
  __shared__ float k[BC][D], v[BC][D];
  const int i = blockIdx.x * BR + threadIdx.x;
  const size_t head = (size_t)blockIdx.y * n * D, kv = (size_t)KV_HEAD * n * D;
  float q[D], acc[D], top = -INFINITY, sum = 0;
  for (int c = 0; c < D; ++c) {
    q[c] = i < n ? Q[head + i * D + c] : 0;
    acc[c] = 0;
  }
  for (int j0 = KEY_BEGIN; KEY_TILES; j0 += KEY_STEP) {
    __syncthreads();
    for (int e = threadIdx.x; e < BC * D; e += BR)
      if (LOAD_KEY + e / D < n) {
        k[e / D][e % D] = K[kv + (LOAD_KEY + e / D) * D + e % D];
        v[e / D][e % D] = V[kv + (LOAD_KEY + e / D) * D + e % D];
      } else {
        FILL(k[e / D][e % D]);
        FILL(v[e / D][e % D]);
      }
    __syncthreads();
    for (int j = 0; j < KEYS; ++j) {
      float s = 0;
      for (int c = 0; c < COLUMNS; ++c)
        s += q[c] * k[j][c];
      if (!(VISIBLE(i, (j0 + j))))
        s = -INFINITY;
      const float next = fmaxf(top, s), keep = expf(top - next),
                  p = expf(s - next);
      sum = sum * keep + p;
      for (int c = 0; c < D; ++c)
        acc[c] = acc[c] * keep + p * VALUE[j][c];
      top = next;
    }
  }
  if (STORED)
    for (int c = 0; c < D; ++c)
      O[head + (OUT) * D + c] = acc[c] / sum;
}

void attention(const float *Q, const float *K, const float *V, float *O,
               int heads, int n) {
  tiled<<<dim3(GRID, heads), BR>>>(Q, K, V, O, n);
}
