/*===- cuda_fp16.h - stand-in for the CUDA toolkit's header ------------===
 *
 * Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===
 *
 * Half precision by way of _Float16.
 *
 *===----------------------------------------------------------------------===*/
#pragma once
#include "cuda_runtime.h"

#define IOFLOR_STUB_HD static __inline__ __host__ __device__
#define IOFLOR_STUB_D static __inline__ __device__

struct __attribute__((aligned(2))) __half {
  _Float16 value;
  __half() = default;
  __host__ __device__ __half(float f) { value = (_Float16)f; }
  __host__ __device__ __half(double f) : __half((float)f) {}
  __host__ __device__ __half(int i) : __half((float)i) {}
  __host__ __device__ __half(unsigned int i) : __half((float)i) {}
  __host__ __device__ __half(long long i) : __half((float)i) {}
  __host__ __device__ __half(unsigned long long i) : __half((float)i) {}
  __host__ __device__ operator float() const { return (float)value; }
};
struct __attribute__((aligned(4))) __half2 {
  __half x, y;
  __half2() = default;
  __host__ __device__ __half2(__half a, __half b) : x(a), y(b) {}
};
IOFLOR_STUB_HD __half operator+(__half a, __half b) {
  return __half((float)a + (float)b);
}
IOFLOR_STUB_HD __half &operator+=(__half &a, __half b) { return a = a + b; }
IOFLOR_STUB_HD __half2 operator+(__half2 a, __half2 b) {
  return __half2(a.x + b.x, a.y + b.y);
}
IOFLOR_STUB_HD __half2 &operator+=(__half2 &a, __half2 b) { return a = a + b; }
IOFLOR_STUB_HD __half operator-(__half a, __half b) {
  return __half((float)a - (float)b);
}
IOFLOR_STUB_HD __half &operator-=(__half &a, __half b) { return a = a - b; }
IOFLOR_STUB_HD __half2 operator-(__half2 a, __half2 b) {
  return __half2(a.x - b.x, a.y - b.y);
}
IOFLOR_STUB_HD __half2 &operator-=(__half2 &a, __half2 b) { return a = a - b; }
IOFLOR_STUB_HD __half operator*(__half a, __half b) {
  return __half((float)a * (float)b);
}
IOFLOR_STUB_HD __half &operator*=(__half &a, __half b) { return a = a * b; }
IOFLOR_STUB_HD __half2 operator*(__half2 a, __half2 b) {
  return __half2(a.x * b.x, a.y * b.y);
}
IOFLOR_STUB_HD __half2 &operator*=(__half2 &a, __half2 b) { return a = a * b; }
IOFLOR_STUB_HD __half operator/(__half a, __half b) {
  return __half((float)a / (float)b);
}
IOFLOR_STUB_HD __half &operator/=(__half &a, __half b) { return a = a / b; }
IOFLOR_STUB_HD __half2 operator/(__half2 a, __half2 b) {
  return __half2(a.x / b.x, a.y / b.y);
}
IOFLOR_STUB_HD __half2 &operator/=(__half2 &a, __half2 b) { return a = a / b; }
IOFLOR_STUB_HD __half operator-(__half a) { return __half(-(float)a); }
IOFLOR_STUB_HD __half2 operator-(__half2 a) { return __half2(-a.x, -a.y); }
IOFLOR_STUB_HD bool operator==(__half a, __half b) {
  return (float)a == (float)b;
}
IOFLOR_STUB_HD bool operator!=(__half a, __half b) {
  return (float)a != (float)b;
}
IOFLOR_STUB_HD bool operator<(__half a, __half b) {
  return (float)a < (float)b;
}
IOFLOR_STUB_HD bool operator>(__half a, __half b) {
  return (float)a > (float)b;
}
IOFLOR_STUB_HD bool operator<=(__half a, __half b) {
  return (float)a <= (float)b;
}
IOFLOR_STUB_HD bool operator>=(__half a, __half b) {
  return (float)a >= (float)b;
}

