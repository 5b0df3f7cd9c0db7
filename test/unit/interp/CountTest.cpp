//===- CountTest.cpp - Counts of hand-written skeletons -------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Skeleton.h"
#include "llvm/ADT/STLExtras.h"

using namespace ioflor;

/// FlashAttention-2's loops: tiles of 2 rows, 2 threads, each with one row of
/// Q; every thread reads every key of a tile.
static const char *fa2 = R"mlir(
    ioflor.symbol "N" from "1"
    ioflor.symbol "d" from "1"
    ioflor.stage @k threads "2" registers 0 attributes {info = {}} {
      ioflor.loop grid "bx" to "ceildiv(N, 2)" {
        ioflor.loop thread "tx" to "2" {
          ioflor.guard "2*bx + tx < N" {
            ioflor.loop seq "c" to "d" {
              %q = ioflor.load @Q["d*(2*bx + tx) + c"] instr 0
            }
            ioflor.loop seq "t" to "ceildiv(N, 2)" {
              ioflor.loop seq "r" to "min(2, N - 2*t)" {
                ioflor.loop seq "c2" to "d" {
                  %k = ioflor.load @K["d*(2*t + r) + c2"] instr 1
                  ioflor.store %k to @O["d*(2*bx + tx) + c2"] instr 2
                }
              }
            }
          }
        }
      }
    })mlir";

TEST(Count, Fa2AtSeveralSizes) {
  Skeleton s(fa2);
  Interpreter interpreter(s.subject);
  for (int64_t n : {1, 2, 5, 8})
    for (int64_t d : {1, 3}) {
      InterpCounts c = interpreter.run(sizes({{"N", n}, {"d", d}}));
      ASSERT_TRUE(c.ok()) << c.message;
      EXPECT_FALSE(c.metUnknown);
      uint64_t ctas = (n + 1) / 2;
      expectCounts(c.loads.at("Q"), exactly(n * d), exactly(n * d),
                   exactly(n * d));
      // Each thread with a row reads all keys; the two of a CTA share.
      expectCounts(c.loads.at("K"), exactly(n * n * d), exactly(ctas * n * d),
                   exactly(ctas * n * d));
      // One store for each key, to the same place every time.
      expectCounts(c.stores.at("O"), exactly(n * n * d), exactly(n * n * d),
                   exactly(n * d));
      expectCounts(c.loads.at("O"), {}, {}, {});
      EXPECT_EQ(c.loads.at("K").minAddress, 0);
      EXPECT_EQ(c.loads.at("K").maxAddress, n * d - 1);
      ASSERT_EQ(c.instrs.size(), 3u);
      EXPECT_EQ(c.instrs[1].issued, exactly(n * n * d));
      EXPECT_EQ(c.instrs[1].traffic, exactly(ctas * n * d));
      EXPECT_TRUE(mlir::isa<StoreOp>(c.instrs[2].op));
    }
}

