//===- LimitsTest.cpp - Bad input, large input, time ----------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Common.h"
#include <chrono>
#include <thread>

using namespace ioflor;
using namespace ioflor::test;

static std::string errorOf(llvm::StringRef text) {
  ExprError error;
  if (parseExpr(text, &error))
    return "";
  return std::to_string(error.offset) + ": " + error.message;
}

static std::string repeat(llvm::StringRef s, size_t n) {
  std::string out;
  for (size_t i = 0; i < n; ++i)
    out += s;
  return out;
}

static double millis(llvm::function_ref<void()> f) {
  auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now() - start)
      .count();
}

TEST(Limits, ParseErrors) {
  EXPECT_EQ(errorOf(""), "0: expected an expression at the end");
  EXPECT_EQ(errorOf("a +"), "3: expected an expression at the end");
  EXPECT_EQ(errorOf("a b"), "2: expected an operator before 'b'");
  EXPECT_EQ(errorOf("(a"), "2: expected ')' at the end");
  EXPECT_EQ(errorOf("a / 0"), "2: division by 0");
  EXPECT_EQ(errorOf("a % -3"), "2: division by -3");
  EXPECT_EQ(errorOf("1.5*a"), "0: floating point number");
  EXPECT_EQ(errorOf("12ab"), "0: malformed number");
  EXPECT_EQ(errorOf("0x"), "0: number without digits");
  EXPECT_EQ(errorOf("f(a)"), "0: unknown function 'f'");
  EXPECT_EQ(errorOf("ceildiv(a)"), "0: ceildiv takes two arguments");
  EXPECT_EQ(errorOf("a < b"), "5: condition used as a number");
  EXPECT_EQ(errorOf("(a < b) + 1"), "8: condition used as a number");
  EXPECT_EQ(errorOf("a ? b : c"), "2: unexpected character");
  EXPECT_EQ(errorOf("a << b"), "2: shift by other than a constant of 0 to 62");
  EXPECT_EQ(errorOf("a**b"), "1: exponent is not a constant of 0 to 64");
  EXPECT_EQ(errorOf("min()"), "0: min of nothing");
  ExprError error;
  EXPECT_FALSE(parseCond("a < b < c", &error));
  EXPECT_EQ(error.message, "chained comparison");
  EXPECT_FALSE(parseCond("unknown(\"x", &error));
}

TEST(Limits, Literals) {
  EXPECT_EQ(P("0x40ULL").str(), "64");
  EXPECT_EQ(P("1'024u").str(), "1024");
  EXPECT_EQ(P("010").str(), "8");
  EXPECT_EQ(P("0b101").str(), "5");
  EXPECT_EQ(P("0").str(), "0");
  EXPECT_EQ(P("18446744073709551615").str(), "18446744073709551615");
  EXPECT_EQ(P("2**64 - 1"), P("0xffffffffffffffff"));
  EXPECT_EQ(P("2**64 - 2**64 + 5"), Expr(5));
  EXPECT_EQ(P("(1 << 10) + (a >> 3)").str(), "floordiv(a, 8) + 1024");
  EXPECT_EQ(P("cdiv(a, 4)").str(), "ceildiv(a, 4)");
  EXPECT_EQ(P("-2**2").str(), "-4");
  EXPECT_EQ(P("sum(t for t in range(N))").str(), "sum(t for t in range(0, N))");
}

TEST(Limits, HostileInputIsRejectedOrRead) {
  EXPECT_EQ(errorOf(repeat("(", 100000)),
            "100: expression is nested too deeply");
  EXPECT_NE(errorOf("x" + repeat("/2*x", 100000)), "");
  EXPECT_NE(errorOf(repeat("min(x, 1 + ", 5000) + "x" + repeat(")", 5000)), "");
  EXPECT_EQ(errorOf(repeat("-", 100000) + "x"), "");
  EXPECT_NE(errorOf(repeat("a**2**", 100000)), "");
  EXPECT_NE(errorOf("(2**4096)**4096"), "");
  EXPECT_NE(errorOf(std::string(100000, '9')), "");
  EXPECT_EQ(P(repeat("a + ", 50000) + "a").str(), "50001*a");
  ExprError error;
  EXPECT_TRUE(parseCond(repeat("not ", 100000) + "a < b", &error));
  EXPECT_TRUE(parseCond(repeat("!", 100001) + "(a < b)", &error));
  EXPECT_FALSE(parseCond(repeat("!(", 100000), &error));
}

