// RUN: %ioflor_opt --ioflor-roles %s | %filecheck %s
// Vector loads, a transposed and padded tile.

// CHECK: ioflor.subject @vec
// CHECK-SAME: d = #ioflor.expr<"64">
// CHECK-SAME: d_v = #ioflor.expr<"64">
// CHECK-SAME: n_k = #ioflor.expr<"N">
// CHECK-SAME: n_q = #ioflor.expr<"N">
// CHECK: ioflor.buffer slow @q : 4 bytes role Q
// CHECK-SAME: extents = [#ioflor.expr<"H">, #ioflor.expr<"N">, #ioflor.expr<"64">]
// CHECK: ioflor.buffer slow @k : 4 bytes role K
// CHECK-SAME: extents = [#ioflor.expr<"H">, #ioflor.expr<"N">, #ioflor.expr<"64">]
// CHECK: ioflor.buffer slow @v : 4 bytes role V
// CHECK-SAME: extents = [#ioflor.expr<"H">, #ioflor.expr<"N">, #ioflor.expr<"64">]
// CHECK: ioflor.buffer slow @o : 4 bytes role O
// CHECK-SAME: extents = [#ioflor.expr<"H">, #ioflor.expr<"N">, #ioflor.expr<"64">]
// CHECK-NOT: ioflor.verdict
ioflor.subject @vec attributes {info = {name = "vec"}} {
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.symbol "H" from "1" to "65535"
  ioflor.buffer slow @q : 4 bytes
  ioflor.buffer slow @k : 4 bytes
  ioflor.buffer slow @v : 4 bytes
  ioflor.buffer slow @o : 4 bytes
  ioflor.stage @s0 threads "64" registers 40 attributes {info = {}} {
    ioflor.buffer shared @kt : 4 bytes words "64*65"
    ioflor.buffer shared @vs : 4 bytes words "64*64"
    ioflor.buffer private @qr : 4 bytes words "64"
    ioflor.buffer private @acc : 4 bytes words "64"
    ioflor.buffer private @hi : 4 bytes words "1" scalar
    ioflor.buffer private @den : 4 bytes words "1" scalar
    ioflor.buffer private @s : 4 bytes words "1" scalar
    ioflor.loop grid "by" to "H" {
      ioflor.loop grid "bx" to "ceildiv(N, 64)" {
        ioflor.loop thread "tx" to "64" {
          %v0 = ioflor.compute constant() "0"
          ioflor.loop seq "c" to "16" {
            ioflor.guard "64*bx + tx < N" {
              %v1 = ioflor.load @q["by*N*64 + (64*bx + tx)*64 + 4*c"] width 4 instr 0
              ioflor.store %v1 to @qr["4*c"] width 4 instr 1
            }
          }
          ioflor.loop seq "ci" to "64" {
            ioflor.store %v0 to @acc["ci"] instr 2
          }
          ioflor.store %v0 to @den["0"] instr 3
          %v2 = ioflor.compute constant() "-inf"
          ioflor.store %v2 to @hi["0"] instr 4
          ioflor.loop seq "j0" to "ceildiv(N, 64)" {
            ioflor.loop seq "e" to "64" {
              ioflor.guard "64*j0 + floordiv(tx + 64*e, 64) < N" {
                %v3 = ioflor.load @k["by*N*64 + 4096*j0 + tx + 64*e"] instr 5
                ioflor.store %v3 to @kt["65*mod(tx + 64*e, 64) + floordiv(tx + 64*e, 64)"] instr 6
              }
            }
            ioflor.loop seq "e1" to "16" {
              ioflor.guard "64*j0 + floordiv(tx + 64*e1, 16) < N" {
                %v4 = ioflor.load @v["by*N*64 + 4096*j0 + 4*(tx + 64*e1)"] width 4 instr 7
                ioflor.store %v4 to @vs["4*(tx + 64*e1)"] width 4 instr 8
              }
            }
            ioflor.barrier
            ioflor.loop seq "j" to "min(64, N - 64*j0)" {
              %v5 = ioflor.compute constant() "0"
              ioflor.store %v5 to @s["0"] instr 9
              ioflor.loop seq "c1" to "64" {
                %v6 = ioflor.load @qr["c1"] instr 10
                %v7 = ioflor.load @kt["65*c1 + j"] instr 11
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
              ioflor.loop seq "c3" to "64" {
                %v23 = ioflor.load @acc["c3"] instr 19
                %v24 = ioflor.compute mul(%v23, %v17)
                %v25 = ioflor.load @vs["64*j + c3"] instr 20
                %v26 = ioflor.compute mul(%v19, %v25)
                %v27 = ioflor.compute add(%v24, %v26)
                ioflor.store %v27 to @acc["c3"] instr 21
              }
            }
          }
          ioflor.guard "64*bx + tx < N" {
            ioflor.loop seq "c4" to "16" {
              %v28 = ioflor.load @acc["4*c4"] width 4 instr 22
              %v29 = ioflor.load @den["0"] instr 23
              %v30 = ioflor.compute div(%v28, %v29)
              ioflor.store %v30 to @o["by*N*64 + (64*bx + tx)*64 + 4*c4"] width 4 instr 24
            }
          }
        }
      }
    }
  }
}
