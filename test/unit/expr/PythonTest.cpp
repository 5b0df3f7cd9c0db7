//===- PythonTest.cpp - Python evaluates the printed form -----------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Common.h"
#include <cstdio>
#include <fstream>
#include <unistd.h>

using namespace ioflor;
using namespace ioflor::test;

static const char *prelude = R"py(
import sys
def floordiv(a, b):
    assert b >= 1
    return a // b
def ceildiv(a, b):
    assert b >= 1
    return -(-a // b)
def mod(a, b):
    assert b >= 1
    return a % b
bad = 0
for line in open(sys.argv[1]):
    text, values, want = line.rstrip("\n").split("\t")
    env = {"floordiv": floordiv, "ceildiv": ceildiv, "mod": mod}
    env.update(eval(values))
    got = eval(text, env)
    if str(got) != want:
        bad += 1
        print(text, values, "is", got, "wanted", want)
sys.exit(1 if bad else 0)
)py";

TEST(Python, EvaluatesTheSame) {
  if (std::system("python3 -c pass") != 0)
    GTEST_SKIP() << "no python3";
  Generator g(seed() + 30, {"N", "d", "bx", "t"});
  SCOPED_TRACE("seed " + std::to_string(seed() + 30));
  std::string base = testing::TempDir() + "ioflor_expr_check_" +
                     std::to_string(getpid());
  std::string script = base + ".py", data = base + ".txt";
  std::ofstream(script) << prelude;
  std::ofstream out(data);
  auto write = [&](llvm::StringRef text, const auto &at, llvm::StringRef want) {
    out << text.str() << "\t{";
    for (const auto &[n, v] : at)
      out << "'" << n << "': " << v << ", ";
    out << "}\t" << want.str() << "\n";
  };
  for (int i = 0; i < 1000; ++i) {
    Reference r = g.expr(g.pick(1, 4));
    auto at = g.values(1, 9);
    write(r.expr.str(), at, std::to_string(r.value(at)));
    Cond c = lt(r.expr, g.expr(1).expr) &&
             (Cond::zero(g.expr(2).expr) || !Cond::zero(g.expr(1).expr));
    std::optional<bool> v = evaluate(c, big(at));
    ASSERT_TRUE(v);
    write(c.str(), at, *v ? "True" : "False");
  }
  out.close();
  EXPECT_EQ(std::system(("python3 " + script + " " + data).c_str()), 0);
  std::remove(script.c_str());
  std::remove(data.c_str());
}
