// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp exchanges, barriers, inline PTX and matrix instructions against scalar
// code: a wrong answer fails a device assertion.
#include <cassert>
#include <cstdint>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

constexpr unsigned ALL = 0xffffffffu;

__global__ void warp() {
  const int lane = threadIdx.x % 32;
  const float x = lane + 1;
  assert(__shfl_xor_sync(ALL, x, 5) == (lane ^ 5) + 1);
  assert(__shfl_down_sync(ALL, x, 3) == (lane + 3 < 32 ? lane + 4 : x));
  assert(__shfl_up_sync(ALL, x, 3) == (lane >= 3 ? lane - 2 : x));
  assert(__shfl_sync(ALL, x, 7) == 8);
  // Segments of eight lanes.
  assert(__shfl_sync(ALL, x, 2, 8) == lane / 8 * 8 + 3);
  assert(__shfl_down_sync(ALL, x, 6, 8) == (lane % 8 < 2 ? lane + 7 : x));
  assert(__shfl_up_sync(ALL, x, 1, 8) == (lane % 8 ? lane : x));
  assert(__shfl_xor_sync(ALL, lane, 9, 16) == (lane ^ 9));
  assert(__ballot_sync(ALL, lane % 3 == 0) == 0x49249249u);
  assert(__any_sync(ALL, lane == 31) && !__any_sync(ALL, lane > 31));
  assert(__all_sync(ALL, lane < 32) && !__all_sync(ALL, lane < 31));
  assert(__reduce_add_sync(ALL, (unsigned)lane) == 496);
  assert(__reduce_max_sync(ALL, -lane) == 0);
  // Halves of a warp apart from each other.
  const unsigned half = lane < 16 ? 0x0000ffffu : 0xffff0000u;
  float sum = 1;
  for (int offset = 8; offset; offset /= 2)
    sum += __shfl_xor_sync(half, sum, offset);
  assert(sum == 16);
}

__global__ void barriers() {
  __shared__ int turns[128];
  const int t = threadIdx.x;
  turns[t] = t;
  for (int round = 0; round < 5; ++round) {
    __syncthreads();
    const int mine = turns[(t + 1) % 128];
    __syncthreads();
    turns[t] = mine;
  }
  assert(turns[t] == (t + 5) % 128);
  assert(__syncthreads_count(t % 4 == 0) == 32);
  assert(__syncthreads_or(t == 77) && !__syncthreads_and(t != 77));
  // Threads that have ended are not waited for.
  if (t >= 64)
    return;
  __syncthreads();
  asm volatile("bar.sync 1, 64;");
}

__global__ void inlinePtx(const float *from, float *to) {
  __shared__ __align__(16) float stage[128];
  const int t = threadIdx.x;
  float a, b, c, d;
  asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(a), "=f"(b), "=f"(c), "=f"(d)
               : "l"(from + 4 * t));
  assert(a == 4 * t && d == 4 * t + 3);
  // The second half of each copy is zero, not read.
  unsigned address = (unsigned)__cvta_generic_to_shared(stage + 4 * t);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address),
               "l"(from + 4 * t), "r"(8));
  asm volatile("cp.async.wait_all;" ::: "memory");
  assert(stage[4 * t + 1] == 4 * t + 1 && stage[4 * t + 2] == 0);
  float guarded = -1;
  asm volatile("{ .reg .pred p;\n setp.lt.s32 p, %1, 3;\n"
               "  @p ld.global.f32 %0, [%2];\n}"
               : "+f"(guarded)
               : "r"(t), "l"(from + t));
  assert(guarded == (t < 3 ? t : -1));
  half2 h = __floats2half2_rn(t, 0.5f);
  h = __hfma2(h, __float2half2_rn(2.0f), __float2half2_rn(1.0f));
  assert(__low2float(h) == 2 * t + 1 && __high2float(h) == 2);
  asm volatile("st.global.cs.f32 [%0], %1;" ::"l"(to + t), "f"(__ldcg(from)));
}

// C = A B for 16 x 16 times 16 x 8, once by the tensor core's instructions.
__global__ void matrix() {
  __shared__ __align__(16) half a[16][16], b[16][8];
  const int lane = threadIdx.x;
  for (int e = lane; e < 256; e += 32)
    a[e / 16][e % 16] = __float2half(float(e % 7) - e / 16);
  for (int e = lane; e < 128; e += 32)
    b[e / 8][e % 8] = __float2half(float(e % 5) - 2);
  __syncwarp();
  uint32_t ra[4], rb[2];
  uint32_t at = (uint32_t)__cvta_generic_to_shared(
      &a[lane % 16][lane / 16 * 8]);
  asm volatile(
      "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
      : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3])
      : "r"(at));
  at = (uint32_t)__cvta_generic_to_shared(&b[lane % 16][0]);
  asm volatile(
      "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
      : "=r"(rb[0]), "=r"(rb[1])
      : "r"(at));
  float c[4] = {1, 2, 3, 4};
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%0, %1, %2, %3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]),
                 "r"(rb[1]));
  for (int e = 0; e < 4; ++e) {
    const int row = lane / 4 + e / 2 * 8, column = lane % 4 * 2 + e % 2;
    float sum = e + 1;
    for (int k = 0; k < 16; ++k)
      sum += __half2float(a[row][k]) * __half2float(b[k][column]);
    assert(c[e] == sum);
  }
}

void run(const float *from, float *to) {
  warp<<<2, 96>>>();
  barriers<<<1, 128>>>();
  inlinePtx<<<1, 32>>>(from, to);
  matrix<<<1, 32>>>();
}
