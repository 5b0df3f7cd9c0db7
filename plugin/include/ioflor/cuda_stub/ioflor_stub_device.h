/*===- ioflor_stub_device.h - stand-in for the CUDA toolkit's header
 * -------------------------===
 *
 * Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===
 *
 * Lets Clang parse kernels where no toolkit is installed:
 *   clang -x cuda -nocudainc -nocudalib -isystem .../ioflor/cuda_stub FILE.cu
 * It declares; nothing built with it runs. What the toolkit declares and
 * Clang's headers do not.
 *
 *===----------------------------------------------------------------------===*/
#pragma once
#include "vector_functions.h"

/* min and max of host code, also of mixed types, as nvcc has them. */
template <class A, class B,
          class = typename std::enable_if<!std::is_same<A, B>::value &&
                                          std::is_arithmetic<A>::value &&
                                          std::is_arithmetic<B>::value>::type>
static __inline__ __host__ constexpr typename std::common_type<A, B>::type
min(A a, B b) {
  typedef typename std::common_type<A, B>::type C;
  return C(b) < C(a) ? C(b) : C(a);
}
template <class A, class B,
          class = typename std::enable_if<!std::is_same<A, B>::value &&
                                          std::is_arithmetic<A>::value &&
                                          std::is_arithmetic<B>::value>::type>
static __inline__ __host__ constexpr typename std::common_type<A, B>::type
max(A a, B b) {
  typedef typename std::common_type<A, B>::type C;
  return C(a) < C(b) ? C(b) : C(a);
}
template <class T,
          class = typename std::enable_if<std::is_arithmetic<T>::value>::type>
static __inline__ __host__ constexpr T min(T a, T b) {
  return b < a ? b : a;
}
template <class T,
          class = typename std::enable_if<std::is_arithmetic<T>::value>::type>
static __inline__ __host__ constexpr T max(T a, T b) {
  return a < b ? b : a;
}
/* The same for device code: integers in their common type; floating-point
 * numbers as fmax and fmin. Clang's headers have int alone. */
template <class A, class B,
          class = typename std::enable_if<std::is_integral<A>::value &&
                                          std::is_integral<B>::value>::type>
static __inline__ __device__ constexpr typename std::common_type<A, B>::type
min(A a, B b) {
  typedef typename std::common_type<A, B>::type C;
  return C(b) < C(a) ? C(b) : C(a);
}
template <class A, class B,
          class = typename std::enable_if<std::is_integral<A>::value &&
                                          std::is_integral<B>::value>::type>
static __inline__ __device__ constexpr typename std::common_type<A, B>::type
max(A a, B b) {
  typedef typename std::common_type<A, B>::type C;
  return C(a) < C(b) ? C(b) : C(a);
}
static __inline__ __device__ float min(float a, float b) {
  return fminf(a, b);
}
static __inline__ __device__ float max(float a, float b) {
  return fmaxf(a, b);
}
static __inline__ __device__ double min(double a, double b) {
  return fmin(a, b);
}
static __inline__ __device__ double max(double a, double b) {
  return fmax(a, b);
}
static __inline__ __device__ double min(float a, double b) {
  return fmin((double)a, b);
}
static __inline__ __device__ double min(double a, float b) {
  return fmin(a, (double)b);
}
static __inline__ __device__ double max(float a, double b) {
  return fmax((double)a, b);
}
static __inline__ __device__ double max(double a, float b) {
  return fmax(a, (double)b);
}
/* Square roots that only CUDA has, for host code. */
static __inline__ __host__ float rsqrtf(float x) {
  return 1.0f / __builtin_sqrtf(x);
}
static __inline__ __host__ double rsqrt(double x) {
  return 1.0 / __builtin_sqrt(x);
}

/* Loads and stores with a cache hint. */
#define IOFLOR_STUB_HINTS(T)                                                   \
  static __inline__ __device__ void __stcs(T *p, T v) { *p = v; }              \
  static __inline__ __device__ void __stcg(T *p, T v) { *p = v; }              \
  static __inline__ __device__ void __stwb(T *p, T v) { *p = v; }              \
  static __inline__ __device__ T __ldca(const T *p) { return *p; }             \
  static __inline__ __device__ T __ldlu(const T *p) { return *p; }
