// RUN: %ioflor_opt %s | %ioflor_opt | FileCheck %s
// RUN: %ioflor_opt %s --mlir-print-op-generic | %ioflor_opt | FileCheck %s

// Every op, with and without its optional parts, prints as it was written.

// CHECK-LABEL: ioflor.subject @attention attributes
// CHECK-SAME: claim_words = #ioflor.expr<"2*N*d">
// CHECK-SAME: dims = {n_q = #ioflor.expr<"N">}
// CHECK-SAME: disclosure = {kind = "window", w = #ioflor.expr<"W">}
// CHECK-SAME: info = {name = "attention"}
ioflor.subject @attention attributes {
    claim_words = #ioflor.expr<"N*d*2">,
    dims = {n_q = #ioflor.expr<"N">},
    disclosure = {kind = "window", w = #ioflor.expr<"W">},
    info = {name = "attention"}} {
  // CHECK: ioflor.symbol "N" from "1" to "2147483647" display "params.n"
  ioflor.symbol "N" from "1" to "2**31 - 1" display "params.n"
  // CHECK: ioflor.symbol "d"{{$}}
  ioflor.symbol "d"
  // CHECK: ioflor.symbol "W" from "1" to "N"
  ioflor.symbol "W" from "1" to "N"
  // CHECK: ioflor.symbol "len" from "0" to "N" data "loaded from lengths"
  ioflor.symbol "len" from "0" to "N" data "loaded from lengths"
  // CHECK: ioflor.assume "mod(N, 64) == 0" source "assert at a.cu:1"
  ioflor.assume "N % 64 == 0" source "assert at a.cu:1"
  // CHECK: ioflor.buffer slow @Q : 4 bytes words "N*d" role Q {evidence = "assert", extents = [#ioflor.expr<"N">, #ioflor.expr<"d">]}
  ioflor.buffer slow @Q : 4 bytes words "N*d" role Q
    {evidence = "assert", extents = [#ioflor.expr<"N">, #ioflor.expr<"d">]}
  // CHECK: ioflor.buffer slow @K : 2 bytes{{$}}
  ioflor.buffer slow @K : 2 bytes
  // CHECK: ioflor.loop host "h" to "2" {
  ioflor.loop host "h" to "2" {
    // CHECK: ioflor.stage @s threads "32" registers 40 attributes {info = {}} {
    ioflor.stage @s threads "32" registers 40 attributes {info = {}} {
      // CHECK: ioflor.buffer shared @tile : 4 bytes words "32*d"
      ioflor.buffer shared @tile : 4 bytes words "32*d"
      // CHECK: ioflor.buffer private @acc : 4 bytes words "1" scalar
      ioflor.buffer private @acc : 4 bytes words "1" scalar
      // CHECK: ioflor.loop grid "bx" to "ceildiv(N, 32)" {
      ioflor.loop grid "bx" to "ceildiv(N, 32)" {
        // CHECK: ioflor.loop thread "tx" to "32" {
        ioflor.loop thread "tx" to "32" {
          // CHECK: ioflor.guard "32*bx + tx < N" {
          ioflor.guard "32*bx + tx < N" {
            // CHECK: %[[Q:.*]] = ioflor.load @Q["{{.*}}"] width 4 instr 0
            %q = ioflor.load @Q["d*(32*bx + tx)"] width 4 instr 0
            // CHECK: ioflor.store %[[Q]] to @tile["d*tx"] width 4 instr 1
            ioflor.store %q to @tile["tx*d"] width 4 instr 1
          }
          // CHECK: ioflor.barrier
          ioflor.barrier
          // CHECK: ioflor.loop seq "t" to "len" attributes {source = "for (t = 0; t < len; ++t)"} {
          ioflor.loop seq "t" to "len"
              attributes {source = "for (t = 0; t < len; ++t)"} {
            // CHECK: %[[K:.*]] = ioflor.load @K[?] instr 2 atomic {unknown = "index is loaded"}
            %k = ioflor.load @K[?] instr 2 atomic {unknown = "index is loaded"}
            // CHECK: %[[C:.*]] = ioflor.compute constant() "1.5"
            %c = ioflor.compute constant() "1.5"
            // CHECK: %[[S:.*]] = ioflor.compute fma(%[[K]], %[[C]], %[[C]])
            %s = ioflor.compute fma(%k, %c, %c)
            // CHECK: ioflor.guard "unknown(\"loaded value\", {{.*}})" {
            ioflor.guard "unknown(\"loaded value\", u1)" {
              // CHECK: ioflor.store %[[S]] to @K[?] instr 2 atomic {unknown = "index is loaded"}
              ioflor.store %s to @K[?] instr 2 atomic
                {unknown = "index is loaded"}
            }
          }
          // CHECK: ioflor.unknown "inline asm" {any, reads = [@Q], writes = [@K, @tile]}
          ioflor.unknown "inline asm" {any, reads = [@Q], writes = [@K, @tile]}
        }
      }
    }
  }
  // CHECK: ioflor.count @Q "loads" "traffic" lo "N*d" exact {checked = 5 : i64}
  ioflor.count @Q "loads" "traffic" lo "N*d" exact {checked = 5 : i64}
  // CHECK: ioflor.count @K "stores" "issued" lo "0" hi "N*d" {reason = "data"}
  ioflor.count @K "stores" "issued" lo "0" hi "N*d" {reason = "data"}
  // CHECK: ioflor.footprint lo "32*d" hi "32*d + 1280"
  ioflor.footprint lo "32*d" hi "32*d + 1280"
  // CHECK: ioflor.floor "saha-ye" against "qk" num "N**2*d**2" den "2*M" {hypotheses = ["M >= d**2"], source = "Saha & Ye"}
  ioflor.floor "saha-ye" against "qk" num "N*N*d*d" den "2*M"
    {hypotheses = ["M >= d**2"], source = "Saha & Ye"}
  // CHECK: ioflor.obligation "o" "proved" {smt2 = "", solver = "z3"}
  ioflor.obligation "o" "proved" {smt2 = "", solver = "z3"}
  // CHECK: ioflor.finding "ioflor-ratio" "warning" "far" {notes = ["n"]}
  ioflor.finding "ioflor-ratio" "warning" "far" {notes = ["n"]}
  // CHECK: ioflor.coverage "k" "proved" by "sets"
  ioflor.coverage "k" "proved" by "sets"
  // CHECK: ioflor.coverage "pairs" "agrees" by "execution" mask "window" {checked = 4 : i64, pairs = #ioflor.expr<"3*N">, w = #ioflor.expr<"3">}
  ioflor.coverage "pairs" "agrees" by "execution" mask "window"
    {checked = 4 : i64, pairs = #ioflor.expr<"3*N">, w = #ioflor.expr<"3">}
  // CHECK: ioflor.verdict "certified" "all proved"
  ioflor.verdict "certified" "all proved"
}
