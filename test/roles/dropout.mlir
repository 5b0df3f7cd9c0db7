// RUN: %ioflor_opt --ioflor-roles %s | %filecheck %s
// A loaded dropout mask multiplies the weights: it has the rows of the output, V has
// not.

// CHECK: ioflor.subject @drop
// CHECK-SAME: batch = #ioflor.expr<"1">
// CHECK-SAME: d = #ioflor.expr<"32">
// CHECK-SAME: d_v = #ioflor.expr<"32">
// CHECK-SAME: heads = #ioflor.expr<"1">
// CHECK-SAME: kv_heads = #ioflor.expr<"1">
// CHECK-SAME: n_k = #ioflor.expr<"N">
// CHECK-SAME: n_q = #ioflor.expr<"N">
// CHECK: ioflor.buffer slow @Q : {{.*}}role Q
// CHECK-SAME: extents = [#ioflor.expr<"N">, #ioflor.expr<"32">]
// CHECK: ioflor.buffer slow @K : {{.*}}role K
// CHECK-SAME: extents = [#ioflor.expr<"N">, #ioflor.expr<"32">]
// CHECK: ioflor.buffer slow @V : {{.*}}role V
// CHECK-SAME: extents = [#ioflor.expr<"N">, #ioflor.expr<"32">]
// CHECK: ioflor.buffer slow @O : {{.*}}role O
// CHECK-SAME: extents = [#ioflor.expr<"N">, #ioflor.expr<"32">]
// CHECK: ioflor.buffer slow @mask : {{.*}}role other
// CHECK-NOT: ioflor.verdict
ioflor.subject @drop attributes {info = {column = "17", language = "CUDA", launch = "<<<(N+31)/32,32>>>", line = "4", name = "drop", target = "sm_80"}} {
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.buffer slow @Q : 4 bytes
  ioflor.buffer slow @K : 4 bytes
  ioflor.buffer slow @V : 4 bytes
  ioflor.buffer slow @O : 4 bytes
  ioflor.buffer slow @mask : 4 bytes
  ioflor.stage @stage threads "32" registers 24 attributes {info = {block = [#ioflor.expr<"32">, #ioflor.expr<"1">, #ioflor.expr<"1">], grid = [#ioflor.expr<"ceildiv(N, 32)">, #ioflor.expr<"1">, #ioflor.expr<"1">], launch = "<<<(N+31)/32,32>>>"}} {
    ioflor.buffer private @acc : 4 bytes words "32"
    ioflor.buffer private @r_l : 4 bytes words "1" scalar
    ioflor.buffer private @r_m : 4 bytes words "1" scalar
    ioflor.buffer private @r_s : 4 bytes words "1" scalar
    ioflor.loop grid "bx" to "ceildiv(N, 32)" {
      ioflor.loop thread "tx" to "32" {
        ioflor.guard "32*bx + tx < N" {
          %0 = ioflor.compute constant() "memset"
          ioflor.store %0 to @acc["0"] width 32 instr 0
          %1 = ioflor.compute constant() "0"
          ioflor.store %1 to @r_l["0"] instr 1
          %2 = ioflor.compute constant() "-1.00000002E+30"
          ioflor.store %2 to @r_m["0"] instr 2
          ioflor.loop seq "t1" to "N" {
            %4 = ioflor.load @r_l["0"] instr 3
            %5 = ioflor.load @r_m["0"] instr 4
            %6 = ioflor.compute constant() "0"
            ioflor.store %6 to @r_s["0"] instr 5
            ioflor.loop seq "t2" to "32" {
              %21 = ioflor.load @r_s["0"] instr 6
              %22 = ioflor.load @Q["1024*bx + t2 + 32*tx"] instr 7
              %23 = ioflor.load @K["32*t1 + t2"] instr 8
              %24 = ioflor.compute mul(%22, %23)
              %25 = ioflor.compute add(%21, %24)
              ioflor.store %25 to @r_s["0"] instr 9
            }
            %7 = ioflor.load @r_s["0"] instr 10
            %8 = ioflor.compute constant() "0.176776707"
            %9 = ioflor.compute mul(%7, %8)
            %10 = ioflor.compute max(%5, %9) "__nv_fmaxf"
            %11 = ioflor.compute sub(%5, %10)
            %12 = ioflor.compute exp(%11) "__nv_fast_expf"
            %13 = ioflor.compute sub(%9, %10)
            %14 = ioflor.compute exp(%13) "__nv_fast_expf"
            %15 = ioflor.compute mul(%4, %12)
            %16 = ioflor.compute add(%15, %14)
            %17 = ioflor.load @mask["32*N*bx + N*tx + t1"] instr 11
            %18 = ioflor.compute constant() "keep"
            %19 = ioflor.compute div(%17, %18)
            %20 = ioflor.compute mul(%14, %19)
            ioflor.loop seq "t3" to "32" {
              %21 = ioflor.load @acc["t3"] instr 12
              %22 = ioflor.compute mul(%21, %12)
              %23 = ioflor.load @V["32*t1 + t3"] instr 13
              %24 = ioflor.compute mul(%20, %23)
              %25 = ioflor.compute add(%22, %24)
              ioflor.store %25 to @acc["t3"] instr 14
            }
            ioflor.store %16 to @r_l["0"] instr 15
            ioflor.store %10 to @r_m["0"] instr 16
          }
          %3 = ioflor.load @r_l["0"] instr 17
          ioflor.loop seq "t4" to "32" {
            %4 = ioflor.load @acc["t4"] instr 18
            %5 = ioflor.compute div(%4, %3)
            ioflor.store %5 to @O["1024*bx + t4 + 32*tx"] instr 19
          }
        }
      }
    }
  }
}