IOFLOR_STUB_HINTS(char)
IOFLOR_STUB_HINTS(signed char)
IOFLOR_STUB_HINTS(unsigned char)
IOFLOR_STUB_HINTS(short)
IOFLOR_STUB_HINTS(unsigned short)
IOFLOR_STUB_HINTS(int)
IOFLOR_STUB_HINTS(unsigned int)
IOFLOR_STUB_HINTS(long long)
IOFLOR_STUB_HINTS(unsigned long long)
IOFLOR_STUB_HINTS(float)
IOFLOR_STUB_HINTS(double)
IOFLOR_STUB_HINTS(int2)
IOFLOR_STUB_HINTS(int4)
IOFLOR_STUB_HINTS(uint2)
IOFLOR_STUB_HINTS(uint4)
IOFLOR_STUB_HINTS(float2)
IOFLOR_STUB_HINTS(float4)
IOFLOR_STUB_HINTS(double2)
#undef IOFLOR_STUB_HINTS

/* Atomics. */
#define IOFLOR_STUB_ATOMIC __device__ __inline__ static
IOFLOR_STUB_ATOMIC int atomicAdd(int *p, int v) {
  return __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
}
IOFLOR_STUB_ATOMIC unsigned int atomicAdd(unsigned int *p, unsigned int v) {
  return __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
}
IOFLOR_STUB_ATOMIC unsigned long long atomicAdd(unsigned long long *p,
                                                unsigned long long v) {
  return __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
}
IOFLOR_STUB_ATOMIC float atomicAdd(float *p, float v) {
  return __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
}
IOFLOR_STUB_ATOMIC double atomicAdd(double *p, double v) {
  return __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
}
IOFLOR_STUB_ATOMIC int atomicSub(int *p, int v) {
  return __atomic_fetch_sub(p, v, __ATOMIC_RELAXED);
}
IOFLOR_STUB_ATOMIC unsigned int atomicSub(unsigned int *p, unsigned int v) {
  return __atomic_fetch_sub(p, v, __ATOMIC_RELAXED);
}
IOFLOR_STUB_ATOMIC int atomicMax(int *p, int v) {
  return __atomic_fetch_max(p, v, __ATOMIC_RELAXED);
}
IOFLOR_STUB_ATOMIC unsigned int atomicMax(unsigned int *p, unsigned int v) {
  return __atomic_fetch_max(p, v, __ATOMIC_RELAXED);
}
IOFLOR_STUB_ATOMIC int atomicMin(int *p, int v) {
  return __atomic_fetch_min(p, v, __ATOMIC_RELAXED);
}
IOFLOR_STUB_ATOMIC unsigned int atomicMin(unsigned int *p, unsigned int v) {
  return __atomic_fetch_min(p, v, __ATOMIC_RELAXED);
}
IOFLOR_STUB_ATOMIC int atomicExch(int *p, int v) {
  return __atomic_exchange_n(p, v, __ATOMIC_RELAXED);
}
IOFLOR_STUB_ATOMIC unsigned int atomicExch(unsigned int *p, unsigned int v) {
  return __atomic_exchange_n(p, v, __ATOMIC_RELAXED);
}
IOFLOR_STUB_ATOMIC float atomicExch(float *p, float v) {
  return __nvvm_atom_xchg_gen_i((int *)p, __float_as_int(v));
}
IOFLOR_STUB_ATOMIC unsigned int atomicInc(unsigned int *p, unsigned int v) {
  return __nvvm_atom_inc_gen_ui(p, v);
}
IOFLOR_STUB_ATOMIC int atomicCAS(int *p, int expected, int v) {
  __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
  return expected;
}
IOFLOR_STUB_ATOMIC unsigned int
atomicCAS(unsigned int *p, unsigned int expected, unsigned int v) {
  __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
  return expected;
}
IOFLOR_STUB_ATOMIC unsigned long long atomicCAS(unsigned long long *p,
                                                unsigned long long expected,
                                                unsigned long long v) {
  __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
  return expected;
}
IOFLOR_STUB_ATOMIC int atomicOr(int *p, int v) {
  return __atomic_fetch_or(p, v, __ATOMIC_RELAXED);
}
IOFLOR_STUB_ATOMIC int atomicAnd(int *p, int v) {
  return __atomic_fetch_and(p, v, __ATOMIC_RELAXED);
}
#undef IOFLOR_STUB_ATOMIC

/* What assert() and printf() of the host's C library call on the device. */
extern "C" {
__device__ void __assertfail(const char *message, const char *file,
                             unsigned line, const char *function,
                             decltype(sizeof(0)) characterSize);
__device__ int vprintf(const char *, const char *);
__device__ int printf(const char *, ...);
}
__device__ static inline void __assert_fail(const char *message,
                                            const char *file, unsigned line,
                                            const char *function) {
  __assertfail(message, file, line, function, sizeof(char));
}
