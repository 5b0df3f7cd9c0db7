//===- SmtLib.cpp - SMT-LIB2 text of a query ------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/prover/SmtLib.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

using namespace ioflor;
using namespace ioflor::prover;

namespace {

class Printer {
public:
  explicit Printer(llvm::raw_ostream &os) : os(os) {}

  void poly(const Expr &e) {
    std::vector<Expr> terms = e.terms();
    if (terms.empty()) {
      os << '0';
      return;
    }
    if (terms.size() > 1)
      os << "(+";
    for (const Expr &t : terms) {
      if (terms.size() > 1)
        os << ' ';
      monomial(t);
    }
    if (terms.size() > 1)
      os << ')';
  }

  void cond(const Cond &c) {
    switch (c.kind()) {
    case CondKind::True:
      os << "true";
      return;
    case CondKind::False:
    case CondKind::Unknown: // never built from one; false would be unsound
      assert(c.kind() == CondKind::False);
      os << "false";
      return;
    case CondKind::NonNegative:
      comparison(">=", c.expr());
      return;
    case CondKind::Zero:
      comparison("=", c.expr());
      return;
    case CondKind::NonZero:
      os << "(not ";
      comparison("=", c.expr());
      os << ')';
      return;
    case CondKind::And:
    case CondKind::Or:
      os << (c.kind() == CondKind::And ? "(and" : "(or");
      for (const Cond &op : c.operands()) {
        os << ' ';
        cond(op);
      }
      os << ')';
      return;
    }
  }

  void name(llvm::StringRef n) { os << smtName(n); }

  static std::string smtName(llvm::StringRef n) {
    // Names of the logic, which may not be declared again. `@` and `.` occur
    // in no symbol.
    bool taken = llvm::StringSwitch<bool>(n)
                     .Cases({"and", "or", "not", "xor", "ite", "true"}, true)
                     .Cases({"false", "distinct", "let", "as", "par"}, true)
                     .Cases({"forall", "exists", "match", "assert"}, true)
                     .Cases({"push", "pop", "abs", "div", "mod", "exit"}, true)
                     .Cases({"to_real", "to_int", "is_int", "Real"}, true)
                     .Cases({"Int", "Bool", "NUMERAL", "DECIMAL"}, true)
                     .Cases({"STRING", "BINARY", "HEXADECIMAL", "_"}, true)
                     .Cases({"root_obj", "divides", "rem", "implies"}, true)
                     .Cases({"iff", "if", "select", "store", "Array"}, true)
                     .Default(false);
    return taken ? ("v." + llvm::Twine(n)).str() : n.str();
  }

private:
  void comparison(llvm::StringRef op, const Expr &e) {
    // a - b >= 0 reads better as a >= b.
    Expr left, right;
    for (const Expr &t : e.terms())
      if (t.coefficient() < 0)
        right -= t;
      else
        left += t;
    os << '(' << op << ' ';
    poly(left);
    os << ' ';
    poly(right);
    os << ')';
  }

  void monomial(const Expr &t) {
    BigInt c = t.coefficient();
    std::vector<std::string> parts;
    BigInt magnitude = llvm::abs(c);
    std::string number;
    llvm::raw_string_ostream(number) << magnitude;
    if (c < 0)
      number = "(- " + number + ")";
    for (const auto &[atom, power] : t.factors())
      for (unsigned i = 0; i < power; ++i)
        parts.push_back(smtName(atom.name()));
    if (c != 1 || parts.empty())
      parts.insert(parts.begin(), number);
    if (parts.size() == 1) {
      os << parts.front();
      return;
    }
    os << "(*";
    for (const std::string &p : parts)
      os << ' ' << p;
    os << ')';
  }

  llvm::raw_ostream &os;
};

/// Text in a comment: one line.
std::string oneLine(llvm::StringRef s) {
  std::string out = s.str();
  for (char &c : out)
    if (c == '\n' || c == '\r')
      c = ' ';
  return out;
}

} // namespace

std::string ioflor::prover::smtLib(const Query &query,
                                   const Obligation &obligation) {
  std::string text;
  llvm::raw_string_ostream os(text);
  Printer p(os);
  os << "; " << oneLine(obligation.name) << "\n";
  os << "; claim: " << oneLine(obligation.goal.str()) << "\n";
  os << "; over the reals, which include the integers; unsat proves the "
        "claim\n";
  std::set<std::string> used = query.goal.freeSymbols();
  for (const Fact &f : query.facts)
    for (const std::string &s : f.cond.freeSymbols())
      used.insert(s);
  for (const Token &t : query.tokens)
    if (used.count(t.name))
      os << "; " << t.name << " = " << oneLine(t.meaning.str()) << "\n";
  if (!query.cancelled.empty()) {
    os << "; divided by the common factors, none negative:";
    for (const Expr &e : query.cancelled)
      os << ' ' << e.str();
    os << "\n";
  }
  os << "(set-logic QF_NRA)\n";
  for (const std::string &s : used) {
    os << "(declare-const ";
    p.name(s);
    os << " Real)\n";
  }
  for (const Fact &f : query.facts) {
    os << "(assert ";
    p.cond(f.cond);
    os << ") ; " << oneLine(f.why) << "\n";
  }
  os << "(assert (not ";
  p.cond(Cond::nonNegative(query.goal));
  os << "))\n(check-sat)\n";
  return text;
}
