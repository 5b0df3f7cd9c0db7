// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
ioflor.subject @attend attributes {info = {name = "attend"}} {
  ioflor.symbol "heads" from "1" to "2147483647"
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.buffer slow @Q : 4 bytes
  ioflor.buffer slow @K : 4 bytes
  ioflor.buffer slow @V : 4 bytes
  ioflor.buffer slow @O : 4 bytes
  ioflor.stage @stage threads "64" registers 23 attributes {info = {}} {
    ioflor.buffer shared @k : 4 bytes words "1024"
    ioflor.buffer private @o : 4 bytes words "32"
    ioflor.buffer private @q : 4 bytes words "32"
    ioflor.buffer shared @v : 4 bytes words "1024"
    ioflor.buffer private @r_cond : 4 bytes words "1" scalar
    ioflor.buffer private @r_den : 4 bytes words "1" scalar
    ioflor.buffer private @r_cond36 : 4 bytes words "1" scalar
    ioflor.buffer private @r_cond52 : 4 bytes words "1" scalar
    ioflor.buffer private @r_den1 : 4 bytes words "1" scalar
    ioflor.buffer private @r_s : 4 bytes words "1" scalar
    ioflor.loop grid "by" to "heads" {
      ioflor.loop grid "bx" to "ceildiv(N, 64)" {
        ioflor.loop thread "tx" to "64" {
          ioflor.loop seq "t1" to "32" {
            ioflor.guard "N <= 64*bx + tx" {
              %4 = ioflor.compute constant() "0"
              ioflor.store %4 to @r_cond["0"] instr 0
            }
            ioflor.guard "64*bx + tx < N" {
              %4 = ioflor.load @Q["32*N*by + 2048*bx + t1 + 32*tx"] instr 1
              ioflor.store %4 to @r_cond["0"] instr 2
            }
            %2 = ioflor.load @r_cond["0"] instr 3
            ioflor.store %2 to @q["t1"] instr 4
            %3 = ioflor.compute constant() "0"
            ioflor.store %3 to @o["t1"] instr 5
          }
          %0 = ioflor.compute constant() "0"
          ioflor.store %0 to @r_den["0"] instr 6
          ioflor.loop seq "t2" to "ceildiv(N, 32)" {
            %2 = ioflor.load @r_den["0"] instr 7
            ioflor.loop seq "t3" to "16" {
              ioflor.guard "N <= 32*t2 + 2*t3 + floordiv(tx, 32)" {
                %6 = ioflor.compute constant() "0"
                ioflor.store %6 to @r_cond36["0"] instr 8
              }
              ioflor.guard "32*t2 + 2*t3 + floordiv(tx, 32) < N" {
                %6 = ioflor.load @K["32*N*by + 1024*t2 + 64*t3 + tx"] instr 9
                ioflor.store %6 to @r_cond36["0"] instr 10
              }
              %4 = ioflor.load @r_cond36["0"] instr 11
              ioflor.store %4 to @k["64*t3 + tx"] instr 12
              ioflor.guard "N <= 32*t2 + 2*t3 + floordiv(tx, 32)" {
                %6 = ioflor.compute constant() "0"
                ioflor.store %6 to @r_cond52["0"] instr 13
              }
              ioflor.guard "32*t2 + 2*t3 + floordiv(tx, 32) < N" {
                %6 = ioflor.load @V["32*N*by + 1024*t2 + 64*t3 + tx"] instr 14
                ioflor.store %6 to @r_cond52["0"] instr 15
              }
              %5 = ioflor.load @r_cond52["0"] instr 16
              ioflor.store %5 to @v["64*t3 + tx"] instr 17
            }
            ioflor.barrier
            ioflor.store %2 to @r_den1["0"] instr 18
            ioflor.loop seq "t4" to "min(N - 32*t2, 32)" {
              %4 = ioflor.load @r_den1["0"] instr 19
              %5 = ioflor.compute constant() "0"
              ioflor.store %5 to @r_s["0"] instr 20
              ioflor.loop seq "t5" to "32" {
                %11 = ioflor.load @r_s["0"] instr 21
                %12 = ioflor.load @q["t5"] instr 22
                %13 = ioflor.load @k["32*t4 + t5"] instr 23
                %14 = ioflor.compute mul(%12, %13)
                %15 = ioflor.compute add(%11, %14)
                ioflor.store %15 to @r_s["0"] instr 24
              }
              %6 = ioflor.load @r_s["0"] instr 25
              %7 = ioflor.compute constant() "scale"
              %8 = ioflor.compute mul(%6, %7)
              %9 = ioflor.compute exp(%8) "__nv_fast_expf"
              %10 = ioflor.compute add(%4, %9)
              ioflor.loop seq "t6" to "32" {
                %11 = ioflor.load @v["32*t4 + t6"] instr 26
                %12 = ioflor.compute mul(%9, %11)
                %13 = ioflor.load @o["t6"] instr 27
                %14 = ioflor.compute add(%13, %12)
                ioflor.store %14 to @o["t6"] instr 28
              }
              ioflor.store %10 to @r_den1["0"] instr 29
            }
            %3 = ioflor.load @r_den1["0"] instr 30
            ioflor.barrier
            ioflor.store %3 to @r_den["0"] instr 31
          }
          %1 = ioflor.load @r_den["0"] instr 32
          ioflor.guard "64*bx + tx < N" {
            ioflor.loop seq "t7" to "32" {
              %2 = ioflor.load @o["t7"] instr 33
              %3 = ioflor.compute div(%2, %1)
              ioflor.store %3 to @O["32*N*by + 2048*bx + t7 + 32*tx"] instr 34
            }
          }
        }
      }
    }
  }
}
