// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
ioflor.subject @grouped attributes {disclosure = {column = 1 : i64, kind = "exact", line = 1 : i64}, info = {name = "grouped"}} {
  ioflor.symbol "kvHeads" from "1" to "2147483647"
  ioflor.symbol "nq" from "1" to "2147483647"
  ioflor.symbol "nk" from "1" to "2147483647"
  ioflor.buffer slow @Q : 4 bytes
  ioflor.buffer slow @K : 4 bytes
  ioflor.buffer slow @V : 4 bytes
  ioflor.buffer slow @O : 4 bytes
  ioflor.stage @stage threads "64" registers 25 attributes {info = {}} {
    ioflor.buffer private @acc : 4 bytes words "32"
    ioflor.buffer shared @ks : 4 bytes words "1024"
    ioflor.buffer private @q : 4 bytes words "32"
    ioflor.buffer shared @vs : 4 bytes words "1024"
    ioflor.buffer private @r_cond : 4 bytes words "1" scalar
    ioflor.buffer private @r_sum : 4 bytes words "1" scalar
    ioflor.buffer private @r_highest : 4 bytes words "1" scalar
    ioflor.buffer private @r_sum1 : 4 bytes words "1" scalar
    ioflor.buffer private @r_highest1 : 4 bytes words "1" scalar
    ioflor.buffer private @r_s : 4 bytes words "1" scalar
    ioflor.loop grid "by" to "kvHeads" {
      ioflor.loop grid "bx" to "ceildiv(nq, 16)" {
        ioflor.loop thread "tx" to "64" {
          ioflor.loop seq "t1" to "32" {
            ioflor.guard "nq <= 16*bx + mod(tx, 16)" {
              %5 = ioflor.compute constant() "0"
              ioflor.store %5 to @r_cond["0"] instr 0
            }
            ioflor.guard "16*bx + mod(tx, 16) < nq" {
              %5 = ioflor.load @Q["128*by*nq + 32*nq*floordiv(tx, 16) + 512*bx + t1 + 32*mod(tx, 16)"] instr 1
              %6 = ioflor.compute constant() "scale"
              %7 = ioflor.compute mul(%5, %6)
              ioflor.store %7 to @r_cond["0"] instr 2
            }
            %3 = ioflor.load @r_cond["0"] instr 3
            ioflor.store %3 to @q["t1"] instr 4
            %4 = ioflor.compute constant() "0"
            ioflor.store %4 to @acc["t1"] instr 5
          }
          %0 = ioflor.compute constant() "0"
          ioflor.store %0 to @r_sum["0"] instr 6
          %1 = ioflor.compute constant() "-Inf"
          ioflor.store %1 to @r_highest["0"] instr 7
          ioflor.loop seq "t2" to "ceildiv(nk, 32)" {
            %3 = ioflor.load @r_sum["0"] instr 8
            %4 = ioflor.load @r_highest["0"] instr 9
            ioflor.loop seq "t3" to "-floordiv(tx - 32*min(nk - 32*t2, 32), 64)" {
              %7 = ioflor.load @K["32*by*nk + 1024*t2 + 64*t3 + tx"] instr 10
              ioflor.store %7 to @ks["64*t3 + tx"] instr 11
              %8 = ioflor.load @V["32*by*nk + 1024*t2 + 64*t3 + tx"] instr 12
              ioflor.store %8 to @vs["64*t3 + tx"] instr 13
            }
            ioflor.barrier
            ioflor.store %3 to @r_sum1["0"] instr 14
            ioflor.store %4 to @r_highest1["0"] instr 15
            ioflor.loop seq "t4" to "min(nk - 32*t2, 32)" {
              %7 = ioflor.load @r_sum1["0"] instr 16
              %8 = ioflor.load @r_highest1["0"] instr 17
              %9 = ioflor.compute constant() "0"
              ioflor.store %9 to @r_s["0"] instr 18
              ioflor.loop seq "t5" to "32" {
                %18 = ioflor.load @r_s["0"] instr 19
                %19 = ioflor.load @q["t5"] instr 20
                %20 = ioflor.load @ks["32*t4 + t5"] instr 21
                %21 = ioflor.compute mul(%19, %20)
                %22 = ioflor.compute add(%18, %21)
                ioflor.store %22 to @r_s["0"] instr 22
              }
              %10 = ioflor.load @r_s["0"] instr 23
              %11 = ioflor.compute max(%8, %10) "__nv_fmaxf"
              %12 = ioflor.compute sub(%8, %11)
              %13 = ioflor.compute exp(%12) "__nv_fast_expf"
              %14 = ioflor.compute sub(%10, %11)
              %15 = ioflor.compute exp(%14) "__nv_fast_expf"
              %16 = ioflor.compute mul(%7, %13)
              %17 = ioflor.compute add(%16, %15)
              ioflor.loop seq "t6" to "32" {
                %18 = ioflor.load @acc["t6"] instr 24
                %19 = ioflor.compute mul(%18, %13)
                %20 = ioflor.load @vs["32*t4 + t6"] instr 25
                %21 = ioflor.compute mul(%15, %20)
                %22 = ioflor.compute add(%19, %21)
                ioflor.store %22 to @acc["t6"] instr 26
              }
              ioflor.store %17 to @r_sum1["0"] instr 27
              ioflor.store %11 to @r_highest1["0"] instr 28
            }
            %5 = ioflor.load @r_sum1["0"] instr 29
            %6 = ioflor.load @r_highest1["0"] instr 30
            ioflor.barrier
            ioflor.store %5 to @r_sum["0"] instr 31
            ioflor.store %6 to @r_highest["0"] instr 32
          }
          %2 = ioflor.load @r_sum["0"] instr 33
          ioflor.guard "16*bx + mod(tx, 16) < nq" {
            ioflor.loop seq "t7" to "32" {
              %3 = ioflor.load @acc["t7"] instr 34
              %4 = ioflor.compute div(%3, %2)
              ioflor.store %4 to @O["128*by*nq + 32*nq*floordiv(tx, 16) + 512*bx + t7 + 32*mod(tx, 16)"] instr 35
            }
          }
        }
      }
    }
  }
}
