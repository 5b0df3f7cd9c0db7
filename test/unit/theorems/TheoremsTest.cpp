//===- TheoremsTest.cpp - The statements that the floors rest on ----------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/theorems/Formula.h"
#include "passes/theorems/Theorem.h"
#include <gtest/gtest.h>
#include <set>

using namespace ioflor::theorems;

TEST(Formula, ReadsPolynomials) {
  std::set<std::string> v;
  EXPECT_EQ(*toSmtLib("4*d*m <= (d + x)^2 - 3", v),
            "(<= (* (* 4 d) m) (- (* (+ d x) (+ d x)) 3))");
  EXPECT_EQ(v, (std::set<std::string>{"d", "m", "x"}));
  EXPECT_EQ(*toSmtLib("a < b or not (a = b and b >= -c)", v),
            "(or (< a b) (not (and (= a b) (>= b (- c)))))");
}

TEST(Formula, RefusesWhatItCannotRead) {
  std::set<std::string> v;
  std::string error;
  for (const char *bad : {"", "a +", "a <= b )", "a ^ b <= c", "a ^ 9 <= 1",
                          "a / b <= c", "(a <= b", "a # b"}) {
    error.clear();
    EXPECT_FALSE(toSmtLib(bad, v, &error)) << bad;
    EXPECT_FALSE(error.empty()) << bad;
  }
  EXPECT_FALSE(toSmtLib(std::string(5000, '('), v, &error));
  EXPECT_FALSE(toSmtLib(std::string(5000, '-') + "a", v, &error));
}

TEST(Theorems, NamesAreUniqueAndTold) {
  std::set<std::string> names;
  for (const Theorem &t : theorems()) {
    EXPECT_TRUE(names.insert(t.name).second) << t.name;
    EXPECT_FALSE(t.statement.empty() || t.source.empty() || t.usedBy.empty())
        << t.name;
    std::string error;
    EXPECT_GE(queriesOf(t, &error).size(), 3u) << t.name << ": " << error;
  }
}

TEST(Theorems, AllAreProvedAndTheirMutantsRefuted) {
  for (const Theorem &t : theorems()) {
    TheoremResult r = prove(t);
    EXPECT_TRUE(r.ok()) << t.name << ": " << r.note;
  }
}

TEST(Theorems, TheSeedsGroups) {
  EXPECT_TRUE(proveGroup("io_floor_ordering"));
  EXPECT_TRUE(proveGroup("approx_attention_io_floor_ordering"));
  EXPECT_TRUE(proveGroup("distributed_attention_floor_ordering"));
  EXPECT_FALSE(proveGroup("no_such_group"));
}

TEST(Theorems, AFalseOneIsNotProved) {
  Theorem t{"false",   "", "", "", "a >= 0; b >= 0", "4*a*b <= 3*(a + b)^2",
            {"a <= b"}};
  EXPECT_TRUE(prove(t).ok());
  t.goal = "5*a*b <= (a + b)^2";
  TheoremResult r = prove(t);
  EXPECT_FALSE(r.proved);
  EXPECT_TRUE(r.satisfiable);
  // Hypotheses that exclude each other prove anything: found out.
  t.hypotheses = "a >= 1; a <= 0";
  r = prove(t);
  EXPECT_TRUE(r.proved);
  EXPECT_FALSE(r.satisfiable);
  EXPECT_FALSE(r.ok());
  // Too little work allowed: open, never proved.
  t = {"hard", "", "", "", "a >= 0; b >= 0", "4*a*b <= (a + b)^2", {}};
  EXPECT_FALSE(prove(t, 1).ok());
}
