//===- PropertyTest.cpp - Random nests against enumeration ----------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random access nests of the kinds that kernels are made of, each compared with
// enumeration at several sizes. What is called exact must be; the share that is
// exact must not fall. IOFLOR_ROUNDS and IOFLOR_SEED widen the search.
//
//===----------------------------------------------------------------------===//
#include "Nest.h"
#include <ctime>
#include <random>

using namespace ioflor;
using namespace ioflor::count;
using namespace ioflor::count::test;

namespace {

class Generator {
public:
  explicit Generator(unsigned seed) : rng(seed) {}

  std::string text; ///< for messages
  /// Rows do not overlap, as in kernels: the row stride covers the columns.
  bool regular = false;

  Access make() {
    Access a;
    text.clear();
    std::string row, column, extra;
    const std::string T = num({4, 8, 3});
    // The grid.
    std::string tiles = pick({"ceildiv(N, " + T + ")", "ceildiv(N, " + T + ")",
                              "floordiv(N, " + T + ")", "N"});
    loop(a, grid("bx", tiles));
    std::string head;
    if (chance(3)) {
      loop(a, grid("by", pick({"2", "H"})));
      head = pick({"by*N*S", "floordiv(by, 2)*N*S", "by*64"});
    }
    const int D = number({4, 6, 8});
    const std::string d = std::to_string(D);
    std::string stride =
        pick({d, d, std::to_string(D + 3), "d", std::to_string(D / 2)});
    regular = stride == d || stride == std::to_string(D + 3);
    switch (number({0, 0, 1, 1, 1, 2, 3, 4, 5, 6})) {
    case 0: { // a row a thread
      loop(a, thread("tx", T));
      loop(a, seq("c", chance(4) ? "d" : d));
      row = T + "*bx + tx";
      column = "c";
      if (!chance(4))
        guard(a, row + " < N");
      break;
    }
    case 1: { // a tile copied by all threads
      const std::string R = num({2, 4, 5});
      const int e = D * static_cast<int>(std::stoi(R));
      std::string lane = "tx", n = num({4, 8, 6});
      loop(a, thread("tx", n));
      int threads = std::stoi(n);
      if (chance(3)) {
        loop(a, thread("ty", "2"));
        lane = "(tx + " + n + "*ty)";
        threads *= 2;
      }
      std::string end =
          pick({"N", "N", "min(N, " + T + "*bx + " + T + ")", T + "*bx + 1"});
      loop(a, seq("j0", "ceildiv(" + end + ", " + R + ")"));
      std::string E = lane + " + " + std::to_string(threads) + "*t";
      loop(a, seq("t", "ceildiv(" + std::to_string(e) + " - " + lane + ", " +
                           std::to_string(threads) + ")"));
      row = R + "*j0 + floordiv(" + E + ", " + d + ")";
      column = "mod(" + E + ", " + d + ")";
      if (!chance(5))
        guard(a, row + " < " + pick({"N", "N", end}));
      break;
    }
    case 2: { // a row a warp
      const std::string W = num({2, 4});
      const int warps = number({2, 3});
      loop(a, thread("tx", std::to_string(warps * std::stoi(W))));
      std::string lane = "mod(tx, " + W + ")";
      std::string columns = chance(3) ? "d" : d;
      loop(a, seq("t", "ceildiv(" + columns + " - " + lane + ", " + W + ")"));
      row = std::to_string(warps) + "*bx + floordiv(tx, " + W + ")";
      column = lane + " + " + W + "*t";
      guard(a, row + " < N");
      break;
    }
    case 3: { // a window
      const std::string W = num({2, 5});
      loop(a, thread("tx", T));
      std::string i = T + "*bx + tx";
      loop(a, seq("t", i + " - max(0, " + i + " - " + W + ") + 1"));
      loop(a, seq("c", d));
      row = "max(0, " + i + " - " + W + ") + t";
      column = "c";
      guard(a, i + " < N");
      break;
    }
    case 4: { // causal, a row a thread
      loop(a, thread("tx", T));
      std::string i = T + "*bx + tx";
      loop(a, seq("j", pick({i + " + 1", "N"})));
      loop(a, seq("c", d));
      row = pick({"j", "j", i + " - j"});
      column = "c";
      guard(a, i + " < N");
      if (chance(2))
        guard(a, "j <= " + i);
      break;
    }
    case 5: { // rows of a tile in a loop, columns over threads
      const std::string R = num({2, 4});
      loop(a, thread("tx", num({2, 4})));
      const std::string n = a.loops.back().trips.str();
      loop(a, seq("j0", "ceildiv(N, " + R + ")"));
      loop(a, seq("r", pick({"min(" + R + ", N - " + R + "*j0)", R})));
      loop(a, seq("t", "ceildiv(" + d + " - tx, " + n + ")"));
      row = R + "*j0 + r";
      column = "tx + " + n + "*t";
      if (chance(2))
        guard(a, row + " < N");
      break;
    }
    default: { // a block of symbolic size
      loop(a, thread("tx", "B"));
      loop(a, seq("t", "ceildiv(N*" + d + " - tx, B)"));
      std::string E = "tx + B*t";
      row = "floordiv(" + E + ", " + d + ")";
      column = "mod(" + E + ", " + d + ")";
    }
    }
    if (chance(6))
      guard(a, pick({"mod(" + row + ", 2) == 0", row + " >= 3", row + " != 2",
                     row + " < 2 or " + row + " >= 5", column + " < 3",
                     "tx != 1", "bx >= 1"}));
    if (chance(8))
      row = "N - 1 - (" + row + ")";
    a.width = number({1, 1, 1, 2, 4});
    std::string address = "(" + row + ")*S + " + column;
    if (!head.empty())
      address = head + " + " + address;
    if (a.width > 1)
      address = std::to_string(chance(5) ? 1 : a.width) + "*(" + address + ")";
    Expr S = E(stride);
    a.address = E(address).substitute("S", S);
    text += "address " + a.address->str() + " width " +
            std::to_string(a.width) + "\n";
    return a;
  }

private:
  bool chance(unsigned n) { return rng() % n == 0; }
  std::string pick(std::vector<std::string> v) { return v[rng() % v.size()]; }
  int number(std::vector<int> v) { return v[rng() % v.size()]; }
  std::string num(std::vector<int> v) { return std::to_string(number(v)); }
  void loop(Access &a, LoopVar l) {
    text += l.var + " < " + l.trips.str() + "\n";
    a.loops.push_back(std::move(l));
  }
  void guard(Access &a, const std::string &g) {
    text += "if " + g + "\n";
    a.guards.push_back(C(g));
  }

