// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention without a GPU, as people write it first.
#include <cmath>

static float dot(const float *a, const float *b, int d) {
  float s = 0;
  for (int c = 0; c < d; ++c)
    s += a[c] * b[c];
  return s;
}

void attention(const float *Q, const float *K, const float *V, float *O, int n,
               int d) {
  for (int i = 0; i < n; ++i) {
    float highest = -INFINITY, sum = 0;
    for (int c = 0; c < d; ++c)
      O[i * d + c] = 0;
    for (int j = 0; j < n; ++j) {
      const float s = dot(Q + i * d, K + j * d, d) / std::sqrt((float)d);
      const float next = std::fmax(highest, s);
      const float keep = std::exp(highest - next), p = std::exp(s - next);
      sum = sum * keep + p;
      highest = next;
      for (int c = 0; c < d; ++c)
        O[i * d + c] = O[i * d + c] * keep + p * V[j * d + c];
    }
    for (int c = 0; c < d; ++c)
      O[i * d + c] /= sum;
  }
}
