//===- AddressTest.cpp - Tests of addresses and writers -------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/roles/Address.h"
#include "gtest/gtest.h"

using namespace ioflor;
using namespace ioflor::roles;

static Expr e(llvm::StringRef text) {
  std::optional<Expr> parsed = parseExpr(text);
  EXPECT_TRUE(parsed) << text.str();
  return parsed.value_or(Expr());
}

static std::string divided(llvm::StringRef a, llvm::StringRef b) {
  std::optional<Expr> q = divideExactly(e(a), e(b));
  return q ? q->str() : "no";
}

TEST(DivideExactly, Monomials) {
  EXPECT_EQ(divided("32*N*d", "d"), "32*N");
  EXPECT_EQ(divided("N**2*d", "N"), "N*d");
  EXPECT_EQ(divided("6*a + 4*b", "2"), "3*a + 2*b");
  EXPECT_EQ(divided("6*a + 3", "2"), "no");
  EXPECT_EQ(divided("N", "N*d"), "no");
  EXPECT_EQ(divided("N", "0"), "no");
  EXPECT_EQ(divided("N + 1", "N + 1"), "1");
  // By a sum, where all of it is a multiple.
  EXPECT_EQ(divided("(N + 1)*d", "N + 1"), "d");
  EXPECT_EQ(divided("(N + 1)*d + 1", "N + 1"), "no");
}

TEST(AsLinear, CoefficientsAndRest) {
  auto linear = asLinear(e("N*d*by + 4*t + 7*N + 1"), {"by", "t"});
  ASSERT_TRUE(linear);
  EXPECT_EQ(linear->coef("by").str(), "N*d");
  EXPECT_EQ(linear->coef("t").str(), "4");
  EXPECT_TRUE(linear->coef("x").isZero());
  EXPECT_EQ(linear->rest.str(), "7*N + 1");
  EXPECT_FALSE(asLinear(e("t*by"), {"by", "t"}));
  EXPECT_FALSE(asLinear(e("t**2"), {"t"}));
  EXPECT_FALSE(asLinear(e("floordiv(t, 2)"), {"t"}));
  EXPECT_FALSE(asLinear(e("max(t, 2)"), {"t"}));
}

namespace {
/// A tile that the variables tx < 64 and t < 16 write, read over r < 32, c
/// < 32.
struct Tile : ::testing::Test {
  Assumptions known;
  std::optional<Fresh> fresh;
  void SetUp() override {
    known.declare("tx", Expr(0), Expr(63));
    known.declare("t", Expr(0), Expr(15));
    known.declare("r", Expr(0), Expr(31));
    known.declare("c", Expr(0), Expr(31));
    fresh.emplace(known);
  }
  /// Where `source` was read from, for the element that `read` reads.
  std::string pulled(llvm::StringRef written, llvm::StringRef read,
                     llvm::StringRef source) {
    auto solution = solveWriter(e(written), e(read), {"tx", "t"}, *fresh);
    if (!solution)
      return "no";
    return simplify(fresh->multiplied(e(source).substitute(*solution)), known)
        .str();
  }
};
} // namespace

TEST_F(Tile, Flat) {
  EXPECT_EQ(pulled("tx + 64*t", "32*r + c", "B + tx + 64*t"), "B + c + 32*r");
}

TEST_F(Tile, FlatFromRowsApart) {
  EXPECT_EQ(pulled("tx + 64*t", "32*r + c",
                   "ld*floordiv(tx + 64*t, 32) + mod(tx + 64*t, 32)"),
            "ld*r + c");
}

TEST_F(Tile, Padded) {
  EXPECT_EQ(pulled("33*floordiv(tx + 64*t, 32) + mod(tx + 64*t, 32)",
                   "33*r + c", "tx + 64*t"),
            "c + 32*r");
}

TEST_F(Tile, Transposed) {
  EXPECT_EQ(pulled("33*mod(tx + 64*t, 32) + floordiv(tx + 64*t, 32)",
                   "33*c + r", "tx + 64*t"),
            "c + 32*r");
}

TEST_F(Tile, LoopThatTheAddressDoesNotHaveStaysFree) {
  // The word is written in every t: which of them wrote last is not asked.
  EXPECT_EQ(pulled("tx", "c", "tx + 64*t"), "c + 64*t");
}

TEST_F(Tile, EachFourthElement) {
  // Of four stores that are written out, this one wrote where c is 4*t + 3.
  EXPECT_EQ(pulled("64*tx + 4*t + 3", "64*r + c", "B + 4*t + 3"), "B + c");
  // What is no multiple of 4 stays apart.
  EXPECT_EQ(pulled("4*t + 3", "c", "t"), "each__1");
}

TEST_F(Tile, NotSolved) {
  EXPECT_EQ(pulled("2*tx", "2*c + 1", "tx"), "no");
  EXPECT_EQ(pulled("4*t + 1", "4*c", "t"), "no");
  EXPECT_EQ(pulled("2*tx", "1", "tx"), "no");
  EXPECT_EQ(pulled("tx*t", "c", "tx"), "no");
  EXPECT_EQ(pulled("max(tx, t)", "c", "tx"), "no");
}
