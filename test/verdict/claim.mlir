// RUN: split-file %s %t
// RUN: %ioflor_opt %t/right.mlir --pass-pipeline='builtin.module(ioflor.subject(ioflor-floors,ioflor-prove,ioflor-judge))' | FileCheck %s --check-prefix=RIGHT
// RUN: %ioflor_opt %t/below.mlir --pass-pipeline='builtin.module(ioflor.subject(ioflor-floors,ioflor-prove,ioflor-judge))' | FileCheck %s --check-prefix=BELOW
// RUN: %ioflor_opt %t/other.mlir --pass-pipeline='builtin.module(ioflor.subject(ioflor-floors,ioflor-prove,ioflor-judge))' | FileCheck %s --check-prefix=OTHER

// RIGHT-NOT: ioflor-claim
// RIGHT: ioflor.verdict "inconclusive" "traffic proved, coverage not yet decided"
// BELOW: ioflor.finding "ioflor-claim" "flag" "claims 192 words at N = 1; exact attention needs at least 256"
// OTHER: ioflor.finding "ioflor-claim" "flag" "claims 257 words at N = 1; the kernel moves 256"
// OTHER-SAME: claimed: {{.*}} words; derived: 
// OTHER: ioflor.verdict "flagged"
//--- right.mlir
ioflor.subject @fa2 attributes {info = {file = "fa2.cu", line = 3 : i64}, dims = {n_q = #ioflor.expr<"N">, n_k = #ioflor.expr<"N">, d = #ioflor.expr<"64">, d_v = #ioflor.expr<"64">}, claim_words = #ioflor.expr<"128*N + 128*N*ceildiv(N, 64)">} {
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
//--- below.mlir
ioflor.subject @fa2 attributes {info = {file = "fa2.cu", line = 3 : i64}, dims = {n_q = #ioflor.expr<"N">, n_k = #ioflor.expr<"N">, d = #ioflor.expr<"64">, d_v = #ioflor.expr<"64">}, claim_words = #ioflor.expr<"192*N">} {
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
//--- other.mlir
ioflor.subject @fa2 attributes {info = {file = "fa2.cu", line = 3 : i64}, dims = {n_q = #ioflor.expr<"N">, n_k = #ioflor.expr<"N">, d = #ioflor.expr<"64">, d_v = #ioflor.expr<"64">}, claim_words = #ioflor.expr<"1 + 128*N + 128*N*ceildiv(N, 64)">} {
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
