//===- ExtractPasses.td - The passes of the MLIR door ------*- tablegen -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_EXTRACT_PASSES_TD
#define IOFLOR_EXTRACT_PASSES_TD

include "mlir/Pass/PassBase.td"

// Where a kernel's launch is not in the module.
def Ioflor_Grid : Option<"grid", "grid", "std::string", "\"\"",
    "extents of the grid of a kernel that nothing in the module launches: "
    "expressions over its integer arguments, x first, between semicolons; the "
    "attribute `ioflor.grid` of the function comes first">;
def Ioflor_Block : Option<"block", "block", "std::string", "\"\"",
    "extents of its blocks, likewise (`ioflor.block`)">;
def Ioflor_Assume : Option<"assumed", "assume", "std::string", "\"\"",
    "conditions over integer arguments and dynamic dimensions that hold at "
    "every call, between semicolons (`ioflor.assume`)">;

class Ioflor_ModulePass<string flag> : Pass<flag, "::mlir::ModuleOp"> {
  let dependentDialects = ["::ioflor::IoflorDialect"];
}

def IoflorExtract : Ioflor_ModulePass<"ioflor-extract"> {
  let summary = "write the skeleton of every function that may be attention";
  let description = [{
    Adds an `ioflor.subject` named `FUNCTION.skeleton` to the module for each
    function with two products and exponentials that are summed, at any level from
    linalg on tensors to gpu launches. The functions are not touched. What is not
    understood becomes an `ioflor.unknown` with the reason.
  }];
  let options = [
    Option<"functions", "functions", "std::string", "\"\"",
           "regular expression of the functions to read; empty: those that may "
           "be attention">,
    Ioflor_Grid, Ioflor_Block, Ioflor_Assume,
  ];
}

def IoflorVerify : Ioflor_ModulePass<"ioflor-verify"> {
  let summary = "compare the traffic of attention with its floors, in a pipeline";
  let description = [{
    Extracts the skeletons beside the module, runs ioflor's passes on them and
    reports at the operations that caused a finding. The module is not changed.
  }];
  let options = [
    Option<"fastWords", "M", "std::string", "\"\"",
           "fast words of one CTA; empty: every admissible M">,
    Option<"target", "target", "std::string", "\"\"",
           "architecture that gives M, e.g. `sm_80`">,
    Option<"floors", "floor", "std::string", "\"\"",
           "optional floors: `tight`, `sharp`, `small-cache`, `fmm`, joined by "
           "commas">,
    Option<"mode", "mode", "std::string", "\"\"",
           "`explicit`: only what crosses memory spaces; `cache`: an ideal cache "
           "of M words; empty: explicit where the function names memory spaces "
           "or launches a kernel, else cache">,
    Option<"maxRatio", "max-ratio", "std::string", "\"\"",
           "warn where traffic exceeds this multiple of the floor">,
    Option<"remarks", "remarks", "std::string", "\"\"",
           "remarks to print: `none`, `all` or IDs joined by commas; empty: "
           "certified and inconclusive">,
    Option<"onViolation", "on-violation", "std::string", "\"warning\"",
           "how a flag is reported: `remark`, `warning` or `error`">,
    Option<"certificate", "certificate", "std::string", "\"\"",
           "file for the certificates">,
    Option<"smt2", "smt2", "std::string", "\"\"",
           "folder to which every query is written as SMT-LIB">,
    Option<"functions", "functions", "std::string", "\"\"",
           "regular expression of the functions to read">,
    Ioflor_Grid, Ioflor_Block, Ioflor_Assume,
  ];
}

#endif // IOFLOR_EXTRACT_PASSES_TD
