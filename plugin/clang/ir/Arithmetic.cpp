//===- Arithmetic.cpp - Exact forms of C's integer operators -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/ir/Values.h"

using namespace llvm;
using namespace ioflor;
using namespace ioflor::ir;

/// Bits that a bitwise operation of two symbolic operands may span before its
/// expansion into single bits is given up.
static constexpr unsigned maxSymbolicBits = 8;

static Expr power(unsigned bit) { return Expr(int64_t(1) << bit); }

/// The same for all threads, blocks and iterations.
bool ValueReader::isLaunchConstant(const Expr &e) const {
  if (context.isData(e))
    return false;
  for (const std::string &s : e.freeSymbols()) {
    if (StringRef(s).starts_with("$"))
      return false;
    for (const Expr &index :
         {launch.threadIndex[0], launch.threadIndex[1], launch.threadIndex[2],
          launch.blockIndex[0], launch.blockIndex[1], launch.blockIndex[2]})
      if (index.dependsOn(s))
        return false;
    for (auto &[l, f] : facts)
      if (f.value.var == s)
        return false;
    for (const frontend::HostLoop &host : spec.hostLoops)
      if (host.var == s)
        return false;
  }
  return true;
}

/// Divisors are taken for positive: 0 is undefined in C, and a negative one
/// would have to come from a size. What is not known is assumed and listed,
/// except of values that memory decides.
bool ValueReader::positiveDivisor(const Expr &b, const Value *v) {
  if (context.known.isPositive(b))
    return true;
  if (b.isConst() || !isLaunchConstant(b))
    return false;
  context.assume(le(Expr(1), b), "a divisor is positive");
  return true;
}

/// C's signed division rounds to zero:
/// a / b = floor(max(a, 0) / b) - floor(max(-a, 0) / b) for b >= 1.
Expr ValueReader::divideTruncating(const Expr &a, const Expr &b,
                                   const Value *v) {
  if (auto c = b.constant64(); c && *c < 0)
    return *c == INT64_MIN ? unreadable(v, "division by a huge constant")
                           : -divideTruncating(a, Expr(-*c), v);
  if (!positiveDivisor(b, v))
    return unreadable(v, "division by a value that may be zero or negative");
  if (context.known.isNonNegative(a))
    return simplify(floordiv(a, b), context.known);
  if (context.known.isNonNegative(-a))
    return simplify(-floordiv(-a, b), context.known);
  return floordiv(max(a, Expr(0)), b) - floordiv(max(-a, Expr(0)), b);
}

/// The dividend of an unsigned division has not wrapped: assumed, so it is the
/// non-negative number that it reads as.
Expr ValueReader::divideUnsigned(const Expr &a, const Expr &b, const Value *v) {
  if (!positiveDivisor(b, v))
    return unreadable(v, "division by a value that may be zero");
  return simplify(floordiv(a, b), context.known);
}

/// a & mask: each run of ones [lo, hi) is mod(floor(a / 2^lo), 2^(hi-lo)),
/// which is also right for a negative a in two's complement. A run up to the
/// top bit keeps everything above lo, the sign with it.
Expr ValueReader::maskBits(const Expr &a, uint64_t mask, unsigned bits) {
  Expr sum;
  unsigned width = std::min(bits, 64u);
  for (unsigned lo = 0; lo < width;) {
    if (!(mask >> lo & 1)) {
      ++lo;
      continue;
    }
    unsigned hi = lo;
    while (hi < width && (mask >> hi & 1))
      ++hi;
    Expr part = lo == 0 ? a : floordiv(a, power(lo));
    if (hi < width && hi - lo < 62)
      part = mod(part, power(hi - lo));
    sum += lo < 62 ? part * power(lo) : Expr(0);
    lo = hi;
  }
  return simplify(sum, context.known);
}

std::optional<Expr> ValueReader::bitwise(unsigned opcode, const Expr &a,
                                         const Expr &b, unsigned bits) {
  auto ca = a.constant64(), cb = b.constant64();
  if (ca && cb) {
    if (opcode == Instruction::And)
      return Expr(*ca & *cb);
    return Expr(opcode == Instruction::Or ? (*ca | *cb) : (*ca ^ *cb));
  }
  if (ca)
    return bitwise(opcode, b, a, bits);
  if (a == b)
    return opcode == Instruction::Xor ? Expr(0) : a;
  if (cb) {
    if (*cb == -1 && opcode == Instruction::Xor)
      return -a - 1;
    Expr both = maskBits(a, static_cast<uint64_t>(*cb), bits);
    if (opcode == Instruction::And)
      return both;
    return opcode == Instruction::Or ? a + b - both : a + b - 2 * both;
  }
  // Without a common bit, `or` and `xor` add: multiples of 2^k below 2^k.
  auto below = [&](const Expr &low, const Expr &high) {
    for (unsigned k = 0; k < 32; ++k)
      if (context.known.isNonNegative(low) &&
          context.known.isNonNegative(power(k) - 1 - low))
        return context.known.isDivisible(high, power(k));
    return false;
  };
  if (below(a, b) || below(b, a))
    return opcode == Instruction::And ? Expr(0) : a + b;
  // Swizzles: few bits on one side at least, spelled out one by one.
  auto span = [&](const Expr &e) -> unsigned {
    if (!context.known.isNonNegative(e))
      return 64;
    for (unsigned k = 0; k <= maxSymbolicBits; ++k)
      if (context.known.isNonNegative(power(k) - 1 - e))
        return k;
    return 64;
  };
  unsigned k = std::min(span(a), span(b));
  if (k > maxSymbolicBits)
    return std::nullopt;
  Expr both;
  for (unsigned bit = 0; bit < k; ++bit) {
    // Low bits that one side never has.
    Expr next = power(bit + 1);
    if (both.isZero() && (context.known.isDivisible(a, next) ||
                          context.known.isDivisible(b, next)))
      continue;
    both += power(bit) * mod(floordiv(a, power(bit)), Expr(2)) *
            mod(floordiv(b, power(bit)), Expr(2));
  }
  if (opcode == Instruction::And)
    return both;
  return opcode == Instruction::Or ? a + b - both : a + b - 2 * both;
}

/// Terms that are multiples of 2^bits vanish (halves of packed words); the rest
/// is taken not to wrap.
Expr ValueReader::truncated(const Expr &e, unsigned bits) {
  if (bits == 1)
    return mod(e, Expr(2));
  if (bits < 8 || bits > 62)
    return e;
  BigInt modulus(int64_t(1) << bits);
  Expr rest;
  for (const Expr &term : e.terms())
    if (term.coefficient() % modulus != BigInt(0))
      rest += term;
  return rest;
}
