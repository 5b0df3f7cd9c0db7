// RUN: %ioflor_opt --ioflor-roles %s | %filecheck %s
// A loop over keys with a limit of its own is no evidence for their number.

// CHECK: ioflor.subject @capped
// CHECK-SAME: batch = #ioflor.expr<"1">
// CHECK-SAME: d = #ioflor.expr<"32">
// CHECK-SAME: d_v = #ioflor.expr<"32">
// CHECK-SAME: heads = #ioflor.expr<"1">
// CHECK-SAME: kv_heads = #ioflor.expr<"1">
// CHECK-SAME: n_k = #ioflor.expr<"min(N, 1024)">
// CHECK-SAME: n_q = #ioflor.expr<"N">
// CHECK: ioflor.buffer slow @Q : {{.*}}role Q
// CHECK-SAME: extents = [#ioflor.expr<"N">, #ioflor.expr<"32">]
// CHECK: ioflor.buffer slow @K : {{.*}}role K
// CHECK-SAME: evidence = "rows: read: what the kernel reads;
// CHECK-SAME: extents = [#ioflor.expr<"min(N, 1024)">, #ioflor.expr<"32">]
// CHECK: ioflor.buffer slow @V : {{.*}}role V
// CHECK-SAME: extents = [#ioflor.expr<"min(N, 1024)">, #ioflor.expr<"32">]
// CHECK: ioflor.buffer slow @O : {{.*}}role O
// CHECK-SAME: extents = [#ioflor.expr<"N">, #ioflor.expr<"32">]
// CHECK: ioflor.subject @causal
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
// CHECK: ioflor.subject @window
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
ioflor.subject @capped attributes {info = {column = "17", language = "CUDA", launch = "<<<(N+63)/64,64>>>", line = "7", name = "capped", target = "sm_80"}} {
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.buffer slow @Q : 4 bytes
  ioflor.buffer slow @K : 4 bytes
  ioflor.buffer slow @V : 4 bytes
  ioflor.buffer slow @O : 4 bytes
  ioflor.stage @stage threads "64" registers 21 attributes {info = {block = [#ioflor.expr<"64">, #ioflor.expr<"1">, #ioflor.expr<"1">], grid = [#ioflor.expr<"ceildiv(N, 64)">, #ioflor.expr<"1">, #ioflor.expr<"1">], launch = "<<<(N+63)/64,64>>>"}} {
    ioflor.buffer private @acc : 4 bytes words "32"
    ioflor.buffer private @r_l : 4 bytes words "1" scalar
    ioflor.buffer private @r_m : 4 bytes words "1" scalar
    ioflor.buffer private @r_s : 4 bytes words "1" scalar
    ioflor.loop grid "bx" to "ceildiv(N, 64)" {
      ioflor.loop thread "tx" to "64" {
        ioflor.guard "64*bx + tx < N" {
          %0 = ioflor.compute constant() "memset"
          ioflor.store %0 to @acc["0"] width 32 instr 0
          %1 = ioflor.compute constant() "0"
          ioflor.store %1 to @r_l["0"] instr 1
          %2 = ioflor.compute constant() "-1.00000002E+30"
          ioflor.store %2 to @r_m["0"] instr 2
          ioflor.loop seq "t1" to "min(N, 1024)" {
            %4 = ioflor.load @r_l["0"] instr 3
            %5 = ioflor.load @r_m["0"] instr 4
            %6 = ioflor.compute constant() "0"
            ioflor.store %6 to @r_s["0"] instr 5
            ioflor.loop seq "t2" to "32" {
              %17 = ioflor.load @r_s["0"] instr 6
              %18 = ioflor.load @Q["2048*bx + t2 + 32*tx"] instr 7
              %19 = ioflor.load @K["32*t1 + t2"] instr 8
              %20 = ioflor.compute mul(%18, %19)
              %21 = ioflor.compute add(%17, %20)
              ioflor.store %21 to @r_s["0"] instr 9
            }
            %7 = ioflor.load @r_s["0"] instr 10
            %8 = ioflor.compute constant() "0.125"
            %9 = ioflor.compute mul(%7, %8)
            %10 = ioflor.compute max(%5, %9) "__nv_fmaxf"
            %11 = ioflor.compute sub(%5, %10)
            %12 = ioflor.compute exp(%11) "__nv_fast_expf"
            %13 = ioflor.compute sub(%9, %10)
            %14 = ioflor.compute exp(%13) "__nv_fast_expf"
            %15 = ioflor.compute mul(%4, %12)
            %16 = ioflor.compute add(%15, %14)
            ioflor.loop seq "t3" to "32" {
              %17 = ioflor.load @acc["t3"] instr 11
              %18 = ioflor.compute mul(%17, %12)
              %19 = ioflor.load @V["32*t1 + t3"] instr 12
              %20 = ioflor.compute mul(%14, %19)
              %21 = ioflor.compute add(%18, %20)
              ioflor.store %21 to @acc["t3"] instr 13
            }
            ioflor.store %16 to @r_l["0"] instr 14
            ioflor.store %10 to @r_m["0"] instr 15
          }
          %3 = ioflor.load @r_l["0"] instr 16
          ioflor.loop seq "t4" to "32" {
            %4 = ioflor.load @acc["t4"] instr 17
            %5 = ioflor.compute div(%4, %3)
            ioflor.store %5 to @O["2048*bx + t4 + 32*tx"] instr 18
          }
        }
      }
    }
  }
}
ioflor.subject @causal attributes {info = {column = "17", language = "CUDA", launch = "<<<(N+63)/64,64>>>", line = "8", name = "causal", target = "sm_80"}} {
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.buffer slow @Q : 4 bytes
  ioflor.buffer slow @K : 4 bytes
  ioflor.buffer slow @V : 4 bytes
  ioflor.buffer slow @O : 4 bytes
  ioflor.stage @stage threads "64" registers 20 attributes {info = {block = [#ioflor.expr<"64">, #ioflor.expr<"1">, #ioflor.expr<"1">], grid = [#ioflor.expr<"ceildiv(N, 64)">, #ioflor.expr<"1">, #ioflor.expr<"1">], launch = "<<<(N+63)/64,64>>>"}} {
    ioflor.buffer private @acc : 4 bytes words "32"
    ioflor.buffer private @r_l : 4 bytes words "1" scalar
    ioflor.buffer private @r_m : 4 bytes words "1" scalar
    ioflor.buffer private @r_s : 4 bytes words "1" scalar
    ioflor.loop grid "bx" to "ceildiv(N, 64)" {
      ioflor.loop thread "tx" to "64" {
        ioflor.guard "64*bx + tx < N" {
          %0 = ioflor.compute constant() "memset"
          ioflor.store %0 to @acc["0"] width 32 instr 0
          %1 = ioflor.compute constant() "0"
          ioflor.store %1 to @r_l["0"] instr 1
          %2 = ioflor.compute constant() "-1.00000002E+30"
          ioflor.store %2 to @r_m["0"] instr 2
          ioflor.loop seq "t1" to "64*bx + tx + 1" {
            %4 = ioflor.load @r_l["0"] instr 3
            %5 = ioflor.load @r_m["0"] instr 4
            %6 = ioflor.compute constant() "0"
            ioflor.store %6 to @r_s["0"] instr 5
            ioflor.loop seq "t2" to "32" {
              %17 = ioflor.load @r_s["0"] instr 6
              %18 = ioflor.load @Q["2048*bx + t2 + 32*tx"] instr 7
              %19 = ioflor.load @K["32*t1 + t2"] instr 8
              %20 = ioflor.compute mul(%18, %19)
              %21 = ioflor.compute add(%17, %20)
              ioflor.store %21 to @r_s["0"] instr 9
            }
            %7 = ioflor.load @r_s["0"] instr 10
            %8 = ioflor.compute constant() "0.125"
            %9 = ioflor.compute mul(%7, %8)
            %10 = ioflor.compute max(%5, %9) "__nv_fmaxf"
            %11 = ioflor.compute sub(%5, %10)
            %12 = ioflor.compute exp(%11) "__nv_fast_expf"
            %13 = ioflor.compute sub(%9, %10)
            %14 = ioflor.compute exp(%13) "__nv_fast_expf"
            %15 = ioflor.compute mul(%4, %12)
            %16 = ioflor.compute add(%15, %14)
            ioflor.loop seq "t3" to "32" {
              %17 = ioflor.load @acc["t3"] instr 11
              %18 = ioflor.compute mul(%17, %12)
              %19 = ioflor.load @V["32*t1 + t3"] instr 12
              %20 = ioflor.compute mul(%14, %19)
              %21 = ioflor.compute add(%18, %20)
              ioflor.store %21 to @acc["t3"] instr 13
            }
            ioflor.store %16 to @r_l["0"] instr 14
            ioflor.store %10 to @r_m["0"] instr 15
          }
          %3 = ioflor.load @r_l["0"] instr 16
          ioflor.loop seq "t4" to "32" {
            %4 = ioflor.load @acc["t4"] instr 17
            %5 = ioflor.compute div(%4, %3)
            ioflor.store %5 to @O["2048*bx + t4 + 32*tx"] instr 18
          }
        }
      }
    }
  }
}
ioflor.subject @window attributes {info = {column = "17", language = "CUDA", launch = "<<<(N+63)/64,64>>>", line = "9", name = "window", target = "sm_80"}} {
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.buffer slow @Q : 4 bytes
  ioflor.buffer slow @K : 4 bytes
  ioflor.buffer slow @V : 4 bytes
  ioflor.buffer slow @O : 4 bytes
  ioflor.stage @stage threads "64" registers 20 attributes {info = {block = [#ioflor.expr<"64">, #ioflor.expr<"1">, #ioflor.expr<"1">], grid = [#ioflor.expr<"ceildiv(N, 64)">, #ioflor.expr<"1">, #ioflor.expr<"1">], launch = "<<<(N+63)/64,64>>>"}} {
    ioflor.buffer private @acc : 4 bytes words "32"
    ioflor.buffer private @r_l : 4 bytes words "1" scalar
    ioflor.buffer private @r_m : 4 bytes words "1" scalar
    ioflor.buffer private @r_s : 4 bytes words "1" scalar
    ioflor.loop grid "bx" to "ceildiv(N, 64)" {
      ioflor.loop thread "tx" to "64" {
        ioflor.guard "64*bx + tx < N" {
          %0 = ioflor.compute constant() "memset"
          ioflor.store %0 to @acc["0"] width 32 instr 0
          %1 = ioflor.compute constant() "0"
          ioflor.store %1 to @r_l["0"] instr 1
          %2 = ioflor.compute constant() "-1.00000002E+30"
          ioflor.store %2 to @r_m["0"] instr 2
          ioflor.loop seq "t1" to "min(64*bx + tx, 128) + 1" {
            %4 = ioflor.load @r_l["0"] instr 3
            %5 = ioflor.load @r_m["0"] instr 4
            %6 = ioflor.compute constant() "0"
            ioflor.store %6 to @r_s["0"] instr 5
            ioflor.loop seq "t2" to "32" {
              %17 = ioflor.load @r_s["0"] instr 6
              %18 = ioflor.load @Q["2048*bx + t2 + 32*tx"] instr 7
              %19 = ioflor.load @K["32*t1 + t2 + 32*max(0, 64*bx + tx - 128)"] instr 8
              %20 = ioflor.compute mul(%18, %19)
              %21 = ioflor.compute add(%17, %20)
              ioflor.store %21 to @r_s["0"] instr 9
            }
            %7 = ioflor.load @r_s["0"] instr 10
            %8 = ioflor.compute constant() "0.125"
            %9 = ioflor.compute mul(%7, %8)
            %10 = ioflor.compute max(%5, %9) "__nv_fmaxf"
            %11 = ioflor.compute sub(%5, %10)
            %12 = ioflor.compute exp(%11) "__nv_fast_expf"
            %13 = ioflor.compute sub(%9, %10)
            %14 = ioflor.compute exp(%13) "__nv_fast_expf"
            %15 = ioflor.compute mul(%4, %12)
            %16 = ioflor.compute add(%15, %14)
            ioflor.loop seq "t3" to "32" {
              %17 = ioflor.load @acc["t3"] instr 11
              %18 = ioflor.compute mul(%17, %12)
              %19 = ioflor.load @V["32*t1 + t3 + 32*max(0, 64*bx + tx - 128)"] instr 12
              %20 = ioflor.compute mul(%14, %19)
              %21 = ioflor.compute add(%18, %20)
              ioflor.store %21 to @acc["t3"] instr 13
            }
            ioflor.store %16 to @r_l["0"] instr 14
            ioflor.store %10 to @r_m["0"] instr 15
          }
          %3 = ioflor.load @r_l["0"] instr 16
          ioflor.loop seq "t4" to "32" {
            %4 = ioflor.load @acc["t4"] instr 17
            %5 = ioflor.compute div(%4, %3)
            ioflor.store %5 to @O["2048*bx + t4 + 32*tx"] instr 18
          }
        }
      }
    }
  }
}
