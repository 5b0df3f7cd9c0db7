//===- Names.h - Symbols and buffers of one host function --------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hands out identifiers: each symbol and buffer gets the host's spelling as far
// as Python can read it, and a number where that name is taken.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PLUGIN_CLANG_AST_NAMES_H
#define IOFLOR_PLUGIN_CLANG_AST_NAMES_H

#include "dialect/expr/Expr.h"
#include "clang/AST/Type.h"
#include "clang/Basic/SourceLocation.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ioflor::frontend {

struct SymbolInfo {
  std::string name, display;
  std::optional<Expr> lo, hi;
  /// Not empty: the value depends on others in a way that was not read.
  std::string unreadable;
  clang::SourceLocation loc;
};

struct BufferInfo {
  std::string name, display;
  unsigned elementBytes = 0; ///< 0: not known yet
  std::optional<Expr> bytes; ///< allocated
  std::string evidence;
  clang::SourceLocation loc;
};

class Names {
public:
  Names();

  /// `params.seqlen_q` -> `params_seqlen_q`, made unique.
  std::string identifier(llvm::StringRef spelling);
  Expr symbol(llvm::StringRef spelling, std::optional<Expr> lo,
              std::optional<Expr> hi, clang::SourceLocation loc,
              llvm::StringRef unreadable = {});
  unsigned buffer(llvm::StringRef spelling, clang::SourceLocation loc);

  const SymbolInfo *find(llvm::StringRef name) const;
  SymbolInfo *find(llvm::StringRef name);
  std::vector<SymbolInfo> symbols; ///< in order of creation
  std::vector<BufferInfo> buffers;
  Assumptions known;

private:
  std::set<std::string> taken;
  std::map<std::string, size_t, std::less<>> index;
};

/// The scalar that a pointee is made of, in bytes: float4 -> 4, __half2 -> 2,
/// void -> 0.
unsigned scalarBytes(const clang::ASTContext &context, clang::QualType pointee);

} // namespace ioflor::frontend

#endif // IOFLOR_PLUGIN_CLANG_AST_NAMES_H
