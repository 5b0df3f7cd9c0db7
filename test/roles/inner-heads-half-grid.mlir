// RUN: %ioflor_opt --ioflor-roles %s | %filecheck %s
// The same with half of the blocks: the step of the grid is no distance of rows.

// CHECK: ioflor.subject @gqa
// CHECK-SAME: dims = {batch = #ioflor.expr<"1">, d = #ioflor.expr<"32">, d_v = #ioflor.expr<"32">, heads = #ioflor.expr<"G*H">, kv_heads = #ioflor.expr<"H">, n_k = #ioflor.expr<"N">, n_q = #ioflor.expr<"N">}
// CHECK: ioflor.buffer slow @Q : 4 bytes role Q
// CHECK-SAME: extents = [#ioflor.expr<"N">, #ioflor.expr<"H">, #ioflor.expr<"G">, #ioflor.expr<"32">]
// CHECK: ioflor.buffer slow @K : 4 bytes role K
// CHECK-SAME: extents = [#ioflor.expr<"N">, #ioflor.expr<"H">, #ioflor.expr<"32">]
// CHECK: ioflor.buffer slow @V : 4 bytes role V
// CHECK-SAME: extents = [#ioflor.expr<"N">, #ioflor.expr<"H">, #ioflor.expr<"32">]
// CHECK: ioflor.buffer slow @O : 4 bytes role O
// CHECK-SAME: extents = [#ioflor.expr<"N">, #ioflor.expr<"H">, #ioflor.expr<"G">, #ioflor.expr<"32">]
// CHECK-NOT: ioflor.verdict
ioflor.subject @gqa attributes {info = {}} {
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.symbol "H" from "1" to "2147483647"
  ioflor.symbol "G" from "1" to "2147483647"
  ioflor.assume "G < 65" source "a block has at most 1024 threads"
  ioflor.buffer slow @Q : 4 bytes
  ioflor.buffer slow @K : 4 bytes
  ioflor.buffer slow @V : 4 bytes
  ioflor.buffer slow @O : 4 bytes
  ioflor.stage @stage threads "16*G" registers 27 attributes {info = {}} {
    ioflor.buffer private @acc : 4 bytes words "32"
    ioflor.buffer private @q : 4 bytes words "32"
    ioflor.buffer shared @sm : 4 bytes words "2048"
    ioflor.buffer private @r_l : 4 bytes words "1" scalar
    ioflor.buffer private @r_m : 4 bytes words "1" scalar
    ioflor.buffer private @r_l1 : 4 bytes words "1" scalar
    ioflor.buffer private @r_m1 : 4 bytes words "1" scalar
    ioflor.buffer private @r_l2 : 4 bytes words "1" scalar
    ioflor.buffer private @r_m2 : 4 bytes words "1" scalar
    ioflor.buffer private @r_s : 4 bytes words "1" scalar
    ioflor.loop grid "by" to "H" {
      ioflor.loop grid "bx" to "ceildiv(N, 32)" {
        ioflor.loop thread "ty" to "G" {
          ioflor.loop thread "tx" to "16" {
            %0 = ioflor.compute constant() "memset"
            ioflor.store %0 to @acc["0"] width 32 instr 0
            ioflor.guard "16*bx + tx < N" {
              ioflor.loop seq "t1" to "32" {
                %4 = ioflor.load @Q["512*G*H*bx + 32*G*H*tx + 32*G*by + t1 + 32*ty"] instr 1
                ioflor.store %4 to @q["t1"] instr 2
              }
            }
            %1 = ioflor.compute constant() "0"
            ioflor.store %1 to @r_l["0"] instr 3
            %2 = ioflor.compute constant() "-1.00000002E+30"
            ioflor.store %2 to @r_m["0"] instr 4
            ioflor.loop seq "t2" to "ceildiv(N, 32)" {
              %4 = ioflor.load @r_l["0"] instr 5
              %5 = ioflor.load @r_m["0"] instr 6
              ioflor.loop seq "t3" to "-floordiv(ty - 2*min(N - 32*t2, 32), G)" {
                %8 = ioflor.load @K["1024*H*t2 + 32*H*floordiv(G*t3 + ty, 2) + 32*by + tx + 16*mod(G*t3 + ty, 2)"] instr 7
                ioflor.store %8 to @sm["16*G*t3 + tx + 16*ty"] instr 8
                %9 = ioflor.load @V["1024*H*t2 + 32*H*floordiv(G*t3 + ty, 2) + 32*by + tx + 16*mod(G*t3 + ty, 2)"] instr 9
                ioflor.store %9 to @sm["16*G*t3 + tx + 16*ty + 1024"] instr 10
              }
              ioflor.barrier
              ioflor.guard "N <= 16*bx + tx" {
                ioflor.store %4 to @r_l1["0"] instr 11
                ioflor.store %5 to @r_m1["0"] instr 12
              }
              ioflor.guard "16*bx + tx < N" {
                ioflor.store %4 to @r_l2["0"] instr 13
                ioflor.store %5 to @r_m2["0"] instr 14
                ioflor.loop seq "t4" to "min(N - 32*t2, 32)" {
                  %10 = ioflor.load @r_l2["0"] instr 15
                  %11 = ioflor.load @r_m2["0"] instr 16
                  %12 = ioflor.compute constant() "0"
                  ioflor.store %12 to @r_s["0"] instr 17
                  ioflor.loop seq "t5" to "32" {
                    %23 = ioflor.load @r_s["0"] instr 18
                    %24 = ioflor.load @q["t5"] instr 19
                    %25 = ioflor.load @sm["32*t4 + t5"] instr 20
                    %26 = ioflor.compute mul(%24, %25)
                    %27 = ioflor.compute add(%23, %26)
                    ioflor.store %27 to @r_s["0"] instr 21
                  }
                  %13 = ioflor.load @r_s["0"] instr 22
                  %14 = ioflor.compute constant() "0.176776707"
                  %15 = ioflor.compute mul(%13, %14)
                  %16 = ioflor.compute max(%11, %15) "__nv_fmaxf"
                  %17 = ioflor.compute sub(%11, %16)
                  %18 = ioflor.compute exp(%17) "__nv_fast_expf"
                  %19 = ioflor.compute sub(%15, %16)
                  %20 = ioflor.compute exp(%19) "__nv_fast_expf"
                  %21 = ioflor.compute mul(%10, %18)
                  %22 = ioflor.compute add(%21, %20)
                  ioflor.loop seq "t6" to "32" {
                    %23 = ioflor.load @acc["t6"] instr 23
                    %24 = ioflor.compute mul(%23, %18)
                    %25 = ioflor.load @sm["32*t4 + t6 + 1024"] instr 24
                    %26 = ioflor.compute mul(%20, %25)
                    %27 = ioflor.compute add(%24, %26)
                    ioflor.store %27 to @acc["t6"] instr 25
                  }
                  ioflor.store %22 to @r_l2["0"] instr 26
                  ioflor.store %16 to @r_m2["0"] instr 27
                }
                %8 = ioflor.load @r_l2["0"] instr 28
                %9 = ioflor.load @r_m2["0"] instr 29
                ioflor.store %8 to @r_l1["0"] instr 30
                ioflor.store %9 to @r_m1["0"] instr 31
              }
              %6 = ioflor.load @r_l1["0"] instr 32
              %7 = ioflor.load @r_m1["0"] instr 33
              ioflor.barrier
              ioflor.store %6 to @r_l["0"] instr 34
              ioflor.store %7 to @r_m["0"] instr 35
            }
            %3 = ioflor.load @r_l["0"] instr 36
            ioflor.guard "16*bx + tx < N" {
              ioflor.loop seq "t7" to "32" {
                %4 = ioflor.load @acc["t7"] instr 37
                %5 = ioflor.compute div(%4, %3)
                ioflor.store %5 to @O["512*G*H*bx + 32*G*H*tx + 32*G*by + t7 + 32*ty"] instr 38
              }
            }
          }
        }
      }
    }
  }
}