TEST(Limits, LongConditionsAreLinear) {
  std::string text = "n >= 0";
  for (int i = 0; i < 2000; ++i)
    text += " && (a" + std::to_string(i) + " < 3 || b" + std::to_string(i) +
            " < n)";
  Cond c;
  double read = millis([&] { c = C(text); });
  EXPECT_EQ(c.conjuncts().size(), 2001u);
  EXPECT_LT(read, 10000);
  EXPECT_EQ(!!c, c);
}

TEST(Limits, LongProductsStayFactored) {
  std::string sums;
  for (int i = 0; i < 40; ++i)
    sums += (i ? "*(x" : "(x") + std::to_string(i) + " + 1)";
  Expr e = P(sums);
  Valuation at;
  for (int i = 0; i < 40; ++i)
    at["x" + std::to_string(i)] = BigInt(1);
  EXPECT_EQ(Expr(*evaluate(e, at)), P("2**40"));
  EXPECT_EQ(e - e, Expr(0));
  Expr half = e.substitute("x39", Expr(0));
  EXPECT_EQ(Expr(*evaluate(half, at)), P("2**39"));
  EXPECT_EQ(Expr(*evaluate(P((e * 3 - half).str()), at)), P("3*2**40 - 2**39"));
}

TEST(Limits, SharedSubexpressionsAreCheap) {
  // Its tree has 2^100 nodes, its graph a few hundred.
  Expr e = Expr::symbol("x");
  for (int i = 0; i < 100; ++i)
    e = floordiv(e, Expr(3)) * 3 + min(e, Expr::symbol("y") + e * e * 0 + i) -
        mod(e, Expr(5));
  Expr f = e.substitute("y", Expr::symbol("z"));
  EXPECT_FALSE(f.dependsOn("y"));
  EXPECT_EQ(f.substitute("z", Expr::symbol("y")), e);
  EXPECT_TRUE(evaluate(e, {{"x", BigInt(100)}, {"y", BigInt(3)}}));
  EXPECT_EQ(e.freeSymbols(), (std::set<std::string>{"x", "y"}));
}

TEST(Limits, Overflow) {
  Expr e = P("a*b*c - a*b*c + a*b*d");
  CompiledExpr c(e, {"a", "b", "d"});
  int64_t big = int64_t(1) << 40;
  EXPECT_FALSE(c.run64({big, big, big}));
  EXPECT_EQ(Expr(*c.run({big, big, big})), P("2**120"));
  EXPECT_EQ(c.run64({2, 3, 4}), 24);
  EXPECT_FALSE(c.run({1, 2})); // wrong number of values
  EXPECT_FALSE(CompiledExpr(e, {"a", "b"}).run({1, 2}));
  EXPECT_FALSE(CompiledExpr(P("a/b"), {"a", "b"}).run({1, 0}));
  EXPECT_EQ(CompiledExpr(P("a/b"), {"a", "b"}).run64({-7, 2}), -4);
  EXPECT_EQ(CompiledExpr(P("ceildiv(a, b)"), {"a", "b"}).run64({-7, 2}), -3);
  EXPECT_EQ(CompiledExpr(P("a/b"), {"a", "b"}).run64({INT64_MIN, 1}),
            INT64_MIN);
  EXPECT_FALSE(CompiledExpr(P("-a"), {"a"}).run64({INT64_MIN}));
  EXPECT_EQ(Expr(*CompiledExpr(P("-a"), {"a"}).run({INT64_MIN})), P("2**63"));
  EXPECT_EQ(Expr(*evaluate(P("2**70*x"), {{"x", BigInt(3)}})), P("3*2**70"));
}

TEST(Limits, EvaluationErrors) {
  ExprError error;
  EXPECT_FALSE(
      evaluate(P("a/b"), {{"a", BigInt(1)}, {"b", BigInt(0)}}, &error));
  EXPECT_EQ(error.message, "division by less than 1");
  EXPECT_FALSE(evaluate(P("a"), {}, &error));
  EXPECT_EQ(error.message, "no value for 'a'");
  EXPECT_FALSE(evaluate(P("sum(t for t in range(0, N))"), {{"N", BigInt(1000)}},
                        &error, 999));
  EXPECT_EQ(error.message, "too many terms to sum");
  EXPECT_EQ(int64_t(*evaluate(P("sum(t for t in range(0, N))"),
                              {{"N", BigInt(1000)}}, &error, 1000)),
            499500);
  // An empty range computes nothing, so a divisor inside does not matter.
  EXPECT_EQ(int64_t(*evaluate(P("sum(t*floordiv(7, k) for t in range(0, k))"),
                              {{"k", BigInt(0)}})),
            0);
}

