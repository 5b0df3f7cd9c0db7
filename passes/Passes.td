//===- Passes.td - The passes of ioflor --------------------*- tablegen -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every pass runs on one ioflor.subject and writes what it found back as
// operations of it. In pipeline order.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_TD
#define IOFLOR_PASSES_TD

include "mlir/Pass/PassBase.td"

class Ioflor_Pass<string flag> : Pass<flag, "::ioflor::SubjectOp"> {
  let dependentDialects = ["::ioflor::IoflorDialect"];
}

def IoflorRoles : Ioflor_Pass<"ioflor-roles"> {
  let summary = "decide which buffer is Q, K, V, O, S, and the extents";
  let description = [{
    Follows the data flow from the loads through the contractions to the stores
    and sets `role`, `extents` and `evidence` of the slow buffers and `dims` of
    the subject. What annotations said (`annotated`) is kept.
  }];
  let options = [
    Option<"explain", "explain", "bool", "false",
           "print the operands' addresses over the loops of the output's store">,
  ];
}

def IoflorTraffic : Ioflor_Pass<"ioflor-traffic"> {
  let summary = "derive how many words move, as symbolic expressions";
  let description = [{
    Adds `ioflor.count` for each touched slow buffer, direction and measure, and
    `ioflor.footprint`. Each closed form is compared with the interpreter at
    small sizes before it is written.
  }];
  let options = [
    Option<"mode", "mode", "std::string", "\"explicit\"",
           "`explicit` or `cache` (an implicit cache of M words)">,
    Option<"work", "work", "uint64_t", "150000",
           "units of work for all counts of a subject; beyond, a count is an "
           "interval">,
  ];
}

def IoflorCheckExtents : Ioflor_Pass<"ioflor-check-extents"> {
  let summary = "give up extents that do not fit an execution";
  let description = [{
    Executes the subject at small sizes and compares the words that it touches
    with the extents of Q, K, V and O whose evidence is a guard, the launch or
    the accesses. Where they contradict each other, the buffer's `evidence` says
    so and the subject's `dims` are removed: no floor then applies.
  }];
}

def IoflorCoverSets : Ioflor_Pass<"ioflor-cover-sets"> {
  let summary = "prove coverage for all sizes, by exact integer sets";
  let description = [{
    Adds `ioflor.coverage` by `sets` for `q`, `k`, `v`, `o` and `pairs`: `proved`
    or `undecided` with the construct that caused it. Needs the roles.
  }];
  let options = [
    Option<"explain", "explain", "bool", "false",
           "print the relations that were found">,
    Option<"operations", "operations", "uint64_t", "0",
           "limit of integer-set operations; 0: the built-in one">,
  ];
}

def IoflorCoverExec : Ioflor_Pass<"ioflor-cover-exec"> {
  let summary = "execute the skeleton and see which entries and pairs it covers";
  let description = [{
    Executes the subject at a few small admissible sizes on provenance instead
    of numbers: each word is known by the operand entries, scores and weights
    that it is made of. Adds `ioflor.coverage` by `execution`: `refuted` with a
    witness, `agrees`, or `undecided`. Proves nothing.
  }];
  let options = [
    Option<"steps", "steps", "uint64_t", "28000000",
           "operations of single threads that all executions may take">,
  ];
}

def IoflorFloors : Ioflor_Pass<"ioflor-floors"> {
  let summary = "add the lower bounds whose hypotheses the subject can meet";
  let options = [
    Option<"fastWords", "M", "std::string", "\"\"",
           "fast words of one CTA; empty: every admissible M">,
    Option<"target", "target", "std::string", "\"\"",
           "architecture that gives M, e.g. `sm_80`">,
    Option<"floors", "floor", "std::string", "\"\"",
           "optional floors: `tight`, `sharp`, `small-cache`, `fmm`, joined by "
           "commas">,
  ];
}

def IoflorProve : Ioflor_Pass<"ioflor-prove"> {
  let summary = "prove that traffic is at least each floor, or find a witness";
  let options = [
    Option<"fastWords", "M", "std::string", "\"\"",
           "fast words of one CTA; empty: every admissible M">,
    Option<"target", "target", "std::string", "\"\"",
           "architecture that gives M, e.g. `sm_80`">,
    Option<"rlimit", "rlimit", "uint64_t", "0",
           "resource limit of one query; 0: the built-in one">,
    Option<"smt2", "smt2", "std::string", "\"\"",
           "folder to which every query is written as SMT-LIB">,
  ];
}

def IoflorJudge : Ioflor_Pass<"ioflor-judge"> {
  let summary = "turn what is known into findings and one verdict";
  let options = [
    Option<"fastWords", "M", "std::string", "\"\"",
           "fast words of one CTA; empty: every admissible M">,
    Option<"target", "target", "std::string", "\"\"",
           "architecture that gives M, e.g. `sm_80`">,
    Option<"maxRatio", "max-ratio", "std::string", "\"\"",
           "warn where traffic exceeds this multiple of the floor">,
  ];
}

def IoflorInterpret : Ioflor_Pass<"ioflor-interpret"> {
  let summary = "execute the skeleton at given sizes and print the counts";
  let description = [{
    `--ioflor-interpret='sizes=N=64,d=4'` prints, for each slow buffer and
    direction, issued, traffic and compulsory words; an interval is printed as
    `[lo, hi]`, with `?` for an end that is not known. Changes nothing.
  }];
  let options = [
    Option<"sizes", "sizes", "std::string", "\"\"",
           "values of the symbols: `name=value`, joined by commas">,
    Option<"maxSteps", "max-steps", "uint64_t", "20000000",
           "steps after which the interpreter gives up">,
    Option<"instructions", "instructions", "bool", "false",
           "print the counts of each instruction, too">,
  ];
}

def IoflorCertificate : Pass<"ioflor-certificate", "::mlir::ModuleOp"> {
  let summary = "write the certificate of every judged subject as JSON";
  let options = [
    Option<"file", "file", "std::string", "\"-\"",
           "where to write; `-`: standard output">,
    Option<"fastWords", "M", "std::string", "\"\"",
           "the M that the passes were given">,
    Option<"target", "target", "std::string", "\"\"",
           "the target that the passes were given">,
    Option<"mode", "mode", "std::string", "\"explicit\"",
           "the mode that the passes were given">,
  ];
  let dependentDialects = ["::ioflor::IoflorDialect"];
}

#endif // IOFLOR_PASSES_TD
