// The filter finds attention wherever its arithmetic stands: lambdas, member functions, helpers, temporaries, atomics.
//
// RUN: %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only -std=c++17 -fplugin-arg-ioflor-emit=subjects %s | grep '^subject' | FileCheck %s
#include <cuda_runtime.h>
#define ARGS const float *q, const float *k, const float *v, float *o, int n, int d

// CHECK: {{^}}subject memberState{{$}}
struct State {
  float sum = 0, acc[64] = {};
  __device__ void add(float s, const float *v) {
    float p = expf(s);
    sum += p;
    for (int c = 0; c < 64; ++c) acc[c] = acc[c] + p * v[c];
  }
};
__global__ void memberState(ARGS) {
  State state;
  auto score = [&](int j) { float s = 0; for (int c = 0; c < 64; ++c) s += q[blockIdx.x * 64 + c] * k[j * 64 + c]; return s; };
  for (int j = 0; j < n; ++j) state.add(score(j), v + j * 64);
  for (int c = 0; c < 64; ++c) o[blockIdx.x * 64 + c] = state.acc[c] / state.sum;
}

// CHECK-NEXT: {{^}}subject helpers{{$}}
template <class T> __device__ T multiplyAccumulate(T a, T b, T c) { return a * b + c; }
__device__ float product(float a, float b) { return a * b; }
template <class F> __device__ void each(int n, F f) { for (int i = 0; i < n; ++i) f(i); }
__global__ void helpers(ARGS) {
  each(n, [&](int j) {
    float s = 0;
    each(d, [&](int c) { s = multiplyAccumulate(q[blockIdx.x * d + c], k[j * d + c], s); });
    float p = expf(s);
    each(d, [&](int c) { o[blockIdx.x * d + c] += product(p, v[j * d + c]); });
  });
}

// CHECK-NEXT: {{^}}subject temporaries{{$}}
__global__ void temporaries(ARGS) {
  for (int j = 0; j < n; ++j) {
    float s = 0, t;
    for (int c = 0; c < d; ++c) { t = q[blockIdx.x * d + c] * k[j * d + c]; s += t; }
    for (int c = 0; c < d; ++c) atomicAdd(&o[blockIdx.x * d + c], expf(s) * v[j * d + c]);
  }
}

// CHECK-NEXT: {{^}}subject ownExponential{{$}}
__device__ float polyExp2(float x) { return 1.f + x * (0.69f + x * 0.24f); }
__global__ void ownExponential(ARGS) {
  for (int j = 0; j < n; ++j) {
    float s = 0, t;
    for (int c = 0; c < d; ++c) { t = q[blockIdx.x * d + c]; t *= k[j * d + c]; s += t; }
    for (int c = 0; c < d; ++c) { const float next = o[blockIdx.x * d + c] + polyExp2(s) * v[j * d + c]; o[blockIdx.x * d + c] = next; }
  }
}

// CHECK-NEXT: {{^}}subject shuffled{{$}}
__global__ void shuffled(ARGS) {
  float acc = 0;
  for (int j = 0; j < n; ++j) {
    float s = q[blockIdx.x * 32 + threadIdx.x] * k[j * 32 + threadIdx.x];
    for (int w = 16; w; w >>= 1) s += __shfl_xor_sync(~0u, s, w);
    acc = acc + expf(s) * v[j * 32 + threadIdx.x];
  }
  o[blockIdx.x * 32 + threadIdx.x] = acc;
}

// CHECK-NOT: subject
__device__ float expand(float x, int n) { return n ? x : 0.f; }
__global__ void gemmOnly(ARGS) {
  for (int c = 0; c < d; ++c) { float s = 0; for (int j = 0; j < n; ++j) s += q[j] * k[j * d + c]; o[c] += expand(s, d) * v[c]; }
}
