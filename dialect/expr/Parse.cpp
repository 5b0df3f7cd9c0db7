//===- Parse.cpp - Parser of expressions and conditions -------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One recursive descent over both, since a parenthesis may open either. Every
// recursion is counted against a budget: input may be hostile.
//
//===----------------------------------------------------------------------===//

#include "dialect/expr/Cond.h"
#include "dialect/expr/CondNode.h"
#include "dialect/expr/Lexer.h"
#include "dialect/expr/Node.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace ioflor;
using namespace ioflor::detail;

/// Parentheses around one another; each counts twice.
static constexpr unsigned maxNesting = 200;
/// Depth of the expression that comes out (a chain `a/2*x/3*x...` nests too).
static constexpr unsigned maxDepth = 300;
static constexpr unsigned maxArguments = 128;
static constexpr unsigned maxExponent = 64;
/// Exponent of a constant base, and the bits that may come out.
static constexpr unsigned maxConstExponent = 4096;

namespace {

/// What was read: an expression or a condition.
struct Value {
  Expr expr;
  std::optional<Cond> cond;
};

class Parser {
public:
  Parser(llvm::StringRef text, ExprError *error) : lexer(text), error(error) {
    take();
  }

  std::optional<Expr> wholeExpr() {
    std::optional<Value> v = parseOr();
    return v && finish() ? asExpr(*v) : std::nullopt;
  }
  std::optional<Cond> wholeCond() {
    std::optional<Value> v = parseOr();
    return v && finish() ? std::optional<Cond>(asCond(*v)) : std::nullopt;
  }

private:
  using Result = std::optional<Value>;

  Lexer lexer;
  Token tok;
  ExprError *error;
  bool failed = false;
  unsigned nesting = 0;

  struct Nest {
    unsigned &n;
    explicit Nest(unsigned &n) : n(n) { ++n; }
    ~Nest() { --n; }
  };

  void take() { tok = lexer.next(); }
  bool accept(llvm::StringRef s) {
    if (!tok.is(s))
      return false;
    take();
    return true;
  }

  std::nullopt_t fail(const llvm::Twine &message, size_t offset) {
    if (!failed && error) {
      error->message = message.str();
      error->offset = offset;
    }
    failed = true;
    return std::nullopt;
  }
  std::nullopt_t fail(const llvm::Twine &message) {
    return fail(message, tok.offset);
  }
  std::nullopt_t unexpected(const llvm::Twine &wanted) {
    if (tok.kind == Tok::Bad)
      return fail(tok.problem);
    if (tok.kind == Tok::End)
      return fail("expected " + wanted + " at the end");
    return fail("expected " + wanted + " before '" + tok.text + "'");
  }
  bool expect(llvm::StringRef s) {
    if (accept(s))
      return true;
    unexpected("'" + s + "'");
    return false;
  }
  bool finish() {
    if (tok.kind == Tok::End)
      return true;
    unexpected("an operator");
    return false;
  }

  std::optional<Expr> asExpr(const Value &v) {
    if (v.cond)
      return fail("condition used as a number");
    return v.expr;
  }
  /// C's reading of a number: true unless 0.
  static Cond asCond(const Value &v) {
    return v.cond ? *v.cond : Cond::nonZero(v.expr);
  }
  std::optional<Expr> number(Result v) { return v ? asExpr(*v) : std::nullopt; }
  Result checked(Expr e, size_t offset) {
    if (e.depth() > maxDepth)
      return fail("expression is nested too deeply", offset);
    return Value{std::move(e), std::nullopt};
  }

  Result parseOr();
  Result parseAnd();
  Result parseNot();
  Result parseCompare();
  Result parseShift();
  Result parseSum();
  Result parseProduct();
  Result parseUnary();
  Result parsePower();
  Result parsePrimary();
  Result parseCall(llvm::StringRef name, size_t offset);
  Result parseRange(const Expr &body);
  Result parseUnknown();
  Result divide(const Expr &a, const Expr &b, llvm::StringRef how,
                size_t offset);
};

} // namespace

Parser::Result Parser::parseOr() {
  Nest nest(nesting);
  if (nesting > maxNesting)
    return fail("expression is nested too deeply");
  Result l = parseAnd();
  if (!l || !(tok.is("||") || tok.is("or")))
    return l;
  std::vector<Cond> parts{asCond(*l)}; // joined once: a chain may be long
  while (tok.is("||") || tok.is("or")) {
    take();
    Result r = parseAnd();
    if (!r)
      return std::nullopt;
    parts.push_back(asCond(*r));
  }
  return Value{Expr(), disjunction(parts)};
}

