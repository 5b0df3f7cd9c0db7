//===- Asm.h - What inline PTX moves -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PLUGIN_CLANG_IR_ASM_H
#define IOFLOR_PLUGIN_CLANG_IR_ASM_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include <optional>
#include <string>

namespace ioflor::ir {

/// Bytes of an argument that `mov.b32 {low, high}, $1` takes apart.
struct AsmPart {
  unsigned argument = 0;
  unsigned offset = 0, bytes = 0;
};

/// One instruction of an inline-assembly string.
struct AsmEffect {
  enum Kind {
    Copy,     ///< cp.async: memory `from` to memory `to`, `bytes`
    Load,     ///< `bytes` from `from`
    Store,    ///< `bytes` to `to`
    LdMatrix, ///< 8x8 matrices of 16-bit elements from shared memory
    StMatrix,
    Atomic, ///< red, atom: reads and writes `bytes` at `to`
    Mma,
    Barrier,
    Compute, ///< no memory
    Unknown
  } kind = Unknown;
  /// Operands of the call, by argument number.
  std::optional<unsigned> from, to;
  int64_t bytes = 0;
  /// Bytes of one scalar that the instruction names (`.v4.f32`: 4).
  int64_t scalarBytes = 0;
  /// LdMatrix: number of matrices.
  unsigned matrices = 0;
  /// cp.async with a source size: only so many bytes are read (0: none).
  std::optional<unsigned> sourceBytes;
  std::optional<int64_t> sourceBytesConstant;
  /// Runs where this argument is not 0 (is 0, if negated).
  std::optional<unsigned> predicate;
  bool predicateNegated = false;
  /// Mma: the arguments that make up the two factors; the rest accumulates.
  llvm::SmallVector<unsigned, 8> left, right;
  /// Compute: parts of arguments that it uses instead of them whole.
  llvm::SmallVector<AsmPart, 2> parts;
  /// First word of the instruction.
  std::string mnemonic;
};

/// The effects of an inline-assembly call in order; one Unknown if the string
/// is not understood. Instructions that only wait, convert or compute are
/// Compute.
llvm::SmallVector<AsmEffect, 2> readAsm(const llvm::CallBase &call);

} // namespace ioflor::ir

#endif // IOFLOR_PLUGIN_CLANG_IR_ASM_H
