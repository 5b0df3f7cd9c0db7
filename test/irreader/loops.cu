// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Trip counts: symbolic steps, downwards, pointers, !=, shifts, several exits,
// at the bottom, nested recurrences.
//
// RUN: %read_ir_cu %s -o %t.ll
// RUN: ioflor-read-ir %t.ll --spec %S/Inputs/loops.spec | %filecheck %s
#include <cuda_runtime.h>
extern "C" __global__ void loops(const float *in, float *out, int n, int m) {
  int tx = threadIdx.x;
  // CHECK: loop seq "t1" to "ceildiv(n - tx, B)"
  // CHECK: load @in["B*t1 + tx"]
  for (int i = tx; i < n; i += blockDim.x)
    out[0] = in[i];
  // CHECK: loop seq "t2" to "n"
  // CHECK: load @in["n - t2 - 1"]
  for (int i = n - 1; i >= 0; --i)
    out[1] = in[i];
  // CHECK: loop seq "t3" to "n"
  // CHECK: load @in["8*t3"]
  for (const float *p = in, *e = in + 8 * n; p != e; p += 8)
    out[2] = *p;
  // 16, 8, 4, 2, 1.
  // CHECK: loop seq "t4" to "5"
  for (int s = 16; s > 0; s >>= 1)
    out[3] = in[s];
  // Executed before it is asked: one more.
  // CHECK: loop seq "t5" to "n"
  // CHECK: load @in["t5"]
  int k = 0;
  do {
    out[4] = in[k];
  } while (++k < n);
  // Two exits, the second after a load.
  // CHECK: loop seq "t6" to "min(m + 1, n)"
  // CHECK: load @in["t6"]
  // CHECK: guard "m != t6"
  // CHECK-NEXT: load @in["t6 + 100"]
  for (int i = 0; i < n; ++i) {
    float v = in[i];
    if (i == m)
      break;
    out[5] = v + in[i + 100];
  }
  // A triangle: the start of the inner run is a sum over the outer loop.
  // CHECK: loop seq "t7" to "n"
  // CHECK: loop seq "t8" to "t7"
  // CHECK: load @in["t8 + floordiv(t7**2 - t7, 2)"]
  int at = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j)
      out[6] = in[at++];
  // A flip of two halves.
  // CHECK: loop seq "t9" to "n"
  // CHECK: load @in["64*mod(t9, 2)"]
  int half = 0;
  for (int i = 0; i < n; ++i) {
    out[7] = in[half * 64];
    half ^= 1;
  }
  // A bump that the last iteration leaves out.
  // CHECK: loop seq "t10" to "n"
  // CHECK: load @in["t10"]
  const float *p = in;
  for (int i = 0; i < n; ++i) {
    out[8] = *p;
    if (i + 1 < n)
      ++p;
  }
  // Ends by what memory says.
  // CHECK: loop seq "t11" to "[[D:data[a-z0-9_]*]] + 1"
  while (in[k] > 0.f)
    ++k;
  out[9] = k;
}
