// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain C++ on one processor: no kernel, no launch. ioflor reads the function as
// one CTA with one thread and an implicit cache of M words, so its traffic is an
// interval. Exact.
//
// Issued words: Q, K, V loads n n d each, O stores n d. Compulsory: n d for each.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <ioflor/annotations.h>

constexpr int B = 16, MAX_D = 128;

IOFLOR_EXACT void attention(const float *Q, const float *K, const float *V,
                            float *O, int n, int d) {
  assert(d <= MAX_D);
  const float scale = 1.0f / std::sqrt((float)d);
  for (int i = 0; i < n; ++i) {
    float highest = -INFINITY, sum = 0.0f, acc[MAX_D];
    for (int c = 0; c < d; ++c)
      acc[c] = 0.0f;
    for (int j0 = 0; j0 < n; j0 += B) {
      float scores[B];
      const int rows = std::min(B, n - j0);
      for (int j = 0; j < rows; ++j) {
        float s = 0.0f;
        for (int c = 0; c < d; ++c)
          s += Q[i * d + c] * K[(j0 + j) * d + c];
        scores[j] = s * scale;
      }
      for (int j = 0; j < rows; ++j) {
        const float next = std::fmax(highest, scores[j]);
        const float keep = std::exp(highest - next);
        const float p = std::exp(scores[j] - next);
        sum = sum * keep + p;
        for (int c = 0; c < d; ++c)
          acc[c] = acc[c] * keep + p * V[(j0 + j) * d + c];
        highest = next;
      }
    }
    for (int c = 0; c < d; ++c)
      O[i * d + c] = acc[c] / sum;
  }
}