  std::mt19937 rng;
};

unsigned fromEnvironment(const char *name, unsigned otherwise) {
  const char *v = getenv(name);
  return v ? std::atoi(v) : otherwise;
}

TEST(Property, RandomNests) {
  const unsigned rounds = fromEnvironment("IOFLOR_ROUNDS", 120);
  const unsigned seed = fromEnvironment("IOFLOR_SEED", 1);
  const bool show = getenv("IOFLOR_SHOW");
  unsigned exact[3] = {}, open[3] = {}, regular[3] = {}, regulars = 0;
  double slowest = 0, all = 0;
  for (unsigned r = 0; r < rounds; ++r) {
    Generator g(seed * 100000 + r);
    Access a = g.make();
    Context context = sizes({"N", "d", "H", "B"});
    std::clock_t start = std::clock();
    Counts c = countStage(a, context);
    // Processor time: other work on the machine does not count.
    double ms = 1000.0 * (std::clock() - start) / CLOCKS_PER_SEC;
    slowest = std::max(slowest, ms);
    all += ms;
    regulars += g.regular;
    const Count *counts[3] = {&c.issued, &c.traffic, &c.compulsory};
    for (unsigned k = 0; k < 3; ++k) {
      exact[k] += counts[k]->exact;
      regular[k] += g.regular && counts[k]->exact;
      open[k] += counts[k]->lo.str().find("sum(") != std::string::npos;
    }
    if (show &&
        (!c.issued.exact || !c.traffic.exact || !c.compulsory.exact ||
         ms > 100 || c.compulsory.lo.str().find("sum(") != std::string::npos))
      fprintf(stderr,
              "--- %u (%.0f ms)\n%s issued %d %s\n traffic %d %s (%s)\n "
              "compulsory %d [%s, %s] (%s)\n",
              r, ms, g.text.c_str(), c.issued.exact, c.issued.lo.str().c_str(),
              c.traffic.exact, c.traffic.lo.str().c_str(),
              c.traffic.reason.c_str(), c.compulsory.exact,
              c.compulsory.lo.str().c_str(),
              c.compulsory.hi ? c.compulsory.hi->str().c_str() : "?",
              c.compulsory.reason.c_str());
    for (auto [n, d] : {std::pair(1, 3), std::pair(5, 8), std::pair(8, 1),
                        std::pair(11, 6), std::pair(17, 5)}) {
      Valuation where = at({{"N", n}, {"d", d}, {"H", 3}, {"B", 2 + n % 4}});
      Brute b = bruteForce({a}, where, 400'000);
      if (b.tooLarge)
        continue;
      expectHolds(c, b, where,
                  "round " + std::to_string(r) + " N=" + std::to_string(n) +
                      " d=" + std::to_string(d) + "\n" + g.text);
      if (HasFailure())
        return;
    }
  }
  auto share = [&](unsigned k) { return 100.0 * exact[k] / rounds; };
  fprintf(stderr,
          "exact: issued %.0f%% (%u open), traffic %.0f%% (%u open), "
          "compulsory %.0f%% (%u open); mean %.1f ms, slowest %.0f ms\n",
          share(0), open[0], share(1), open[1], share(2), open[2], all / rounds,
          slowest);
  auto regularShare = [&](unsigned k) {
    return regulars ? 100.0 * regular[k] / regulars : 100.0;
  };
  fprintf(stderr,
          "rows that do not overlap: issued %.0f%%, traffic %.0f%%, compulsory "
          "%.0f%% of %u\n",
          regularShare(0), regularShare(1), regularShare(2), regulars);
  EXPECT_GE(share(0), 95.0);
  EXPECT_GE(share(1), 80.0);
  EXPECT_GE(share(2), 80.0);
  EXPECT_GE(regularShare(1), 90.0);
  EXPECT_GE(regularShare(2), 90.0);
}

} // namespace