TEST(Limits, SumsDoNotCapture) {
  Expr e = P("sum(i*N for i in range(0, N))");
  Expr r = e.substitute("N", P("i + 1"));
  EXPECT_EQ(r.str(), "sum(i*i_1 + i_1 for i_1 in range(0, i + 1))");
  EXPECT_EQ(e.substitute("i", P("7")), e);
  EXPECT_EQ(P("sum(i for i in range(i, i + 9))").substitute("i", P("4")),
            P("sum(i for i in range(4, 13))"));
  EXPECT_EQ(P("sum(i for i in range(i, N))").freeSymbols(),
            (std::set<std::string>{"N", "i"}));
  EXPECT_EQ(P("sum(i*i for i in range(3, 4))"), Expr(9));
  EXPECT_EQ(P("sum(i for i in range(N, N))"), Expr(0));
}

TEST(Limits, Views) {
  Expr e = P("3*N*d**2 + bx*N + 5");
  auto affine = e.asAffineIn("bx");
  ASSERT_TRUE(affine);
  EXPECT_EQ(affine->first, P("N"));
  EXPECT_EQ(affine->second, P("3*N*d**2 + 5"));
  EXPECT_FALSE(e.asAffineIn("d"));
  auto poly = e.asPolynomialIn("d");
  ASSERT_TRUE(poly);
  ASSERT_EQ(poly->size(), 3u);
  EXPECT_EQ((*poly)[2], P("3*N"));
  EXPECT_EQ((*poly)[1], Expr(0));
  EXPECT_FALSE(P("bx/2 + bx").asPolynomialIn("bx"));
  EXPECT_EQ(e.constantTerm(), 5);
  EXPECT_EQ(e.terms().size(), 3u);
  EXPECT_EQ(e.terms()[0].coefficient(), 3);
  EXPECT_EQ(e.terms()[0].factors()[1].second, 2u);
  EXPECT_TRUE(Expr().terms().empty());
}

TEST(Limits, Threads) {
  std::vector<std::thread> threads;
  std::vector<Expr> out(4);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t, &out] {
      for (int i = 0; i < 300; ++i)
        out[t] = *parseExpr("min(N + " + std::to_string(i) +
                            ", 64*b)*floordiv(N + d, " + std::to_string(i + 2) +
                            ")");
    });
  for (std::thread &t : threads)
    t.join();
  for (int t = 1; t < 4; ++t)
    EXPECT_EQ(out[t].node(), out[0].node());
}

// Limits far above what is usual, so that only a wrong complexity fails.
TEST(Limits, Time) {
  Expr poly;
  double build = millis([&] {
    for (int i = 0; i < 200; ++i)
      poly += Expr::symbol("x" + std::to_string(i)) *
              Expr::symbol("y" + std::to_string(i % 7)) * i;
  });
  EXPECT_EQ(poly.terms().size(), 199u);
  EXPECT_LT(build, 500);

  Expr address = P("((b*H + h)*N + 64*bx + tx)*d + c");
  double substitute = millis([&] {
    for (int i = 0; i < 10000; ++i)
      address.substitute("bx", Expr(i));
  });
  EXPECT_LT(substitute, 3000);

  CompiledExpr c(address, {"b", "H", "h", "N", "bx", "tx", "d", "c"});
  int64_t total = 0;
  double run = millis([&] {
    for (int i = 0; i < 1000000; ++i)
      total += *c.run64({1, 8, 3, 1024, i & 15, i & 63, 64, i & 31});
  });
  EXPECT_GT(total, 0);
  EXPECT_LT(run, 3000);

  Assumptions a;
  a.declare("N", Expr(1), std::nullopt);
  a.declare("bx", Expr(0), P("ceildiv(N, 64) - 1"));
  a.declare("tx", Expr(0), Expr(63));
  assume(a, C("64*bx + tx < N"));
  double prove = millis([&] {
    for (int i = 0; i < 1000; ++i)
      a.isNonNegative(P("N - 1 - 64*bx - tx"));
  });
  EXPECT_LT(prove, 3000);
  RecordProperty("build_us", int(build * 1000));
  RecordProperty("substitute_us", int(substitute * 1000));
  RecordProperty("run_us", int(run * 1000));
  RecordProperty("prove_us", int(prove * 1000));
  if (std::getenv("IOFLOR_SHOW_TIMES"))
    printf("build %.2f ms, 10k substitutions %.1f ms, 1M runs %.1f ms, "
           "1k proofs %.1f ms\n",
           build, substitute, run, prove);
}
