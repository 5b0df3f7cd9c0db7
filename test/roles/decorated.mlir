// RUN: %ioflor_opt --ioflor-roles %s | %filecheck %s
// Rotation by a table, scales of quantised keys and values, a bias and a soft cap:
// only what is summed over the head dimension is Q or K.

// CHECK: ioflor.subject @decorated
// CHECK-SAME: d = #ioflor.expr<"64">
// CHECK-SAME: d_v = #ioflor.expr<"64">
// CHECK-SAME: n_k = #ioflor.expr<"N">
// CHECK-SAME: n_q = #ioflor.expr<"N">
// CHECK: ioflor.buffer slow @query : 4 bytes role Q
// CHECK-SAME: extents = [#ioflor.expr<"H">, #ioflor.expr<"N">, #ioflor.expr<"64">]
// CHECK: ioflor.buffer slow @kq : 4 bytes role K
// CHECK-SAME: extents = [#ioflor.expr<"H">, #ioflor.expr<"N">, #ioflor.expr<"64">]
// CHECK: ioflor.buffer slow @kscale : 4 bytes role other
// CHECK: ioflor.buffer slow @vq : 4 bytes role V
// CHECK-SAME: extents = [#ioflor.expr<"H">, #ioflor.expr<"N">, #ioflor.expr<"64">]
// CHECK: ioflor.buffer slow @vscale : 4 bytes role other
// CHECK: ioflor.buffer slow @cos : 4 bytes role other
// CHECK: ioflor.buffer slow @bias : 4 bytes role other
// CHECK: ioflor.buffer slow @o : 4 bytes role O
// CHECK-SAME: extents = [#ioflor.expr<"H">, #ioflor.expr<"N">, #ioflor.expr<"64">]
// CHECK-NOT: ioflor.verdict
ioflor.subject @decorated attributes {info = {name = "decorated"}} {
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.symbol "H" from "1" to "1024"
  ioflor.buffer slow @query : 4 bytes
  ioflor.buffer slow @kq : 4 bytes
  ioflor.buffer slow @kscale : 4 bytes
  ioflor.buffer slow @vq : 4 bytes
  ioflor.buffer slow @vscale : 4 bytes
  ioflor.buffer slow @cos : 4 bytes
  ioflor.buffer slow @bias : 4 bytes
  ioflor.buffer slow @o : 4 bytes
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
              ioflor.store %v0 to @acc["c"] instr 0
              %v1 = ioflor.load @query["by*N*64 + (64*bx + tx)*64 + c"] instr 1
              %v2 = ioflor.load @cos["(64*bx + tx)*64 + c"] instr 2
              %v3 = ioflor.compute mul(%v1, %v2)
              %v4 = ioflor.load @query["by*N*64 + (64*bx + tx)*64 + 63 - c"] instr 3
              %v5 = ioflor.load @cos["(64*bx + tx)*64 + 63 - c"] instr 4
              %v6 = ioflor.compute mul(%v4, %v5)
              %v7 = ioflor.compute sub(%v3, %v6)
              ioflor.store %v7 to @q["c"] instr 5
            }
            ioflor.store %v0 to @den["0"] instr 6
            %v8 = ioflor.compute constant() "-inf"
            ioflor.store %v8 to @hi["0"] instr 7
            ioflor.loop seq "j" to "N" {
              %v9 = ioflor.compute constant() "0"
              ioflor.store %v9 to @s["0"] instr 8
              ioflor.loop seq "c1" to "64" {
                %v10 = ioflor.load @q["c1"] instr 9
                %v11 = ioflor.load @kq["by*N*64 + j*64 + c1"] instr 10
                %v12 = ioflor.load @cos["j*64 + c1"] instr 11
                %v13 = ioflor.compute mul(%v11, %v12)
                %v14 = ioflor.load @kq["by*N*64 + j*64 + 63 - c1"] instr 12
                %v15 = ioflor.load @cos["j*64 + 63 - c1"] instr 13
                %v16 = ioflor.compute mul(%v14, %v15)
                %v17 = ioflor.compute sub(%v13, %v16)
                %v18 = ioflor.load @kscale["by*N + j"] instr 14
                %v19 = ioflor.compute mul(%v17, %v18)
                %v20 = ioflor.load @s["0"] instr 15
                %v21 = ioflor.compute mul(%v10, %v19)
                %v22 = ioflor.compute add(%v20, %v21)
                ioflor.store %v22 to @s["0"] instr 16
              }
              %v23 = ioflor.load @s["0"] instr 17
              %v24 = ioflor.compute constant() "scale"
              %v25 = ioflor.compute mul(%v23, %v24)
              %v26 = ioflor.load @bias["by*N*N + (64*bx + tx)*N + j"] instr 18
              %v27 = ioflor.compute add(%v25, %v26)
              %v28 = ioflor.compute other(%v27) "tanhf"
              %v29 = ioflor.compute constant() "cap"
              %v30 = ioflor.compute mul(%v28, %v29)
              %v31 = ioflor.load @hi["0"] instr 19
              %v32 = ioflor.compute max(%v31, %v30)
              %v33 = ioflor.compute sub(%v31, %v32)
              %v34 = ioflor.compute exp(%v33)
              %v35 = ioflor.compute sub(%v30, %v32)
              %v36 = ioflor.compute exp(%v35)
              %v37 = ioflor.load @den["0"] instr 20
              %v38 = ioflor.compute mul(%v37, %v34)
              %v39 = ioflor.compute add(%v38, %v36)
              ioflor.store %v39 to @den["0"] instr 21
              ioflor.store %v32 to @hi["0"] instr 22
              %v40 = ioflor.load @vscale["by*N + j"] instr 23
              %v41 = ioflor.compute mul(%v36, %v40)
              ioflor.loop seq "c3" to "64" {
                %v42 = ioflor.load @acc["c3"] instr 24
                %v43 = ioflor.compute mul(%v42, %v34)
                %v44 = ioflor.load @vq["by*N*64 + j*64 + c3"] instr 25
                %v45 = ioflor.compute mul(%v41, %v44)
                %v46 = ioflor.compute add(%v43, %v45)
                ioflor.store %v46 to @acc["c3"] instr 26
              }
            }
            ioflor.loop seq "c4" to "64" {
              %v47 = ioflor.load @acc["c4"] instr 27
              %v48 = ioflor.load @den["0"] instr 28
              %v49 = ioflor.compute div(%v47, %v48)
              ioflor.store %v49 to @o["by*N*64 + (64*bx + tx)*64 + c4"] instr 29
            }
          }
        }
      }
    }
  }
}
