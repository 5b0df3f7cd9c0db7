// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cross attention: nq queries, nk keys, values narrower than keys. Exact.
//
// Traffic in words, Tr = ceil(nq/BR), per head (d = DK, dv = DV):
//   Q loads nq d    K loads Tr nk d    V loads Tr nk dv    O stores nq dv
#include <cuda_runtime.h>
#include <ioflor/annotations.h>

template <int BR, int BC, int DK, int DV>
IOFLOR_EXACT __global__ void
cross(const float *__restrict__ Q, const float *__restrict__ K,
      const float *__restrict__ V, float *__restrict__ O, int nq, int nk,
      float scale) {
  __shared__ float ks[BC][DK], vs[BC][DV];
  const int i = blockIdx.x * BR + threadIdx.x, h = blockIdx.y;
  float q[DK], acc[DV], highest = -INFINITY, sum = 0.0f;
  for (int c = 0; c < DK; ++c)
    q[c] = i < nq ? Q[((size_t)h * nq + i) * DK + c] : 0.0f;
  for (int c = 0; c < DV; ++c)
    acc[c] = 0.0f;
  for (int j0 = 0; j0 < nk; j0 += BC) {
    __syncthreads();
    for (int e = threadIdx.x; e < BC * DK; e += BR)
      if (j0 + e / DK < nk)
        ks[e / DK][e % DK] = K[((size_t)h * nk + j0) * DK + e];
    for (int e = threadIdx.x; e < BC * DV; e += BR)
      if (j0 + e / DV < nk)
        vs[e / DV][e % DV] = V[((size_t)h * nk + j0) * DV + e];
    __syncthreads();
    const int rows = min(BC, nk - j0);
    for (int j = 0; j < rows; ++j) {
      float s = 0.0f;
      for (int c = 0; c < DK; ++c)
        s += q[c] * ks[j][c];
      s *= scale;
      const float next = fmaxf(highest, s);
      const float keep = __expf(highest - next), p = __expf(s - next);
      sum = sum * keep + p;
      for (int c = 0; c < DV; ++c)
        acc[c] = acc[c] * keep + p * vs[j][c];
      highest = next;
    }
  }
  if (i < nq)
    for (int c = 0; c < DV; ++c)
      O[((size_t)h * nq + i) * DV + c] = acc[c] / sum;
}

void attention(const float *Q, const float *K, const float *V, float *O,
               int heads, int nq, int nk) {
  cross<32, 16, 48, 32><<<dim3((nq + 31) / 32, heads), 32>>>(
      Q, K, V, O, nq, nk, 0.14433757f);
}
