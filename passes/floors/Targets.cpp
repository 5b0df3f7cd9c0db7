//===- Targets.cpp - Fast memory of GPU targets ---------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/floors/Targets.h"

using namespace ioflor;
using namespace ioflor::floors;

static constexpr int64_t KiB = 1024;
static constexpr int64_t kRegisters = 256 * KiB;

static constexpr Target kTargets[] = {
    {"sm_70", 96 * KiB, kRegisters},   {"sm_72", 96 * KiB, kRegisters},
    {"sm_75", 64 * KiB, kRegisters},   {"sm_80", 164 * KiB, kRegisters},
    {"sm_86", 100 * KiB, kRegisters},  {"sm_87", 164 * KiB, kRegisters},
    {"sm_89", 100 * KiB, kRegisters},  {"sm_90", 228 * KiB, kRegisters},
    {"sm_100", 228 * KiB, kRegisters}, {"sm_103", 228 * KiB, kRegisters},
    {"sm_120", 100 * KiB, kRegisters},
};

llvm::ArrayRef<Target> ioflor::floors::targets() { return kTargets; }

std::optional<Target> ioflor::floors::findTarget(llvm::StringRef name) {
  // Architecture- and family-specific variants have the same memories.
  if (name.size() > 3 && (name.ends_with("a") || name.ends_with("f")))
    name = name.drop_back();
  for (const Target &t : kTargets)
    if (name == t.name)
      return t;
  return std::nullopt;
}
