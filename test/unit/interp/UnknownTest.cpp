//===- UnknownTest.cpp - Intervals of what a skeleton leaves open ---------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Skeleton.h"

using namespace ioflor;

TEST(Unknown, Conditions) {
  Skeleton s(stage(R"mlir(
    ioflor.loop thread "tx" to "4" {
      %a = ioflor.load @Q["tx"] instr 0
      ioflor.guard "unknown(\"loaded value\", u1)" {
        %b = ioflor.load @K["tx"] instr 1
      }
      ioflor.guard "not unknown(\"loaded value\", u1)" {
        %c = ioflor.load @K["tx + 2"] instr 2
      }
      ioflor.guard "tx < 1 or unknown(\"loaded value\", u1)" {
        %d = ioflor.load @O["tx"] instr 3
      }
    })mlir"));
  Interpreter interpreter(s.subject);
  InterpCounts c = interpreter.bounds({});
  EXPECT_TRUE(c.metUnknown);
  expectCounts(c.loads.at("Q"), exactly(4), exactly(4), exactly(4));
  expectCounts(c.loads.at("K"), {0, 8}, {0, 8}, {0, 6});
  expectCounts(c.loads.at("O"), {1, 4}, {1, 4}, {1, 4});
  EXPECT_EQ(c.instrs[3].traffic, (Words{1, 4}));

  // Decided, there is no interval: u1 holds, its negation does not.
  InterpOptions options;
  options.decide = [](const Cond &literal) {
    return std::optional<bool>(!literal.isNegatedUnknown());
  };
  InterpCounts yes = interpreter.bounds({}, options);
  EXPECT_FALSE(yes.metUnknown);
  expectCounts(yes.loads.at("K"), exactly(4), exactly(4), exactly(4));
  EXPECT_EQ(yes.loads.at("K").maxAddress, 3);
}

TEST(Unknown, DataTripCounts) {
  Skeleton s(R"mlir(
    ioflor.symbol "N" from "1"
    ioflor.symbol "len" from "2" to "N" data "loaded"
    ioflor.symbol "free" from "3" data "loaded"
    )mlir" + stage(R"mlir(
    ioflor.loop seq "t" to "ceildiv(len, 2)" {
      %a = ioflor.load @Q["t"] instr 0
    }
    ioflor.loop seq "u" to "free" {
      %b = ioflor.load @K["u"] instr 1
    }
    ioflor.loop seq "v" to "N" {
      ioflor.guard "v < len" {
        %c = ioflor.load @O["v"] instr 2
      }
    })mlir"));
  Interpreter interpreter(s.subject);
  InterpCounts c = interpreter.bounds(sizes({{"N", 9}}));
  ASSERT_TRUE(c.ok()) << c.message;
  expectCounts(c.loads.at("Q"), {1, 5}, {1, 5}, {1, 5});
  expectCounts(c.loads.at("K"), {3, {}}, {3, {}}, {3, {}});
  EXPECT_EQ(c.instrs[1].issued, (Words{3, {}}));
  expectCounts(c.loads.at("O"), {2, 9}, {2, 9}, {2, 9});
  // With a value it is a number like any other.
  InterpCounts fixed =
      interpreter.bounds(sizes({{"N", 9}, {"len", 4}, {"free", 6}}));
  EXPECT_FALSE(fixed.metUnknown);
  expectCounts(fixed.loads.at("Q"), exactly(2), exactly(2), exactly(2));
  expectCounts(fixed.loads.at("K"), exactly(6), exactly(6), exactly(6));
  expectCounts(fixed.loads.at("O"), exactly(4), exactly(4), exactly(4));
}

TEST(Unknown, Addresses) {
  Skeleton s(
      R"mlir(ioflor.symbol "page" from "0" to "2" data "block table")mlir"
      "\n" +
      stage(R"mlir(
    ioflor.loop grid "bx" to "2" { ioflor.loop thread "tx" to "4" {
        ioflor.loop seq "t" to "3" {
          %a = ioflor.load @Q[?] width 2 instr 0 {unknown = "loaded"}
          %b = ioflor.load @K["page"] instr 1
          %c = ioflor.load @O["tx"] instr 2
          %d = ioflor.load @O["100 + 16*page + tx"] instr 3
        }
      } })mlir"));
  InterpCounts c = Interpreter(s.subject).bounds({});
  // 2 CTAs * 3 iterations: at least one access's words, at most all threads'.
  expectCounts(c.loads.at("Q"), exactly(48), {12, 48}, {4, 48});
  EXPECT_TRUE(c.loads.at("Q").unknownAddress);
  EXPECT_FALSE(c.loads.at("Q").minAddress);
  // Four threads, three pages.
  expectCounts(c.loads.at("K"), exactly(24), {6, 18}, {2, 18});
  // 4 known words and 1 .. 4 unknown ones an iteration; the known ones are at
  // least what a CTA touches.
  expectCounts(c.loads.at("O"), exactly(48), {24 + 6, 24 + 24}, {8, 8 + 24});
  EXPECT_EQ(c.loads.at("O").maxAddress, 3);
  EXPECT_EQ(c.instrs[3].traffic, (Words{6, 24}));
}

TEST(Unknown, OpsOpenWhatTheyMayTouch) {
  Skeleton s("ioflor.symbol \"N\"\n" + stage(R"mlir(
    %a = ioflor.load @Q["0"] instr 0
    ioflor.guard "N > 3" {
      ioflor.unknown "asm" {reads = [@K], writes = [@O]}
    }
    ioflor.guard "N > 5" {
      ioflor.unknown "call" {any}
    })mlir"));
  Interpreter interpreter(s.subject);
  InterpCounts none = interpreter.bounds(sizes({{"N", 3}}));
  EXPECT_FALSE(none.metUnknown);
  expectCounts(none.loads.at("K"), {}, {}, {});
  InterpCounts some = interpreter.bounds(sizes({{"N", 4}}));
  EXPECT_TRUE(some.metUnknown);
  expectCounts(some.loads.at("K"), {0, {}}, {0, {}}, {0, {}});
  expectCounts(some.stores.at("K"), {}, {}, {});
  expectCounts(some.stores.at("O"), {0, {}}, {0, {}}, {0, {}});
  expectCounts(some.loads.at("Q"), exactly(1), exactly(1), exactly(1));
  InterpCounts all = interpreter.bounds(sizes({{"N", 6}}));
  expectCounts(all.loads.at("Q"), {1, {}}, {1, {}}, {1, {}});
  expectCounts(all.stores.at("Q"), {0, {}}, {0, {}}, {0, {}});
}
