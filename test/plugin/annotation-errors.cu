// A mistake in an annotation is an error at the annotation, never an assumption that silently holds nothing.
//
// RUN: not %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=ioflor-
#include <cuda_runtime.h>
#include <ioflor/annotations.h>
#define BODY \
  { \
    for (int j = 0; j < n; ++j) { \
      float s = 0; \
      for (int c = 0; c < 32; ++c) s += q[blockIdx.x * 32 + c] * k[j * 32 + c]; \
      for (int c = 0; c < 32; ++c) o[blockIdx.x * 32 + c] += expf(s) * v[j * 32 + c]; \
    } \
  }
#define ARGS const float *q, const float *k, const float *v, float *o, int n
// CHECK-DAG: annotation-errors.cu:[[#@LINE+1]]:{{[0-9]+}}: error: ioflor: IOFLOR_WINDOW uses 'width', which is no integer parameter of 'unknownName'
IOFLOR_WINDOW(width) __global__ void unknownName(ARGS) BODY
// CHECK-DAG: annotation-errors.cu:[[#@LINE+1]]:{{[0-9]+}}: error: ioflor: IOFLOR_ASSUME cannot read 'n % == 0': {{.+}}
IOFLOR_ASSUME(n % == 0) __global__ void unreadable(ARGS) BODY
// CHECK-DAG: annotation-errors.cu:[[#@LINE+1]]:{{[0-9]+}}: error: ioflor: IOFLOR_ROLE knows the roles Q, K, V and O, not 'X'
IOFLOR_ROLE(q, X) __global__ void noRole(ARGS) BODY
// CHECK-DAG: annotation-errors.cu:[[#@LINE+1]]:{{[0-9]+}}: error: ioflor: IOFLOR_EXTENT names 'n', which is no pointer parameter of 'noPointer'
IOFLOR_EXTENT(n, n, 32) __global__ void noPointer(ARGS) BODY
// CHECK-DAG: annotation-errors.cu:[[#@LINE+1]]:{{[0-9]+}}: error: ioflor: IOFLOR_EXACT contradicts IOFLOR_CAUSAL on the same function
IOFLOR_CAUSAL IOFLOR_EXACT __global__ void both(ARGS) BODY
// CHECK-DAG: annotation-errors.cu:[[#@LINE+1]]:{{[0-9]+}}: error: ioflor: IOFLOR_SPARSE needs a text that says what is computed
IOFLOR_SPARSE("") __global__ void noText(ARGS) BODY
