//===- ScopeTest.cpp - What surrounds an op in a skeleton -----------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Skeleton.h"

using namespace ioflor;

template <typename Op> static Op first(SubjectOp subject) {
  Op found;
  subject.walk<mlir::WalkOrder::PreOrder>([&](Op op) {
    if (!found)
      found = op;
  });
  return found;
}

TEST(Scope, BuffersLoopsAndGuards) {
  // The stage's @K hides the subject's.
  Skeleton s("ioflor.symbol \"N\"\n" + stage(R"mlir(
    ioflor.buffer shared @K : 2 bytes
    ioflor.guard "N > 3" {
      ioflor.loop grid "bx" to "N" {
        ioflor.loop seq "t" to "2" {
          ioflor.guard "t < bx" {
            %a = ioflor.load @Q["t"] instr 0
            ioflor.store %a to @K["t"] instr 1
          }
        }
      }
    })mlir"));
  LoadOp load = first<LoadOp>(s.subject);
  StoreOp store = first<StoreOp>(s.subject);
  EXPECT_EQ(resolveBuffer(load).getSymName(), "Q");
  EXPECT_TRUE(isSlow(load));
  EXPECT_EQ(resolveBuffer(store).getSpace(), Space::Shared);
  EXPECT_FALSE(isSlow(store));
  EXPECT_FALSE(resolveBuffer(load, "nothing"));
  auto loops = enclosingLoops(load);
  ASSERT_EQ(loops.size(), 2u);
  EXPECT_EQ(loops[0].getVar(), "bx");
  EXPECT_EQ(loops[1].getVar(), "t");
  EXPECT_EQ(enclosingGuards(load), *parseCond("N > 3 and t < bx"));
  EXPECT_TRUE(enclosingGuards(first<GuardOp>(s.subject)).isAlways());
}

TEST(Scope, EveryExpressionIsVisited) {
  Skeleton s(R"mlir(
    ioflor.symbol "N" from "1" to "2**20"
    ioflor.floor "f" against "q" num "N*N" den "M"
      {hypotheses = [#ioflor.cond<"N > 7">], source = "s"}
  )mlir");
  std::string seen;
  for (mlir::Operation &op : s.subject.getBody().front())
    forEachExpr(
        &op, [&](const Expr &e) { seen += e.str() + ";"; },
        [&](const Cond &c) { seen += c.str() + ";"; });
  EXPECT_NE(seen.find("1048576;"), std::string::npos) << seen;
  EXPECT_NE(seen.find("N**2;"), std::string::npos) << seen;
  EXPECT_NE(seen.find(parseCond("N > 7")->str() + ";"), std::string::npos)
      << seen;
}

TEST(Scope, AdmissibleSizes) {
  Skeleton s(R"mlir(
    ioflor.symbol "N" from "1" to "100"
    ioflor.symbol "W" from "1" to "N"
    ioflor.symbol "len" from "0" to "N" data "loaded"
    ioflor.assume "mod(N, 4) == 0" source "assert at a.cu:1"
    ioflor.assume "unknown(\"loaded\", u1)" source "assert at a.cu:2"
  )mlir");
  auto why = [&](int64_t n, int64_t w) {
    return whyInadmissible(s.subject, sizes({{"N", n}, {"W", w}}))
        .value_or("fine");
  };
  EXPECT_EQ(why(8, 8), "fine");
  EXPECT_EQ(why(104, 8), "symbol 'N' is above 100");
  EXPECT_EQ(why(8, 9), "symbol 'W' is above N");
  EXPECT_EQ(why(8, 0), "symbol 'W' is below 1");
  EXPECT_EQ(why(6, 2), "violates 'mod(N, 4) == 0' (assert at a.cu:1)");
  EXPECT_EQ(whyInadmissible(s.subject, {}), "no value for symbol 'N'");
  Assumptions known = collectAssumptions(s.subject);
  Expr n = Expr::symbol("N");
  EXPECT_TRUE(known.isPositive(n));
  EXPECT_TRUE(known.isNonNegative(100 - Expr::symbol("W")));
  EXPECT_TRUE(known.isDivisible(n, 4));
  EXPECT_FALSE(known.isDivisible(n, 8));
}
