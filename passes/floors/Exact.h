//===- Exact.h - Rationals and square roots, exactly ------------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What floors and traffic are worth at concrete sizes. Never floating point:
// a floor may be a square root, and the comparison with a count is then one of
// squares of integers.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_FLOORS_EXACT_H
#define IOFLOR_PASSES_FLOORS_EXACT_H

#include "dialect/expr/Words.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace ioflor::floors {

/// The greatest common divisor of a, b >= 0; fast for thousands of digits, too.
BigInt gcdOf(BigInt a, BigInt b);

/// floor(sqrt(n)) for n >= 0.
BigInt isqrt(const BigInt &n);

/// num / den in lowest terms, den >= 1.
class Rational {
public:
  Rational(const BigInt &n = BigInt(0)) : n(n), d(1) {}
  Rational(int64_t n) : n(n), d(1) {}
  /// den must not be 0.
  Rational(const BigInt &num, const BigInt &den);

  const BigInt &num() const { return n; }
  const BigInt &den() const { return d; }
  bool isInteger() const { return d == 1; }
  BigInt floor() const;
  BigInt ceil() const;

  Rational operator-() const { return Rational(-n, d); }
  Rational operator+(const Rational &o) const;
  Rational operator-(const Rational &o) const { return *this + -o; }
  Rational operator*(const Rational &o) const;
  /// o must not be 0.
  Rational operator/(const Rational &o) const;
  /// -1, 0, 1.
  int compare(const Rational &o) const;
  bool operator==(const Rational &o) const { return compare(o) == 0; }
  bool operator<(const Rational &o) const { return compare(o) < 0; }
  bool operator<=(const Rational &o) const { return compare(o) <= 0; }

  /// `7`, `7/2`.
  std::string str() const;

private:
  BigInt n, d;
};

/// sqrt(radicand) + shift, radicand >= 0: the value of every floor.
class Surd {
public:
  Surd(const Rational &shift = Rational(),
       const Rational &radicand = Rational())
      : q(shift), r(radicand) {}
  Surd(const BigInt &n) : q(n) {}
  Surd(int64_t n) : q(n) {}

  const Rational &shift() const { return q; }
  const Rational &radicand() const { return r; }
  /// The square root, where there is one, comes out even.
  bool isRational() const;
  bool isInteger() const;
  /// The smallest integer that is at least this: what a count of words must
  /// reach.
  BigInt ceil() const;
  BigInt floor() const;
  /// -1, 0, 1.
  int compare(const Surd &o) const;
  bool operator<(const Surd &o) const { return compare(o) < 0; }
  bool operator<=(const Surd &o) const { return compare(o) <= 0; }
  bool operator==(const Surd &o) const { return compare(o) == 0; }
  Surd operator+(const Rational &o) const { return Surd(q + o, r); }
  Surd operator-(const Rational &o) const { return Surd(q - o, r); }
  /// factor >= 0.
  Surd operator*(const Rational &factor) const {
    return Surd(q * factor, r * factor * factor);
  }

  /// `2097152`, `7/2`, `sqrt(3) - 1/2`.
  std::string str() const;
  /// Rounded to the nearest number of `significant` digits; an integer whose
  /// root comes out even is given in full.
  std::string decimal(unsigned significant = 17) const;

private:
  Rational q, r;
};

/// a - b for a >= b, as Surd::decimal gives it.
std::string decimalDifference(const Rational &a, const Surd &b,
                              unsigned significant = 17);

} // namespace ioflor::floors

#endif // IOFLOR_PASSES_FLOORS_EXACT_H
