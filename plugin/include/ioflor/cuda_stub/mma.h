/*===- mma.h - stand-in for the CUDA toolkit's header
 * -------------------------===
 *
 * Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===
 *
 * Fragments and their functions, declared: what they move is known by name.
 *
 *===----------------------------------------------------------------------===*/
#pragma once
#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {
struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
} // namespace precision
template <class T> struct ioflor_storage {
  typedef T type;
};
template <> struct ioflor_storage<precision::tf32> {
  typedef float type;
};
template <class Use, int M, int N, int K, class T, class Layout = void>
struct fragment {
  typedef typename ioflor_storage<T>::type element_type;
  static constexpr int rows = std::is_same<Use, matrix_b>::value ? K : M;
  static constexpr int columns = std::is_same<Use, matrix_a>::value ? K : N;
  static constexpr int num_elements = rows * columns / 32;
  static constexpr int num_storage_elements = num_elements;
  element_type x[num_elements];
};
template <class Use, int M, int N, int K, class T, class Layout, class V>
__device__ void fill_fragment(fragment<Use, M, N, K, T, Layout> &f, V value);
template <class Use, int M, int N, int K, class T, class Layout, class P>
__device__ void load_matrix_sync(fragment<Use, M, N, K, T, Layout> &f,
                                 const P *from, unsigned int pitch);
template <int M, int N, int K, class T, class P>
__device__ void load_matrix_sync(fragment<accumulator, M, N, K, T> &f,
                                 const P *from, unsigned int pitch,
                                 layout_t layout);
template <int M, int N, int K, class T, class P>
__device__ void store_matrix_sync(P *to,
                                  const fragment<accumulator, M, N, K, T> &f,
                                  unsigned int pitch, layout_t layout);
template <int M, int N, int K, class A, class LA, class B, class LB, class C,
          class D>
__device__ void mma_sync(fragment<accumulator, M, N, K, D> &d,
                         const fragment<matrix_a, M, N, K, A, LA> &a,
                         const fragment<matrix_b, M, N, K, B, LB> &b,
                         const fragment<accumulator, M, N, K, C> &c);
static __inline__ __device__ float __float_to_tf32(float f) { return f; }
} // namespace wmma
} // namespace nvcuda
