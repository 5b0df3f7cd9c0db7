// RUN: %ioflor_opt --ioflor-roles %s | %filecheck %s
// Rows of all heads are numbered through: a warp takes row 4*bx + tx/32, and only K
// and V divide it by the rows of a head.

// CHECK: ioflor.subject @warp_attn
// CHECK-SAME: batch = #ioflor.expr<"1">
// CHECK-SAME: d = #ioflor.expr<"64">
// CHECK-SAME: d_v = #ioflor.expr<"64">
// CHECK-SAME: heads = #ioflor.expr<"B*H">
// CHECK-SAME: kv_heads = #ioflor.expr<"B*H">
// CHECK-SAME: n_k = #ioflor.expr<"N">
// CHECK-SAME: n_q = #ioflor.expr<"N">
// CHECK: ioflor.buffer slow @Q : {{.*}}role Q
// CHECK-SAME: extents = [#ioflor.expr<"B*H">, #ioflor.expr<"N">, #ioflor.expr<"64">]
// CHECK: ioflor.buffer slow @K : {{.*}}role K
// CHECK-SAME: extents = [#ioflor.expr<"B*H">, #ioflor.expr<"N">, #ioflor.expr<"64">]
// CHECK: ioflor.buffer slow @V : {{.*}}role V
// CHECK-SAME: extents = [#ioflor.expr<"B*H">, #ioflor.expr<"N">, #ioflor.expr<"64">]
// CHECK: ioflor.buffer slow @O : {{.*}}role O
// CHECK-SAME: extents = [#ioflor.expr<"B*H">, #ioflor.expr<"N">, #ioflor.expr<"64">]
// CHECK-NOT: ioflor.verdict
ioflor.subject @warp_attn attributes {info = {column = "17", language = "CUDA", launch = "<<<CEIL_DIV(total*32,128),128>>>", line = "7", name = "warp_attn", target = "sm_80"}} {
  ioflor.symbol "B" from "1" to "2147483647"
  ioflor.symbol "H" from "1" to "2147483647"
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.buffer slow @Q : 4 bytes
  ioflor.buffer slow @K : 4 bytes
  ioflor.buffer slow @V : 4 bytes
  ioflor.buffer slow @O : 4 bytes
  ioflor.stage @stage threads "128" registers 22 attributes {info = {block = [#ioflor.expr<"128">, #ioflor.expr<"1">, #ioflor.expr<"1">], grid = [#ioflor.expr<"ceildiv(B*H*N, 4)">, #ioflor.expr<"1">, #ioflor.expr<"1">], launch = "<<<CEIL_DIV(total*32,128),128>>>"}} {
    ioflor.buffer private @acc : 4 bytes words "2"
    ioflor.buffer private @qr : 4 bytes words "2"
    ioflor.buffer private @r_l : 4 bytes words "1" scalar
    ioflor.buffer private @r_m : 4 bytes words "1" scalar
    ioflor.buffer private @r_s : 4 bytes words "1" scalar
    ioflor.buffer private @r_v : 4 bytes words "1" scalar
    ioflor.loop grid "bx" to "ceildiv(B*H*N, 4)" {
      ioflor.loop thread "tx" to "128" {
        ioflor.guard "4*bx + floordiv(tx, 32) < B*H*N" {
          ioflor.loop seq "t1" to "2" {
            %3 = ioflor.load @Q["256*bx + 32*t1 + tx + 32*floordiv(tx, 32)"] instr 0
            ioflor.store %3 to @qr["t1"] instr 1
            %4 = ioflor.compute constant() "0"
            ioflor.store %4 to @acc["t1"] instr 2
          }
          %0 = ioflor.compute constant() "0"
          ioflor.store %0 to @r_l["0"] instr 3
          %1 = ioflor.compute constant() "-1.00000002E+30"
          ioflor.store %1 to @r_m["0"] instr 4
          ioflor.loop seq "t2" to "N" {
            %3 = ioflor.load @r_l["0"] instr 5
            %4 = ioflor.load @r_m["0"] instr 6
            %5 = ioflor.compute constant() "0"
            ioflor.store %5 to @r_s["0"] instr 7
            ioflor.loop seq "t3" to "2" {
              %17 = ioflor.load @r_s["0"] instr 8
              %18 = ioflor.load @qr["t3"] instr 9
              %19 = ioflor.load @K["64*N*floordiv(4*bx + floordiv(tx, 32), N) + 64*t2 + 32*t3 + mod(tx, 32)"] instr 10
              %20 = ioflor.compute mul(%18, %19)
              %21 = ioflor.compute add(%17, %20)
              ioflor.store %21 to @r_s["0"] instr 11
            }
            %6 = ioflor.load @r_s["0"] instr 12
            ioflor.store %6 to @r_v["0"] instr 13
            ioflor.loop seq "t4" to "5" {
              %17 = ioflor.load @r_v["0"] instr 14
              %18 = ioflor.compute shuffle(%17) "llvm.nvvm.shfl.sync.bfly.f32"
              %19 = ioflor.compute add(%17, %18)
              ioflor.store %19 to @r_v["0"] instr 15
            }
            %7 = ioflor.load @r_v["0"] instr 16
            %8 = ioflor.compute constant() "0.125"
            %9 = ioflor.compute mul(%7, %8)
            %10 = ioflor.compute max(%4, %9) "__nv_fmaxf"
            %11 = ioflor.compute sub(%4, %10)
            %12 = ioflor.compute exp(%11) "__nv_fast_expf"
            %13 = ioflor.compute sub(%9, %10)
            %14 = ioflor.compute exp(%13) "__nv_fast_expf"
            %15 = ioflor.compute mul(%3, %12)
            %16 = ioflor.compute add(%15, %14)
            ioflor.loop seq "t5" to "2" {
              %17 = ioflor.load @acc["t5"] instr 17
              %18 = ioflor.compute mul(%17, %12)
              %19 = ioflor.load @V["64*N*floordiv(4*bx + floordiv(tx, 32), N) + 64*t2 + 32*t5 + mod(tx, 32)"] instr 18
              %20 = ioflor.compute mul(%14, %19)
              %21 = ioflor.compute add(%18, %20)
              ioflor.store %21 to @acc["t5"] instr 19
            }
            ioflor.store %16 to @r_l["0"] instr 20
            ioflor.store %10 to @r_m["0"] instr 21
          }
          %2 = ioflor.load @r_l["0"] instr 22
          ioflor.loop seq "t6" to "2" {
            %3 = ioflor.load @acc["t6"] instr 23
            %4 = ioflor.compute div(%3, %2)
            ioflor.store %4 to @O["256*bx + 32*t6 + tx + 32*floordiv(tx, 32)"] instr 24
          }
        }
      }
    }
  }
}