IOFLOR_STUB_HD __half __hadd(__half a, __half b) { return a + b; }
IOFLOR_STUB_HD __half2 __hadd2(__half2 a, __half2 b) { return a + b; }
IOFLOR_STUB_HD __half __hadd_rn(__half a, __half b) { return a + b; }
IOFLOR_STUB_HD __half2 __hadd2_rn(__half2 a, __half2 b) { return a + b; }
IOFLOR_STUB_HD __half __hsub(__half a, __half b) { return a - b; }
IOFLOR_STUB_HD __half2 __hsub2(__half2 a, __half2 b) { return a - b; }
IOFLOR_STUB_HD __half __hsub_rn(__half a, __half b) { return a - b; }
IOFLOR_STUB_HD __half2 __hsub2_rn(__half2 a, __half2 b) { return a - b; }
IOFLOR_STUB_HD __half __hmul(__half a, __half b) { return a * b; }
IOFLOR_STUB_HD __half2 __hmul2(__half2 a, __half2 b) { return a * b; }
IOFLOR_STUB_HD __half __hmul_rn(__half a, __half b) { return a * b; }
IOFLOR_STUB_HD __half2 __hmul2_rn(__half2 a, __half2 b) { return a * b; }
IOFLOR_STUB_HD __half __hdiv(__half a, __half b) { return a / b; }
IOFLOR_STUB_HD __half2 __h2div(__half2 a, __half2 b) { return a / b; }
IOFLOR_STUB_HD __half __hfma(__half a, __half b, __half c) {
  return __half((float)a * (float)b + (float)c);
}
IOFLOR_STUB_HD __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
IOFLOR_STUB_HD __half __hneg(__half a) { return -a; }
IOFLOR_STUB_HD __half2 __hneg2(__half2 a) { return -a; }
IOFLOR_STUB_HD __half __habs(__half a) {
  return __half(__builtin_fabsf((float)a));
}
IOFLOR_STUB_HD __half2 __habs2(__half2 a) {
  return __half2(__habs(a.x), __habs(a.y));
}
IOFLOR_STUB_HD __half __hmax(__half a, __half b) { return a < b ? b : a; }
IOFLOR_STUB_HD __half __hmin(__half a, __half b) { return b < a ? b : a; }
IOFLOR_STUB_HD __half2 __hmax2(__half2 a, __half2 b) {
  return __half2(__hmax(a.x, b.x), __hmax(a.y, b.y));
}
IOFLOR_STUB_HD __half2 __hmin2(__half2 a, __half2 b) {
  return __half2(__hmin(a.x, b.x), __hmin(a.y, b.y));
}
IOFLOR_STUB_HD bool __hisnan(__half a) { return (float)a != (float)a; }
IOFLOR_STUB_HD int __hisinf(__half a) { return __builtin_isinf((float)a); }
IOFLOR_STUB_HD bool __hlt(__half a, __half b) { return a < b; }
IOFLOR_STUB_HD bool __hgt(__half a, __half b) { return a > b; }
IOFLOR_STUB_HD bool __hle(__half a, __half b) { return a <= b; }
IOFLOR_STUB_HD bool __hge(__half a, __half b) { return a >= b; }
IOFLOR_STUB_HD bool __heq(__half a, __half b) { return a == b; }
IOFLOR_STUB_HD bool __hne(__half a, __half b) { return a != b; }
IOFLOR_STUB_D __half hexp(__half a) { return __half(::expf((float)a)); }
IOFLOR_STUB_D __half2 h2exp(__half2 a) { return __half2(hexp(a.x), hexp(a.y)); }
IOFLOR_STUB_D __half hexp2(__half a) { return __half(::exp2f((float)a)); }
IOFLOR_STUB_D __half2 h2exp2(__half2 a) {
  return __half2(hexp2(a.x), hexp2(a.y));
}
IOFLOR_STUB_D __half hexp10(__half a) { return __half(::exp10f((float)a)); }
IOFLOR_STUB_D __half2 h2exp10(__half2 a) {
  return __half2(hexp10(a.x), hexp10(a.y));
}
IOFLOR_STUB_D __half hlog(__half a) { return __half(::logf((float)a)); }
IOFLOR_STUB_D __half2 h2log(__half2 a) { return __half2(hlog(a.x), hlog(a.y)); }
IOFLOR_STUB_D __half hlog2(__half a) { return __half(::log2f((float)a)); }
IOFLOR_STUB_D __half2 h2log2(__half2 a) {
  return __half2(hlog2(a.x), hlog2(a.y));
}
IOFLOR_STUB_D __half hsqrt(__half a) { return __half(::sqrtf((float)a)); }
IOFLOR_STUB_D __half2 h2sqrt(__half2 a) {
  return __half2(hsqrt(a.x), hsqrt(a.y));
}
IOFLOR_STUB_D __half hrsqrt(__half a) { return __half(::rsqrtf((float)a)); }
IOFLOR_STUB_D __half2 h2rsqrt(__half2 a) {
  return __half2(hrsqrt(a.x), hrsqrt(a.y));
}
IOFLOR_STUB_D __half hsin(__half a) { return __half(::sinf((float)a)); }
IOFLOR_STUB_D __half2 h2sin(__half2 a) { return __half2(hsin(a.x), hsin(a.y)); }
IOFLOR_STUB_D __half hcos(__half a) { return __half(::cosf((float)a)); }
IOFLOR_STUB_D __half2 h2cos(__half2 a) { return __half2(hcos(a.x), hcos(a.y)); }
IOFLOR_STUB_D __half hfloor(__half a) { return __half(::floorf((float)a)); }
IOFLOR_STUB_D __half2 h2floor(__half2 a) {
  return __half2(hfloor(a.x), hfloor(a.y));
}
IOFLOR_STUB_D __half hceil(__half a) { return __half(::ceilf((float)a)); }
IOFLOR_STUB_D __half2 h2ceil(__half2 a) {
  return __half2(hceil(a.x), hceil(a.y));
}
IOFLOR_STUB_D __half hrint(__half a) { return __half(::rintf((float)a)); }
IOFLOR_STUB_D __half2 h2rint(__half2 a) {
  return __half2(hrint(a.x), hrint(a.y));
}
IOFLOR_STUB_D __half htanh(__half a) { return __half(::tanhf((float)a)); }
IOFLOR_STUB_D __half2 h2tanh(__half2 a) {
  return __half2(htanh(a.x), htanh(a.y));
}
IOFLOR_STUB_D __half hrcp(__half a) { return __half(1.0f / (float)a); }
IOFLOR_STUB_D __half2 h2rcp(__half2 a) { return __half2(hrcp(a.x), hrcp(a.y)); }

