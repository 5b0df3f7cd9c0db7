/*===- cuda_bf16.h - stand-in for the CUDA toolkit's header ------------===
 *
 * Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===
 *
 * bfloat16 by way of float: the upper half of its bits.
 *
 *===----------------------------------------------------------------------===*/
#pragma once
#include "cuda_runtime.h"

#define IOFLOR_STUB_HD static __inline__ __host__ __device__
#define IOFLOR_STUB_D static __inline__ __device__

struct __attribute__((aligned(2))) __nv_bfloat16 {
  unsigned short bits;
  __nv_bfloat16() = default;
  __host__ __device__ __nv_bfloat16(float f) {
    bits = (unsigned short)(__builtin_bit_cast(unsigned int, f) >> 16);
  }
  __host__ __device__ __nv_bfloat16(double f) : __nv_bfloat16((float)f) {}
  __host__ __device__ __nv_bfloat16(int i) : __nv_bfloat16((float)i) {}
  __host__ __device__ __nv_bfloat16(unsigned int i) : __nv_bfloat16((float)i) {}
  __host__ __device__ __nv_bfloat16(long long i) : __nv_bfloat16((float)i) {}
  __host__ __device__ __nv_bfloat16(unsigned long long i)
      : __nv_bfloat16((float)i) {}
  __host__ __device__ operator float() const {
    return __builtin_bit_cast(float, (unsigned int)bits << 16);
  }
};
struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  __host__ __device__ __nv_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b)
      : x(a), y(b) {}
};
IOFLOR_STUB_HD __nv_bfloat16 operator+(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __nv_bfloat16((float)a + (float)b);
}
IOFLOR_STUB_HD __nv_bfloat16 &operator+=(__nv_bfloat16 &a, __nv_bfloat16 b) {
  return a = a + b;
}
IOFLOR_STUB_HD __nv_bfloat162 operator+(__nv_bfloat162 a, __nv_bfloat162 b) {
  return __nv_bfloat162(a.x + b.x, a.y + b.y);
}
IOFLOR_STUB_HD __nv_bfloat162 &operator+=(__nv_bfloat162 &a, __nv_bfloat162 b) {
  return a = a + b;
}
IOFLOR_STUB_HD __nv_bfloat16 operator-(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __nv_bfloat16((float)a - (float)b);
}
IOFLOR_STUB_HD __nv_bfloat16 &operator-=(__nv_bfloat16 &a, __nv_bfloat16 b) {
  return a = a - b;
}
IOFLOR_STUB_HD __nv_bfloat162 operator-(__nv_bfloat162 a, __nv_bfloat162 b) {
  return __nv_bfloat162(a.x - b.x, a.y - b.y);
}
IOFLOR_STUB_HD __nv_bfloat162 &operator-=(__nv_bfloat162 &a, __nv_bfloat162 b) {
  return a = a - b;
}
IOFLOR_STUB_HD __nv_bfloat16 operator*(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __nv_bfloat16((float)a * (float)b);
}
IOFLOR_STUB_HD __nv_bfloat16 &operator*=(__nv_bfloat16 &a, __nv_bfloat16 b) {
  return a = a * b;
}
IOFLOR_STUB_HD __nv_bfloat162 operator*(__nv_bfloat162 a, __nv_bfloat162 b) {
  return __nv_bfloat162(a.x * b.x, a.y * b.y);
}
IOFLOR_STUB_HD __nv_bfloat162 &operator*=(__nv_bfloat162 &a, __nv_bfloat162 b) {
  return a = a * b;
}
IOFLOR_STUB_HD __nv_bfloat16 operator/(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __nv_bfloat16((float)a / (float)b);
}
IOFLOR_STUB_HD __nv_bfloat16 &operator/=(__nv_bfloat16 &a, __nv_bfloat16 b) {
  return a = a / b;
}
IOFLOR_STUB_HD __nv_bfloat162 operator/(__nv_bfloat162 a, __nv_bfloat162 b) {
  return __nv_bfloat162(a.x / b.x, a.y / b.y);
}
IOFLOR_STUB_HD __nv_bfloat162 &operator/=(__nv_bfloat162 &a, __nv_bfloat162 b) {
  return a = a / b;
}
IOFLOR_STUB_HD __nv_bfloat16 operator-(__nv_bfloat16 a) {
  return __nv_bfloat16(-(float)a);
}
IOFLOR_STUB_HD __nv_bfloat162 operator-(__nv_bfloat162 a) {
  return __nv_bfloat162(-a.x, -a.y);
}
IOFLOR_STUB_HD bool operator==(__nv_bfloat16 a, __nv_bfloat16 b) {
  return (float)a == (float)b;
}
IOFLOR_STUB_HD bool operator!=(__nv_bfloat16 a, __nv_bfloat16 b) {
  return (float)a != (float)b;
}
IOFLOR_STUB_HD bool operator<(__nv_bfloat16 a, __nv_bfloat16 b) {
  return (float)a < (float)b;
}
IOFLOR_STUB_HD bool operator>(__nv_bfloat16 a, __nv_bfloat16 b) {
  return (float)a > (float)b;
}
IOFLOR_STUB_HD bool operator<=(__nv_bfloat16 a, __nv_bfloat16 b) {
  return (float)a <= (float)b;
}
IOFLOR_STUB_HD bool operator>=(__nv_bfloat16 a, __nv_bfloat16 b) {
  return (float)a >= (float)b;
}

