// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Path conditions: early return, continue, a conditional load and the join
// behind it, short circuit, a switch.
//
// RUN: %read_ir_cu %s -o %t.ll
// RUN: ioflor-read-ir %t.ll --spec %S/Inputs/copy.spec | %filecheck %s
#include <cuda_runtime.h>
extern "C" __global__ void copy(const float *in, float *out, int n, int mode) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n)
    return;
  // CHECK: loop thread "tx" to "64"
  // CHECK-NEXT: guard "64*bx + tx < n"
  // CHECK: loop seq "[[T:t[0-9]+]]" to "n"
  for (int j = 0; j < n; ++j) {
    if (j % 3 == 1)
      continue;
    // CHECK-NEXT: guard "mod([[T]], 3) != 1"
    // CHECK-NEXT: load @in["[[T]]"] instr
    out[i * n + j] = in[j];
  }
  // CHECK: guard "65*bx + tx <= n and 64*bx + tx >= 5"
  // CHECK-NEXT: load @in["n"]
  if (i > 4 && i + blockIdx.x <= n)
    out[i] = in[n];
  // The switch has three ways; what follows it always runs.
  // CHECK-DAG: guard "mode == 0"
  // CHECK-DAG: guard "mode == 2"
  // CHECK-DAG: guard "mode != 0 and mode != 2"
  switch (mode) {
  case 0:
    out[0] = in[1];
    break;
  case 2:
    out[0] = in[2];
    break;
  default:
    out[0] = in[3];
  }
  // CHECK: {{^                }}%{{[0-9]+}} = ioflor.load @in["7"]
  out[1] = in[7];
}