IOFLOR_STUB_HD float __half2float(__half a) { return (float)a; }
IOFLOR_STUB_HD __half __float2half(float f) { return __half(f); }
IOFLOR_STUB_HD __half __float2half_rn(float f) { return __half(f); }
IOFLOR_STUB_HD __half __float2half_rz(float f) { return __half(f); }
IOFLOR_STUB_HD __half __float2half_rd(float f) { return __half(f); }
IOFLOR_STUB_HD __half __float2half_ru(float f) { return __half(f); }
IOFLOR_STUB_HD __half __double2half(double f) { return __half(f); }
IOFLOR_STUB_HD __half2 __float2half2_rn(float f) {
  return __half2(__half(f), __half(f));
}
IOFLOR_STUB_HD __half2 __floats2half2_rn(float a, float b) {
  return __half2(__half(a), __half(b));
}
IOFLOR_STUB_HD __half2 __float22half2_rn(float2 v) {
  return __half2(__half(v.x), __half(v.y));
}
IOFLOR_STUB_HD float2 __half22float2(__half2 v) {
  return float2{(float)v.x, (float)v.y};
}
IOFLOR_STUB_HD float __low2float(__half2 v) { return (float)v.x; }
IOFLOR_STUB_HD float __high2float(__half2 v) { return (float)v.y; }
IOFLOR_STUB_HD __half __low2half(__half2 v) { return v.x; }
IOFLOR_STUB_HD __half __high2half(__half2 v) { return v.y; }
IOFLOR_STUB_HD __half2 __low2half2(__half2 v) { return __half2(v.x, v.x); }
IOFLOR_STUB_HD __half2 __high2half2(__half2 v) { return __half2(v.y, v.y); }
IOFLOR_STUB_HD __half2 __lows2half2(__half2 a, __half2 b) {
  return __half2(a.x, b.x);
}
IOFLOR_STUB_HD __half2 __highs2half2(__half2 a, __half2 b) {
  return __half2(a.y, b.y);
}
IOFLOR_STUB_HD __half2 __lowhigh2highlow(__half2 a) {
  return __half2(a.y, a.x);
}
IOFLOR_STUB_HD __half2 __halves2half2(__half a, __half b) {
  return __half2(a, b);
}
IOFLOR_STUB_HD __half2 __half2half2(__half a) { return __half2(a, a); }
IOFLOR_STUB_HD __half2 make_half2(__half a, __half b) { return __half2(a, b); }
IOFLOR_STUB_HD __half __int2half_rn(int i) { return __half((float)i); }
IOFLOR_STUB_HD int __half2int_rn(__half a) { return (int)(float)a; }
IOFLOR_STUB_HD int __half2int_rz(__half a) { return (int)(float)a; }
IOFLOR_STUB_HD __half __uint2half_rn(unsigned int i) {
  return __half((float)i);
}
IOFLOR_STUB_HD unsigned int __half2uint_rn(__half a) {
  return (unsigned int)(float)a;
}
IOFLOR_STUB_HD unsigned int __half2uint_rz(__half a) {
  return (unsigned int)(float)a;
}
IOFLOR_STUB_HD __half __short2half_rn(short i) { return __half((float)i); }
IOFLOR_STUB_HD short __half2short_rn(__half a) { return (short)(float)a; }
IOFLOR_STUB_HD short __half2short_rz(__half a) { return (short)(float)a; }
IOFLOR_STUB_HD __half __ushort2half_rn(unsigned short i) {
  return __half((float)i);
}
IOFLOR_STUB_HD unsigned short __half2ushort_rn(__half a) {
  return (unsigned short)(float)a;
}
IOFLOR_STUB_HD unsigned short __half2ushort_rz(__half a) {
  return (unsigned short)(float)a;
}
IOFLOR_STUB_HD __half __ll2half_rn(long long i) { return __half((float)i); }
IOFLOR_STUB_HD long long __half2ll_rn(__half a) { return (long long)(float)a; }
IOFLOR_STUB_HD long long __half2ll_rz(__half a) { return (long long)(float)a; }
IOFLOR_STUB_HD __half __ull2half_rn(unsigned long long i) {
  return __half((float)i);
}
IOFLOR_STUB_HD unsigned long long __half2ull_rn(__half a) {
  return (unsigned long long)(float)a;
}
IOFLOR_STUB_HD unsigned long long __half2ull_rz(__half a) {
  return (unsigned long long)(float)a;
}
IOFLOR_STUB_HD unsigned short __half_as_ushort(__half a) {
  return __builtin_bit_cast(unsigned short, a);
}
IOFLOR_STUB_HD short __half_as_short(__half a) {
  return __builtin_bit_cast(short, a);
}
IOFLOR_STUB_HD __half __ushort_as_half(unsigned short i) {
  return __builtin_bit_cast(__half, i);
}
IOFLOR_STUB_HD __half __short_as_half(short i) {
  return __builtin_bit_cast(__half, i);
}