TEST(Count, TwoPassesMoveTwiceButAreCompulsoryOnce) {
  Skeleton s(stage(R"mlir(
    ioflor.loop grid "bx" to "2" {
      ioflor.loop seq "p" to "2" {
        ioflor.loop seq "t" to "5" {
          %k = ioflor.load @K["t"] instr 0
        }
      }
    })mlir"));
  InterpCounts c = Interpreter(s.subject).run({});
  expectCounts(c.loads.at("K"), exactly(20), exactly(20), exactly(10));
}

TEST(Count, DifferentInstructionsAreDifferentTransfers) {
  Skeleton s(stage(R"mlir(
    %a = ioflor.load @K["0"] instr 0
    %b = ioflor.load @K["0"] instr 1
    ioflor.store %b to @K["0"] instr 1)mlir"));
  InterpCounts c = Interpreter(s.subject).run({});
  expectCounts(c.loads.at("K"), exactly(2), exactly(2), exactly(1));
  expectCounts(c.stores.at("K"), exactly(1), exactly(1), exactly(1));
}

TEST(Count, StridedCopyCoversEachElementOnce) {
  // for (t = tx; t < N; t += 4) over all threads.
  Skeleton s("ioflor.symbol \"N\"\n" + stage(R"mlir(
    ioflor.loop thread "tx" to "4" {
      ioflor.loop seq "t" to "ceildiv(N - tx, 4)" {
        %k = ioflor.load @K["tx + 4*t"] instr 0
      }
    })mlir"));
  Interpreter interpreter(s.subject);
  for (int64_t n : {0, 1, 3, 4, 10}) {
    InterpCounts c = interpreter.run(sizes({{"N", n}}));
    expectCounts(c.loads.at("K"), exactly(n), exactly(n), exactly(n));
  }
}

TEST(Count, ThreadLoopsInAnyOrder) {
  auto count = [](const char *outer, const char *inner) {
    std::string text = std::string("ioflor.loop thread ") + outer +
                       " {\nioflor.loop thread " + inner + R"mlir( {
    ioflor.loop seq "t" to "tx + 1" {
      ioflor.guard "ty + t != 2" {
        %k = ioflor.load @K["floordiv(3*tx + ty, 2) + t"] width 2 instr 0
      }
    }
    } })mlir";
    Skeleton s(stage(text));
    return Interpreter(s.subject).run({}).loads.at("K");
  };
  AccessCounts a = count("\"tx\" to \"3\"", "\"ty\" to \"4\"");
  AccessCounts b = count("\"ty\" to \"4\"", "\"tx\" to \"3\"");
  EXPECT_EQ(a.issued, b.issued);
  EXPECT_EQ(a.traffic, b.traffic);
  EXPECT_EQ(a.compulsory, b.compulsory);
  // tx: 0, 1, 2 iterate 1, 2, 3 times over four ty: 24, less where ty + t == 2:
  // (t 0, ty 2) for three tx, (1, 1) for two, (2, 0) for one.
  EXPECT_EQ(a.issued, exactly(2 * (24 - 6)));
}

