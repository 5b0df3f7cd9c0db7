//===- Sizes.h - The problem that the options describe ----------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PLUGIN_FLOOR_SIZES_H
#define IOFLOR_PLUGIN_FLOOR_SIZES_H

#include "passes/floors/Oracle.h"
#include "plugin/floor/Args.h"
#include "plugin/floor/Report.h"

namespace ioflor::floortool {

/// Options that describe an attention problem; add them to an ArgSpec.
extern const std::vector<std::string> kSizeValues, kSizeFlags;
/// The part of --help that explains them.
extern const char kSizeHelp[];

/// One problem at concrete sizes.
struct Setup {
  floors::AttentionDims dims; ///< constants; of the first sequence
  floors::Mask mask;
  std::vector<floors::Work> parts; ///< one for each sequence length
  BigInt M;
  Record header; ///< for the report: n_q, n_k, d, ...
};

/// Bytes of an element; nullopt for an unknown name.
std::optional<int64_t> bytesOf(llvm::StringRef dtype);

/// The element size of --dtype, and its name where one is given. Complains
/// about an unknown one.
int64_t readDtype(Args &args, std::string &name);

/// Every combination of --n, --d and --m (all may be lists). Empty and
/// args.ok() false on bad input.
std::vector<Setup> readSetups(Args &args);

/// The floors that the options ask for: --algorithm, --count, --backward,
/// --approximate.
floors::Setting readSetting(Args &args);

} // namespace ioflor::floortool

#endif // IOFLOR_PLUGIN_FLOOR_SIZES_H
