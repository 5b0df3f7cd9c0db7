//===- CasesTest.cpp - Counts of small attention kernels ------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nine small kernels, each written as the accesses that its source makes. The
// numbers were counted by executing the kernels ([issued, traffic,
// compulsory] at several sizes); every count must be exact.
//
//===----------------------------------------------------------------------===//
#include "Nest.h"

using namespace ioflor;
using namespace ioflor::count;
using namespace ioflor::count::test;

namespace {

struct Point {
  Valuation where;
  int64_t issued, traffic, compulsory;
};

void expectExact(const std::string &what, const std::vector<Access> &accesses,
                 const Context &context, const std::vector<Point> &points,
                 const char *traffic = nullptr,
                 const char *compulsory = nullptr) {
  Counts c = countStage(accesses, context);
  EXPECT_TRUE(c.issued.exact) << what << " issued: " << c.issued.reason;
  EXPECT_TRUE(c.traffic.exact) << what << " traffic: " << c.traffic.reason;
  EXPECT_TRUE(c.compulsory.exact)
      << what << " compulsory: " << c.compulsory.reason;
  for (const Point &p : points) {
    EXPECT_EQ(valueAt(c.issued.lo, p.where), p.issued)
        << what << " issued " << c.issued.lo.str();
    EXPECT_EQ(valueAt(c.traffic.lo, p.where), p.traffic)
        << what << " traffic " << c.traffic.lo.str();
    EXPECT_EQ(valueAt(c.compulsory.lo, p.where), p.compulsory)
        << what << " compulsory " << c.compulsory.lo.str();
    if (p.issued > 500'000)
      continue;
    Brute b = bruteForce(accesses, p.where);
    EXPECT_EQ(b.issued, p.issued) << what;
    EXPECT_EQ(b.traffic, p.traffic) << what;
    EXPECT_EQ(b.compulsory, p.compulsory) << what;
  }
  if (traffic) {
    EXPECT_EQ(c.traffic.lo.str(), traffic) << what;
  }
  if (compulsory) {
    EXPECT_EQ(c.compulsory.lo.str(), compulsory) << what;
  }
  if (getenv("IOFLOR_SHOW"))
    fprintf(stderr, "%s\n  issued %s\n  traffic %s\n  compulsory %s\n",
            what.c_str(), c.issued.lo.str().c_str(), c.traffic.lo.str().c_str(),
            c.compulsory.lo.str().c_str());
}

Valuation n2(int64_t n) { return at({{"N", n}, {"heads", 2}}); }

// Tiles of 64 query rows, 32 keys, 32 columns (k01 to k04).
std::vector<LoopVar> attendGrid(const char *tiles) {
  return {grid("bx", tiles), grid("by", "heads"), thread("tx", "64")};
}
Access attendRow(const char *tiles, bool guarded) {
  std::vector<LoopVar> l = attendGrid(tiles);
  l.push_back(seq("c", "32"));
  return access(l,
                guarded ? std::vector<std::string>{"64*bx + tx < N"}
                        : std::vector<std::string>{},
                "by*N*32 + (64*bx + tx)*32 + c");
}
Access attendKey(const char *tiles) {
  std::vector<LoopVar> l = attendGrid(tiles);
  l.push_back(seq("j0", "ceildiv(N, 32)"));
  l.push_back(seq("t", "ceildiv(1024 - tx, 64)"));
  return access(l, {"32*j0 + floordiv(tx + 64*t, 32) < N"},
                "by*N*32 + (32*j0 + floordiv(tx + 64*t, 32))*32 + "
                "mod(tx + 64*t, 32)");
}

TEST(Cases, ZeroFilledTail) {
  Context c = sizes({"N", "heads"});
  expectExact("k01 Q", {attendRow("ceildiv(N, 64)", true)}, c,
              {{n2(64), 4096, 4096, 4096},
               {n2(100), 6400, 6400, 6400},
               {n2(33), 2112, 2112, 2112}},
              "32*N*heads", "32*N*heads");
  expectExact("k01 K", {attendKey("ceildiv(N, 64)")}, c,
              {{n2(64), 4096, 4096, 4096},
               {n2(100), 12800, 12800, 12800},
               {n2(33), 2112, 2112, 2112}},
              "32*N*heads*ceildiv(N, 64)", "32*N*heads*ceildiv(N, 64)");
}

TEST(Cases, GridRoundedDown) {
  Context c = sizes({"N", "heads"});
  c.known.declare("N", Expr(64), std::nullopt);
  expectExact("k02 Q", {attendRow("floordiv(N, 64)", true)}, c,
              {{n2(64), 4096, 4096, 4096},
               {n2(100), 4096, 4096, 4096},
               {n2(190), 8192, 8192, 8192}},
              "2048*heads*floordiv(N, 64)");
  expectExact("k02 K", {attendKey("floordiv(N, 64)")}, c,
              {{n2(64), 4096, 4096, 4096},
               {n2(100), 6400, 6400, 6400},
               {n2(190), 24320, 24320, 24320}},
              "32*N*heads*floordiv(N, 64)");
}

TEST(Cases, StoreUnguarded) {
  expectExact("k03 O", {attendRow("ceildiv(N, 64)", false)},
              sizes({"N", "heads"}),
              {{n2(64), 4096, 4096, 4096},
               {n2(100), 8192, 8192, 8192},
               {n2(33), 4096, 4096, 4096}},
              "2048*heads*ceildiv(N, 64)");
}

// Causal, tiles of 32 rows, 16 keys, 64 columns (k05, k06).
Access causalKey(const char *end) {
  return access({grid("bx", "ceildiv(N, 32)"), grid("by", "heads"),
                 thread("tx", "32"),
                 seq("j0", std::string("ceildiv(") + end + ", 16)"),
                 seq("t", "ceildiv(1024 - tx, 32)")},
                {"16*j0 + floordiv(tx + 32*t, 64) < N"},
                "by*N*64 + 16*j0*64 + tx + 32*t");
}

TEST(Cases, Causal) {
  Context c = sizes({"N", "heads"});
  expectExact("k05 K", {causalKey("32*bx + 1")}, c,
              {{n2(32), 2048, 2048, 2048},
               {n2(64), 8192, 8192, 8192},
               {n2(100), 31232, 31232, 31232}});
  expectExact("k06 K", {causalKey("min(N, 32*bx + 32)")}, c,
              {{n2(32), 4096, 4096, 4096},
               {n2(64), 12288, 12288, 12288},
               {n2(100), 37376, 37376, 37376}});
}

// Window of 257 keys, tiles of 64 rows, 32 columns (k07).
Access windowKey() {
  return access({grid("bx", "ceildiv(n, 64)"), thread("tx", "64"),
                 seq("t", "64*bx + tx - max(0, 64*bx + tx - 256) + 1"),
                 seq("c", "32")},
                {"64*bx + tx < n"}, "(max(0, 64*bx + tx - 256) + t)*32 + c");
}

TEST(Cases, Window) {
  Context c = sizes({"n"});
  expectExact("k07 K", {windowKey()}, c,
              {{at({{"n", 100}}), 161600, 5248, 5248},
               {at({{"n", 300}}), 1414528, 382336, 30080},
               {at({{"n", 700}}), 4704128, 3671936, 92032}});
  expectExact("k07 Q",
              {access({grid("bx", "ceildiv(n, 64)"), thread("tx", "64"),
                       seq("c", "32")},
                      {"64*bx + tx < n"}, "(64*bx + tx)*32 + c")},
              c,
              {{at({{"n", 100}}), 3200, 3200, 3200},
               {at({{"n", 300}}), 9600, 9600, 9600}},
              "32*n");
}

// 64 columns whatever the row stride is (k08).
TEST(Cases, HeadDimHardCoded) {
  Context c = sizes({"N", "d", "heads"});
  auto v = [](int64_t n, int64_t d) {
    return at({{"N", n}, {"d", d}, {"heads", 2}});
  };
  Access k =
      access({grid("bx", "ceildiv(N, 32)"), grid("by", "heads"),
              thread("tx", "32"), seq("j0", "ceildiv(N, 32)"),
              seq("r", "min(32, N - 32*j0)"), seq("t", "ceildiv(64 - tx, 32)")},
             {}, "by*N*d + (32*j0 + r)*d + tx + 32*t");
  expectExact("k08 K", {k}, c,
              {{v(40, 64), 10240, 10240, 10240},
               {v(70, 80), 26880, 26880, 26880},
               {v(33, 128), 8448, 8448, 8448}},
              "64*N*heads*ceildiv(N, 32)");
  Access o = access({grid("bx", "ceildiv(N, 32)"), grid("by", "heads"),
                     thread("tx", "32"), seq("c", "64")},
                    {"32*bx + tx < N"}, "(by*N + 32*bx + tx)*d + c");
  expectExact("k08 O", {o}, c,
              {{v(40, 64), 5120, 5120, 5120},
               {v(70, 80), 8960, 8960, 8960},
               {v(33, 128), 4224, 4224, 4224}},
              "64*N*heads");
}

// Grouped queries, 32 rows, 64 keys, 32 columns (k09).
TEST(Cases, GroupedQueries) {
  Context c = sizes({"nq", "nk", "heads", "group"});
  auto v = [](int64_t nq, int64_t nk) {
    return at({{"nq", nq}, {"nk", nk}, {"heads", 4}, {"group", 2}});
  };
  Access k = access({grid("bx", "ceildiv(nq, 32)"), grid("by", "heads"),
                     thread("tx", "32"), seq("j0", "ceildiv(nk, 64)"),
                     seq("t", "ceildiv(2048 - tx, 32)")},
                    {"floordiv(tx + 32*t, 32) < min(64, nk - 64*j0)"},
                    "(floordiv(by, group)*nk + 64*j0)*32 + tx + 32*t");
  expectExact("k09 K", {k}, c,
              {{v(32, 64), 8192, 8192, 8192},
               {v(50, 100), 25600, 25600, 25600},
               {v(1, 200), 25600, 25600, 25600}},
              "32*heads*nk*ceildiv(nq, 32)", "32*heads*nk*ceildiv(nq, 32)");
  Access q = access({grid("bx", "ceildiv(nq, 32)"), grid("by", "heads"),
                     thread("tx", "32"), seq("c", "32")},
                    {"32*bx + tx < nq"}, "(by*nq + 32*bx + tx)*32 + c");
  expectExact("k09 Q", {q}, c,
              {{v(32, 64), 4096, 4096, 4096},
               {v(50, 100), 6400, 6400, 6400},
               {v(1, 200), 128, 128, 128}},
              "32*heads*nq");
}

} // namespace
