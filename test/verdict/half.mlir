// RUN: %ioflor_opt %s --pass-pipeline='builtin.module(ioflor.subject(ioflor-floors,ioflor-prove,ioflor-judge))' | FileCheck %s
// The same in half precision: the target holds twice as many words.
// CHECK: ioflor.floor "saha-ye" against "qk" num "2048*N**2" den "M"
// CHECK: ioflor.floor "scan" against "loads" num "192*N" den "1"
// CHECK: ioflor.floor "tight" {{.*}}reported_only
// CHECK: ioflor.obligation "saha-ye" "proved"
// CHECK-SAME: (set-logic QF_NRA)
// CHECK-SAME: solver = "qfnra-nlsat minimal"
// CHECK: ioflor.obligation "scan-q" "proved"
// CHECK: ioflor.obligation "scan-k" "proved"
// CHECK: ioflor.obligation "scan-v" "proved"
// CHECK: ioflor.obligation "scan-o" "proved"
// CHECK: ioflor.obligation "scan" "proved"
// CHECK-NOT: ioflor.obligation
// CHECK: ioflor.finding "ioflor-inconclusive" "remark" "traffic proved, coverage not yet decided: moves 26.7x the tight floor at sm_80 (N = 4096)"
// CHECK-SAME: derived: 128*N*ceildiv(N, 64) + 128*N words for exact attention
// CHECK-NOT: ioflor.finding
// CHECK: ioflor.verdict "inconclusive" "traffic proved, coverage not yet decided"
ioflor.subject @fa2 attributes {info = {file = "fa2.cu", line = 3 : i64}, dims = {n_q = #ioflor.expr<"N">, n_k = #ioflor.expr<"N">, d = #ioflor.expr<"64">, d_v = #ioflor.expr<"64">}} {
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.buffer slow @Q : 2 bytes role Q {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"N">, #ioflor.expr<"64">], ioflor.extent_evidence = ["guard: i < N"]}
  ioflor.buffer slow @K : 2 bytes role K {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"N">, #ioflor.expr<"64">], ioflor.extent_evidence = ["guard: i < N"]}
  ioflor.buffer slow @V : 2 bytes role V {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"N">, #ioflor.expr<"64">], ioflor.extent_evidence = ["guard: i < N"]}
  ioflor.buffer slow @O : 2 bytes role O {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"N">, #ioflor.expr<"64">], ioflor.extent_evidence = ["guard: i < N"]}
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

