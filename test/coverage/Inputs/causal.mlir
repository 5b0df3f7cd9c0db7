// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
ioflor.subject @causal attributes {disclosure = {column = 1 : i64, kind = "causal", line = 1 : i64}, info = {name = "causal"}} {
  ioflor.symbol "heads" from "1" to "2147483647"
  ioflor.symbol "n" from "1" to "2147483647"
  ioflor.buffer slow @q : 4 bytes
  ioflor.buffer slow @k : 4 bytes
  ioflor.buffer slow @v : 4 bytes
  ioflor.buffer slow @o : 4 bytes
  ioflor.stage @stage threads "32" registers 23 attributes {info = {}} {
    ioflor.buffer private @acc : 4 bytes words "64"
    ioflor.buffer shared @ks : 4 bytes words "1024"
    ioflor.buffer private @qi : 4 bytes words "64"
    ioflor.buffer shared @vs : 4 bytes words "1024"
    ioflor.buffer private @r_hi : 4 bytes words "1" scalar
    ioflor.buffer private @r_den : 4 bytes words "1" scalar
    ioflor.buffer private @r_hi1 : 4 bytes words "1" scalar
    ioflor.buffer private @r_den1 : 4 bytes words "1" scalar
    ioflor.buffer private @r_hi2 : 4 bytes words "1" scalar
    ioflor.buffer private @r_den2 : 4 bytes words "1" scalar
    ioflor.buffer private @r_s : 4 bytes words "1" scalar
    ioflor.loop grid "by" to "heads" {
      ioflor.loop grid "bx" to "ceildiv(n, 32)" {
        ioflor.loop thread "tx" to "32" {
          %0 = ioflor.compute constant() "memset"
          ioflor.store %0 to @acc["0"] width 64 instr 0
          ioflor.guard "32*bx + tx < n" {
            ioflor.loop seq "t1" to "64" {
              %4 = ioflor.load @q["64*by*n + 2048*bx + t1 + 64*tx"] instr 1
              ioflor.store %4 to @qi["t1"] instr 2
            }
          }
          %1 = ioflor.compute constant() "-Inf"
          ioflor.store %1 to @r_hi["0"] instr 3
          %2 = ioflor.compute constant() "0"
          ioflor.store %2 to @r_den["0"] instr 4
          ioflor.loop seq "t2" to "ceildiv(min(32*bx + 32, n), 16)" {
            %4 = ioflor.load @r_hi["0"] instr 5
            %5 = ioflor.load @r_den["0"] instr 6
            ioflor.loop seq "t3" to "32" {
              ioflor.guard "16*t2 + floordiv(t3, 2) < n" {
                %8 = ioflor.load @k["64*by*n + 1024*t2 + 32*t3 + tx"] instr 7
                ioflor.store %8 to @ks["32*t3 + tx"] instr 8
                %9 = ioflor.load @v["64*by*n + 1024*t2 + 32*t3 + tx"] instr 9
                ioflor.store %9 to @vs["32*t3 + tx"] instr 10
              }
            }
            ioflor.barrier
            ioflor.guard "n <= 32*bx + tx" {
              ioflor.store %4 to @r_hi1["0"] instr 11
              ioflor.store %5 to @r_den1["0"] instr 12
            }
            ioflor.guard "32*bx + tx < n" {
              ioflor.store %4 to @r_hi2["0"] instr 13
              ioflor.store %5 to @r_den2["0"] instr 14
              ioflor.loop seq "t4" to "min(max(0, 32*bx - 16*t2 + tx + 1), 16)" {
                %10 = ioflor.load @r_hi2["0"] instr 15
                %11 = ioflor.load @r_den2["0"] instr 16
                %12 = ioflor.compute constant() "0"
                ioflor.store %12 to @r_s["0"] instr 17
                ioflor.loop seq "t5" to "64" {
                  %23 = ioflor.load @r_s["0"] instr 18
                  %24 = ioflor.load @qi["t5"] instr 19
                  %25 = ioflor.load @ks["64*t4 + t5"] instr 20
                  %26 = ioflor.compute mul(%24, %25)
                  %27 = ioflor.compute add(%23, %26)
                  ioflor.store %27 to @r_s["0"] instr 21
                }
                %13 = ioflor.load @r_s["0"] instr 22
                %14 = ioflor.compute constant() "scale"
                %15 = ioflor.compute mul(%13, %14)
                %16 = ioflor.compute max(%10, %15) "__nv_fmaxf"
                %17 = ioflor.compute sub(%10, %16)
                %18 = ioflor.compute exp(%17) "__nv_expf"
                %19 = ioflor.compute sub(%15, %16)
                %20 = ioflor.compute exp(%19) "__nv_expf"
                %21 = ioflor.compute mul(%11, %18)
                %22 = ioflor.compute add(%21, %20)
                ioflor.loop seq "t6" to "64" {
                  %23 = ioflor.load @acc["t6"] instr 23
                  %24 = ioflor.compute mul(%23, %18)
                  %25 = ioflor.load @vs["64*t4 + t6"] instr 24
                  %26 = ioflor.compute mul(%20, %25)
                  %27 = ioflor.compute add(%24, %26)
                  ioflor.store %27 to @acc["t6"] instr 25
                }
                ioflor.store %16 to @r_hi2["0"] instr 26
                ioflor.store %22 to @r_den2["0"] instr 27
              }
              %8 = ioflor.load @r_hi2["0"] instr 28
              %9 = ioflor.load @r_den2["0"] instr 29
              ioflor.store %8 to @r_hi1["0"] instr 30
              ioflor.store %9 to @r_den1["0"] instr 31
            }
            %6 = ioflor.load @r_hi1["0"] instr 32
            %7 = ioflor.load @r_den1["0"] instr 33
            ioflor.barrier
            ioflor.store %6 to @r_hi["0"] instr 34
            ioflor.store %7 to @r_den["0"] instr 35
          }
          %3 = ioflor.load @r_den["0"] instr 36
          ioflor.guard "32*bx + tx < n" {
            ioflor.loop seq "t7" to "64" {
              %4 = ioflor.load @acc["t7"] instr 37
              %5 = ioflor.compute div(%4, %3)
              ioflor.store %5 to @o["64*by*n + 2048*bx + t7 + 64*tx"] instr 38
            }
          }
        }
      }
    }
  }
}
