// RUN: %ioflor_opt --ioflor-roles %s | %filecheck %s
// As Clang's own IR gives it: exp as a product of a power of two, which is split
// off the score, and of exp2 of the rest.

// CHECK: ioflor.subject @causal
// CHECK-SAME: d = #ioflor.expr<"64">
// CHECK-SAME: n_k = #ioflor.expr<"n">
// CHECK-SAME: n_q = #ioflor.expr<"n">
// CHECK: ioflor.buffer slow @q : 4 bytes role Q
// CHECK: ioflor.buffer slow @k : 4 bytes role K
// CHECK: ioflor.buffer slow @v : 4 bytes role V
// CHECK: ioflor.buffer slow @o : 4 bytes role O
module {
  ioflor.subject @causal attributes {info = {name = "causal"}} {
    ioflor.symbol "heads" from "1"
    ioflor.symbol "n" from "1"
    ioflor.buffer slow @q : 4 bytes
    ioflor.buffer slow @k : 4 bytes
    ioflor.buffer slow @v : 4 bytes
    ioflor.buffer slow @o : 4 bytes
    ioflor.stage @stage threads "32" registers 23 attributes {info = {block = [#ioflor.expr<"32">, #ioflor.expr<"1">, #ioflor.expr<"1">], grid = [#ioflor.expr<"ceildiv(n, 32)">, #ioflor.expr<"heads">, #ioflor.expr<"1">], kernel = "_Z6causalPKfS0_S0_Pfif"}} {
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
                    %63 = ioflor.load @r_s["0"] instr 18
                    %64 = ioflor.load @qi["t5"] instr 19
                    %65 = ioflor.load @ks["64*t4 + t5"] instr 20
                    %66 = ioflor.compute mul(%64, %65)
                    %67 = ioflor.compute add(%63, %66)
                    ioflor.store %67 to @r_s["0"] instr 21
                  }
                  %13 = ioflor.load @r_s["0"] instr 22
                  %14 = ioflor.compute constant() "scale"
                  %15 = ioflor.compute mul(%13, %14)
                  %16 = ioflor.compute max(%10, %15) "llvm.nvvm.fmax.f"
                  %17 = ioflor.compute sub(%10, %16)
                  %18 = ioflor.compute constant() "0.00572498003"
                  %19 = ioflor.compute constant() "0.5"
                  %20 = ioflor.compute fma(%17, %18, %19) "llvm.nvvm.fma.rn.f"
                  %21 = ioflor.compute other(%20) "llvm.nvvm.saturate.f"
                  %22 = ioflor.compute constant() "252"
                  %23 = ioflor.compute constant() "12582913"
                  %24 = ioflor.compute fma(%21, %22, %23) "llvm.nvvm.fma.rm.f"
                  %25 = ioflor.compute constant() "12583039"
                  %26 = ioflor.compute sub(%24, %25)
                  %27 = ioflor.compute constant() "-0"
                  %28 = ioflor.compute sub(%27, %26)
                  %29 = ioflor.compute constant() "1.44269502"
                  %30 = ioflor.compute fma(%17, %29, %28) "llvm.nvvm.fma.rn.f"
                  %31 = ioflor.compute constant() "1.92596303E-8"
                  %32 = ioflor.compute fma(%17, %31, %30) "llvm.nvvm.fma.rn.f"
                  %33 = ioflor.compute convert(%24)
                  %34 = ioflor.compute constant() "23"
                  %35 = ioflor.compute other(%33, %34) "shl"
                  %36 = ioflor.compute convert(%35)
                  %37 = ioflor.compute exp(%32) "llvm.nvvm.ex2.approx.ftz.f32"
                  %38 = ioflor.compute mul(%37, %36)
                  %39 = ioflor.compute sub(%15, %16)
                  %40 = ioflor.compute constant() "0.00572498003"
                  %41 = ioflor.compute constant() "0.5"
                  %42 = ioflor.compute fma(%39, %40, %41) "llvm.nvvm.fma.rn.f"
                  %43 = ioflor.compute other(%42) "llvm.nvvm.saturate.f"
                  %44 = ioflor.compute constant() "252"
                  %45 = ioflor.compute constant() "12582913"
                  %46 = ioflor.compute fma(%43, %44, %45) "llvm.nvvm.fma.rm.f"
                  %47 = ioflor.compute constant() "12583039"
                  %48 = ioflor.compute sub(%46, %47)
                  %49 = ioflor.compute constant() "-0"
                  %50 = ioflor.compute sub(%49, %48)
                  %51 = ioflor.compute constant() "1.44269502"
                  %52 = ioflor.compute fma(%39, %51, %50) "llvm.nvvm.fma.rn.f"
                  %53 = ioflor.compute constant() "1.92596303E-8"
                  %54 = ioflor.compute fma(%39, %53, %52) "llvm.nvvm.fma.rn.f"
                  %55 = ioflor.compute convert(%46)
                  %56 = ioflor.compute constant() "23"
                  %57 = ioflor.compute other(%55, %56) "shl"
                  %58 = ioflor.compute convert(%57)
                  %59 = ioflor.compute exp(%54) "llvm.nvvm.ex2.approx.ftz.f32"
                  %60 = ioflor.compute mul(%59, %58)
                  %61 = ioflor.compute mul(%11, %38)
                  %62 = ioflor.compute add(%61, %60)
                  ioflor.loop seq "t6" to "64" {
                    %63 = ioflor.load @acc["t6"] instr 23
                    %64 = ioflor.compute mul(%63, %38)
                    %65 = ioflor.load @vs["64*t4 + t6"] instr 24
                    %66 = ioflor.compute mul(%60, %65)
                    %67 = ioflor.compute add(%64, %66)
                    ioflor.store %67 to @acc["t6"] instr 25
                  }
                  ioflor.store %16 to @r_hi2["0"] instr 26
                  ioflor.store %62 to @r_den2["0"] instr 27
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
}