TEST(Count, VectorAccessesOverlap) {
  // 4 threads, 4 words each, 2 apart: 10 distinct words; the last iteration's 2
  // threads touch 6.
  Skeleton s(stage(R"mlir(
    ioflor.loop thread "tx" to "4" {
      ioflor.loop seq "t" to "2" {
        ioflor.guard "t == 0 or tx < 2" {
          %k = ioflor.load @K["2*tx - 64"] width 4 instr 0
        }
      }
    })mlir"));
  InterpCounts c = Interpreter(s.subject).run({});
  expectCounts(c.loads.at("K"), exactly(24), exactly(16), exactly(10));
  EXPECT_EQ(c.loads.at("K").minAddress, -64);
  EXPECT_EQ(c.loads.at("K").maxAddress, -55);
}

TEST(Count, EveryLaunchHasCtasOfItsOwn) {
  Skeleton s(R"mlir(ioflor.loop host "h" to "3" {
    ioflor.guard "h != 1" {)mlir" +
             stage(R"mlir(
    ioflor.loop grid "by" to "2" { ioflor.loop grid "bx" to "2" {
        %a = ioflor.load @K["bx"] instr 0
        %b = ioflor.load @K["0"] instr 1
      } })mlir") +
             "} }\n" +
             stage(R"mlir(%a = ioflor.load @K["0"] instr 0)mlir", "l"));
  InterpCounts c = Interpreter(s.subject).run({});
  // Two launches of 4 CTAs: 2 loads each; bx 0 touches one word, bx 1 two.
  expectCounts(c.loads.at("K"), exactly(16 + 1), exactly(16 + 1),
               exactly(12 + 1));
}

TEST(Count, AnIterationStandsForAllWhereNothingDiffers) {
  // 10^9 * 10^6 iterations within the budget; the same count as one by one.
  Skeleton s("ioflor.symbol \"N\"\n" + stage(R"mlir(
    ioflor.loop thread "tx" to "4" {
      ioflor.loop seq "t" to "1000*N" {
        ioflor.loop seq "u" to "N" {
          %k = ioflor.load @K["tx"] instr 0
        }
      }
    })mlir"));
  Interpreter interpreter(s.subject);
  uint64_t n = 1'000'000;
  expectCounts(interpreter.run(sizes({{"N", 1'000'000}})).loads.at("K"),
               exactly(4000 * n * n), exactly(4000 * n * n), exactly(4));
  InterpOptions slow;
  uint64_t events = 0;
  slow.onAccess = [&](const AccessEvent &) { ++events; };
  expectCounts(interpreter.run(sizes({{"N", 3}}), slow).loads.at("K"),
               exactly(36000), exactly(36000), exactly(4));
  EXPECT_EQ(events, 36000u);
  InterpCounts over = interpreter.run(sizes({{"N", 1'000'000'000}}));
  EXPECT_EQ(over.status, InterpStatus::Error);
  EXPECT_EQ(over.message, "count exceeds 64 bits");
}

TEST(Count, Events) {
  Skeleton s(stage(R"mlir(
    ioflor.buffer shared @t : 4 bytes
    ioflor.loop grid "bx" to "2" {
      ioflor.loop thread "tx" to "2" {
        ioflor.loop seq "i" to "2" {
          %k = ioflor.load @K["10*bx + tx + 2*i"] instr 0
          ioflor.store %k to @t["tx"] instr 1
        }
      }
    })mlir"));
  auto record = [&](bool keepFast) {
    Interpreter interpreter(s.subject, keepFast);
    std::vector<std::string> names = interpreter.names();
    auto slot = [&](const char *name) {
      return llvm::find(names, name) - names.begin();
    };
    std::string log;
    InterpOptions options;
    options.onAccess = [&](const AccessEvent &e) {
      EXPECT_EQ(e.values[slot("bx")], static_cast<int64_t>(e.cta));
      EXPECT_EQ(e.values[slot("tx")], e.thread);
      log += (e.isStore ? " s" : " l") + std::to_string(*e.address);
    };
    EXPECT_TRUE(interpreter.run({}, options).ok());
    return log;
  };
  EXPECT_EQ(record(false), " l0 l1 l2 l3 l10 l11 l12 l13");
  EXPECT_EQ(record(true),
            " l0 l1 s0 s1 l2 l3 s0 s1 l10 l11 s0 s1 l12 l13 s0 s1");
}

TEST(Count, Failures) {
  Skeleton s("ioflor.symbol \"N\"\nioflor.symbol \"unused\"\n" + stage(R"mlir(
    ioflor.loop seq "t" to "100" {
      %k = ioflor.load @K["floordiv(t, N)"] instr 0
    })mlir"));
  Interpreter interpreter(s.subject);
  InterpCounts missing = interpreter.run({});
  EXPECT_EQ(missing.status, InterpStatus::Error);
  EXPECT_EQ(missing.message, "no value for symbol 'N'");
  InterpCounts zero = interpreter.run(sizes({{"N", 0}}));
  EXPECT_EQ(zero.status, InterpStatus::Error);
  EXPECT_EQ(zero.message, "cannot evaluate 'floordiv(t, N)'");
  EXPECT_TRUE(interpreter.run(sizes({{"N", 7}})).ok());
  InterpOptions few;
  few.maxSteps = 199;
  EXPECT_EQ(interpreter.run(sizes({{"N", 7}}), few).status,
            InterpStatus::BudgetExhausted);
  InterpCounts big = interpreter.run({{"N", BigInt(INT64_MAX) * BigInt(2)}});
  EXPECT_EQ(big.message, "value of symbol 'N' exceeds 64 bits");
}

TEST(Count, HugeWidthsAndManyThreadsEndInTheBudget) {
  Skeleton wide(stage(
      R"mlir(%k = ioflor.load @K["0"] width 4000000000000000000 instr 0)mlir"));
  EXPECT_EQ(Interpreter(wide.subject).run({}).status,
            InterpStatus::BudgetExhausted);
  Skeleton crowd(stage(R"mlir(
    ioflor.loop thread "tx" to "1000000000000" {
      %k = ioflor.load @K["tx"] instr 0
    })mlir"));
  EXPECT_EQ(Interpreter(crowd.subject).run({}).status,
            InterpStatus::BudgetExhausted);
}
