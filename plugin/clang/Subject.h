//===- Subject.h - What the AST knows of a subject ---------------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hand-over from the AST reader (launches, names, annotations, host checks)
// to the IR reader (loops, addresses, data flow): one SubjectSpec is one kernel
// instantiation at one launch site, or the pipeline of one host function, or a
// kernel that is launched nowhere in the file.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PLUGIN_CLANG_SUBJECT_H
#define IOFLOR_PLUGIN_CLANG_SUBJECT_H

#include "dialect/expr/Cond.h"
#include "dialect/expr/Expr.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceLocation.h"
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ioflor::frontend {

/// A size that the subject's expressions use.
struct SymbolSpec {
  std::string name;    ///< identifier, unique in the subject
  std::string display; ///< spelling in the source, e.g. `params.seqlen_q`
  std::optional<Expr> lo, hi;
};

/// What every word of a buffer holds before the first stage.
enum class Fill : uint8_t { Unknown, Zero, MinusInfinity };

/// A slow buffer that the stages share. Annotations set role and extents.
struct BufferSpec {
  std::string name; ///< identifier, unique in the subject
  std::string display;
  /// Bytes of a word: the scalar element of the parameter's pointee (float4* ->
  /// 4, __half* -> 2, void* -> 0: take it from the accesses).
  unsigned elementBytes = 0;
  /// Allocated elements, where the same file allocates or checks it.
  std::optional<Expr> words;
  std::string evidence; ///< where `words` or `extents` come from
  std::string role;     ///< from IOFLOR_ROLE: "Q", "K", "V", "O"; else empty
  std::vector<Expr> extents; ///< from IOFLOR_EXTENT: {rows, columns}
  Fill initial = Fill::Unknown;
  std::optional<Expr> initialBytes; ///< that hold it; none: all
  clang::SourceLocation loc;
};

/// What a scalar, pointer or struct field of a kernel's parameter list is bound
/// to at the launch.
struct Binding {
  enum Kind { Integer, Pointer, Opaque } kind = Opaque;
  Expr value;         ///< Integer: over the subject's symbols
  std::string buffer; ///< Pointer: a BufferSpec's name
  Expr offsetBytes;   ///< Pointer: host-side offset into it, in bytes
  std::string display;
};

/// One kernel parameter. For a struct passed by value the bindings are its
/// scalar fields by byte offset; for anything else there is one, at 0.
struct ParamBinding {
  std::string name;
  std::map<uint64_t, Binding> fields;
};

/// A loop of the host function around a launch.
struct HostLoop {
  std::string var;
  Expr trips;
};

struct StageSpec {
  const clang::FunctionDecl *kernel = nullptr; ///< the instantiation
  std::string mangledName;
  std::string instantiation;    ///< `fa<64, 64, 128>`, empty if no template
  std::string launchText;       ///< `<<<dim3(...), 64>>>` as written
  clang::SourceLocation launch; ///< invalid when launched elsewhere
  bool launched = false;
  /// Launched elsewhere: symbols gridDim_x, blockDim_x, ...
  std::array<Expr, 3> grid, block;
  Expr dynamicSharedBytes;
  std::vector<ParamBinding> params;
  std::vector<HostLoop> hostLoops; ///< outermost first
  Cond hostGuard;                  ///< condition of the launch in the host code
};

/// IOFLOR_EXACT, IOFLOR_CAUSAL, ...
struct DisclosureSpec {
  std::string kind; ///< exact, causal, causal_top_left, window,
                    ///< window_symmetric, approximate, sparse, masked_by
  std::optional<Expr> w;
  std::string text;
  clang::SourceLocation loc;
};

/// `IOFLOR_ASSUME`, assert, TORCH_CHECK, host guard, static_assert.
struct AssumptionSpec {
  Cond condition;
  std::string source; ///< `assert at attn.cu:12`
};

struct SubjectSpec {
  std::string name; ///< kernel's name, or the host function's for a pipeline
  std::vector<StageSpec> stages;
  std::vector<SymbolSpec> symbols;
  std::vector<BufferSpec> buffers;
  std::vector<AssumptionSpec> assumptions;
  std::optional<DisclosureSpec> disclosure;
  std::optional<Expr> claimWords, fastWords;
  /// Things of the host side that could not be read and matter (a launch
  /// dimension, a binding); each makes the subject say so.
  std::vector<std::pair<std::string, clang::SourceLocation>> unknowns;
  clang::SourceLocation loc; ///< the declaration of its (main) kernel
  /// Counts only if none of its stages turns out to be attention by itself.
  bool fallback = false;
};

} // namespace ioflor::frontend

#endif // IOFLOR_PLUGIN_CLANG_SUBJECT_H