Parser::Result Parser::parseAnd() {
  Result l = parseNot();
  if (!l || !(tok.is("&&") || tok.is("and")))
    return l;
  std::vector<Cond> parts{asCond(*l)};
  while (tok.is("&&") || tok.is("and")) {
    take();
    Result r = parseNot();
    if (!r)
      return std::nullopt;
    parts.push_back(asCond(*r));
  }
  return Value{Expr(), conjunction(parts)};
}

Parser::Result Parser::parseNot() {
  bool negate = false;
  while (accept("not"))
    negate = !negate;
  Result v = parseCompare();
  if (v && negate)
    v = Value{Expr(), !asCond(*v)};
  return v;
}

Parser::Result Parser::parseCompare() {
  Result l = parseShift();
  if (!l)
    return l;
  static constexpr llvm::StringLiteral ops[] = {"<",  "<=", ">",
                                                ">=", "==", "!="};
  auto isCompare = [&] {
    return llvm::is_contained(ops, tok.text) && tok.kind == Tok::Punct;
  };
  if (!isCompare())
    return l;
  llvm::StringRef op = tok.text;
  take();
  std::optional<Expr> a = asExpr(*l), b = number(parseShift());
  if (!a || !b)
    return std::nullopt;
  if (isCompare())
    return fail("chained comparison");
  Cond c = op == "<"    ? lt(*a, *b)
           : op == "<=" ? le(*a, *b)
           : op == ">"  ? lt(*b, *a)
           : op == ">=" ? le(*b, *a)
           : op == "==" ? eq(*a, *b)
                        : ne(*a, *b);
  return Value{Expr(), c};
}

Parser::Result Parser::parseShift() {
  Result l = parseSum();
  while (l && (tok.is("<<") || tok.is(">>"))) {
    bool left = tok.is("<<");
    size_t offset = tok.offset;
    take();
    std::optional<Expr> a = asExpr(*l), b = number(parseSum());
    if (!a || !b)
      return std::nullopt;
    std::optional<int64_t> k = b->constant64();
    if (!k || *k < 0 || *k > 62)
      return fail("shift by other than a constant of 0 to 62", offset);
    Expr p(int64_t(1) << *k);
    l = checked(left ? *a * p : floordiv(*a, p), offset);
  }
  return l;
}

Parser::Result Parser::parseSum() {
  Result l = parseProduct();
  if (!l || !(tok.is("+") || tok.is("-")))
    return l;
  // Collected and merged once: a long sum must not be quadratic.
  std::optional<Expr> first = asExpr(*l);
  if (!first)
    return std::nullopt;
  size_t offset = tok.offset;
  std::vector<Expr> terms(termsRef(*first).begin(), termsRef(*first).end());
  while (tok.is("+") || tok.is("-")) {
    bool minus = tok.is("-");
    take();
    std::optional<Expr> r = number(parseProduct());
    if (!r)
      return std::nullopt;
    if (minus)
      r = -*r;
    terms.insert(terms.end(), termsRef(*r).begin(), termsRef(*r).end());
  }
  return checked(sumOfTerms(std::move(terms)), offset);
}

Parser::Result Parser::divide(const Expr &a, const Expr &b, llvm::StringRef how,
                              size_t offset) {
  if (b.isConst() && b.node()->value < 1)
    return fail("division by " + b.str(), offset);
  return checked(how == "mod"    ? mod(a, b)
                 : how == "ceil" ? ceildiv(a, b)
                                 : floordiv(a, b),
                 offset);
}

Parser::Result Parser::parseProduct() {
  Result l = parseUnary();
  while (l && (tok.is("*") || tok.is("/") || tok.is("//") || tok.is("%"))) {
    Token op = tok;
    take();
    std::optional<Expr> a = asExpr(*l), b = number(parseUnary());
    if (!a || !b)
      return std::nullopt;
    if (op.is("*"))
      l = checked(*a * *b, op.offset);
    else
      l = divide(*a, *b, op.is("%") ? "mod" : "floor", op.offset);
  }
  return l;
}

Parser::Result Parser::parseUnary() {
  // A run of prefix operators is one step, not one recursion each.
  bool negative = false, negated = false, logical = false;
  while (tok.is("-") || tok.is("+") || tok.is("!")) {
    if (tok.is("!")) {
      if (negative)
        return fail("condition used as a number");
      logical = true;
      negated = !negated;
    } else if (logical) {
      break; // !-x
    } else if (tok.is("-")) {
      negative = !negative;
    }
    take();
  }
  Nest nest(nesting);
  if (nesting > maxNesting)
    return fail("expression is nested too deeply");
  Result v =
      logical && (tok.is("-") || tok.is("+")) ? parseUnary() : parsePower();
  if (!v)
    return v;
  if (logical) {
    Cond c = asCond(*v);
    return Value{Expr(), negated ? !c : c};
  }
  if (negative) {
    std::optional<Expr> e = asExpr(*v);
    if (!e)
      return std::nullopt;
    return Value{-*e, std::nullopt};
  }
  return v;
}

