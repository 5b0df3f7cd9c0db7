//===- IoflorBase.td - The ioflor dialect ------------------*- tablegen -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_DIALECT_IR_IOFLORBASE_TD
#define IOFLOR_DIALECT_IR_IOFLORBASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/SymbolInterfaces.td"

def Ioflor_Dialect : Dialect {
  let name = "ioflor";
  let cppNamespace = "::ioflor";
  let summary = "The I/O skeleton of an attention kernel";
  let description = [{
    A kernel in this dialect is its *I/O skeleton*: symbols with assumptions,
    buffers in slow memory (what all CTAs share: L2 and HBM together) and fast
    memory (shared memory, private arrays, registers), loops from 0 to a
    symbolic trip count, guards, and every load and store with its address as a
    symbolic expression of the symbols and loop variables. Data flow between
    transfers is kept as SSA values and as accesses to fast buffers, so that
    roles and coverage can follow it.

    What an extractor could not read is an explicit `ioflor.unknown`, an unknown
    condition or a `data` symbol, each with its reason: never dropped.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

class Ioflor_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Ioflor_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Ioflor_ExprAttr : Ioflor_Attr<"Expr", "expr"> {
  let summary = "a symbolic integer";
  let description = [{
    `#ioflor.expr<"2*N*d*ceildiv(N, 64)">`; grammar and canonical form in
    `dialect/expr/Expr.h`.
  }];
  let parameters = (ins "::ioflor::Expr":$value);
  let hasCustomAssemblyFormat = 1;
  // Accessors of ops give and take an Expr: getTrips(), not
  // getTrips().getValue().
  let returnType = "::ioflor::Expr";
  let convertFromStorage = "$_self.getValue()";
  let constBuilderCall = "::ioflor::ExprAttr::get($_builder.getContext(), $0)";
}

def Ioflor_CondAttr : Ioflor_Attr<"Cond", "cond"> {
  let summary = "a condition over symbolic integers";
  let description = [{
    `#ioflor.cond<"32*bx + tx < N">`; grammar in `dialect/expr/Cond.h`.
  }];
  let parameters = (ins "::ioflor::Cond":$value);
  let hasCustomAssemblyFormat = 1;
  let returnType = "::ioflor::Cond";
  let convertFromStorage = "$_self.getValue()";
  let constBuilderCall = "::ioflor::CondAttr::get($_builder.getContext(), $0)";
}

def Ioflor_ValueType : TypeDef<Ioflor_Dialect, "Value"> {
  let mnemonic = "value";
  let summary = "words in flight: what a load produced or a computation made";
  let description = [{
    The elements of one access of one thread (`width` of them for a vector
    access). Only where values come from and go to is modelled, not their bits.
  }];
}

def Ioflor_LoopKind : I32EnumAttr<"LoopKind", "what runs the iterations", [
    I32EnumAttrCase<"Host", 0, "host">, I32EnumAttrCase<"Grid", 1, "grid">,
    I32EnumAttrCase<"Thread", 2, "thread">, I32EnumAttrCase<"Seq", 3, "seq">]> {
  let cppNamespace = "::ioflor";
}

def Ioflor_Space : I32EnumAttr<"Space", "where a buffer lives", [
    I32EnumAttrCase<"Slow", 0, "slow">, I32EnumAttrCase<"Shared", 1, "shared">,
    I32EnumAttrCase<"Private", 2, "private">]> {
  let cppNamespace = "::ioflor";
}

def Ioflor_Role : I32EnumAttr<"Role", "what a buffer is in attention", [
    I32EnumAttrCase<"Other", 0, "other">, I32EnumAttrCase<"Q", 1, "Q">,
    I32EnumAttrCase<"K", 2, "K">, I32EnumAttrCase<"V", 3, "V">,
    I32EnumAttrCase<"O", 4, "O">, I32EnumAttrCase<"S", 5, "S">]> {
  let cppNamespace = "::ioflor";
}

def Ioflor_ComputeKind : I32EnumAttr<"ComputeKind", "what made a value", [
    I32EnumAttrCase<"Constant", 0, "constant">, I32EnumAttrCase<"Mul", 1, "mul">,
    I32EnumAttrCase<"Add", 2, "add">, I32EnumAttrCase<"Sub", 3, "sub">,
    I32EnumAttrCase<"Div", 4, "div">, I32EnumAttrCase<"Fma", 5, "fma">,
    I32EnumAttrCase<"Max", 6, "max">, I32EnumAttrCase<"Min", 7, "min">,
    I32EnumAttrCase<"Exp", 8, "exp">, I32EnumAttrCase<"Neg", 9, "neg">,
    I32EnumAttrCase<"Select", 10, "select">,
    I32EnumAttrCase<"Convert", 11, "convert">,
    I32EnumAttrCase<"Shuffle", 12, "shuffle">,
    I32EnumAttrCase<"Mma", 13, "mma">, I32EnumAttrCase<"Other", 14, "other">]> {
  let cppNamespace = "::ioflor";
}

#endif // IOFLOR_DIALECT_IR_IOFLORBASE_TD
