// RUN: %ioflor_opt --ioflor-roles %s | %filecheck %s
// A window without heads: the guard on the rows of Q and O gives their number,
// and the last key of the last window that of K and V.

// CHECK: ioflor.subject @local
// CHECK-SAME: batch = #ioflor.expr<"1">
// CHECK-SAME: d = #ioflor.expr<"32">
// CHECK-SAME: d_v = #ioflor.expr<"32">
// CHECK-SAME: heads = #ioflor.expr<"1">
// CHECK-SAME: kv_heads = #ioflor.expr<"1">
// CHECK-SAME: n_k = #ioflor.expr<"n">
// CHECK-SAME: n_q = #ioflor.expr<"n">
// CHECK: ioflor.buffer slow @q : 4 bytes role Q
// CHECK-SAME: extents = [#ioflor.expr<"n">, #ioflor.expr<"32">]
// CHECK: ioflor.buffer slow @k : 4 bytes role K
// CHECK-SAME: extents = [#ioflor.expr<"n">, #ioflor.expr<"32">]
// CHECK: ioflor.buffer slow @v : 4 bytes role V
// CHECK-SAME: extents = [#ioflor.expr<"n">, #ioflor.expr<"32">]
// CHECK: ioflor.buffer slow @o : 4 bytes role O
// CHECK-SAME: extents = [#ioflor.expr<"n">, #ioflor.expr<"32">]
// CHECK-NOT: ioflor.verdict
ioflor.subject @local attributes {info = {name = "local"}} {
  ioflor.symbol "n" from "1" to "2147483647"
  ioflor.buffer slow @q : 4 bytes
  ioflor.buffer slow @k : 4 bytes
  ioflor.buffer slow @v : 4 bytes
  ioflor.buffer slow @o : 4 bytes
  ioflor.stage @s0 threads "64" registers 40 attributes {info = {}} {
    ioflor.buffer private @qi : 4 bytes words "32"
    ioflor.buffer private @acc : 4 bytes words "32"
    ioflor.buffer private @hi : 4 bytes words "1" scalar
    ioflor.buffer private @den : 4 bytes words "1" scalar
    ioflor.buffer private @s : 4 bytes words "1" scalar
    ioflor.loop grid "bx" to "ceildiv(n, 64)" {
      ioflor.loop thread "tx" to "64" {
        ioflor.guard "64*bx + tx < n" {
          %v0 = ioflor.compute constant() "0"
          ioflor.loop seq "c" to "32" {
            ioflor.store %v0 to @acc["c"] instr 0
          }
          ioflor.store %v0 to @den["0"] instr 1
          %v1 = ioflor.compute constant() "-1e30"
          ioflor.store %v1 to @hi["0"] instr 2
          ioflor.loop seq "c1" to "32" {
            %v2 = ioflor.load @q["2048*bx + 32*tx + c1"] instr 3
            ioflor.store %v2 to @qi["c1"] instr 4
          }
          ioflor.loop seq "j" to "64*bx + tx - max(0, 64*bx + tx - 256) + 1" {
            %v3 = ioflor.compute constant() "0"
            ioflor.store %v3 to @s["0"] instr 5
            ioflor.loop seq "c2" to "32" {
              %v4 = ioflor.load @qi["c2"] instr 6
              %v5 = ioflor.load @k["32*(max(0, 64*bx + tx - 256) + j) + c2"] instr 7
              %v6 = ioflor.load @s["0"] instr 8
              %v7 = ioflor.compute mul(%v4, %v5)
              %v8 = ioflor.compute add(%v6, %v7)
              ioflor.store %v8 to @s["0"] instr 9
            }
            %v9 = ioflor.load @s["0"] instr 10
            %v10 = ioflor.compute constant() "scale"
            %v11 = ioflor.compute mul(%v9, %v10)
            %v12 = ioflor.load @hi["0"] instr 11
            %v13 = ioflor.compute max(%v12, %v11)
            %v14 = ioflor.compute sub(%v12, %v13)
            %v15 = ioflor.compute exp(%v14)
            %v16 = ioflor.compute sub(%v11, %v13)
            %v17 = ioflor.compute exp(%v16)
            %v18 = ioflor.load @den["0"] instr 12
            %v19 = ioflor.compute mul(%v18, %v15)
            %v20 = ioflor.compute add(%v19, %v17)
            ioflor.store %v20 to @den["0"] instr 13
            ioflor.store %v13 to @hi["0"] instr 14
            ioflor.loop seq "c3" to "32" {
              %v21 = ioflor.load @acc["c3"] instr 15
              %v22 = ioflor.compute mul(%v21, %v15)
              %v23 = ioflor.load @v["32*(max(0, 64*bx + tx - 256) + j) + c3"] instr 16
              %v24 = ioflor.compute mul(%v17, %v23)
              %v25 = ioflor.compute add(%v22, %v24)
              ioflor.store %v25 to @acc["c3"] instr 17
            }
          }
          ioflor.loop seq "c4" to "32" {
            %v26 = ioflor.load @acc["c4"] instr 18
            %v27 = ioflor.load @den["0"] instr 19
            %v28 = ioflor.compute div(%v26, %v27)
            ioflor.store %v28 to @o["2048*bx + 32*tx + c4"] instr 20
          }
        }
      }
    }
  }
}
