// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instantiations with one skeleton are analysed once and reported each under its
// own name in the certificate; equal remarks at one place are printed once.
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -fplugin-arg-ioflor-certificate=%t.json %s 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// CHECK-COUNT-2: certified exact attention
// JSON: "instantiation": "attend<1, 32>"
// JSON: "instantiation": "attend<2, 32>"
// JSON: "instantiation": "attend<1, 16>"
#include <cuda_runtime.h>
template <int Unused, int D>
__global__ void attend(const float *Q, const float *K, const float *V, float *O,
                       int N, float scale) {
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row >= N)
    return;
  float q[D], acc[D], l = 0.f, m = -1e30f;
  for (int e = 0; e < D; ++e)
    q[e] = Q[row * D + e], acc[e] = 0.f;
  for (int j = 0; j < N; ++j) {
    float s = 0.f;
    for (int e = 0; e < D; ++e)
      s += q[e] * K[j * D + e];
    s *= scale;
    const float top = fmaxf(m, s), old = expf(m - top), p = expf(s - top);
    for (int e = 0; e < D; ++e)
      acc[e] = acc[e] * old + p * V[j * D + e];
    l = l * old + p;
    m = top;
  }
  for (int e = 0; e < D; ++e)
    O[row * D + e] = acc[e] / l;
}
void launch(const float *Q, const float *K, const float *V, float *O, int N) {
  attend<1, 32><<<(N + 63) / 64, 64>>>(Q, K, V, O, N, 0.1767766953f);
  attend<2, 32><<<(N + 63) / 64, 64>>>(Q, K, V, O, N, 0.1767766953f);
  attend<1, 16><<<(N + 63) / 64, 64>>>(Q, K, V, O, N, 0.25f);
}
