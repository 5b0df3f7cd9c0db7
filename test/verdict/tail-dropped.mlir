// RUN: %ioflor_opt %s --pass-pipeline='builtin.module(ioflor.subject(ioflor-floors,ioflor-prove,ioflor-judge))' | FileCheck %s
// Whole tiles only: the last keys are never read. One witness an operand, not again for the sum.
// CHECK: ioflor.obligation "scan-k" "refuted"
// CHECK-SAME: witness = {N = "1", floor = "64", words = "0"}
// CHECK: ioflor.finding "ioflor-sub-floor" "flag" "reads 0 words of K at N = 1; exact attention needs at least 64 words"
// CHECK: ioflor.finding "ioflor-sub-floor" "flag" "reads 0 words of V at N = 1; exact attention needs at least 64 words"
// CHECK-NOT: "flag"
// CHECK: ioflor.verdict "flagged"
ioflor.subject @tail attributes {info = {file = "tail.cu", line = 3 : i64}, dims = {n_q = #ioflor.expr<"N">, n_k = #ioflor.expr<"N">, d = #ioflor.expr<"64">, d_v = #ioflor.expr<"64">}} {
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.buffer slow @Q : 4 bytes role Q {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"N">, #ioflor.expr<"64">], ioflor.extent_evidence = ["guard: i < N"]}
  ioflor.buffer slow @K : 4 bytes role K {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"N">, #ioflor.expr<"64">], ioflor.extent_evidence = ["guard: i < N"]}
  ioflor.buffer slow @V : 4 bytes role V {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"N">, #ioflor.expr<"64">], ioflor.extent_evidence = ["guard: i < N"]}
  ioflor.buffer slow @O : 4 bytes role O {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"N">, #ioflor.expr<"64">], ioflor.extent_evidence = ["guard: i < N"]}
  ioflor.count @Q "loads" "issued" lo "64*N" exact
  ioflor.count @Q "loads" "traffic" lo "64*N" exact
  ioflor.count @Q "loads" "compulsory" lo "64*N" exact
  ioflor.count @K "loads" "issued" lo "64*64*floordiv(N, 64)*ceildiv(N, 64)" exact
  ioflor.count @K "loads" "traffic" lo "64*64*floordiv(N, 64)*ceildiv(N, 64)" exact
  ioflor.count @K "loads" "compulsory" lo "64*64*floordiv(N, 64)*ceildiv(N, 64)" exact
  ioflor.count @V "loads" "issued" lo "64*64*floordiv(N, 64)*ceildiv(N, 64)" exact
  ioflor.count @V "loads" "traffic" lo "64*64*floordiv(N, 64)*ceildiv(N, 64)" exact
  ioflor.count @V "loads" "compulsory" lo "64*64*floordiv(N, 64)*ceildiv(N, 64)" exact
  ioflor.count @O "stores" "issued" lo "64*N" exact
  ioflor.count @O "stores" "traffic" lo "64*N" exact
  ioflor.count @O "stores" "compulsory" lo "64*N" exact
  ioflor.footprint lo "8192" hi "30000"
}
