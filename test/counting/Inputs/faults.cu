// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the harness must refuse rather than count wrongly.
#include <cuda_runtime.h>

__device__ float walk(const float *a, int n) {
  return n ? a[n] + walk(a, n - 1) * walk(a, n / 2) : a[0];
}
#ifdef RECURSIVE
__global__ void kernel(const float *a, float *b) { b[0] = walk(a, 3); }
#elif defined(DEADLOCK)
__global__ void kernel(const float *a, float *b) {
  if (threadIdx.x % 2)
    __syncwarp(0xffffffff);
  else
    __syncthreads();
}
#elif defined(UNKNOWN_PTX)
__global__ void kernel(const float *a, float *b) {
  asm volatile("bra.uni nowhere;");
}
#elif defined(FAILING)
#include <cassert>
__global__ void kernel(const float *a, float *b) { assert(threadIdx.x < 4); }
#else
__global__ void kernel(const float *a, float *b) { b[0] = a[0]; }
#endif
void run(const float *a, float *b) { kernel<<<1, 64>>>(a, b); }
