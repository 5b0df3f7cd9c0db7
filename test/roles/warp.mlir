// RUN: %ioflor_opt --ioflor-roles %s | %filecheck %s
// One warp for each query row: lanes share its columns, scores are summed by
// shuffles.

// CHECK: ioflor.subject @warp
// CHECK-SAME: d = #ioflor.expr<"128">
// CHECK-SAME: d_v = #ioflor.expr<"128">
// CHECK-SAME: heads = #ioflor.expr<"H">
// CHECK-SAME: kv_heads = #ioflor.expr<"H">
// CHECK-SAME: n_k = #ioflor.expr<"M">
// CHECK-SAME: n_q = #ioflor.expr<"N">
// CHECK: ioflor.buffer slow @q : 4 bytes role Q
// CHECK-SAME: extents = [#ioflor.expr<"H">, #ioflor.expr<"N">, #ioflor.expr<"128">]
// CHECK: ioflor.buffer slow @k : 4 bytes role K
// CHECK-SAME: extents = [#ioflor.expr<"H">, #ioflor.expr<"M">, #ioflor.expr<"128">]
// CHECK: ioflor.buffer slow @v : 4 bytes role V
// CHECK-SAME: extents = [#ioflor.expr<"H">, #ioflor.expr<"M">, #ioflor.expr<"128">]
// CHECK: ioflor.buffer slow @o : 4 bytes role O
// CHECK-SAME: extents = [#ioflor.expr<"H">, #ioflor.expr<"N">, #ioflor.expr<"128">]
// CHECK-NOT: ioflor.verdict
ioflor.subject @warp attributes {info = {name = "warp"}} {
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.symbol "M" from "1" to "2147483647"
  ioflor.symbol "H" from "1" to "65535"
  ioflor.buffer slow @q : 4 bytes
  ioflor.buffer slow @k : 4 bytes
  ioflor.buffer slow @v : 4 bytes
  ioflor.buffer slow @o : 4 bytes
  ioflor.stage @s0 threads "128" registers 40 attributes {info = {}} {
    ioflor.buffer private @qr : 4 bytes words "4"
    ioflor.buffer private @acc : 4 bytes words "4"
    ioflor.buffer private @hi : 4 bytes words "1" scalar
    ioflor.buffer private @den : 4 bytes words "1" scalar
    ioflor.buffer private @s : 4 bytes words "1" scalar
    ioflor.loop grid "by" to "H" {
      ioflor.loop grid "bx" to "ceildiv(N, 4)" {
        ioflor.loop thread "tx" to "128" {
          ioflor.guard "4*bx + floordiv(tx, 32) < N" {
            %v0 = ioflor.compute constant() "0"
            ioflor.loop seq "c" to "4" {
              ioflor.store %v0 to @acc["c"] instr 0
              %v1 = ioflor.load @q["by*N*128 + (4*bx + floordiv(tx, 32))*128 + mod(tx, 32) + 32*c"] instr 1
              ioflor.store %v1 to @qr["c"] instr 2
            }
            ioflor.store %v0 to @den["0"] instr 3
            %v2 = ioflor.compute constant() "-inf"
            ioflor.store %v2 to @hi["0"] instr 4
            ioflor.loop seq "j" to "M" {
              %v3 = ioflor.compute constant() "0"
              ioflor.store %v3 to @s["0"] instr 5
              ioflor.loop seq "c1" to "4" {
                %v4 = ioflor.load @qr["c1"] instr 6
                %v5 = ioflor.load @k["by*M*128 + j*128 + mod(tx, 32) + 32*c1"] instr 7
                %v6 = ioflor.load @s["0"] instr 8
                %v7 = ioflor.compute mul(%v4, %v5)
                %v8 = ioflor.compute add(%v6, %v7)
                ioflor.store %v8 to @s["0"] instr 9
              }
              %v9 = ioflor.load @s["0"] instr 10
              %v10 = ioflor.compute constant() "scale"
              %v11 = ioflor.compute mul(%v9, %v10)
              %v12 = ioflor.compute shuffle(%v11)
              %v13 = ioflor.compute add(%v11, %v12)
              %v14 = ioflor.compute shuffle(%v13)
              %v15 = ioflor.compute add(%v13, %v14)
              %v16 = ioflor.compute shuffle(%v15)
              %v17 = ioflor.compute add(%v15, %v16)
              %v18 = ioflor.compute shuffle(%v17)
              %v19 = ioflor.compute add(%v17, %v18)
              %v20 = ioflor.compute shuffle(%v19)
              %v21 = ioflor.compute add(%v19, %v20)
              %v22 = ioflor.load @hi["0"] instr 11
              %v23 = ioflor.compute max(%v22, %v21)
              %v24 = ioflor.compute sub(%v22, %v23)
              %v25 = ioflor.compute exp(%v24)
              %v26 = ioflor.compute sub(%v21, %v23)
              %v27 = ioflor.compute exp(%v26)
              %v28 = ioflor.load @den["0"] instr 12
              %v29 = ioflor.compute mul(%v28, %v25)
              %v30 = ioflor.compute add(%v29, %v27)
              ioflor.store %v30 to @den["0"] instr 13
              ioflor.store %v23 to @hi["0"] instr 14
              ioflor.loop seq "c3" to "4" {
                %v31 = ioflor.load @acc["c3"] instr 15
                %v32 = ioflor.compute mul(%v31, %v25)
                %v33 = ioflor.load @v["by*M*128 + j*128 + mod(tx, 32) + 32*c3"] instr 16
                %v34 = ioflor.compute mul(%v27, %v33)
                %v35 = ioflor.compute add(%v32, %v34)
                ioflor.store %v35 to @acc["c3"] instr 17
              }
            }
            ioflor.loop seq "c4" to "4" {
              %v36 = ioflor.load @acc["c4"] instr 18
              %v37 = ioflor.load @den["0"] instr 19
              %v38 = ioflor.compute div(%v36, %v37)
              ioflor.store %v38 to @o["by*N*128 + (4*bx + floordiv(tx, 32))*128 + mod(tx, 32) + 32*c4"] instr 20
            }
          }
        }
      }
    }
  }
}
