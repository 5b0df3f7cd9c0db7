// The headers that ioflor ships: what kernels use parses on both sides without a toolkit and without a warning.
//
// RUN: %clang %cuda_stub --cuda-gpu-arch=sm_70 --cuda-device-only -fsyntax-only -Wall -Wextra -Werror %s
// RUN: %clang %cuda_stub --cuda-gpu-arch=sm_90 --cuda-device-only -fsyntax-only -Wall -Wextra -Werror %s
// RUN: %clang %cuda_stub --cuda-gpu-arch=sm_80 --cuda-host-only -fsyntax-only -Wall -Wextra -Werror %s
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <mma.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_pipeline.h>
#include <cuda.h>
#include <math_constants.h>
#include <vector>
#include <algorithm>
#include <iostream>
namespace cg = cooperative_groups;
using namespace nvcuda;
template <int D> __global__ void k(const half *q, const __nv_bfloat16 *b, half2 *o, float *f, int n) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  float s = __half2float(q[threadIdx.x]) + __bfloat162float(b[0]);
  s = cg::reduce(tile, s, cg::plus<float>());
  s += __shfl_xor_sync(0xffffffff, s, 16);
  half2 h = __floats2half2_rn(s, s); h = __hmul2(h, h); h = __hfma2(h, h, o[1]);
  o[0] = h2exp(h); f[0] = __expf(s) + exp2f(s) + expf(s) + fmaxf(s, 1.f) + max(n, 3) + rsqrtf(s) + __ldg(f + 1) + __fdividef(s, 2.f) + sqrt(2.0) + CUDART_INF_F;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.f); wmma::load_matrix_sync(fa, q, 16); wmma::load_matrix_sync(fb, q, 16);
  wmma::mma_sync(fc, fa, fb, fc); wmma::store_matrix_sync(f, fc, 16, wmma::mem_row_major);
  atomicAdd(f, s); float4 v = *(float4 *)f; v = make_float4(v.x, v.y, v.z, v.w); *(float4*)f = v;
  unsigned a = __cvta_generic_to_shared(f); asm volatile("" :: "r"(a), "l"(q));
  __syncwarp(); if (isinf(s) || isnan(s)) return; 
}
int main() {
  float *p; cudaMalloc(&p, 4); cudaFuncSetAttribute(k<64>, cudaFuncAttributeMaxDynamicSharedMemorySize, 4);
  k<64><<<dim3(1, 2), 32, 0, 0>>>(nullptr, nullptr, nullptr, p, std::max(1, 2));
  std::vector<float> v(3); std::sort(v.begin(), v.end()); std::cout << max(1, 2u) << cudaGetErrorString(cudaGetLastError());
}