IOFLOR_STUB_D __half __ldg(const __half *p) { return *p; }
IOFLOR_STUB_D __half2 __ldg(const __half2 *p) { return *p; }
IOFLOR_STUB_D __half __ldcg(const __half *p) { return *p; }
IOFLOR_STUB_D __half2 __ldcg(const __half2 *p) { return *p; }
IOFLOR_STUB_D __half __ldcs(const __half *p) { return *p; }
IOFLOR_STUB_D __half2 __ldcs(const __half2 *p) { return *p; }
IOFLOR_STUB_D void __stcg(__half *p, __half v) { *p = v; }
IOFLOR_STUB_D void __stcs(__half *p, __half v) { *p = v; }
IOFLOR_STUB_D void __stcg(__half2 *p, __half2 v) { *p = v; }
IOFLOR_STUB_D void __stcs(__half2 *p, __half2 v) { *p = v; }
IOFLOR_STUB_D __half __shfl_sync(unsigned int m, __half v, int n, int w = 32) {
  return __builtin_bit_cast(
      __half, (unsigned short)__shfl_sync(m, (int)__half_as_ushort(v), n, w));
}
IOFLOR_STUB_D __half2 __shfl_sync(unsigned int m, __half2 v, int n,
                                  int w = 32) {
  return __builtin_bit_cast(__half2,
                            __shfl_sync(m, __builtin_bit_cast(int, v), n, w));
}
IOFLOR_STUB_D __half __shfl_xor_sync(unsigned int m, __half v, int n,
                                     int w = 32) {
  return __builtin_bit_cast(__half, (unsigned short)__shfl_xor_sync(
                                        m, (int)__half_as_ushort(v), n, w));
}
IOFLOR_STUB_D __half2 __shfl_xor_sync(unsigned int m, __half2 v, int n,
                                      int w = 32) {
  return __builtin_bit_cast(
      __half2, __shfl_xor_sync(m, __builtin_bit_cast(int, v), n, w));
}
IOFLOR_STUB_D __half __shfl_down_sync(unsigned int m, __half v, unsigned int n,
                                      int w = 32) {
  return __builtin_bit_cast(__half, (unsigned short)__shfl_down_sync(
                                        m, (int)__half_as_ushort(v), n, w));
}
IOFLOR_STUB_D __half2 __shfl_down_sync(unsigned int m, __half2 v,
                                       unsigned int n, int w = 32) {
  return __builtin_bit_cast(
      __half2, __shfl_down_sync(m, __builtin_bit_cast(int, v), n, w));
}
IOFLOR_STUB_D __half __shfl_up_sync(unsigned int m, __half v, unsigned int n,
                                    int w = 32) {
  return __builtin_bit_cast(__half, (unsigned short)__shfl_up_sync(
                                        m, (int)__half_as_ushort(v), n, w));
}
IOFLOR_STUB_D __half2 __shfl_up_sync(unsigned int m, __half2 v, unsigned int n,
                                     int w = 32) {
  return __builtin_bit_cast(
      __half2, __shfl_up_sync(m, __builtin_bit_cast(int, v), n, w));
}
IOFLOR_STUB_D __half atomicAdd(__half *p, __half v) {
  __half old = *p;
  *p = old + v;
  return old;
}
IOFLOR_STUB_D __half2 atomicAdd(__half2 *p, __half2 v) {
  __half2 old = *p;
  *p = old + v;
  return old;
}
#undef IOFLOR_STUB_HD
#undef IOFLOR_STUB_D

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __half_raw;
