// RUN: %ioflor_opt %s --pass-pipeline='builtin.module(ioflor.subject(ioflor-floors{target=sm_90},ioflor-prove{target=sm_90},ioflor-judge{target=sm_90 max-ratio=2.5}))' | FileCheck %s
// CHECK: ioflor.finding "ioflor-ratio" "warning" "moves 15.36x the tight floor (own derivation, not peer reviewed), more than the limit of 2.5"
// CHECK-SAME: 34078720 words against 2218475 at sm_90 (M = 123904 words), N = 4096
// CHECK: ioflor.verdict "inconclusive"
ioflor.subject @fa2 attributes {info = {file = "fa2.cu", line = 3 : i64}, dims = {n_q = #ioflor.expr<"N">, n_k = #ioflor.expr<"N">, d = #ioflor.expr<"64">, d_v = #ioflor.expr<"64">}} {
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.buffer slow @Q : 4 bytes role Q {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"N">, #ioflor.expr<"64">], ioflor.extent_evidence = ["guard: i < N"]}
  ioflor.buffer slow @K : 4 bytes role K {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"N">, #ioflor.expr<"64">], ioflor.extent_evidence = ["guard: i < N"]}
  ioflor.buffer slow @V : 4 bytes role V {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"N">, #ioflor.expr<"64">], ioflor.extent_evidence = ["guard: i < N"]}
  ioflor.buffer slow @O : 4 bytes role O {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"N">, #ioflor.expr<"64">], ioflor.extent_evidence = ["guard: i < N"]}
  ioflor.count @Q "loads" "issued" lo "64*N" exact
  ioflor.count @Q "loads" "traffic" lo "64*N" exact
  ioflor.count @Q "loads" "compulsory" lo "64*N" exact
  ioflor.count @K "loads" "issued" lo "64*N*ceildiv(N, 64)" exact
  ioflor.count @K "loads" "traffic" lo "64*N*ceildiv(N, 64)" exact
  ioflor.count @K "loads" "compulsory" lo "64*N*ceildiv(N, 64)" exact
  ioflor.count @V "loads" "issued" lo "64*N*ceildiv(N, 64)" exact
  ioflor.count @V "loads" "traffic" lo "64*N*ceildiv(N, 64)" exact
  ioflor.count @V "loads" "compulsory" lo "64*N*ceildiv(N, 64)" exact
  ioflor.count @O "stores" "issued" lo "64*N" exact
  ioflor.count @O "stores" "traffic" lo "64*N" exact
  ioflor.count @O "stores" "compulsory" lo "64*N" exact
  ioflor.footprint lo "8192" hi "30000"
}
