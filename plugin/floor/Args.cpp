//===- Args.cpp - Arguments of ioflor-floor -------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/floor/Args.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace ioflor;
using namespace ioflor::floortool;
using llvm::StringRef;

/// Digits of the longest number that is taken, and values of the longest list.
static constexpr size_t kMostDigits = 10'000;
static constexpr size_t kMostValues = 10'000;

void ioflor::floortool::complain(const llvm::Twine &text) {
  llvm::errs() << "ioflor-floor: error: " << text << '\n';
}

/// `text` for a message: not the whole of a long number.
static std::string shown(StringRef text) {
  return text.size() <= 60 ? ("'" + text + "'").str()
                           : ("'" + text.take_front(40) + "...'").str();
}

static std::optional<BigInt> parseDigits(StringRef text) {
  if (text.empty() || text.size() > kMostDigits ||
      !llvm::all_of(text, llvm::isDigit))
    return std::nullopt;
  // Halving keeps long numbers from costing the square of their length in
  // small steps.
  if (text.size() > 18) {
    size_t low = text.size() / 2;
    BigInt scale(1), ten(10);
    for (size_t e = low; e; e >>= 1, ten *= ten)
      if (e & 1)
        scale *= ten;
    return *parseDigits(text.drop_back(low)) * scale +
           *parseDigits(text.take_back(low));
  }
  int64_t value = 0;
  for (char c : text)
    value = value * 10 + (c - '0');
  return BigInt(value);
}

std::optional<BigInt> ioflor::floortool::readNumber(StringRef text) {
  return parseDigits(text);
}

static std::string numberError(StringRef text, StringRef what, int64_t least,
                               const std::optional<BigInt> &value) {
  if (text.size() > kMostDigits)
    return (what + " has more than " + llvm::Twine(kMostDigits) + " digits")
        .str();
  if (!value)
    return (what + " must be a whole number of at least " + llvm::Twine(least) +
            ", not " + shown(text))
        .str();
  return (what + " must be at least " + llvm::Twine(least) + ", not " +
          shown(text))
      .str();
}

std::optional<BigInt>
ioflor::floortool::parseNumber(StringRef text, StringRef what, int64_t least) {
  auto value = parseDigits(text);
  if (value && *value >= least)
    return value;
  complain(numberError(text, what, least, value));
  return std::nullopt;
}

Args::Args(llvm::ArrayRef<StringRef> argv, const ArgSpec &spec) {
  for (size_t i = 0; i < argv.size() && good; ++i) {
    StringRef arg = argv[i];
    if (!arg.consume_front("--")) {
      if (arg.starts_with("-") && arg.size() > 1) {
        fail("unknown option " + shown(arg));
        return;
      }
      rest.push_back(arg.str());
      continue;
    }
    auto [name, text] = arg.split('=');
    bool attached = arg.contains('=');
    if (given.count(name.str())) {
      fail("option '--" + name + "' is given twice");
    } else if (llvm::is_contained(spec.flags, name)) {
      if (attached)
        fail("option '--" + name + "' takes no value");
      given[name.str()] = "";
    } else if (llvm::is_contained(spec.values, name)) {
      if (!attached && ++i >= argv.size())
        fail("option '--" + name + "' needs a value");
      else
        given[name.str()] = (attached ? text : argv[i]).str();
    } else {
      fail("unknown option " + shown(argv[i]));
    }
  }
  if (!good)
    return;
  if (rest.size() < spec.minPositional)
    fail("an argument is missing");
  else if (rest.size() > spec.maxPositional)
    fail("unexpected argument " + shown(rest[spec.maxPositional]));
}

void Args::fail(const llvm::Twine &text) {
  if (good)
    complain(text);
  good = false;
}

std::optional<StringRef> Args::value(StringRef name) const {
  auto it = given.find(name.str());
  if (it == given.end())
    return std::nullopt;
  return StringRef(it->second);
}

BigInt Args::number(StringRef name, std::optional<BigInt> otherwise,
                    int64_t least) {
  auto text = value(name);
  if (!text) {
    if (!otherwise)
      fail("option '--" + name + "' is required");
    return otherwise.value_or(BigInt(least));
  }
  auto n = parseDigits(*text);
  if (n && *n >= least)
    return *n;
  fail(numberError(*text, ("'--" + name + "'").str(), least, n));
  return BigInt(least);
}

std::vector<BigInt>
Args::numbers(StringRef name, std::optional<BigInt> otherwise, int64_t least) {
  auto text = value(name);
  if (!text)
    return {number(name, otherwise, least)};
  std::vector<BigInt> out;
  std::string what = ("'--" + name + "'").str();
  auto read = [&](StringRef t) {
    auto n = parseDigits(t);
    if (!n || *n < least)
      fail(numberError(t, what, least, n));
    return n.value_or(BigInt(least));
  };
  llvm::SmallVector<StringRef> parts;
  text->split(parts, ',');
  for (StringRef part : parts) {
    if (!part.contains("..")) {
      out.push_back(read(part));
    } else {
      auto [from, rest] = part.split("..");
      size_t at = rest.find_first_of("+*");
      bool adds = at != StringRef::npos && rest[at] == '+';
      BigInt lo = read(from), hi = read(rest.take_front(at));
      BigInt by(2);
      if (at != StringRef::npos) {
        auto n = parseDigits(rest.substr(at + 1));
        if (!n || *n < (adds ? 1 : 2)) {
          fail(what + ": the step of a range must be at least " +
               (adds ? "1" : "2"));
          return out;
        }
        by = *n;
      }
      if (good && lo > hi)
        fail(what + ": the range " + shown(part) + " is empty");
      for (BigInt n = lo; good && n <= hi; n = adds ? n + by : n * by) {
        out.push_back(n);
        if (out.size() > kMostValues)
          fail(what + " gives more than " + llvm::Twine(kMostValues) +
               " values");
      }
    }
    if (!good)
      return out;
  }
  return out;
}

std::string Args::oneOf(StringRef name, llvm::ArrayRef<StringRef> words) {
  auto text = value(name);
  if (!text)
    return words.front().str();
  if (llvm::is_contained(words, *text))
    return text->str();
  fail("'--" + name + "' must be one of " + llvm::join(words, ", ") + ", not " +
       shown(*text));
  return words.front().str();
}
