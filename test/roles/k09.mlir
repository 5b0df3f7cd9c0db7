// RUN: %ioflor_opt --ioflor-roles %s | %filecheck %s
// Several query heads share a KV head.

// CHECK: ioflor.subject @grouped
// CHECK-SAME: batch = #ioflor.expr<"1">
// CHECK-SAME: d = #ioflor.expr<"32">
// CHECK-SAME: d_v = #ioflor.expr<"32">
// CHECK-SAME: heads = #ioflor.expr<"heads">
// CHECK-SAME: kv_heads = #ioflor.expr<"ceildiv(heads, group)">
// CHECK-SAME: n_k = #ioflor.expr<"nk">
// CHECK-SAME: n_q = #ioflor.expr<"nq">
// CHECK: ioflor.buffer slow @q : 4 bytes role Q
// CHECK-SAME: extents = [#ioflor.expr<"heads">, #ioflor.expr<"nq">, #ioflor.expr<"32">]
// CHECK: ioflor.buffer slow @k : 4 bytes role K
// CHECK-SAME: extents = [#ioflor.expr<"ceildiv(heads, group)">, #ioflor.expr<"nk">, #ioflor.expr<"32">]
// CHECK: ioflor.buffer slow @v : 4 bytes role V
// CHECK-SAME: extents = [#ioflor.expr<"ceildiv(heads, group)">, #ioflor.expr<"nk">, #ioflor.expr<"32">]
// CHECK: ioflor.buffer slow @o : 4 bytes role O
// CHECK-SAME: extents = [#ioflor.expr<"heads">, #ioflor.expr<"nq">, #ioflor.expr<"32">]
// CHECK-NOT: ioflor.verdict
ioflor.subject @grouped attributes {info = {name = "grouped"}} {
  ioflor.symbol "nq" from "1" to "2147483647"
  ioflor.symbol "nk" from "1" to "2147483647"
  ioflor.symbol "heads" from "1" to "65535"
  ioflor.symbol "group" from "1" to "65535"
  ioflor.buffer slow @q : 4 bytes
  ioflor.buffer slow @k : 4 bytes
  ioflor.buffer slow @v : 4 bytes
  ioflor.buffer slow @o : 4 bytes
  ioflor.stage @s0 threads "32" registers 40 attributes {info = {}} {
    ioflor.buffer shared @ks : 4 bytes words "2048"
    ioflor.buffer shared @vs : 4 bytes words "2048"
    ioflor.buffer private @qi : 4 bytes words "32"
    ioflor.buffer private @acc : 4 bytes words "32"
    ioflor.buffer private @hi : 4 bytes words "1" scalar
    ioflor.buffer private @den : 4 bytes words "1" scalar
    ioflor.buffer private @s : 4 bytes words "1" scalar
    ioflor.loop grid "by" to "heads" {
      ioflor.loop grid "bx" to "ceildiv(nq, 32)" {
        ioflor.loop thread "tx" to "32" {
          %v0 = ioflor.compute constant() "0"
          ioflor.loop seq "c" to "32" {
            ioflor.store %v0 to @acc["c"] instr 0
            ioflor.guard "32*bx + tx < nq" {
              %v1 = ioflor.load @q["(by*nq + 32*bx + tx)*32 + c"] instr 1
              ioflor.store %v1 to @qi["c"] instr 2
            }
          }
          ioflor.store %v0 to @den["0"] instr 3
          %v2 = ioflor.compute constant() "-1e30"
          ioflor.store %v2 to @hi["0"] instr 4
          ioflor.loop seq "t" to "ceildiv(nk, 64)" {
            ioflor.loop seq "ek" to "64" {
              ioflor.guard "floordiv(tx + 32*ek, 32) < min(64, nk - 64*t)" {
                %v3 = ioflor.load @k["(floordiv(by, group)*nk + 64*t)*32 + tx + 32*ek"] instr 5
                ioflor.store %v3 to @ks["32*floordiv(tx + 32*ek, 32) + mod(tx + 32*ek, 32)"] instr 6
              }
            }
            ioflor.loop seq "ev" to "64" {
              ioflor.guard "floordiv(tx + 32*ev, 32) < min(64, nk - 64*t)" {
                %v4 = ioflor.load @v["(floordiv(by, group)*nk + 64*t)*32 + tx + 32*ev"] instr 7
                ioflor.store %v4 to @vs["32*floordiv(tx + 32*ev, 32) + mod(tx + 32*ev, 32)"] instr 8
              }
            }
            ioflor.barrier
            ioflor.loop seq "r" to "min(64, nk - 64*t)" {
              %v5 = ioflor.compute constant() "0"
              ioflor.store %v5 to @s["0"] instr 9
              ioflor.loop seq "c2" to "32" {
                %v6 = ioflor.load @qi["c2"] instr 10
                %v7 = ioflor.load @ks["32*r + c2"] instr 11
                %v8 = ioflor.load @s["0"] instr 12
                %v9 = ioflor.compute mul(%v6, %v7)
                %v10 = ioflor.compute add(%v8, %v9)
                ioflor.store %v10 to @s["0"] instr 13
              }
              %v11 = ioflor.load @s["0"] instr 14
              %v12 = ioflor.compute constant() "scale"
              %v13 = ioflor.compute mul(%v11, %v12)
              %v14 = ioflor.load @hi["0"] instr 15
              %v15 = ioflor.compute max(%v14, %v13)
              %v16 = ioflor.compute sub(%v14, %v15)
              %v17 = ioflor.compute exp(%v16)
              %v18 = ioflor.compute sub(%v13, %v15)
              %v19 = ioflor.compute exp(%v18)
              %v20 = ioflor.load @den["0"] instr 16
              %v21 = ioflor.compute mul(%v20, %v17)
              %v22 = ioflor.compute add(%v21, %v19)
              ioflor.store %v22 to @den["0"] instr 17
              ioflor.store %v15 to @hi["0"] instr 18
              ioflor.loop seq "c3" to "32" {
                %v23 = ioflor.load @acc["c3"] instr 19
                %v24 = ioflor.compute mul(%v23, %v17)
                %v25 = ioflor.load @vs["32*r + c3"] instr 20
                %v26 = ioflor.compute mul(%v19, %v25)
                %v27 = ioflor.compute add(%v24, %v26)
                ioflor.store %v27 to @acc["c3"] instr 21
              }
            }
          }
          ioflor.guard "32*bx + tx < nq" {
            ioflor.loop seq "c4" to "32" {
              %v28 = ioflor.load @acc["c4"] instr 22
              %v29 = ioflor.load @den["0"] instr 23
              %v30 = ioflor.compute div(%v28, %v29)
              ioflor.store %v30 to @o["(by*nq + 32*bx + tx)*32 + c4"] instr 24
            }
          }
        }
      }
    }
  }
}
