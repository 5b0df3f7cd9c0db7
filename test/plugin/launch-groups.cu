// Which launches of a host function are one subject, in launch order, and which are not.
//
// RUN: %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only -std=c++17 -fplugin-arg-ioflor-emit=subjects %s | grep -E '^ *(subject|stage)|guard' | FileCheck %s
#include <cuda_runtime.h>
__global__ void project(const float *x, const float *w, float *y, int n) {
  float s = 0;
  for (int c = 0; c < n; ++c) s += x[blockIdx.x * n + c] * w[c * n + threadIdx.x];
  y[blockIdx.x * n + threadIdx.x] = s;
}
__device__ float *rowOf(float *p, int d) { return p + blockIdx.x * d; }
__global__ void attend(float *q, float *k, float *v, float *o, int n, int d) {
  float acc[64] = {};
  for (int j = 0; j < n; ++j) {
    float s = 0;
    for (int c = 0; c < d; ++c) s += q[blockIdx.x * d + c] * k[j * d + c];
    for (int c = 0; c < d; ++c) acc[c] += expf(s) * v[j * d + c];
  }
  float *row = rowOf(o, d);
  for (int c = 0; c < d; ++c) row[c] = acc[c];
}

// Projections stay outside, though Q, K and V are not const; two attention kernels are two subjects.
// CHECK: {{^}}subject attend{{$}}
// CHECK-NEXT: stage _Z6attendPfS_S_S_ii
// CHECK-NEXT: subject attend{{$}}
// CHECK-NEXT: stage _Z6attendPfS_S_S_ii
void layer(const float *x, const float *w, float *q, float *k, float *v, float *o, float *y, int n) {
  project<<<n, n>>>(x, w, q, n);
  project<<<n, n>>>(x, w, k, n);
  project<<<n, n>>>(x, w, v, n);
  attend<<<n, 1>>>(q, k, v, o, n, n);
  attend<<<n, 1>>>(q, k, v, y, n, n);
  project<<<n, n>>>(o, w, y, n);
}

struct Partial { float *acc, *sum; };
__global__ void split(const float *q, const float *k, const float *v, Partial p, const int *lengths, int d) {
  float acc[64] = {}, sum = 0;
  for (int j = blockIdx.y; j < lengths[0]; j += gridDim.y) {
    float s = 0;
    for (int c = 0; c < d; ++c) s += q[c] * k[j * d + c];
    sum += expf(s);
    for (int c = 0; c < d; ++c) acc[c] += expf(s) * v[j * d + c];
  }
  for (int c = 0; c < d; ++c) p.acc[blockIdx.y * d + c] = acc[c];
  p.sum[blockIdx.y] = sum;
}
__global__ void merge(const float *acc, const float *sum, float *o, const int *lengths, int splits) {
  float total = 0, all = 0;
  for (int s = 0; s < splits; ++s) { total += acc[s * 64 + threadIdx.x] * 1.f; all += sum[s]; }
  if (lengths[0]) o[threadIdx.x] = total / all;
}
// Both branches are completed by the kernel after them; pointers travel in a struct.
// CHECK-NEXT: subject decode{{$}}
// CHECK-NEXT: stage _Z5splitPKfS0_S0_7PartialPKii
// CHECK-NEXT: guard n >= 65
// CHECK-NEXT: stage _Z5mergePKfS0_PfPKii
// CHECK-NEXT: subject decode{{$}}
// CHECK-NEXT: stage _Z5splitPKfS0_S0_7PartialPKii
// CHECK-NEXT: guard n < 65
// CHECK-NEXT: stage _Z5mergePKfS0_PfPKii
void decode(const float *q, const float *k, const float *v, float *acc, float *sum, float *o, const int *lengths, int n) {
  Partial p;
  p.acc = acc;
  p.sum = sum;
  if (n > 64)
    split<<<dim3(1, 8), 1>>>(q, k, v, p, lengths, 64);
  else
    split<<<dim3(1, 8), 1>>>(q, k, v, p, lengths, 32);
  merge<<<1, 64>>>(acc, sum, o, lengths, 8);
}

__global__ void zero(float *o, float *l, int n) { o[threadIdx.x] = 0; if (threadIdx.x < n) l[threadIdx.x] = 0; }
__global__ void accumulate(const float *q, const float *k, const float *v, float *o, float *l, int n, int d) {
  for (int j = 0; j < n; ++j) {
    float s = 0;
    for (int c = 0; c < d; ++c) s += q[blockIdx.x * d + c] * k[j * d + c];
    l[blockIdx.x] += expf(s);
    for (int c = 0; c < d; ++c) o[blockIdx.x * d + c] += expf(s) * v[j * d + c];
  }
}
// Each run has its own initialiser.
// CHECK-NEXT: subject twice{{$}}
// CHECK-NEXT: stage _Z4zeroPfS_i
// CHECK-NEXT: stage _Z10accumulatePKfS0_S0_PfS1_ii
// CHECK-NEXT: subject twice{{$}}
// CHECK-NEXT: stage _Z4zeroPfS_i
// CHECK-NEXT: stage _Z10accumulatePKfS0_S0_PfS1_ii
void twice(const float *q, const float *k, const float *v, float *o, float *l, int n) {
  zero<<<1, n>>>(o, l, n);
  accumulate<<<n, 1>>>(q, k, v, o, l, n, 64);
  zero<<<1, n>>>(o, l, n);
  accumulate<<<n, 1>>>(q, k, v, o, l, n, 64);
}

__global__ void softmax(float *s, int n) {
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += s[blockIdx.x * n + j] = expf(s[blockIdx.x * n + j]);
  for (int j = 0; j < n; ++j) s[blockIdx.x * n + j] /= sum;
}
__global__ void scale(float *s, float by) { s[threadIdx.x] *= by; }
// Of `layer`, in case the filter was wrong about `attend`.
// CHECK-NEXT: subject layer unless a stage is attention by itself
// CHECK-NEXT: stage _Z6attendPfS_S_S_ii
// CHECK-NEXT: stage _Z7projectPKfS0_Pfi
// From the scores to the product with V, through what lies between.
// CHECK-NEXT: subject pipeline{{$}}
// CHECK-NEXT: stage _Z7projectPKfS0_Pfi
// CHECK-NEXT: stage _Z5scalePff
// CHECK-NEXT: stage _Z7softmaxPfi
// CHECK-NEXT: stage _Z7projectPKfS0_Pfi
// CHECK-NOT: {{.}}
void pipeline(const float *x, const float *w, float *q, float *k, float *v, float *s, float *o, float *y, int n) {
  project<<<n, n>>>(x, w, q, n);
  project<<<n, n>>>(x, w, k, n);
  project<<<n, n>>>(x, w, v, n);
  project<<<n, n>>>(q, k, s, n);
  scale<<<1, n>>>(s, 0.1f);
  softmax<<<n, 1>>>(s, n);
  project<<<n, n>>>(s, v, o, n);
  project<<<n, n>>>(o, w, y, n);
}
