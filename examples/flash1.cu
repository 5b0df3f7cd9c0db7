// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of FlashAttention-1: key tiles outside, query tiles inside, so output
// and statistics are read and written once a key tile. Exact.
//
// Traffic in words, Tc = ceil(n/BC), per head (d = D):
//   K, V loads   n d each                 Q loads    Tc n d
//   O            Tc n d loads and stores  l, m       Tc n loads and stores each
// The initial values of O, l and m add stores of n d + 2 n by another kernel.
#include <cuda_runtime.h>

template <int D>
__global__ void initialise(float *O, float *l, float *m, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n)
    return;
  size_t at = (size_t)blockIdx.y * n + row;
  for (int c = 0; c < D; ++c)
    O[at * D + c] = 0.0f;
  l[at] = 0.0f;
  m[at] = -INFINITY;
}

template <int BR, int BC, int D>
__global__ void flash1(const float *Q, const float *K, const float *V, float *O,
                       float *l, float *m, int n, float scale) {
  __shared__ float ks[BC][D];
  __shared__ float vs[BC][D];
  const int tid = threadIdx.x;
  const size_t rows = (size_t)blockIdx.x * n;
  for (int j0 = 0; j0 < n; j0 += BC) {
    const int keys = min(BC, n - j0);
    __syncthreads();
    for (int e = tid; e < keys * D; e += BR) {
      ks[e / D][e % D] = K[(rows + j0) * D + e];
      vs[e / D][e % D] = V[(rows + j0) * D + e];
    }
    __syncthreads();
    for (int i0 = 0; i0 < n; i0 += BR) {
      const int i = i0 + tid;
      if (i >= n)
        continue;
      float q[D], s[BC];
      for (int c = 0; c < D; ++c)
        q[c] = Q[(rows + i) * D + c];
      const float mOld = m[rows + i];
      const float lOld = l[rows + i];
      float mNew = mOld;
      for (int j = 0; j < keys; ++j) {
        s[j] = 0.0f;
        for (int c = 0; c < D; ++c)
          s[j] += q[c] * ks[j][c];
        s[j] *= scale;
        mNew = fmaxf(mNew, s[j]);
      }
      float lTile = 0.0f;
      for (int j = 0; j < keys; ++j) {
        s[j] = __expf(s[j] - mNew);
        lTile += s[j];
      }
      const float keep = __expf(mOld - mNew);
      const float lNew = keep * lOld + lTile;
      for (int c = 0; c < D; ++c) {
        float pv = 0.0f;
        for (int j = 0; j < keys; ++j)
          pv += s[j] * vs[j][c];
        const size_t at = (rows + i) * D + c;
        O[at] = (keep * lOld * O[at] + pv) / lNew;
      }
      l[rows + i] = lNew;
      m[rows + i] = mNew;
    }
  }
}

void attention(const float *Q, const float *K, const float *V, float *O,
               float *l, float *m, int heads, int n) {
  constexpr int BR = 32, BC = 16, D = 32;
  initialise<D><<<dim3((n + 127) / 128, heads), 128>>>(O, l, m, n);
  flash1<BR, BC, D><<<heads, BR>>>(Q, K, V, O, l, m, n, 0.17677669f);
}
