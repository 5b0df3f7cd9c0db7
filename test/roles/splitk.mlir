// RUN: %ioflor_opt --ioflor-roles %s | %filecheck %s
// Decoding with the keys split over CTAs; a second launch combines the partial
// outputs, which are neither V nor O.

// CHECK: ioflor.subject @splitk
// CHECK-SAME: d = #ioflor.expr<"64">
// CHECK-SAME: d_v = #ioflor.expr<"64">
// CHECK-SAME: heads = #ioflor.expr<"H">
// CHECK-SAME: kv_heads = #ioflor.expr<"H">
// CHECK-SAME: n_k = #ioflor.expr<"N">
// CHECK-SAME: n_q = #ioflor.expr<"1">
// CHECK: ioflor.buffer slow @q : 4 bytes role Q
// CHECK-SAME: extents = [#ioflor.expr<"H">, #ioflor.expr<"1">, #ioflor.expr<"64">]
// CHECK: ioflor.buffer slow @kc : 4 bytes role K
// CHECK-SAME: extents = [#ioflor.expr<"H">, #ioflor.expr<"N">, #ioflor.expr<"64">]
// CHECK: ioflor.buffer slow @vc : 4 bytes role V
// CHECK-SAME: extents = [#ioflor.expr<"H">, #ioflor.expr<"N">, #ioflor.expr<"64">]
// CHECK: ioflor.buffer slow @po : 4 bytes role other
// CHECK: ioflor.buffer slow @pm : 4 bytes role other
// CHECK: ioflor.buffer slow @pl : 4 bytes role other
// CHECK: ioflor.buffer slow @o : 4 bytes role O
// CHECK-SAME: extents = [#ioflor.expr<"H">, #ioflor.expr<"1">, #ioflor.expr<"64">]
// CHECK-NOT: ioflor.verdict
ioflor.subject @splitk attributes {info = {name = "splitk"}} {
  ioflor.symbol "H" from "1" to "65535"
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.symbol "S" from "1" to "1024"
  ioflor.buffer slow @q : 4 bytes
  ioflor.buffer slow @kc : 4 bytes
  ioflor.buffer slow @vc : 4 bytes
  ioflor.buffer slow @po : 4 bytes
  ioflor.buffer slow @pm : 4 bytes
  ioflor.buffer slow @pl : 4 bytes
  ioflor.buffer slow @o : 4 bytes
  ioflor.stage @s0 threads "64" registers 40 attributes {info = {}} {
    ioflor.buffer shared @sc : 4 bytes words "64"
    ioflor.buffer shared @qs : 4 bytes words "64"
    ioflor.buffer private @hi : 4 bytes words "1" scalar
    ioflor.buffer private @den : 4 bytes words "1" scalar
    ioflor.buffer private @s : 4 bytes words "1" scalar
    ioflor.buffer private @acc : 4 bytes words "1" scalar
    ioflor.loop grid "by" to "H" {
      ioflor.loop grid "bx" to "S" {
        ioflor.loop thread "tx" to "64" {
          %v0 = ioflor.load @q["64*by + tx"] instr 0
          ioflor.store %v0 to @qs["tx"] instr 1
          ioflor.barrier
          %v1 = ioflor.compute constant() "0"
          ioflor.store %v1 to @acc["0"] instr 2
          %v2 = ioflor.compute constant() "0"
          ioflor.store %v2 to @den["0"] instr 3
          %v3 = ioflor.compute constant() "-inf"
          ioflor.store %v3 to @hi["0"] instr 4
          ioflor.loop seq "j" to "min(ceildiv(N, S), N - bx*ceildiv(N, S))" {
            %v4 = ioflor.compute constant() "0"
            ioflor.store %v4 to @s["0"] instr 5
            ioflor.loop seq "c" to "64" {
              %v5 = ioflor.load @qs["c"] instr 6
              %v6 = ioflor.load @kc["64*(by*N + bx*ceildiv(N, S) + j) + c"] instr 7
              %v7 = ioflor.load @s["0"] instr 8
              %v8 = ioflor.compute mul(%v5, %v6)
              %v9 = ioflor.compute add(%v7, %v8)
              ioflor.store %v9 to @s["0"] instr 9
            }
            %v10 = ioflor.load @s["0"] instr 10
            %v11 = ioflor.compute constant() "scale"
            %v12 = ioflor.compute mul(%v10, %v11)
            %v13 = ioflor.load @hi["0"] instr 11
            %v14 = ioflor.compute max(%v13, %v12)
            %v15 = ioflor.compute sub(%v13, %v14)
            %v16 = ioflor.compute exp(%v15)
            %v17 = ioflor.compute sub(%v12, %v14)
            %v18 = ioflor.compute exp(%v17)
            %v19 = ioflor.load @den["0"] instr 12
            %v20 = ioflor.compute mul(%v19, %v16)
            %v21 = ioflor.compute add(%v20, %v18)
            ioflor.store %v21 to @den["0"] instr 13
            ioflor.store %v14 to @hi["0"] instr 14
            %v22 = ioflor.load @acc["0"] instr 15
            %v23 = ioflor.compute mul(%v22, %v16)
            %v24 = ioflor.load @vc["64*(by*N + bx*ceildiv(N, S) + j) + tx"] instr 16
            %v25 = ioflor.compute mul(%v18, %v24)
            %v26 = ioflor.compute add(%v23, %v25)
            ioflor.store %v26 to @acc["0"] instr 17
          }
          %v27 = ioflor.load @acc["0"] instr 18
          ioflor.store %v27 to @po["(by*S + bx)*64 + tx"] instr 19
          ioflor.guard "tx == 0" {
            %v28 = ioflor.load @hi["0"] instr 20
            ioflor.store %v28 to @pm["by*S + bx"] instr 21
            %v29 = ioflor.load @den["0"] instr 22
            ioflor.store %v29 to @pl["by*S + bx"] instr 23
          }
        }
      }
    }
  }
  ioflor.stage @s1 threads "64" registers 40 attributes {info = {}} {
    ioflor.buffer private @M : 4 bytes words "1" scalar
    ioflor.buffer private @L : 4 bytes words "1" scalar
    ioflor.buffer private @A : 4 bytes words "1" scalar
    ioflor.loop grid "bx1" to "H" {
      ioflor.loop thread "tx1" to "64" {
        %v30 = ioflor.compute constant() "-inf"
        ioflor.store %v30 to @M["0"] instr 24
        ioflor.loop seq "t" to "S" {
          %v31 = ioflor.load @M["0"] instr 25
          %v32 = ioflor.load @pm["S*bx1 + t"] instr 26
          %v33 = ioflor.compute max(%v31, %v32)
          ioflor.store %v33 to @M["0"] instr 27
        }
        %v34 = ioflor.compute constant() "0"
        ioflor.store %v34 to @L["0"] instr 28
        %v35 = ioflor.compute constant() "0"
        ioflor.store %v35 to @A["0"] instr 29
        ioflor.loop seq "t1" to "S" {
          %v36 = ioflor.load @pm["S*bx1 + t1"] instr 30
          %v37 = ioflor.load @M["0"] instr 31
          %v38 = ioflor.compute sub(%v36, %v37)
          %v39 = ioflor.compute exp(%v38)
          %v40 = ioflor.load @pl["S*bx1 + t1"] instr 32
          %v41 = ioflor.load @L["0"] instr 33
          %v42 = ioflor.compute fma(%v39, %v40, %v41)
          ioflor.store %v42 to @L["0"] instr 34
          %v43 = ioflor.load @po["(S*bx1 + t1)*64 + tx1"] instr 35
          %v44 = ioflor.load @A["0"] instr 36
          %v45 = ioflor.compute fma(%v39, %v43, %v44)
          ioflor.store %v45 to @A["0"] instr 37
        }
        %v46 = ioflor.load @A["0"] instr 38
        %v47 = ioflor.load @L["0"] instr 39
        %v48 = ioflor.compute div(%v46, %v47)
        ioflor.store %v48 to @o["64*bx1 + tx1"] instr 40
      }
    }
  }
}
