// Query heads that find their key head by a remainder: all heads of Q are seen,
// and the head of K is not the one of the group.
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DHEAD="h / (H / HKV)" %s 2>&1 | FileCheck %s --check-prefix=GROUPED
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DHEAD="h % HKV" %s 2>&1 | FileCheck %s --check-prefix=MODULO --implicit-check-not=over-
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DHEAD="(h + 1) / (H / HKV)" %s 2>&1 | FileCheck %s --check-prefix=SHIFTED
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DHEAD="h % HKV" -fplugin-arg-ioflor-emit=skeleton %s 2>/dev/null | ioflor-opt --ioflor-roles | FileCheck %s --check-prefix=DIMS
// GROUPED: ioflor-certified
// MODULO: query row 0 of head 1 of batch 0 weighs row 0 of K of head 1 of batch 0 at B = [[#]], H = 4, HKV = 2,
// SHIFTED: row 0 of K of head 0 is never read at B = 2, H = 2, HKV = 2, N = 1
// DIMS: heads = #ioflor.expr<"H">, kv_heads = #ioflor.expr<"HKV">
#include <cuda_runtime.h>
#define D 32

__global__ void grouped(const float *Q, const float *K, const float *V,
                        float *O, int N, int H, int HKV) {
  int i = blockIdx.x * 64 + threadIdx.x, b = blockIdx.y / H, h = blockIdx.y % H;
  if (i >= N)
    return;
  int key = b * HKV + HEAD;
  const float *q = Q + ((size_t)blockIdx.y * N + i) * D;
  const float *k = K + (size_t)key * N * D, *v = V + (size_t)key * N * D;
  float *o = O + ((size_t)blockIdx.y * N + i) * D;
  float acc[D] = {}, m = -1e30f, l = 0;
  for (int j = 0; j < N; ++j) {
    float s = 0;
    for (int c = 0; c < D; ++c)
      s += q[c] * k[j * D + c];
    float next = fmaxf(m, s), w = expf(s - next), fade = expf(m - next);
    l = l * fade + w;
    m = next;
    for (int c = 0; c < D; ++c)
      acc[c] = acc[c] * fade + w * v[j * D + c];
  }
  for (int c = 0; c < D; ++c)
    o[c] = acc[c] / l;
}

void run(const float *Q, const float *K, const float *V, float *O, int B, int H,
         int HKV, int N) {
  if (H % HKV != 0)
    return;
  grouped<<<dim3((N + 63) / 64, B * H), 64>>>(Q, K, V, O, N, H, HKV);
}
