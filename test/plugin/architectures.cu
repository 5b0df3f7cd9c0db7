// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each architecture writes a certificate of its own and reports its own ratio.
// RUN: rm -rf %t && mkdir %t
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90 -fsyntax-only -fplugin-arg-ioflor-certificate=%t/%%a-%%f.json %s 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=SM80 --input-file=%t/sm_80-architectures.cu.json
// RUN: FileCheck %s --check-prefix=SM90 --input-file=%t/sm_90-architectures.cu.json
// CHECK-DAG: the tight floor at sm_80
// CHECK-DAG: the tight floor at sm_90
// SM80: "target": "sm_80"
// SM90: "target": "sm_90"
//
// Work is counted in units, the same on every run and every machine.
// RUN: %clang_ioflor %cuda_stub -fsyntax-only -fplugin-arg-ioflor-emit=work %s 2>/dev/null > %t/once
// RUN: %clang_ioflor %cuda_stub -fsyntax-only -fplugin-arg-ioflor-emit=work %s 2>/dev/null > %t/twice
// RUN: diff %t/once %t/twice
// RUN: FileCheck %s --check-prefix=WORK --input-file=%t/once --implicit-check-not='ran out'
// WORK: attend: reading {{[0-9]+}} roles {{[0-9]+}} executing {{[0-9]+}} counting
// WORK-SAME: total
//
// Where the budget is too small the phase is named, and nothing is flagged.
// RUN: %clang_ioflor %cuda_stub -fsyntax-only -fplugin-arg-ioflor-budget=0.001 %s 2>&1 | FileCheck %s --check-prefix=LITTLE --implicit-check-not=warning:
// LITTLE: remark: {{.*}}analysis budget exhausted in {{[a-z, ]+}}; the plugin's argument 'budget' allows more [ioflor-inconclusive]
#include <cuda_runtime.h>
__global__ void attend(const float *Q, const float *K, const float *V, float *O,
                       int N, float scale) {
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row >= N)
    return;
  float q[32], acc[32], l = 0.f, m = -1e30f;
  for (int e = 0; e < 32; ++e)
    q[e] = Q[row * 32 + e], acc[e] = 0.f;
  for (int j = 0; j < N; ++j) {
    float s = 0.f;
    for (int e = 0; e < 32; ++e)
      s += q[e] * K[j * 32 + e];
    s *= scale;
    const float top = fmaxf(m, s), old = expf(m - top), p = expf(s - top);
    for (int e = 0; e < 32; ++e)
      acc[e] = acc[e] * old + p * V[j * 32 + e];
    l = l * old + p;
    m = top;
  }
  for (int e = 0; e < 32; ++e)
    O[row * 32 + e] = acc[e] / l;
}
void launch(const float *Q, const float *K, const float *V, float *O, int N) {
  attend<<<(N + 63) / 64, 64>>>(Q, K, V, O, N, 0.1767766953f);
}
