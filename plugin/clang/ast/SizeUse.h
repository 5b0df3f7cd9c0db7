//===- SizeUse.h - Which integers are sizes ----------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes are at least 1 by assumption, flags and offsets are not. An integer is
// taken for a size by what is done with it: it multiplies, divides, bounds a
// loop or extends a launch, here or in the functions that it is passed to; and
// nothing asks whether it is zero or negative.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PLUGIN_CLANG_AST_SIZEUSE_H
#define IOFLOR_PLUGIN_CLANG_AST_SIZEUSE_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <optional>
#include <vector>

namespace ioflor::frontend {

class SizeUse {
public:
  /// Reads the body of `function` and of what it calls or launches.
  void read(const clang::FunctionDecl *function);
  /// Follows sizes backwards from parameters to the arguments given for them.
  void settle();
  /// The least value that the variable or field takes by assumption: 1 for a
  /// size, 0 for a size that is compared with zero, none for anything else.
  std::optional<int> least(const clang::Decl *decl) const;

private:
  friend struct SizeVisitor;
  struct Uses {
    bool size = false, zeroTested = false, signTested = false;
  };
  llvm::DenseMap<const clang::Decl *, Uses> uses;
  /// (parameter or variable, what it was made of)
  std::vector<std::pair<const clang::Decl *, const clang::Decl *>> flows;
  llvm::SmallPtrSet<const clang::FunctionDecl *, 32> seen;
};

} // namespace ioflor::frontend

#endif // IOFLOR_PLUGIN_CLANG_AST_SIZEUSE_H
