//===- Lexer.cpp - Tokens of expressions and conditions -------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/expr/Lexer.h"
#include "dialect/expr/Node.h"
#include "llvm/ADT/StringExtras.h"

using namespace ioflor;
using namespace ioflor::detail;

/// Longest accepted number, so that hostile input costs little.
static constexpr size_t maxDigits = 2048;

static bool isNameStart(char c) { return llvm::isAlpha(c) || c == '_'; }
static bool isNamePart(char c) { return llvm::isAlnum(c) || c == '_'; }

static bool isSuffix(llvm::StringRef s) {
  std::string l = s.lower();
  for (const char *ok :
       {"", "u", "l", "ul", "lu", "ll", "ull", "llu", "z", "uz", "zu"})
    if (l == ok)
      return true;
  return false;
}

Token Lexer::number(size_t start) {
  auto bad = [&](const char *why) {
    Token t{Tok::Bad, all.slice(start, pos), start, BigInt(0), why};
    return t;
  };
  unsigned radix = 10;
  if (all[pos] == '0' && pos + 1 < all.size()) {
    char c = llvm::toLower(all[pos + 1]);
    if (c == 'x' || c == 'b' || c == 'o') {
      radix = c == 'x' ? 16 : c == 'b' ? 2 : 8;
      pos += 2;
    } else if (llvm::isDigit(c)) {
      radix = 8; // C's octal
      ++pos;
    }
  }
  std::string digits;
  size_t suffix = pos;
  for (; pos < all.size(); ++pos) {
    char c = all[pos];
    if (c == '\'' && pos + 1 < all.size() && llvm::isAlnum(all[pos + 1]))
      continue;
    unsigned v = llvm::hexDigitValue(c);
    if (v >= radix)
      break;
    digits += c;
  }
  suffix = pos;
  while (pos < all.size() && isNamePart(all[pos]))
    ++pos;
  if (digits.empty())
    return bad("number without digits");
  if (pos < all.size() && all[pos] == '.')
    return bad("floating point number");
  if (!isSuffix(all.slice(suffix, pos)))
    return bad("malformed number");
  if (digits.size() > maxDigits)
    return bad("number too long");
  llvm::APInt v;
  if (llvm::StringRef(digits).getAsInteger(radix, v))
    return bad("malformed number");
  // One more bit: DynamicAPInt reads the bits as signed.
  return {Tok::Number, all.slice(start, pos), start,
          normalized(BigInt(v.zext(v.getBitWidth() + 1)))};
}

Token Lexer::string(size_t start) {
  for (++pos; pos < all.size() && all[pos] != '"'; ++pos)
    if (all[pos] == '\\')
      ++pos;
  if (pos >= all.size()) {
    pos = all.size();
    return {Tok::Bad, all.substr(start), start, BigInt(0),
            "string without end"};
  }
  ++pos;
  return {Tok::String, all.slice(start + 1, pos - 1), start};
}

Token Lexer::next() {
  while (pos < all.size() && llvm::isSpace(all[pos]))
    ++pos;
  size_t start = pos;
  if (pos == all.size())
    return {Tok::End, {}, start};
  char c = all[pos];
  if (isNameStart(c)) {
    while (pos < all.size() && isNamePart(all[pos]))
      ++pos;
    return {Tok::Name, all.slice(start, pos), start};
  }
  if (llvm::isDigit(c))
    return number(start);
  if (c == '"')
    return string(start);
  llvm::StringRef rest = all.substr(pos);
  for (llvm::StringRef p :
       {"**", "//", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||"})
    if (rest.starts_with(p)) {
      pos += p.size();
      return {Tok::Punct, rest.take_front(p.size()), start};
    }
  if (llvm::StringRef("+-*/%(),<>!").contains(c)) {
    ++pos;
    return {Tok::Punct, rest.take_front(1), start};
  }
  ++pos;
  return {Tok::Bad, rest.take_front(1), start, BigInt(0),
          "unexpected character"};
}
