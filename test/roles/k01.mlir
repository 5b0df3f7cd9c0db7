// RUN: %ioflor_opt --ioflor-roles %s | %filecheck %s
// A tile of K and V padded with zeros: the roles, and rows from the heads' distance.

// CHECK: ioflor.subject @attend
// CHECK-SAME: d = #ioflor.expr<"32">
// CHECK-SAME: d_v = #ioflor.expr<"32">
// CHECK-SAME: heads = #ioflor.expr<"heads">
// CHECK-SAME: kv_heads = #ioflor.expr<"heads">
// CHECK-SAME: n_k = #ioflor.expr<"N">
// CHECK-SAME: n_q = #ioflor.expr<"N">
// CHECK: ioflor.buffer slow @Q : 4 bytes role Q
// CHECK-SAME: extents = [#ioflor.expr<"heads">, #ioflor.expr<"N">, #ioflor.expr<"32">]
// CHECK: ioflor.buffer slow @K : 4 bytes role K
// CHECK: ioflor.buffer slow @V : 4 bytes role V
// CHECK: ioflor.buffer slow @O : 4 bytes role O
// CHECK-NOT: ioflor.verdict
ioflor.subject @attend attributes {info = {name = "attend"}} {
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.symbol "heads" from "1" to "65535"
  ioflor.buffer slow @Q : 4 bytes
  ioflor.buffer slow @K : 4 bytes
  ioflor.buffer slow @V : 4 bytes
  ioflor.buffer slow @O : 4 bytes
  ioflor.stage @s0 threads "64" registers 40 attributes {info = {}} {
    ioflor.buffer shared @k : 4 bytes words "1024"
    ioflor.buffer shared @v : 4 bytes words "1024"
    ioflor.buffer private @q : 4 bytes words "32"
    ioflor.buffer private @o : 4 bytes words "32"
    ioflor.buffer private @phiq : 4 bytes words "1" scalar
    ioflor.buffer private @phik : 4 bytes words "1" scalar
    ioflor.buffer private @phiv : 4 bytes words "1" scalar
    ioflor.buffer private @hi : 4 bytes words "1" scalar
    ioflor.buffer private @den : 4 bytes words "1" scalar
    ioflor.buffer private @s : 4 bytes words "1" scalar
    ioflor.loop grid "by" to "heads" {
    ioflor.loop grid "bx" to "ceildiv(N, 64)" {
    ioflor.loop thread "tx" to "64" {
      %zero = ioflor.compute constant() "0"
      ioflor.loop seq "c" to "32" {
        ioflor.guard "64*bx + tx < N" {
          %0 = ioflor.load @Q["32*N*by + 2048*bx + 32*tx + c"] instr 0
          ioflor.store %0 to @phiq["0"] instr 1
        }
        ioflor.guard "64*bx + tx >= N" {
          ioflor.store %zero to @phiq["0"] instr 2
        }
        %1 = ioflor.load @phiq["0"] instr 3
        ioflor.store %1 to @q["c"] instr 4
        ioflor.store %zero to @o["c"] instr 5
      }
      %inf = ioflor.compute constant() "-1e30"
      ioflor.store %inf to @hi["0"] instr 6
      ioflor.store %zero to @den["0"] instr 7
      ioflor.loop seq "j0" to "ceildiv(N, 32)" {
        ioflor.loop seq "e" to "16" {
          ioflor.guard "32*j0 + floordiv(tx + 64*e, 32) < N" {
            %0 = ioflor.load @K["32*N*by + 1024*j0 + tx + 64*e"] instr 8
            ioflor.store %0 to @phik["0"] instr 9
          }
          ioflor.guard "32*j0 + floordiv(tx + 64*e, 32) >= N" {
            ioflor.store %zero to @phik["0"] instr 10
          }
          %1 = ioflor.load @phik["0"] instr 11
          ioflor.store %1 to @k["tx + 64*e"] instr 12
          ioflor.guard "32*j0 + floordiv(tx + 64*e, 32) < N" {
            %0 = ioflor.load @V["32*N*by + 1024*j0 + tx + 64*e"] instr 13
            ioflor.store %0 to @phiv["0"] instr 14
          }
          ioflor.guard "32*j0 + floordiv(tx + 64*e, 32) >= N" {
            ioflor.store %zero to @phiv["0"] instr 15
          }
          %2 = ioflor.load @phiv["0"] instr 16
          ioflor.store %2 to @v["tx + 64*e"] instr 17
        }
        ioflor.barrier
        ioflor.loop seq "j" to "32" {
          ioflor.store %zero to @s["0"] instr 18
          ioflor.loop seq "c2" to "32" {
            %q = ioflor.load @q["c2"] instr 19
            %k = ioflor.load @k["32*j + c2"] instr 20
            %s = ioflor.load @s["0"] instr 21
            %p = ioflor.compute mul(%q, %k)
            %a = ioflor.compute add(%s, %p)
            ioflor.store %a to @s["0"] instr 22
          }
          %s = ioflor.load @s["0"] instr 23
          %scale = ioflor.compute constant() "scale"
          %ss = ioflor.compute mul(%s, %scale)
          %hi = ioflor.load @hi["0"] instr 24
          %nh = ioflor.compute max(%hi, %ss)
          %d0 = ioflor.compute sub(%hi, %nh)
          %alpha = ioflor.compute exp(%d0)
          %d1 = ioflor.compute sub(%ss, %nh)
          %p = ioflor.compute exp(%d1)
          %den = ioflor.load @den["0"] instr 25
          %dm = ioflor.compute mul(%den, %alpha)
          %dn = ioflor.compute add(%dm, %p)
          ioflor.store %dn to @den["0"] instr 26
          ioflor.store %nh to @hi["0"] instr 27
          ioflor.loop seq "c3" to "32" {
            %o = ioflor.load @o["c3"] instr 28
            %om = ioflor.compute mul(%o, %alpha)
            %v = ioflor.load @v["32*j + c3"] instr 29
            %pv = ioflor.compute mul(%p, %v)
            %on = ioflor.compute add(%om, %pv)
            ioflor.store %on to @o["c3"] instr 30
          }
        }
        ioflor.barrier
      }
      ioflor.guard "64*bx + tx < N" {
        ioflor.loop seq "c4" to "32" {
          %o = ioflor.load @o["c4"] instr 31
          %den = ioflor.load @den["0"] instr 32
          %r = ioflor.compute div(%o, %den)
          ioflor.store %r to @O["32*N*by + 2048*bx + 32*tx + c4"] instr 33
        }
      }
    }
    }
    }
  }
}
