//===- Nolint.h - NOLINT comments --------------------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PLUGIN_CLANG_NOLINT_H
#define IOFLOR_PLUGIN_CLANG_NOLINT_H

#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include <string>
#include <vector>

namespace ioflor::frontend {

/// What clang-tidy's users know: `NOLINT`, `NOLINTNEXTLINE` and `NOLINTBEGIN`
/// to `NOLINTEND`, each for all checks or for `(ioflor-sub-floor, ioflor-*)`.
class Nolint {
public:
  explicit Nolint(const clang::SourceManager &sources) : sources(sources) {}
  bool suppresses(clang::SourceLocation loc, llvm::StringRef id);

private:
  struct Mark {
    unsigned firstLine, lastLine; ///< inclusive
    std::vector<std::string> ids; ///< empty: all
  };
  const std::vector<Mark> &marksOf(clang::FileID file);

  const clang::SourceManager &sources;
  llvm::DenseMap<clang::FileID, std::vector<Mark>> cache;
};

} // namespace ioflor::frontend

#endif // IOFLOR_PLUGIN_CLANG_NOLINT_H
