// RUN: %ioflor_opt %s --split-input-file --ioflor-traffic | FileCheck %s

// Tiles of 32 query rows and 16 keys, causal, with the bound of the last row.
// Each count is exact and was compared with executions.

// CHECK-LABEL: ioflor.subject @causal
// CHECK: ioflor.count @Q "loads" "issued" lo "64*N" hi "64*N" exact {checked = 8 : i64}
// CHECK-NEXT: ioflor.count @Q "loads" "traffic" lo "64*N" hi "64*N" exact
// CHECK-NEXT: ioflor.count @Q "loads" "compulsory" lo "64*N" hi "64*N" exact
// CHECK-NEXT: ioflor.count @K "loads" "issued" lo "1024*ceildiv(N, 32)**2 + 64*N - 1024*ceildiv(N, 32)"
// CHECK-NEXT: ioflor.count @K "loads" "traffic" lo "1024*ceildiv(N, 32)**2 + 64*N - 1024*ceildiv(N, 32)"
// CHECK-NEXT: ioflor.count @K "loads" "compulsory" lo "1024*ceildiv(N, 32)**2 + 64*N - 1024*ceildiv(N, 32)"
// 16 keys of 64 words, and 64 words and 24 registers of each of 32 threads.
// CHECK-NEXT: ioflor.footprint lo "3072" hi "3840"
ioflor.subject @causal attributes {info = {language = "cuda"}} {
  ioflor.symbol "N" from "1"
  ioflor.buffer slow @Q : 4 bytes
  ioflor.buffer slow @K : 4 bytes
  ioflor.stage @k threads "32" registers 24 attributes {info = {}} {
    ioflor.buffer shared @ks : 4 bytes words "1024"
    ioflor.buffer private @q : 4 bytes words "64"
    ioflor.buffer private @sum : 4 bytes words "1" scalar
    ioflor.loop grid "bx" to "ceildiv(N, 32)" {
      ioflor.loop thread "tx" to "32" {
        ioflor.guard "32*bx + tx < N" {
          ioflor.loop seq "c" to "64" {
            %q = ioflor.load @Q["(32*bx + tx)*64 + c"] instr 0
            ioflor.store %q to @q["c"] instr 1
          }
        }
        ioflor.loop seq "j0" to "ceildiv(min(N, 32*bx + 32), 16)" {
          ioflor.loop seq "t" to "ceildiv(1024 - tx, 32)" {
            ioflor.guard "16*j0 + floordiv(tx + 32*t, 64) < N" {
              %k = ioflor.load @K["1024*j0 + tx + 32*t"] instr 2
              ioflor.store %k to @ks["tx + 32*t"] instr 3
            }
          }
          ioflor.barrier
        }
      }
    }
  }
}

// -----

// What memory decides, and what could not be read, is an interval with its
// reason.

// CHECK-LABEL: ioflor.subject @paged
// CHECK: ioflor.count @K "loads" "issued" lo "0" hi "16*N" {checked = 8 : i64, reason = "depends on data in memory"}
// CHECK: ioflor.count @K "loads" "traffic" lo "0" hi "16*N"
// CHECK: ioflor.count @V "loads" "traffic" lo "N" {{.*}}reason = "call of an unknown function"
// CHECK: ioflor.count @O "stores" "traffic" lo "0" hi "N" {{.*}}reason = "loaded flag"
ioflor.subject @paged attributes {info = {}} {
  ioflor.symbol "N" from "1"
  ioflor.symbol "len" from "0" to "N" data "a length in memory"
  ioflor.buffer slow @K : 4 bytes
  ioflor.buffer slow @V : 4 bytes
  ioflor.buffer slow @O : 4 bytes
  ioflor.stage @k threads "16" registers 8 attributes {info = {}} {
    ioflor.loop thread "tx" to "16" {
      ioflor.loop seq "j" to "len" {
        %k = ioflor.load @K["16*j + tx"] instr 0
      }
      ioflor.loop seq "i" to "N" {
        %v = ioflor.load @V["i"] instr 1
        ioflor.guard "unknown(\"loaded flag\", u0)" {
          ioflor.store %v to @O["i"] instr 2
        }
      }
      ioflor.unknown "call of an unknown function" {reads = [@V]}
    }
  }
}

// -----

// A pipeline: counts are sums over the stages, fast memory is that of the
// largest. The second stage runs in a loop of the host.

// CHECK-LABEL: ioflor.subject @pipeline
// CHECK: ioflor.count @S "loads" "traffic" lo "3*N**2" hi "3*N**2" exact
// CHECK: ioflor.count @S "stores" "traffic" lo "N**2" hi "N**2" exact
// CHECK: ioflor.footprint lo "256" hi "384"
ioflor.subject @pipeline attributes {info = {}} {
  ioflor.symbol "N" from "1"
  ioflor.buffer slow @S : 4 bytes
  ioflor.stage @write threads "8" registers 4 attributes {info = {}} {
    ioflor.loop grid "bx" to "N" {
      ioflor.loop thread "tx" to "8" {
        ioflor.loop seq "t" to "ceildiv(N - tx, 8)" {
          %x = ioflor.compute constant() "0"
          ioflor.store %x to @S["bx*N + tx + 8*t"] instr 0
        }
      }
    }
  }
  ioflor.loop host "pass" to "3" {
    ioflor.stage @read threads "16" registers 8 attributes {info = {}} {
      ioflor.buffer shared @row : 4 bytes words "256"
      ioflor.loop grid "bx2" to "N" {
        ioflor.loop thread "tx2" to "16" {
          ioflor.loop seq "t2" to "ceildiv(N - tx2, 16)" {
            %x = ioflor.load @S["bx2*N + tx2 + 16*t2"] instr 0
          }
        }
      }
    }
  }
}

// -----

// An implicit cache: each word at least once, each access at most.

// CHECK-LABEL: ioflor.subject @plain
// CHECK: ioflor.count @K "loads" "issued" lo "N**2" hi "N**2" exact
// CHECK-NEXT: ioflor.count @K "loads" "traffic" lo "N" hi "N**2" {{.*}}reason = "an implicit cache decides what is moved again"
// CHECK-NEXT: ioflor.count @K "loads" "compulsory" lo "N" hi "N" exact
ioflor.subject @plain attributes {info = {language = "c++"}} {
  ioflor.symbol "N" from "1"
  ioflor.buffer slow @K : 4 bytes
  ioflor.stage @f threads "1" registers 2 attributes {info = {}} {
    ioflor.loop seq "i" to "N" {
      ioflor.loop seq "j" to "N" {
        %k = ioflor.load @K["j"] instr 0
      }
    }
  }
}
