// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles are copied by a lambda that takes where to read from; indices and ceilings
// are macros; the softmax state is a struct with a member function. Exact.
//
// Traffic in words, Tr = ceil(n/BR), per head (d = D):
//   Q loads n d    K, V loads Tr n d each    O stores n d
#include <cuda_runtime.h>

#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))
#define AT(row, column) ((size_t)(row) * D + (column))
#define FOR_EACH(c, count) for (int c = 0; c < (count); ++c)

template <int D> struct Softmax {
  float highest = -INFINITY, sum = 0.0f, acc[D] = {};
  __device__ void add(float score, const float *value) {
    const float next = fmaxf(highest, score);
    const float keep = __expf(highest - next), p = __expf(score - next);
    sum = sum * keep + p;
    FOR_EACH(c, D) acc[c] = acc[c] * keep + p * value[c];
    highest = next;
  }
};

template <int BR, int BC, int D>
__global__ void withLambdas(const float *__restrict__ Q,
                            const float *__restrict__ K,
                            const float *__restrict__ V,
                            float *__restrict__ O, int n, float scale) {
  __shared__ float ks[BC][D], vs[BC][D];
  const int i = blockIdx.x * BR + threadIdx.x;
  const size_t head = AT((size_t)blockIdx.y * n, 0);
  auto stage = [&](float(*to)[D], const float *from, int j0) {
    for (int e = threadIdx.x; e < BC * D; e += blockDim.x) {
      const int r = e / D, c = e % D;
      if (j0 + r < n)
        to[r][c] = from[head + AT(j0 + r, c)];
    }
  };
  auto score = [&](const float *q, int j) {
    float s = 0.0f;
    FOR_EACH(c, D) s += q[c] * ks[j][c];
    return s * scale;
  };
  float q[D];
  FOR_EACH(c, D) q[c] = i < n ? Q[head + AT(i, c)] : 0.0f;
  Softmax<D> state;
  FOR_EACH(tile, CEIL_DIV(n, BC)) {
    stage(ks, K, tile * BC);
    stage(vs, V, tile * BC);
    __syncthreads();
    for (int j = 0; j < BC && tile * BC + j < n; ++j)
      state.add(score(q, j), vs[j]);
    __syncthreads();
  }
  if (i < n)
    FOR_EACH(c, D) O[head + AT(i, c)] = state.acc[c] / state.sum;
}

void attention(const float *Q, const float *K, const float *V, float *O,
               int heads, int n) {
  const dim3 grid(CEIL_DIV(n, 64), heads);
  withLambdas<64, 32, 32><<<grid, 64>>>(Q, K, V, O, n, 0.17677669f);
}
