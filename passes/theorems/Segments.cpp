//===- Segments.cpp - Theorem A, small caches, fast multiplication ----===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/theorems/Tables.h"

using namespace ioflor::theorems;

static constexpr char kA[] = "Theorem A, own derivation, not peer reviewed";
static constexpr char kSmall[] =
    "small caches; segment argument after Smith et al., arXiv:1702.02017, own "
    "derivation, not peer reviewed";
static constexpr char kFmm[] =
    "any algorithm: Saha & Ye, Theorem 4.4, with a sharper count, own "
    "derivation, not peer reviewed";
static constexpr char kUse[] = "floors: saha-ye, sharp";

void ioflor::theorems::addSegments(Table &out) {
  // d(a + b) + p words give at most ab + p pairs: phi(X) = max(X^2/4d^2, X).
  out.push_back({"segment_lemma",
                 "X words that hold a rows, b columns and p private words "
                 "complete at most max(X^2/(4d^2), X) pairs",
                 kA,
                 "floors: saha-ye, sharp, tight",
                 "d > 0; a >= 0; b >= 0; p >= 0; d*(a + b) + p <= X; "
                 "n = a*b + p",
                 "4*d^2*n <= X^2 or n <= X",
                 {"404*d^2*n <= 100*X^2 or 101*n <= 100*X"}});
  const char *M = "D > 0; M >= 2*D; t >= 0; t <= M; ";
  out.push_back({"cold_start.one_segment_pairs",
                 "at most M reads from empty: t^2/(4d^2) pairs are at most "
                 "M t / d^2 (D = d^2)",
                 kA,
                 kUse,
                 M,
                 "t^2 <= 4*M*t",
                 {"t^2 >= 4*M*t"}});
  out.push_back({"cold_start.one_segment_private",
                 "likewise where private words are the most",
                 kA,
                 kUse,
                 M,
                 "D*t <= M*t",
                 {"D*t >= M*t"}});
  out.push_back({"cold_start.pairs_pairs",
                 "first and last segment together: phi(M) + phi(M + t) <= "
                 "(M/d^2)(M + t), both quadratic",
                 kA,
                 kUse,
                 M,
                 "M^2 + (M + t)^2 <= 4*M*(M + t)",
                 {"M^2 + (M + t)^2 <= M*(M + t)"}});
  out.push_back({"cold_start.private_pairs",
                 "the first linear",
                 kA,
                 kUse,
                 M,
                 "4*D*M + (M + t)^2 <= 4*M*(M + t)",
                 {"5*D*M + 2*(M + t)^2 <= 4*M*(M + t)"}});
  out.push_back({"cold_start.pairs_private",
                 "the last linear",
                 kA,
                 kUse,
                 M,
                 "M^2 + 4*D*(M + t) <= 4*M*(M + t)",
                 {"M^2 + 8*D*(M + t) <= 4*M*(M + t)"}});
  out.push_back({"cold_start.private_private",
                 "both linear",
                 kA,
                 kUse,
                 M,
                 "D*M + D*(M + t) <= M*(M + t)",
                 {}});
  out.push_back({"cold_start.middle",
                 "a middle segment completes at most M^2/d^2 pairs for "
                 "M >= 2d^2",
                 kA,
                 kUse,
                 "D > 0; M >= 2*D; 4*D*n <= (2*M)^2 or n <= 2*M",
                 "D*n <= M^2",
                 {}});
  out.push_back({"cold_start.sum",
                 "h segments, the first and last together at most (M/d^2)(M + "
                 "t): E d^2 <= M reads",
                 kA,
                 kUse,
                 "D > 0; M > 0; t >= 0; h >= 2; R = (h - 1)*M + t; "
                 "D*f <= M*(M + t); D*m <= M^2*(h - 2); E <= f + m",
                 "D*E <= M*R",
                 {}});
  out.push_back({"cold_start.small",
                 "M <= 2d^2: E <= 2 reads",
                 kA,
                 kUse,
                 "M > 0; t >= 0; t <= M; h >= 2; R = (h - 1)*M + t; "
                 "E <= M + (h - 2)*2*M + M + t",
                 "E <= 2*R",
                 {}});
  out.push_back({"saha_ye_corollary.pairs",
                 "E d^2/(2M) is at most E d^2/M",
                 kA,
                 "floors: saha-ye",
                 "E >= 0; D > 0; M >= D; 2*M*f = E*D; M*g = E*D",
                 "f <= g",
                 {"g <= f"}});
  out.push_back(
      {"saha_ye_corollary.half",
       "for M >= d^2, E d^2/(2M) is at most E/2",
       kA,
       "floors: saha-ye",
       "E >= 0; D > 0; M >= D; 2*M*f = E*D",
       "2*f <= E",
       {"202*f <= 100*E", "E >= 0; D > 0; M > 0; 2*M*f = E*D |- 2*f <= E"}});
  out.push_back({"endpoint_in_M",
                 "what is proved at the smallest M holds for every larger one",
                 "arithmetic",
                 "ioflor-prove: hypotheses on M",
                 "m > 0; M >= m; n >= 0; T*m >= n",
                 "T*M >= n",
                 {"100*T*M >= 101*n"}});
  out.push_back({"heads_concavity",
                 "heads that share fast memory gain nothing",
                 kA,
                 "floors: sums over batch and heads",
                 "a >= 0; b >= 0; x >= 0; y >= 0",
                 "a*x + b*y <= (a + b)*(x + y)",
                 {}});
  out.push_back({"warm_max",
                 "warm start, M >= 2d^2: reads of at least the scan and of at "
                 "least E d^2/M - M are at least E d^2/(2M) (f), without -M",
                 kA,
                 "floors: warm start (the product counts cold starts only)",
                 "q >= 1; k >= 1; d >= 1; M >= 2*d^2; E >= 0; E <= q*k; "
                 "2*M*f = E*d^2; R >= (q + k)*d; R >= 2*f - M",
                 "f <= R",
                 {"17*f <= 10*R",
                  // With M >= d^2 only E min(d^2/M, 1/2) - M is known, which
                  // is not enough.
                  "q >= 1; k >= 1; d >= 1; M >= d^2; E >= 0; E <= q*k; "
                  "2*M*f = E*d^2; R >= (q + k)*d; R >= 2*f - M or 2*R >= E - "
                  "2*M |- f <= R",
                  // And without the scan.
                  "d >= 1; M >= 2*d^2; E >= 0; 2*M*f = E*d^2; R >= 0; "
                  "R >= 2*f - M |- f <= R"}});
  out.push_back({"warm_max.scan",
                 "the step of it where E d^2/(2M) < M: the scan alone is more",
                 kA,
                 "floors: warm start",
                 "q >= 1; k >= 1; d >= 1; M >= 1; E >= 0; E <= q*k; "
                 "2*M*f = E*d^2; f < M",
                 "f < (q + k)*d",
                 {"f <= M - 1", "20*f <= 3*(q + k)*d"}});

  out.push_back({"small_cache.smith",
                 "a + b + c <= 3M words give at most M^1.5 products (w)",
                 kSmall,
                 "floors: small-cache (R)",
                 "M > 0; a >= 0; b >= 0; c >= 0; a + b + c <= 3*M; "
                 "w^2 <= a*b*c",
                 "w^2 <= M^3",
                 {}});
  out.push_back({"small_cache.smith_count",
                 "h segments of 2M reads and starts, M^1.5 products each: "
                 "reads >= 2 E d / sqrt M - E - 2M",
                 kSmall,
                 "floors: small-cache (R)",
                 "M > 0; r > 0; r^2 = M; E >= 0; d >= 1; h >= 1; "
                 "2*M*(h - 1) <= R + E; E*d <= h*M*r",
                 "2*E*d <= (R + E + 2*M)*r",
                 {}});
  out.push_back({"small_cache.unified",
                 "a segment of M reads and writes: s^2 (s^2/d^2 + 3M - 2s) is "
                 "largest at s = M",
                 kSmall,
                 "floors: small-cache (U)",
                 "D > 0; M > 0; s >= 0; s <= M",
                 "s^2*(s^2 + D*(3*M - 2*s)) <= M^2*(M^2 + D*M)",
                 {}});
  out.push_back({"small_cache.unified_count",
                 "h segments of M reads and writes: I/O >= E d / sqrt(M + "
                 "M^2/d^2) - M (g the root)",
                 kSmall,
                 "floors: small-cache (U)",
                 "M > 0; g > 0; E >= 0; d >= 1; h >= 1; M*(h - 1) <= R; "
                 "E*d <= h*M*g",
                 "E*d <= (R + M)*g",
                 {}});

  out.push_back({"fmm_epoch",
                 "any algorithm: an epoch with X words computes at most "
                 "max(X^2/d^2, 2X) required entries",
                 kFmm,
                 "floors: fmm",
                 "d > 0; a >= 0; b >= 0; r >= 0; c >= 0; d*a + r <= X; "
                 "d*b + c <= X; B <= a*b + r + c",
                 "d^2*B <= X^2 or B <= 2*X",
                 {"101*d^2*B <= 100*X^2 or 101*B <= 200*X"}});
  out.push_back({"fmm_regime",
                 "for M >= d^2 the quadratic term is the larger at X = 2M",
                 kFmm,
                 "floors: fmm",
                 "D > 0; M >= D",
                 "2*(2*M)*D <= (2*M)^2",
                 {}});
  out.push_back({"fmm_count",
                 "h epochs: I/O >= E d^2/(4M) - M",
                 kFmm,
                 "floors: fmm",
                 "D > 0; M > 0; h >= 1; E*D <= h*(2*M)^2; R >= M*(h - 1)",
                 "E*D - 4*M^2 <= 4*M*R",
                 {}});
  // Many CTAs, each with M words and cold: the terms -M and -2M are not needed.
  out.push_back({"fmm_cold.segment",
                 "an epoch of at most 2M words computes at most 2M X / d^2 "
                 "entries for M >= d^2",
                 kFmm,
                 "floors: fmm, sums over CTAs",
                 "D > 0; M >= D; X >= 0; X <= 2*M; D*B <= X^2 or B <= 2*X",
                 "D*B <= 2*M*X",
                 {"101*D*B <= 200*M*X", "D > 0; M > 0; X >= 0; X <= 2*M; "
                                        "D*B <= X^2 or B <= 2*X |- "
                                        "D*B <= 2*M*X"}});
  out.push_back({"fmm_cold.count",
                 "cold start: h epochs hold at most t + (h - 1)M words, so "
                 "I/O (t) >= E d^2/(4M) without -M",
                 kFmm,
                 "floors: fmm, sums over CTAs",
                 "D > 0; M > 0; h >= 1; (h - 1)*M <= t; "
                 "E*D <= 2*M*(t + (h - 1)*M)",
                 "E*D <= 4*M*t",
                 {"101*E*D <= 400*M*t"}});
  out.push_back({"small_cache.unified_below",
                 "U without -M (u, M = r^2 d^2) is for M <= 2d^2 at most R' "
                 "for d_V = 0, which loses nothing",
                 kSmall,
                 "floors: small-cache (U), sums over CTAs",
                 "r > 0; u > 0; u^2*(r^2 + r^4) = 1",
                 "u*r <= 2 - r or r^2 >= 2",
                 {"u*r <= 1 - r or r^2 >= 2", "u*r <= 2 - r"}});
  out.push_back({"small_cache.unified_large",
                 "and for M >= 2d^2 at most Theorem A's d^2/M",
                 kSmall,
                 "floors: small-cache (U), sums over CTAs",
                 "r > 0; u > 0; u^2*(r^2 + r^4) = 1",
                 "u*r^2 <= 1",
                 {"2*u*r^2 <= 1"}});
}
