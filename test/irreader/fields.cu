// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A struct by value, a template and a lambda resolve by themselves; extern
// shared arrays are one buffer; blockIdx of an extent of 1 is 0.
//
// RUN: %read_ir_cu %s -o %t.ll
// RUN: ioflor-read-ir %t.ll --spec %S/Inputs/fields.spec | %filecheck %s
#include <cuda_runtime.h>
struct Params {
  const float *q;
  float *o;
  int rows, d;
};
template <int D> __device__ float row(const Params &p, int i, int c) {
  auto at = [&](int r) { return p.q + (size_t)r * p.d; };
  return at(i)[c + D];
}
// CHECK: buffer shared @dyn : 4 bytes words "2*d"
// CHECK: loop grid "bx" to "rows"
// CHECK-NOT: loop grid
extern "C" __global__ void fields(Params p) {
  extern __shared__ float dyn[];
  float *second = dyn + p.d;
  int i = blockIdx.x + blockIdx.y * 1000;
  // CHECK: loop seq "t1" to "ceildiv(d - tx, 32)"
  for (int c = threadIdx.x; c < p.d; c += blockDim.x * blockDim.y) {
    // CHECK: load @Q["bx*d + 32*t1 + tx + 5"]
    // CHECK: store %{{.*}} to @dyn["d + 32*t1 + tx"]
    second[c] = row<5>(p, i, c);
  }
  __syncthreads();
  // CHECK: barrier
  // CHECK: store %{{.*}} to @O["bx"]
  p.o[i] = second[0];
}
