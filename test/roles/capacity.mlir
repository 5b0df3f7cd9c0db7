// RUN: %ioflor_opt --ioflor-roles %s | %filecheck %s
// A cache with room for more rows than it holds: the loop bound is the number of keys.

// CHECK: ioflor.subject @capacity
// CHECK-SAME: n_k = #ioflor.expr<"len">
// CHECK-SAME: n_q = #ioflor.expr<"N">
// CHECK: ioflor.assume "len <= cap" source "the distance of heads of K leaves no room for more rows"
// CHECK: ioflor.buffer slow @Q : 4 bytes role Q
// CHECK-SAME: extents = [#ioflor.expr<"H">, #ioflor.expr<"N">, #ioflor.expr<"64">]
// CHECK: ioflor.buffer slow @K : 4 bytes role K
// CHECK-SAME: extents = [#ioflor.expr<"H">, #ioflor.expr<"len">, #ioflor.expr<"64">]
// CHECK: ioflor.buffer slow @V : 4 bytes role V
// CHECK-SAME: extents = [#ioflor.expr<"H">, #ioflor.expr<"len">, #ioflor.expr<"64">]
// CHECK: ioflor.buffer slow @O : 4 bytes role O
// CHECK-SAME: extents = [#ioflor.expr<"H">, #ioflor.expr<"N">, #ioflor.expr<"64">]
// CHECK-NOT: ioflor.verdict
ioflor.subject @capacity attributes {info = {name = "capacity"}} {
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.symbol "H" from "1" to "65535"
  ioflor.symbol "len" from "1" to "2147483647"
  ioflor.symbol "cap" from "1" to "2147483647"
  ioflor.buffer slow @Q : 4 bytes
  ioflor.buffer slow @K : 4 bytes
  ioflor.buffer slow @V : 4 bytes
  ioflor.buffer slow @O : 4 bytes
  ioflor.stage @s0 threads "64" registers 40 attributes {info = {}} {
    ioflor.buffer private @q : 4 bytes words "64"
    ioflor.buffer private @acc : 4 bytes words "64"
    ioflor.buffer private @hi : 4 bytes words "1" scalar
    ioflor.buffer private @den : 4 bytes words "1" scalar
    ioflor.buffer private @s : 4 bytes words "1" scalar
    ioflor.loop grid "by" to "H" {
      ioflor.loop grid "bx" to "ceildiv(N, 64)" {
        ioflor.loop thread "tx" to "64" {
          ioflor.guard "64*bx + tx < N" {
            %v0 = ioflor.compute constant() "0"
            ioflor.loop seq "c" to "64" {
              %v1 = ioflor.load @Q["by*N*64 + (64*bx + tx)*64 + c"] instr 0
              ioflor.store %v1 to @q["c"] instr 1
            }
            ioflor.loop seq "ci" to "64" {
              ioflor.store %v0 to @acc["ci"] instr 2
            }
            ioflor.store %v0 to @den["0"] instr 3
            %v2 = ioflor.compute constant() "-inf"
            ioflor.store %v2 to @hi["0"] instr 4
            ioflor.loop seq "j" to "len" {
              %v3 = ioflor.compute constant() "0"
              ioflor.store %v3 to @s["0"] instr 5
              ioflor.loop seq "c1" to "64" {
                %v4 = ioflor.load @q["c1"] instr 6
                %v5 = ioflor.load @K["by*cap*64 + j*64 + c1"] instr 7
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
              ioflor.loop seq "c3" to "64" {
                %v21 = ioflor.load @acc["c3"] instr 15
                %v22 = ioflor.compute mul(%v21, %v15)
                %v23 = ioflor.load @V["by*cap*64 + j*64 + c3"] instr 16
                %v24 = ioflor.compute mul(%v17, %v23)
                %v25 = ioflor.compute add(%v22, %v24)
                ioflor.store %v25 to @acc["c3"] instr 17
              }
            }
            ioflor.loop seq "c4" to "64" {
              %v26 = ioflor.load @acc["c4"] instr 18
              %v27 = ioflor.load @den["0"] instr 19
              %v28 = ioflor.compute div(%v26, %v27)
              ioflor.store %v28 to @O["by*N*64 + (64*bx + tx)*64 + c4"] instr 20
            }
          }
        }
      }
    }
  }
}
