// RUN: %ioflor_opt --ioflor-roles %s | %filecheck %s
// Halves that are moved two at a time and taken apart by inline assembly: each
// product has a lane of its own, and the output's lanes are put together again.

// CHECK: ioflor.subject @halfAttention
// CHECK-SAME: dims = {batch = #ioflor.expr<"1">, d = #ioflor.expr<"64">, d_v = #ioflor.expr<"64">, heads = #ioflor.expr<"heads">, kv_heads = #ioflor.expr<"heads">, n_k = #ioflor.expr<"n">, n_q = #ioflor.expr<"n">}
// CHECK: ioflor.buffer slow @Q : 2 bytes role Q
// CHECK-SAME: extents = [#ioflor.expr<"heads">, #ioflor.expr<"n">, #ioflor.expr<"64">]
// CHECK: ioflor.buffer slow @K : 2 bytes role K
// CHECK-SAME: extents = [#ioflor.expr<"heads">, #ioflor.expr<"n">, #ioflor.expr<"64">]
// CHECK: ioflor.buffer slow @V : 2 bytes role V
// CHECK-SAME: extents = [#ioflor.expr<"heads">, #ioflor.expr<"n">, #ioflor.expr<"64">]
// CHECK: ioflor.buffer slow @O : 2 bytes role O
// CHECK-SAME: extents = [#ioflor.expr<"heads">, #ioflor.expr<"n">, #ioflor.expr<"64">]
// CHECK-NOT: ioflor.verdict
ioflor.subject @halfAttention attributes {info = {}} {
  ioflor.symbol "heads" from "1" to "2147483647"
  ioflor.symbol "n" from "1" to "2147483647"
  ioflor.buffer slow @Q : 2 bytes
  ioflor.buffer slow @K : 2 bytes
  ioflor.buffer slow @V : 2 bytes
  ioflor.buffer slow @O : 2 bytes
  ioflor.stage @stage threads "32" registers 25 attributes {info = {}} {
    ioflor.buffer private @acc : 4 bytes words "64"
    ioflor.buffer shared @ks : 2 bytes words "4096"
    ioflor.buffer private @q : 4 bytes words "64"
    ioflor.buffer shared @vs : 2 bytes words "4096"
    ioflor.buffer private @r_ref : 4 bytes words "1" scalar
    ioflor.buffer private @r_ref1 : 4 bytes words "1" scalar
    ioflor.buffer private @r_sum : 4 bytes words "1" scalar
    ioflor.buffer private @r_highest : 4 bytes words "1" scalar
    ioflor.buffer private @r_sum1 : 4 bytes words "1" scalar
    ioflor.buffer private @r_highest1 : 4 bytes words "1" scalar
    ioflor.buffer private @r_s : 4 bytes words "1" scalar
    ioflor.loop grid "by" to "heads" {
      ioflor.loop grid "bx" to "ceildiv(n, 32)" {
        ioflor.loop thread "tx" to "32" {
          ioflor.loop seq "t1" to "32" {
            ioflor.guard "n <= 32*bx + tx" {
              %7 = ioflor.compute constant() "0"
              ioflor.store %7 to @r_ref["0"] instr 0
              %8 = ioflor.compute constant() "0"
              ioflor.store %8 to @r_ref1["0"] instr 1
            }
            ioflor.guard "32*bx + tx < n" {
              %7 = ioflor.load @Q["64*by*n + 2048*bx + 2*t1 + 64*tx"] width 2 instr 2
              %8 = ioflor.compute convert(%7) "extract 2 at 0"
              %9 = ioflor.compute other(%8) "cvt.f32.f16"
              %10 = ioflor.compute convert(%7) "extract 2 at 2"
              %11 = ioflor.compute other(%10) "cvt.f32.f16"
              ioflor.store %9 to @r_ref["0"] instr 3
              ioflor.store %11 to @r_ref1["0"] instr 4
            }
            %3 = ioflor.load @r_ref["0"] instr 5
            %4 = ioflor.load @r_ref1["0"] instr 6
            ioflor.store %3 to @q["2*t1"] instr 7
            ioflor.store %4 to @q["2*t1 + 1"] instr 8
            %5 = ioflor.compute constant() "0"
            ioflor.store %5 to @acc["2*t1"] instr 9
            %6 = ioflor.compute constant() "0"
            ioflor.store %6 to @acc["2*t1 + 1"] instr 10
          }
          %0 = ioflor.compute constant() "0"
          ioflor.store %0 to @r_sum["0"] instr 11
          %1 = ioflor.compute constant() "-Inf"
          ioflor.store %1 to @r_highest["0"] instr 12
          ioflor.loop seq "t2" to "ceildiv(n, 64)" {
            %3 = ioflor.load @r_sum["0"] instr 13
            %4 = ioflor.load @r_highest["0"] instr 14
            ioflor.loop seq "t3" to "min(n - 64*t2, 64)" {
              %7 = ioflor.load @K["64*by*n + 4096*t2 + 64*t3 + 2*tx"] width 2 instr 15
              ioflor.store %7 to @ks["64*t3 + 2*tx"] width 2 instr 16
              %8 = ioflor.load @V["64*by*n + 4096*t2 + 64*t3 + 2*tx"] width 2 instr 17
              ioflor.store %8 to @vs["64*t3 + 2*tx"] width 2 instr 18
            }
            ioflor.barrier
            ioflor.store %3 to @r_sum1["0"] instr 19
            ioflor.store %4 to @r_highest1["0"] instr 20
            ioflor.loop seq "t4" to "min(n - 64*t2, 64)" {
              %7 = ioflor.load @r_sum1["0"] instr 21
              %8 = ioflor.load @r_highest1["0"] instr 22
              %9 = ioflor.compute constant() "0"
              ioflor.store %9 to @r_s["0"] instr 23
              ioflor.loop seq "t5" to "32" {
                %20 = ioflor.load @r_s["0"] instr 24
                %21 = ioflor.load @ks["64*t4 + 2*t5"] width 2 instr 25
                %22 = ioflor.compute convert(%21) "extract 2 at 0"
                %23 = ioflor.compute other(%22) "cvt.f32.f16"
                %24 = ioflor.compute convert(%21) "extract 2 at 2"
                %25 = ioflor.compute other(%24) "cvt.f32.f16"
                %26 = ioflor.load @q["2*t5"] instr 26
                %27 = ioflor.compute mul(%26, %23)
                %28 = ioflor.load @q["2*t5 + 1"] instr 27
                %29 = ioflor.compute mul(%28, %25)
                %30 = ioflor.compute add(%27, %29)
                %31 = ioflor.compute add(%20, %30)
                ioflor.store %31 to @r_s["0"] instr 28
              }
              %10 = ioflor.load @r_s["0"] instr 29
              %11 = ioflor.compute constant() "scale"
              %12 = ioflor.compute mul(%10, %11)
              %13 = ioflor.compute max(%8, %12) "__nv_fmaxf"
              %14 = ioflor.compute sub(%8, %13)
              %15 = ioflor.compute exp(%14) "__nv_fast_expf"
              %16 = ioflor.compute sub(%12, %13)
              %17 = ioflor.compute exp(%16) "__nv_fast_expf"
              %18 = ioflor.compute mul(%7, %15)
              %19 = ioflor.compute add(%18, %17)
              ioflor.loop seq "t6" to "32" {
                %20 = ioflor.load @vs["64*t4 + 2*t6"] width 2 instr 30
                %21 = ioflor.compute convert(%20) "extract 2 at 0"
                %22 = ioflor.compute other(%21) "cvt.f32.f16"
                %23 = ioflor.compute convert(%20) "extract 2 at 2"
                %24 = ioflor.compute other(%23) "cvt.f32.f16"
                %25 = ioflor.load @acc["2*t6"] instr 31
                %26 = ioflor.compute mul(%25, %15)
                %27 = ioflor.compute mul(%17, %22)
                %28 = ioflor.compute add(%26, %27)
                ioflor.store %28 to @acc["2*t6"] instr 32
                %29 = ioflor.load @acc["2*t6 + 1"] instr 33
                %30 = ioflor.compute mul(%29, %15)
                %31 = ioflor.compute mul(%17, %24)
                %32 = ioflor.compute add(%30, %31)
                ioflor.store %32 to @acc["2*t6 + 1"] instr 34
              }
              ioflor.store %19 to @r_sum1["0"] instr 35
              ioflor.store %13 to @r_highest1["0"] instr 36
            }
            %5 = ioflor.load @r_sum1["0"] instr 37
            %6 = ioflor.load @r_highest1["0"] instr 38
            ioflor.barrier
            ioflor.store %5 to @r_sum["0"] instr 39
            ioflor.store %6 to @r_highest["0"] instr 40
          }
          %2 = ioflor.load @r_sum["0"] instr 41
          ioflor.guard "32*bx + tx < n" {
            ioflor.loop seq "t7" to "32" {
              %3 = ioflor.load @acc["2*t7"] instr 42
              %4 = ioflor.compute div(%3, %2)
              %5 = ioflor.load @acc["2*t7 + 1"] instr 43
              %6 = ioflor.compute div(%5, %2)
              %7 = ioflor.compute other(%4, %6) "cvt.rn.f16x2.f32"
              ioflor.store %7 to @O["64*by*n + 2048*bx + 2*t7 + 64*tx"] width 2 instr 44
            }
          }
        }
      }
    }
  }
}
