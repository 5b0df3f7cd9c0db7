// RUN: %ioflor_opt --ioflor-roles %s | %filecheck %s
// Keys split over CTAs in even parts, the last one shorter; a second launch
// combines.

// CHECK: ioflor.subject @partialAttention
// CHECK-SAME: batch = #ioflor.expr<"1">
// CHECK-SAME: d = #ioflor.expr<"64">
// CHECK-SAME: d_v = #ioflor.expr<"64">
// CHECK-SAME: heads = #ioflor.expr<"heads">
// CHECK-SAME: kv_heads = #ioflor.expr<"heads">
// CHECK-SAME: n_k = #ioflor.expr<"n">
// CHECK-SAME: n_q = #ioflor.expr<"1">
// CHECK: ioflor.buffer slow @Q : {{.*}}role Q
// CHECK-SAME: extents = [#ioflor.expr<"heads">, #ioflor.expr<"1">, #ioflor.expr<"64">]
// CHECK: ioflor.buffer slow @K : {{.*}}role K
// CHECK-SAME: extents = [#ioflor.expr<"heads">, #ioflor.expr<"n">, #ioflor.expr<"64">]
// CHECK: ioflor.buffer slow @V : {{.*}}role V
// CHECK-SAME: extents = [#ioflor.expr<"heads">, #ioflor.expr<"n">, #ioflor.expr<"64">]
// CHECK: ioflor.buffer slow @partial : {{.*}}role other
// CHECK: ioflor.buffer slow @stats : {{.*}}role other
// CHECK: ioflor.buffer slow @O : {{.*}}role O
// CHECK-SAME: extents = [#ioflor.expr<"heads">, #ioflor.expr<"1">, #ioflor.expr<"64">]
// CHECK-NOT: ioflor.verdict
ioflor.subject @partialAttention attributes {info = {column = "17", language = "CUDA", launch = "<<<dim3(used, heads), 32 * WARPS>>>", line = "18", name = "partialAttention", target = "sm_80"}} {
  ioflor.symbol "heads" from "1" to "2147483647"
  ioflor.symbol "n" from "1" to "2147483647"
  ioflor.symbol "splits" from "1" to "2147483647"
  ioflor.buffer slow @Q : 4 bytes
  ioflor.buffer slow @K : 4 bytes
  ioflor.buffer slow @V : 4 bytes
  ioflor.buffer slow @partial : 4 bytes
  ioflor.buffer slow @stats : 4 bytes
  ioflor.buffer slow @O : 4 bytes
  ioflor.stage @s1 threads "128" registers 29 attributes {info = {block = [#ioflor.expr<"128">, #ioflor.expr<"1">, #ioflor.expr<"1">], grid = [#ioflor.expr<"ceildiv(n, ceildiv(n, splits))">, #ioflor.expr<"heads">, #ioflor.expr<"1">], launch = "<<<dim3(used, heads), 32 * WARPS>>>"}} {
    ioflor.buffer shared @query : 4 bytes words "64"
    ioflor.buffer shared @scores : 4 bytes words "4"
    ioflor.buffer private @r_sum : 4 bytes words "1" scalar
    ioflor.buffer private @r_highest : 4 bytes words "1" scalar
    ioflor.buffer private @r_acc : 4 bytes words "1" scalar
    ioflor.buffer private @r_s : 4 bytes words "1" scalar
    ioflor.buffer private @r_sum1 : 4 bytes words "1" scalar
    ioflor.buffer private @r_highest1 : 4 bytes words "1" scalar
    ioflor.buffer private @r_acc1 : 4 bytes words "1" scalar
    ioflor.buffer private @r_acc2 : 4 bytes words "1" scalar
    ioflor.loop grid "by1" to "heads" {
      ioflor.loop grid "bx1" to "ceildiv(n, ceildiv(n, splits))" {
        ioflor.loop thread "tx1" to "128" {
          ioflor.guard "tx1 < 64" {
            %6 = ioflor.load @Q["64*by1 + tx1"] instr 0
            %7 = ioflor.compute constant() "scale"
            %8 = ioflor.compute mul(%6, %7)
            ioflor.store %8 to @query["tx1"] instr 1
          }
          ioflor.barrier
          %0 = ioflor.compute constant() "0"
          ioflor.store %0 to @r_sum["0"] instr 2
          %1 = ioflor.compute constant() "-Inf"
          ioflor.store %1 to @r_highest["0"] instr 3
          %2 = ioflor.compute constant() "0"
          ioflor.store %2 to @r_acc["0"] instr 4
          ioflor.loop seq "u1t1" to "ceildiv(min(n - bx1*ceildiv(n, splits), ceildiv(n, splits)), 4)" {
            %6 = ioflor.load @r_sum["0"] instr 5
            %7 = ioflor.load @r_highest["0"] instr 6
            %8 = ioflor.load @r_acc["0"] instr 7
            ioflor.guard "4*u1t1 + floordiv(tx1, 32) < min(n - bx1*ceildiv(n, splits), ceildiv(n, splits))" {
              %12 = ioflor.load @query["mod(tx1, 32)"] instr 8
              %13 = ioflor.load @K["64*bx1*ceildiv(n, splits) + 64*by1*n + 256*u1t1 + tx1 + 32*floordiv(tx1, 32)"] instr 9
              %14 = ioflor.compute mul(%12, %13)
              %15 = ioflor.load @query["mod(tx1, 32) + 32"] instr 10
              %16 = ioflor.load @K["64*bx1*ceildiv(n, splits) + 64*by1*n + 256*u1t1 + tx1 + 32*floordiv(tx1, 32) + 32"] instr 11
              %17 = ioflor.compute mul(%15, %16)
              %18 = ioflor.compute add(%14, %17)
              ioflor.store %18 to @r_s["0"] instr 12
              ioflor.loop seq "u1t2" to "5" {
                %20 = ioflor.load @r_s["0"] instr 13
                %21 = ioflor.compute shuffle(%20) "llvm.nvvm.shfl.sync.bfly.f32"
                %22 = ioflor.compute add(%20, %21)
                ioflor.store %22 to @r_s["0"] instr 14
              }
              %19 = ioflor.load @r_s["0"] instr 15
              ioflor.guard "mod(tx1, 32) == 0" {
                ioflor.store %19 to @scores["floordiv(tx1, 32)"] instr 16
              }
            }
            ioflor.barrier
            ioflor.store %6 to @r_sum1["0"] instr 17
            ioflor.store %7 to @r_highest1["0"] instr 18
            ioflor.store %8 to @r_acc1["0"] instr 19
            ioflor.loop seq "u1t3" to "4 - max(0, bx1*ceildiv(n, splits) - n + 4*u1t1 + 4, 4*u1t1 - ceildiv(n, splits) + 4)" {
              %12 = ioflor.load @r_sum1["0"] instr 20
              %13 = ioflor.load @r_highest1["0"] instr 21
              %14 = ioflor.load @r_acc1["0"] instr 22
              %15 = ioflor.load @scores["u1t3"] instr 23
              %16 = ioflor.compute max(%13, %15) "__nv_fmaxf"
              %17 = ioflor.compute sub(%13, %16)
              %18 = ioflor.compute exp(%17) "__nv_fast_expf"
              %19 = ioflor.compute sub(%15, %16)
              %20 = ioflor.compute exp(%19) "__nv_fast_expf"
              %21 = ioflor.compute mul(%12, %18)
              %22 = ioflor.compute add(%21, %20)
              ioflor.guard "tx1 >= 64" {
                ioflor.store %14 to @r_acc2["0"] instr 24
              }
              ioflor.guard "tx1 < 64" {
                %24 = ioflor.compute mul(%14, %18)
                %25 = ioflor.load @V["64*bx1*ceildiv(n, splits) + 64*by1*n + 256*u1t1 + 64*u1t3 + tx1"] instr 25
                %26 = ioflor.compute mul(%20, %25)
                %27 = ioflor.compute add(%24, %26)
                ioflor.store %27 to @r_acc2["0"] instr 26
              }
              %23 = ioflor.load @r_acc2["0"] instr 27
              ioflor.store %22 to @r_sum1["0"] instr 28
              ioflor.store %16 to @r_highest1["0"] instr 29
              ioflor.store %23 to @r_acc1["0"] instr 30
            }
            %9 = ioflor.load @r_sum1["0"] instr 31
            %10 = ioflor.load @r_highest1["0"] instr 32
            %11 = ioflor.load @r_acc1["0"] instr 33
            ioflor.barrier
            ioflor.store %9 to @r_sum["0"] instr 34
            ioflor.store %10 to @r_highest["0"] instr 35
            ioflor.store %11 to @r_acc["0"] instr 36
          }
          %3 = ioflor.load @r_sum["0"] instr 37
          %4 = ioflor.load @r_highest["0"] instr 38
          %5 = ioflor.load @r_acc["0"] instr 39
          ioflor.guard "tx1 < 64" {
            ioflor.store %5 to @partial["64*by1*ceildiv(n, ceildiv(n, splits)) + 64*bx1 + tx1"] instr 40
          }
          ioflor.guard "tx1 == 0" {
            ioflor.store %4 to @stats["2*by1*ceildiv(n, ceildiv(n, splits)) + 2*bx1"] instr 41
            ioflor.store %3 to @stats["2*by1*ceildiv(n, ceildiv(n, splits)) + 2*bx1 + 1"] instr 42
          }
        }
      }
    }
  }
    ioflor.stage @s2 threads "64" registers 20 attributes {info = {block = [#ioflor.expr<"64">, #ioflor.expr<"1">, #ioflor.expr<"1">], grid = [#ioflor.expr<"heads">, #ioflor.expr<"1">, #ioflor.expr<"1">], launch = "<<<heads, D>>>"}} {
    ioflor.buffer private @r_highest : 4 bytes words "1" scalar
    ioflor.buffer private @r_acc : 4 bytes words "1" scalar
    ioflor.buffer private @r_sum : 4 bytes words "1" scalar
    ioflor.loop grid "bx2" to "heads" {
      ioflor.loop thread "tx2" to "64" {
        %0 = ioflor.compute constant() "-Inf"
        ioflor.store %0 to @r_highest["0"] instr 0
        ioflor.loop seq "u2t1" to "ceildiv(n, ceildiv(n, splits))" {
          %7 = ioflor.load @r_highest["0"] instr 1
          %8 = ioflor.load @stats["2*bx2*ceildiv(n, ceildiv(n, splits)) + 2*u2t1"] instr 2
          %9 = ioflor.compute max(%7, %8) "__nv_fmaxf"
          ioflor.store %9 to @r_highest["0"] instr 3
        }
        %1 = ioflor.load @r_highest["0"] instr 4
        %2 = ioflor.compute constant() "0"
        ioflor.store %2 to @r_acc["0"] instr 5
        %3 = ioflor.compute constant() "0"
        ioflor.store %3 to @r_sum["0"] instr 6
        ioflor.loop seq "u2t2" to "ceildiv(n, ceildiv(n, splits))" {
          %7 = ioflor.load @r_acc["0"] instr 7
          %8 = ioflor.load @r_sum["0"] instr 8
          %9 = ioflor.load @stats["2*bx2*ceildiv(n, ceildiv(n, splits)) + 2*u2t2"] instr 9
          %10 = ioflor.compute sub(%9, %1)
          %11 = ioflor.compute exp(%10) "__nv_fast_expf"
          %12 = ioflor.load @stats["2*bx2*ceildiv(n, ceildiv(n, splits)) + 2*u2t2 + 1"] instr 10
          %13 = ioflor.compute mul(%11, %12)
          %14 = ioflor.compute add(%8, %13)
          %15 = ioflor.load @partial["64*bx2*ceildiv(n, ceildiv(n, splits)) + 64*u2t2 + tx2"] instr 11
          %16 = ioflor.compute mul(%11, %15)
          %17 = ioflor.compute add(%7, %16)
          ioflor.store %17 to @r_acc["0"] instr 12
          ioflor.store %14 to @r_sum["0"] instr 13
        }
        %4 = ioflor.load @r_acc["0"] instr 14
        %5 = ioflor.load @r_sum["0"] instr 15
        %6 = ioflor.compute div(%4, %5)
        ioflor.store %6 to @O["64*bx2 + tx2"] instr 16
      }
    }
  }
}
