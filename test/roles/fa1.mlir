// RUN: %ioflor_opt --ioflor-roles %s | %filecheck %s
// FlashAttention-1: the output is accumulated in slow memory, beside the row
// maxima and sums, which are no scores; one shared array holds four tiles.

// CHECK: ioflor.subject @fa1
// CHECK-SAME: batch = #ioflor.expr<"B">
// CHECK-SAME: d = #ioflor.expr<"d">
// CHECK-SAME: d_v = #ioflor.expr<"d">
// CHECK-SAME: heads = #ioflor.expr<"nh">
// CHECK-SAME: kv_heads = #ioflor.expr<"nh">
// CHECK-SAME: n_k = #ioflor.expr<"N">
// CHECK-SAME: n_q = #ioflor.expr<"N">
// CHECK: ioflor.buffer slow @Q : 4 bytes role Q
// CHECK-SAME: extents = [#ioflor.expr<"B">, #ioflor.expr<"nh">, #ioflor.expr<"N">, #ioflor.expr<"d">]
// CHECK: ioflor.buffer slow @K : 4 bytes role K
// CHECK-SAME: extents = [#ioflor.expr<"B">, #ioflor.expr<"nh">, #ioflor.expr<"N">, #ioflor.expr<"d">]
// CHECK: ioflor.buffer slow @V : 4 bytes role V
// CHECK-SAME: extents = [#ioflor.expr<"B">, #ioflor.expr<"nh">, #ioflor.expr<"N">, #ioflor.expr<"d">]
// CHECK: ioflor.buffer slow @l : 4 bytes role other
// CHECK: ioflor.buffer slow @m : 4 bytes role other
// CHECK: ioflor.buffer slow @O : 4 bytes role O
// CHECK-SAME: extents = [#ioflor.expr<"B">, #ioflor.expr<"nh">, #ioflor.expr<"N">, #ioflor.expr<"d">]
// CHECK-NOT: ioflor.verdict
ioflor.subject @fa1 attributes {info = {name = "fa1"}} {
  ioflor.symbol "B" from "1" to "2147483647"
  ioflor.symbol "nh" from "1" to "2147483647"
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.symbol "d" from "1" to "1024"
  ioflor.symbol "Bc" from "1" to "1024"
  ioflor.symbol "Br" from "1" to "1024"
  ioflor.buffer slow @Q : 4 bytes
  ioflor.buffer slow @K : 4 bytes
  ioflor.buffer slow @V : 4 bytes
  ioflor.buffer slow @l : 4 bytes
  ioflor.buffer slow @m : 4 bytes
  ioflor.buffer slow @O : 4 bytes
  ioflor.stage @s0 threads "Bc" registers 40 attributes {info = {}} {
    ioflor.buffer shared @sram : 4 bytes words "3*Bc*d + Bc*Br"
    ioflor.buffer private @rm : 4 bytes words "1" scalar
    ioflor.buffer private @rl : 4 bytes words "1" scalar
    ioflor.buffer private @s : 4 bytes words "1" scalar
    ioflor.buffer private @pv : 4 bytes words "1" scalar
    ioflor.loop grid "bx" to "B" {
      ioflor.loop grid "by" to "nh" {
        ioflor.loop thread "tx" to "Bc" {
          ioflor.loop seq "j" to "ceildiv(N, Bc)" {
            ioflor.loop seq "x" to "d" {
              %v0 = ioflor.load @K["bx*nh*N*d + by*N*d + Bc*d*j + tx*d + x"] instr 0
              ioflor.store %v0 to @sram["Bc*d + tx*d + x"] instr 1
              %v1 = ioflor.load @V["bx*nh*N*d + by*N*d + Bc*d*j + tx*d + x"] instr 2
              ioflor.store %v1 to @sram["2*Bc*d + tx*d + x"] instr 3
            }
            ioflor.barrier
            ioflor.loop seq "i" to "ceildiv(N, Br)" {
              ioflor.loop seq "x1" to "d" {
                %v2 = ioflor.load @Q["bx*nh*N*d + by*N*d + Bc*d*i + tx*d + x1"] instr 4
                ioflor.store %v2 to @sram["tx*d + x1"] instr 5
              }
              %v3 = ioflor.load @m["bx*nh*N + by*N + Br*i + tx"] instr 6
              %v4 = ioflor.load @l["bx*nh*N + by*N + Br*i + tx"] instr 7
              %v5 = ioflor.compute constant() "-inf"
              ioflor.store %v5 to @rm["0"] instr 8
              ioflor.loop seq "y" to "Bc" {
                %v6 = ioflor.compute constant() "0"
                ioflor.store %v6 to @s["0"] instr 9
                ioflor.loop seq "x2" to "d" {
                  %v7 = ioflor.load @sram["tx*d + x2"] instr 10
                  %v8 = ioflor.load @sram["Bc*d + y*d + x2"] instr 11
                  %v9 = ioflor.load @s["0"] instr 12
                  %v10 = ioflor.compute mul(%v7, %v8)
                  %v11 = ioflor.compute add(%v9, %v10)
                  ioflor.store %v11 to @s["0"] instr 13
                }
                %v12 = ioflor.load @s["0"] instr 14
                %v13 = ioflor.compute constant() "scale"
                %v14 = ioflor.compute mul(%v12, %v13)
                ioflor.store %v14 to @sram["3*Bc*d + Bc*tx + y"] instr 15
                %v15 = ioflor.load @rm["0"] instr 16
                %v16 = ioflor.compute max(%v15, %v14)
                ioflor.store %v16 to @rm["0"] instr 17
              }
              %v17 = ioflor.compute constant() "0"
              ioflor.store %v17 to @rl["0"] instr 18
              ioflor.loop seq "y1" to "Bc" {
                %v18 = ioflor.load @sram["3*Bc*d + Bc*tx + y1"] instr 19
                %v19 = ioflor.load @rm["0"] instr 20
                %v20 = ioflor.compute sub(%v18, %v19)
                %v21 = ioflor.compute exp(%v20)
                ioflor.store %v21 to @sram["3*Bc*d + Bc*tx + y1"] instr 21
                %v22 = ioflor.load @rl["0"] instr 22
                %v23 = ioflor.compute add(%v22, %v21)
                ioflor.store %v23 to @rl["0"] instr 23
              }
              %v24 = ioflor.load @rm["0"] instr 24
              %v25 = ioflor.compute max(%v3, %v24)
              %v26 = ioflor.compute sub(%v3, %v25)
              %v27 = ioflor.compute exp(%v26)
              %v28 = ioflor.compute sub(%v24, %v25)
              %v29 = ioflor.compute exp(%v28)
              %v30 = ioflor.compute mul(%v27, %v4)
              %v31 = ioflor.load @rl["0"] instr 25
              %v32 = ioflor.compute mul(%v29, %v31)
              %v33 = ioflor.compute add(%v30, %v32)
              ioflor.loop seq "x3" to "d" {
                %v34 = ioflor.compute constant() "0"
                ioflor.store %v34 to @pv["0"] instr 26
                ioflor.loop seq "y2" to "Bc" {
                  %v35 = ioflor.load @sram["3*Bc*d + Bc*tx + y2"] instr 27
                  %v36 = ioflor.load @sram["2*Bc*d + y2*d + x3"] instr 28
                  %v37 = ioflor.load @pv["0"] instr 29
                  %v38 = ioflor.compute fma(%v35, %v36, %v37)
                  ioflor.store %v38 to @pv["0"] instr 30
                }
                %v39 = ioflor.compute mul(%v4, %v27)
                %v40 = ioflor.load @O["bx*nh*N*d + by*N*d + Bc*d*i + tx*d + x3"] instr 31
                %v41 = ioflor.compute mul(%v39, %v40)
                %v42 = ioflor.load @pv["0"] instr 32
                %v43 = ioflor.compute mul(%v29, %v42)
                %v44 = ioflor.compute add(%v41, %v43)
                %v45 = ioflor.compute constant() "1"
                %v46 = ioflor.compute div(%v45, %v33)
                %v47 = ioflor.compute mul(%v46, %v44)
                ioflor.store %v47 to @O["bx*nh*N*d + by*N*d + Bc*d*i + tx*d + x3"] instr 33
              }
              ioflor.store %v25 to @m["bx*nh*N + by*N + Br*i + tx"] instr 34
              ioflor.store %v33 to @l["bx*nh*N + by*N + Br*i + tx"] instr 35
            }
          }
        }
      }
    }
  }
}