IOFLOR_STUB_HD __nv_bfloat16 __hadd(__nv_bfloat16 a, __nv_bfloat16 b) {
  return a + b;
}
IOFLOR_STUB_HD __nv_bfloat162 __hadd2(__nv_bfloat162 a, __nv_bfloat162 b) {
  return a + b;
}
IOFLOR_STUB_HD __nv_bfloat16 __hadd_rn(__nv_bfloat16 a, __nv_bfloat16 b) {
  return a + b;
}
IOFLOR_STUB_HD __nv_bfloat162 __hadd2_rn(__nv_bfloat162 a, __nv_bfloat162 b) {
  return a + b;
}
IOFLOR_STUB_HD __nv_bfloat16 __hsub(__nv_bfloat16 a, __nv_bfloat16 b) {
  return a - b;
}
IOFLOR_STUB_HD __nv_bfloat162 __hsub2(__nv_bfloat162 a, __nv_bfloat162 b) {
  return a - b;
}
IOFLOR_STUB_HD __nv_bfloat16 __hsub_rn(__nv_bfloat16 a, __nv_bfloat16 b) {
  return a - b;
}
IOFLOR_STUB_HD __nv_bfloat162 __hsub2_rn(__nv_bfloat162 a, __nv_bfloat162 b) {
  return a - b;
}
IOFLOR_STUB_HD __nv_bfloat16 __hmul(__nv_bfloat16 a, __nv_bfloat16 b) {
  return a * b;
}
IOFLOR_STUB_HD __nv_bfloat162 __hmul2(__nv_bfloat162 a, __nv_bfloat162 b) {
  return a * b;
}
IOFLOR_STUB_HD __nv_bfloat16 __hmul_rn(__nv_bfloat16 a, __nv_bfloat16 b) {
  return a * b;
}
IOFLOR_STUB_HD __nv_bfloat162 __hmul2_rn(__nv_bfloat162 a, __nv_bfloat162 b) {
  return a * b;
}
IOFLOR_STUB_HD __nv_bfloat16 __hdiv(__nv_bfloat16 a, __nv_bfloat16 b) {
  return a / b;
}
IOFLOR_STUB_HD __nv_bfloat162 __h2div(__nv_bfloat162 a, __nv_bfloat162 b) {
  return a / b;
}
IOFLOR_STUB_HD __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b,
                                    __nv_bfloat16 c) {
  return __nv_bfloat16((float)a * (float)b + (float)c);
}
IOFLOR_STUB_HD __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b,
                                      __nv_bfloat162 c) {
  return __nv_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
IOFLOR_STUB_HD __nv_bfloat16 __hneg(__nv_bfloat16 a) { return -a; }
IOFLOR_STUB_HD __nv_bfloat162 __hneg2(__nv_bfloat162 a) { return -a; }
IOFLOR_STUB_HD __nv_bfloat16 __habs(__nv_bfloat16 a) {
  return __nv_bfloat16(__builtin_fabsf((float)a));
}
IOFLOR_STUB_HD __nv_bfloat162 __habs2(__nv_bfloat162 a) {
  return __nv_bfloat162(__habs(a.x), __habs(a.y));
}
IOFLOR_STUB_HD __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) {
  return a < b ? b : a;
}
IOFLOR_STUB_HD __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b) {
  return b < a ? b : a;
}
IOFLOR_STUB_HD __nv_bfloat162 __hmax2(__nv_bfloat162 a, __nv_bfloat162 b) {
  return __nv_bfloat162(__hmax(a.x, b.x), __hmax(a.y, b.y));
}
IOFLOR_STUB_HD __nv_bfloat162 __hmin2(__nv_bfloat162 a, __nv_bfloat162 b) {
  return __nv_bfloat162(__hmin(a.x, b.x), __hmin(a.y, b.y));
}
IOFLOR_STUB_HD bool __hisnan(__nv_bfloat16 a) { return (float)a != (float)a; }
IOFLOR_STUB_HD int __hisinf(__nv_bfloat16 a) {
  return __builtin_isinf((float)a);
}
IOFLOR_STUB_HD bool __hlt(__nv_bfloat16 a, __nv_bfloat16 b) { return a < b; }
IOFLOR_STUB_HD bool __hgt(__nv_bfloat16 a, __nv_bfloat16 b) { return a > b; }
IOFLOR_STUB_HD bool __hle(__nv_bfloat16 a, __nv_bfloat16 b) { return a <= b; }
IOFLOR_STUB_HD bool __hge(__nv_bfloat16 a, __nv_bfloat16 b) { return a >= b; }
IOFLOR_STUB_HD bool __heq(__nv_bfloat16 a, __nv_bfloat16 b) { return a == b; }
IOFLOR_STUB_HD bool __hne(__nv_bfloat16 a, __nv_bfloat16 b) { return a != b; }
IOFLOR_STUB_D __nv_bfloat16 hexp(__nv_bfloat16 a) {
  return __nv_bfloat16(::expf((float)a));
}
IOFLOR_STUB_D __nv_bfloat162 h2exp(__nv_bfloat162 a) {
  return __nv_bfloat162(hexp(a.x), hexp(a.y));
}
IOFLOR_STUB_D __nv_bfloat16 hexp2(__nv_bfloat16 a) {
  return __nv_bfloat16(::exp2f((float)a));
}
IOFLOR_STUB_D __nv_bfloat162 h2exp2(__nv_bfloat162 a) {
  return __nv_bfloat162(hexp2(a.x), hexp2(a.y));
}
IOFLOR_STUB_D __nv_bfloat16 hexp10(__nv_bfloat16 a) {
  return __nv_bfloat16(::exp10f((float)a));
}
IOFLOR_STUB_D __nv_bfloat162 h2exp10(__nv_bfloat162 a) {
  return __nv_bfloat162(hexp10(a.x), hexp10(a.y));
}
IOFLOR_STUB_D __nv_bfloat16 hlog(__nv_bfloat16 a) {
  return __nv_bfloat16(::logf((float)a));
}
IOFLOR_STUB_D __nv_bfloat162 h2log(__nv_bfloat162 a) {
  return __nv_bfloat162(hlog(a.x), hlog(a.y));
}
IOFLOR_STUB_D __nv_bfloat16 hlog2(__nv_bfloat16 a) {
  return __nv_bfloat16(::log2f((float)a));
}
IOFLOR_STUB_D __nv_bfloat162 h2log2(__nv_bfloat162 a) {
  return __nv_bfloat162(hlog2(a.x), hlog2(a.y));
}
IOFLOR_STUB_D __nv_bfloat16 hsqrt(__nv_bfloat16 a) {
  return __nv_bfloat16(::sqrtf((float)a));
}
IOFLOR_STUB_D __nv_bfloat162 h2sqrt(__nv_bfloat162 a) {
  return __nv_bfloat162(hsqrt(a.x), hsqrt(a.y));
}
IOFLOR_STUB_D __nv_bfloat16 hrsqrt(__nv_bfloat16 a) {
  return __nv_bfloat16(::rsqrtf((float)a));
}
IOFLOR_STUB_D __nv_bfloat162 h2rsqrt(__nv_bfloat162 a) {
  return __nv_bfloat162(hrsqrt(a.x), hrsqrt(a.y));
}
IOFLOR_STUB_D __nv_bfloat16 hsin(__nv_bfloat16 a) {
  return __nv_bfloat16(::sinf((float)a));
}
IOFLOR_STUB_D __nv_bfloat162 h2sin(__nv_bfloat162 a) {
  return __nv_bfloat162(hsin(a.x), hsin(a.y));
}
IOFLOR_STUB_D __nv_bfloat16 hcos(__nv_bfloat16 a) {
  return __nv_bfloat16(::cosf((float)a));
}
IOFLOR_STUB_D __nv_bfloat162 h2cos(__nv_bfloat162 a) {
  return __nv_bfloat162(hcos(a.x), hcos(a.y));
}
IOFLOR_STUB_D __nv_bfloat16 hfloor(__nv_bfloat16 a) {
  return __nv_bfloat16(::floorf((float)a));
}
IOFLOR_STUB_D __nv_bfloat162 h2floor(__nv_bfloat162 a) {
  return __nv_bfloat162(hfloor(a.x), hfloor(a.y));
}
IOFLOR_STUB_D __nv_bfloat16 hceil(__nv_bfloat16 a) {
  return __nv_bfloat16(::ceilf((float)a));
}
IOFLOR_STUB_D __nv_bfloat162 h2ceil(__nv_bfloat162 a) {
  return __nv_bfloat162(hceil(a.x), hceil(a.y));
}
IOFLOR_STUB_D __nv_bfloat16 hrint(__nv_bfloat16 a) {
  return __nv_bfloat16(::rintf((float)a));
}
IOFLOR_STUB_D __nv_bfloat162 h2rint(__nv_bfloat162 a) {
  return __nv_bfloat162(hrint(a.x), hrint(a.y));
}
IOFLOR_STUB_D __nv_bfloat16 htanh(__nv_bfloat16 a) {
  return __nv_bfloat16(::tanhf((float)a));
}
IOFLOR_STUB_D __nv_bfloat162 h2tanh(__nv_bfloat162 a) {
  return __nv_bfloat162(htanh(a.x), htanh(a.y));
}
IOFLOR_STUB_D __nv_bfloat16 hrcp(__nv_bfloat16 a) {
  return __nv_bfloat16(1.0f / (float)a);
}
IOFLOR_STUB_D __nv_bfloat162 h2rcp(__nv_bfloat162 a) {
  return __nv_bfloat162(hrcp(a.x), hrcp(a.y));
}

