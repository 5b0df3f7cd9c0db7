// What the host does to the buffers between and after the launches counts too.
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DAFTER="cudaMemset(O, 0, 4l * n * D)" %s 2>&1 | FileCheck %s --check-prefix=MEMSET --implicit-check-not=ioflor-certified
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DAFTER="cudaMemset(O, 0, 4l * n * D); cudaMemcpy(out, O, 4l * n * D, cudaMemcpyDeviceToHost)" %s 2>&1 | FileCheck %s --check-prefix=MEMSET --implicit-check-not=ioflor-certified
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DAFTER="cudaMemcpy(O, Q, 4l * n * D, cudaMemcpyDeviceToDevice)" %s 2>&1 | FileCheck %s --check-prefix=MEMCPY --implicit-check-not=ioflor-certified
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DAFTER="clear<<<n, 1>>>(O)" %s 2>&1 | FileCheck %s --check-prefix=CLEAR --implicit-check-not=ioflor-certified
// Cleared for the next run, after it was copied back, or on another way: fine.
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DAFTER="cudaMemset(O, 0, 4l * n * D); rows<<<(n + 63) / 64, 64>>>(Q, K, V, O, n)" %s 2>&1 | FileCheck %s --check-prefix=PLAIN --implicit-check-not=overwrites
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DAFTER="cudaMemcpy(out, O, 4l * n * D, cudaMemcpyDeviceToHost); cudaMemset(O, 0, 4l * n * D)" %s 2>&1 | FileCheck %s --check-prefix=PLAIN --implicit-check-not=overwrites
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DBEFORE="cudaMemset(O, 0, 4l * n * D)" %s 2>&1 | FileCheck %s --check-prefix=PLAIN --implicit-check-not=overwrites
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DAFTER="scale(O); cudaMemset(O, 0, 4l * n * D)" %s 2>&1 | FileCheck %s --check-prefix=PLAIN --implicit-check-not=overwrites
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DAFTER="cudaFree(O)" %s 2>&1 | FileCheck %s --check-prefix=PLAIN --implicit-check-not=overwrites
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DNAIVE %s 2>&1 | FileCheck %s --check-prefix=NAIVE --implicit-check-not=between
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DNAIVE -DBETWEEN="cudaMemset(S, 0, 4l * n * n)" %s 2>&1 | FileCheck %s --check-prefix=BETWEEN
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DNAIVE -DBETWEEN="scale(S)" %s 2>&1 | FileCheck %s --check-prefix=CALL
// PLAIN: ioflor-certified
// MEMSET: host-writes.cu:[[#]]:{{.*}} 'cudaMemset' overwrites 'O' after the kernel, before anything has read it
// MEMCPY: 'cudaMemcpy' overwrites 'O' after the kernel, before anything has read it
// CLEAR: kernel 'clear' overwrites 'O' after the kernel, before anything has read it
// NAIVE: ioflor-materialized-scores
// BETWEEN: 'cudaMemset' may write 'S' between two kernels of this subject
// CALL: 'scale' may write 'S' between two kernels of this subject
#include <cuda_runtime.h>
#ifndef BEFORE
#define BEFORE
#endif
#ifndef BETWEEN
#define BETWEEN
#endif
#ifndef AFTER
#define AFTER
#endif
#define D 32

__global__ void clear(float *O) {
  for (int c = 0; c < D; ++c)
    O[blockIdx.x * D + c] = 0;
}

void scale(float *words);

#ifndef NAIVE
__global__ void rows(const float *Q, const float *K, const float *V, float *O,
                     int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n)
    return;
  float q[D], acc[D] = {}, m = -1e30f, l = 0;
  for (int c = 0; c < D; ++c)
    q[c] = Q[i * D + c];
  for (int j = 0; j < n; ++j) {
    float s = 0;
    for (int c = 0; c < D; ++c)
      s += q[c] * K[j * D + c];
    float next = fmaxf(m, s), w = expf(s - next), fade = expf(m - next);
    l = l * fade + w;
    m = next;
    for (int c = 0; c < D; ++c)
      acc[c] = acc[c] * fade + w * V[j * D + c];
  }
  for (int c = 0; c < D; ++c)
    O[i * D + c] = acc[c] / l;
}

void run(const float *Q, const float *K, const float *V, float *O, float *out,
         int n) {
  BEFORE;
  rows<<<(n + 63) / 64, 64>>>(Q, K, V, O, n);
  AFTER;
}
#else
__global__ void scores(const float *Q, const float *K, float *S, int n) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || j >= n)
    return;
  float s = 0;
  for (int c = 0; c < D; ++c)
    s += Q[i * D + c] * K[j * D + c];
  S[i * n + j] = s;
}

__global__ void softmax(float *S, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float m = -1e30f, l = 0;
  for (int j = 0; j < n; ++j)
    m = fmaxf(m, S[i * n + j]);
  for (int j = 0; j < n; ++j)
    l += expf(S[i * n + j] - m);
  for (int j = 0; j < n; ++j)
    S[i * n + j] = expf(S[i * n + j] - m) / l;
}

__global__ void product(const float *S, const float *V, float *O, int n) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || c >= D)
    return;
  float o = 0;
  for (int j = 0; j < n; ++j)
    o += S[i * n + j] * V[j * D + c];
  O[i * D + c] = o;
}

void run(const float *Q, const float *K, const float *V, float *S, float *O,
         int n) {
  dim3 block(16, 16), square((n + 15) / 16, (n + 15) / 16),
      flat((D + 15) / 16, (n + 15) / 16);
  scores<<<square, block>>>(Q, K, S, n);
  BETWEEN;
  softmax<<<(n + 63) / 64, 64>>>(S, n);
  product<<<flat, block>>>(S, V, O, n);
  AFTER;
}
#endif
