// RUN: %ioflor_opt --ioflor-roles %s | %filecheck %s
// Heads of O are 48 words apart, rows of V have 32 columns: the width of the output is
// not established, and neither operand keeps extents.

// CHECK: ioflor.subject @dec
// CHECK-SAME: batch = #ioflor.expr<"1">
// CHECK-SAME: d = #ioflor.expr<"32">
// CHECK-NOT: d_v =
// CHECK-SAME: heads = #ioflor.expr<"H">
// CHECK-SAME: kv_heads = #ioflor.expr<"H">
// CHECK-SAME: n_k = #ioflor.expr<"N">
// CHECK-SAME: n_q = #ioflor.expr<"1">
// CHECK: ioflor.buffer slow @Q : {{.*}}role Q
// CHECK-SAME: extents = [#ioflor.expr<"H">, #ioflor.expr<"1">, #ioflor.expr<"32">]
// CHECK: ioflor.buffer slow @K : {{.*}}role K
// CHECK-SAME: extents = [#ioflor.expr<"H">, #ioflor.expr<"N">, #ioflor.expr<"32">]
// CHECK: ioflor.buffer slow @V : {{.*}}role V {evidence = "inconclusive: columns of V and O disagree: 32 and 48"}
// CHECK: ioflor.buffer slow @O : {{.*}}role O {evidence = "inconclusive: columns of V and O disagree: 32 and 48"}
// CHECK-NOT: ioflor.verdict
ioflor.subject @dec attributes {info = {column = "17", language = "CUDA", launch = "<<<(H+3)/4,dim3(32,4)>>>", line = "5", name = "dec", target = "sm_80"}} {
  ioflor.symbol "H" from "1" to "2147483647"
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.buffer slow @Q : 4 bytes
  ioflor.buffer slow @K : 4 bytes
  ioflor.buffer slow @V : 4 bytes
  ioflor.buffer slow @O : 4 bytes
  ioflor.stage @stage threads "128" registers 21 attributes {info = {block = [#ioflor.expr<"32">, #ioflor.expr<"4">, #ioflor.expr<"1">], grid = [#ioflor.expr<"ceildiv(H, 4)">, #ioflor.expr<"1">, #ioflor.expr<"1">], launch = "<<<(H+3)/4,dim3(32,4)>>>"}} {
    ioflor.buffer private @r_l : 4 bytes words "1" scalar
    ioflor.buffer private @r_m : 4 bytes words "1" scalar
    ioflor.buffer private @r_acc : 4 bytes words "1" scalar
    ioflor.buffer private @r_v : 4 bytes words "1" scalar
    ioflor.loop grid "bx" to "ceildiv(H, 4)" {
      ioflor.loop thread "ty" to "4" {
        ioflor.loop thread "tx" to "32" {
          ioflor.guard "4*bx + ty < H" {
            %0 = ioflor.load @Q["128*bx + tx + 32*ty"] instr 0
            %1 = ioflor.compute constant() "0"
            ioflor.store %1 to @r_l["0"] instr 1
            %2 = ioflor.compute constant() "-1.00000002E+30"
            ioflor.store %2 to @r_m["0"] instr 2
            %3 = ioflor.compute constant() "0"
            ioflor.store %3 to @r_acc["0"] instr 3
            ioflor.loop seq "t1" to "N" {
              %7 = ioflor.load @r_l["0"] instr 4
              %8 = ioflor.load @r_m["0"] instr 5
              %9 = ioflor.load @r_acc["0"] instr 6
              %10 = ioflor.load @K["128*N*bx + 32*N*ty + 32*t1 + tx"] instr 7
              %11 = ioflor.compute mul(%0, %10)
              ioflor.store %11 to @r_v["0"] instr 8
              ioflor.loop seq "t2" to "5" {
                %26 = ioflor.load @r_v["0"] instr 9
                %27 = ioflor.compute shuffle(%26) "llvm.nvvm.shfl.sync.bfly.f32"
                %28 = ioflor.compute add(%26, %27)
                ioflor.store %28 to @r_v["0"] instr 10
              }
              %12 = ioflor.load @r_v["0"] instr 11
              %13 = ioflor.compute constant() "0.176776707"
              %14 = ioflor.compute mul(%12, %13)
              %15 = ioflor.compute max(%8, %14) "__nv_fmaxf"
              %16 = ioflor.compute sub(%8, %15)
              %17 = ioflor.compute exp(%16) "__nv_fast_expf"
              %18 = ioflor.compute sub(%14, %15)
              %19 = ioflor.compute exp(%18) "__nv_fast_expf"
              %20 = ioflor.compute mul(%7, %17)
              %21 = ioflor.compute add(%20, %19)
              %22 = ioflor.compute mul(%9, %17)
              %23 = ioflor.load @V["128*N*bx + 32*N*ty + 32*t1 + tx"] instr 12
              %24 = ioflor.compute mul(%19, %23)
              %25 = ioflor.compute add(%22, %24)
              ioflor.store %21 to @r_l["0"] instr 13
              ioflor.store %15 to @r_m["0"] instr 14
              ioflor.store %25 to @r_acc["0"] instr 15
            }
            %4 = ioflor.load @r_l["0"] instr 16
            %5 = ioflor.load @r_acc["0"] instr 17
            %6 = ioflor.compute div(%5, %4)
            ioflor.store %6 to @O["192*bx + tx + 48*ty"] instr 18
          }
        }
      }
    }
  }
}
