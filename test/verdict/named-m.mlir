// RUN: %ioflor_opt %s --pass-pipeline='builtin.module(ioflor.subject(ioflor-floors,ioflor-prove,ioflor-judge))' | FileCheck %s
// A size called M is not the fast memory.
// CHECK: ioflor.floor "saha-ye" against "qk" num "2048*M**2" den "M_fast"
// CHECK: ioflor.obligation "saha-ye" "proved"
// CHECK: ioflor.verdict "inconclusive" "traffic proved, coverage not yet decided"
ioflor.subject @fa2 attributes {info = {file = "fa2.cu", line = 3 : i64}, dims = {n_q = #ioflor.expr<"M">, n_k = #ioflor.expr<"M">, d = #ioflor.expr<"64">, d_v = #ioflor.expr<"64">}} {
  ioflor.symbol "M" from "1" to "2147483647"
  ioflor.buffer slow @Q : 4 bytes role Q {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"M">, #ioflor.expr<"64">], ioflor.extent_evidence = ["guard: i < N"]}
  ioflor.buffer slow @K : 4 bytes role K {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"M">, #ioflor.expr<"64">], ioflor.extent_evidence = ["guard: i < N"]}
  ioflor.buffer slow @V : 4 bytes role V {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"M">, #ioflor.expr<"64">], ioflor.extent_evidence = ["guard: i < N"]}
  ioflor.buffer slow @O : 4 bytes role O {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"M">, #ioflor.expr<"64">], ioflor.extent_evidence = ["guard: i < N"]}
  ioflor.count @Q "loads" "issued" lo "64*M" exact
  ioflor.count @Q "loads" "traffic" lo "64*M" exact
  ioflor.count @Q "loads" "compulsory" lo "64*M" exact
  ioflor.count @K "loads" "issued" lo "64*M*ceildiv(M, 64)" exact
  ioflor.count @K "loads" "traffic" lo "64*M*ceildiv(M, 64)" exact
  ioflor.count @K "loads" "compulsory" lo "64*M*ceildiv(M, 64)" exact
  ioflor.count @V "loads" "issued" lo "64*M*ceildiv(M, 64)" exact
  ioflor.count @V "loads" "traffic" lo "64*M*ceildiv(M, 64)" exact
  ioflor.count @V "loads" "compulsory" lo "64*M*ceildiv(M, 64)" exact
  ioflor.count @O "stores" "issued" lo "64*M" exact
  ioflor.count @O "stores" "traffic" lo "64*M" exact
  ioflor.count @O "stores" "compulsory" lo "64*M" exact
  ioflor.footprint lo "8192" hi "30000"
}
