// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three kernels, one thread an output element: scores, softmax, weighted sum. The
// n x n matrix of scores crosses slow memory between them. Exact; the warning is
// ioflor-materialized-scores.
//
// Traffic in words, b = 16, per head:
//   Q, K loads   ceil(n/b) n d each       V loads   ceil(n/b) n d
//   S stores     2 n^2                    S loads   3 n^2 + ceil(d/b) n^2
//   O stores     n d
#include <cuda_runtime.h>

__global__ void scores(const float *Q, const float *K, float *S, int n, int d,
                       float scale) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n)
    return;
  float sum = 0.0f;
  for (int c = 0; c < d; ++c)
    sum += Q[i * d + c] * K[j * d + c];
  S[i * n + j] = sum * scale;
}

__global__ void softmax(float *S, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float *row = S + (size_t)i * n;
  float highest = -INFINITY;
  for (int j = 0; j < n; ++j)
    highest = fmaxf(highest, row[j]);
  float sum = 0.0f;
  for (int j = 0; j < n; ++j)
    sum += expf(row[j] - highest);
  for (int j = 0; j < n; ++j)
    row[j] = expf(row[j] - highest) / sum;
}

__global__ void weightedSum(const float *P, const float *V, float *O, int n,
                            int d) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || c >= d)
    return;
  float sum = 0.0f;
  for (int j = 0; j < n; ++j)
    sum += P[i * n + j] * V[j * d + c];
  O[i * d + c] = sum;
}

void attention(const float *Q, const float *K, const float *V, float *O, int n,
               int d) {
  float *S = nullptr;
  cudaMalloc(&S, sizeof(float) * n * n);
  dim3 block(16, 16);
  dim3 square((n + 15) / 16, (n + 15) / 16);
  dim3 tall((d + 15) / 16, (n + 15) / 16);
  scores<<<square, block>>>(Q, K, S, n, d, 1.0f / sqrtf((float)d));
  softmax<<<(n + 63) / 64, 64>>>(S, n);
  weightedSum<<<tall, block>>>(S, V, O, n, d);
  cudaFree(S);
}
