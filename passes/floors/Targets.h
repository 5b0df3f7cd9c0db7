//===- Targets.h - Fast memory of GPU targets --------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared memory (LDS) and register file of one SM (CU), in bytes: an upper end
// for what one CTA can hold. Sources: CUDA C++ Programming Guide, "Technical
// Specifications per Compute Capability" (maximum amount of shared memory per
// SM; 64 K 32-bit registers per SM); for AMD see the table. Scalar registers
// are left out.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_FLOORS_TARGETS_H
#define IOFLOR_PASSES_FLOORS_TARGETS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace ioflor::floors {

struct Target {
  const char *name;
  int64_t sharedBytes;
  int64_t registerBytes;
  int64_t fastBytes() const { return sharedBytes + registerBytes; }
};

inline constexpr char kDefaultTarget[] = "sm_80";

llvm::ArrayRef<Target> targets();
/// `sm_90a` and `sm_90` are the same here. nullopt for an unknown name.
std::optional<Target> findTarget(llvm::StringRef name);

} // namespace ioflor::floors

#endif // IOFLOR_PASSES_FLOORS_TARGETS_H
