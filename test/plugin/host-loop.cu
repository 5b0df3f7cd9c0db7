// RUN: %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only %s 2>&1 | FileCheck %s

// A pipeline in a loop over batches: the softmax uses nothing that the loop
// counts, yet runs as often as its companions.
#include <cuda_runtime.h>

__global__ void scores(const float *Q, const float *K, float *S, int n) {
  const int i = blockIdx.x, j = threadIdx.x + blockIdx.y * 32;
  if (j >= n)
    return;
  float s = 0.f;
  for (int c = 0; c < 16; ++c)
    s += Q[i * 16 + c] * K[j * 16 + c];
  S[i * n + j] = s * 0.25f;
}

__global__ void normalise(float *S, int n) {
  float *row = S + (size_t)blockIdx.x * n;
  float hi = -1e30f, sum = 0.f;
  for (int j = 0; j < n; ++j)
    hi = fmaxf(hi, row[j]);
  for (int j = 0; j < n; ++j)
    sum += expf(row[j] - hi);
  for (int j = 0; j < n; ++j)
    row[j] = expf(row[j] - hi) / sum;
}

__global__ void weigh(const float *S, const float *V, float *O, int n) {
  const int i = blockIdx.x, c = threadIdx.x;
  float s = 0.f;
  for (int j = 0; j < n; ++j)
    s += S[i * n + j] * V[j * 16 + c];
  O[i * 16 + c] = s;
}

void attention(const float *Q, const float *K, const float *V, float *S,
               float *O, int batches, int n) {
  for (int b = 0; b < batches; ++b) {
    const int at = b * n * 16;
    scores<<<dim3(n, (n + 31) / 32), 32>>>(Q + at, K + at, S, n);
    normalise<<<n, 1>>>(S, n);
    weigh<<<n, 16>>>(S, V + at, O + at, n);
  }
}

// Scores: stored once, read and rewritten by the softmax (three reads, one
// store), read by the product with V; every count has the factor `batches`.
// CHECK: warning: scores go through slow memory in 'S': 6*batches*n**2 words
// CHECK: note: derived: 38*batches*n**2 + 16*batches*n*ceildiv(n, 32) + 16*batches*n words for exact attention
