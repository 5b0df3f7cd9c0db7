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
    // NVIDIA, one SM.
    {"sm_50", 64 * KiB, kRegisters},
    {"sm_52", 96 * KiB, kRegisters},
    {"sm_53", 64 * KiB, kRegisters},
    {"sm_60", 64 * KiB, kRegisters},
    {"sm_61", 96 * KiB, kRegisters},
    {"sm_62", 64 * KiB, kRegisters},
    {"sm_70", 96 * KiB, kRegisters},
    {"sm_72", 96 * KiB, kRegisters},
    {"sm_75", 64 * KiB, kRegisters},
    {"sm_80", 164 * KiB, kRegisters},
    {"sm_86", 100 * KiB, kRegisters},
    {"sm_87", 164 * KiB, kRegisters},
    {"sm_89", 100 * KiB, kRegisters},
    {"sm_90", 228 * KiB, kRegisters},
    {"sm_100", 228 * KiB, kRegisters},
    {"sm_103", 228 * KiB, kRegisters},
    {"sm_120", 100 * KiB, kRegisters},
    {"sm_121", 100 * KiB, kRegisters},
    // AMD, one CU: 64 KiB of LDS; registers are 4 SIMDs of 512 entries (half of
    // them accumulation registers) of 64 lanes of 4 bytes. From memory, not yet
    // compared with AMD's documents (CDNA 2 and 3); other AMD targets are left
    // out until somebody has looked them up.
    {"gfx90a", 64 * KiB, 4 * 512 * 64 * 4},
    {"gfx942", 64 * KiB, 4 * 512 * 64 * 4},
};

llvm::ArrayRef<Target> ioflor::floors::targets() { return kTargets; }

std::optional<Target> ioflor::floors::findTarget(llvm::StringRef name) {
  // Architecture- and family-specific variants have the same memories.
  if (name.starts_with("sm_") && (name.ends_with("a") || name.ends_with("f")))
    name = name.drop_back();
  name = name.split(':').first; // gfx90a:xnack+
  for (const Target &t : kTargets)
    if (name == t.name)
      return t;
  return std::nullopt;
}
