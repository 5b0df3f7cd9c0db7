// Which remarks are shown, and how a comment silences one.
//
// RUN: %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only %s 2>&1 | FileCheck %s
// RUN: %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only -w -Werror %s 2>&1 | FileCheck %s
// RUN: %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only -fplugin-arg-ioflor-remarks=none %s 2>&1 | count 0
// RUN: %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only -fplugin-arg-ioflor-remarks=certified %s 2>&1 | count 0
// RUN: %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only -fplugin-arg-ioflor-remarks=inconclusive %s 2>&1 | FileCheck %s
// RUN: %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only '-fplugin-arg-ioflor-kernels=^other$' %s 2>&1 | count 0
// The wrong side or architecture is not analysed at all.
// RUN: %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only -fplugin-arg-ioflor-side=host %s 2>&1 | count 0
// RUN: %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only -fplugin-arg-ioflor-arch=sm_90 %s 2>&1 | count 0
// RUN: %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-host-only -fsyntax-only %s 2>&1 | count 0
#include <cuda_runtime.h>
#define BODY \
  { \
    for (int j = 0; j < n; ++j) { \
      float s = 0; \
      for (int c = 0; c < D; ++c) s += q[blockIdx.x * D + c] * k[j * D + c]; \
      for (int c = 0; c < D; ++c) o[blockIdx.x * D + c] += expf(s) * v[j * D + c]; \
    } \
  }
// CHECK: remarks.cu:[[@LINE+1]]:{{[0-9]+}}: remark: kernel template 'shown' is not instantiated in this file [ioflor-inconclusive]
template <int D> __global__ void shown(const float *q, const float *k, const float *v, float *o, int n) BODY
template <int D> __global__ void here(const float *q, const float *k, const float *v, float *o, int n) BODY // NOLINT(ioflor-inconclusive)
template <int D> __global__ void all(const float *q, const float *k, const float *v, float *o, int n) BODY // NOLINT
// NOLINTNEXTLINE(ioflor-*)
template <int D> __global__ void next(const float *q, const float *k, const float *v, float *o, int n) BODY
// NOLINTBEGIN(ioflor-inconclusive, misc-other)
template <int D> __global__ void between(const float *q, const float *k, const float *v, float *o, int n) BODY
// NOLINTEND(ioflor-inconclusive, misc-other)
// CHECK: remarks.cu:[[@LINE+1]]:{{[0-9]+}}: remark: kernel template 'otherId' is not instantiated in this file [ioflor-inconclusive]
template <int D> __global__ void otherId(const float *q, const float *k, const float *v, float *o, int n) BODY // NOLINT(ioflor-certified)
// CHECK-NOT: remark:
