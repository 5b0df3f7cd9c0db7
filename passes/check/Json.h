//===- Json.h - JSON whose numbers keep their digits ------------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's reader turns integers of more than 64 bits into floating point, takes
// the last of two equal keys and does not say where it was. A checker of
// certificates can afford none of the three.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_CHECK_JSON_H
#define IOFLOR_PASSES_CHECK_JSON_H

#include "dialect/expr/Expr.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace ioflor::check {

struct Json {
  enum Kind : uint8_t { Null, Bool, Number, String, Array, Object };
  Kind kind = Null;
  bool truth = false;
  std::string text; ///< of a String, in UTF-8; digits of a Number as written
  std::vector<Json> items;
  struct Member;
  std::vector<Member> members; ///< of an Object, in the file's order

  bool isNull() const { return kind == Null; }
  bool isString() const { return kind == String; }
  /// The member; null where there is none or this is no object.
  const Json *get(llvm::StringRef name) const;
  /// A whole number; nullopt for anything else (fractions, exponents).
  std::optional<BigInt> integer() const;
  /// `null`, `a string`, ... for messages.
  llvm::StringRef kindName() const;
  /// Compact text, members in order but without `leaveOut` at the top: what
  /// LLVM's writer gives for the same value.
  std::string compact(llvm::StringRef leaveOut = "") const;
};

struct Json::Member {
  std::string first;
  Json second;
};

/// The value of a whole text. nullopt with a lower-case `error` that names line
/// and column: syntax, two equal keys, more than 100 levels, no UTF-8.
std::optional<Json> parseJson(llvm::StringRef text, std::string &error);

} // namespace ioflor::check

#endif // IOFLOR_PASSES_CHECK_JSON_H
