// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A matrix multiplication by inline PTX: the registers of a fragment are one
// factor, whether the accumulator is updated in place or not.
//
// RUN: %read_ir_cu %s -o %t.ll
// RUN: ioflor-read-ir %t.ll --spec %S/Inputs/transfers.spec | %filecheck %s
#include <cuda_runtime.h>
extern "C" __global__ void move(const float *in, float *out, const float *mask, int n) {
  int tx = threadIdx.x;
  unsigned a0 = __float_as_uint(in[tx]), a1 = __float_as_uint(in[tx + 1]);
  unsigned b0 = __float_as_uint(mask[tx]);
  float c[4] = {0, 0, 0, 0}, d[4];
  // CHECK: %[[A:.*]] = ioflor.compute convert(%{{[0-9]+}}, %{{[0-9]+}}) "fragment"
  // CHECK: %{{.*}} = ioflor.compute mma(%[[A]], %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}) "mma.sync
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32\n"
               "{%0, %1, %2, %3},\n"
               "{%4, %5}, {%6}, {%7, %8, %9, %10};\n"
               : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
               : "r"(a0), "r"(a1), "r"(b0), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
  // CHECK: %[[B:.*]] = ioflor.compute convert(%{{[0-9]+}}, %{{[0-9]+}}) "fragment"
  // CHECK: %{{.*}} = ioflor.compute mma(%[[B]], %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}) "mma.sync
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a0), "r"(a1), "r"(b0));
  out[tx] = d[0] + d[1] + d[2] + d[3];
}
