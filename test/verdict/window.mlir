// RUN: %ioflor_opt %s --pass-pipeline='builtin.module(ioflor.subject(ioflor-floors,ioflor-prove,ioflor-judge))' | FileCheck %s
// A window of 256 keys: below the floor of full attention at a size that is checked exactly.
// CHECK: ioflor.obligation "saha-ye" "refuted"
// CHECK-SAME: witness = {M = "30000", N = "[[N:[0-9]+]]", floor = "[[F:[0-9]+]]", words = "[[W:[0-9]+]]"}
// CHECK: ioflor.obligation "scan-k" "proved"
// CHECK: ioflor.finding "ioflor-sub-floor" "flag" "moves [[W]] words of Q, K and scores at N = [[N]]; exact attention needs at least [[F]] words"
// CHECK-SAME: insert = "IOFLOR_WINDOW(256) "
// CHECK-SAME: derived: 64*N + 
// CHECK-SAME: floor (saha-ye): 2048*N**2/M words at M = 30000 words of fast memory
// CHECK-SAME: disclose it by IOFLOR_WINDOW(256)
// CHECK: ioflor.verdict "flagged" "ioflor-sub-floor: moves
ioflor.subject @window attributes {info = {file = "window.cu", line = 3 : i64}, dims = {n_q = #ioflor.expr<"N">, n_k = #ioflor.expr<"N">, d = #ioflor.expr<"64">, d_v = #ioflor.expr<"64">}} {
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.buffer slow @Q : 4 bytes role Q {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"N">, #ioflor.expr<"64">], ioflor.extent_evidence = ["guard: i < N"]}
  ioflor.buffer slow @K : 4 bytes role K {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"N">, #ioflor.expr<"64">], ioflor.extent_evidence = ["guard: i < N"]}
  ioflor.buffer slow @V : 4 bytes role V {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"N">, #ioflor.expr<"64">], ioflor.extent_evidence = ["guard: i < N"]}
  ioflor.buffer slow @O : 4 bytes role O {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"N">, #ioflor.expr<"64">], ioflor.extent_evidence = ["guard: i < N"]}
  ioflor.count @Q "loads" "issued" lo "64*N" exact
  ioflor.count @Q "loads" "traffic" lo "64*N" exact
  ioflor.count @Q "loads" "compulsory" lo "64*N" exact
  ioflor.count @K "loads" "issued" lo "64*sum(min(N, 64*i + 64) - max(0, 64*i - 255) for i in range(0, ceildiv(N, 64)))" exact
  ioflor.count @K "loads" "traffic" lo "64*sum(min(N, 64*i + 64) - max(0, 64*i - 255) for i in range(0, ceildiv(N, 64)))" exact
  ioflor.count @K "loads" "compulsory" lo "64*sum(min(N, 64*i + 64) - max(0, 64*i - 255) for i in range(0, ceildiv(N, 64)))" exact
  ioflor.count @V "loads" "issued" lo "64*sum(min(N, 64*i + 64) - max(0, 64*i - 255) for i in range(0, ceildiv(N, 64)))" exact
  ioflor.count @V "loads" "traffic" lo "64*sum(min(N, 64*i + 64) - max(0, 64*i - 255) for i in range(0, ceildiv(N, 64)))" exact
  ioflor.count @V "loads" "compulsory" lo "64*sum(min(N, 64*i + 64) - max(0, 64*i - 255) for i in range(0, ceildiv(N, 64)))" exact
  ioflor.count @O "stores" "issued" lo "64*N" exact
  ioflor.count @O "stores" "traffic" lo "64*N" exact
  ioflor.count @O "stores" "compulsory" lo "64*N" exact
  ioflor.footprint lo "8192" hi "30000"
}
