// RUN: %ioflor_opt --ioflor-roles %s | %filecheck %s
// Inside matrix fragments no lane has a row; the loops over tiles tell the shapes.

// CHECK: ioflor.subject @frag
// CHECK-SAME: d = #ioflor.expr<"64">
// CHECK-SAME: d_v = #ioflor.expr<"64">
// CHECK-SAME: heads = #ioflor.expr<"H">
// CHECK-SAME: kv_heads = #ioflor.expr<"H">
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
ioflor.subject @frag attributes {info = {name = "frag"}} {
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.symbol "H" from "1" to "65535"
  ioflor.buffer slow @q : 4 bytes
  ioflor.buffer slow @k : 4 bytes
  ioflor.buffer slow @v : 4 bytes
  ioflor.buffer slow @o : 4 bytes
  ioflor.stage @s0 threads "128" registers 40 attributes {info = {}} {
    ioflor.buffer shared @ks : 4 bytes words "4096"
    ioflor.buffer shared @vs : 4 bytes words "4096"
    ioflor.buffer private @qf : 4 bytes words "1" scalar
    ioflor.buffer private @sf : 4 bytes words "1" scalar
    ioflor.buffer private @hi : 4 bytes words "1" scalar
    ioflor.buffer private @den : 4 bytes words "1" scalar
    ioflor.buffer private @of : 4 bytes words "1" scalar
    ioflor.loop grid "by" to "H" {
      ioflor.loop grid "bx" to "ceildiv(N, 64)" {
        ioflor.loop thread "tx" to "128" {
          %v0 = ioflor.compute constant() "0"
          ioflor.store %v0 to @of["0"] instr 0
          ioflor.store %v0 to @den["0"] instr 1
          %v1 = ioflor.compute constant() "-inf"
          ioflor.store %v1 to @hi["0"] instr 2
          ioflor.loop seq "j0" to "ceildiv(N, 64)" {
            ioflor.loop seq "e" to "32" {
              %v2 = ioflor.load @k["by*N*64 + 4096*j0 + tx + 128*e"] instr 3
              ioflor.store %v2 to @ks["tx + 128*e"] instr 4
              %v3 = ioflor.load @v["by*N*64 + 4096*j0 + tx + 128*e"] instr 5
              ioflor.store %v3 to @vs["tx + 128*e"] instr 6
            }
            ioflor.barrier
            %v4 = ioflor.compute constant() "0"
            ioflor.store %v4 to @sf["0"] instr 7
            ioflor.loop seq "kk" to "4" {
              %v5 = ioflor.load @q["by*N*64 + 4096*bx + 1024*floordiv(tx, 32) + 16*kk + 64*floordiv(mod(tx, 32), 4)"] width 8 instr 8
              %v6 = ioflor.load @ks["16*kk + 64*floordiv(mod(tx, 32), 4)"] width 4 instr 9
              %v7 = ioflor.load @sf["0"] instr 10
              %v8 = ioflor.compute mma(%v5, %v6, %v7)
              ioflor.store %v8 to @sf["0"] instr 11
            }
            %v9 = ioflor.load @sf["0"] instr 12
            %v10 = ioflor.load @hi["0"] instr 13
            %v11 = ioflor.compute max(%v10, %v9)
            %v12 = ioflor.compute sub(%v10, %v11)
            %v13 = ioflor.compute exp(%v12)
            %v14 = ioflor.compute sub(%v9, %v11)
            %v15 = ioflor.compute exp(%v14)
            %v16 = ioflor.load @den["0"] instr 14
            %v17 = ioflor.compute mul(%v16, %v13)
            %v18 = ioflor.compute add(%v17, %v15)
            ioflor.store %v18 to @den["0"] instr 15
            ioflor.store %v11 to @hi["0"] instr 16
            %v19 = ioflor.load @of["0"] instr 17
            %v20 = ioflor.compute mul(%v19, %v13)
            ioflor.store %v20 to @of["0"] instr 18
            ioflor.loop seq "k2" to "4" {
              %v21 = ioflor.load @vs["1024*k2 + mod(tx, 32)"] width 4 instr 19
              %v22 = ioflor.load @of["0"] instr 20
              %v23 = ioflor.compute mma(%v15, %v21, %v22)
              ioflor.store %v23 to @of["0"] instr 21
            }
          }
          %v24 = ioflor.load @of["0"] instr 22
          %v25 = ioflor.load @den["0"] instr 23
          %v26 = ioflor.compute div(%v24, %v25)
          ioflor.store %v26 to @o["by*N*64 + 4096*bx + 1024*floordiv(tx, 32) + 64*floordiv(mod(tx, 32), 4) + 2*mod(tx, 4)"] width 2 instr 24
        }
      }
    }
  }
}
