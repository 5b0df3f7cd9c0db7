//===- Options.cpp - Arguments of the Clang plugin ------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/loader/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace ioflor::frontend {

namespace {

/// The IDs of design section 7, without their prefix.
constexpr StringRef knownIds[] = {"sub-floor",
                                  "uncovered-input",
                                  "uncovered-pairs",
                                  "phantom-pairs",
                                  "repeated-pairs",
                                  "unwritten-output",
                                  "rewritten-output",
                                  "disclosure-mismatch",
                                  "over-read",
                                  "over-write",
                                  "claim",
                                  "materialized-scores",
                                  "ratio",
                                  "footprint",
                                  "redundant-load",
                                  "inconclusive",
                                  "certified"};

constexpr StringRef knownFloors[] = {"saha-ye",     "scan", "tight",  "sharp",
                                     "small-cache", "fmm",  "network"};

std::string listOf(ArrayRef<StringRef> names) { return join(names, ", "); }

bool isPositiveInteger(StringRef text) {
  return !text.empty() && all_of(text, isDigit) &&
         text.find_first_not_of('0') != StringRef::npos;
}

/// Digits with at most one point, and not zero.
bool isPositiveDecimal(StringRef text) {
  auto [whole, fraction] = text.split('.');
  if (whole.empty() || !all_of(whole, isDigit) || !all_of(fraction, isDigit) ||
      text.ends_with("."))
    return false;
  return text.find_first_not_of("0.") != StringRef::npos;
}

/// `2.5` is 2500; nullopt where it is no such number or 0.
std::optional<uint64_t> parseThousandths(StringRef text) {
  auto [whole, fraction] = text.split('.');
  if (!isPositiveDecimal(text) || whole.size() > 6 || fraction.size() > 3)
    return std::nullopt;
  uint64_t value = 0;
  for (char digit : (whole + fraction).str())
    value = 10 * value + (digit - '0');
  for (size_t i = fraction.size(); i < 3; ++i)
    value *= 10;
  return value;
}

std::vector<std::string> splitList(StringRef text) {
  SmallVector<StringRef> parts;
  text.split(parts, ',', -1, false);
  std::vector<std::string> out;
  for (StringRef part : parts)
    out.push_back(part.trim().str());
  return out;
}

bool parseRemarks(StringRef value, PluginOptions &options, std::string &error) {
  options.remarks.clear();
  options.allRemarks = value == "all";
  if (value == "all" || value == "none")
    return true;
  for (StringRef id : splitList(value)) {
    id.consume_front("ioflor-");
    if (!is_contained(knownIds, id)) {
      error = "unknown ID '" + id.str() + "' in 'remarks'; known: none, all, " +
              listOf(knownIds);
      return false;
    }
    options.remarks.push_back(id.str());
  }
  if (!options.remarks.empty())
    return true;
  error = "'remarks' needs none, all or a list of IDs";
  return false;
}

bool parseOne(StringRef name, StringRef value, PluginOptions &options,
              std::string &error) {
  auto bad = [&](const Twine &wants) {
    error = ("bad value '" + value + "' for '" + name + "': expected " + wants)
                .str();
    return false;
  };
  if (name == "M") {
    if (!isPositiveInteger(value))
      return bad("a positive number of words");
    options.fastWords = value.str();
  } else if (name == "target") {
    if (!Regex("^[A-Za-z][A-Za-z0-9_-]*$").match(value))
      return bad("the name of a machine, such as sm_80");
    options.target = value.str();
  } else if (name == "floor") {
    options.floors = splitList(value);
    for (StringRef floor : options.floors)
      if (!is_contained(knownFloors, floor))
        return bad("a list of " + listOf(knownFloors));
    if (options.floors.empty())
      return bad("a list of " + listOf(knownFloors));
  } else if (name == "mode") {
    if (value != "explicit" && value != "cache")
      return bad("explicit or cache");
    options.cacheMode = value == "cache";
  } else if (name == "max-ratio") {
    if (!isPositiveDecimal(value))
      return bad("a positive decimal number");
    options.maxRatio = value.str();
  } else if (name == "remarks") {
    return parseRemarks(value, options, error);
  } else if (name == "certificate") {
    if (value.empty())
      return bad("a file");
    options.certificate = value.str();
  } else if (name == "smt2") {
    if (value.empty())
      return bad("a folder");
    options.smt2 = value.str();
  } else if (name == "emit") {
    if (value != "skeleton" && value != "subjects" && value != "work")
      return bad("skeleton, subjects or work");
    (value == "skeleton"   ? options.emitSkeleton
     : value == "subjects" ? options.emitSubjects
                           : options.emitWork) = true;
  } else if (name == "budget") {
    std::optional<uint64_t> thousandths = parseThousandths(value);
    if (!thousandths)
      return bad("a positive decimal number of at most 6 digits before and 3 "
                 "after the point");
    options.budget = *thousandths;
  } else if (name == "kernels") {
    std::string why;
    if (value.empty() || !Regex(value).isValid(why))
      return bad("a regular expression" + (why.empty() ? "" : ": " + why));
    options.kernels = value.str();
  } else if (name == "arch") {
    options.archs = splitList(value);
    if (options.archs.empty())
      return bad("a list of architectures, such as sm_90");
  } else if (name == "side") {
    if (value == "device")
      options.side = CompileSide::Device;
    else if (value == "host")
      options.side = CompileSide::Host;
    else if (value == "both")
      options.side = CompileSide::Both;
    else
      return bad("device, host or both");
  } else {
    error = ("unknown argument '" + name +
             "'; known: M, target, floor, mode, max-ratio, remarks, "
             "certificate, smt2, budget, emit, kernels, arch, side")
                .str();
    return false;
  }
  return true;
}

} // namespace

bool PluginOptions::showsRemark(StringRef id) const {
  return allRemarks || is_contained(remarks, id);
}

std::optional<PluginOptions> parseOptions(ArrayRef<std::string> args,
                                          std::string &error) {
  PluginOptions options;
  for (StringRef arg : args) {
    size_t equals = arg.find('=');
    if (equals == StringRef::npos) {
      error = "argument '" + arg.str() + "' has no value; expected NAME=VALUE";
      return std::nullopt;
    }
    if (!parseOne(arg.take_front(equals), arg.drop_front(equals + 1), options,
                  error))
      return std::nullopt;
  }
  return options;
}

} // namespace ioflor::frontend
