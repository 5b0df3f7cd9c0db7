// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/harness/pass/Ptx.h"

using namespace llvm;
using namespace ioflor::harness;

/// Text without comments, with "$$" as "$".
static std::string clean(StringRef assembly) {
  std::string result;
  for (size_t index = 0; index < assembly.size(); ++index) {
    StringRef rest = assembly.drop_front(index);
    if (rest.starts_with("//")) {
      while (index < assembly.size() && assembly[index] != '\n')
        ++index;
      result += ' ';
    } else if (rest.starts_with("/*")) {
      size_t end = rest.find("*/");
      index += end == StringRef::npos ? rest.size() : end + 1;
      result += ' ';
    } else if (rest.starts_with("$$")) {
      ++index;
      result += '$';
    } else {
      const char letter = assembly[index];
      result += letter == '\n' || letter == '\t' ? ' ' : letter;
    }
  }
  return result;
}

static SmallVector<StringRef> splitOperands(StringRef text) {
  SmallVector<StringRef> result;
  int depth = 0;
  size_t start = 0;
  for (size_t index = 0; index <= text.size(); ++index) {
    const char letter = index < text.size() ? text[index] : ',';
    depth += letter == '{' || letter == '[' || letter == '(';
    depth -= letter == '}' || letter == ']' || letter == ')';
    if (letter != ',' || depth > 0)
      continue;
    StringRef operand = text.slice(start, index).trim();
    if (!operand.empty())
      result.push_back(operand);
    start = index + 1;
  }
  return result;
}

std::vector<ptx::Statement> ptx::parse(StringRef assembly) {
  const std::string text = clean(assembly);
  std::vector<std::string> pieces;
  std::string piece;
  for (char letter : text) {
    if (letter == ';') {
      pieces.push_back(std::move(piece));
      piece.clear();
    } else if (!piece.empty() ||
               (letter != ' ' && letter != '{' && letter != '}')) {
      piece += letter;
    }
  }
  pieces.push_back(std::move(piece));
  std::vector<Statement> result;
  for (const std::string &body : pieces)
    if (!StringRef(body).trim().empty()) {
      result.emplace_back();
      result.back().text = StringRef(body).trim().str();
    }
  // The parts refer to the text, which no longer moves.
  for (Statement &statement : result) {
    StringRef rest = statement.text;
    if (rest.consume_front("@")) {
      std::tie(statement.predicate, rest) = rest.split(' ');
      rest = rest.ltrim();
    }
    auto [opcode, operands] = rest.split(' ');
    StringRef suffixes;
    std::tie(statement.name, suffixes) = opcode.split('.');
    if (!suffixes.empty())
      suffixes.split(statement.suffixes, '.');
    statement.operands = splitOperands(operands);
  }
  return result;
}

SmallVector<StringRef> ptx::list(StringRef text) {
  if (!text.starts_with("{"))
    return {text};
  return splitOperands(text.drop_front().drop_back());
}

std::optional<APInt> ptx::immediate(StringRef text) {
  uint64_t bits = 0;
  StringRef digits = text;
  if (digits.consume_front("0f") || digits.consume_front("0F")) {
    if (digits.getAsInteger(16, bits))
      return std::nullopt;
    return APInt(32, bits);
  }
  int64_t value = 0;
  if (text.getAsInteger(0, value))
    return std::nullopt;
  return APInt(64, static_cast<uint64_t>(value));
}
