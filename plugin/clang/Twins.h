//===- Twins.h - Subjects with one and the same skeleton ---------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instantiations that differ only in what does not reach the skeleton (a type
// of the same size, an unused parameter) are analysed once.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PLUGIN_CLANG_TWINS_H
#define IOFLOR_PLUGIN_CLANG_TWINS_H

#include "dialect/ir/Ioflor.h"
#include "mlir/IR/OwningOpRef.h"
#include <vector>

namespace ioflor::frontend {

class Twins {
public:
  /// The number of an equal skeleton entered before, source positions included;
  /// nullopt otherwise. Symbol and texts of the instantiation do not count.
  /// `subject` is as it was extracted.
  std::optional<unsigned> find(SubjectOp subject) const;
  /// Enters `subject` as it was extracted, under `number`.
  void enter(SubjectOp subject, unsigned number);

private:
  struct Entry {
    mlir::OwningOpRef<SubjectOp> skeleton;
    size_t operations;
    unsigned number;
  };
  std::vector<Entry> entries;
};

/// `analysed`, under the name and with the `info` of its twin.
mlir::OwningOpRef<SubjectOp> asTwin(SubjectOp analysed, SubjectOp twin);

} // namespace ioflor::frontend

#endif // IOFLOR_PLUGIN_CLANG_TWINS_H
