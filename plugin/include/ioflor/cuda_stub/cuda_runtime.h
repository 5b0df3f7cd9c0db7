/*===- cuda_runtime.h - stand-in for the CUDA toolkit's header -------------------------===
 *
 * Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===
 *
 * Lets Clang parse kernels where no toolkit is installed:
 *   clang -x cuda -nocudainc -nocudalib -isystem .../ioflor/cuda_stub FILE.cu
 * It declares; nothing built with it runs. Device functions come from Clang's own headers.
 *
 *===----------------------------------------------------------------------===*/
#pragma once
#include "host_defines.h"

#if defined(__CUDA__)
#include <__clang_cuda_math_forward_declares.h>
#endif
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__cplusplus)
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>
#endif

#include "cuda_runtime_api.h"
#include "vector_functions.h"

#if defined(__CUDA__)
#include <__clang_cuda_builtin_vars.h>
#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>
#include <__clang_cuda_cmath.h>
/* Clang's next header expects these of the toolkit. */
typedef unsigned int cuuint32_t;
static __inline__ __device__ unsigned int __isShared(const void *p) {
  return __nvvm_isspacep_shared(p);
}
static __inline__ __device__ unsigned int __isGlobal(const void *p) {
  return __nvvm_isspacep_global(p);
}
static __inline__ __device__ size_t __cvta_generic_to_shared(const void *p) {
  return (size_t)(void __attribute__((address_space(3))) *)p;
}
static __inline__ __device__ size_t __cvta_generic_to_global(const void *p) {
  return (size_t)(void __attribute__((address_space(1))) *)p;
}
#include <__clang_cuda_intrinsics.h>

inline __device__ __cuda_builtin_threadIdx_t::operator dim3() const {
  return dim3(x, y, z);
}
inline __device__ __cuda_builtin_threadIdx_t::operator uint3() const {
  return uint3{x, y, z};
}
inline __device__ __cuda_builtin_blockIdx_t::operator dim3() const {
  return dim3(x, y, z);
}
inline __device__ __cuda_builtin_blockIdx_t::operator uint3() const {
  return uint3{x, y, z};
}
inline __device__ __cuda_builtin_blockDim_t::operator dim3() const {
  return dim3(x, y, z);
}
inline __device__ __cuda_builtin_blockDim_t::operator uint3() const {
  return uint3{x, y, z};
}
inline __device__ __cuda_builtin_gridDim_t::operator dim3() const {
  return dim3(x, y, z);
}
inline __device__ __cuda_builtin_gridDim_t::operator uint3() const {
  return uint3{x, y, z};
}

#include "ioflor_stub_device.h"
#endif
