// RUN: not %ioflor_opt %s --pass-pipeline='builtin.module(ioflor.subject(ioflor-floors{floor=nosuch}))' 2>&1 | FileCheck %s --check-prefix=FLOOR
// RUN: not %ioflor_opt %s --pass-pipeline='builtin.module(ioflor.subject(ioflor-floors{floor=tight,network}))' 2>&1 | FileCheck %s --check-prefix=NETWORK
// RUN: not %ioflor_opt %s --pass-pipeline='builtin.module(ioflor.subject(ioflor-floors{target=sm_12345}))' 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not %ioflor_opt %s --pass-pipeline='builtin.module(ioflor.subject(ioflor-prove{M=0}))' 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not %ioflor_opt %s --pass-pipeline='builtin.module(ioflor.subject(ioflor-prove{M=rows}))' 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not %ioflor_opt %s --pass-pipeline='builtin.module(ioflor.subject(ioflor-judge{max-ratio=-2}))' 2>&1 | FileCheck %s --check-prefix=RATIO
// FLOOR: error: floor 'nosuch' is not known
// NETWORK: error: floor 'network' is about several devices, not about a kernel
// TARGET: error: target 'sm_12345' is not known
// ZERO: error: M must be at least 1
// NAME: error: M uses 'rows', which the subject does not have
// RATIO: error: max-ratio '-2' is no positive number
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
