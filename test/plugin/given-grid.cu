// A helper that is given the grid says nothing of it: it is read where it is called from, and by itself, as launched
// elsewhere, only where no caller is in the file.
//
// RUN: %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only -std=c++17 -fplugin-arg-ioflor-emit=subjects %s | FileCheck %s
#include <cuda_runtime.h>

template <int D> __global__ void attend(const float *q, const float *k, const float *v, float *o, int n) {
  for (int j = 0; j < n; ++j) {
    float s = 0;
    for (int c = 0; c < D; ++c)
      s += q[blockIdx.x * D + c] * k[j * D + c];
    for (int c = 0; c < D; ++c)
      o[blockIdx.x * D + c] += expf(s) * v[j * D + c];
  }
}

template <int D> static void launch(dim3 grid, const float *q, const float *k, const float *v, float *o, int n) {
  attend<D><<<grid, 128>>>(q, k, v, o, n);
}

// CHECK: subject attend
// CHECK: stage _Z6attendILi32EEvPKfS1_S1_Pfi
// CHECK-SAME: attend<32>
// CHECK-NOT: launched elsewhere
// CHECK: grid (ceildiv(n, 64), heads, 1) block (128, 1, 1)
void forward(const float *q, const float *k, const float *v, float *o, int n, int heads) {
  dim3 grid((n + 63) / 64, heads);
  launch<32>(grid, q, k, v, o, n);
}

// CHECK: subject attend
// CHECK: stage _Z6attendILi64EEvPKfS1_S1_Pfi
// CHECK-SAME: launched elsewhere
// CHECK: grid (grid_x, grid_y, grid_z)
void given(const dim3 &grid, const float *q, const float *k, const float *v, float *o, int n) {
  attend<64><<<grid, 128>>>(q, k, v, o, n);
}
// CHECK-NOT: subject attend