IOFLOR_STUB_HD float __bfloat162float(__nv_bfloat16 a) { return (float)a; }
IOFLOR_STUB_HD __nv_bfloat16 __float2bfloat16(float f) {
  return __nv_bfloat16(f);
}
IOFLOR_STUB_HD __nv_bfloat16 __float2bfloat16_rn(float f) {
  return __nv_bfloat16(f);
}
IOFLOR_STUB_HD __nv_bfloat16 __float2bfloat16_rz(float f) {
  return __nv_bfloat16(f);
}
IOFLOR_STUB_HD __nv_bfloat16 __float2bfloat16_rd(float f) {
  return __nv_bfloat16(f);
}
IOFLOR_STUB_HD __nv_bfloat16 __float2bfloat16_ru(float f) {
  return __nv_bfloat16(f);
}
IOFLOR_STUB_HD __nv_bfloat16 __double2bfloat16(double f) {
  return __nv_bfloat16(f);
}
IOFLOR_STUB_HD __nv_bfloat162 __float2bfloat162_rn(float f) {
  return __nv_bfloat162(__nv_bfloat16(f), __nv_bfloat16(f));
}
IOFLOR_STUB_HD __nv_bfloat162 __floats2bfloat162_rn(float a, float b) {
  return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(b));
}
IOFLOR_STUB_HD __nv_bfloat162 __float22bfloat162_rn(float2 v) {
  return __nv_bfloat162(__nv_bfloat16(v.x), __nv_bfloat16(v.y));
}
IOFLOR_STUB_HD float2 __bfloat1622float2(__nv_bfloat162 v) {
  return float2{(float)v.x, (float)v.y};
}
IOFLOR_STUB_HD float __low2float(__nv_bfloat162 v) { return (float)v.x; }
IOFLOR_STUB_HD float __high2float(__nv_bfloat162 v) { return (float)v.y; }
IOFLOR_STUB_HD __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
IOFLOR_STUB_HD __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
IOFLOR_STUB_HD __nv_bfloat162 __low2bfloat162(__nv_bfloat162 v) {
  return __nv_bfloat162(v.x, v.x);
}
IOFLOR_STUB_HD __nv_bfloat162 __high2bfloat162(__nv_bfloat162 v) {
  return __nv_bfloat162(v.y, v.y);
}
IOFLOR_STUB_HD __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a,
                                               __nv_bfloat162 b) {
  return __nv_bfloat162(a.x, b.x);
}
IOFLOR_STUB_HD __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a,
                                                __nv_bfloat162 b) {
  return __nv_bfloat162(a.y, b.y);
}
IOFLOR_STUB_HD __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 a) {
  return __nv_bfloat162(a.y, a.x);
}
IOFLOR_STUB_HD __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a,
                                                 __nv_bfloat16 b) {
  return __nv_bfloat162(a, b);
}
IOFLOR_STUB_HD __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) {
  return __nv_bfloat162(a, a);
}
IOFLOR_STUB_HD __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __nv_bfloat162(a, b);
}
IOFLOR_STUB_HD __nv_bfloat16 __int2bfloat16_rn(int i) {
  return __nv_bfloat16((float)i);
}
IOFLOR_STUB_HD int __bfloat162int_rn(__nv_bfloat16 a) { return (int)(float)a; }
IOFLOR_STUB_HD int __bfloat162int_rz(__nv_bfloat16 a) { return (int)(float)a; }
IOFLOR_STUB_HD __nv_bfloat16 __uint2bfloat16_rn(unsigned int i) {
  return __nv_bfloat16((float)i);
}
IOFLOR_STUB_HD unsigned int __bfloat162uint_rn(__nv_bfloat16 a) {
  return (unsigned int)(float)a;
}
IOFLOR_STUB_HD unsigned int __bfloat162uint_rz(__nv_bfloat16 a) {
  return (unsigned int)(float)a;
}
IOFLOR_STUB_HD __nv_bfloat16 __short2bfloat16_rn(short i) {
  return __nv_bfloat16((float)i);
}
IOFLOR_STUB_HD short __bfloat162short_rn(__nv_bfloat16 a) {
  return (short)(float)a;
}
IOFLOR_STUB_HD short __bfloat162short_rz(__nv_bfloat16 a) {
  return (short)(float)a;
}
IOFLOR_STUB_HD __nv_bfloat16 __ushort2bfloat16_rn(unsigned short i) {
  return __nv_bfloat16((float)i);
}
IOFLOR_STUB_HD unsigned short __bfloat162ushort_rn(__nv_bfloat16 a) {
  return (unsigned short)(float)a;
}
IOFLOR_STUB_HD unsigned short __bfloat162ushort_rz(__nv_bfloat16 a) {
  return (unsigned short)(float)a;
}
IOFLOR_STUB_HD __nv_bfloat16 __ll2bfloat16_rn(long long i) {
  return __nv_bfloat16((float)i);
}
IOFLOR_STUB_HD long long __bfloat162ll_rn(__nv_bfloat16 a) {
  return (long long)(float)a;
}
IOFLOR_STUB_HD long long __bfloat162ll_rz(__nv_bfloat16 a) {
  return (long long)(float)a;
}
IOFLOR_STUB_HD __nv_bfloat16 __ull2bfloat16_rn(unsigned long long i) {
  return __nv_bfloat16((float)i);
}
IOFLOR_STUB_HD unsigned long long __bfloat162ull_rn(__nv_bfloat16 a) {
  return (unsigned long long)(float)a;
}
IOFLOR_STUB_HD unsigned long long __bfloat162ull_rz(__nv_bfloat16 a) {
  return (unsigned long long)(float)a;
}
IOFLOR_STUB_HD unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) {
  return __builtin_bit_cast(unsigned short, a);
}
IOFLOR_STUB_HD short __bfloat16_as_short(__nv_bfloat16 a) {
  return __builtin_bit_cast(short, a);
}
IOFLOR_STUB_HD __nv_bfloat16 __ushort_as_bfloat16(unsigned short i) {
  return __builtin_bit_cast(__nv_bfloat16, i);
}
IOFLOR_STUB_HD __nv_bfloat16 __short_as_bfloat16(short i) {
  return __builtin_bit_cast(__nv_bfloat16, i);
}

