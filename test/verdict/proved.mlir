// RUN: %ioflor_opt %s --pass-pipeline='builtin.module(ioflor.subject(ioflor-floors,ioflor-prove,ioflor-judge))' | FileCheck %s
// Tiles of 64 rows against all keys: traffic proved, the ratio at the default target.
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
// CHECK: ioflor.finding "ioflor-inconclusive" "remark" "traffic proved, coverage not yet decided: moves 13.3x the tight floor at sm_80 (N = 4096)"
// CHECK-SAME: derived: 128*N*ceildiv(N, 64) + 128*N words for exact attention
// CHECK-NOT: ioflor.finding
// CHECK: ioflor.verdict "inconclusive" "traffic proved, coverage not yet decided"
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

// The certificate has the schema's fields, its expressions evaluate, and its
// queries are unsat for z3 as a program.
// RUN: %ioflor_opt %s --pass-pipeline='builtin.module(ioflor.subject(ioflor-floors,ioflor-prove,ioflor-judge),ioflor-certificate{file=%t.json})' -o /dev/null
// RUN: %python %S/Inputs/check_certificate.py %t.json --at N=1 | FileCheck %s --check-prefix=JSON
// RUN: %python %S/Inputs/check_certificate.py %t.json --at N=1000
// RUN: FileCheck %s --check-prefix=TEXT < %t.json
// JSON: 1 certificates hold
// TEXT: "schema": "ioflor-certificate-v1"
// TEXT: "total": "128*N*ceildiv(N, 64) + 128*N"
// TEXT: "pairs": "N**2"
// TEXT: "reason": "traffic proved, coverage not yet decided"
