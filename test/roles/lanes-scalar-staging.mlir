// RUN: %ioflor_opt --ioflor-roles %s | %filecheck %s
// Q is staged lane by lane of a vector load and read element by element: the
// store of lane 3 wrote the elements 4*t + 3.

// CHECK: ioflor.subject @fa2
// CHECK-SAME: dims = {batch = #ioflor.expr<"1">, d = #ioflor.expr<"64">, d_v = #ioflor.expr<"64">, heads = #ioflor.expr<"H">, kv_heads = #ioflor.expr<"H">, n_k = #ioflor.expr<"nk">, n_q = #ioflor.expr<"nq">}
// CHECK: ioflor.buffer slow @Q : 4 bytes role Q
// CHECK-SAME: extents = [#ioflor.expr<"H">, #ioflor.expr<"nq">, #ioflor.expr<"64">]
// CHECK: ioflor.buffer slow @K : 4 bytes role K
// CHECK-SAME: extents = [#ioflor.expr<"H">, #ioflor.expr<"nk">, #ioflor.expr<"64">]
// CHECK: ioflor.buffer slow @V : 4 bytes role V
// CHECK-SAME: extents = [#ioflor.expr<"H">, #ioflor.expr<"nk">, #ioflor.expr<"64">]
// CHECK: ioflor.buffer slow @O : 4 bytes role O
// CHECK-SAME: extents = [#ioflor.expr<"H">, #ioflor.expr<"nq">, #ioflor.expr<"64">]
// CHECK-NOT: ioflor.verdict
ioflor.subject @fa2 attributes {info = {}} {
  ioflor.symbol "H" from "1" to "2147483647"
  ioflor.symbol "nq" from "1" to "2147483647"
  ioflor.symbol "nk" from "1" to "2147483647"
  ioflor.buffer slow @Q : 4 bytes
  ioflor.buffer slow @K : 4 bytes
  ioflor.buffer slow @V : 4 bytes
  ioflor.buffer slow @O : 4 bytes
  ioflor.stage @stage threads "256" registers 31 attributes {info = {}} {
    ioflor.buffer shared @sK : 4 bytes words "1024"
    ioflor.buffer shared @sO : 4 bytes words "1024"
    ioflor.buffer shared @sQ : 4 bytes words "1024"
    ioflor.buffer shared @sS : 4 bytes words "256"
    ioflor.buffer shared @sV : 4 bytes words "1024"
    ioflor.buffer shared @sa : 4 bytes words "16"
    ioflor.buffer shared @sl : 4 bytes words "16"
    ioflor.buffer shared @sm : 4 bytes words "16"
    ioflor.buffer private @r_z : 4 bytes words "1" scalar
    ioflor.buffer private @r_z1 : 4 bytes words "1" scalar
    ioflor.buffer private @r_z2 : 4 bytes words "1" scalar
    ioflor.buffer private @r_z3 : 4 bytes words "1" scalar
    ioflor.buffer private @r_s : 4 bytes words "1" scalar
    ioflor.buffer private @r_cond : 4 bytes words "1" scalar
    ioflor.buffer private @r_m : 4 bytes words "1" scalar
    ioflor.buffer private @r_l : 4 bytes words "1" scalar
    ioflor.buffer private @r_cond164 : 4 bytes words "1" scalar
    ioflor.buffer private @r_o : 4 bytes words "1" scalar
    ioflor.loop grid "by" to "H" {
      ioflor.loop grid "bx" to "ceildiv(nq, 16)" {
        ioflor.loop thread "ty" to "16" {
          ioflor.loop thread "tx" to "16" {
            ioflor.loop seq "t1" to "1" {
              ioflor.guard "nq <= 16*bx + ty" {
                %8 = ioflor.compute constant() "0"
                ioflor.store %8 to @r_z["0"] instr 0
                %9 = ioflor.compute constant() "0"
                ioflor.store %9 to @r_z1["0"] instr 1
                %10 = ioflor.compute constant() "0"
                ioflor.store %10 to @r_z2["0"] instr 2
                %11 = ioflor.compute constant() "0"
                ioflor.store %11 to @r_z3["0"] instr 3
              }
              ioflor.guard "16*bx + ty < nq" {
                %8 = ioflor.load @Q["64*by*nq + 1024*bx + 4*tx + 64*ty"] instr 4
                %9 = ioflor.load @Q["64*by*nq + 1024*bx + 4*tx + 64*ty + 1"] instr 5
                %10 = ioflor.load @Q["64*by*nq + 1024*bx + 4*tx + 64*ty + 2"] instr 6
                %11 = ioflor.load @Q["64*by*nq + 1024*bx + 4*tx + 64*ty + 3"] instr 7
                ioflor.store %8 to @r_z["0"] instr 8
                ioflor.store %9 to @r_z1["0"] instr 9
                ioflor.store %10 to @r_z2["0"] instr 10
                ioflor.store %11 to @r_z3["0"] instr 11
              }
              %0 = ioflor.load @r_z["0"] instr 12
              %1 = ioflor.load @r_z1["0"] instr 13
              %2 = ioflor.load @r_z2["0"] instr 14
              %3 = ioflor.load @r_z3["0"] instr 15
              ioflor.store %0 to @sQ["4*tx + 64*ty"] instr 16
              ioflor.store %1 to @sQ["4*tx + 64*ty + 1"] instr 17
              ioflor.store %2 to @sQ["4*tx + 64*ty + 2"] instr 18
              ioflor.store %3 to @sQ["4*tx + 64*ty + 3"] instr 19
              %4 = ioflor.compute constant() "0"
              ioflor.store %4 to @sO["4*tx + 64*ty"] instr 20
              %5 = ioflor.compute constant() "0"
              ioflor.store %5 to @sO["4*tx + 64*ty + 1"] instr 21
              %6 = ioflor.compute constant() "0"
              ioflor.store %6 to @sO["4*tx + 64*ty + 2"] instr 22
              %7 = ioflor.compute constant() "0"
              ioflor.store %7 to @sO["4*tx + 64*ty + 3"] instr 23
            }
            ioflor.guard "tx + 16*ty < 16" {
              %0 = ioflor.compute constant() "-1.00000002E+30"
              ioflor.store %0 to @sm["tx"] instr 24
              %1 = ioflor.compute constant() "0"
              ioflor.store %1 to @sl["tx"] instr 25
            }
            ioflor.loop seq "t2" to "ceildiv(nk, 16)" {
              ioflor.barrier
              ioflor.loop seq "t3" to "1" {
                ioflor.guard "nk <= 16*t2 + ty" {
                  %5 = ioflor.compute constant() "0"
                  ioflor.store %5 to @sK["4*tx + 64*ty"] instr 26
                  %6 = ioflor.compute constant() "0"
                  ioflor.store %6 to @sK["4*tx + 64*ty + 1"] instr 27
                  %7 = ioflor.compute constant() "0"
                  ioflor.store %7 to @sK["4*tx + 64*ty + 2"] instr 28
                  %8 = ioflor.compute constant() "0"
                  ioflor.store %8 to @sK["4*tx + 64*ty + 3"] instr 29
                  %9 = ioflor.compute constant() "0"
                  ioflor.store %9 to @sV["4*tx + 64*ty"] instr 30
                  %10 = ioflor.compute constant() "0"
                  ioflor.store %10 to @sV["4*tx + 64*ty + 1"] instr 31
                  %11 = ioflor.compute constant() "0"
                  ioflor.store %11 to @sV["4*tx + 64*ty + 2"] instr 32
                  %12 = ioflor.compute constant() "0"
                  ioflor.store %12 to @sV["4*tx + 64*ty + 3"] instr 33
                }
                ioflor.guard "16*t2 + ty < nk" {
                  %5 = ioflor.load @K["64*by*nk + 1024*t2 + 4*tx + 64*ty"] width 4 instr 34
                  ioflor.store %5 to @sK["4*tx + 64*ty"] width 4 instr 35
                  %6 = ioflor.load @V["64*by*nk + 1024*t2 + 4*tx + 64*ty"] width 4 instr 36
                  ioflor.store %6 to @sV["4*tx + 64*ty"] width 4 instr 37
                }
              }
              ioflor.barrier
              %0 = ioflor.compute constant() "0"
              ioflor.store %0 to @r_s["0"] instr 38
              ioflor.loop seq "t4" to "64" {
                %5 = ioflor.load @r_s["0"] instr 39
                %6 = ioflor.load @sQ["t4 + 64*ty"] instr 40
                %7 = ioflor.load @sK["t4 + 64*tx"] instr 41
                %8 = ioflor.compute mul(%6, %7)
                %9 = ioflor.compute add(%5, %8)
                ioflor.store %9 to @r_s["0"] instr 42
              }
              %1 = ioflor.load @r_s["0"] instr 43
              %2 = ioflor.compute constant() "scale"
              %3 = ioflor.compute mul(%1, %2)
              ioflor.guard "16*t2 + tx < nk" {
                ioflor.store %3 to @r_cond["0"] instr 44
              }
              ioflor.guard "nk <= 16*t2 + tx" {
                %5 = ioflor.compute constant() "-1.00000002E+30"
                ioflor.store %5 to @r_cond["0"] instr 45
              }
              %4 = ioflor.load @r_cond["0"] instr 46
              ioflor.store %4 to @sS["tx + 16*ty"] instr 47
              ioflor.barrier
              ioflor.guard "tx == 0" {
                %5 = ioflor.load @sm["ty"] instr 48
                ioflor.store %5 to @r_m["0"] instr 49
                ioflor.loop seq "t5" to "16" {
                  %13 = ioflor.load @r_m["0"] instr 50
                  %14 = ioflor.load @sS["t5 + 16*ty"] instr 51
                  %15 = ioflor.compute max(%13, %14) "__nv_fmaxf"
                  ioflor.store %15 to @r_m["0"] instr 52
                }
                %6 = ioflor.load @r_m["0"] instr 53
                %7 = ioflor.load @sm["ty"] instr 54
                %8 = ioflor.compute sub(%7, %6)
                %9 = ioflor.compute exp(%8) "__nv_fast_expf"
                %10 = ioflor.load @sl["ty"] instr 55
                %11 = ioflor.compute mul(%10, %9)
                ioflor.store %11 to @r_l["0"] instr 56
                ioflor.loop seq "t6" to "16" {
                  %13 = ioflor.load @r_l["0"] instr 57
                  ioflor.guard "nk <= 16*t2 + t6" {
                    %16 = ioflor.compute constant() "0"
                    ioflor.store %16 to @r_cond164["0"] instr 58
                  }
                  ioflor.guard "16*t2 + t6 < nk" {
                    %16 = ioflor.load @sS["t6 + 16*ty"] instr 59
                    %17 = ioflor.compute sub(%16, %6)
                    %18 = ioflor.compute exp(%17) "__nv_fast_expf"
                    ioflor.store %18 to @r_cond164["0"] instr 60
                  }
                  %14 = ioflor.load @r_cond164["0"] instr 61
                  ioflor.store %14 to @sS["t6 + 16*ty"] instr 62
                  %15 = ioflor.compute add(%13, %14)
                  ioflor.store %15 to @r_l["0"] instr 63
                }
                %12 = ioflor.load @r_l["0"] instr 64
                ioflor.store %6 to @sm["ty"] instr 65
                ioflor.store %12 to @sl["ty"] instr 66
                ioflor.store %9 to @sa["ty"] instr 67
              }
              ioflor.barrier
              ioflor.loop seq "t7" to "4" {
                %5 = ioflor.load @sO["16*t7 + tx + 64*ty"] instr 68
                %6 = ioflor.load @sa["ty"] instr 69
                %7 = ioflor.compute mul(%5, %6)
                ioflor.store %7 to @r_o["0"] instr 70
                ioflor.loop seq "t8" to "16" {
                  %9 = ioflor.load @r_o["0"] instr 71
                  %10 = ioflor.load @sS["t8 + 16*ty"] instr 72
                  %11 = ioflor.load @sV["16*t7 + 64*t8 + tx"] instr 73
                  %12 = ioflor.compute mul(%10, %11)
                  %13 = ioflor.compute add(%9, %12)
                  ioflor.store %13 to @r_o["0"] instr 74
                }
                %8 = ioflor.load @r_o["0"] instr 75
                ioflor.store %8 to @sO["16*t7 + tx + 64*ty"] instr 76
              }
            }
            ioflor.barrier
            ioflor.loop seq "t9" to "1" {
              ioflor.guard "16*bx + ty < nq" {
                %0 = ioflor.load @sl["ty"] instr 77
                %1 = ioflor.compute constant() "1"
                %2 = ioflor.compute div(%1, %0)
                %3 = ioflor.load @sO["4*tx + 64*ty"] instr 78
                %4 = ioflor.load @sO["4*tx + 64*ty + 1"] instr 79
                %5 = ioflor.load @sO["4*tx + 64*ty + 2"] instr 80
                %6 = ioflor.load @sO["4*tx + 64*ty + 3"] instr 81
                %7 = ioflor.compute mul(%3, %2)
                %8 = ioflor.compute mul(%4, %2)
                %9 = ioflor.compute mul(%5, %2)
                %10 = ioflor.compute mul(%6, %2)
                ioflor.store %7 to @O["64*by*nq + 1024*bx + 4*tx + 64*ty"] instr 82
                ioflor.store %8 to @O["64*by*nq + 1024*bx + 4*tx + 64*ty + 1"] instr 83
                ioflor.store %9 to @O["64*by*nq + 1024*bx + 4*tx + 64*ty + 2"] instr 84
                ioflor.store %10 to @O["64*by*nq + 1024*bx + 4*tx + 64*ty + 3"] instr 85
              }
            }
          }
        }
      }
    }
  }
}
