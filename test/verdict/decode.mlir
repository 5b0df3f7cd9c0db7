// RUN: %ioflor_opt %s --pass-pipeline='builtin.module(ioflor.subject(ioflor-floors,ioflor-prove,ioflor-judge))' | FileCheck %s
// One query: a row of scores in slow memory is no reason to warn.
// CHECK-NOT: ioflor-materialized-scores
// CHECK: ioflor.verdict "inconclusive" "traffic proved, coverage not yet decided"
ioflor.subject @decode attributes {info = {file = "decode.cu", line = 3 : i64}, dims = {n_q = #ioflor.expr<"1">, n_k = #ioflor.expr<"N">, d = #ioflor.expr<"64">, d_v = #ioflor.expr<"64">}} {
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.buffer slow @Q : 4 bytes role Q {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"N">, #ioflor.expr<"64">], ioflor.extent_evidence = ["guard: i < N"]}
  ioflor.buffer slow @K : 4 bytes role K {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"N">, #ioflor.expr<"64">], ioflor.extent_evidence = ["guard: i < N"]}
  ioflor.buffer slow @V : 4 bytes role V {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"N">, #ioflor.expr<"64">], ioflor.extent_evidence = ["guard: i < N"]}
  ioflor.buffer slow @O : 4 bytes role O {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"N">, #ioflor.expr<"64">], ioflor.extent_evidence = ["guard: i < N"]}
  ioflor.buffer slow @S : 4 bytes role S {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"N">, #ioflor.expr<"N">], ioflor.extent_evidence = ["guard: i < N"]}
  ioflor.count @Q "loads" "issued" lo "64" exact
  ioflor.count @Q "loads" "traffic" lo "64" exact
  ioflor.count @Q "loads" "compulsory" lo "64" exact
  ioflor.count @K "loads" "issued" lo "64*N" exact
  ioflor.count @K "loads" "traffic" lo "64*N" exact
  ioflor.count @K "loads" "compulsory" lo "64*N" exact
  ioflor.count @V "loads" "issued" lo "64*N" exact
  ioflor.count @V "loads" "traffic" lo "64*N" exact
  ioflor.count @V "loads" "compulsory" lo "64*N" exact
  ioflor.count @O "stores" "issued" lo "64" exact
  ioflor.count @O "stores" "traffic" lo "64" exact
  ioflor.count @O "stores" "compulsory" lo "64" exact
  ioflor.count @S "loads" "issued" lo "N" exact
  ioflor.count @S "loads" "traffic" lo "N" exact
  ioflor.count @S "loads" "compulsory" lo "N" exact
  ioflor.count @S "stores" "issued" lo "N" exact
  ioflor.count @S "stores" "traffic" lo "N" exact
  ioflor.count @S "stores" "compulsory" lo "N" exact
  ioflor.footprint lo "2048" hi "30000"
}
