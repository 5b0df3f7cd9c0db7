//===- Unregistered.h - Operations whose dialect is not linked -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_EXTRACT_UNREGISTERED_H
#define IOFLOR_PASSES_EXTRACT_UNREGISTERED_H

#include "mlir/IR/Operation.h"
#include "passes/extract/Entity.h"

namespace ioflor::extract {

/// An attribute of an operation that may not be registered: in its properties
/// where the generic form wrote it there. Null if there is none.
mlir::Attribute attributeOf(mlir::Operation *op, llvm::StringRef name);

/// The attributes of argument k of a function that may not be registered.
mlir::DictionaryAttr argumentAttributes(mlir::Operation *function, unsigned k);

/// The elements of a dense array of integers; none for anything else.
llvm::SmallVector<int64_t> integersOf(mlir::Attribute a);

/// The shape of the block in `!tt.ptr<tensor<128x64xf16>>`,
/// `!tt.tensordesc<tensor<128x64xf16>>` and `!tt.tensordesc<128x64xf16>`;
/// nullopt for every other type.
std::optional<Exprs> blockShape(mlir::Type type);

/// The bits of an element behind `!tt.ptr<...>` or in `!tt.tensordesc<...>`; 0
/// if that cannot be told.
unsigned pointeeBits(mlir::Type type);

/// `!tt.ptr<...>` to elements.
bool isElementPointer(mlir::Type type);
bool isDescriptor(mlir::Type type);

} // namespace ioflor::extract

#endif // IOFLOR_PASSES_EXTRACT_UNREGISTERED_H
