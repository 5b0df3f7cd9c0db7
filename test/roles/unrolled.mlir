// RUN: %ioflor_opt --ioflor-roles %s | %filecheck %s
// Iterations over columns that the author wrote out, by different factors.

// CHECK: ioflor.subject @unrolled
// CHECK-SAME: d = #ioflor.expr<"64">
// CHECK-SAME: d_v = #ioflor.expr<"64">
// CHECK-SAME: n_k = #ioflor.expr<"N">
// CHECK-SAME: n_q = #ioflor.expr<"N">
// CHECK: ioflor.buffer slow @Q : 4 bytes role Q
// CHECK-SAME: extents = [#ioflor.expr<"H">, #ioflor.expr<"N">, #ioflor.expr<"64">]
// CHECK: ioflor.buffer slow @K : 4 bytes role K
// CHECK-SAME: extents = [#ioflor.expr<"H">, #ioflor.expr<"N">, #ioflor.expr<"64">]
// CHECK: ioflor.buffer slow @V : 4 bytes role V
// CHECK-SAME: extents = [#ioflor.expr<"H">, #ioflor.expr<"N">, #ioflor.expr<"64">]
// CHECK: ioflor.buffer slow @O : 4 bytes role O
// CHECK-SAME: extents = [#ioflor.expr<"H">, #ioflor.expr<"N">, #ioflor.expr<"64">]
// CHECK-NOT: ioflor.verdict
ioflor.subject @unrolled attributes {info = {name = "unrolled"}} {
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.symbol "H" from "1" to "65535"
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
            ioflor.loop seq "c" to "16" {
              %v1 = ioflor.load @Q["by*N*64 + (64*bx + tx)*64 + 4*c + 0"] instr 0
              ioflor.store %v1 to @q["4*c + 0"] instr 1
              ioflor.store %v0 to @acc["4*c + 0"] instr 2
              %v2 = ioflor.load @Q["by*N*64 + (64*bx + tx)*64 + 4*c + 1"] instr 3
              ioflor.store %v2 to @q["4*c + 1"] instr 4
              ioflor.store %v0 to @acc["4*c + 1"] instr 5
              %v3 = ioflor.load @Q["by*N*64 + (64*bx + tx)*64 + 4*c + 2"] instr 6
              ioflor.store %v3 to @q["4*c + 2"] instr 7
              ioflor.store %v0 to @acc["4*c + 2"] instr 8
              %v4 = ioflor.load @Q["by*N*64 + (64*bx + tx)*64 + 4*c + 3"] instr 9
              ioflor.store %v4 to @q["4*c + 3"] instr 10
              ioflor.store %v0 to @acc["4*c + 3"] instr 11
            }
            ioflor.store %v0 to @den["0"] instr 12
            %v5 = ioflor.compute constant() "-inf"
            ioflor.store %v5 to @hi["0"] instr 13
            ioflor.loop seq "j" to "N" {
              ioflor.store %v0 to @s["0"] instr 14
              ioflor.loop seq "c1" to "16" {
                %v6 = ioflor.load @q["4*c1 + 0"] instr 15
                %v7 = ioflor.load @K["by*N*64 + j*64 + 4*c1 + 0"] instr 16
                %v8 = ioflor.load @s["0"] instr 17
                %v9 = ioflor.compute fma(%v6, %v7, %v8)
                ioflor.store %v9 to @s["0"] instr 18
                %v10 = ioflor.load @q["4*c1 + 1"] instr 19
                %v11 = ioflor.load @K["by*N*64 + j*64 + 4*c1 + 1"] instr 20
                %v12 = ioflor.load @s["0"] instr 21
                %v13 = ioflor.compute fma(%v10, %v11, %v12)
                ioflor.store %v13 to @s["0"] instr 22
                %v14 = ioflor.load @q["4*c1 + 2"] instr 23
                %v15 = ioflor.load @K["by*N*64 + j*64 + 4*c1 + 2"] instr 24
                %v16 = ioflor.load @s["0"] instr 25
                %v17 = ioflor.compute fma(%v14, %v15, %v16)
                ioflor.store %v17 to @s["0"] instr 26
                %v18 = ioflor.load @q["4*c1 + 3"] instr 27
                %v19 = ioflor.load @K["by*N*64 + j*64 + 4*c1 + 3"] instr 28
                %v20 = ioflor.load @s["0"] instr 29
                %v21 = ioflor.compute fma(%v18, %v19, %v20)
                ioflor.store %v21 to @s["0"] instr 30
              }
              %v22 = ioflor.load @s["0"] instr 31
              %v23 = ioflor.compute constant() "scale"
              %v24 = ioflor.compute mul(%v22, %v23)
              %v25 = ioflor.load @hi["0"] instr 32
              %v26 = ioflor.compute max(%v25, %v24)
              %v27 = ioflor.compute sub(%v25, %v26)
              %v28 = ioflor.compute exp(%v27)
              %v29 = ioflor.compute sub(%v24, %v26)
              %v30 = ioflor.compute exp(%v29)
              %v31 = ioflor.load @den["0"] instr 33
              %v32 = ioflor.compute mul(%v31, %v28)
              %v33 = ioflor.compute add(%v32, %v30)
              ioflor.store %v33 to @den["0"] instr 34
              ioflor.store %v26 to @hi["0"] instr 35
              ioflor.loop seq "c2" to "32" {
                %v34 = ioflor.load @V["by*N*64 + j*64 + 2*c2 + 0"] instr 36
                %v35 = ioflor.load @acc["2*c2 + 0"] instr 37
                %v36 = ioflor.compute mul(%v35, %v28)
                %v37 = ioflor.compute fma(%v30, %v34, %v36)
                ioflor.store %v37 to @acc["2*c2 + 0"] instr 38
                %v38 = ioflor.load @V["by*N*64 + j*64 + 2*c2 + 1"] instr 39
                %v39 = ioflor.load @acc["2*c2 + 1"] instr 40
                %v40 = ioflor.compute mul(%v39, %v28)
                %v41 = ioflor.compute fma(%v30, %v38, %v40)
                ioflor.store %v41 to @acc["2*c2 + 1"] instr 41
              }
            }
            ioflor.loop seq "c3" to "16" {
              %v42 = ioflor.load @acc["4*c3 + 0"] instr 42
              %v43 = ioflor.load @den["0"] instr 43
              %v44 = ioflor.compute div(%v42, %v43)
              ioflor.store %v44 to @O["by*N*64 + (64*bx + tx)*64 + 4*c3 + 0"] instr 44
              %v45 = ioflor.load @acc["4*c3 + 1"] instr 45
              %v46 = ioflor.load @den["0"] instr 46
              %v47 = ioflor.compute div(%v45, %v46)
              ioflor.store %v47 to @O["by*N*64 + (64*bx + tx)*64 + 4*c3 + 1"] instr 47
              %v48 = ioflor.load @acc["4*c3 + 2"] instr 48
              %v49 = ioflor.load @den["0"] instr 49
              %v50 = ioflor.compute div(%v48, %v49)
              ioflor.store %v50 to @O["by*N*64 + (64*bx + tx)*64 + 4*c3 + 2"] instr 50
              %v51 = ioflor.load @acc["4*c3 + 3"] instr 51
              %v52 = ioflor.load @den["0"] instr 52
              %v53 = ioflor.compute div(%v51, %v52)
              ioflor.store %v53 to @O["by*N*64 + (64*bx + tx)*64 + 4*c3 + 3"] instr 53
            }
          }
        }
      }
    }
  }
}
