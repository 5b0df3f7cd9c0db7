// RUN: %ioflor_opt --ioflor-roles %s | %filecheck %s
// Four threads share a row: every tile is staged by a flat thread index, and the
// key of a score is the digits of two loops.

// CHECK: ioflor.subject @flash2
// CHECK-SAME: batch = #ioflor.expr<"1">
// CHECK-SAME: d = #ioflor.expr<"64">
// CHECK-SAME: d_v = #ioflor.expr<"64">
// CHECK-SAME: heads = #ioflor.expr<"heads">
// CHECK-SAME: kv_heads = #ioflor.expr<"heads">
// CHECK-SAME: n_k = #ioflor.expr<"n">
// CHECK-SAME: n_q = #ioflor.expr<"n">
// CHECK: ioflor.buffer slow @Q : {{.*}}role Q
// CHECK-SAME: extents = [#ioflor.expr<"heads">, #ioflor.expr<"n">, #ioflor.expr<"64">]
// CHECK: ioflor.buffer slow @K : {{.*}}role K
// CHECK-SAME: extents = [#ioflor.expr<"heads">, #ioflor.expr<"n">, #ioflor.expr<"64">]
// CHECK: ioflor.buffer slow @V : {{.*}}role V
// CHECK-SAME: extents = [#ioflor.expr<"heads">, #ioflor.expr<"n">, #ioflor.expr<"64">]
// CHECK: ioflor.buffer slow @O : {{.*}}role O
// CHECK-SAME: extents = [#ioflor.expr<"heads">, #ioflor.expr<"n">, #ioflor.expr<"64">]
// CHECK-NOT: ioflor.verdict
ioflor.subject @flash2 attributes {disclosure = {column = 1 : i64, kind = "exact", line = 14 : i64}, info = {column = "1", instantiation = "flash2<32, 32, 64>", language = "CUDA", launch = "<<<grid, BR * 4>>>", line = "15", name = "flash2", target = "sm_80"}} {
  ioflor.symbol "heads" from "1" to "2147483647"
  ioflor.symbol "n" from "1" to "2147483647"
  ioflor.buffer slow @Q : 4 bytes
  ioflor.buffer slow @K : 4 bytes
  ioflor.buffer slow @V : 4 bytes
  ioflor.buffer slow @O : 4 bytes
  ioflor.stage @stage threads "128" registers 26 attributes {info = {block = [#ioflor.expr<"128">, #ioflor.expr<"1">, #ioflor.expr<"1">], grid = [#ioflor.expr<"ceildiv(n, 32)">, #ioflor.expr<"heads">, #ioflor.expr<"1">], instantiation = "flash2<32, 32, 64>", launch = "<<<grid, BR * 4>>>"}} {
    ioflor.buffer private @acc : 4 bytes words "16"
    ioflor.buffer shared @ks : 4 bytes words "2080"
    ioflor.buffer shared @qs : 4 bytes words "2080"
    ioflor.buffer shared @ss : 4 bytes words "1056"
    ioflor.buffer shared @vs : 4 bytes words "2048"
    ioflor.buffer private @r_sum : 4 bytes words "1" scalar
    ioflor.buffer private @r_highest : 4 bytes words "1" scalar
    ioflor.buffer private @r_s : 4 bytes words "1" scalar
    ioflor.buffer private @r_next : 4 bytes words "1" scalar
    ioflor.buffer private @r_sum1 : 4 bytes words "1" scalar
    ioflor.loop grid "by" to "heads" {
      ioflor.loop grid "bx" to "ceildiv(n, 32)" {
        ioflor.loop thread "tx" to "128" {
          ioflor.loop seq "t1" to "16" {
            ioflor.guard "32*bx + 2*t1 + floordiv(tx, 64) < n" {
              %3 = ioflor.load @Q["64*by*n + 2048*bx + 128*t1 + tx"] instr 0
              %4 = ioflor.compute constant() "scale"
              %5 = ioflor.compute mul(%3, %4)
              ioflor.store %5 to @qs["130*t1 + tx + floordiv(tx, 64)"] instr 1
            }
          }
          ioflor.loop seq "t2" to "16" {
            %3 = ioflor.compute constant() "0"
            ioflor.store %3 to @acc["t2"] instr 2
          }
          %0 = ioflor.compute constant() "0"
          ioflor.store %0 to @r_sum["0"] instr 3
          %1 = ioflor.compute constant() "-Inf"
          ioflor.store %1 to @r_highest["0"] instr 4
          ioflor.loop seq "t3" to "ceildiv(n, 32)" {
            %3 = ioflor.load @r_sum["0"] instr 5
            %4 = ioflor.load @r_highest["0"] instr 6
            ioflor.barrier
            ioflor.loop seq "t4" to "16" {
              ioflor.guard "32*t3 + 2*t4 + floordiv(tx, 64) < n" {
                %10 = ioflor.load @K["64*by*n + 2048*t3 + 128*t4 + tx"] instr 7
                ioflor.store %10 to @ks["130*t4 + tx + floordiv(tx, 64)"] instr 8
                %11 = ioflor.load @V["64*by*n + 2048*t3 + 128*t4 + tx"] instr 9
                ioflor.store %11 to @vs["128*t4 + tx"] instr 10
              }
            }
            ioflor.barrier
            ioflor.loop seq "t5" to "floordiv(tx, 4) - floordiv(tx - min(n - 32*t3, 32), 4)" {
              %10 = ioflor.compute constant() "0"
              ioflor.store %10 to @r_s["0"] instr 11
              ioflor.loop seq "t6" to "64" {
                %12 = ioflor.load @r_s["0"] instr 12
                %13 = ioflor.load @qs["t6 + 65*floordiv(tx, 4)"] instr 13
                %14 = ioflor.load @ks["260*t5 + t6 + 65*mod(tx, 4)"] instr 14
                %15 = ioflor.compute mul(%13, %14)
                %16 = ioflor.compute add(%12, %15)
                ioflor.store %16 to @r_s["0"] instr 15
              }
              %11 = ioflor.load @r_s["0"] instr 16
              ioflor.store %11 to @ss["4*t5 + tx + 29*floordiv(tx, 4)"] instr 17
            }
            ioflor.barrier
            ioflor.store %4 to @r_next["0"] instr 18
            ioflor.loop seq "t7" to "min(n - 32*t3, 32)" {
              %10 = ioflor.load @r_next["0"] instr 19
              %11 = ioflor.load @ss["t7 + 33*floordiv(tx, 4)"] instr 20
              %12 = ioflor.compute max(%10, %11) "__nv_fmaxf"
              ioflor.store %12 to @r_next["0"] instr 21
            }
            %5 = ioflor.load @r_next["0"] instr 22
            %6 = ioflor.compute sub(%4, %5)
            %7 = ioflor.compute exp(%6) "__nv_fast_expf"
            %8 = ioflor.compute mul(%3, %7)
            ioflor.loop seq "t8" to "16" {
              %10 = ioflor.load @acc["t8"] instr 23
              %11 = ioflor.compute mul(%10, %7)
              ioflor.store %11 to @acc["t8"] instr 24
            }
            ioflor.store %8 to @r_sum1["0"] instr 25
            ioflor.loop seq "t9" to "min(n - 32*t3, 32)" {
              %10 = ioflor.load @r_sum1["0"] instr 26
              %11 = ioflor.load @ss["t9 + 33*floordiv(tx, 4)"] instr 27
              %12 = ioflor.compute sub(%11, %5)
              %13 = ioflor.compute exp(%12) "__nv_fast_expf"
              %14 = ioflor.compute add(%10, %13)
              ioflor.loop seq "t10" to "16" {
                %15 = ioflor.load @vs["t10 + 64*t9 + 16*mod(tx, 4)"] instr 28
                %16 = ioflor.compute mul(%13, %15)
                %17 = ioflor.load @acc["t10"] instr 29
                %18 = ioflor.compute add(%17, %16)
                ioflor.store %18 to @acc["t10"] instr 30
              }
              ioflor.store %14 to @r_sum1["0"] instr 31
            }
            %9 = ioflor.load @r_sum1["0"] instr 32
            ioflor.store %9 to @r_sum["0"] instr 33
            ioflor.store %5 to @r_highest["0"] instr 34
          }
          %2 = ioflor.load @r_sum["0"] instr 35
          ioflor.guard "32*bx + floordiv(tx, 4) < n" {
            ioflor.loop seq "t11" to "16" {
              %3 = ioflor.load @acc["t11"] instr 36
              %4 = ioflor.compute div(%3, %2)
              ioflor.store %4 to @O["64*by*n + 2048*bx + t11 + 16*tx"] instr 37
            }
          }
        }
      }
    }
  }
}
