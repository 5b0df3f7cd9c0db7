// A flag points at its access, also for absolute names of files, and its fix-it hangs on a note at the declaration.
//
// RUN: %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only -fplugin-arg-ioflor-remarks=none %s 2>&1 | FileCheck %s
// RUN: cd %S && %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only -fplugin-arg-ioflor-remarks=none places.cu 2>&1 | FileCheck %s
// RUN: %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only -fplugin-arg-ioflor-remarks=none -fdiagnostics-parseable-fixits %s 2>&1 | FileCheck %s --check-prefix=FIX
#include <cuda_runtime.h>
template <int D>
__global__ void attend(const float *Q, const float *K, const float *V, float *O, int N) {
  const int row = blockIdx.x * 64 + threadIdx.x;
  float q[D], o[D], den = 0;
  for (int c = 0; c < D; ++c) {
// CHECK: places.cu:[[#@LINE+2]]:12: warning: row 64 of Q is never read at N = 65 [ioflor-uncovered-input]
// CHECK-NEXT: [[#@LINE+1]] |
    q[c] = Q[row * D + c];
    o[c] = 0;
  }
// CHECK: places.cu:[[#@LINE-9]]:1: note: disclose it with 'IOFLOR_APPROXIMATE("what, citation")'
// CHECK-NEXT: [[#@LINE-10]] | __global__ void attend
// FIX: fix-it:"{{.*}}places.cu":{[[#@LINE-11]]:1-[[#@LINE-11]]:1}:"IOFLOR_APPROXIMATE(\"what, citation\") "
  for (int j = 0; j < N; ++j) {
    float s = 0;
    for (int c = 0; c < D; ++c) s += q[c] * K[j * D + c];
    const float p = __expf(s);
    den += p;
    for (int c = 0; c < D; ++c) o[c] += p * V[j * D + c];
  }
  for (int c = 0; c < D; ++c) O[row * D + c] = o[c] / den;
}
void launch(const float *Q, const float *K, const float *V, float *O, int N) { attend<32><<<N / 64, 64>>>(Q, K, V, O, N); }
