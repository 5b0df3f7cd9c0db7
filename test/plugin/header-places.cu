// What happens in a function of the toolkit's headers is said at its call: Clang
// shows no diagnostics in system headers.
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DLAST=63 %s 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DLAST=65 %s 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DLAST=65 -DALONE %s 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -fplugin-arg-ioflor-emit=skeleton %s 2>/dev/null | FileCheck %s --check-prefix=STAGES
// SHORT: header-places.cu:{{[0-9]+}}:{{.*}}the score of pair (0, 63) is not in the output at n = 65
// ALONE: header-places.cu:[[#@LINE+27]]:{{.*}}pair (0, 64) is added 2 times
// TWICE: header-places.cu:{{[0-9]+}}:{{.*}}pair (0, 64) is added 2 times to the weighted sum
// Both launches are one subject, though their buffers meet in atomics only.
// STAGES: ioflor.stage @stage1
// STAGES: ioflor.stage @stage2
#include <cuda_runtime.h>
#define D 32
#ifndef LAST
#define LAST 64
#endif

__global__ void part(const float *Q, const float *K, const float *V, float *sums,
                     float *weights, int n) {
  int i = blockIdx.x * 64 + threadIdx.x, begin = blockIdx.y * 64;
  if (i >= n)
    return;
  float acc[D] = {}, l = 0;
  for (int j = begin; j < min(n, begin + LAST); ++j) {
    float s = 0;
    for (int c = 0; c < D; ++c)
      s += Q[i * D + c] * K[j * D + c];
    float w = expf(s);
    l += w;
    for (int c = 0; c < D; ++c)
      acc[c] += w * V[j * D + c];
  }
  for (int c = 0; c < D; ++c)
    atomicAdd(&sums[i * D + c], acc[c]);
  atomicAdd(&weights[i], l);
}

__global__ void divide(const float *sums, const float *weights, float *O, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n)
    return;
  for (int c = 0; c < D; ++c)
    O[i * D + c] = sums[i * D + c] / weights[i];
}

void run(const float *Q, const float *K, const float *V, float *sums,
         float *weights, float *O, int n) {
  int tiles = (n + 63) / 64;
  cudaMemset(sums, 0, sizeof(float) * n * D);
  cudaMemset(weights, 0, sizeof(float) * n);
  part<<<dim3(tiles, tiles), 64>>>(Q, K, V, sums, weights, n);
#ifndef ALONE
  divide<<<tiles, 64>>>(sums, weights, O, n);
#endif
}
