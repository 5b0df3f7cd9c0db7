// RUN: %ioflor_opt --ioflor-roles %s | %filecheck %s
// 64 columns are read, but rows are d apart and heads N rows apart: d columns.
// One shared array holds the tiles of K and V.

// CHECK: ioflor.subject @fixedDim
// CHECK-SAME: batch = #ioflor.expr<"1">
// CHECK-SAME: d = #ioflor.expr<"d">
// CHECK-SAME: d_v = #ioflor.expr<"d">
// CHECK-SAME: heads = #ioflor.expr<"heads">
// CHECK-SAME: kv_heads = #ioflor.expr<"heads">
// CHECK-SAME: n_k = #ioflor.expr<"N">
// CHECK-SAME: n_q = #ioflor.expr<"N">
// CHECK: ioflor.buffer slow @Q : 4 bytes role Q
// CHECK-SAME: extents = [#ioflor.expr<"heads">, #ioflor.expr<"N">, #ioflor.expr<"d">]
// CHECK: ioflor.buffer slow @K : 4 bytes role K
// CHECK-SAME: extents = [#ioflor.expr<"heads">, #ioflor.expr<"N">, #ioflor.expr<"d">]
// CHECK: ioflor.buffer slow @V : 4 bytes role V
// CHECK-SAME: extents = [#ioflor.expr<"heads">, #ioflor.expr<"N">, #ioflor.expr<"d">]
// CHECK: ioflor.buffer slow @O : 4 bytes role O
// CHECK-SAME: extents = [#ioflor.expr<"heads">, #ioflor.expr<"N">, #ioflor.expr<"d">]
// CHECK-NOT: ioflor.verdict
ioflor.subject @fixedDim attributes {info = {name = "fixedDim"}} {
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.symbol "d" from "1" to "2147483647"
  ioflor.symbol "heads" from "1" to "65535"
  ioflor.buffer slow @Q : 4 bytes
  ioflor.buffer slow @K : 4 bytes
  ioflor.buffer slow @V : 4 bytes
  ioflor.buffer slow @O : 4 bytes
  ioflor.stage @s0 threads "32" registers 40 attributes {info = {}} {
    ioflor.buffer shared @tile : 4 bytes words "4096"
    ioflor.buffer private @qi : 4 bytes words "64"
    ioflor.buffer private @acc : 4 bytes words "64"
    ioflor.buffer private @hi : 4 bytes words "1" scalar
    ioflor.buffer private @den : 4 bytes words "1" scalar
    ioflor.buffer private @s : 4 bytes words "1" scalar
    ioflor.buffer private @ph : 4 bytes words "1" scalar
    ioflor.loop grid "by" to "heads" {
      ioflor.loop grid "bx" to "ceildiv(N, 32)" {
        ioflor.loop thread "tx" to "32" {
          %v0 = ioflor.compute constant() "0"
          ioflor.loop seq "c" to "64" {
            ioflor.store %v0 to @acc["c"] instr 0
            ioflor.guard "32*bx + tx < N" {
              %v1 = ioflor.load @Q["N*d*by + (32*bx + tx)*d + c"] instr 1
              ioflor.store %v1 to @ph["0"] instr 2
            }
            ioflor.guard "32*bx + tx >= N" {
              ioflor.store %v0 to @ph["0"] instr 3
            }
            %v2 = ioflor.load @ph["0"] instr 4
            ioflor.store %v2 to @qi["c"] instr 5
          }
          ioflor.store %v0 to @den["0"] instr 6
          %v3 = ioflor.compute constant() "-1e30"
          ioflor.store %v3 to @hi["0"] instr 7
          ioflor.loop seq "j0" to "ceildiv(N, 32)" {
            ioflor.loop seq "r" to "min(N - 32*j0, 32)" {
              ioflor.loop seq "u" to "2" {
                %v4 = ioflor.load @K["N*d*by + (32*j0 + r)*d + tx + 32*u"] instr 8
                ioflor.store %v4 to @tile["64*r + tx + 32*u"] instr 9
                %v5 = ioflor.load @V["N*d*by + (32*j0 + r)*d + tx + 32*u"] instr 10
                ioflor.store %v5 to @tile["2048 + 64*r + tx + 32*u"] instr 11
              }
            }
            ioflor.barrier
            ioflor.loop seq "r1" to "min(N - 32*j0, 32)" {
              %v6 = ioflor.compute constant() "0"
              ioflor.store %v6 to @s["0"] instr 12
              ioflor.loop seq "c2" to "64" {
                %v7 = ioflor.load @qi["c2"] instr 13
                %v8 = ioflor.load @tile["64*r1 + c2"] instr 14
                %v9 = ioflor.load @s["0"] instr 15
                %v10 = ioflor.compute mul(%v7, %v8)
                %v11 = ioflor.compute add(%v9, %v10)
                ioflor.store %v11 to @s["0"] instr 16
              }
              %v12 = ioflor.load @s["0"] instr 17
              %v13 = ioflor.compute constant() "scale"
              %v14 = ioflor.compute mul(%v12, %v13)
              %v15 = ioflor.load @hi["0"] instr 18
              %v16 = ioflor.compute max(%v15, %v14)
              %v17 = ioflor.compute sub(%v15, %v16)
              %v18 = ioflor.compute exp(%v17)
              %v19 = ioflor.compute sub(%v14, %v16)
              %v20 = ioflor.compute exp(%v19)
              %v21 = ioflor.load @den["0"] instr 19
              %v22 = ioflor.compute mul(%v21, %v18)
              %v23 = ioflor.compute add(%v22, %v20)
              ioflor.store %v23 to @den["0"] instr 20
              ioflor.store %v16 to @hi["0"] instr 21
              ioflor.loop seq "c3" to "64" {
                %v24 = ioflor.load @acc["c3"] instr 22
                %v25 = ioflor.compute mul(%v24, %v18)
                %v26 = ioflor.load @tile["2048 + 64*r1 + c3"] instr 23
                %v27 = ioflor.compute mul(%v20, %v26)
                %v28 = ioflor.compute add(%v25, %v27)
                ioflor.store %v28 to @acc["c3"] instr 24
              }
            }
          }
          ioflor.guard "32*bx + tx < N" {
            ioflor.loop seq "c4" to "64" {
              %v29 = ioflor.load @acc["c4"] instr 25
              %v30 = ioflor.load @den["0"] instr 26
              %v31 = ioflor.compute div(%v29, %v30)
              ioflor.store %v31 to @O["(by*N + 32*bx + tx)*d + c4"] instr 27
            }
          }
        }
      }
    }
  }
}
