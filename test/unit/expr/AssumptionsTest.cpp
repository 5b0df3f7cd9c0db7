//===- AssumptionsTest.cpp - Signs, bounds and simplification -------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Common.h"

using namespace ioflor;
using namespace ioflor::test;

/// Declares "symbol: lo .. hi", either end may be "".
static void range(Assumptions &a, llvm::StringRef s, llvm::StringRef lo,
                  llvm::StringRef hi) {
  a.declare(s, lo.empty() ? std::nullopt : std::optional<Expr>(P(lo)),
            hi.empty() ? std::nullopt : std::optional<Expr>(P(hi)));
}

/// Sizes, a grid of 64-row tiles over N, 64 threads, and a loop over tiles.
static Assumptions kernel() {
  Assumptions a;
  range(a, "N", "1", "");
  range(a, "d", "1", "256");
  range(a, "B", "1", "");
  range(a, "bx", "0", "ceildiv(N, 64) - 1");
  range(a, "tx", "0", "63");
  range(a, "t", "0", "ceildiv(N, B) - 1");
  range(a, "c", "0", "d - 1");
  return a;
}

TEST(Assumptions, Signs) {
  Assumptions a = kernel();
  for (const char *s : {"N",
                        "N - 1",
                        "N*d - 1",
                        "bx",
                        "N**2 - N",
                        "N*d - d",
                        "d - 1 - c",
                        "ceildiv(N, 64) - 1",
                        "64*ceildiv(N, 64) - N",
                        "N - 64*floordiv(N, 64)",
                        "N + 63 - 64*bx - tx",
                        "N + B - 1 - B*t",
                        "N - 1 - B*t",
                        "N - 1 - 64*bx",
                        "N*d*ceildiv(N, 64) - N*d",
                        "mod(N, 64)",
                        "63 - mod(N, 64)",
                        "mod(N, B)",
                        "B - 1 - mod(N, B)",
                        "N*d - 1 - (N - 1)*d - c",
                        "min(N, 64*bx + 64) - 64*bx - 1",
                        "64 - min(64, N)",
                        "max(N, 64) - N",
                        "N - min(N, d)",
                        "sum(t2*d for t2 in range(0, N))",
                        "(N - 1)*(d - 1)",
                        "B*ceildiv(N, B) - N",
                        "N - floordiv(N, B)",
                        "256*N - N*d",
                        "ceildiv(N, 64)*64*d - N*d",
                        "(64*bx + tx)*d + c"})
    EXPECT_TRUE(a.isNonNegative(P(s))) << s;
  for (const char *s : {"N - 2", "N - 1 - 64*bx - tx", "d - N", "-N", "N - 65",
                        "c - d", "B - 2", "N - B*t - B", "mod(N, 64) - 1",
                        "N - d", "x", "sum(t2 - 1 for t2 in range(0, N))"})
    EXPECT_FALSE(a.isNonNegative(P(s))) << s;
}

TEST(Assumptions, Guards) {
  Assumptions a = kernel();
  assume(a, C("bx*64 + tx < N"));
  EXPECT_TRUE(a.isNonNegative(P("N - 1 - 64*bx - tx")));
  EXPECT_TRUE(a.isNonNegative(P("N*d - 1 - (64*bx + tx)*d - c")));
  EXPECT_EQ(a.upperBound(P("tx"), {"tx"})->str(), "min(N - 64*bx, 64) - 1");
  EXPECT_EQ(*a.upperBound(P("64*bx + tx"), {"bx", "tx"}), P("N - 1"));
  EXPECT_EQ(simplify(C("64*bx + tx < N"), a), Cond::always());
  EXPECT_EQ(simplify(C("64*bx + tx >= N"), a), Cond::never());
  Assumptions b = kernel();
  assume(b, C("N % 64 == 0 && d >= 32"));
  EXPECT_EQ(simplify(P("64*ceildiv(N, 64)"), b).str(), "N");
  EXPECT_EQ(simplify(P("ceildiv(N, 64)"), b).str(), "floordiv(N, 64)");
  EXPECT_TRUE(b.isDivisible(P("N*d"), P("64")));
  EXPECT_TRUE(b.isDivisible(P("N + 128"), P("32")));
  EXPECT_FALSE(b.isDivisible(P("N + 1"), P("64")));
  EXPECT_EQ(simplify(P("min(N, 64*bx + 64)"), b).str(), "64*bx + 64");
  EXPECT_TRUE(b.isNonNegative(P("d - 32")));
}

