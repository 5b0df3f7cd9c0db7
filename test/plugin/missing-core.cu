// Without ioflor-core.so the plugin says where it looked, but only for a file that needs it.
//
// RUN: rm -rf %t && mkdir -p %t && cp %ioflor_plugin %t/ioflor.so
// RUN: not %clang -fplugin=%t/ioflor.so %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only %s 2>&1 | FileCheck %s
// RUN: %clang -fplugin=%t/ioflor.so %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only -DNO_ATTENTION %s 2>&1 | count 0
// CHECK: error: ioflor: cannot find '{{.*}}/ioflor-core.so', which is installed beside ioflor.so
#include <cuda_runtime.h>
__global__ void k(const float *q, const float *k, const float *v, float *o, int n) {
  float s = 0, a = 0;
  for (int i = 0; i < n; ++i)
    s += q[i] * k[i];
#ifndef NO_ATTENTION
  for (int i = 0; i < n; ++i)
    a += __expf(s) * v[i];
#endif
  o[0] = a + s;
}
