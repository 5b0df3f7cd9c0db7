// RUN: %ioflor_opt --ioflor-roles %s | %filecheck %s
// Blocks stride over the tiles of queries: one guard in the trips bounds the rows.

// CHECK: ioflor.subject @gs
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
// CHECK-NOT: ioflor.verdict
ioflor.subject @gs attributes {info = {column = "17", language = "CUDA", launch = "<<<min((N+31)/32,4),32>>>", line = "4", name = "gs", target = "sm_80"}} {
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.buffer slow @Q : 4 bytes
  ioflor.buffer slow @K : 4 bytes
  ioflor.buffer slow @V : 4 bytes
  ioflor.buffer slow @O : 4 bytes
  ioflor.stage @stage threads "32" registers 21 attributes {info = {block = [#ioflor.expr<"32">, #ioflor.expr<"1">, #ioflor.expr<"1">], grid = [#ioflor.expr<"min(ceildiv(N, 32), 4)">, #ioflor.expr<"1">, #ioflor.expr<"1">], launch = "<<<min((N+31)/32,4),32>>>"}} {
    ioflor.buffer private @acc : 4 bytes words "32"
    ioflor.buffer private @qr : 4 bytes words "32"
    ioflor.buffer private @r_l : 4 bytes words "1" scalar
    ioflor.buffer private @r_m : 4 bytes words "1" scalar
    ioflor.buffer private @r_s : 4 bytes words "1" scalar
    ioflor.loop grid "bx" to "min(ceildiv(N, 32), 4)" {
      ioflor.loop thread "tx" to "32" {
        ioflor.loop seq "t1" to "-floordiv(32*bx - N + tx, 32*min(ceildiv(N, 32), 4))" {
          %0 = ioflor.compute constant() "memset"
          ioflor.store %0 to @acc["0"] width 32 instr 0
          ioflor.loop seq "t2" to "32" {
            %4 = ioflor.load @Q["1024*t1*min(ceildiv(N, 32), 4) + 1024*bx + t2 + 32*tx"] instr 1
            ioflor.store %4 to @qr["t2"] instr 2
          }
          %1 = ioflor.compute constant() "0"
          ioflor.store %1 to @r_l["0"] instr 3
          %2 = ioflor.compute constant() "-1.00000002E+30"
          ioflor.store %2 to @r_m["0"] instr 4
          ioflor.loop seq "t3" to "N" {
            %4 = ioflor.load @r_l["0"] instr 5
            %5 = ioflor.load @r_m["0"] instr 6
            %6 = ioflor.compute constant() "0"
            ioflor.store %6 to @r_s["0"] instr 7
            ioflor.loop seq "t4" to "32" {
              %17 = ioflor.load @r_s["0"] instr 8
              %18 = ioflor.load @qr["t4"] instr 9
              %19 = ioflor.load @K["32*t3 + t4"] instr 10
              %20 = ioflor.compute mul(%18, %19)
              %21 = ioflor.compute add(%17, %20)
              ioflor.store %21 to @r_s["0"] instr 11
            }
            %7 = ioflor.load @r_s["0"] instr 12
            %8 = ioflor.compute constant() "0.125"
            %9 = ioflor.compute mul(%7, %8)
            %10 = ioflor.compute max(%5, %9) "__nv_fmaxf"
            %11 = ioflor.compute sub(%5, %10)
            %12 = ioflor.compute exp(%11) "__nv_fast_expf"
            %13 = ioflor.compute sub(%9, %10)
            %14 = ioflor.compute exp(%13) "__nv_fast_expf"
            %15 = ioflor.compute mul(%4, %12)
            %16 = ioflor.compute add(%15, %14)
            ioflor.loop seq "t5" to "32" {
              %17 = ioflor.load @acc["t5"] instr 13
              %18 = ioflor.compute mul(%17, %12)
              %19 = ioflor.load @V["32*t3 + t5"] instr 14
              %20 = ioflor.compute mul(%14, %19)
              %21 = ioflor.compute add(%18, %20)
              ioflor.store %21 to @acc["t5"] instr 15
            }
            ioflor.store %16 to @r_l["0"] instr 16
            ioflor.store %10 to @r_m["0"] instr 17
          }
          %3 = ioflor.load @r_l["0"] instr 18
          ioflor.loop seq "t6" to "32" {
            %4 = ioflor.load @acc["t6"] instr 19
            %5 = ioflor.compute div(%4, %3)
            ioflor.store %5 to @O["1024*t1*min(ceildiv(N, 32), 4) + 1024*bx + t6 + 32*tx"] instr 20
          }
        }
      }
    }
  }
}
