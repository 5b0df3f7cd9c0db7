//===- CanonicalTest.cpp - One form for equal expressions -----------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Common.h"

using namespace ioflor;
using namespace ioflor::test;

TEST(Canonical, Polynomials) {
  EXPECT_EQ(P("(a + b)*(a - b)").str(), "a**2 - b**2");
  EXPECT_EQ(P("2*N*d*ceildiv(N, 64)").str(), "2*N*d*ceildiv(N, 64)");
  EXPECT_EQ(P("N**2 - N").str(), "N**2 - N");
  EXPECT_EQ(P("-N**2 + N").str(), "N - N**2");
  EXPECT_EQ(P("-a - 3").str(), "-a - 3");
  EXPECT_EQ(P("a - a"), Expr(0));
  EXPECT_EQ(P("tx + 32*bx").str(), "32*bx + tx");
}

TEST(Canonical, Division) {
  EXPECT_EQ(P("(N+63)/64"), P("ceildiv(N, 64)"));
  EXPECT_EQ(P("(N+63)/64").str(), "ceildiv(N, 64)");
  EXPECT_EQ(P("(N + B - 1)/B").str(), "ceildiv(N, B)");
  EXPECT_EQ(P("(N - 1)/B + 1").str(), "ceildiv(N, B)");
  EXPECT_EQ(P("(N - 1)/64 + 1").str(), "ceildiv(N, 64)");
  EXPECT_EQ(P("6*a/4"), P("3*a/2"));
  EXPECT_EQ(P("6*a/4").str(), "a + floordiv(a, 2)");
  EXPECT_EQ(P("a*b/b").str(), "a");
  EXPECT_EQ(P("(a*b + c)/b").str(), "a + floordiv(c, b)");
  EXPECT_EQ(P("a/b/c").str(), "floordiv(a, b*c)");
  EXPECT_EQ(P("a/4/8").str(), "floordiv(a, 32)");
  EXPECT_EQ(P("(a/4 + 3)/8").str(), "floordiv(a + 12, 32)");
  EXPECT_EQ(P("(a*b*c)/(b*c*d)").str(), "floordiv(a, d)");
  EXPECT_EQ(P("N/(N + 1)"), Expr(0));
  EXPECT_EQ(P("(a + N)/(N + 1)").str(), "ceildiv(a, N + 1)");
  EXPECT_EQ(P("64*(e/64) + e%64").str(), "e");
  EXPECT_EQ(P("D*(e/D) + e%D").str(), "e");
  EXPECT_EQ(P("(i*D + j)/D - i").str(), "floordiv(j, D)");
  EXPECT_EQ(P("(e%64)/16"), P("(e/16)%4"));
}

TEST(Canonical, Remainders) {
  EXPECT_EQ(P("e % 64").str(), "mod(e, 64)");
  EXPECT_EQ(P("e % D").str(), "mod(e, D)");
  EXPECT_EQ(P("(e/16) % 4").str(), "mod(floordiv(e, 16), 4)");
  EXPECT_EQ(P("(e/W) % H").str(), "mod(floordiv(e, W), H)");
  EXPECT_EQ(P("d*(t/32) + t%32 + 5").str(),
            "d*floordiv(t, 32) + mod(t, 32) + 5");
  EXPECT_EQ(P("x*(t%32)").str(), "x*mod(t, 32)");
  EXPECT_EQ(P("64*ceildiv(N,64) - N").str(), "mod(-N, 64)");
}

TEST(Canonical, MinMax) {
  EXPECT_EQ(P("min(a, a)").str(), "a");
  EXPECT_EQ(P("min(N, 64)").str(), "min(N, 64)");
  EXPECT_EQ(P("max(N - 64, 0)").str(), "max(0, N - 64)");
  EXPECT_EQ(P("min(a + c, b + c)").str(), "c + min(a, b)");
  EXPECT_EQ(P("min(N - 1, 63) + 1"), P("min(N, 64)"));
  EXPECT_EQ(P("-max(-a, -b)"), P("min(a, b)"));
  EXPECT_EQ(P("min(min(a, b), c)"), P("min(a, b, c)"));
  EXPECT_EQ(P("min(a, a + 3)").str(), "a");
  EXPECT_EQ(P("min(3, 7, x)").str(), "min(x, 3)");
  EXPECT_EQ(P("min(64*a, 64*b)").str(), "64*min(a, b)");
  EXPECT_EQ(P("min(64*b + 64, N)").str(), "min(N, 64*b + 64)");
  EXPECT_EQ(P("min(a, max(a, b))").str(), "a");
}
