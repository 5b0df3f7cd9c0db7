// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One kernel a rule of counting; the test states the numbers.
#include <cuda_runtime.h>

// Every thread reads one word: one word of traffic a CTA.
__global__ void broadcast(const float *a, float *b) {
  b[blockIdx.x * blockDim.x + threadIdx.x] = a[0];
}
// The same word at different trips: thread t meets word w at trip w - t.
__global__ void skewed(const float *a, float *b) {
  float s = 0;
  for (int j = threadIdx.x; j < 8; ++j)
    s += a[j];
  b[threadIdx.x] = s;
}
// Inner trips depend on the outer loop and on the thread; a guard skips some.
__global__ void nested(const float *a, float *b) {
  float s = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < (int)threadIdx.x + i; ++j)
      if ((i + j) % 2 == 0)
        s += a[j];
  b[threadIdx.x] = s;
}
// Two instructions read the same word in different blocks of code, with a
// barrier between: two loads.
__global__ void twice(const float *a, float *b) {
  float s = a[threadIdx.x];
  __syncthreads();
  b[threadIdx.x] = s + a[threadIdx.x];
}
// Without a store between, the second load of one word is no load.
__global__ void merged(const float *__restrict__ a, float *__restrict__ b) {
  float s = a[threadIdx.x];
  b[threadIdx.x] = s + a[threadIdx.x];
}
// Vectors count their words, atomics both ways.
__global__ void wide(const float *a, float *b) {
  float4 x = reinterpret_cast<const float4 *>(a)[threadIdx.x];
  atomicAdd(b, x.x + x.y + x.z + x.w);
}
// Reads two words past the end.
__global__ void past(const float *a, float *b, int n) {
  b[threadIdx.x] = a[n - 2 + threadIdx.x];
}

void run(const float *a, float *b, int which, int n) {
  switch (which) {
  case 0:
    return broadcast<<<3, 8>>>(a, b);
  case 1:
    return skewed<<<1, 4>>>(a, b);
  case 2:
    return nested<<<2, 3>>>(a, b);
  case 3:
    return twice<<<1, 8>>>(a, b);
  case 4:
    return merged<<<1, 8>>>(a, b);
  case 5:
    return wide<<<2, 4>>>(a, b);
  case 6:
    return past<<<1, 4>>>(a, b, n);
  default: {
    float *c;
    cudaMalloc(&c, 16 * sizeof(float));
    cudaMemset(c, 0, 16 * sizeof(float));
    merged<<<1, 8>>>(c, b);
    cudaFree(c);
  }
  }
}
