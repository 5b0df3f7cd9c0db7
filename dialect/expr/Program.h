//===- Program.h - Expressions compiled to straight code --------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to dialect/expr. Each shared node is computed once; a sum is a loop
// over a block of code, with what does not depend on its variable in front.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_DIALECT_EXPR_PROGRAM_H
#define IOFLOR_DIALECT_EXPR_PROGRAM_H

#include "dialect/expr/Expr.h"

namespace ioflor::detail {

enum class Op : uint8_t {
  Mul,      ///< dst = a * b
  Add,      ///< dst = a + b
  MulAdd,   ///< dst = dst + a * b
  Copy,     ///< dst = a
  FloorDiv, ///< dst = floor(a / b), fails when b < 1
  CeilDiv,
  Min,
  Max,
  /// for var = a .. b-1: dst += result of the body. The next `skip`
  /// instructions are: `prefix` ones run once, then the body.
  Sum
};

struct Inst {
  Op op;
  uint32_t dst = 0, a = 0, b = 0;
  uint32_t var = 0, result = 0, prefix = 0, skip = 0; ///< of Sum
};

/// Registers: the slots, then the constants, then temporaries.
struct Program {
  std::vector<Inst> code;
  std::vector<BigInt> constants;
  std::vector<int64_t> constants64;
  bool fits64 = true; ///< the constants do
  uint32_t slots = 0, registers = 0, result = 0;
  std::string missing; ///< a symbol without slot; empty if none

  Program(const Expr &e, llvm::ArrayRef<std::string> slots);
};

enum class RunStatus : uint8_t { Ok, BadDivisor, Overflow, TooManySteps };

/// Runs with overflow-checked 64-bit integers. `values` holds the slots.
RunStatus run64(const Program &p, llvm::ArrayRef<int64_t> values,
                uint64_t &steps, int64_t &out);
/// Runs exactly.
RunStatus runExact(const Program &p, llvm::ArrayRef<BigInt> values,
                   uint64_t &steps, BigInt &out);

} // namespace ioflor::detail

#endif // IOFLOR_DIALECT_EXPR_PROGRAM_H
