// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of CUDA's device math library that Clang's headers call, in
// terms of the host's.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#define F1(name, expression)                                                   \
  extern "C" float __nv_##name##f(float x) { return expression; }              \
  extern "C" double __nv_##name(double x) { return expression; }
F1(exp, std::exp(x))
F1(exp2, std::exp2(x))
F1(expm1, std::expm1(x))
F1(exp10, std::pow(10, x))
F1(log, std::log(x))
F1(log2, std::log2(x))
F1(log10, std::log10(x))
F1(log1p, std::log1p(x))
F1(sqrt, std::sqrt(x))
F1(rsqrt, 1 / std::sqrt(x))
F1(cbrt, std::cbrt(x))
F1(sin, std::sin(x))
F1(cos, std::cos(x))
F1(tan, std::tan(x))
F1(tanh, std::tanh(x))
F1(sinh, std::sinh(x))
F1(cosh, std::cosh(x))
F1(asin, std::asin(x))
F1(acos, std::acos(x))
F1(atan, std::atan(x))
F1(erf, std::erf(x))
F1(erfc, std::erfc(x))
F1(fabs, std::fabs(x))
F1(floor, std::floor(x))
F1(ceil, std::ceil(x))
F1(trunc, std::trunc(x))
F1(round, std::round(x))
F1(rint, std::rint(x))
F1(nearbyint, std::nearbyint(x))
#undef F1

#define F2(name, expression)                                                   \
  extern "C" float __nv_##name##f(float x, float y) { return expression; }     \
  extern "C" double __nv_##name(double x, double y) { return expression; }
F2(fmax, std::fmax(x, y))
F2(fmin, std::fmin(x, y))
F2(pow, std::pow(x, y))
F2(fmod, std::fmod(x, y))
F2(fdim, std::fdim(x, y))
F2(atan2, std::atan2(x, y))
F2(copysign, std::copysign(x, y))
F2(hypot, std::hypot(x, y))
#undef F2

#define FAST(name, expression)                                                 \
  extern "C" float __nv_fast_##name(float x) { return expression; }
FAST(expf, std::exp(x))
FAST(exp10f, std::pow(10.f, x))
FAST(logf, std::log(x))
FAST(log2f, std::log2(x))
FAST(log10f, std::log10(x))
FAST(sinf, std::sin(x))
FAST(cosf, std::cos(x))
FAST(tanf, std::tan(x))
FAST(tanhf, std::tanh(x))

/// Directed rounding differs from the host's in the last bit only, which no
/// comparison here depends on.
#define ROUNDED(name, expression)                                              \
  extern "C" float __nv_f##name##_rn(float x, float y) { return expression; }  \
  extern "C" float __nv_f##name##_rz(float x, float y) { return expression; }  \
  extern "C" float __nv_f##name##_ru(float x, float y) { return expression; }  \
  extern "C" float __nv_f##name##_rd(float x, float y) { return expression; }
ROUNDED(add, x + y)
ROUNDED(sub, x - y)
ROUNDED(mul, x *y)
ROUNDED(div, x / y)

extern "C" {
float __nv_fast_fdividef(float x, float y) { return x / y; }
float __nv_fdividef(float x, float y) { return x / y; }
float __nv_fast_powf(float x, float y) { return std::pow(x, y); }
float __nv_frcp_rn(float x) { return 1.f / x; }
float __nv_fsqrt_rn(float x) { return std::sqrt(x); }
float __nv_frsqrt_rn(float x) { return 1.f / std::sqrt(x); }
float __nv_fmaf(float x, float y, float z) { return std::fma(x, y, z); }
double __nv_fma(double x, double y, double z) { return std::fma(x, y, z); }
float __nv_fmaf_rn(float x, float y, float z) { return std::fma(x, y, z); }
float __nv_saturatef(float x) { return std::fmin(std::fmax(x, 0.f), 1.f); }
float __nv_ldexpf(float x, int e) { return std::ldexp(x, e); }
float __nv_normcdff(float x) { return 0.5f * std::erfc(-x * 0.70710678f); }
int __nv_isinff(float x) { return std::isinf(x); }
int __nv_isnanf(float x) { return std::isnan(x); }
int __nv_finitef(float x) { return std::isfinite(x); }
int __nv_isfinited(double x) { return std::isfinite(x); }
int __nv_isinfd(double x) { return std::isinf(x); }
int __nv_isnand(double x) { return std::isnan(x); }
int __nv_min(int x, int y) { return std::min(x, y); }
int __nv_max(int x, int y) { return std::max(x, y); }
uint32_t __nv_umin(uint32_t x, uint32_t y) { return std::min(x, y); }
uint32_t __nv_umax(uint32_t x, uint32_t y) { return std::max(x, y); }
int64_t __nv_llmin(int64_t x, int64_t y) { return std::min(x, y); }
int64_t __nv_llmax(int64_t x, int64_t y) { return std::max(x, y); }
uint64_t __nv_ullmin(uint64_t x, uint64_t y) { return std::min(x, y); }
uint64_t __nv_ullmax(uint64_t x, uint64_t y) { return std::max(x, y); }
int __nv_abs(int x) { return x < 0 ? -x : x; }
int64_t __nv_llabs(int64_t x) { return x < 0 ? -x : x; }
int __nv_popc(uint32_t x) { return std::popcount(x); }
int __nv_popcll(uint64_t x) { return std::popcount(x); }
int __nv_clz(uint32_t x) { return std::countl_zero(x); }
int __nv_clzll(uint64_t x) { return std::countl_zero(x); }
int __nv_ffs(uint32_t x) { return x ? std::countr_zero(x) + 1 : 0; }
int __nv_ffsll(uint64_t x) { return x ? std::countr_zero(x) + 1 : 0; }
uint32_t __nv_umulhi(uint32_t x, uint32_t y) { return uint64_t(x) * y >> 32; }
int __nv_mulhi(int x, int y) { return int64_t(x) * y >> 32; }
int __nv_mul24(int x, int y) { return x * y; }
uint32_t __nv_umul24(uint32_t x, uint32_t y) { return x * y; }
int __nv_float_as_int(float x) { return std::bit_cast<int>(x); }
float __nv_int_as_float(int x) { return std::bit_cast<float>(x); }
uint32_t __nv_float_as_uint(float x) { return std::bit_cast<uint32_t>(x); }
float __nv_uint_as_float(uint32_t x) { return std::bit_cast<float>(x); }
int __nv_float2int_rn(float x) { return std::lrint(x); }
int __nv_float2int_rz(float x) { return int(x); }
int __nv_float2int_ru(float x) { return int(std::ceil(x)); }
int __nv_float2int_rd(float x) { return int(std::floor(x)); }
uint32_t __nv_float2uint_rn(float x) { return uint32_t(std::lrint(x)); }
uint32_t __nv_float2uint_rz(float x) { return uint32_t(x); }
float __nv_int2float_rn(int x) { return float(x); }
float __nv_uint2float_rn(uint32_t x) { return float(x); }
double __nv_int2double_rn(int x) { return x; }
float __nv_double2float_rn(double x) { return float(x); }
}
