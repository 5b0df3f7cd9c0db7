//===- Options.h - Arguments of the Clang plugin -----------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `-fplugin-arg-ioflor-NAME=VALUE`. An unknown name or a bad value is an error,
// never ignored: a typo must not turn a check off.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PLUGIN_LOADER_OPTIONS_H
#define IOFLOR_PLUGIN_LOADER_OPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ioflor::frontend {

enum class CompileSide { Device, Host, Both };

struct PluginOptions {
  std::optional<std::string> fastWords; ///< M, in words, as decimal digits
  std::string target;                   ///< `sm_80`; empty: none
  std::vector<std::string> floors;      ///< besides the defaults
  /// Absent: explicit for kernels, an implicit cache for plain C and C++.
  std::optional<bool> cacheMode;
  std::string maxRatio; ///< decimal number, empty: no limit
  bool allRemarks = false;
  std::vector<std::string> remarks = {"certified", "inconclusive"};
  std::string certificate; ///< file, empty: none
  std::string smt2;        ///< folder, empty: none
  /// Factor on the work that the analysis of a file may take, in thousandths.
  uint64_t budget = 1000;
  bool emitSkeleton = false;
  bool emitWork = false;     ///< the units of work of each subject and phase
  bool emitSubjects = false; ///< what the AST reader hands over, for debugging
  std::string kernels;       ///< regex on the function's name, empty: all
  std::vector<std::string> archs; ///< empty: all
  CompileSide side = CompileSide::Device;

  /// Whether remarks of `id` (without the `ioflor-`) are shown.
  bool showsRemark(llvm::StringRef id) const;
};

/// Parses the arguments. On failure returns nullopt and says why.
std::optional<PluginOptions> parseOptions(llvm::ArrayRef<std::string> args,
                                          std::string &error);

} // namespace ioflor::frontend

#endif // IOFLOR_PLUGIN_LOADER_OPTIONS_H
