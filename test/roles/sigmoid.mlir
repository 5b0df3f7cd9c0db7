// RUN: %ioflor_opt --ioflor-roles %s | %filecheck %s
// Weights that are not normalised over the keys are no softmax.

// CHECK-NOT: role
// CHECK: ioflor.verdict "not-attention"
ioflor.subject @sigmoid attributes {info = {name = "sigmoid"}} {
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.buffer slow @q : 4 bytes
  ioflor.buffer slow @k : 4 bytes
  ioflor.buffer slow @v : 4 bytes
  ioflor.buffer slow @o : 4 bytes
  ioflor.stage @s0 threads "1" registers 40 attributes {info = {}} {
    ioflor.buffer private @acc : 4 bytes words "64"
    ioflor.buffer private @s : 4 bytes words "1" scalar
    ioflor.loop grid "bx" to "N" {
      %v0 = ioflor.compute constant() "0"
      ioflor.loop seq "c" to "64" {
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
        %v10 = ioflor.compute constant() "1"
        %v11 = ioflor.compute constant() "1"
        %v12 = ioflor.compute neg(%v9)
        %v13 = ioflor.compute exp(%v12)
        %v14 = ioflor.compute add(%v11, %v13)
        %v15 = ioflor.compute div(%v10, %v14)
        ioflor.loop seq "c3" to "64" {
          %v16 = ioflor.load @acc["c3"] instr 7
          %v17 = ioflor.load @v["64*j + c3"] instr 8
          %v18 = ioflor.compute mul(%v15, %v17)
          %v19 = ioflor.compute add(%v16, %v18)
          ioflor.store %v19 to @acc["c3"] instr 9
        }
      }
      ioflor.loop seq "c4" to "64" {
        %v20 = ioflor.load @acc["c4"] instr 10
        ioflor.store %v20 to @o["64*bx + c4"] instr 11
      }
    }
  }
}
