//===- Args.h - Arguments of ioflor-floor ------------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `--name value`, `--name=value`, `--flag` and positional arguments. LLVM's own
// option library is not used: it would add the options of every pass that
// libLLVM contains, and it exits with 1, which here means "flagged".
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PLUGIN_FLOOR_ARGS_H
#define IOFLOR_PLUGIN_FLOOR_ARGS_H

#include "dialect/expr/Expr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ioflor::floortool {

/// Exit codes of the tool.
enum Exit : int { kFine = 0, kFlagged = 1, kBadInput = 2 };

/// Prints `ioflor-floor: error: TEXT` to the error stream.
void complain(const llvm::Twine &text);

/// A decimal number of any length, at least `least`; complains and gives
/// nullopt otherwise. `what` names it in the message.
std::optional<BigInt> parseNumber(llvm::StringRef text, llvm::StringRef what,
                                  int64_t least = 1);

/// The same without a message.
std::optional<BigInt> readNumber(llvm::StringRef text);

/// What a subcommand takes.
struct ArgSpec {
  std::vector<std::string> values; ///< options with a value, without dashes
  std::vector<std::string> flags;  ///< options without
  unsigned minPositional = 0, maxPositional = 0;
};

/// The arguments of one call. Everything that asks for a bad or missing value
/// complains once and remembers it: look at ok() before going on.
class Args {
public:
  /// Reads `argv`; on an unknown option, a missing value or a wrong number of
  /// positional arguments ok() is false.
  Args(llvm::ArrayRef<llvm::StringRef> argv, const ArgSpec &spec);

  bool ok() const { return good; }
  /// Complains; ok() is false from now on.
  void fail(const llvm::Twine &text);

  bool has(llvm::StringRef name) const { return given.count(name.str()); }
  std::optional<llvm::StringRef> value(llvm::StringRef name) const;
  llvm::ArrayRef<std::string> positional() const { return rest; }

  /// One number of at least `least`; `otherwise` where the option is absent
  /// (nullopt there: it is required).
  BigInt number(llvm::StringRef name, std::optional<BigInt> otherwise,
                int64_t least = 1);
  /// A list of numbers: `4096`, `1,2,4`, `1024..65536` (doubling) or
  /// `1024..4096+1024` (step 1024), `1..81*3` (factor 3); at most 10000.
  std::vector<BigInt> numbers(llvm::StringRef name,
                              std::optional<BigInt> otherwise,
                              int64_t least = 1);
  /// One of `words`; the first of them where the option is absent.
  std::string oneOf(llvm::StringRef name,
                    llvm::ArrayRef<llvm::StringRef> words);

private:
  bool good = true;
  std::map<std::string, std::string> given;
  std::vector<std::string> rest;
};

} // namespace ioflor::floortool

#endif // IOFLOR_PLUGIN_FLOOR_ARGS_H
