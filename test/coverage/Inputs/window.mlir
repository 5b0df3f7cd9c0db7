// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
ioflor.subject @windowed attributes {disclosure = {column = 1 : i64, kind = "window", line = 1 : i64, text = "W", w = #ioflor.expr<"64">}, info = {name = "windowed"}} {
  ioflor.symbol "heads" from "1" to "2147483647"
  ioflor.symbol "n" from "1" to "2147483647"
  ioflor.buffer slow @Q : 4 bytes
  ioflor.buffer slow @K : 4 bytes
  ioflor.buffer slow @V : 4 bytes
  ioflor.buffer slow @O : 4 bytes
  ioflor.stage @stage threads "32" registers 27 attributes {info = {}} {
    ioflor.buffer private @acc : 4 bytes words "32"
    ioflor.buffer shared @ks : 4 bytes words "512"
    ioflor.buffer private @q : 4 bytes words "32"
    ioflor.buffer shared @vs : 4 bytes words "512"
    ioflor.buffer private @r_cond : 4 bytes words "1" scalar
    ioflor.buffer private @r_sum : 4 bytes words "1" scalar
    ioflor.buffer private @r_highest : 4 bytes words "1" scalar
    ioflor.buffer private @r_sum1 : 4 bytes words "1" scalar
    ioflor.buffer private @r_highest1 : 4 bytes words "1" scalar
    ioflor.buffer private @r_sum2 : 4 bytes words "1" scalar
    ioflor.buffer private @r_highest2 : 4 bytes words "1" scalar
    ioflor.buffer private @r_s : 4 bytes words "1" scalar
    ioflor.loop grid "by" to "heads" {
      ioflor.loop grid "bx" to "ceildiv(n, 32)" {
        ioflor.loop thread "tx" to "32" {
          ioflor.loop seq "t1" to "32" {
            ioflor.guard "n <= 32*bx + tx" {
              %5 = ioflor.compute constant() "0"
              ioflor.store %5 to @r_cond["0"] instr 0
            }
            ioflor.guard "32*bx + tx < n" {
              %5 = ioflor.load @Q["32*by*n + 1024*bx + t1 + 32*tx"] instr 1
              ioflor.store %5 to @r_cond["0"] instr 2
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
          ioflor.loop seq "t2" to "ceildiv(min(32*bx + 32, n), 16) - floordiv(max(0, 32*bx - 63), 16)" {
            %3 = ioflor.load @r_sum["0"] instr 8
            %4 = ioflor.load @r_highest["0"] instr 9
            ioflor.barrier
            ioflor.loop seq "t3" to "16" {
              ioflor.guard "16*t2 + t3 + 16*floordiv(max(0, 32*bx - 63), 16) < n" {
                %7 = ioflor.load @K["32*by*n + 512*t2 + 32*t3 + tx + 512*floordiv(max(0, 32*bx - 63), 16)"] instr 10
                ioflor.store %7 to @ks["32*t3 + tx"] instr 11
                %8 = ioflor.load @V["32*by*n + 512*t2 + 32*t3 + tx + 512*floordiv(max(0, 32*bx - 63), 16)"] instr 12
                ioflor.store %8 to @vs["32*t3 + tx"] instr 13
              }
            }
            ioflor.barrier
            ioflor.store %3 to @r_sum1["0"] instr 14
            ioflor.store %4 to @r_highest1["0"] instr 15
            ioflor.loop seq "t4" to "16" {
              %7 = ioflor.load @r_sum1["0"] instr 16
              %8 = ioflor.load @r_highest1["0"] instr 17
              ioflor.guard "32*bx + tx < 16*t2 + t4 + 16*floordiv(max(0, 32*bx - 63), 16) or n <= 32*bx + tx or 16*t2 + t4 + 16*floordiv(max(0, 32*bx - 63), 16) + 63 < 32*bx + tx" {
                ioflor.store %7 to @r_sum2["0"] instr 18
                ioflor.store %8 to @r_highest2["0"] instr 19
              }
              ioflor.guard "32*bx + tx < n and 32*bx + tx <= 16*t2 + t4 + 16*floordiv(max(0, 32*bx - 63), 16) + 63 and 16*t2 + t4 + 16*floordiv(max(0, 32*bx - 63), 16) <= 32*bx + tx" {
                %11 = ioflor.compute constant() "0"
                ioflor.store %11 to @r_s["0"] instr 20
                ioflor.loop seq "t5" to "32" {
                  %22 = ioflor.load @r_s["0"] instr 21
                  %23 = ioflor.load @q["t5"] instr 22
                  %24 = ioflor.load @ks["32*t4 + t5"] instr 23
                  %25 = ioflor.compute mul(%23, %24)
                  %26 = ioflor.compute add(%22, %25)
                  ioflor.store %26 to @r_s["0"] instr 24
                }
                %12 = ioflor.load @r_s["0"] instr 25
                %13 = ioflor.compute constant() "scale"
                %14 = ioflor.compute mul(%12, %13)
                %15 = ioflor.compute max(%8, %14) "__nv_fmaxf"
                %16 = ioflor.compute sub(%8, %15)
                %17 = ioflor.compute exp(%16) "__nv_fast_expf"
                %18 = ioflor.compute sub(%14, %15)
                %19 = ioflor.compute exp(%18) "__nv_fast_expf"
                %20 = ioflor.compute mul(%7, %17)
                %21 = ioflor.compute add(%20, %19)
                ioflor.loop seq "t6" to "32" {
                  %22 = ioflor.load @acc["t6"] instr 26
                  %23 = ioflor.compute mul(%22, %17)
                  %24 = ioflor.load @vs["32*t4 + t6"] instr 27
                  %25 = ioflor.compute mul(%19, %24)
                  %26 = ioflor.compute add(%23, %25)
                  ioflor.store %26 to @acc["t6"] instr 28
                }
                ioflor.store %21 to @r_sum2["0"] instr 29
                ioflor.store %15 to @r_highest2["0"] instr 30
              }
              %9 = ioflor.load @r_sum2["0"] instr 31
              %10 = ioflor.load @r_highest2["0"] instr 32
              ioflor.store %9 to @r_sum1["0"] instr 33
              ioflor.store %10 to @r_highest1["0"] instr 34
            }
            %5 = ioflor.load @r_sum1["0"] instr 35
            %6 = ioflor.load @r_highest1["0"] instr 36
            ioflor.store %5 to @r_sum["0"] instr 37
            ioflor.store %6 to @r_highest["0"] instr 38
          }
          %2 = ioflor.load @r_sum["0"] instr 39
          ioflor.guard "32*bx + tx < n" {
            ioflor.loop seq "t7" to "32" {
              %3 = ioflor.load @acc["t7"] instr 40
              %4 = ioflor.compute div(%3, %2)
              ioflor.store %4 to @O["32*by*n + 1024*bx + t7 + 32*tx"] instr 41
            }
          }
        }
      }
    }
  }
}
