//===- Tight.cpp - The tight floor of the forward pass --------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// I/O >= 4 E d d_V / M for d_V >= d and E (d + d_V)^2 / M for d_V <= d, which
// FlashAttention-2's schedule attains. Theorem B has exactly this for large M,
// C with M + 1 for smaller M, R' for M <= 4 d^2. Own derivations, not peer
// reviewed: standard matrix multiplication, the standard graph of softmax
// attention (every pair's scores are sums of products, outputs are sums of
// weighted rows and their rescalings), cold fast memory, loads and stores
// together.
//
//===----------------------------------------------------------------------===//
#include "passes/floors/Families.h"

using namespace ioflor;
using namespace ioflor::floors;

static constexpr char kForward[] =
    "own derivation, not peer reviewed; standard matrix multiplication and "
    "softmax-attention, cold fast memory";

namespace {

class Adder {
public:
  Adder(const Work &w, std::vector<Floor> &out) : w(w), out(out) {}

  void operator()(const char *regime, const std::string &theorem, Expr num,
                  Expr den, std::vector<Cond> more, Expr rootNum = 0,
                  Expr rootDen = 1) {
    reduce(num, den);
    Floor f{"tight", "total", num, den, {}, theorem + ", " + kForward};
    assume(f, w.hypotheses);
    assume(f, more);
    f.rootNum = rootNum;
    f.rootDen = rootDen;
    f.regime = regime;
    out.push_back(std::move(f));
  }

private:
  const Work &w;
  std::vector<Floor> &out;
};

} // namespace

/// V is the first d_V columns of K: E min(d (d + d_V) / M, 1/2).
static void addAliased(const Work &w, const Expr &M, Adder &add) {
  Expr product = w.d * (w.d + w.dV);
  const char *theorem = "Theorem B for K = V";
  add("aliased, large M", theorem, w.twicePairs * product, 2 * M,
      {le(w.dV, w.d), le(2 * product, M)});
  add("aliased, small M", theorem, w.twicePairs, 4,
      {le(w.dV, w.d), le(M, 2 * product)});
}

void ioflor::floors::addTight(const Work &w, const Expr &M,
                              std::vector<Floor> &out) {
  if (!w.hasPairs)
    return;
  Adder add(w, out);
  if (w.aliasedKV) {
    addAliased(w, M, add);
    return;
  }
  const Expr &d = w.d, &dV = w.dV, &twiceE = w.twicePairs;
  Expr sum = d + dV, dd = d * d;
  bool same = d == dV;
  // Below a threshold in M the value there holds: more fast memory never hurts.
  // (B's says something beside C's only of loads, which C does not bound.)
  const char *belowB = "B below its threshold";
  const char *below = "C below its threshold";
  { // d_V >= d.
    std::vector<Cond> wide;
    if (!same)
      wide.push_back(le(d, dV));
    auto with = [&](Cond c) {
      std::vector<Cond> hs = wide;
      hs.push_back(std::move(c));
      return hs;
    };
    Expr num = 2 * twiceE * d * dV;
    add("B", "Theorem B", num, M, with(le(128 * dd, 27 * M)));
    Expr least = ceildiv(128 * dd, 27);
    add(belowB, "Theorem B", num, least, with(le(M + 1, least)));
    add("C", "Theorem C", num, M + 1, with(le(4 * dd, M + 1)));
    add(below, "Theorem C", twiceE * dV, 2 * d, with(le(M + 2, 4 * dd)));
  }
  if (!same) { // d_V <= d.
    std::vector<Cond> narrow{le(dV, d)};
    auto with = [&](Cond c) {
      std::vector<Cond> hs = narrow;
      hs.push_back(std::move(c));
      return hs;
    };
    Expr num = twiceE * sum * sum, square = sum * sum;
    add("B", "Theorem B", num, 2 * M, with(le(2 * square, M)));
    add("B, second threshold", "Theorem B", num, 2 * M,
        with(le(8 * square * square, 27 * M * dV * dV)));
    Expr least = min(2 * square, ceildiv(8 * square * square, 27 * dV * dV));
    add(belowB, "Theorem B", num, 2 * least, with(le(M + 1, least)));
    add("C", "Theorem C", num, 2 * (M + 1), with(le(2 * d * sum, M + 1)));
    add(below, "Theorem C", twiceE * sum, 4 * d, with(le(M + 2, 2 * d * sum)));
  }
  // T + E >= 2 E (d + d_V) / sqrt M.
  add("R'", "Theorem R'", -twiceE, 2, {le(M, 4 * dd)},
      twiceE * twiceE * sum * sum, M);
}
