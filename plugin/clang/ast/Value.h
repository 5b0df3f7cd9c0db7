//===- Value.h - Values of host code, symbolically ---------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the host evaluator knows of a variable: an exact symbolic integer, a
// ratio (for `ceil((float)n / 64)`), a pointer into a device buffer, the
// address of a host object, a record of such values, or nothing but its
// spelling.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PLUGIN_CLANG_AST_VALUE_H
#define IOFLOR_PLUGIN_CLANG_AST_VALUE_H

#include "dialect/expr/Cond.h"
#include "dialect/expr/Expr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/MapVector.h"
#include <map>
#include <string>
#include <vector>

namespace ioflor::frontend {

/// One step from an object to a part of it.
struct Step {
  enum Kind : uint8_t { Field, Index } kind = Field;
  const clang::Decl *decl = nullptr; ///< Field
  int64_t index = 0;                 ///< Index
  bool operator==(const Step &o) const {
    return kind == o.kind && decl == o.decl && index == o.index;
  }
  bool operator<(const Step &o) const {
    return std::tie(kind, decl, index) < std::tie(o.kind, o.decl, o.index);
  }
};

/// A host object: a variable (its canonical Decl), a temporary (its
/// expression), and the way to a part of it.
struct Path {
  const void *root = nullptr;
  std::vector<Step> steps;
  bool operator==(const Path &o) const {
    return root == o.root && steps == o.steps;
  }
  Path child(Step step) const {
    Path p = *this;
    p.steps.push_back(step);
    return p;
  }
};

struct Value {
  enum Kind : uint8_t {
    None,     ///< not looked at yet
    Integer,  ///< num
    Ratio,    ///< num / den, a floating value
    Boolean,  ///< cond
    Pointer,  ///< device memory: buffer, num = offset in bytes
    Address,  ///< host object: target
    Record,   ///< fields, as far as they were looked at
    Function, ///< decl: a kernel or host function
    Closure,  ///< decl: a lambda's call operator; fields hold nothing
    Null,     ///< nullptr
    Opaque    ///< could not be read; `spelling` says what stood there
  } kind = None;
  Expr num, den = 1;
  Cond cond;
  unsigned buffer = 0;
  Path target;
  const clang::FunctionDecl *function = nullptr;
  std::map<Step, Value> fields;
  std::string spelling;

  static Value integer(Expr e) {
    Value v;
    v.kind = Integer;
    v.num = std::move(e);
    return v;
  }
  static Value ratio(Expr num, Expr den) {
    Value v;
    v.kind = Ratio;
    v.num = std::move(num);
    v.den = std::move(den);
    return v;
  }
  static Value boolean(Cond c) {
    Value v;
    v.kind = Boolean;
    v.cond = std::move(c);
    return v;
  }
  static Value pointer(unsigned buffer, Expr offsetBytes) {
    Value v;
    v.kind = Pointer;
    v.buffer = buffer;
    v.num = std::move(offsetBytes);
    return v;
  }
  static Value address(Path path) {
    Value v;
    v.kind = Address;
    v.target = std::move(path);
    return v;
  }
  static Value record() {
    Value v;
    v.kind = Record;
    return v;
  }
  static Value functionOf(const clang::FunctionDecl *f) {
    Value v;
    v.kind = Function;
    v.function = f;
    return v;
  }
  static Value null() {
    Value v;
    v.kind = Null;
    return v;
  }
  static Value opaque(std::string spelling) {
    Value v;
    v.kind = Opaque;
    v.spelling = std::move(spelling);
    return v;
  }

  bool isInteger() const { return kind == Integer; }
  bool operator==(const Value &o) const;
};

/// A condition that holds where control is, and who said so.
struct Fact {
  Cond condition;
  std::string source; ///< `guard at attn.cu:12`
  bool operator==(const Fact &o) const {
    return condition == o.condition && source == o.source;
  }
};

/// A loop around the point where control is.
struct LoopFrame {
  std::string var; ///< symbol that counts its iterations from 0
  Expr trips;
  bool readable = true; ///< false: `trips` is a symbol made up for it
};

/// What is known at one point of the host code.
struct State {
  llvm::MapVector<const void *, Value> vars;
  std::vector<Fact> facts;
  std::vector<LoopFrame> loops;
  bool dead = false; ///< control does not get here: exit(), throw
};

} // namespace ioflor::frontend

#endif // IOFLOR_PLUGIN_CLANG_AST_VALUE_H
