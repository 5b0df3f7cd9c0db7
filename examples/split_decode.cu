// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decoding with split keys: each CTA attends one query to a chunk of the cache and
// leaves a partial output with its maximum and sum; a second kernel combines them.
// Exact.
//
// Traffic in words, S = the splits that are not empty (chunk = ceil(n/splits),
// S = ceil(n/chunk)), per head (d = D):
//   Q loads S d    K, V loads n d each    O stores d
//   partial        S d stores and loads   stats  2 S stores, 2 S loads a pass
// The combining kernel walks the statistics twice (maximum, then weights), and
// each of its threads reads them.
#include <cuda_runtime.h>

constexpr int D = 64, WARPS = 4;

__global__ void partialAttention(const float *__restrict__ Q,
                                 const float *__restrict__ K,
                                 const float *__restrict__ V,
                                 float *__restrict__ partial,
                                 float *__restrict__ stats, int n, int chunk,
                                 float scale) {
  __shared__ float query[D];
  __shared__ float scores[WARPS];
  const int split = blockIdx.x, head = blockIdx.y, splits = gridDim.x;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int begin = split * chunk, end = min(n, begin + chunk);
  if (threadIdx.x < D)
    query[threadIdx.x] = Q[head * D + threadIdx.x] * scale;
  __syncthreads();
  float acc = 0.0f, highest = -INFINITY, sum = 0.0f;
  for (int j0 = begin; j0 < end; j0 += WARPS) {
    const int j = j0 + warp;
    if (j < end) {
      const float *key = K + ((size_t)head * n + j) * D;
      float s = query[lane] * key[lane] + query[lane + 32] * key[lane + 32];
      for (int offset = 16; offset > 0; offset /= 2)
        s += __shfl_xor_sync(0xffffffff, s, offset);
      if (lane == 0)
        scores[warp] = s;
    }
    __syncthreads();
    const int keys = min(WARPS, end - j0);
    for (int t = 0; t < keys; ++t) {
      const float next = fmaxf(highest, scores[t]);
      const float keep = __expf(highest - next), p = __expf(scores[t] - next);
      sum = sum * keep + p;
      if (threadIdx.x < D)
        acc = acc * keep + p * V[((size_t)head * n + j0 + t) * D + threadIdx.x];
      highest = next;
    }
    __syncthreads();
  }
  const size_t at = (size_t)head * splits + split;
  if (threadIdx.x < D)
    partial[at * D + threadIdx.x] = acc;
  if (threadIdx.x == 0) {
    stats[at * 2] = highest;
    stats[at * 2 + 1] = sum;
  }
}

__global__ void combine(const float *__restrict__ partial,
                        const float *__restrict__ stats, float *__restrict__ O,
                        int splits) {
  const int head = blockIdx.x, c = threadIdx.x;
  const float *s = stats + (size_t)head * splits * 2;
  float highest = -INFINITY;
  for (int t = 0; t < splits; ++t)
    highest = fmaxf(highest, s[2 * t]);
  float acc = 0.0f, sum = 0.0f;
  for (int t = 0; t < splits; ++t) {
    const float weight = __expf(s[2 * t] - highest);
    sum += weight * s[2 * t + 1];
    acc += weight * partial[((size_t)head * splits + t) * D + c];
  }
  O[head * D + c] = acc / sum;
}

void attention(const float *Q, const float *K, const float *V, float *O,
               float *partial, float *stats, int heads, int n, int splits) {
  const int chunk = (n + splits - 1) / splits;
  const int used = (n + chunk - 1) / chunk;
  partialAttention<<<dim3(used, heads), 32 * WARPS>>>(Q, K, V, partial, stats, n,
                                                      chunk, 0.125f);
  combine<<<heads, D>>>(partial, stats, O, used);
}
