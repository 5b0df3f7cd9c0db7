// Annotations speak of the function's parameters and reach the subject in terms of the launch.
//
// RUN: %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only -std=c++17 -fplugin-arg-ioflor-emit=subjects %s | FileCheck %s
#include <cuda_runtime.h>
#include <ioflor/annotations.h>

#define BODY \
  { \
    for (int j = 0; j < n; ++j) { \
      float s = 0; \
      for (int c = 0; c < d; ++c) s += q[blockIdx.x * d + c] * k[j * d + c]; \
      for (int c = 0; c < d; ++c) o[blockIdx.x * d + c] += expf(s) * v[j * d + c]; \
    } \
  }
#define ARGS const float *q, const float *k, const float *v, float *o, int n, int d

// A macro, a parameter, a template parameter and a constant of the file as a window.
// CHECK-LABEL: subject byMacro
// CHECK: disclosure window 256 '256'
#define W 256
IOFLOR_WINDOW(W) __global__ void byMacro(ARGS) BODY
// CHECK-LABEL: subject byParameter
// CHECK: disclosure window 2*rows + 1
IOFLOR_WINDOW(2 * n + 1) __global__ void byParameter(ARGS) BODY
// CHECK-LABEL: subject byTemplate
// CHECK: disclosure window_symmetric 48
template <int Span> IOFLOR_WINDOW_SYMMETRIC(Span) __global__ void byTemplate(ARGS) BODY
// CHECK-LABEL: subject byConstant
// CHECK: disclosure window 96
constexpr int kSpan = 96;
IOFLOR_WINDOW(kSpan) __global__ void byConstant(ARGS) BODY

// Everything else, several on one function, plain or as strings.
// CHECK-LABEL: subject everything
// CHECK: assume mod(rows, 64) == 0 [IOFLOR_ASSUME at annotations.cu:[[#@LINE+10]]]
// CHECK-NEXT: assume cols < 128 [IOFLOR_ASSUME at annotations.cu:[[#@LINE+10]]]
// CHECK: buffer K : 4 bytes role K extent rows extent cols [IOFLOR_EXTENT at annotations.cu:[[#@LINE+10]]]
// CHECK: disclosure causal
// CHECK: claim 3*cols*rows
// CHECK: fast 4096
IOFLOR_CAUSAL
IOFLOR_CLAIM_WORDS(3 * n * d)
IOFLOR_FAST_WORDS("1 * 4096")
IOFLOR_ROLE(k, K)
IOFLOR_ASSUME(n % 64 == 0)
IOFLOR_ASSUME(d < 128)
IOFLOR_EXTENT(k, "n", d)
__global__ void everything(ARGS) BODY

// CHECK-LABEL: subject loosely
// CHECK: disclosure approximate 'low rank, arXiv 1'
IOFLOR_APPROXIMATE("low rank, arXiv 1") __global__ void loosely(ARGS) BODY

void launch(const float *Q, const float *K, const float *V, float *O, int rows, int cols) {
  byMacro<<<rows, 1>>>(Q, K, V, O, rows, cols);
  byParameter<<<rows, 1>>>(Q, K, V, O, rows, cols);
  byTemplate<48><<<rows, 1>>>(Q, K, V, O, rows, cols);
  byConstant<<<rows, 1>>>(Q, K, V, O, rows, cols);
  everything<<<rows, 1>>>(Q, K, V, O, rows, cols);
  loosely<<<rows, 1>>>(Q, K, V, O, rows, cols);
}
