//===- Entity.h - What an MLIR value is to the extractor -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An MLIR value is one of: a symbolic integer or condition, a word, an array in
// some memory, a constant, or unknown. Integers, conditions and pointers may
// have a shape (vectors and tensors of them); they are then functions of their
// coordinates, written with the symbols of coordinate(k).
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_EXTRACT_ENTITY_H
#define IOFLOR_PASSES_EXTRACT_ENTITY_H

#include "dialect/ir/Ioflor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "llvm/ADT/SmallBitVector.h"

namespace ioflor::extract {

using Exprs = llvm::SmallVector<Expr, 4>;

/// Element (i0, i1, ...) of an array is word `offset + sum(strides[k] * ik)` of
/// the buffer.
struct View {
  std::string buffer;
  bool slow = false;
  Expr offset = 0;
  Exprs strides, sizes;

  Expr address(llvm::ArrayRef<Expr> at) const;
  /// The part that starts at `offsets`, dropped dimensions left out.
  View part(llvm::ArrayRef<Expr> offsets, llvm::ArrayRef<Expr> sizes,
            llvm::ArrayRef<Expr> strides,
            const llvm::SmallBitVector &dropped) const;
  /// Groups of dimensions joined to one each; nullopt where those of a group
  /// are not contiguous.
  std::optional<View>
  collapsed(llvm::ArrayRef<mlir::ReassociationIndices> groups) const;
  /// Each dimension split into the row-major group of new ones, of `sizes`.
  View expanded(llvm::ArrayRef<mlir::ReassociationIndices> groups,
                llvm::ArrayRef<Expr> sizes) const;
};

enum class EntityKind : uint8_t {
  Unknown,   ///< `text` says why
  Index,     ///< an integer: `index`
  Condition, ///< an i1: `condition`
  Data,      ///< one word: `data`
  Constant,  ///< the same word everywhere: `text` is its value
  Array,     ///< words in memory: `view`
  Pointer    ///< an address: word `index` of `view.buffer`
};

struct Entity {
  EntityKind kind = EntityKind::Unknown;
  Expr index;
  Cond condition;
  mlir::Value data;
  View view;
  std::string text;
  /// Sizes of the dimensions of a shaped value; empty: a scalar.
  Exprs sizes;
  /// A block pointer: where the block starts in `view`, whose sizes are those
  /// of the whole operand; `sizes` are those of the block.
  Exprs offsets;

  static Entity unknown(llvm::StringRef why);
  static Entity ofIndex(const Expr &e, llvm::ArrayRef<Expr> sizes = {});
  static Entity ofCondition(const Cond &c, llvm::ArrayRef<Expr> sizes = {});
  static Entity ofData(mlir::Value v);
  static Entity constant(llvm::StringRef text, llvm::ArrayRef<Expr> sizes = {});
  static Entity array(const View &view);
  static Entity pointer(llvm::StringRef buffer, const Expr &word,
                        llvm::ArrayRef<Expr> sizes = {});

  bool is(EntityKind k) const { return kind == k; }
  /// This shaped integer, condition or pointer at given coordinates.
  Entity at(llvm::ArrayRef<Expr> coordinates) const;
};

/// The sizes of a shaped type that are all constants; none for a scalar.
Exprs shapeOfType(mlir::Type type);

/// What a reduction by `kind` starts from.
llvm::StringRef startOf(ComputeKind kind);

/// The symbol that stands for coordinate k of a shaped integer.
Expr coordinate(unsigned k);

} // namespace ioflor::extract

#endif // IOFLOR_PASSES_EXTRACT_ENTITY_H