// A kernel launched nowhere: its guard bounds the grid.
TEST(Assumptions, GuardsBoundEarlierSymbols) {
  Assumptions a;
  range(a, "N", "1", "");
  range(a, "bx", "0", "");
  range(a, "tx", "0", "63");
  assume(a, C("64*bx + tx < N && tx % 2 == 0"));
  EXPECT_EQ(*a.upperBound(P("bx"), {"bx"}), P("ceildiv(N, 64) - 1"));
  EXPECT_EQ(*a.upperBound(P("64*bx + tx"), {"bx", "tx"}), P("N - 1"));
  EXPECT_TRUE(a.isDivisible(P("tx + 4*N"), P("2")));
  Assumptions b;
  assume(b, C("x >= 3 && x < y"));
  EXPECT_EQ(*b.lowerBound(P("x"), {"x"}), P("3"));
  EXPECT_TRUE(b.isNonNegative(P("y - 4")));
}

TEST(Assumptions, Bounds) {
  Assumptions a = kernel();
  EXPECT_EQ(*a.upperBound(P("64*bx + tx"), {"tx"}), P("64*bx + 63"));
  EXPECT_EQ(*a.lowerBound(P("64*bx + tx"), {"bx", "tx"}), P("0"));
  EXPECT_EQ(*a.upperBound(P("64*bx + tx"), {"bx", "tx"}),
            P("64*ceildiv(N, 64) - 1"));
  EXPECT_EQ(*a.upperBound(P("min(64*bx + tx, N - 1)*d + c"), {"bx", "tx", "c"}),
            P("N*d - 1"));
  EXPECT_EQ(*a.upperBound(P("floordiv(tx, 32)"), {"tx"}), P("1"));
  EXPECT_EQ(*a.lowerBound(P("N - tx"), {"tx"}), P("N - 63"));
  EXPECT_EQ(*a.upperBound(P("mod(tx, 32)"), {"tx"}), P("31"));
  EXPECT_EQ(*a.upperBound(P("5 - mod(N*tx, 32)"), {"tx"}), P("5"));
  EXPECT_EQ(*a.upperBound(P("mod(64*bx + tx, d)*4"), {"bx", "tx"}),
            P("4*min(d, 64*ceildiv(N, 64)) - 4"));
  EXPECT_FALSE(a.upperBound(P("N + tx"), {"N"}));
  EXPECT_FALSE(a.upperBound(P("q"), {"q"}));
}

TEST(Assumptions, Simplify) {
  Assumptions a = kernel();
  EXPECT_EQ(simplify(P("floordiv(64*bx + tx, 64)"), a).str(), "bx");
  EXPECT_EQ(simplify(P("mod(64*bx + tx, 64)"), a).str(), "tx");
  EXPECT_EQ(simplify(P("floordiv(d*bx + c, d)"), a).str(), "bx");
  EXPECT_EQ(simplify(P("mod(d*bx + c, d)"), a).str(), "c");
  EXPECT_EQ(simplify(P("floordiv(N*d*bx + d*t + c, N*d)"), a),
            simplify(P("floordiv(N*bx + t, N)"), a));
  EXPECT_EQ(simplify(P("floordiv(128*bx + tx, 256)"), a).str(),
            "floordiv(bx, 2)");
  EXPECT_EQ(simplify(P("min(N, N + d)"), a).str(), "N");
  EXPECT_EQ(simplify(P("max(0, N - 1)"), a).str(), "N - 1");
  EXPECT_EQ(simplify(P("max(1, ceildiv(N, 64))"), a).str(), "ceildiv(N, 64)");
  EXPECT_EQ(simplify(P("min(d, 300)"), a).str(), "d");
  EXPECT_EQ(simplify(P("sum(d for i in range(0, N))"), a).str(), "N*d");
  EXPECT_EQ(simplify(P("sum(min(i, N) for i in range(0, N))"), a).str(),
            "sum(i for i in range(0, N))");
  EXPECT_EQ(simplify(P("sum(i for i in range(N, 1))"), a).str(), "0");
  EXPECT_EQ(simplify(P("64*bx + min(64, N - 64*bx)"), a).str(),
            "min(N, 64*bx + 64)");
  EXPECT_EQ(simplify(P("floordiv(tx - 64, 64)"), a).str(), "-1");
}

