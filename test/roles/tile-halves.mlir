// RUN: %ioflor_opt --ioflor-roles %s | %filecheck %s
// One tile holds Q, then K in its first half and V in its second: neither store
// covers all of Q, but each covers what is read after it.

// CHECK: ioflor.subject @halves
// CHECK-SAME: d = #ioflor.expr<"32">
// CHECK-SAME: d_v = #ioflor.expr<"32">
// CHECK-SAME: n_k = #ioflor.expr<"N">
// CHECK-SAME: n_q = #ioflor.expr<"N">
// CHECK: ioflor.buffer slow @Q : 4 bytes role Q
// CHECK-SAME: extents = [#ioflor.expr<"heads">, #ioflor.expr<"N">, #ioflor.expr<"32">]
// CHECK: ioflor.buffer slow @K : 4 bytes role K
// CHECK-SAME: extents = [#ioflor.expr<"heads">, #ioflor.expr<"N">, #ioflor.expr<"32">]
// CHECK: ioflor.buffer slow @V : 4 bytes role V
// CHECK-SAME: extents = [#ioflor.expr<"heads">, #ioflor.expr<"N">, #ioflor.expr<"32">]
// CHECK: ioflor.buffer slow @O : 4 bytes role O
// CHECK-SAME: extents = [#ioflor.expr<"heads">, #ioflor.expr<"N">, #ioflor.expr<"32">]
// CHECK-NOT: ioflor.verdict
ioflor.subject @halves attributes {info = {name = "halves"}} {
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.symbol "heads" from "1" to "65535"
  ioflor.buffer slow @Q : 4 bytes
  ioflor.buffer slow @K : 4 bytes
  ioflor.buffer slow @V : 4 bytes
  ioflor.buffer slow @O : 4 bytes
  ioflor.stage @s0 threads "64" registers 40 attributes {info = {}} {
    ioflor.buffer shared @tile : 4 bytes words "2048"
    ioflor.buffer private @q : 4 bytes words "32"
    ioflor.buffer private @o : 4 bytes words "32"
    ioflor.buffer private @sc : 4 bytes words "32"
    ioflor.buffer private @hi : 4 bytes words "1" scalar
    ioflor.buffer private @den : 4 bytes words "1" scalar
    ioflor.buffer private @s : 4 bytes words "1" scalar
    ioflor.loop grid "by" to "heads" {
      ioflor.loop grid "bx" to "ceildiv(N, 64)" {
        ioflor.loop thread "tx" to "64" {
          %v0 = ioflor.compute constant() "0"
          ioflor.loop seq "e0" to "32" {
            %v40 = ioflor.load @Q["32*N*by + 2048*bx + tx + 64*e0"] instr 30
            ioflor.store %v40 to @tile["tx + 64*e0"] instr 31
          }
          ioflor.barrier
          ioflor.loop seq "c" to "32" {
            ioflor.store %v0 to @o["c"] instr 0
            %v1 = ioflor.load @tile["32*tx + c"] instr 1
            ioflor.store %v1 to @q["c"] instr 2
          }
          ioflor.barrier
          ioflor.store %v0 to @den["0"] instr 3
          %v2 = ioflor.compute constant() "-inf"
          ioflor.store %v2 to @hi["0"] instr 4
          ioflor.loop seq "j0" to "ceildiv(N, 32)" {
            ioflor.loop seq "e" to "16" {
              %v3 = ioflor.load @K["32*N*by + 1024*j0 + tx + 64*e"] instr 5
              ioflor.store %v3 to @tile["tx + 64*e"] instr 6
            }
            ioflor.barrier
            ioflor.loop seq "j" to "32" {
              %v4 = ioflor.compute constant() "0"
              ioflor.store %v4 to @s["0"] instr 7
              ioflor.loop seq "c1" to "32" {
                %v5 = ioflor.load @q["c1"] instr 8
                %v6 = ioflor.load @tile["32*j + c1"] instr 9
                %v7 = ioflor.load @s["0"] instr 10
                %v8 = ioflor.compute mul(%v5, %v6)
                %v9 = ioflor.compute add(%v7, %v8)
                ioflor.store %v9 to @s["0"] instr 11
              }
              %v10 = ioflor.load @s["0"] instr 12
              %v11 = ioflor.compute constant() "scale"
              %v12 = ioflor.compute mul(%v10, %v11)
              ioflor.store %v12 to @sc["j"] instr 13
            }
            ioflor.barrier
            ioflor.loop seq "e1" to "16" {
              %v13 = ioflor.load @V["32*N*by + 1024*j0 + tx + 64*e1"] instr 14
              ioflor.store %v13 to @tile["tx + 64*e1 + 1024"] instr 15
            }
            ioflor.barrier
            ioflor.loop seq "j1" to "32" {
              %v14 = ioflor.load @sc["j1"] instr 16
              %v15 = ioflor.load @hi["0"] instr 17
              %v16 = ioflor.compute max(%v15, %v14)
              %v17 = ioflor.compute sub(%v15, %v16)
              %v18 = ioflor.compute exp(%v17)
              %v19 = ioflor.compute sub(%v14, %v16)
              %v20 = ioflor.compute exp(%v19)
              %v21 = ioflor.load @den["0"] instr 18
              %v22 = ioflor.compute mul(%v21, %v18)
              %v23 = ioflor.compute add(%v22, %v20)
              ioflor.store %v23 to @den["0"] instr 19
              ioflor.store %v16 to @hi["0"] instr 20
              ioflor.loop seq "c3" to "32" {
                %v24 = ioflor.load @o["c3"] instr 21
                %v25 = ioflor.compute mul(%v24, %v18)
                %v26 = ioflor.load @tile["32*j1 + c3 + 1024"] instr 22
                %v27 = ioflor.compute mul(%v20, %v26)
                %v28 = ioflor.compute add(%v25, %v27)
                ioflor.store %v28 to @o["c3"] instr 23
              }
            }
            ioflor.barrier
          }
          ioflor.loop seq "c4" to "32" {
            %v29 = ioflor.load @o["c4"] instr 24
            %v30 = ioflor.load @den["0"] instr 25
            %v31 = ioflor.compute div(%v29, %v30)
            ioflor.store %v31 to @O["32*N*by + 2048*bx + 32*tx + c4"] instr 26
          }
        }
      }
    }
  }
}
