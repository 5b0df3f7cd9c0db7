// RUN: %ioflor_opt --ioflor-roles %s | %filecheck %s
// Three launches joined by scores and weights in slow memory; names say nothing.

// CHECK: ioflor.subject @naive
// CHECK-SAME: batch = #ioflor.expr<"1">
// CHECK-SAME: d = #ioflor.expr<"d">
// CHECK-SAME: d_v = #ioflor.expr<"d">
// CHECK-SAME: heads = #ioflor.expr<"1">
// CHECK-SAME: kv_heads = #ioflor.expr<"1">
// CHECK-SAME: n_k = #ioflor.expr<"M">
// CHECK-SAME: n_q = #ioflor.expr<"N">
// CHECK: ioflor.buffer slow @a : 4 bytes role Q
// CHECK-SAME: extents = [#ioflor.expr<"N">, #ioflor.expr<"d">]
// CHECK: ioflor.buffer slow @b : 4 bytes role K
// CHECK-SAME: extents = [#ioflor.expr<"M">, #ioflor.expr<"d">]
// CHECK: ioflor.buffer slow @c : 4 bytes role V
// CHECK-SAME: extents = [#ioflor.expr<"M">, #ioflor.expr<"d">]
// CHECK: ioflor.buffer slow @out : 4 bytes role O
// CHECK-SAME: extents = [#ioflor.expr<"N">, #ioflor.expr<"d">]
// CHECK: ioflor.buffer slow @s : 4 bytes role S
// CHECK: ioflor.buffer slow @p : 4 bytes role S
// CHECK-NOT: ioflor.verdict
ioflor.subject @naive attributes {info = {name = "naive"}} {
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.symbol "M" from "1" to "2147483647"
  ioflor.symbol "d" from "1" to "1024"
  ioflor.buffer slow @a : 4 bytes
  ioflor.buffer slow @b : 4 bytes
  ioflor.buffer slow @c : 4 bytes
  ioflor.buffer slow @out : 4 bytes
  ioflor.buffer slow @s : 4 bytes
  ioflor.buffer slow @p : 4 bytes
  ioflor.stage @s0 threads "256" registers 40 attributes {info = {}} {
    ioflor.buffer private @acc : 4 bytes words "1" scalar
    ioflor.loop grid "by" to "ceildiv(N, 16)" {
      ioflor.loop grid "bx" to "ceildiv(M, 16)" {
        ioflor.loop thread "ty" to "16" {
          ioflor.loop thread "tx" to "16" {
            ioflor.guard "16*by + ty < N and 16*bx + tx < M" {
              %v0 = ioflor.compute constant() "0"
              ioflor.store %v0 to @acc["0"] instr 0
              ioflor.loop seq "c0" to "d" {
                %v1 = ioflor.load @a["(16*by + ty)*d + c0"] instr 1
                %v2 = ioflor.load @b["(16*bx + tx)*d + c0"] instr 2
                %v3 = ioflor.load @acc["0"] instr 3
                %v4 = ioflor.compute mul(%v1, %v2)
                %v5 = ioflor.compute add(%v3, %v4)
                ioflor.store %v5 to @acc["0"] instr 4
              }
              %v6 = ioflor.load @acc["0"] instr 5
              %v7 = ioflor.compute constant() "scale"
              %v8 = ioflor.compute mul(%v6, %v7)
              ioflor.store %v8 to @s["(16*by + ty)*M + 16*bx + tx"] instr 6
            }
          }
        }
      }
    }
  }
  ioflor.stage @s1 threads "1" registers 40 attributes {info = {}} {
    ioflor.buffer private @hi : 4 bytes words "1" scalar
    ioflor.buffer private @den : 4 bytes words "1" scalar
    ioflor.loop grid "bx1" to "N" {
      %v9 = ioflor.compute constant() "-1e30"
      ioflor.store %v9 to @hi["0"] instr 7
      %v10 = ioflor.compute constant() "0"
      ioflor.store %v10 to @den["0"] instr 8
      ioflor.loop seq "j0" to "M" {
        %v11 = ioflor.load @hi["0"] instr 9
        %v12 = ioflor.load @s["M*bx1 + j0"] instr 10
        %v13 = ioflor.compute max(%v11, %v12)
        ioflor.store %v13 to @hi["0"] instr 11
      }
      ioflor.loop seq "j1" to "M" {
        %v14 = ioflor.load @den["0"] instr 12
        %v15 = ioflor.load @s["M*bx1 + j1"] instr 13
        %v16 = ioflor.load @hi["0"] instr 14
        %v17 = ioflor.compute sub(%v15, %v16)
        %v18 = ioflor.compute exp(%v17)
        %v19 = ioflor.compute add(%v14, %v18)
        ioflor.store %v19 to @den["0"] instr 15
      }
      ioflor.loop seq "j2" to "M" {
        %v20 = ioflor.load @s["M*bx1 + j2"] instr 16
        %v21 = ioflor.load @hi["0"] instr 17
        %v22 = ioflor.compute sub(%v20, %v21)
        %v23 = ioflor.compute exp(%v22)
        %v24 = ioflor.load @den["0"] instr 18
        %v25 = ioflor.compute div(%v23, %v24)
        ioflor.store %v25 to @p["M*bx1 + j2"] instr 19
      }
    }
  }
  ioflor.stage @s2 threads "256" registers 40 attributes {info = {}} {
    ioflor.buffer private @acc2 : 4 bytes words "1" scalar
    ioflor.loop grid "by2" to "ceildiv(N, 16)" {
      ioflor.loop grid "bx2" to "ceildiv(d, 16)" {
        ioflor.loop thread "ty2" to "16" {
          ioflor.loop thread "tx2" to "16" {
            ioflor.guard "16*by2 + ty2 < N and 16*bx2 + tx2 < d" {
              %v26 = ioflor.compute constant() "0"
              ioflor.store %v26 to @acc2["0"] instr 20
              ioflor.loop seq "j" to "M" {
                %v27 = ioflor.load @p["(16*by2 + ty2)*M + j"] instr 21
                %v28 = ioflor.load @c["d*j + 16*bx2 + tx2"] instr 22
                %v29 = ioflor.load @acc2["0"] instr 23
                %v30 = ioflor.compute fma(%v27, %v28, %v29)
                ioflor.store %v30 to @acc2["0"] instr 24
              }
              %v31 = ioflor.load @acc2["0"] instr 25
              ioflor.store %v31 to @out["(16*by2 + ty2)*d + 16*bx2 + tx2"] instr 26
            }
          }
        }
      }
    }
  }
}
