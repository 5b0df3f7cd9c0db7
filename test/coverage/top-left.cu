// Where an execution has only square sizes both alignments of a causal mask fit;
// the declared one is then the one that is compared with the proof.
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only %s 2>&1 | FileCheck %s
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DSUM='l * fade + expf(-m)' %s 2>&1 | FileCheck %s --check-prefix=UNDIVIDED --implicit-check-not=ioflor-certified
// CHECK: certified causal (top-left) attention
// Divided by something, but by no sum of weights.
// UNDIVIDED: the output is divided by no sum of weights
#include <cuda_runtime.h>
#include <ioflor/annotations.h>
#define D 32
#ifndef SUM
#define SUM l * fade + w
#endif

IOFLOR_CAUSAL_TOP_LEFT
__global__ void rows(const float *Q, const float *K, const float *V, float *O,
                     int nq, int nk) {
  int i = blockIdx.x * 64 + threadIdx.x, h = blockIdx.y;
  if (i >= nq)
    return;
  float acc[D] = {}, m = -1e30f, l = 0;
  for (int j = 0; j < nk; ++j) {
    if (j > i)
      continue;
    float s = 0;
    for (int c = 0; c < D; ++c)
      s += Q[(h * nq + i) * D + c] * K[(h * nk + j) * D + c];
    float next = fmaxf(m, s), w = expf(s - next), fade = expf(m - next);
    m = next;
    l = SUM;
    for (int c = 0; c < D; ++c)
      acc[c] = acc[c] * fade + w * V[(h * nk + j) * D + c];
  }
  for (int c = 0; c < D; ++c)
    O[(h * nq + i) * D + c] = acc[c] / l;
}

void run(const float *Q, const float *K, const float *V, float *O, int heads,
         int nq, int nk) {
  if (nq > nk)
    return;
  rows<<<dim3((nq + 63) / 64, heads), 64>>>(Q, K, V, O, nq, nk);
}
