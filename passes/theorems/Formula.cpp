//===- Formula.cpp - Real polynomials in infix, as SMT-LIB2 ----------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/theorems/Formula.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace ioflor::theorems;
using llvm::StringRef;

namespace {

/// Nesting that is read; formulas are the project's own, but a caller's
/// mistake must not end in a stack overflow.
constexpr unsigned kMaxNesting = 100;

class Reader {
public:
  Reader(StringRef text, std::set<std::string> &variables)
      : rest(text.ltrim()), variables(variables) {}

  std::optional<std::string> whole() {
    std::string out = disjunction();
    if (problem.empty() && !rest.empty())
      fail("unexpected '" + rest.take_front(12) + "'");
    if (!problem.empty())
      return std::nullopt;
    return out;
  }
  std::string problem;

private:
  void fail(const llvm::Twine &what) {
    if (problem.empty())
      problem = what.str();
  }
  bool accept(StringRef token) {
    if (!rest.starts_with(token))
      return false;
    if (llvm::isAlpha(token.front()) && rest.size() > token.size() &&
        isNameChar(rest[token.size()]))
      return false;
    rest = rest.drop_front(token.size()).ltrim();
    return true;
  }
  static bool isNameChar(char c) { return llvm::isAlnum(c) || c == '_'; }

  std::string disjunction() {
    std::string out = conjunction();
    if (!accept("or"))
      return out;
    out = "(or " + out;
    do
      out += " " + conjunction();
    while (problem.empty() && accept("or"));
    return out + ")";
  }
  std::string conjunction() {
    std::string out = negation();
    if (!accept("and"))
      return out;
    out = "(and " + out;
    do
      out += " " + negation();
    while (problem.empty() && accept("and"));
    return out + ")";
  }
  std::string negation() {
    if (accept("not"))
      return "(not " + negation() + ")";
    return comparison();
  }
  std::string comparison() {
    std::string left = sum();
    for (const char *op : {"<=", ">=", "<", ">", "="})
      if (accept(op)) {
        std::string right = sum();
        return "(" + std::string(op) + " " + left + " " + right + ")";
      }
    return left; // a parenthesised formula
  }
  std::string sum() {
    std::string out = product();
    for (;;) {
      bool plus = rest.starts_with("+");
      if (!plus && !rest.starts_with("-"))
        return out;
      accept(plus ? "+" : "-");
      std::string right = product();
      out = (plus ? "(+ " : "(- ") + out + " " + right + ")";
    }
  }
  std::string product() {
    std::string out = power();
    while (accept("*")) {
      std::string right = power();
      out = "(* " + out + " " + right + ")";
    }
    return out;
  }
  std::string power() {
    std::string base = atom();
    if (!accept("^"))
      return base;
    unsigned n = 0;
    if (rest.consumeInteger(10, n) || n < 1 || n > 8) {
      fail("an exponent is not a number of 1 to 8");
      return base;
    }
    rest = rest.ltrim();
    std::string out = "(*";
    for (unsigned i = 0; i < n; ++i)
      out += " " + base;
    return n == 1 ? base : out + ")";
  }
  std::string atom() {
    if (++nesting > kMaxNesting) {
      fail("nested too deeply");
      return "";
    }
    std::string out = innerAtom();
    --nesting;
    return out;
  }
  std::string innerAtom() {
    if (accept("-"))
      return "(- " + atom() + ")";
    if (accept("(")) {
      std::string out = disjunction();
      if (!accept(")"))
        fail("expected ')'");
      return out;
    }
    if (!rest.empty() && llvm::isDigit(rest.front())) {
      StringRef digits = rest.take_while(llvm::isDigit);
      rest = rest.drop_front(digits.size()).ltrim();
      return digits.str();
    }
    if (!rest.empty() && llvm::isAlpha(rest.front())) {
      StringRef name = rest.take_while(isNameChar);
      rest = rest.drop_front(name.size()).ltrim();
      variables.insert(name.str());
      return name.str();
    }
    fail("expected a term");
    return "";
  }

  StringRef rest;
  std::set<std::string> &variables;
  unsigned nesting = 0;
};

} // namespace

std::optional<std::string>
ioflor::theorems::toSmtLib(StringRef formula, std::set<std::string> &variables,
                           std::string *error) {
  Reader reader(formula, variables);
  std::optional<std::string> out = reader.whole();
  if (!out && error)
    *error = reader.problem;
  return out;
}

std::optional<Sides> ioflor::theorems::sidesOf(StringRef formula) {
  for (StringRef op : {"<=", ">="}) {
    auto [left, right] = formula.split(op);
    if (right.empty() || right.find_first_of("<>=") != StringRef::npos ||
        left.find_first_of("<>=") != StringRef::npos ||
        formula.contains(" or ") || formula.contains(" and "))
      continue;
    std::string l = left.trim().str(), r = right.trim().str();
    return op == "<=" ? Sides{l, r} : Sides{r, l};
  }
  return std::nullopt;
}
