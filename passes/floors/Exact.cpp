//===- Exact.cpp - Rationals and square roots, exactly --------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/floors/Exact.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <cassert>
#include <limits>

using namespace ioflor;
using namespace ioflor::floors;

BigInt ioflor::floors::gcdOf(BigInt a, BigInt b) {
  // The library's takes a step for each bit. Euclid's takes few where the
  // numbers are of unlike length, which they mostly are here.
  static const BigInt kLong = BigInt(std::numeric_limits<int64_t>::max());
  while (a > kLong || b > kLong) {
    if (a < b)
      std::swap(a, b);
    if (b == 0)
      return a;
    a = a % b;
  }
  return llvm::gcd(a, b);
}

BigInt ioflor::floors::isqrt(const BigInt &n) {
  if (n < 2)
    return n;
  // The largest 2^e <= n, from the squares 2^(2^k): few multiplications, which
  // is what numbers of thousands of digits cost.
  llvm::SmallVector<BigInt> squares{BigInt(2)};
  while (squares.back() <= n)
    squares.push_back(squares.back() * squares.back());
  BigInt power(1), x(2);
  for (size_t k = squares.size(); k-- > 0;) {
    BigInt next = power * squares[k];
    if (next > n)
      continue;
    power = next;
    // 2^(2^k) contributes its root, 2^(2^(k-1)); an odd 2 is rounded up.
    x *= k == 0 ? BigInt(2) : squares[k - 1];
  }
  // x > sqrt(n); Newton decreases from there to the floor.
  for (BigInt y = (x + n / x) / 2; y < x; y = (x + n / x) / 2)
    x = y;
  return x;
}

/// ceil(sqrt(n)) for n >= 0.
static BigInt isqrtUp(const BigInt &n) {
  BigInt x = isqrt(n);
  return x * x == n ? x : x + 1;
}

//===----------------------------------------------------------------------===//
// Rational
//===----------------------------------------------------------------------===//

Rational::Rational(const BigInt &num, const BigInt &den) : n(num), d(den) {
  assert(den != 0 && "division by 0");
  if (d < 0) {
    n = -n;
    d = -d;
  }
  if (d == 1)
    return;
  BigInt g = gcdOf(llvm::abs(n), d);
  if (g > 1) {
    n = n / g;
    d = d / g;
  }
}

BigInt Rational::floor() const { return llvm::floorDiv(n, d); }
BigInt Rational::ceil() const { return llvm::ceilDiv(n, d); }

Rational Rational::operator+(const Rational &o) const {
  return Rational(n * o.d + o.n * d, d * o.d);
}

Rational Rational::operator*(const Rational &o) const {
  return Rational(n * o.n, d * o.d);
}

Rational Rational::operator/(const Rational &o) const {
  return Rational(n * o.d, d * o.n);
}

int Rational::compare(const Rational &o) const {
  BigInt a = n * o.d, b = o.n * d;
  return a < b ? -1 : a > b ? 1 : 0;
}

std::string Rational::str() const {
  return d == 1 ? ioflor::decimal(n)
                : ioflor::decimal(n) + "/" + ioflor::decimal(d);
}

//===----------------------------------------------------------------------===//
// Surd
//===----------------------------------------------------------------------===//

/// The root of r, if it is rational.
static bool rootOf(const Rational &r, Rational &root) {
  // In lowest terms both must be squares.
  BigInt a = isqrt(r.num()), b = isqrt(r.den());
  if (a * a != r.num() || b * b != r.den())
    return false;
  root = Rational(a, b);
  return true;
}

bool Surd::isRational() const {
  Rational root;
  return rootOf(r, root);
}

bool Surd::isInteger() const {
  Rational root;
  return rootOf(r, root) && (root + q).isInteger();
}

// With q = a/b an integer t reaches sqrt(r) + q when the integer b t - a
// reaches b sqrt(r) = sqrt(b^2 r).
BigInt Surd::ceil() const {
  const BigInt &a = q.num(), &b = q.den();
  BigInt y = isqrtUp((r * Rational(b * b)).ceil());
  return llvm::ceilDiv(y + a, b);
}

BigInt Surd::floor() const {
  const BigInt &a = q.num(), &b = q.den();
  BigInt y = isqrt((r * Rational(b * b)).floor());
  return llvm::floorDiv(y + a, b);
}

/// The sign of sqrt(a) - sqrt(b) - c, for c >= 0: that of
/// (a - b - c^2) - 2 c sqrt(b), both sides of which may be squared once the
/// left is known to be positive.
static int signOfDifference(const Rational &a, const Rational &b,
                            const Rational &c) {
  Rational left = a - b - c * c;
  Rational right = Rational(4) * c * c * b;
  int s = left.compare(Rational(0));
  if (s < 0)
    return -1;
  return (left * left).compare(right);
}

int Surd::compare(const Surd &o) const {
  Rational c = o.q - q;
  if (c.compare(Rational(0)) >= 0)
    return signOfDifference(r, o.r, c);
  return -signOfDifference(o.r, r, -c);
}

std::string Surd::str() const {
  Rational root;
  if (rootOf(r, root))
    return (root + q).str();
  std::string s = "sqrt(" + r.str() + ")";
  if (q.num() > 0)
    s += " + " + q.str();
  else if (q.num() < 0)
    s += " - " + (-q).str();
  return s;
}

static BigInt powerOfTen(unsigned e) {
  BigInt p(1), ten(10);
  for (; e; e >>= 1, ten *= ten)
    if (e & 1)
      p *= ten;
  return p;
}

/// Digits of a value >= 0 that is no integer, given floor(value * scale + more)
/// for any scale and more >= 0.
static std::string decimalOf(
    llvm::function_ref<BigInt(const Rational &, const Rational &)> floorOf,
    unsigned significant) {
  std::string whole = ioflor::decimal(floorOf(Rational(1), Rational(0)));
  unsigned places =
      whole.size() >= significant ? 0 : significant - unsigned(whole.size());
  if (whole == "0") {
    // Leading zeros of a value below 1 are not significant.
    BigInt least = powerOfTen(significant - 1);
    places = significant;
    while (places < 4000 &&
           floorOf(Rational(powerOfTen(places)), Rational(0)) < least)
      ++places;
  }
  std::string all = ioflor::decimal(
      floorOf(Rational(powerOfTen(places)), Rational(BigInt(1), BigInt(2))));
  if (places == 0)
    return all;
  if (all.size() <= places)
    all.insert(0, places + 1 - all.size(), '0');
  all.insert(all.size() - places, 1, '.');
  all.erase(all.find_last_not_of('0') + 1);
  if (all.back() == '.')
    all.pop_back();
  return all;
}

std::string Surd::decimal(unsigned significant) const {
  // Negative floors are vacuous: their integer part says enough.
  if (compare(Surd(0)) < 0)
    return ioflor::decimal(ceil());
  if (isInteger())
    return ioflor::decimal(floor());
  return decimalOf(
      [&](const Rational &scale, const Rational &more) {
        return (*this * scale + more).floor();
      },
      significant);
}

std::string ioflor::floors::decimalDifference(const Rational &a, const Surd &b,
                                              unsigned significant) {
  Rational root;
  if (rootOf(b.radicand(), root))
    return Surd(a - root - b.shift()).decimal(significant);
  // a - b is no Surd, but b - a is: floor(x) = -ceil(-x).
  return decimalOf(
      [&](const Rational &scale, const Rational &more) {
        return -(b * scale - a * scale - more).ceil();
      },
      significant);
}
