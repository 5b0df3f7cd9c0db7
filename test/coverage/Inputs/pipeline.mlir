// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
ioflor.subject @attention attributes {info = {name = "attention"}} {
  ioflor.symbol "n" from "1" to "2147483647"
  ioflor.symbol "d" from "1" to "2147483647"
  ioflor.buffer slow @Q : 4 bytes
  ioflor.buffer slow @K : 4 bytes
  ioflor.buffer slow @S : 4 bytes words "n**2" {evidence = "cudaMalloc"}
  ioflor.buffer slow @V : 4 bytes
  ioflor.buffer slow @O : 4 bytes
  ioflor.stage @stage1 threads "256" registers 16 attributes {info = {}} {
    ioflor.buffer private @r_sum : 4 bytes words "1" scalar
    ioflor.loop grid "by1" to "ceildiv(n, 16)" {
      ioflor.loop grid "bx1" to "ceildiv(n, 16)" {
        ioflor.loop thread "ty1" to "16" {
          ioflor.loop thread "tx1" to "16" {
            ioflor.guard "16*bx1 + tx1 < n and 16*by1 + ty1 < n" {
              %0 = ioflor.compute constant() "0"
              ioflor.store %0 to @r_sum["0"] instr 0
              ioflor.loop seq "t1" to "d" {
                %4 = ioflor.load @r_sum["0"] instr 1
                %5 = ioflor.load @Q["16*by1*d + d*ty1 + t1"] instr 2
                %6 = ioflor.load @K["16*bx1*d + d*tx1 + t1"] instr 3
                %7 = ioflor.compute mul(%5, %6)
                %8 = ioflor.compute add(%4, %7)
                ioflor.store %8 to @r_sum["0"] instr 4
              }
              %1 = ioflor.load @r_sum["0"] instr 5
              %2 = ioflor.compute constant() "scale"
              %3 = ioflor.compute mul(%1, %2)
              ioflor.store %3 to @S["16*by1*n + n*ty1 + 16*bx1 + tx1"] instr 6
            }
          }
        }
      }
    }
  }
  ioflor.stage @stage2 threads "64" registers 9 attributes {info = {}} {
    ioflor.buffer private @r_highest : 4 bytes words "1" scalar
    ioflor.buffer private @r_sum1 : 4 bytes words "1" scalar
    ioflor.loop grid "bx2" to "ceildiv(n, 64)" {
      ioflor.loop thread "tx2" to "64" {
        ioflor.guard "64*bx2 + tx2 < n" {
          %0 = ioflor.compute constant() "-Inf"
          ioflor.store %0 to @r_highest["0"] instr 0
          ioflor.loop seq "t2" to "n" {
            %4 = ioflor.load @r_highest["0"] instr 1
            %5 = ioflor.load @S["64*bx2*n + n*tx2 + t2"] instr 2
            %6 = ioflor.compute max(%4, %5) "__nv_fmaxf"
            ioflor.store %6 to @r_highest["0"] instr 3
          }
          %1 = ioflor.load @r_highest["0"] instr 4
          %2 = ioflor.compute constant() "0"
          ioflor.store %2 to @r_sum1["0"] instr 5
          ioflor.loop seq "t3" to "n" {
            %4 = ioflor.load @r_sum1["0"] instr 6
            %5 = ioflor.load @S["64*bx2*n + n*tx2 + t3"] instr 7
            %6 = ioflor.compute sub(%5, %1)
            %7 = ioflor.compute exp(%6) "__nv_expf"
            %8 = ioflor.compute add(%4, %7)
            ioflor.store %8 to @r_sum1["0"] instr 8
          }
          %3 = ioflor.load @r_sum1["0"] instr 9
          ioflor.loop seq "t4" to "n" {
            %4 = ioflor.load @S["64*bx2*n + n*tx2 + t4"] instr 10
            %5 = ioflor.compute sub(%4, %1)
            %6 = ioflor.compute exp(%5) "__nv_expf"
            %7 = ioflor.compute div(%6, %3)
            ioflor.store %7 to @S["64*bx2*n + n*tx2 + t4"] instr 11
          }
        }
      }
    }
  }
  ioflor.stage @stage3 threads "256" registers 15 attributes {info = {}} {
    ioflor.buffer private @r_sum2 : 4 bytes words "1" scalar
    ioflor.loop grid "by3" to "ceildiv(n, 16)" {
      ioflor.loop grid "bx3" to "ceildiv(d, 16)" {
        ioflor.loop thread "ty3" to "16" {
          ioflor.loop thread "tx3" to "16" {
            ioflor.guard "16*bx3 + tx3 < d and 16*by3 + ty3 < n" {
              %0 = ioflor.compute constant() "0"
              ioflor.store %0 to @r_sum2["0"] instr 0
              ioflor.loop seq "t5" to "n" {
                %2 = ioflor.load @r_sum2["0"] instr 1
                %3 = ioflor.load @S["16*by3*n + n*ty3 + t5"] instr 2
                %4 = ioflor.load @V["d*t5 + 16*bx3 + tx3"] instr 3
                %5 = ioflor.compute mul(%3, %4)
                %6 = ioflor.compute add(%2, %5)
                ioflor.store %6 to @r_sum2["0"] instr 4
              }
              %1 = ioflor.load @r_sum2["0"] instr 5
              ioflor.store %1 to @O["16*by3*d + d*ty3 + 16*bx3 + tx3"] instr 6
            }
          }
        }
      }
    }
  }
}
