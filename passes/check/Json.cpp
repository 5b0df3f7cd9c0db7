//===- Json.cpp - JSON whose numbers keep their digits -------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/check/Json.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/JSON.h"
#include <set>

using namespace ioflor;
using namespace ioflor::check;
using llvm::StringRef;

static constexpr unsigned kMostLevels = 100;
static constexpr size_t kMostDigits = 20'000;
/// A certificate has some hundreds for each subject; each takes 100 bytes here.
static constexpr size_t kMostValues = 1'000'000;

const Json *Json::get(StringRef name) const {
  for (const auto &[key, value] : members)
    if (key == name)
      return &value;
  return nullptr;
}

std::optional<BigInt> Json::integer() const {
  StringRef digits = text;
  bool negative = digits.consume_front("-");
  if (kind != Number || digits.empty() || digits.size() > kMostDigits ||
      !llvm::all_of(digits, llvm::isDigit))
    return std::nullopt;
  BigInt value(0);
  for (; !digits.empty();
       digits = digits.drop_front(std::min<size_t>(digits.size(), 18))) {
    StringRef part = digits.take_front(18);
    int64_t scale = 1, n = 0;
    for (char c : part) {
      n = n * 10 + (c - '0');
      scale *= 10;
    }
    value = value * scale + n;
  }
  return negative ? -value : value;
}

StringRef Json::kindName() const {
  switch (kind) {
  case Null:
    return "null";
  case Bool:
    return "a truth value";
  case Number:
    return "a number";
  case String:
    return "a string";
  case Array:
    return "an array";
  case Object:
    return "an object";
  }
  return "";
}

static void quoted(llvm::raw_ostream &os, StringRef s) {
  os << '"';
  for (unsigned char c : s) {
    if (c == '"' || c == '\\')
      os << '\\' << c;
    else if (c >= 0x20)
      os << c;
    else if (c == '\t')
      os << "\\t";
    else if (c == '\n')
      os << "\\n";
    else if (c == '\r')
      os << "\\r";
    else
      os << "\\u00" << llvm::hexdigit(c >> 4, true)
         << llvm::hexdigit(c & 15, true);
  }
  os << '"';
}

static void write(llvm::raw_ostream &os, const Json &j, StringRef leaveOut) {
  bool first = true;
  auto comma = [&] {
    if (!first)
      os << ',';
    first = false;
  };
  switch (j.kind) {
  case Json::Null:
    os << "null";
    return;
  case Json::Bool:
    os << (j.truth ? "true" : "false");
    return;
  case Json::Number:
    os << j.text;
    return;
  case Json::String:
    quoted(os, j.text);
    return;
  case Json::Array:
    os << '[';
    for (const Json &item : j.items) {
      comma();
      write(os, item, "");
    }
    os << ']';
    return;
  case Json::Object:
    os << '{';
    for (const auto &[name, value] : j.members) {
      if (!leaveOut.empty() && name == leaveOut)
        continue;
      comma();
      quoted(os, name);
      os << ':';
      write(os, value, "");
    }
    os << '}';
    return;
  }
}

std::string Json::compact(StringRef leaveOut) const {
  std::string out;
  llvm::raw_string_ostream os(out);
  write(os, *this, leaveOut);
  return out;
}

namespace {

class Reader {
public:
  explicit Reader(StringRef text) : all(text), rest(text) {}

  std::optional<Json> whole(std::string &error) {
    Json out;
    size_t bad = 0;
    if (!llvm::json::isUTF8(all, &bad)) {
      rest = all.drop_front(bad);
      fail("the text is no UTF-8");
    } else if (value(out, 0)) {
      skip();
      if (!rest.empty())
        fail("unexpected text after the value");
    }
    if (problem.empty())
      return out;
    error = problem;
    return std::nullopt;
  }

private:
  bool fail(StringRef what) {
    if (!problem.empty())
      return false;
    StringRef before = all.drop_back(rest.size());
    size_t line = before.count('\n') + 1;
    size_t start = before.rfind('\n');
    size_t column =
        start == StringRef::npos ? before.size() + 1 : before.size() - start;
    problem = "line " + std::to_string(line) + ", column " +
              std::to_string(column) + ": " + what.str();
    return false;
  }
  void skip() { rest = rest.ltrim(" \t\r\n"); }
  bool accept(char c) {
    skip();
    if (rest.empty() || rest.front() != c)
      return false;
    rest = rest.drop_front();
    return true;
  }

