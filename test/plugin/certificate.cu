// What the certificate says of the subject and its stages; a device compile without attention writes an empty list.
//
// RUN: rm -f %t.json
// RUN: %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only -fplugin-arg-ioflor-remarks=none -fplugin-arg-ioflor-certificate=%t.json %s
// RUN: FileCheck %s < %t.json
// RUN: %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only -fplugin-arg-ioflor-certificate=%t.json -DNONE %s
// RUN: FileCheck %s --check-prefix=EMPTY --match-full-lines < %t.json
// RUN: not %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only -fplugin-arg-ioflor-certificate=%t.none/x.json -DNONE %s 2>&1 | FileCheck %s --check-prefix=CANNOT
// CHECK: "subject": {
// CHECK-NEXT: "name": "attend",
// CHECK-NEXT: "file": "{{.*}}certificate.cu",
// CHECK-NEXT: "line": [[#@LINE+18]],
// CHECK: "stages": [
// CHECK-NEXT: {
// CHECK-NEXT: "name": "attend",
// CHECK-NEXT: "instantiation": "attend<32>",
// CHECK-NEXT: "launch": "<<<(N + 63) / 64, 64>>>",
// CHECK-NEXT: "threads": "64"
// CHECK-NEXT: }
// CHECK-NEXT: ]
// CHECK: "assumptions": [
// CHECK: "no index arithmetic wraps",
// CHECK: "buffers do not alias unless the same argument says so"
// EMPTY: []
// EMPTY-NOT: {{.}}
// CANNOT: error: ioflor: cannot write the certificate: '{{.*}}x.json': No such file or directory
#include <cuda_runtime.h>
#ifndef NONE
template <int D>
__global__ void attend(const float *Q, const float *K, const float *V, float *O, int N) {
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row >= N) return;
  float q[D], o[D], den = 0;
  for (int c = 0; c < D; ++c) { q[c] = Q[row * D + c]; o[c] = 0; }
  for (int j = 0; j < N; ++j) {
    float s = 0;
    for (int c = 0; c < D; ++c) s += q[c] * K[j * D + c];
    const float p = __expf(s);
    den += p;
    for (int c = 0; c < D; ++c) o[c] += p * V[j * D + c];
  }
  for (int c = 0; c < D; ++c) O[row * D + c] = o[c] / den;
}
void launch(const float *Q, const float *K, const float *V, float *O, int N) { attend<32><<<(N + 63) / 64, 64>>>(Q, K, V, O, N); }
#endif
