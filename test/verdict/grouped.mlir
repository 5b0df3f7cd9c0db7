// RUN: %ioflor_opt %s --pass-pipeline='builtin.module(ioflor.subject(ioflor-floors,ioflor-prove,ioflor-judge))' | FileCheck %s
// Keys once per query head of a group; a query tile once per key.
// CHECK: ioflor.obligation "scan-k" "proved"
// CHECK: ioflor.finding "ioflor-redundant-load" "remark" "Q is read again in each of the nk iterations of seq loop 'j', on which its address does not depend"
// CHECK: ioflor.finding "ioflor-redundant-load" "remark" "K is read once per query head, group times as often as one CTA per KV head would"
// CHECK-NOT: ioflor-redundant-load
// CHECK: ioflor.verdict "inconclusive" "traffic proved, coverage not yet decided"
ioflor.subject @gqa attributes {info = {file = "gqa.cu", line = 3 : i64}, dims = {n_q = #ioflor.expr<"nq">, n_k = #ioflor.expr<"nk">, d = #ioflor.expr<"64">, d_v = #ioflor.expr<"64">, heads = #ioflor.expr<"heads">, kv_heads = #ioflor.expr<"floordiv(heads, group)">}} {
  ioflor.symbol "nq" from "1" to "2147483647"
  ioflor.symbol "nk" from "1" to "2147483647"
  ioflor.symbol "heads" from "1" to "65535"
  ioflor.symbol "group" from "1" to "65535"
  ioflor.assume "mod(heads, group) == 0" source "host check"
  ioflor.assume "group <= heads" source "host check"
  ioflor.buffer slow @Q : 4 bytes role Q {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"heads">, #ioflor.expr<"nq">, #ioflor.expr<"64">], ioflor.extent_evidence = ["guard: i < N"]}
  ioflor.buffer slow @K : 4 bytes role K {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"heads">, #ioflor.expr<"nq">, #ioflor.expr<"64">], ioflor.extent_evidence = ["guard: i < N"]}
  ioflor.buffer slow @V : 4 bytes role V {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"heads">, #ioflor.expr<"nq">, #ioflor.expr<"64">], ioflor.extent_evidence = ["guard: i < N"]}
  ioflor.buffer slow @O : 4 bytes role O {evidence = "rows: guard: i < N", extents = [#ioflor.expr<"heads">, #ioflor.expr<"nq">, #ioflor.expr<"64">], ioflor.extent_evidence = ["guard: i < N"]}
  ioflor.stage @k threads "64" registers 32 attributes {info = {}} {
    ioflor.loop grid "bx" to "ceildiv(nq, 64)" {
      ioflor.loop grid "by" to "heads" {
        ioflor.loop seq "j" to "nk" {
          ioflor.loop seq "c" to "64" {
            %k = ioflor.load @K["64*nk*floordiv(by, group) + 64*j + c"] instr 0
            %q = ioflor.load @Q["64*nq*by + 4096*bx + c"] instr 1
          }
        }
      }
    }
  }
  ioflor.count @Q "loads" "issued" lo "64*heads*nq*nk" exact
  ioflor.count @Q "loads" "traffic" lo "64*heads*nq*nk" exact
  ioflor.count @Q "loads" "compulsory" lo "64*heads*nq*nk" exact
  ioflor.count @K "loads" "issued" lo "64*heads*nk*ceildiv(nq, 64)" exact
  ioflor.count @K "loads" "traffic" lo "64*heads*nk*ceildiv(nq, 64)" exact
  ioflor.count @K "loads" "compulsory" lo "64*heads*nk*ceildiv(nq, 64)" exact
  ioflor.count @V "loads" "issued" lo "64*heads*nk*ceildiv(nq, 64)" exact
  ioflor.count @V "loads" "traffic" lo "64*heads*nk*ceildiv(nq, 64)" exact
  ioflor.count @V "loads" "compulsory" lo "64*heads*nk*ceildiv(nq, 64)" exact
  ioflor.count @O "stores" "issued" lo "64*heads*nq" exact
  ioflor.count @O "stores" "traffic" lo "64*heads*nq" exact
  ioflor.count @O "stores" "compulsory" lo "64*heads*nq" exact
  ioflor.footprint lo "4096" hi "30000"
}