  bool value(Json &out, unsigned level) {
    if (level > kMostLevels)
      return fail("nested too deeply");
    if (++values > kMostValues)
      return fail("more than " + std::to_string(kMostValues) + " values");
    skip();
    if (rest.empty())
      return fail("expected a value");
    if (rest.front() == '{')
      return object(out, level);
    if (rest.front() == '[')
      return array(out, level);
    if (rest.front() == '"') {
      out.kind = Json::String;
      return string(out.text);
    }
    if (rest.consume_front("true")) {
      out.kind = Json::Bool;
      out.truth = true;
      return true;
    }
    if (rest.consume_front("false")) {
      out.kind = Json::Bool;
      return true;
    }
    if (rest.consume_front("null"))
      return true;
    return number(out);
  }

  bool number(Json &out) {
    StringRef start = rest;
    auto digits = [&] {
      size_t n = rest.size();
      rest = rest.drop_while(llvm::isDigit);
      return n - rest.size();
    };
    rest.consume_front("-");
    StringRef whole = rest;
    size_t n = digits();
    if (n == 0) {
      rest = start;
      return fail("expected a value");
    }
    if (n > 1 && whole.front() == '0')
      return fail("a number begins with 0");
    if (rest.consume_front(".") && digits() == 0)
      return fail("expected a digit");
    if (rest.consume_front("e") || rest.consume_front("E")) {
      if (!rest.consume_front("+"))
        rest.consume_front("-");
      if (digits() == 0)
        return fail("expected a digit");
    }
    out.kind = Json::Number;
    out.text = start.drop_back(rest.size()).str();
    return true;
  }

  bool hex(unsigned &out) {
    if (rest.size() < 4 || rest.take_front(4).getAsInteger(16, out))
      return fail("expected four hexadecimal digits");
    rest = rest.drop_front(4);
    return true;
  }

  bool escape(std::string &out) {
    if (rest.empty())
      return fail("the string does not end");
    char c = rest.front();
    rest = rest.drop_front();
    static constexpr StringRef from = "\"\\/bfnrt", to = "\"\\/\b\f\n\r\t";
    if (size_t i = from.find(c); i != StringRef::npos) {
      out += to[i];
      return true;
    }
    unsigned unit, low;
    if (c != 'u')
      return fail("unknown escape");
    if (!hex(unit))
      return false;
    if (unit >= 0xd800 && unit < 0xdc00) {
      if (!rest.consume_front("\\u"))
        return fail("half of a surrogate pair");
      if (!hex(low))
        return false;
      if (low < 0xdc00 || low > 0xdfff)
        return fail("half of a surrogate pair");
      unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
    } else if (unit >= 0xdc00 && unit <= 0xdfff) {
      return fail("half of a surrogate pair");
    }
    char buffer[UNI_MAX_UTF8_BYTES_PER_CODE_POINT], *end = buffer;
    if (!llvm::ConvertCodePointToUTF8(unit, end))
      return fail("no character");
    out.append(buffer, end);
    return true;
  }

  bool string(std::string &out) {
    rest = rest.drop_front();
    for (;;) {
      if (rest.empty())
        return fail("the string does not end");
      char c = rest.front();
      if (static_cast<unsigned char>(c) < 0x20)
        return fail("a control character in a string");
      rest = rest.drop_front();
      if (c == '"')
        return true;
      if (c != '\\')
        out += c;
      else if (!escape(out))
        return false;
    }
  }

  bool array(Json &out, unsigned level) {
    out.kind = Json::Array;
    accept('[');
    if (accept(']'))
      return true;
    do {
      out.items.emplace_back();
      if (!value(out.items.back(), level + 1))
        return false;
    } while (accept(','));
    return accept(']') || fail("expected ',' or ']'");
  }

  bool object(Json &out, unsigned level) {
    out.kind = Json::Object;
    accept('{');
    if (accept('}'))
      return true;
    std::set<std::string> seen;
    do {
      skip();
      if (rest.empty() || rest.front() != '"')
        return fail("expected a name");
      std::string name;
      if (!string(name))
        return false;
      if (!seen.insert(name).second)
        return fail("two members are called '" +
                    StringRef(name).take_front(60).str() + "'");
      if (!accept(':'))
        return fail("expected ':'");
      out.members.push_back({std::move(name), Json()});
      if (!value(out.members.back().second, level + 1))
        return false;
    } while (accept(','));
    return accept('}') || fail("expected ',' or '}'");
  }

  StringRef all, rest;
  size_t values = 0;
  std::string problem;
};

} // namespace

std::optional<Json> ioflor::check::parseJson(StringRef text,
                                             std::string &error) {
  return Reader(text).whole(error);
}
