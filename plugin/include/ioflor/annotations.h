/*===- annotations.h - What a kernel says about itself -------------*- C -*-===
 *
 * Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===
 *
 * Put in front of a kernel or of the host function that launches a pipeline:
 *
 *   IOFLOR_CAUSAL
 *   IOFLOR_ASSUME(n % 64 == 0)
 *   __global__ void attention(const float *q, ..., int n);
 *
 * Arguments are expressions over the function's parameters, its template
 * parameters and constants; macros in them are expanded. They may be written
 * plainly or as strings. Under Clang the macros become `annotate` attributes,
 * which generate no code; every other compiler sees nothing.
 *
 *===----------------------------------------------------------------------===*/
#ifndef IOFLOR_ANNOTATIONS_H
#define IOFLOR_ANNOTATIONS_H

#if defined(__clang__) && !defined(IOFLOR_DISABLE_ANNOTATIONS)
#define IOFLOR_TEXT_(...) #__VA_ARGS__
/* One more level, so that macros in the arguments are expanded first. */
#define IOFLOR_TEXT(...) IOFLOR_TEXT_(__VA_ARGS__)
#define IOFLOR_NOTE0(kind) __attribute__((annotate("ioflor." kind)))
#define IOFLOR_NOTE1(kind, a)                                                  \
  __attribute__((annotate("ioflor." kind, IOFLOR_TEXT(a))))
#define IOFLOR_NOTE2(kind, a, b)                                               \
  __attribute__((annotate("ioflor." kind, IOFLOR_TEXT(a), IOFLOR_TEXT(b))))
#define IOFLOR_NOTE3(kind, a, b, c)                                            \
  __attribute__((annotate("ioflor." kind, IOFLOR_TEXT(a), IOFLOR_TEXT(b),      \
                          IOFLOR_TEXT(c))))
#else
#define IOFLOR_NOTE0(kind)
#define IOFLOR_NOTE1(kind, a)
#define IOFLOR_NOTE2(kind, a, b)
#define IOFLOR_NOTE3(kind, a, b, c)
#endif

/* ---- Which attention this is. Without one of these: exact and full. ------ */

/* Every query attends to every key. */
#define IOFLOR_EXACT IOFLOR_NOTE0("exact")
/* Query i attends to the keys j <= i + n_k - n_q, for n_q <= n_k. */
#define IOFLOR_CAUSAL IOFLOR_NOTE0("causal")
/* Query i attends to the keys j <= i. */
#define IOFLOR_CAUSAL_TOP_LEFT IOFLOR_NOTE0("causal_top_left")
/* Query i attends to the last w keys up to and with the diagonal. */
#define IOFLOR_WINDOW(w) IOFLOR_NOTE1("window", w)
/* Query i attends to the keys at most w away from the diagonal. */
#define IOFLOR_WINDOW_SYMMETRIC(w) IOFLOR_NOTE1("window_symmetric", w)
/* Another function of all inputs: "what, where it is described". */
#define IOFLOR_APPROXIMATE(what) IOFLOR_NOTE1("approximate", what)
/* Of chosen keys only: "what, where it is described". */
#define IOFLOR_SPARSE(what) IOFLOR_NOTE1("sparse", what)
/* A runtime parameter decides whether the mask applies. */
#define IOFLOR_MASKED_BY(flag) IOFLOR_NOTE1("masked_by", flag)

/* ---- What the analysis cannot see by itself. ----------------------------- */

/* A pointer parameter is Q, K, V or O. */
#define IOFLOR_ROLE(param, role) IOFLOR_NOTE2("role", param, role)
/* A pointer parameter has so many rows and columns (per head). */
#define IOFLOR_EXTENT(param, rows, columns)                                    \
  IOFLOR_NOTE3("extent", param, rows, columns)
/* Holds at every launch, such as IOFLOR_ASSUME(n % 64 == 0). */
#define IOFLOR_ASSUME(condition) IOFLOR_NOTE1("assume", condition)
/* The number of words that the kernel is said to move; checked. */
#define IOFLOR_CLAIM_WORDS(words) IOFLOR_NOTE1("claim_words", words)
/* The fast memory of one CTA, in words. */
#define IOFLOR_FAST_WORDS(words) IOFLOR_NOTE1("fast_words", words)

#endif /* IOFLOR_ANNOTATIONS_H */
