//===- IoflorOps.td - Operations of the ioflor dialect -----*- tablegen -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_DIALECT_IR_IOFLOROPS_TD
#define IOFLOR_DIALECT_IR_IOFLOROPS_TD

include "dialect/ir/IoflorBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Ioflor_Op<string opMnemonic, list<Trait> traits = []>
    : Op<Ioflor_Dialect, opMnemonic, traits>;

def Ioflor_SubjectOp : Ioflor_Op<"subject",
    [IsolatedFromAbove, Symbol, SymbolTable, NoTerminator, SingleBlock]> {
  let summary = "one kernel at one launch, or the pipeline of one host function";
  let description = [{
    Holds the symbols, the assumptions, the slow buffers that its stages share,
    and the stages in launch order, possibly inside `host` loops.

    `info` describes where it comes from: `name`, `file`, `line`, `column`,
    `language`, `target`, `instantiation`, `launch`. `disclosure` says what the
    author declared (absent: nothing): `kind` (`exact`, `causal`,
    `causal_top_left`, `window`, `window_symmetric`, `approximate`, `sparse`,
    `masked_by`), `w` (an expression, for windows), `text`, `line`, `column`.
    `claim_words`, `fast_words`: expressions of IOFLOR_CLAIM_WORDS and
    IOFLOR_FAST_WORDS. `dims`: what `ioflor-roles` found: `n_q`, `n_k`, `d`,
    `d_v`, `batch`, `heads`, `kv_heads`.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       DictionaryAttr:$info,
                       OptionalAttr<DictionaryAttr>:$disclosure,
                       OptionalAttr<Ioflor_ExprAttr>:$claim_words,
                       OptionalAttr<Ioflor_ExprAttr>:$fast_words,
                       OptionalAttr<DictionaryAttr>:$dims);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
  // Scopes and nesting, after every op inside is known to be well formed.
  let hasRegionVerifier = 1;
}

def Ioflor_SymbolOp : Ioflor_Op<"symbol", [HasParent<"SubjectOp">]> {
  let summary = "a symbolic size, with its range";
  let description = [{
    `ioflor.symbol "N" from "1" to "2**31 - 1"`. With `data "reason"` the value
    is decided by memory contents and may differ from use to use: whatever
    depends on it is an interval between the ends of the range.
    `display` is the spelling in the source where it is no identifier
    (`params.seqlen_q`).
  }];
  let arguments = (ins StrAttr:$name,
                       OptionalAttr<Ioflor_ExprAttr>:$lo,
                       OptionalAttr<Ioflor_ExprAttr>:$hi,
                       OptionalAttr<StrAttr>:$data,
                       OptionalAttr<StrAttr>:$display);
  let assemblyFormat = [{
    $name (`from` custom<ExprText>($lo)^)? (`to` custom<ExprText>($hi)^)?
    (`data` $data^)? (`display` $display^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Ioflor_AssumeOp : Ioflor_Op<"assume", [HasParent<"SubjectOp">]> {
  let summary = "a condition that holds at every launch, and who said so";
  let description = [{
    `ioflor.assume "mod(N, 64) == 0" source "TORCH_CHECK at attn.cu:12"`.
  }];
  let arguments = (ins Ioflor_CondAttr:$condition, StrAttr:$source);
  let assemblyFormat = [{
    custom<CondText>($condition) `source` $source attr-dict
  }];
}

def Ioflor_BufferOp : Ioflor_Op<"buffer",
    [Symbol, ParentOneOf<["SubjectOp", "StageOp"]>]> {
  let summary = "a region of memory that the kernel addresses";
  let description = [{
    Slow buffers stand in the subject; shared and private ones in their stage.
    Addresses count elements of `element_bytes` bytes from the buffer's start.
    `words` is the size where it is known (fast buffers: per CTA for shared, per
    thread for private). `scalar` marks a register: a value that crosses regions,
    no array of the program. `role`, `extents` and `evidence` are set by
    `ioflor-roles` or by annotations (`annotated`); extents are ordered from the
    slowest dimension to the columns, e.g. [batch, heads, rows, columns].
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       Ioflor_Space:$space,
                       I64Attr:$element_bytes,
                       OptionalAttr<Ioflor_ExprAttr>:$words,
                       OptionalAttr<Ioflor_Role>:$role,
                       OptionalAttr<TypedArrayAttrBase<Ioflor_ExprAttr, "expressions">>:$extents,
                       OptionalAttr<StrAttr>:$evidence,
                       OptionalAttr<StrAttr>:$display,
                       UnitAttr:$scalar,
                       UnitAttr:$annotated);
  let assemblyFormat = [{
    $space $sym_name `:` $element_bytes `bytes`
    (`words` custom<ExprText>($words)^)? (`role` $role^)?
    (`scalar` $scalar^)? attr-dict
  }];
  let hasVerifier = 1;
}

// No Symbol: it may stand in a host loop, which is no symbol table. The subject
// checks that names are unique.
def Ioflor_StageOp : Ioflor_Op<"stage",
    [SymbolTable, NoTerminator, SingleBlock]> {
  let summary = "one kernel launch of a subject";
  let description = [{
    Its body holds its fast buffers and then the grid loops, inside them the
    thread loops, inside them the sequential program of a thread.
    `registers` is the number of live 32-bit SSA values of one thread at the
    widest point (upper end of the footprint), `threads` the threads of a CTA.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       DictionaryAttr:$info,
                       Ioflor_ExprAttr:$threads,
                       I64Attr:$registers);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `threads` custom<ExprText>($threads) `registers` $registers
    attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
}

def Ioflor_LoopOp : Ioflor_Op<"loop", [NoTerminator, SingleBlock]> {
  let summary = "iterations var = 0 .. trips-1";
  let description = [{
    `ioflor.loop grid "bx" to "ceildiv(N, 64)" { ... }`. `var` is unique in the
    subject and may be used in every expression inside. A trip count below 1
    means no iteration. `source` is the text of the loop's header, for messages.
  }];
  let arguments = (ins Ioflor_LoopKind:$kind, StrAttr:$var,
                       Ioflor_ExprAttr:$trips,
                       OptionalAttr<StrAttr>:$source);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $kind $var `to` custom<ExprText>($trips) attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
}

def Ioflor_GuardOp : Ioflor_Op<"guard", [NoTerminator, SingleBlock]> {
  let summary = "runs its body where a condition holds";
  let arguments = (ins Ioflor_CondAttr:$condition);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    custom<CondText>($condition) attr-dict-with-keyword $body
  }];
}

def Ioflor_LoadOp : Ioflor_Op<"load"> {
  let summary = "reads `width` consecutive elements of a buffer";
  let description = [{
    `%v = ioflor.load @Q["32*bx + tx"] width 4 instr 7`. Without an address
    (`@Q[?]`) only the buffer is known and `unknown` says why. `instr` numbers
    the instruction in its stage: accesses of the threads of a CTA to one address
    by one instruction in one iteration are one transfer. `atomic` marks the
    reading half of an atomic update.
  }];
  let arguments = (ins FlatSymbolRefAttr:$buffer,
                       OptionalAttr<Ioflor_ExprAttr>:$address,
                       DefaultValuedAttr<I64Attr, "1">:$width,
                       I64Attr:$instr,
                       OptionalAttr<StrAttr>:$unknown,
                       UnitAttr:$atomic);
  let results = (outs Ioflor_ValueType:$result);
  let assemblyFormat = [{
    $buffer `[` custom<AddressText>($address) `]` (`width` $width^)?
    `instr` $instr (`atomic` $atomic^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Ioflor_StoreOp : Ioflor_Op<"store"> {
  let summary = "writes `width` consecutive elements of a buffer";
  let arguments = (ins Ioflor_ValueType:$value,
                       FlatSymbolRefAttr:$buffer,
                       OptionalAttr<Ioflor_ExprAttr>:$address,
                       DefaultValuedAttr<I64Attr, "1">:$width,
                       I64Attr:$instr,
                       OptionalAttr<StrAttr>:$unknown,
                       UnitAttr:$atomic);
  let assemblyFormat = [{
    $value `to` $buffer `[` custom<AddressText>($address) `]` (`width` $width^)?
    `instr` $instr (`atomic` $atomic^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Ioflor_ComputeOp : Ioflor_Op<"compute", [Pure]> {
  let summary = "makes a value of others";
  let description = [{
    `%s = ioflor.compute fma(%q, %k, %acc)`. Products of two loaded values that
    are summed are a contraction; which of them are scores and which the weighted
    sum is decided by `ioflor-roles` from the data flow. `detail` keeps the name
    of the instruction or callee, or a constant's value.
  }];
  let arguments = (ins Ioflor_ComputeKind:$kind,
                       Variadic<Ioflor_ValueType>:$operands,
                       OptionalAttr<StrAttr>:$detail);
  let results = (outs Ioflor_ValueType:$result);
  let assemblyFormat = [{ $kind `(` $operands `)` ($detail^)? attr-dict }];
}

def Ioflor_BarrierOp : Ioflor_Op<"barrier"> {
  let summary = "the threads of a CTA meet";
  let assemblyFormat = "attr-dict";
}

def Ioflor_UnknownOp : Ioflor_Op<"unknown"> {
  let summary = "what the extractor could not read";
  let description = [{
    `reads` and `writes` list the buffers that it may touch; `any` means that it
    may touch every slow buffer. Makes what it may touch inconclusive.
  }];
  let arguments = (ins StrAttr:$reason,
                       OptionalAttr<TypedArrayAttrBase<FlatSymbolRefAttr, "buffers">>:$reads,
                       OptionalAttr<TypedArrayAttrBase<FlatSymbolRefAttr, "buffers">>:$writes,
                       UnitAttr:$any);
  let assemblyFormat = "$reason attr-dict";
}

//===----------------------------------------------------------------------===//
// What the passes found. These stand in the subject, after its stages.
//===----------------------------------------------------------------------===//

def Ioflor_CountOp : Ioflor_Op<"count", [HasParent<"SubjectOp">]> {
  let summary = "words that a subject moves for one buffer in one direction";
  let description = [{
    Written by `ioflor-traffic` for each slow buffer and direction that is
    touched. `direction` is `loads` or `stores`; `measure` is `issued`, `traffic` or `compulsory`; lo == hi where
    the code determines it. `exact` says that lo is the count for every
    admissible size; otherwise the count lies in [lo, hi] (hi absent: no upper
    end is known) and `reason` says why. `checked` is the number of small sizes
    at which the interpreter agreed.
  }];
  let arguments = (ins FlatSymbolRefAttr:$buffer,
                       StrAttr:$direction, StrAttr:$measure,
                       Ioflor_ExprAttr:$lo, OptionalAttr<Ioflor_ExprAttr>:$hi,
                       UnitAttr:$exact, OptionalAttr<StrAttr>:$reason,
                       DefaultValuedAttr<I64Attr, "0">:$checked);
  let assemblyFormat = [{
    $buffer $direction $measure `lo` custom<ExprText>($lo)
    (`hi` custom<ExprText>($hi)^)? (`exact` $exact^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Ioflor_FootprintOp : Ioflor_Op<"footprint", [HasParent<"SubjectOp">]> {
  let summary = "fast words that one CTA needs, at least and at most";
  let arguments = (ins Ioflor_ExprAttr:$lo, OptionalAttr<Ioflor_ExprAttr>:$hi);
  let assemblyFormat = [{
    `lo` custom<ExprText>($lo) (`hi` custom<ExprText>($hi)^)? attr-dict
  }];
}

def Ioflor_FloorOp : Ioflor_Op<"floor", [HasParent<"SubjectOp">]> {
  let summary = "a lower bound that applies to this subject: num / den words";
  let description = [{
    `kind` names it (`saha-ye`, `scan-q`, `scan-k`, `scan-v`, `scan-o`, `scan`,
    `tight`, ...), `against` what it bounds (`qk` loads of Q and K and score
    traffic, `q`, `k`, `v`, `o`, `loads`, `total`), `hypotheses` under which
    conditions on the symbols and M. `source` is the theorem.
  }];
  let arguments = (ins StrAttr:$kind, StrAttr:$against,
                       Ioflor_ExprAttr:$num, Ioflor_ExprAttr:$den,
                       ArrayAttr:$hypotheses, StrAttr:$source);
  let assemblyFormat = [{
    $kind `against` $against `num` custom<ExprText>($num) `den`
    custom<ExprText>($den) attr-dict
  }];
}

def Ioflor_ObligationOp : Ioflor_Op<"obligation", [HasParent<"SubjectOp">]> {
  let summary = "a statement given to the solver, and its answer";
  let description = [{
    `result`: `proved`, `refuted` (with a witness re-evaluated in exact
    arithmetic), `unknown`, `vacuous` (the hypotheses cannot hold). `smt2` is the
    whole query; `unsat` is a proof.
  }];
  let arguments = (ins StrAttr:$name, StrAttr:$result, StrAttr:$solver,
                       StrAttr:$smt2, OptionalAttr<DictionaryAttr>:$witness);
  let assemblyFormat = "$name $result attr-dict";
  let hasVerifier = 1;
}

def Ioflor_CoverageOp : Ioflor_Op<"coverage", [HasParent<"SubjectOp">]> {
  let summary = "what one analysis knows of the coverage of one thing";
  let description = [{
    `ioflor.coverage "k" "proved" by "sets"`. `what` is `q`, `k`, `v` (every
    required entry is read), `o` (every entry is written, by one owner) or
    `pairs` (the weighted sum of every stored row has each pair of `mask`
    exactly once, with all d columns in its score, and no other).

    `state`: `proved` (for every size that the assumptions allow), `agrees` (at
    every size executed, which proves nothing), `refuted` (a `witness`: sizes by
    symbol name, each a decimal string) or `undecided` (`reason` says why; the
    op's location is the construct that caused it). `by` is `sets` (integer
    sets) or `execution`.

    Of `pairs`, `mask` names the set as a disclosure would: `full`, `causal`
    (bottom-right), `causal_top_left`, `window`, `window_symmetric` with `w`;
    or, where no disclosure exists for it, in words. `pairs` is their number for
    one head of one batch. `checked` is the number of sizes executed.
  }];
  let arguments = (ins StrAttr:$what, StrAttr:$state, StrAttr:$by,
                       OptionalAttr<StrAttr>:$mask, OptionalAttr<Ioflor_ExprAttr>:$w,
                       OptionalAttr<Ioflor_ExprAttr>:$pairs,
                       OptionalAttr<StrAttr>:$reason,
                       OptionalAttr<DictionaryAttr>:$witness,
                       DefaultValuedAttr<I64Attr, "0">:$checked);
  let assemblyFormat = "$what $state `by` $by (`mask` $mask^)? attr-dict";
  let hasVerifier = 1;
}

def Ioflor_FindingOp : Ioflor_Op<"finding", [HasParent<"SubjectOp">]> {
  let summary = "one diagnostic";
  let description = [{
    `severity`: `flag` (the verdict is flagged), `warning`, `remark`. Points at
    the op's location. `notes` are strings, each printed as a note. `witness`
    holds the sizes (symbol -> decimal string) and, where the finding is about
    one, `words` and `floor`. `insert` is the text of a fix-it put before the
    function's declaration.
  }];
  let arguments = (ins StrAttr:$id, StrAttr:$severity, StrAttr:$message,
                       ArrayAttr:$notes, OptionalAttr<DictionaryAttr>:$witness,
                       OptionalAttr<StrAttr>:$insert);
  let assemblyFormat = "$id $severity $message attr-dict";
  let hasVerifier = 1;
}

def Ioflor_VerdictOp : Ioflor_Op<"verdict", [HasParent<"SubjectOp">]> {
  let summary = "certified, flagged, inconclusive or not-attention";
  let arguments = (ins StrAttr:$verdict, StrAttr:$reason);
  let assemblyFormat = "$verdict $reason attr-dict";
  let hasVerifier = 1;
}

#endif // IOFLOR_DIALECT_IR_IOFLOROPS_TD
