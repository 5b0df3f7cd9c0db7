// RUN: %ioflor_opt %s --pass-pipeline='builtin.module(ioflor.subject(ioflor-floors,ioflor-prove,ioflor-judge))' | FileCheck %s
// The scores of a pipeline of three kernels count towards the floor and are warned of.
// CHECK: ioflor.obligation "saha-ye" "proved"
// CHECK: ioflor.finding "ioflor-materialized-scores" "warning" "scores go through slow memory in 'S': 4*N**2 words that a fused kernel does not move"
// CHECK-SAME: stored: 2*N**2 words; loaded: 2*N**2 words
// CHECK: ioflor.verdict "inconclusive" "traffic proved, coverage not yet decided"
ioflor.subject @naive attributes {info = {file = "naive.cu", line = 3 : i64}, dims = {n_q = #ioflor.expr<"N">, n_k = #ioflor.expr<"N">, d = #ioflor.expr<"64">, d_v = #ioflor.expr<"64">}} {
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.buffer slow @Q : 4 bytes role Q {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"N">, #ioflor.expr<"64">], ioflor.extent_evidence = ["guard: i < N"]}
  ioflor.buffer slow @K : 4 bytes role K {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"N">, #ioflor.expr<"64">], ioflor.extent_evidence = ["guard: i < N"]}
  ioflor.buffer slow @V : 4 bytes role V {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"N">, #ioflor.expr<"64">], ioflor.extent_evidence = ["guard: i < N"]}
  ioflor.buffer slow @O : 4 bytes role O {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"N">, #ioflor.expr<"64">], ioflor.extent_evidence = ["guard: i < N"]}
  ioflor.buffer slow @S : 4 bytes role S {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"N">, #ioflor.expr<"N">], ioflor.extent_evidence = ["guard: i < N"]}
  ioflor.count @Q "loads" "issued" lo "64*N*ceildiv(N, 16)" exact
  ioflor.count @Q "loads" "traffic" lo "64*N*ceildiv(N, 16)" exact
  ioflor.count @Q "loads" "compulsory" lo "64*N*ceildiv(N, 16)" exact
  ioflor.count @K "loads" "issued" lo "64*N*ceildiv(N, 16)" exact
  ioflor.count @K "loads" "traffic" lo "64*N*ceildiv(N, 16)" exact
  ioflor.count @K "loads" "compulsory" lo "64*N*ceildiv(N, 16)" exact
  ioflor.count @V "loads" "issued" lo "64*N*ceildiv(N, 16)" exact
  ioflor.count @V "loads" "traffic" lo "64*N*ceildiv(N, 16)" exact
  ioflor.count @V "loads" "compulsory" lo "64*N*ceildiv(N, 16)" exact
  ioflor.count @O "stores" "issued" lo "64*N" exact
  ioflor.count @O "stores" "traffic" lo "64*N" exact
  ioflor.count @O "stores" "compulsory" lo "64*N" exact
  ioflor.count @S "loads" "issued" lo "2*N**2" exact
  ioflor.count @S "loads" "traffic" lo "2*N**2" exact
  ioflor.count @S "loads" "compulsory" lo "2*N**2" exact
  ioflor.count @S "stores" "issued" lo "2*N**2" exact
  ioflor.count @S "stores" "traffic" lo "2*N**2" exact
  ioflor.count @S "stores" "compulsory" lo "2*N**2" exact
  ioflor.footprint lo "2048" hi "30000"
}