Parser::Result Parser::parsePower() {
  Result base = parsePrimary();
  if (!base || !tok.is("**"))
    return base;
  size_t offset = tok.offset;
  take();
  std::optional<Expr> a = asExpr(*base), b = number(parseUnary());
  if (!a || !b)
    return std::nullopt;
  std::optional<int64_t> k = b->constant64();
  unsigned limit = a->isConst() ? maxConstExponent : maxExponent;
  if (!k || *k < 0 || *k > limit)
    return fail("exponent is not a constant of 0 to " + llvm::Twine(limit),
                offset);
  Expr out(1);
  static const BigInt maxValue = [] {
    llvm::APInt v(maxConstExponent + 2, 0);
    v.setBit(maxConstExponent);
    return BigInt(v);
  }();
  for (int64_t i = 0; i < *k; ++i) {
    out *= *a;
    if (out.isConst() && abs(out.node()->value) > maxValue)
      return fail("number too long", offset);
  }
  return checked(out, offset);
}

Parser::Result Parser::parsePrimary() {
  Token t = tok;
  if (t.kind == Tok::Number) {
    take();
    return Value{Expr(t.value), std::nullopt};
  }
  if (accept("(")) {
    Result v = parseOr();
    if (!v || !expect(")"))
      return std::nullopt;
    return v;
  }
  if (t.kind != Tok::Name || t.is("for") || t.is("in") || t.is("and") ||
      t.is("or") || t.is("not"))
    return unexpected("an expression");
  take();
  if (t.is("True") || t.is("true"))
    return Value{Expr(), Cond::always()};
  if (t.is("False") || t.is("false"))
    return Value{Expr(), Cond::never()};
  if (accept("("))
    return parseCall(t.text, t.offset);
  return Value{Expr::symbol(t.text), std::nullopt};
}

Parser::Result Parser::parseCall(llvm::StringRef name, size_t offset) {
  if (name == "unknown")
    return parseUnknown();
  std::vector<Expr> args;
  if (!tok.is(")")) {
    do {
      std::optional<Expr> a = number(parseOr());
      if (!a)
        return std::nullopt;
      if (name == "sum" && args.empty() && tok.is("for"))
        return parseRange(*a);
      args.push_back(*a);
      if (args.size() > maxArguments)
        return fail("too many arguments");
    } while (accept(","));
  }
  if (!expect(")"))
    return std::nullopt;
  if (name == "min" || name == "max") {
    if (args.empty())
      return fail(name + " of nothing", offset);
    return checked(name == "min" ? min(args) : max(args), offset);
  }
  llvm::StringRef how = name == "floordiv"                    ? "floor"
                        : name == "ceildiv" || name == "cdiv" ? "ceil"
                        : name == "mod"                       ? "mod"
                                                              : "";
  if (how.empty())
    return fail("unknown function '" + name + "'", offset);
  if (args.size() != 2)
    return fail(name + " takes two arguments", offset);
  return divide(args[0], args[1], how, offset);
}

/// After `sum(body`: `for t in range(lo, hi))`, or `range(hi))`.
Parser::Result Parser::parseRange(const Expr &body) {
  size_t offset = tok.offset;
  take();
  Token var = tok;
  if (var.kind != Tok::Name)
    return unexpected("a variable");
  take();
  if (!expect("in") || !expect("range") || !expect("("))
    return std::nullopt;
  std::optional<Expr> lo = number(parseOr()), hi;
  if (!lo)
    return std::nullopt;
  if (accept(",")) {
    hi = number(parseOr());
    if (!hi)
      return std::nullopt;
  } else {
    hi = lo;
    lo = Expr(0);
  }
  if (!expect(")") || !expect(")"))
    return std::nullopt;
  return checked(sum(var.text, *lo, *hi, body), offset);
}

/// After `unknown(`: a quoted reason and an id, quoted or a name.
Parser::Result Parser::parseUnknown() {
  Token reason = tok;
  if (reason.kind != Tok::String)
    return unexpected("a quoted reason");
  take();
  if (!expect(","))
    return std::nullopt;
  Token id = tok;
  if (id.kind != Tok::String && id.kind != Tok::Name)
    return unexpected("an identity");
  take();
  if (!expect(")"))
    return std::nullopt;
  return Value{Expr(), Cond::unknown(unquote(reason.text), unquote(id.text))};
}

std::optional<Expr> ioflor::parseExpr(llvm::StringRef text, ExprError *error) {
  return Parser(text, error).wholeExpr();
}

std::optional<Cond> ioflor::parseCond(llvm::StringRef text, ExprError *error) {
  return Parser(text, error).wholeCond();
}
