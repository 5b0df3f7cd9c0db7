/*===- cooperative_groups.h - stand-in for the CUDA toolkit's header
 * -------------------------===
 *
 * Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===
 *
 * Groups of threads, as far as kernels use them to meet and to reduce.
 *
 *===----------------------------------------------------------------------===*/
#pragma once
#include "cuda_runtime.h"

namespace cooperative_groups {
struct thread_group {
  __device__ void sync() const { __syncthreads(); }
  __device__ unsigned int size() const {
    return blockDim.x * blockDim.y * blockDim.z;
  }
  __device__ unsigned int thread_rank() const {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
};
struct thread_block : thread_group {
  __device__ dim3 group_index() const {
    return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
  }
  __device__ dim3 thread_index() const {
    return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
  }
  __device__ dim3 group_dim() const {
    return dim3(blockDim.x, blockDim.y, blockDim.z);
  }
  __device__ dim3 dim_threads() const { return group_dim(); }
  __device__ unsigned int num_threads() const { return size(); }
};
struct grid_group {
  __device__ void sync() const;
  __device__ bool is_valid() const { return true; }
  __device__ unsigned long long thread_rank() const;
  __device__ unsigned long long size() const;
};
template <unsigned int Size, class Parent = void> struct thread_block_tile {
  static __device__ unsigned int rank() {
    return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x +
            threadIdx.x) %
           Size;
  }
  __device__ void sync() const { __syncwarp(); }
  __device__ unsigned int size() const { return Size; }
  __device__ unsigned int num_threads() const { return Size; }
  __device__ unsigned int thread_rank() const { return rank(); }
  __device__ unsigned int meta_group_rank() const {
    return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x +
            threadIdx.x) /
           Size;
  }
  __device__ unsigned int meta_group_size() const {
    return (blockDim.x * blockDim.y * blockDim.z + Size - 1) / Size;
  }
  template <class T> __device__ T shfl(T v, int lane) const {
    return __shfl_sync(0xffffffffu, v, lane, Size);
  }
  template <class T> __device__ T shfl_xor(T v, int mask) const {
    return __shfl_xor_sync(0xffffffffu, v, mask, Size);
  }
  template <class T> __device__ T shfl_down(T v, unsigned int n) const {
    return __shfl_down_sync(0xffffffffu, v, n, Size);
  }
  template <class T> __device__ T shfl_up(T v, unsigned int n) const {
    return __shfl_up_sync(0xffffffffu, v, n, Size);
  }
  __device__ int any(int v) const { return __any_sync(0xffffffffu, v); }
  __device__ int all(int v) const { return __all_sync(0xffffffffu, v); }
  __device__ unsigned int ballot(int v) const {
    return __ballot_sync(0xffffffffu, v);
  }
};
static __inline__ __device__ thread_block this_thread_block() { return {}; }
static __inline__ __device__ grid_group this_grid() { return {}; }
template <unsigned int Size, class Parent>
__device__ thread_block_tile<Size, Parent> tiled_partition(const Parent &) {
  return {};
}
template <class Group> __device__ void sync(const Group &g) { g.sync(); }

template <class T> struct plus {
  __device__ T operator()(T a, T b) const { return a + b; }
};
template <class T> struct greater {
  __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T> struct less {
  __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <unsigned int Size, class Parent, class T, class Op>
__device__ T reduce(const thread_block_tile<Size, Parent> &g, T v, Op op) {
  for (unsigned int n = Size / 2; n > 0; n /= 2)
    v = op(v, g.shfl_xor(v, n));
  return v;
}
} // namespace cooperative_groups
