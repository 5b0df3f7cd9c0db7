// A key that is kept in a char or short is cut, not the same key; a launch
// constant is taken to fit, and that is listed; threads are known to fit.
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DKEY="(unsigned char)j" %s 2>&1 | FileCheck %s --check-prefix=CUT --implicit-check-not=ioflor-certified
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DKEY="(short)j" %s 2>&1 | FileCheck %s --check-prefix=CUT --implicit-check-not=ioflor-certified
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DKEY="(j << 24) >> 24" %s 2>&1 | FileCheck %s --check-prefix=SHIFT --implicit-check-not=ioflor-certified
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DKEY="(int)((unsigned)j << 20 >> 20)" %s 2>&1 | FileCheck %s --check-prefix=CUT --implicit-check-not=ioflor-certified
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DLANE="(int)" -DKEY="(int)((long)j << 16 >> 16)" %s 2>&1 | FileCheck %s --check-prefix=FITS
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DKEY="(int)(float)j" %s 2>&1 | FileCheck %s --check-prefix=FLOAT --implicit-check-not=ioflor-certified
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DHEADS="(short)" %s 2>&1 | FileCheck %s --check-prefix=HOST --implicit-check-not=ioflor-certified
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DEND="(short)" %s 2>&1 | FileCheck %s --check-prefix=LISTED
// RUN: %clang_ioflor %cuda_stub --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only -DLANE="(unsigned char)" %s 2>&1 | FileCheck %s --check-prefix=FITS
// SHIFT: row 128 of K is never read at heads = 1, n = 130
// SHIFT: the score of pair (0, 128) is not in the output at heads = 1, n = 130
// CUT: coverage not yet decided
// FLOAT: the size n_k was not found: 'K': data decides its address
// HOST: ioflor-inconclusive
// LISTED: ioflor-certified
// LISTED: assumed: {{.*}}n < 32768 (a value fits in 16 bits)
// FITS: ioflor-certified
// FITS-NOT: a value fits
#include <cuda_runtime.h>
#ifndef KEY
#define KEY j
#endif
#ifndef HEADS
#define HEADS
#endif
#ifndef END
#define END
#endif
#ifndef LANE
#define LANE
#endif

__global__ void rows(const float *Q, const float *K, const float *V, float *O,
                     int n) {
  int row = blockIdx.x * 128 + LANE threadIdx.x;
  if (row >= n)
    return;
  size_t head = (size_t)blockIdx.y * n * 64;
  float sum = 0, acc[64];
  for (int c = 0; c < 64; ++c)
    acc[c] = 0;
  int end = END n;
  for (int j = 0; j < end; ++j) {
    int key = KEY;
    float s = 0;
    for (int c = 0; c < 64; ++c)
      s += Q[head + (size_t)row * 64 + c] * K[head + (size_t)key * 64 + c];
    float p = __expf(s);
    sum += p;
    for (int c = 0; c < 64; ++c)
      acc[c] += p * V[head + (size_t)key * 64 + c];
  }
  for (int c = 0; c < 64; ++c)
    O[head + (size_t)row * 64 + c] = acc[c] / sum;
}

void launch(const float *Q, const float *K, const float *V, float *O, int heads,
            int n) {
  rows<<<dim3((n + 127) / 128, HEADS heads), 128>>>(Q, K, V, O, n);
}
