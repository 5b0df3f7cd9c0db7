//===- Network.cpp - Floors of sharded attention --------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/floors/Network.h"

using namespace ioflor;
using namespace ioflor::floors;

static constexpr char kCounting[] =
    "counting relaxation of the sharded model: the devices' rows times columns "
    "cover all pairs; minimal by AM-GM and concentration";
static constexpr char kCovering[] =
    "minimum of the sharded model: own derivation, not peer reviewed; compared "
    "with exhaustive search for small N and P";
static constexpr char kBalanced[] =
    "sharded model with a cap on each device's pairs: own derivation, not peer "
    "reviewed";

static Floor make(const char *kind, const char *source,
                  std::vector<Cond> hypotheses) {
  return Floor{kind, "network", 0, 1, std::move(hypotheses), source};
}

static std::vector<Cond> sharded(const Sharding &s) {
  return {le(1, s.devices), eq(mod(s.tokens, s.devices), 0)};
}

static Expr cheaper(const Sharding &s) { return min(s.rowWords, s.colWords); }

Expr ioflor::floors::networkSaturation(const Sharding &s) {
  return s.heads * s.tokens * (s.rowWords + s.colWords);
}

Floor ioflor::floors::networkCounting(const Sharding &s) {
  Floor f = make("network", kCounting, sharded(s));
  Expr x = 2 * s.heads * s.tokens * cheaper(s), P = s.devices;
  f.rootNum = x * x * (P * P - P + 1);
  f.rootDen = P * P;
  f.num = -x;
  f.den = P;
  return f;
}

Floor ioflor::floors::networkCovering(const Sharding &s) {
  Floor f = make("network-covering", kCovering, sharded(s));
  f.num = 2 * s.heads * s.tokens * cheaper(s) * (s.devices - 1);
  f.den = s.devices;
  return f;
}

Floor ioflor::floors::networkBalanced(const Sharding &s) {
  Floor f = make("network-balanced", kBalanced, sharded(s));
  Expr x = 2 * s.heads * s.tokens;
  f.rootNum = x * x * s.rowWords * s.colWords * s.devices;
  f.num = -(s.rowWords + s.colWords) * s.heads * s.tokens;
  return f;
}

Floor ioflor::floors::networkCapped(const Sharding &s, const Expr &a,
                                    const Expr &b) {
  Floor f = make("network-capped", kBalanced, sharded(s));
  f.hypotheses.push_back(le(2, s.devices));
  f.hypotheses.push_back(le(b, a));
  f.hypotheses.push_back(le(a, b * s.devices));
  // c (sqrt(a / (b P)) - 1 / P), c = 2 d N (P^2 - P) b / (a P - b).
  Expr P = s.devices;
  Expr c = 2 * s.heads * s.tokens * cheaper(s) * (P * P - P) * b;
  Expr den = a * P - b;
  f.rootNum = c * c * a;
  f.rootDen = den * den * b * P;
  f.num = -c;
  f.den = den * P;
  return f;
}

BigInt ioflor::floors::networkBalancedInteger(const BigInt &tokens,
                                              const BigInt &devices,
                                              const BigInt &words) {
  BigInt pairs = llvm::ceilDiv(tokens * tokens, devices);
  // The smallest sum of two integers whose product reaches `pairs` has them as
  // equal as they can be; both then lie between N/P and N.
  BigInt sum = isqrt(4 * pairs);
  while ((sum / 2) * (sum - sum / 2) < pairs)
    sum += 1;
  return (devices * sum - 2 * tokens) * words;
}
