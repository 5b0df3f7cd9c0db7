// A flag is a warning, an error with -Werror, nothing with -w, in a system header or at a NOLINT.
//
// RUN: %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only -fplugin-arg-ioflor-remarks=none %s 2>&1 | FileCheck %s --check-prefix=WARN --implicit-check-not=error:
// RUN: not %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only -fplugin-arg-ioflor-remarks=none -Werror %s 2>&1 | FileCheck %s --check-prefix=ERROR --implicit-check-not=warning:
// RUN: %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only -fplugin-arg-ioflor-remarks=none -w -Werror %s 2>&1 | count 0
// RUN: sed 's|__global__ void attend.*|& // NOLINT(ioflor-*)|' %s > %t.cu
// RUN: %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only -fplugin-arg-ioflor-remarks=none %t.cu 2>&1 | count 0
// RUN: echo '#include "severity.cu"' > %t2.cu
// RUN: %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only -fplugin-arg-ioflor-remarks=none -isystem %S %t2.cu 2>&1 | count 0
// Code generation by the user at any level changes nothing, and -S still writes its output.
// RUN: %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -O0 -S -o %t.s -fplugin-arg-ioflor-remarks=none %s 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: FileCheck %s --check-prefix=PTX < %t.s
// PTX: .entry {{.*}}attend
#include <cuda_runtime.h>
// The grid is rounded down, so the last rows of Q are never read.
// WARN: severity.cu:[[#@LINE+4]]:{{[0-9]+}}: warning: {{.*}} [ioflor-{{[a-z-]+}}]
// WARN: note: in instantiation of kernel 'attend<32>' launched here
// ERROR: severity.cu:[[#@LINE+2]]:{{[0-9]+}}: error: {{.*}} [ioflor-{{[a-z-]+}}]
template <int D> __global__ void attend(const float *Q, const float *K, const float *V, float *O, int N) {
  float q[D], o[D], den = 0; const int row = blockIdx.x * 64 + threadIdx.x; for (int c = 0; c < D; ++c) { q[c] = Q[row * D + c]; o[c] = 0; }
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
