// Kernels that are no attention: nothing is printed, also with all remarks on, and no subject is handed on.
//
// RUN: %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only -fplugin-arg-ioflor-remarks=all %s 2>&1 | count 0
// RUN: %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only -fplugin-arg-ioflor-emit=subjects %s 2>&1 | count 0
#include <cuda_runtime.h>
__global__ void gemm(const float *a, const float *b, float *c, int n) {
  int r = blockIdx.y, s = blockIdx.x * blockDim.x + threadIdx.x;
  float x = 0;
  for (int t = 0; t < n; ++t) x += a[r * n + t] * b[t * n + s];
  if (s < n) c[r * n + s] = x;
}
// An exponential, and products, but nothing is summed over.
__global__ void gelu(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] / (1.f + expf(-1.702f * x[i]));
}
// Online softmax: `den * scale + p` rescales, it contracts nothing.
__global__ void softmax(const float *x, float *y, int n) {
  float hi = -1e30f, den = 0;
  for (int j = 0; j < n; ++j) {
    float nh = fmaxf(hi, x[j]);
    den = den * __expf(hi - nh) + __expf(x[j] - nh);
    hi = nh;
  }
  for (int j = threadIdx.x; j < n; j += blockDim.x) y[j] = __expf(x[j] - hi) / den;
}
void launch(const float *a, const float *b, float *c, int n) {
  gemm<<<dim3(n / 16, n), 16>>>(a, b, c, n);
  softmax<<<n, 32>>>(c, c, n);
  gelu<<<n, 256>>>(c, c, n * n);
}
