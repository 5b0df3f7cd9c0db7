//===- Ioflor.cpp - The ioflor dialect: registration and syntax -----------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/ir/Ioflor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ioflor;

// Keys of the attribute uniquer.
namespace ioflor {
static llvm::hash_code hash_value(const Expr &e) { return e.hash(); }
static llvm::hash_code hash_value(const Cond &c) {
  return llvm::hash_value(c.str());
}
} // namespace ioflor

//===----------------------------------------------------------------------===//
// Expressions and conditions as quoted text
//===----------------------------------------------------------------------===//

/// Where `offset` bytes into the string literal at `loc` are. Exact as long as
/// the literal has no escapes before, which expressions have not.
static SMLoc inside(SMLoc loc, size_t offset) {
  return SMLoc::getFromPointer(loc.getPointer() + 1 + offset);
}

static FailureOr<Expr> parseQuotedExpr(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  std::string text;
  if (parser.parseString(&text))
    return failure();
  ExprError error;
  std::optional<Expr> e = parseExpr(text, &error);
  if (e)
    return *e;
  parser.emitError(inside(loc, std::min(error.offset, text.size())))
      << "invalid expression: " << error.message;
  return failure();
}

static FailureOr<Cond> parseQuotedCond(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  std::string text;
  if (parser.parseString(&text))
    return failure();
  ExprError error;
  std::optional<Cond> c = parseCond(text, &error);
  if (c)
    return *c;
  parser.emitError(inside(loc, std::min(error.offset, text.size())))
      << "invalid condition: " << error.message;
  return failure();
}

/// As a string literal of MLIR, with `\"` (not `\22`) for a quote: skeletons
/// are shown to users.
static void printQuoted(raw_ostream &os, StringRef text) {
  os << '"';
  for (char c : text) {
    if (c == '"' || c == '\\')
      os << '\\' << c;
    else if (llvm::isPrint(c))
      os << c;
    else
      os << '\\' << llvm::hexdigit((c >> 4) & 15) << llvm::hexdigit(c & 15);
  }
  os << '"';
}

Attribute ExprAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  FailureOr<Expr> e = parseQuotedExpr(parser);
  if (failed(e) || parser.parseGreater())
    return {};
  return get(parser.getContext(), *e);
}

void ExprAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printQuoted(printer.getStream(), getValue().str());
  printer << '>';
}

Attribute CondAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  FailureOr<Cond> c = parseQuotedCond(parser);
  if (failed(c) || parser.parseGreater())
    return {};
  return get(parser.getContext(), *c);
}

void CondAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printQuoted(printer.getStream(), getValue().str());
  printer << '>';
}

static ParseResult parseExprText(OpAsmParser &parser, ExprAttr &attr) {
  FailureOr<Expr> e = parseQuotedExpr(parser);
  if (failed(e))
    return failure();
  attr = ExprAttr::get(parser.getContext(), *e);
  return success();
}

static void printExprText(OpAsmPrinter &printer, Operation *, ExprAttr attr) {
  printQuoted(printer.getStream(), attr.getValue().str());
}

static ParseResult parseCondText(OpAsmParser &parser, CondAttr &attr) {
  FailureOr<Cond> c = parseQuotedCond(parser);
  if (failed(c))
    return failure();
  attr = CondAttr::get(parser.getContext(), *c);
  return success();
}

static void printCondText(OpAsmPrinter &printer, Operation *, CondAttr attr) {
  printQuoted(printer.getStream(), attr.getValue().str());
}

/// `"expr"`, or `?` for an address that is not known.
static ParseResult parseAddressText(OpAsmParser &parser, ExprAttr &attr) {
  if (succeeded(parser.parseOptionalQuestion()))
    return success();
  return parseExprText(parser, attr);
}

static void printAddressText(OpAsmPrinter &printer, Operation *op,
                             ExprAttr attr) {
  if (attr)
    printExprText(printer, op, attr);
  else
    printer << '?';
}

//===----------------------------------------------------------------------===//
// Generated code
//===----------------------------------------------------------------------===//

#include "dialect/ir/IoflorDialect.cpp.inc"
#include "dialect/ir/IoflorEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialect/ir/IoflorAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialect/ir/IoflorTypes.cpp.inc"

#define GET_OP_CLASSES
#include "dialect/ir/IoflorOps.cpp.inc"

void IoflorDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialect/ir/IoflorAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialect/ir/IoflorTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialect/ir/IoflorOps.cpp.inc"
      >();
}