IOFLOR_STUB_D __nv_bfloat16 __ldg(const __nv_bfloat16 *p) { return *p; }
IOFLOR_STUB_D __nv_bfloat162 __ldg(const __nv_bfloat162 *p) { return *p; }
IOFLOR_STUB_D __nv_bfloat16 __ldcg(const __nv_bfloat16 *p) { return *p; }
IOFLOR_STUB_D __nv_bfloat162 __ldcg(const __nv_bfloat162 *p) { return *p; }
IOFLOR_STUB_D __nv_bfloat16 __ldcs(const __nv_bfloat16 *p) { return *p; }
IOFLOR_STUB_D __nv_bfloat162 __ldcs(const __nv_bfloat162 *p) { return *p; }
IOFLOR_STUB_D void __stcg(__nv_bfloat16 *p, __nv_bfloat16 v) { *p = v; }
IOFLOR_STUB_D void __stcs(__nv_bfloat16 *p, __nv_bfloat16 v) { *p = v; }
IOFLOR_STUB_D void __stcg(__nv_bfloat162 *p, __nv_bfloat162 v) { *p = v; }
IOFLOR_STUB_D void __stcs(__nv_bfloat162 *p, __nv_bfloat162 v) { *p = v; }
IOFLOR_STUB_D __nv_bfloat16 __shfl_sync(unsigned int m, __nv_bfloat16 v, int n,
                                        int w = 32) {
  return __builtin_bit_cast(
      __nv_bfloat16,
      (unsigned short)__shfl_sync(m, (int)__bfloat16_as_ushort(v), n, w));
}
IOFLOR_STUB_D __nv_bfloat162 __shfl_sync(unsigned int m, __nv_bfloat162 v,
                                         int n, int w = 32) {
  return __builtin_bit_cast(__nv_bfloat162,
                            __shfl_sync(m, __builtin_bit_cast(int, v), n, w));
}
IOFLOR_STUB_D __nv_bfloat16 __shfl_xor_sync(unsigned int m, __nv_bfloat16 v,
                                            int n, int w = 32) {
  return __builtin_bit_cast(
      __nv_bfloat16,
      (unsigned short)__shfl_xor_sync(m, (int)__bfloat16_as_ushort(v), n, w));
}
IOFLOR_STUB_D __nv_bfloat162 __shfl_xor_sync(unsigned int m, __nv_bfloat162 v,
                                             int n, int w = 32) {
  return __builtin_bit_cast(
      __nv_bfloat162, __shfl_xor_sync(m, __builtin_bit_cast(int, v), n, w));
}
IOFLOR_STUB_D __nv_bfloat16 __shfl_down_sync(unsigned int m, __nv_bfloat16 v,
                                             unsigned int n, int w = 32) {
  return __builtin_bit_cast(
      __nv_bfloat16,
      (unsigned short)__shfl_down_sync(m, (int)__bfloat16_as_ushort(v), n, w));
}
IOFLOR_STUB_D __nv_bfloat162 __shfl_down_sync(unsigned int m, __nv_bfloat162 v,
                                              unsigned int n, int w = 32) {
  return __builtin_bit_cast(
      __nv_bfloat162, __shfl_down_sync(m, __builtin_bit_cast(int, v), n, w));
}
IOFLOR_STUB_D __nv_bfloat16 __shfl_up_sync(unsigned int m, __nv_bfloat16 v,
                                           unsigned int n, int w = 32) {
  return __builtin_bit_cast(
      __nv_bfloat16,
      (unsigned short)__shfl_up_sync(m, (int)__bfloat16_as_ushort(v), n, w));
}
IOFLOR_STUB_D __nv_bfloat162 __shfl_up_sync(unsigned int m, __nv_bfloat162 v,
                                            unsigned int n, int w = 32) {
  return __builtin_bit_cast(
      __nv_bfloat162, __shfl_up_sync(m, __builtin_bit_cast(int, v), n, w));
}
IOFLOR_STUB_D __nv_bfloat16 atomicAdd(__nv_bfloat16 *p, __nv_bfloat16 v) {
  __nv_bfloat16 old = *p;
  *p = old + v;
  return old;
}
IOFLOR_STUB_D __nv_bfloat162 atomicAdd(__nv_bfloat162 *p, __nv_bfloat162 v) {
  __nv_bfloat162 old = *p;
  *p = old + v;
  return old;
}
#undef IOFLOR_STUB_HD
#undef IOFLOR_STUB_D

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
