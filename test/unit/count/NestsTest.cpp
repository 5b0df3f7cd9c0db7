//===- NestsTest.cpp - Counts of the idioms of kernels --------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One idiom a test, with the readable closed form it must give and, at several
// sizes, the value that enumeration gives.
//
//===----------------------------------------------------------------------===//
#include "Nest.h"

using namespace ioflor;
using namespace ioflor::count;
using namespace ioflor::count::test;

namespace {

void expectForms(const std::vector<Access> &accesses, const Context &context,
                 const std::vector<Valuation> &points, const char *issued,
                 const char *traffic, const char *compulsory) {
  Counts c = countStage(accesses, context);
  EXPECT_TRUE(c.issued.exact) << c.issued.reason;
  EXPECT_TRUE(c.traffic.exact) << c.traffic.reason;
  EXPECT_TRUE(c.compulsory.exact) << c.compulsory.reason;
  if (issued) {
    EXPECT_EQ(c.issued.lo.str(), issued);
  }
  if (traffic) {
    EXPECT_EQ(c.traffic.lo.str(), traffic);
  }
  if (compulsory) {
    EXPECT_EQ(c.compulsory.lo.str(), compulsory);
  }
  for (const Valuation &v : points)
    expectHolds(c, bruteForce(accesses, v), v, "");
}

std::vector<Valuation> overN(std::initializer_list<int64_t> ns) {
  std::vector<Valuation> r;
  for (int64_t n : ns)
    r.push_back(at({{"N", n}}));
  return r;
}

TEST(Nests, CooperativeCopyByTwoDimensionalThreads) {
  Access a =
      access({grid("bx", "ceildiv(N, 8)"), thread("tx", "8"), thread("ty", "4"),
              seq("t", "ceildiv(64 - tx - 8*ty, 32)")},
             {"8*bx + floordiv(tx + 8*ty + 32*t, 8) < N"},
             "(8*bx + floordiv(tx + 8*ty + 32*t, 8))*8 + mod(tx + 8*ty + "
             "32*t, 8)");
  expectForms({a}, sizes({"N"}), overN({1, 7, 8, 20}), "8*N", "8*N", "8*N");
}

TEST(Nests, CooperativeCopyByASymbolicBlock) {
  Context c = sizes({"N", "B"});
  Access a = access({thread("tx", "B"), seq("t", "ceildiv(N*16 - tx, B)")}, {},
                    "tx + B*t");
  expectForms({a}, c,
              {at({{"N", 3}, {"B", 7}}), at({{"N", 2}, {"B", 40}}),
               at({{"N", 5}, {"B", 16}})},
              "16*N", "16*N", "16*N");
}

TEST(Nests, RowAndColumnOfASymbolicWidth) {
  Context c = sizes({"N", "d", "pitch"});
  c.known.addNonNegative(E("pitch - d"));
  Access a =
      access({grid("bx", "ceildiv(N, 4)"), thread("tx", "32"),
              seq("t", "ceildiv(4*d - tx, 32)")},
             {"4*bx + floordiv(tx + 32*t, d) < N"},
             "(4*bx + floordiv(tx + 32*t, d))*pitch + mod(tx + 32*t, d)");
  expectForms({a}, c,
              {at({{"N", 9}, {"d", 5}, {"pitch", 8}}),
               at({{"N", 4}, {"d", 16}, {"pitch", 16}}),
               at({{"N", 1}, {"d", 3}, {"pitch", 3}})},
              nullptr, nullptr, "N*d");
}

TEST(Nests, WarpsPerRow) {
  Context c = sizes({"N", "d"});
  Access a = access({grid("bx", "ceildiv(N, 4)"), thread("tx", "128"),
                     seq("t", "ceildiv(d - mod(tx, 32), 32)")},
                    {"4*bx + floordiv(tx, 32) < N"},
                    "(4*bx + floordiv(tx, 32))*d + mod(tx, 32) + 32*t");
  expectForms({a}, c,
              {at({{"N", 6}, {"d", 40}}), at({{"N", 1}, {"d", 64}}),
               at({{"N", 9}, {"d", 3}})},
              "N*d", "N*d", "N*d");
}

TEST(Nests, BroadcastCountsOnce) {
  Access a = access({grid("bx", "ceildiv(N, 8)"), thread("tx", "8"),
                     seq("j", "N"), seq("c", "16")},
                    {"8*bx + tx < N"}, "16*j + c");
  expectForms({a}, sizes({"N"}), overN({1, 7, 8, 20}), "16*N**2",
              "16*N*ceildiv(N, 8)", "16*N*ceildiv(N, 8)");
}

TEST(Nests, RowsInsideATile) {
  Access a = access({grid("bx", "ceildiv(N, 8)"), thread("tx", "16"),
                     seq("j0", "ceildiv(N, 8)"), seq("r", "8")},
                    {"8*j0 + r < N"}, "16*(8*j0 + r) + tx");
  expectForms({a}, sizes({"N"}), overN({1, 7, 8, 20}), "16*N*ceildiv(N, 8)",
              "16*N*ceildiv(N, 8)", "16*N*ceildiv(N, 8)");
}

TEST(Nests, CausalRowsSharedByThreads) {
  Access a = access({grid("bx", "ceildiv(N, 8)"), thread("tx", "8"),
                     seq("j", "8*bx + tx + 1"), seq("c", "4")},
                    {"8*bx + tx < N"}, "4*j + c");
  expectForms({a}, sizes({"N"}), overN({1, 7, 8, 20, 33}), "2*N**2 + 2*N",
              "16*ceildiv(N, 8)**2 + 4*N - 16*ceildiv(N, 8)",
              "16*ceildiv(N, 8)**2 + 4*N - 16*ceildiv(N, 8)");
}

TEST(Nests, CausalTilesLargerThanRows) {
  Access a =
      access({grid("bx", "ceildiv(N, 8)"), thread("tx", "16"),
              seq("j0", "ceildiv(min(N, 8*bx + 8), 16)"), seq("r", "16")},
             {"16*j0 + r < N"}, "(16*j0 + r)*16 + tx");
  Counts c = countStage({a}, sizes({"N"}));
  EXPECT_EQ(c.traffic.lo.str().find("sum("), std::string::npos)
      << c.traffic.lo.str();
  expectForms({a}, sizes({"N"}), overN({1, 8, 9, 20, 33, 40}), nullptr, nullptr,
              nullptr);
}

TEST(Nests, VectorsOfFour) {
  Access a =
      access({grid("bx", "ceildiv(N, 8)"), thread("tx", "8"), seq("c", "8")},
             {"8*bx + tx < N"}, "(8*bx + tx)*32 + 4*c", 4);
  expectForms({a}, sizes({"N"}), overN({1, 7, 8, 20}), "32*N", "32*N", "32*N");
}

TEST(Nests, BackwardsAndHeads) {
  Context c = sizes({"N", "heads"});
  Access a =
      access({grid("bh", "3*heads"), thread("tx", "4"), seq("t", "N")}, {},
             "(floordiv(bh, heads)*heads + mod(bh, heads))*N*4 + "
             "(N - 1 - t)*4 + 3 - tx");
  expectForms({a}, c,
              {at({{"N", 3}, {"heads", 2}}), at({{"N", 1}, {"heads", 5}})},
              "12*N*heads", "12*N*heads", "12*N*heads");
}

TEST(Nests, AlternativesOfAGuard) {
  Access a = access({thread("tx", "8"), seq("j", "N")}, {"j < 3 or j >= 6"},
                    "8*j + tx");
  expectForms({a}, sizes({"N"}), overN({1, 4, 6, 9}), nullptr, nullptr,
              nullptr);
}

TEST(Nests, UnrolledByHand) {
  std::vector<Access> as;
  for (int k = 0; k < 4; ++k)
    as.push_back(access(
        {grid("bx", "ceildiv(N, 8)"), thread("tx", "8"), seq("c", "4")},
        {"8*bx + tx < N"}, "(8*bx + tx)*16 + 4*c + " + std::to_string(k)));
  expectForms(as, sizes({"N"}), overN({1, 7, 8, 20}), "16*N", "16*N", "16*N");
}

TEST(Nests, SameWordsTwiceAreOneCompulsoryRead) {
  // All keys, and again those up to the diagonal: the second is inside.
  Access all =
      access({grid("bx", "ceildiv(N, 8)"), thread("tx", "8"), seq("j", "N")},
             {"8*bx + tx < N"}, "8*j + tx");
  Access part = access({grid("bx", "ceildiv(N, 8)"), thread("tx", "8"),
                        seq("j2", "min(N, 8*bx)")},
                       {"8*bx + tx < N"}, "8*j2 + tx");
  Context c = sizes({"N"});
  Counts n = countStage({all, part}, c);
  EXPECT_EQ(n.compulsory.lo.str(), countStage({all}, c).compulsory.lo.str());
  expectForms({all, part}, c, overN({1, 7, 8, 20}), nullptr, nullptr, nullptr);
}

TEST(Nests, WordsReadBackwardsAreTheSameWords) {
  std::vector<LoopVar> loops{grid("bx", "ceildiv(N, 8)"), thread("tx", "8"),
                             seq("c", "16")};
  std::vector<Access> as{
      access(loops, {"8*bx + tx < N"}, "(8*bx + tx)*16 + c"),
      access(loops, {"8*bx + tx < N"}, "(8*bx + tx)*16 + 15 - c")};
  expectForms(as, sizes({"N"}), overN({1, 7, 8, 20}), "32*N", "32*N", "16*N");
}

TEST(Nests, FewerColumnsOfTheSameRows) {
  std::vector<Access> as{access({grid("bx", "N"), thread("tx", "4"),
                                 seq("j", "N"), seq("c", "24")},
                                {}, "24*j + c"),
                         access({grid("bx", "N"), thread("tx", "4"),
                                 seq("j2", "N"), seq("c2", "16")},
                                {}, "24*j2 + c2")};
  expectForms(as, sizes({"N"}), overN({1, 3, 6}), nullptr, "40*N**2",
              "24*N**2");
}

TEST(Nests, LanesOfAFragment) {
  Access a = access(
      {grid("bx", "N"), thread("tx", "128"), seq("kk", "4")}, {},
      "4096*bx + 1024*floordiv(tx, 32) + 16*kk + 64*floordiv(mod(tx, 32), 4)",
      8);
  expectForms({a}, sizes({"N"}), overN({1, 3}), "4096*N", "1024*N", "1024*N");
}

TEST(Nests, UnknownGuardIsAnInterval) {
  Access a = access({grid("bx", "ceildiv(N, 8)"), thread("tx", "8")},
                    {"8*bx + tx < N"}, "8*bx + tx");
  a.guards.push_back(Cond::unknown("a loaded flag", "u1"));
  Counts c = countStage({a}, sizes({"N"}));
  for (const Count *n : {&c.issued, &c.traffic, &c.compulsory}) {
    EXPECT_FALSE(n->exact);
    EXPECT_EQ(n->lo.str(), "0");
    ASSERT_TRUE(n->hi.has_value());
    EXPECT_EQ(n->hi->str(), "N");
    EXPECT_EQ(n->reason, "a loaded flag");
  }
}

TEST(Nests, DataDependentLengthIsAnInterval) {
  Context c = sizes({"N", "page"});
  c.known.declare("len", Expr(0), E("N"));
  c.data.insert("len");
  Access a = access({thread("tx", "8"), seq("j", "len")}, {}, "8*j + tx");
  Counts n = countStage({a}, c);
  EXPECT_FALSE(n.traffic.exact);
  EXPECT_EQ(n.traffic.lo.str(), "0");
  EXPECT_EQ(n.traffic.hi->str(), "8*N");
  EXPECT_EQ(n.compulsory.hi->str(), "8*N");
}

TEST(Nests, DataDependentPageKeepsItsColumns) {
  // page*128 + 16*r + tx: whatever the pages are, the words of one page differ.
  Context c = sizes({"N"});
  c.known.declare("page", Expr(0), std::nullopt);
  c.data.insert("page");
  Access a = access({thread("tx", "16"), seq("j", "N"), seq("r", "8")}, {},
                    "page*128 + 16*r + tx");
  Counts n = countStage({a}, c);
  EXPECT_TRUE(n.issued.exact);
  EXPECT_EQ(n.issued.lo.str(), "128*N");
  EXPECT_FALSE(n.traffic.exact);
  EXPECT_EQ(n.traffic.lo.str(), "128*N");
  EXPECT_EQ(n.traffic.hi->str(), "128*N");
  EXPECT_EQ(n.compulsory.lo.str(), "128");
  // A page of 16 rows that a row number is split into.
  Access b = access({thread("tx", "64"), seq("j", "N")}, {},
                    "page*1024 + 64*mod(j, 16) + tx");
  Counts m = countStage({b}, c);
  EXPECT_EQ(m.traffic.lo.str(), "64*N");
  EXPECT_EQ(m.compulsory.lo.str(), "64*min(N, 16)");
  EXPECT_EQ(m.compulsory.hi->str(), "64*N");
}

TEST(Nests, UnknownAddressHoldsBothEnds) {
  Access a =
      access({grid("bx", "N"), thread("tx", "8"), seq("j", "3")}, {}, "0");
  a.address.reset();
  a.unknown = "index out of a loaded table";
  Counts n = countStage({a}, sizes({"N"}));
  EXPECT_TRUE(n.issued.exact);
  EXPECT_EQ(n.traffic.lo.str(), "3*N");
  EXPECT_EQ(n.traffic.hi->str(), "24*N");
  EXPECT_EQ(n.compulsory.lo.str(), "N");
  EXPECT_EQ(n.traffic.reason, "index out of a loaded table");
}

TEST(Nests, DivisibleSizes) {
  Context c = sizes({"N"});
  c.known.addDivisible(E("N"), Expr(64));
  Access a = access(
      {grid("bx", "floordiv(N, 64)"), thread("tx", "64"), seq("c", "32")},
      {"64*bx + tx < N"}, "(64*bx + tx)*32 + c");
  expectForms({a}, c, overN({64, 192}), "32*N", "32*N", "32*N");
}

TEST(Nests, EmptyLoopsCountNothing) {
  Access a = access({grid("bx", "N - 5"), thread("tx", "8")}, {}, "8*bx + tx");
  expectForms({a}, sizes({"N"}), overN({1, 5, 6, 9}), nullptr, nullptr,
              nullptr);
}

TEST(Nests, HardInputsEndInTime) {
  // Products of variables, nested divisions: anything but a hang or a lie.
  Context c = sizes({"N", "d"});
  Access a = access({grid("bx", "N"), grid("by", "d"), thread("tx", "16"),
                     seq("i", "bx*by + 1"), seq("j", "floordiv(i*tx, 3) + 1"),
                     seq("k", "max(min(i, j), floordiv(N, d))")},
                    {"mod(i*j, 3) != floordiv(tx, 5)", "i*k < N or j < tx"},
                    "i*j + floordiv(k*tx, 7)*d");
  Counts n = countStage({a}, c);
  for (auto [N, d] : {std::pair(2, 3), std::pair(3, 2)})
    expectHolds(n, bruteForce({a}, at({{"N", N}, {"d", d}})),
                at({{"N", N}, {"d", d}}), "hard");
}

} // namespace
