//===- BufferUse.h - Which parameters a kernel reads and writes -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rough answer from the AST, enough to see which launches work on the same
// buffers. What an address is made of is followed through local variables,
// casts and calls; where that ends, reading and writing are both assumed.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PLUGIN_CLANG_AST_BUFFERUSE_H
#define IOFLOR_PLUGIN_CLANG_AST_BUFFERUSE_H

#include "clang/AST/Decl.h"
#include <map>
#include <utility>

namespace ioflor::frontend {

/// A pointer parameter, or a pointer field (else null) of one that is a record.
using PointerSource =
    std::pair<const clang::ParmVarDecl *, const clang::FieldDecl *>;

struct Access {
  bool reads = false, writes = false;
};

class BufferUse {
public:
  using Uses = std::map<PointerSource, Access>;
  /// Parameters are those of the definition. Results are kept.
  const Uses &of(const clang::FunctionDecl *function);

private:
  std::map<const clang::FunctionDecl *, Uses> cache;
};

} // namespace ioflor::frontend

#endif // IOFLOR_PLUGIN_CLANG_AST_BUFFERUSE_H
