//===- CondPrint.cpp - Readable form of conditions ------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/expr/Cond.h"
#include "dialect/expr/CondNode.h"
#include "dialect/expr/PrintItems.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ioflor;
using namespace ioflor::detail;

std::string detail::quote(llvm::StringRef s) {
  std::string out = "\"";
  for (char c : s) {
    if (c == '"' || c == '\\')
      out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + "\"";
}

std::string detail::unquote(llvm::StringRef s) {
  std::string out;
  for (size_t i = 0; i < s.size(); ++i) {
    if (s[i] != '\\' || i + 1 == s.size()) {
      out += s[i];
      continue;
    }
    ++i;
    out += s[i] == 'n' ? '\n' : s[i];
  }
  return out;
}

static bool isIdentifier(llvm::StringRef s) {
  return !s.empty() && !llvm::isDigit(s[0]) &&
         llvm::all_of(s, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// Prints `e relation 0` with what is negative moved to the other side.
static void printComparison(llvm::raw_ostream &os, const Cond &c) {
  std::vector<PrintItem> left, right; // right: positive ones of e
  BigInt k(0);
  for (PrintItem &i : printItems(c.expr())) {
    if (i.text.empty()) {
      k = i.coefficient;
    } else if (i.coefficient > 0) {
      right.push_back(std::move(i));
    } else {
      i.coefficient = -i.coefficient;
      left.push_back(std::move(i));
    }
  }
  auto side = [&](std::vector<PrintItem> &items, const BigInt &constant) {
    if (constant != 0 || items.empty())
      items.push_back({constant, {}});
    printSum(os, items);
  };
  if (c.kind() != CondKind::NonNegative) { // right + k == left
    const char *op = c.kind() == CondKind::Zero ? " == " : " != ";
    side(right, k > 0 && !left.empty() ? k : BigInt(0));
    os << op;
    side(left, k > 0 && !left.empty() ? BigInt(0) : -k);
    return;
  }
  if (left.empty()) { // right >= -k
    side(right, BigInt(0));
    os << " >= ";
    side(left, -k);
  } else if (k < 0) { // left - k - 1 < right
    side(left, -k - 1);
    os << " < ";
    side(right, BigInt(0));
  } else if (right.empty() && k > 0) {
    side(left, BigInt(0));
    os << " < ";
    side(right, k + 1);
  } else {
    side(left, BigInt(0));
    os << " <= ";
    side(right, k);
  }
}

void Cond::print(llvm::raw_ostream &os) const {
  switch (kind()) {
  case CondKind::True:
    os << "True";
    return;
  case CondKind::False:
    os << "False";
    return;
  case CondKind::NonNegative:
  case CondKind::Zero:
  case CondKind::NonZero:
    printComparison(os, *this);
    return;
  case CondKind::Unknown:
    os << (isNegatedUnknown() ? "not " : "") << "unknown(" << quote(reason())
       << ", " << (isIdentifier(id()) ? id().str() : quote(id())) << ")";
    return;
  case CondKind::And:
  case CondKind::Or: {
    bool first = true;
    for (const Cond &c : operands()) {
      if (!first)
        os << (kind() == CondKind::And ? " and " : " or ");
      first = false;
      bool nested = c.kind() == CondKind::And || c.kind() == CondKind::Or;
      os << (nested ? "(" : "");
      c.print(os);
      os << (nested ? ")" : "");
    }
    return;
  }
  }
}

std::string Cond::str() const {
  std::string s;
  llvm::raw_string_ostream os(s);
  print(os);
  return s;
}

llvm::raw_ostream &ioflor::operator<<(llvm::raw_ostream &os, const Cond &c) {
  c.print(os);
  return os;
}
