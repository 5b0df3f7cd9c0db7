// RUN: %ioflor_opt --ioflor-roles %s | %filecheck %s
// Tiles at symbolic offsets of one shared array, in a kernel that is launched
// elsewhere: nothing says that a tile ends where the next one starts.

// CHECK: ioflor.subject @tiled
// CHECK-SAME: dims = {batch = #ioflor.expr<"1">, d = #ioflor.expr<"d">, d_v = #ioflor.expr<"d">, heads = #ioflor.expr<"1">, kv_heads = #ioflor.expr<"1">, n_k = #ioflor.expr<"n">, n_q = #ioflor.expr<"n">}
// CHECK: ioflor.buffer slow @Q : 4 bytes role Q
// CHECK-SAME: extents = [#ioflor.expr<"n">, #ioflor.expr<"d">]
// CHECK: ioflor.buffer slow @K : 4 bytes role K
// CHECK-SAME: extents = [#ioflor.expr<"n">, #ioflor.expr<"d">]
// CHECK: ioflor.buffer slow @V : 4 bytes role V
// CHECK-SAME: extents = [#ioflor.expr<"n">, #ioflor.expr<"d">]
// CHECK: ioflor.buffer slow @O : 4 bytes role O
// CHECK-SAME: extents = [#ioflor.expr<"n">, #ioflor.expr<"d">]
// CHECK-NOT: ioflor.verdict
ioflor.subject @tiled attributes {info = {}} {
  ioflor.symbol "n" from "1" to "2147483647"
  ioflor.symbol "d" from "1" to "2147483647"
  ioflor.symbol "rows" from "1" to "2147483647"
  ioflor.symbol "gridDim_x" from "1" to "2147483647"
  ioflor.symbol "blockDim_x" from "1" to "2147483647"
  ioflor.symbol "gridDim_y" from "1" to "2147483647"
  ioflor.symbol "blockDim_y" from "1" to "2147483647"
  ioflor.symbol "gridDim_z" from "1" to "2147483647"
  ioflor.symbol "blockDim_z" from "1" to "2147483647"
  ioflor.assume "blockDim_x*blockDim_y*blockDim_z < 1025" source "a block has at most 1024 threads"
  ioflor.buffer slow @Q : 4 bytes
  ioflor.buffer slow @K : 4 bytes
  ioflor.buffer slow @V : 4 bytes
  ioflor.buffer slow @O : 4 bytes
  ioflor.stage @stage threads "blockDim_x*blockDim_y*blockDim_z" registers 29 attributes {info = {}} {
    ioflor.buffer shared @memory : 4 bytes words "0"
    ioflor.buffer private @r_cond : 4 bytes words "1" scalar
    ioflor.buffer private @r_sum : 4 bytes words "1" scalar
    ioflor.buffer private @r_top : 4 bytes words "1" scalar
    ioflor.buffer private @r_sum1 : 4 bytes words "1" scalar
    ioflor.buffer private @r_top1 : 4 bytes words "1" scalar
    ioflor.buffer private @r_s : 4 bytes words "1" scalar
    ioflor.loop grid "bz" to "gridDim_z" {
      ioflor.loop grid "by" to "gridDim_y" {
        ioflor.loop grid "bx" to "gridDim_x" {
          ioflor.loop thread "tz" to "blockDim_z" {
            ioflor.loop thread "ty" to "blockDim_y" {
              ioflor.loop thread "tx" to "blockDim_x" {
                ioflor.loop seq "t1" to "d" {
                  ioflor.guard "n <= blockDim_x*bx + tx" {
                    %5 = ioflor.compute constant() "0"
                    ioflor.store %5 to @r_cond["0"] instr 0
                  }
                  ioflor.guard "blockDim_x*bx + tx < n" {
                    %5 = ioflor.load @Q["blockDim_x*bx*d + d*tx + t1"] instr 1
                    ioflor.store %5 to @r_cond["0"] instr 2
                  }
                  %3 = ioflor.load @r_cond["0"] instr 3
                  ioflor.store %3 to @memory["2*d*rows + d*tx + t1"] instr 4
                  %4 = ioflor.compute constant() "0"
                  ioflor.store %4 to @memory["blockDim_x*d + 2*d*rows + d*tx + t1"] instr 5
                }
                %0 = ioflor.compute constant() "0"
                ioflor.store %0 to @r_sum["0"] instr 6
                %1 = ioflor.compute constant() "-Inf"
                ioflor.store %1 to @r_top["0"] instr 7
                ioflor.loop seq "t2" to "ceildiv(n, rows)" {
                  %3 = ioflor.load @r_sum["0"] instr 8
                  %4 = ioflor.load @r_top["0"] instr 9
                  ioflor.guard "tx < rows" {
                    ioflor.guard "rows*t2 + tx < n" {
                      ioflor.loop seq "t3" to "d" {
                        %7 = ioflor.load @K["d*rows*t2 + d*tx + t3"] instr 10
                        ioflor.store %7 to @memory["d*tx + t3"] instr 11
                        %8 = ioflor.load @V["d*rows*t2 + d*tx + t3"] instr 12
                        ioflor.store %8 to @memory["d*rows + d*tx + t3"] instr 13
                      }
                    }
                  }
                  ioflor.barrier
                  ioflor.store %3 to @r_sum1["0"] instr 14
                  ioflor.store %4 to @r_top1["0"] instr 15
                  ioflor.loop seq "t4" to "min(n - rows*t2, rows)" {
                    %7 = ioflor.load @r_sum1["0"] instr 16
                    %8 = ioflor.load @r_top1["0"] instr 17
                    %9 = ioflor.compute constant() "0"
                    ioflor.store %9 to @r_s["0"] instr 18
                    ioflor.loop seq "t5" to "d" {
                      %18 = ioflor.load @r_s["0"] instr 19
                      %19 = ioflor.load @memory["2*d*rows + d*tx + t5"] instr 20
                      %20 = ioflor.load @memory["d*t4 + t5"] instr 21
                      %21 = ioflor.compute mul(%19, %20)
                      %22 = ioflor.compute add(%18, %21)
                      ioflor.store %22 to @r_s["0"] instr 22
                    }
                    %10 = ioflor.load @r_s["0"] instr 23
                    %11 = ioflor.compute max(%8, %10) "__nv_fmaxf"
                    %12 = ioflor.compute sub(%8, %11)
                    %13 = ioflor.compute exp(%12) "__nv_fast_expf"
                    %14 = ioflor.compute sub(%10, %11)
                    %15 = ioflor.compute exp(%14) "__nv_fast_expf"
                    %16 = ioflor.compute mul(%7, %13)
                    %17 = ioflor.compute add(%16, %15)
                    ioflor.loop seq "t6" to "d" {
                      %18 = ioflor.load @memory["blockDim_x*d + 2*d*rows + d*tx + t6"] instr 24
                      %19 = ioflor.compute mul(%18, %13)
                      %20 = ioflor.load @memory["d*rows + d*t4 + t6"] instr 25
                      %21 = ioflor.compute mul(%15, %20)
                      %22 = ioflor.compute add(%19, %21)
                      ioflor.store %22 to @memory["blockDim_x*d + 2*d*rows + d*tx + t6"] instr 26
                    }
                    ioflor.store %17 to @r_sum1["0"] instr 27
                    ioflor.store %11 to @r_top1["0"] instr 28
                  }
                  %5 = ioflor.load @r_sum1["0"] instr 29
                  %6 = ioflor.load @r_top1["0"] instr 30
                  ioflor.barrier
                  ioflor.store %5 to @r_sum["0"] instr 31
                  ioflor.store %6 to @r_top["0"] instr 32
                }
                %2 = ioflor.load @r_sum["0"] instr 33
                ioflor.guard "blockDim_x*bx + tx < n" {
                  ioflor.loop seq "t7" to "d" {
                    %3 = ioflor.load @memory["blockDim_x*d + 2*d*rows + d*tx + t7"] instr 34
                    %4 = ioflor.compute div(%3, %2)
                    ioflor.store %4 to @O["blockDim_x*bx*d + d*tx + t7"] instr 35
                  }
                }
              }
            }
          }
        }
      }
    }
  }
}
