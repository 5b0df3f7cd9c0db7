// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Masks by value: minus infinity in a score and a weight of 0 are followed; a
// factor that may be 0 is not, and then nothing is proved.
//
// DEFINE: %{skeleton} = %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only -std=c++17 -fplugin-arg-ioflor-emit=skeleton
// DEFINE: %{prove} = %ioflor_opt --ioflor-roles --ioflor-cover-sets
// RUN: %{skeleton} -DWEIGHT='__expf(s)' %s | %{prove} | FileCheck %s --check-prefix=FULL
// RUN: %{skeleton} -DWEIGHT='__expf(j <= i ? s : -INFINITY)' %s | %{prove} | FileCheck %s --check-prefix=CAUSAL
// RUN: %{skeleton} -DWEIGHT='__expf(s + (j <= i ? 0.f : -1e30f))' %s | %{prove} | FileCheck %s --check-prefix=CAUSAL
// RUN: %{skeleton} -DWEIGHT='(j <= i ? __expf(s) : 0.f)' %s | %{prove} | FileCheck %s --check-prefix=CAUSAL
// RUN: %{skeleton} -DWEIGHT='__expf(s) * (float)(j <= i)' %s | %{prove} | FileCheck %s --check-prefix=FACTOR
// RUN: %{skeleton} -DWEIGHT='__expf(s) * (j <= i ? 1.f : 0.f)' %s | %{prove} | FileCheck %s --check-prefix=FACTOR
// RUN: %{skeleton} -DWEIGHT='__expf(s) * (float)((7 * j + i) %% 3)' %s | %{prove} | FileCheck %s --check-prefix=FACTOR
// RUN: %{skeleton} -DWEIGHT='__expf(s - (j <= i ? 0.f : INFINITY))' %s | %{prove} | FileCheck %s --check-prefix=INFINITE
// RUN: %{skeleton} -DWEIGHT='__expf(-((j <= i ? 0.f : INFINITY) - s))' %s | %{prove} | FileCheck %s --check-prefix=INFINITE
//
// FULL: "pairs" "proved" by "sets" mask "full"
// CAUSAL: "pairs" "proved" by "sets" mask "causal"
// FACTOR: "pairs" "undecided" by "sets" {reason = "a factor may be 0"}
// INFINITE: "pairs" "undecided" by "sets" {reason = "{{minus infinity may be added|a constant could not be read}}"}
#include <cuda_runtime.h>
__global__ void attend(const float *Q, const float *K, const float *V, float *O,
                       int N) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= N)
    return;
  float o[32], den = 0.f;
  for (int c = 0; c < 32; ++c)
    o[c] = 0.f;
  for (int j = 0; j < N; ++j) {
    float s = 0.f;
    for (int c = 0; c < 32; ++c)
      s += Q[i * 32 + c] * K[j * 32 + c];
    const float p = WEIGHT;
    den += p;
    for (int c = 0; c < 32; ++c)
      o[c] += p * V[j * 32 + c];
  }
  for (int c = 0; c < 32; ++c)
    O[i * 32 + c] = o[c] / den;
}
void launch(const float *Q, const float *K, const float *V, float *O, int N) {
  attend<<<(N + 63) / 64, 64>>>(Q, K, V, O, N);
}
