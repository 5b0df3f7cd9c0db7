/*===- cuda_pipeline.h - stand-in for the CUDA toolkit's header -------------------------===
 *
 * Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===
 *
 * Asynchronous copies to shared memory.
 *
 *===----------------------------------------------------------------------===*/
#pragma once
#include "cuda_runtime.h"

static __inline__ __device__ void __pipeline_commit() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  __nvvm_cp_async_commit_group();
#endif
}
static __inline__ __device__ void __pipeline_wait_prior(size_t n) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  __nvvm_cp_async_wait_all();
#endif
}
static __inline__ __device__ void
__pipeline_memcpy_async(void *to, const void *from, size_t bytes,
                        size_t zfill = 0) {
  __builtin_memcpy(to, from, bytes);
}
