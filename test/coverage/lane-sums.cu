// A score summed over the lanes of a warp, in the ways that kernels do it.
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DXOR %s 2>&1 | FileCheck %s
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DDOWN %s 2>&1 | FileCheck %s
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DUPWARDS %s 2>&1 | FileCheck %s
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DHALVES %s 2>&1 | FileCheck %s
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DXOR -DROWS=128 %s 2>&1 | FileCheck %s
// One step missing; a step twice; a lane that got a part of the sum; half of
// the lanes summed where all are meant; a warp of which a part has left.
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DXOR -DFIRST=8 %s 2>&1 | FileCheck %s --check-prefix=MISSING --implicit-check-not=ioflor-certified
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DXOR -DAGAIN %s 2>&1 | FileCheck %s --check-prefix=AGAIN --implicit-check-not=ioflor-certified
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DDOWN -DLANE=1 %s 2>&1 | FileCheck %s --check-prefix=PART --implicit-check-not=ioflor-certified
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DHALVES -DFIRST=8 %s 2>&1 | FileCheck %s --check-prefix=MISSING --implicit-check-not=ioflor-certified
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DXOR -DLEAVE %s 2>&1 | FileCheck %s --check-prefix=LEFT --implicit-check-not=ioflor-certified
// CHECK: ioflor-certified
// MISSING: sums 32 of 64 columns
// AGAIN: the score of pair (0, 0) sums a column twice at n = 3 [ioflor-repeated-pairs]
// PART: the score of pair (0, 0) sums a column twice at n = 3 [ioflor-repeated-pairs]
// LEFT: column 16 of row 1 of O is never written at n = 3
#include <cuda_runtime.h>
#define D 64
#ifndef FIRST
#define FIRST 16
#endif
#ifndef LANE
#define LANE 0
#endif
#ifndef ROWS
#define ROWS 32
#endif
#define ALL 0xffffffffu

__device__ float sumOfLanes(float s) {
#if defined(XOR)
#pragma unroll
  for (int o = FIRST; o > 0; o >>= 1)
    s += __shfl_xor_sync(ALL, s, o);
#elif defined(DOWN)
  for (int o = FIRST; o > 0; o /= 2)
    s += __shfl_down_sync(ALL, s, o);
  s = __shfl_sync(ALL, s, LANE);
#elif defined(UPWARDS)
  for (int o = 1; o < 32; o *= 2)
    s += __shfl_up_sync(ALL, s, o);
  s = __shfl_sync(ALL, s, 31);
#elif defined(HALVES)
  for (int o = FIRST; o >= 4; o >>= 1)
    s += __shfl_xor_sync(ALL, s, o);
  s += __shfl_xor_sync(ALL, s, 1);
  s += __shfl_xor_sync(ALL, s, 2);
#endif
#ifdef AGAIN
  s += __shfl_xor_sync(ALL, s, 4);
#endif
  return s;
}

__global__ void rows(const float *Q, const float *K, const float *V, float *O,
                     int n) {
  int i = blockIdx.x * (ROWS / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
#ifdef LEAVE
  if (i >= n || (lane >= 16 && i == 1))
    return;
#else
  if (i >= n)
    return;
#endif
  float q0 = Q[i * D + lane], q1 = Q[i * D + lane + 32];
  float m = -INFINITY, l = 0, o0 = 0, o1 = 0;
  for (int j = 0; j < n; ++j) {
    float s = sumOfLanes(q0 * K[j * D + lane] + q1 * K[j * D + lane + 32]);
    float next = fmaxf(m, s), w = expf(s - next), fade = expf(m - next);
    l = l * fade + w;
    m = next;
    o0 = o0 * fade + w * V[j * D + lane];
    o1 = o1 * fade + w * V[j * D + lane + 32];
  }
  O[i * D + lane] = o0 / l;
  O[i * D + lane + 32] = o1 / l;
}

void run(const float *Q, const float *K, const float *V, float *O, int n) {
  rows<<<(n + ROWS / 32 - 1) / (ROWS / 32), ROWS>>>(Q, K, V, O, n);
}
