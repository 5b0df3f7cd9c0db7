// RUN: %ioflor_opt --ioflor-roles %s | %filecheck %s
// Linear attention, plain and with exp as a feature map: no exp of a score.

// CHECK-LABEL: @linear
// CHECK: ioflor.verdict "not-attention"
// CHECK-LABEL: @feature
// CHECK: ioflor.verdict "not-attention"
ioflor.subject @linear attributes {info = {name = "linear"}} {
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.buffer slow @q : 4 bytes
  ioflor.buffer slow @k : 4 bytes
  ioflor.buffer slow @v : 4 bytes
  ioflor.buffer slow @o : 4 bytes
  ioflor.stage @s0 threads "64" registers 40 attributes {info = {}} {
    ioflor.buffer private @acc : 4 bytes words "64"
    ioflor.buffer private @s : 4 bytes words "1" scalar
    ioflor.loop grid "bx" to "N" {
      ioflor.loop seq "c" to "64" {
        %v0 = ioflor.compute constant() "0"
        ioflor.store %v0 to @acc["c"] instr 0
      }
      ioflor.loop seq "j" to "N" {
        %v1 = ioflor.compute constant() "0"
        ioflor.store %v1 to @s["0"] instr 1
        ioflor.loop seq "c1" to "64" {
          %v2 = ioflor.load @q["64*bx + c1"] instr 2
          %v3 = ioflor.load @k["64*j + c1"] instr 3
          %v4 = ioflor.load @s["0"] instr 4
          %v5 = ioflor.compute mul(%v2, %v3)
          %v6 = ioflor.compute add(%v4, %v5)
          ioflor.store %v6 to @s["0"] instr 5
        }
        %v7 = ioflor.load @s["0"] instr 6
        %v8 = ioflor.compute constant() "scale"
        %v9 = ioflor.compute mul(%v7, %v8)
        ioflor.loop seq "c3" to "64" {
          %v10 = ioflor.load @acc["c3"] instr 7
          %v11 = ioflor.load @v["64*j + c3"] instr 8
          %v12 = ioflor.compute mul(%v9, %v11)
          %v13 = ioflor.compute add(%v10, %v12)
          ioflor.store %v13 to @acc["c3"] instr 9
        }
      }
      ioflor.loop seq "c4" to "64" {
        %v14 = ioflor.load @acc["c4"] instr 10
        ioflor.store %v14 to @o["64*bx + c4"] instr 11
      }
    }
  }
}
ioflor.subject @feature attributes {info = {name = "feature"}} {
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.buffer slow @q : 4 bytes
  ioflor.buffer slow @k : 4 bytes
  ioflor.buffer slow @v : 4 bytes
  ioflor.buffer slow @o : 4 bytes
  ioflor.stage @s0 threads "64" registers 40 attributes {info = {}} {
    ioflor.buffer private @acc : 4 bytes words "64"
    ioflor.buffer private @s : 4 bytes words "1" scalar
    ioflor.buffer private @n : 4 bytes words "1" scalar
    ioflor.loop grid "bx" to "N" {
      ioflor.loop seq "c" to "64" {
        %v15 = ioflor.compute constant() "0"
        ioflor.store %v15 to @acc["c"] instr 12
      }
      %v16 = ioflor.compute constant() "0"
      ioflor.store %v16 to @n["0"] instr 13
      ioflor.loop seq "j" to "N" {
        %v17 = ioflor.compute constant() "0"
        ioflor.store %v17 to @s["0"] instr 14
        ioflor.loop seq "c1" to "64" {
          %v18 = ioflor.load @q["64*bx + c1"] instr 15
          %v19 = ioflor.compute exp(%v18)
          %v20 = ioflor.load @k["64*j + c1"] instr 16
          %v21 = ioflor.compute exp(%v20)
          %v22 = ioflor.load @s["0"] instr 17
          %v23 = ioflor.compute mul(%v19, %v21)
          %v24 = ioflor.compute add(%v22, %v23)
          ioflor.store %v24 to @s["0"] instr 18
        }
        %v25 = ioflor.load @s["0"] instr 19
        %v26 = ioflor.compute constant() "scale"
        %v27 = ioflor.compute mul(%v25, %v26)
        %v28 = ioflor.load @n["0"] instr 20
        %v29 = ioflor.compute add(%v28, %v27)
        ioflor.store %v29 to @n["0"] instr 21
        ioflor.loop seq "c3" to "64" {
          %v30 = ioflor.load @acc["c3"] instr 22
          %v31 = ioflor.load @v["64*j + c3"] instr 23
          %v32 = ioflor.compute mul(%v27, %v31)
          %v33 = ioflor.compute add(%v30, %v32)
          ioflor.store %v33 to @acc["c3"] instr 24
        }
      }
      ioflor.loop seq "c4" to "64" {
        %v34 = ioflor.load @acc["c4"] instr 25
        %v35 = ioflor.load @n["0"] instr 26
        %v36 = ioflor.compute div(%v34, %v35)
        ioflor.store %v36 to @o["64*bx + c4"] instr 27
      }
    }
  }
}
