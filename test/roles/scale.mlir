// RUN: %ioflor_opt --ioflor-roles %s | %filecheck %s
// The kernel reads whole vectors of four columns; the scale 1/sqrt(d) says that rows
// have d of them.

// CHECK: ioflor.subject @trunc4
// CHECK-SAME: batch = #ioflor.expr<"1">
// CHECK-SAME: d = #ioflor.expr<"d">
// CHECK-SAME: d_v = #ioflor.expr<"d">
// CHECK-SAME: heads = #ioflor.expr<"1">
// CHECK-SAME: kv_heads = #ioflor.expr<"1">
// CHECK-SAME: n_k = #ioflor.expr<"N">
// CHECK-SAME: n_q = #ioflor.expr<"N">
// CHECK: ioflor.buffer slow @Q : {{.*}}role Q
// CHECK-SAME: columns: scale: scores are scaled by the root of d"
// CHECK-SAME: extents = [#ioflor.expr<"N">, #ioflor.expr<"d">]
// CHECK: ioflor.buffer slow @K : {{.*}}role K
// CHECK-SAME: extents = [#ioflor.expr<"N">, #ioflor.expr<"d">]
// CHECK: ioflor.buffer slow @V : {{.*}}role V
// CHECK-SAME: extents = [#ioflor.expr<"N">, #ioflor.expr<"d">]
// CHECK: ioflor.buffer slow @O : {{.*}}role O
// CHECK-SAME: extents = [#ioflor.expr<"N">, #ioflor.expr<"d">]
// CHECK-NOT: ioflor.verdict
ioflor.subject @trunc4 attributes {info = {column = "17", language = "CUDA", launch = "<<<(N+31)/32,32,32*d*sizeof(float)>>>", line = "4", name = "trunc4", target = "sm_80"}} {
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.symbol "d" from "1" to "2147483647"
  ioflor.buffer slow @Q : 4 bytes
  ioflor.buffer slow @K : 4 bytes
  ioflor.buffer slow @V : 4 bytes
  ioflor.buffer slow @O : 4 bytes
  ioflor.stage @stage threads "32" registers 24 attributes {info = {block = [#ioflor.expr<"32">, #ioflor.expr<"1">, #ioflor.expr<"1">], grid = [#ioflor.expr<"ceildiv(N, 32)">, #ioflor.expr<"1">, #ioflor.expr<"1">], launch = "<<<(N+31)/32,32,32*d*sizeof(float)>>>"}} {
    ioflor.buffer shared @sh : 4 bytes words "32*d"
    ioflor.buffer private @r_l : 4 bytes words "1" scalar
    ioflor.buffer private @r_m : 4 bytes words "1" scalar
    ioflor.buffer private @r_s : 4 bytes words "1" scalar
    ioflor.loop grid "bx" to "ceildiv(N, 32)" {
      ioflor.loop thread "tx" to "32" {
        ioflor.guard "32*bx + tx < N" {
          ioflor.loop seq "t1" to "d" {
            %3 = ioflor.compute constant() "0"
            ioflor.store %3 to @sh["d*tx + t1"] instr 0
          }
          %0 = ioflor.compute constant() "0"
          ioflor.store %0 to @r_l["0"] instr 1
          %1 = ioflor.compute constant() "-1.00000002E+30"
          ioflor.store %1 to @r_m["0"] instr 2
          ioflor.loop seq "t2" to "N" {
            %3 = ioflor.load @r_l["0"] instr 3
            %4 = ioflor.load @r_m["0"] instr 4
            %5 = ioflor.compute constant() "0"
            ioflor.store %5 to @r_s["0"] instr 5
            ioflor.loop seq "t3" to "4*floordiv(d, 4)" {
              %18 = ioflor.load @r_s["0"] instr 6
              %19 = ioflor.load @Q["32*bx*d + d*tx + t3"] instr 7
              %20 = ioflor.load @K["d*t2 + t3"] instr 8
              %21 = ioflor.compute mul(%19, %20)
              %22 = ioflor.compute add(%18, %21)
              ioflor.store %22 to @r_s["0"] instr 9
            }
            %6 = ioflor.load @r_s["0"] instr 10
            %7 = ioflor.compute constant() "d"
            %8 = ioflor.compute convert(%7)
            %9 = ioflor.compute other(%8) "__nv_rsqrtf"
            %10 = ioflor.compute mul(%6, %9)
            %11 = ioflor.compute max(%4, %10) "__nv_fmaxf"
            %12 = ioflor.compute sub(%4, %11)
            %13 = ioflor.compute exp(%12) "__nv_fast_expf"
            %14 = ioflor.compute sub(%10, %11)
            %15 = ioflor.compute exp(%14) "__nv_fast_expf"
            %16 = ioflor.compute mul(%3, %13)
            %17 = ioflor.compute add(%16, %15)
            ioflor.loop seq "t4" to "d" {
              %18 = ioflor.load @sh["d*tx + t4"] instr 11
              %19 = ioflor.compute mul(%18, %13)
              %20 = ioflor.load @V["d*t2 + t4"] instr 12
              %21 = ioflor.compute mul(%15, %20)
              %22 = ioflor.compute add(%19, %21)
              ioflor.store %22 to @sh["d*tx + t4"] instr 13
            }
            ioflor.store %17 to @r_l["0"] instr 14
            ioflor.store %11 to @r_m["0"] instr 15
          }
          %2 = ioflor.load @r_l["0"] instr 16
          ioflor.loop seq "t5" to "d" {
            %3 = ioflor.load @sh["d*tx + t5"] instr 17
            %4 = ioflor.compute div(%3, %2)
            ioflor.store %4 to @O["32*bx*d + d*tx + t5"] instr 18
          }
        }
      }
    }
  }
}
