// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits the text of an inline PTX block into statements.
#ifndef IOFLOR_TEST_HARNESS_PTX_H
#define IOFLOR_TEST_HARNESS_PTX_H

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace ioflor::harness::ptx {

/// "@p ld.global.nc.f32 $0, [$1];": predicate "p", name "ld", suffixes
/// {"global", "nc", "f32"}, operands {"$0", "[$1]"}.
struct Statement {
  std::string text;
  llvm::StringRef predicate, name;
  llvm::SmallVector<llvm::StringRef> suffixes, operands;
  bool isDeclaration() const { return text.front() == '.'; }
};

/// Statements in order; the braces that only open a scope are dropped.
std::vector<Statement> parse(llvm::StringRef assembly);

/// "{a, b}" as {"a", "b"}; anything else as itself.
llvm::SmallVector<llvm::StringRef> list(llvm::StringRef text);

/// A decimal, 0x or 0f (float bits) literal, 64 or 32 bits wide.
std::optional<llvm::APInt> immediate(llvm::StringRef text);

} // namespace ioflor::harness::ptx

#endif