TEST(Assumptions, SimplifyConditions) {
  Assumptions a = kernel();
  // 64*bx <= N - 1 follows from the grid, the first from the second.
  EXPECT_EQ(simplify(C("64*bx < N && 64*bx + tx < N"), a).str(),
            "64*bx + tx < N");
  EXPECT_EQ(simplify(C("x < N && x + tx < N"), a).str(), "tx + x < N");
  EXPECT_EQ(simplify(C("x < N || x + tx < N"), a).str(), "x < N");
  EXPECT_EQ(simplify(C("x >= N && x + tx < N"), a), Cond::never());
  EXPECT_EQ(simplify(C("x >= N || x - tx < N"), a), Cond::always());
  Cond u = Cond::unknown("loaded value", "u1");
  EXPECT_EQ(simplify(u && C("tx < 64"), a), u);
}

// Row-major Q, K of grouped-query attention, tiles of Br rows by Bc columns.
TEST(Assumptions, AttentionIndices) {
  Assumptions a;
  for (const char *s : {"N", "d", "Bt", "HK", "G", "Br", "Bc"})
    range(a, s, "1", "");
  range(a, "b", "0", "Bt - 1");
  range(a, "h", "0", "HK*G - 1");
  range(a, "bx", "0", "ceildiv(N, 64) - 1");
  range(a, "ii", "0", "63");
  range(a, "t", "0", "min(ceildiv(N, 64), bx + 1) - 1");
  range(a, "c", "0", "d - 1");
  range(a, "i", "0", "ceildiv(N, Br) - 1");
  range(a, "j", "0", "ceildiv(N, Bc) - 1");
  range(a, "r", "0", "min(Br, N - Br*i) - 1");
  for (const char *s :
       {"HK - 1 - floordiv(h, G)",
        "Bt*HK*N*d - 1 - ((b*HK + floordiv(h, G))*N*d + (N - 1)*d + c)",
        "64*bx + 63 - 64*t", "N - 1 - 64*t", "N - 1 - Br*i - r",
        "Bt*HK*G*N*d - 1 - (((b*HK*G + h)*N + Br*i + r)*d + c)",
        "min(Br, N - Br*i) - 1", "min(N, Bc*j + Bc) - Bc*j - 1",
        "N*d*ceildiv(N, Br) - N*d", "floordiv(N*(N + 1), 2) - N",
        "ceildiv(N, Bc) - 1 - floordiv(Br*i, Bc)", "G - 1 - mod(h, G)"})
    EXPECT_TRUE(a.isNonNegative(P(s))) << s;
  for (const char *s : {"N - 1 - 64*bx - ii", "N - 64*t - 64", "HK - 2",
                        "64*bx + 62 - 64*t - ii"})
    EXPECT_FALSE(a.isNonNegative(P(s))) << s;
  EXPECT_EQ(simplify(P("floordiv((b*HK*G + h)*N*d + bx*d + c, N*d)"), a).str(),
            "G*HK*b + h");
  EXPECT_EQ(simplify(P("floordiv(mod((h*N + bx)*d + c, N*d), d)"), a).str(),
            "bx");
  EXPECT_EQ(simplify(P("min(Br, N - Br*i) + Br*i"), a).str(),
            "min(Br*i + Br, N)");
  EXPECT_EQ(simplify(P("max(0, min(64, N - 64*bx))"), a).str(),
            "min(N - 64*bx, 64)");
  EXPECT_EQ(
      a.upperBound(P("min(64*bx + ii, N - 1)*d + c"), {"bx", "ii", "c"})->str(),
      "N*d - 1");
}
