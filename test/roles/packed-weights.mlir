// RUN: %ioflor_opt --ioflor-roles %s | %filecheck %s
// Three launches, one flat index each; Q, K and V packed, weights normalised in
// place are no V.

// CHECK: ioflor.subject @attn
// CHECK-SAME: batch = #ioflor.expr<"B">
// CHECK-SAME: d = #ioflor.expr<"floordiv(C, NH)">
// CHECK-SAME: d_v = #ioflor.expr<"floordiv(C, NH)">
// CHECK-SAME: heads = #ioflor.expr<"NH">
// CHECK-SAME: kv_heads = #ioflor.expr<"NH">
// CHECK-SAME: n_k = #ioflor.expr<"T">
// CHECK-SAME: n_q = #ioflor.expr<"T">
// CHECK: ioflor.buffer slow @preatt : {{.*}}role other
// CHECK: ioflor.buffer slow @qkv : {{.*}}role Q
// CHECK: ioflor.buffer slow @att : {{.*}}role S
// CHECK: ioflor.buffer slow @out : {{.*}}role O
// CHECK-SAME: extents = [#ioflor.expr<"B">, #ioflor.expr<"T">, #ioflor.expr<"NH">, #ioflor.expr<"floordiv(C, NH)">]
// CHECK-NOT: ioflor.verdict
ioflor.subject @attn attributes {disclosure = {column = 1 : i64, kind = "causal", line = 41 : i64}, info = {column = "17", language = "CUDA", line = "5", name = "attn", target = "sm_80"}} {
  ioflor.symbol "B" from "1" to "2147483647"
  ioflor.symbol "T" from "1" to "2147483647"
  ioflor.symbol "C" from "1" to "2147483647"
  ioflor.symbol "NH" from "1" to "2147483647"
  ioflor.buffer slow @preatt : 4 bytes words "B*NH*T**2" {evidence = "cudaMalloc at b05.cu:42"}
  ioflor.buffer slow @qkv : 4 bytes
  ioflor.buffer slow @att : 4 bytes words "B*NH*T**2" {evidence = "cudaMalloc at b05.cu:42"}
  ioflor.buffer slow @out : 4 bytes
  ioflor.stage @stage1 threads "256" registers 14 attributes {info = {block = [#ioflor.expr<"256">, #ioflor.expr<"1">, #ioflor.expr<"1">], grid = [#ioflor.expr<"ceildiv(B*NH*T**2, 256)">, #ioflor.expr<"1">, #ioflor.expr<"1">], launch = "<<<(n+255)/256,256>>>"}} {
    ioflor.buffer private @r_val : 4 bytes words "1" scalar
    ioflor.loop grid "bx1" to "ceildiv(B*NH*T**2, 256)" {
      ioflor.loop thread "tx1" to "256" {
        ioflor.guard "256*bx1 + tx1 < B*NH*T**2" {
          ioflor.guard "mod(256*bx1 + tx1, T) <= mod(floordiv(256*bx1 + tx1, T), T)" {
            %0 = ioflor.compute constant() "0"
            ioflor.store %0 to @r_val["0"] instr 0
            ioflor.loop seq "t1" to "floordiv(C, NH)" {
              %11 = ioflor.load @r_val["0"] instr 1
              %12 = ioflor.load @qkv["3*C*T*floordiv(256*bx1 + tx1, NH*T**2) - 3*C*T*floordiv(256*bx1 + tx1, T**2) - NH*floordiv(C, NH)*floordiv(256*bx1 + tx1, NH*T**2) + 3*C*floordiv(256*bx1 + tx1, T) + floordiv(C, NH)*floordiv(256*bx1 + tx1, T**2) + t1"] instr 2
              %13 = ioflor.load @qkv["3*C*T*floordiv(256*bx1 + tx1, NH*T**2) - NH*floordiv(C, NH)*floordiv(256*bx1 + tx1, NH*T**2) + floordiv(C, NH)*floordiv(256*bx1 + tx1, T**2) + C + t1 + 3*C*mod(256*bx1 + tx1, T)"] instr 3
              %14 = ioflor.compute mul(%12, %13)
              %15 = ioflor.compute add(%11, %14)
              ioflor.store %15 to @r_val["0"] instr 4
            }
            %1 = ioflor.load @r_val["0"] instr 5
            %2 = ioflor.compute constant() "floordiv(C, NH)"
            %3 = ioflor.compute convert(%2)
            %4 = ioflor.compute other(%3) "__nv_sqrtf"
            %5 = ioflor.compute convert(%4)
            %6 = ioflor.compute constant() "1"
            %7 = ioflor.compute div(%6, %5)
            %8 = ioflor.compute convert(%1)
            %9 = ioflor.compute mul(%8, %7)
            %10 = ioflor.compute convert(%9)
            ioflor.store %10 to @preatt["256*bx1 + tx1"] instr 6
          }
          ioflor.guard "floordiv(256*bx1 + tx1, T) < T*floordiv(256*bx1 + tx1, T**2) + mod(256*bx1 + tx1, T)" {
            %0 = ioflor.compute constant() "-Inf"
            ioflor.store %0 to @preatt["256*bx1 + tx1"] instr 7
          }
        }
      }
    }
  }
  ioflor.stage @stage2 threads "256" registers 13 attributes {info = {block = [#ioflor.expr<"256">, #ioflor.expr<"1">, #ioflor.expr<"1">], grid = [#ioflor.expr<"ceildiv(B*NH*T, 256)">, #ioflor.expr<"1">, #ioflor.expr<"1">], launch = "<<<(B*T*NH+255)/256,256>>>"}} {
    ioflor.buffer private @r_maxval : 4 bytes words "1" scalar
    ioflor.buffer private @r_expsum : 4 bytes words "1" scalar
    ioflor.loop grid "bx2" to "ceildiv(B*NH*T, 256)" {
      ioflor.loop thread "tx2" to "256" {
        ioflor.guard "256*bx2 + tx2 < B*NH*T" {
          %0 = ioflor.compute constant() "-1.00000002E+30"
          ioflor.store %0 to @r_maxval["0"] instr 0
          ioflor.loop seq "t2" to "mod(floordiv(256*bx2 + tx2, NH), T) + 1" {
            %9 = ioflor.load @r_maxval["0"] instr 1
            %10 = ioflor.load @preatt["NH*T**2*floordiv(256*bx2 + tx2, NH*T) - T**2*floordiv(256*bx2 + tx2, NH*T) + T*floordiv(256*bx2 + tx2, NH) + t2 + T**2*mod(256*bx2 + tx2, NH)"] instr 2
            %11 = ioflor.compute max(%10, %9)
            ioflor.store %11 to @r_maxval["0"] instr 3
          }
          %1 = ioflor.load @r_maxval["0"] instr 4
          %2 = ioflor.compute constant() "0"
          ioflor.store %2 to @r_expsum["0"] instr 5
          ioflor.loop seq "t3" to "mod(floordiv(256*bx2 + tx2, NH), T) + 1" {
            %9 = ioflor.load @r_expsum["0"] instr 6
            %10 = ioflor.load @preatt["NH*T**2*floordiv(256*bx2 + tx2, NH*T) - T**2*floordiv(256*bx2 + tx2, NH*T) + T*floordiv(256*bx2 + tx2, NH) + t3 + T**2*mod(256*bx2 + tx2, NH)"] instr 7
            %11 = ioflor.compute sub(%10, %1)
            %12 = ioflor.compute exp(%11) "__nv_expf"
            %13 = ioflor.compute add(%9, %12)
            ioflor.store %12 to @att["NH*T**2*floordiv(256*bx2 + tx2, NH*T) - T**2*floordiv(256*bx2 + tx2, NH*T) + T*floordiv(256*bx2 + tx2, NH) + t3 + T**2*mod(256*bx2 + tx2, NH)"] instr 8
            ioflor.store %13 to @r_expsum["0"] instr 9
          }
          %3 = ioflor.load @r_expsum["0"] instr 10
          %4 = ioflor.compute constant() "1"
          %5 = ioflor.compute div(%4, %3)
          %6 = ioflor.compute constant() "0"
          %7 = ioflor.compute constant() "0"
          %8 = ioflor.compute select(%6, %5, %3, %7) "unknown(\22comparison of floating-point values\22, u2)"
          ioflor.loop seq "t4" to "T" {
            ioflor.guard "floordiv(256*bx2 + tx2, NH) < T*floordiv(256*bx2 + tx2, NH*T) + t4" {
              %9 = ioflor.compute constant() "0"
              ioflor.store %9 to @att["NH*T**2*floordiv(256*bx2 + tx2, NH*T) - T**2*floordiv(256*bx2 + tx2, NH*T) + T*floordiv(256*bx2 + tx2, NH) + t4 + T**2*mod(256*bx2 + tx2, NH)"] instr 11
            }
            ioflor.guard "t4 <= mod(floordiv(256*bx2 + tx2, NH), T)" {
              %9 = ioflor.load @att["NH*T**2*floordiv(256*bx2 + tx2, NH*T) - T**2*floordiv(256*bx2 + tx2, NH*T) + T*floordiv(256*bx2 + tx2, NH) + t4 + T**2*mod(256*bx2 + tx2, NH)"] instr 12
              %10 = ioflor.compute mul(%9, %8)
              ioflor.store %10 to @att["NH*T**2*floordiv(256*bx2 + tx2, NH*T) - T**2*floordiv(256*bx2 + tx2, NH*T) + T*floordiv(256*bx2 + tx2, NH) + t4 + T**2*mod(256*bx2 + tx2, NH)"] instr 13
            }
          }
        }
      }
    }
  }
  ioflor.stage @stage3 threads "256" registers 22 attributes {info = {block = [#ioflor.expr<"256">, #ioflor.expr<"1">, #ioflor.expr<"1">], grid = [#ioflor.expr<"ceildiv(B*NH*T, 256)">, #ioflor.expr<"1">, #ioflor.expr<"1">], launch = "<<<(B*T*NH+255)/256,256>>>"}} {
    ioflor.loop grid "bx3" to "ceildiv(B*NH*T, 256)" {
      ioflor.loop thread "tx3" to "256" {
        ioflor.guard "256*bx3 + tx3 < B*NH*T" {
          ioflor.loop seq "t5" to "floordiv(C, NH)" {
            %0 = ioflor.compute constant() "0"
            ioflor.store %0 to @out["256*bx3*floordiv(C, NH) + tx3*floordiv(C, NH) + t5 + floordiv(256*bx3 + tx3, NH)*mod(C, NH)"] instr 0
          }
          ioflor.loop seq "t6" to "mod(floordiv(256*bx3 + tx3, NH), T) + 1" {
            %0 = ioflor.load @att["NH*T**2*floordiv(256*bx3 + tx3, NH*T) - T**2*floordiv(256*bx3 + tx3, NH*T) + T*floordiv(256*bx3 + tx3, NH) + t6 + T**2*mod(256*bx3 + tx3, NH)"] instr 1
            ioflor.loop seq "t7" to "floordiv(C, NH)" {
              %1 = ioflor.load @qkv["3*C*T*floordiv(256*bx3 + tx3, NH*T) + 3*C*t6 + 2*C + t7 + floordiv(C, NH)*mod(256*bx3 + tx3, NH)"] instr 2
              %2 = ioflor.compute mul(%0, %1)
              %3 = ioflor.load @out["256*bx3*floordiv(C, NH) + tx3*floordiv(C, NH) + t7 + floordiv(256*bx3 + tx3, NH)*mod(C, NH)"] instr 3
              %4 = ioflor.compute add(%3, %2)
              ioflor.store %4 to @out["256*bx3*floordiv(C, NH) + tx3*floordiv(C, NH) + t7 + floordiv(256*bx3 + tx3, NH)*mod(C, NH)"] instr 4
            }
          }
        }
      }
    }
  }
}
