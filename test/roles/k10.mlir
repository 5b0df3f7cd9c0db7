// RUN: %ioflor_opt --ioflor-roles %s | %filecheck %s
// None of these is attention: a product of matrices, a softmax, an activation and
// a gated MLP. Later passes stay silent.

// CHECK-LABEL: ioflor.subject @gemm
// CHECK-NOT: role
// CHECK-NOT: ioflor.finding
// CHECK: ioflor.verdict "not-attention" ""
// CHECK-LABEL: ioflor.subject @softmaxRows
// CHECK-NOT: role
// CHECK-NOT: ioflor.finding
// CHECK: ioflor.verdict "not-attention" ""
// CHECK-LABEL: ioflor.subject @gelu
// CHECK-NOT: role
// CHECK-NOT: ioflor.finding
// CHECK: ioflor.verdict "not-attention" ""
// CHECK-LABEL: ioflor.subject @swiglu
// CHECK-NOT: role
// CHECK-NOT: ioflor.finding
// CHECK: ioflor.verdict "not-attention" ""
ioflor.subject @gemm attributes {info = {name = "gemm"}} {
  ioflor.symbol "m" from "1" to "2147483647"
  ioflor.symbol "n" from "1" to "2147483647"
  ioflor.symbol "k" from "1" to "2147483647"
  ioflor.buffer slow @a : 4 bytes
  ioflor.buffer slow @b : 4 bytes
  ioflor.buffer slow @c : 4 bytes
  ioflor.stage @s0 threads "1" registers 40 attributes {info = {}} {
    ioflor.buffer private @x : 4 bytes words "1" scalar
    ioflor.loop grid "by" to "m" {
      ioflor.loop grid "bx" to "n" {
        %v0 = ioflor.compute constant() "0"
        ioflor.store %v0 to @x["0"] instr 0
        ioflor.loop seq "t" to "k" {
          %v1 = ioflor.load @a["by*k + t"] instr 1
          %v2 = ioflor.load @b["t*n + bx"] instr 2
          %v3 = ioflor.load @x["0"] instr 3
          %v4 = ioflor.compute mul(%v1, %v2)
          %v5 = ioflor.compute add(%v3, %v4)
          ioflor.store %v5 to @x["0"] instr 4
        }
        %v6 = ioflor.load @x["0"] instr 5
        %v7 = ioflor.compute constant() "scale"
        %v8 = ioflor.compute mul(%v6, %v7)
        ioflor.store %v8 to @c["by*n + bx"] instr 6
      }
    }
  }
}
ioflor.subject @softmaxRows attributes {info = {name = "softmaxRows"}} {
  ioflor.symbol "n" from "1" to "2147483647"
  ioflor.buffer slow @x : 4 bytes
  ioflor.buffer slow @y : 4 bytes
  ioflor.stage @s0 threads "1" registers 40 attributes {info = {}} {
    ioflor.buffer private @hi : 4 bytes words "1" scalar
    ioflor.buffer private @den : 4 bytes words "1" scalar
    ioflor.loop grid "bx" to "n" {
      %v9 = ioflor.compute constant() "-1e30"
      ioflor.store %v9 to @hi["0"] instr 7
      %v10 = ioflor.compute constant() "0"
      ioflor.store %v10 to @den["0"] instr 8
      ioflor.loop seq "j0" to "n" {
        %v11 = ioflor.load @hi["0"] instr 9
        %v12 = ioflor.load @x["n*bx + j0"] instr 10
        %v13 = ioflor.compute max(%v11, %v12)
        ioflor.store %v13 to @hi["0"] instr 11
      }
      ioflor.loop seq "j1" to "n" {
        %v14 = ioflor.load @den["0"] instr 12
        %v15 = ioflor.load @x["n*bx + j1"] instr 13
        %v16 = ioflor.load @hi["0"] instr 14
        %v17 = ioflor.compute sub(%v15, %v16)
        %v18 = ioflor.compute exp(%v17)
        %v19 = ioflor.compute add(%v14, %v18)
        ioflor.store %v19 to @den["0"] instr 15
      }
      ioflor.loop seq "j2" to "n" {
        %v20 = ioflor.load @x["n*bx + j2"] instr 16
        %v21 = ioflor.load @hi["0"] instr 17
        %v22 = ioflor.compute sub(%v20, %v21)
        %v23 = ioflor.compute exp(%v22)
        %v24 = ioflor.load @den["0"] instr 18
        %v25 = ioflor.compute div(%v23, %v24)
        ioflor.store %v25 to @y["n*bx + j2"] instr 19
      }
    }
  }
}
ioflor.subject @gelu attributes {info = {name = "gelu"}} {
  ioflor.symbol "n" from "1" to "2147483647"
  ioflor.buffer slow @x : 4 bytes
  ioflor.buffer slow @y : 4 bytes
  ioflor.stage @s0 threads "256" registers 40 attributes {info = {}} {
    ioflor.loop grid "bx" to "ceildiv(n, 256)" {
      ioflor.loop thread "tx" to "256" {
        ioflor.guard "256*bx + tx < n" {
          %v26 = ioflor.load @x["256*bx + tx"] instr 20
          %v27 = ioflor.compute constant() "1"
          %v28 = ioflor.compute constant() "-1.702"
          %v29 = ioflor.compute mul(%v26, %v28)
          %v30 = ioflor.compute exp(%v29)
          %v31 = ioflor.compute add(%v27, %v30)
          %v32 = ioflor.compute div(%v26, %v31)
          ioflor.store %v32 to @y["256*bx + tx"] instr 21
        }
      }
    }
  }
}
ioflor.subject @swiglu attributes {info = {name = "swiglu"}} {
  ioflor.symbol "n" from "1" to "2147483647"
  ioflor.symbol "f" from "1" to "2147483647"
  ioflor.symbol "d" from "1" to "2147483647"
  ioflor.buffer slow @x : 4 bytes
  ioflor.buffer slow @w1 : 4 bytes
  ioflor.buffer slow @w2 : 4 bytes
  ioflor.buffer slow @w3 : 4 bytes
  ioflor.buffer slow @y : 4 bytes
  ioflor.stage @s0 threads "1" registers 40 attributes {info = {}} {
    ioflor.buffer private @g : 4 bytes words "1" scalar
    ioflor.buffer private @u : 4 bytes words "1" scalar
    ioflor.buffer private @acc : 4 bytes words "1" scalar
    ioflor.loop grid "bx" to "n" {
      ioflor.loop seq "o" to "d" {
        %v33 = ioflor.compute constant() "0"
        ioflor.store %v33 to @acc["0"] instr 22
        ioflor.loop seq "j" to "f" {
          %v34 = ioflor.compute constant() "0"
          ioflor.store %v34 to @g["0"] instr 23
          ioflor.loop seq "c" to "d" {
            %v35 = ioflor.load @x["bx*d + c"] instr 24
            %v36 = ioflor.load @w1["j*d + c"] instr 25
            %v37 = ioflor.load @g["0"] instr 26
            %v38 = ioflor.compute mul(%v35, %v36)
            %v39 = ioflor.compute add(%v37, %v38)
            ioflor.store %v39 to @g["0"] instr 27
          }
          %v40 = ioflor.load @g["0"] instr 28
          %v41 = ioflor.compute constant() "scale"
          %v42 = ioflor.compute mul(%v40, %v41)
          %v43 = ioflor.compute constant() "0"
          ioflor.store %v43 to @u["0"] instr 29
          ioflor.loop seq "c1" to "d" {
            %v44 = ioflor.load @x["bx*d + c1"] instr 30
            %v45 = ioflor.load @w2["j*d + c1"] instr 31
            %v46 = ioflor.load @u["0"] instr 32
            %v47 = ioflor.compute mul(%v44, %v45)
            %v48 = ioflor.compute add(%v46, %v47)
            ioflor.store %v48 to @u["0"] instr 33
          }
          %v49 = ioflor.load @u["0"] instr 34
          %v50 = ioflor.compute constant() "scale"
          %v51 = ioflor.compute mul(%v49, %v50)
          %v52 = ioflor.compute constant() "1"
          %v53 = ioflor.compute constant() "1"
          %v54 = ioflor.compute neg(%v42)
          %v55 = ioflor.compute exp(%v54)
          %v56 = ioflor.compute add(%v53, %v55)
          %v57 = ioflor.compute div(%v52, %v56)
          %v58 = ioflor.compute mul(%v42, %v57)
          %v59 = ioflor.compute mul(%v58, %v51)
          %v60 = ioflor.load @w3["j*d + o"] instr 35
          %v61 = ioflor.load @acc["0"] instr 36
          %v62 = ioflor.compute fma(%v59, %v60, %v61)
          ioflor.store %v62 to @acc["0"] instr 37
        }
        %v63 = ioflor.load @acc["0"] instr 38
        ioflor.store %v63 to @y["bx*d + o"] instr 39
      }
    }
  }
}
