// Half an AST proves nothing: no verdict, no crash, only Clang's own error.
//
// RUN: not %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only -fplugin-arg-ioflor-remarks=all %s 2>&1 | FileCheck %s --implicit-check-not=ioflor-
// RUN: not %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only -fplugin-arg-ioflor-remarks=all -DMISSING %s 2>&1 | FileCheck %s --check-prefix=MISSING --implicit-check-not=ioflor-
// CHECK: error: use of undeclared identifier 'undeclared'
// MISSING: fatal error: 'no_such_file.h' file not found
#include <cuda_runtime.h>
#ifdef MISSING
#include "no_such_file.h"
#endif
__global__ void attend(const float *q, const float *k, const float *v, float *o, int n, int d) {
  const int i = blockIdx.x;
  for (int c = 0; c < d; ++c) o[i * d + c] = 0;
  for (int j = 0; j < n; ++j) {
    float s = 0;
    for (int c = 0; c < d; ++c) s += q[i * d + c] * k[j * d + c];
    for (int c = 0; c < d; ++c) o[i * d + c] += expf(s) * v[j * d + c];
  }
#ifndef MISSING
  undeclared();
#endif
}
