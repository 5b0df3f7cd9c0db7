// RUN: %ioflor_opt --ioflor-roles %s | %filecheck %s
// A backward pass is no forward attention.

// CHECK-NOT: role Q
// CHECK: ioflor.finding "ioflor-inconclusive" "remark" "roles of the operands not found: a backward pass
// CHECK: ioflor.verdict "inconclusive" "a backward pass
ioflor.subject @backward attributes {info = {name = "backward"}} {
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.buffer slow @q : 4 bytes
  ioflor.buffer slow @k : 4 bytes
  ioflor.buffer slow @v : 4 bytes
  ioflor.buffer slow @dO : 4 bytes
  ioflor.buffer slow @lse : 4 bytes
  ioflor.buffer slow @delta : 4 bytes
  ioflor.buffer slow @dq : 4 bytes
  ioflor.stage @s0 threads "64" registers 40 attributes {info = {}} {
    ioflor.buffer private @acc : 4 bytes words "64"
    ioflor.buffer private @s : 4 bytes words "1" scalar
    ioflor.buffer private @dp : 4 bytes words "1" scalar
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
        %v10 = ioflor.load @lse["bx"] instr 7
        %v11 = ioflor.compute sub(%v9, %v10)
        %v12 = ioflor.compute exp(%v11)
        %v13 = ioflor.compute constant() "0"
        ioflor.store %v13 to @dp["0"] instr 8
        ioflor.loop seq "c2" to "64" {
          %v14 = ioflor.load @dO["64*bx + c2"] instr 9
          %v15 = ioflor.load @v["64*j + c2"] instr 10
          %v16 = ioflor.load @dp["0"] instr 11
          %v17 = ioflor.compute mul(%v14, %v15)
          %v18 = ioflor.compute add(%v16, %v17)
          ioflor.store %v18 to @dp["0"] instr 12
        }
        %v19 = ioflor.load @dp["0"] instr 13
        %v20 = ioflor.compute constant() "scale"
        %v21 = ioflor.compute mul(%v19, %v20)
        %v22 = ioflor.load @delta["bx"] instr 14
        %v23 = ioflor.compute sub(%v21, %v22)
        %v24 = ioflor.compute mul(%v12, %v23)
        ioflor.loop seq "c3" to "64" {
          %v25 = ioflor.load @acc["c3"] instr 15
          %v26 = ioflor.load @k["64*j + c3"] instr 16
          %v27 = ioflor.compute mul(%v24, %v26)
          %v28 = ioflor.compute add(%v25, %v27)
          ioflor.store %v28 to @acc["c3"] instr 17
        }
      }
      ioflor.loop seq "c4" to "64" {
        %v29 = ioflor.load @acc["c4"] instr 18
        ioflor.store %v29 to @dq["64*bx + c4"] instr 19
      }
    }
  }
}
