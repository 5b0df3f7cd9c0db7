// RUN: %ioflor_opt %s --ioflor-interpret='sizes=N=5,d=3 instructions' -o /dev/null | FileCheck %s
// RUN: %ioflor_opt %s --ioflor-interpret='sizes=N=4,d=1' -o /dev/null | FileCheck %s --check-prefix=EVEN

// One pass over K with tiles of two rows, a row per thread, the last tile ragged.
// N = 5: three CTAs, of which each reads all of K: 3 * 5 * 3 words. V is read by
// each of the threads that hold a row, all of it: 5 * 5 * 3 words are issued, of
// which the two threads of a CTA share each: 3 * 5 * 3.

// CHECK: @fa2 at N=5,d=3
// CHECK-NEXT: K loads: issued 45, traffic 45, compulsory 45 addresses 0..14
// CHECK-NEXT: O stores: issued 15, traffic 15, compulsory 15 addresses 0..14
// CHECK-NEXT: Q loads: issued 15, traffic 15, compulsory 15 addresses 0..14
// CHECK-NEXT: V loads: issued 75, traffic 45, compulsory 45 addresses 0..14
// CHECK-NEXT: @k instr 0 load Q: issued 15, traffic 15 addresses 0..14
// CHECK-NEXT: @k instr 2 load K: issued 45, traffic 45 addresses 0..14
// CHECK-NEXT: @k instr 4 load V: issued 75, traffic 45 addresses 0..14
// CHECK-NEXT: @k instr 6 store O: issued 15, traffic 15 addresses 0..14
// CHECK-NOT: {{.}}

// EVEN: K loads: issued 8, traffic 8, compulsory 8 addresses 0..3
// EVEN-NEXT: O stores: issued 4, traffic 4, compulsory 4 addresses 0..3
// EVEN-NEXT: Q loads: issued 4, traffic 4, compulsory 4 addresses 0..3
// EVEN-NEXT: V loads: issued 16, traffic 8, compulsory 8 addresses 0..3
ioflor.subject @fa2 attributes {info = {}} {
  ioflor.symbol "N" from "1"
  ioflor.symbol "d" from "1"
  ioflor.buffer slow @Q : 4 bytes
  ioflor.buffer slow @K : 4 bytes
  ioflor.buffer slow @V : 4 bytes
  ioflor.buffer slow @O : 4 bytes
  ioflor.stage @k threads "2" registers 0 attributes {info = {}} {
    ioflor.buffer shared @q : 4 bytes words "2*d"
    ioflor.buffer shared @kt : 4 bytes words "2*d"
    ioflor.loop grid "bx" to "ceildiv(N, 2)" {
      ioflor.loop thread "tx" to "2" {
        ioflor.guard "2*bx + tx < N" {
          ioflor.loop seq "c" to "d" {
            %q = ioflor.load @Q["d*(2*bx + tx) + c"] instr 0
            ioflor.store %q to @q["d*tx + c"] instr 1
          }
        }
        ioflor.loop seq "t" to "ceildiv(N, 2)" {
          ioflor.guard "2*t + tx < N" {
            ioflor.loop seq "c2" to "d" {
              %k = ioflor.load @K["d*(2*t + tx) + c2"] instr 2
              ioflor.store %k to @kt["d*tx + c2"] instr 3
            }
          }
          ioflor.barrier
          ioflor.guard "2*bx + tx < N" {
            ioflor.loop seq "r" to "min(2, N - 2*t)" {
              ioflor.loop seq "c3" to "d" {
                %v = ioflor.load @V["d*(2*t + r) + c3"] instr 4
              }
            }
          }
        }
        ioflor.guard "2*bx + tx < N" {
          ioflor.loop seq "c4" to "d" {
            %o = ioflor.load @q["d*tx + c4"] instr 5
            ioflor.store %o to @O["d*(2*bx + tx) + c4"] instr 6
          }
        }
      }
    }
  }
}
