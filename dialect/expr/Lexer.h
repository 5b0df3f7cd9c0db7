//===- Lexer.h - Tokens of expressions and conditions -----------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to dialect/expr. Reads the printed forms and C's spelling of them.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_DIALECT_EXPR_LEXER_H
#define IOFLOR_DIALECT_EXPR_LEXER_H

#include "dialect/expr/Expr.h"

namespace ioflor::detail {

enum class Tok : uint8_t { End, Name, Number, String, Punct, Bad };

struct Token {
  Tok kind = Tok::End;
  llvm::StringRef text; ///< spelling; of a String what is between the quotes
  size_t offset = 0;
  BigInt value = BigInt(0); ///< of a Number
  /// Why the text is no token, for Bad.
  const char *problem = nullptr;

  bool is(llvm::StringRef s) const {
    return (kind == Tok::Punct || kind == Tok::Name) && text == s;
  }
};

class Lexer {
public:
  explicit Lexer(llvm::StringRef text) : all(text) {}
  Token next();

private:
  Token number(size_t start);
  Token string(size_t start);
  llvm::StringRef all;
  size_t pos = 0;
};

} // namespace ioflor::detail

#endif // IOFLOR_DIALECT_EXPR_LEXER_H
