// RUN: %ioflor_opt %s --ioflor-interpret='sizes=N=8 instructions' -o /dev/null | FileCheck %s
// RUN: %ioflor_opt %s --ioflor-interpret='sizes=N=8,len=3' -o /dev/null | FileCheck %s --check-prefix=FIXED

// What data decide is an interval; with a value for the data symbol it is a
// number. An `unknown` op takes away the upper end.

// CHECK: @s at N=8
// CHECK-NEXT: K loads: issued [0, 16], traffic [0, 8], compulsory [0, 8]{{$}}
// CHECK-NEXT: O stores: issued [2, ?], traffic [2, ?], compulsory [2, ?] addresses 0..1
// CHECK-NEXT: Q loads: issued 4, traffic [2, 4], compulsory [2, 4] and unknown ones
// CHECK-NEXT: @k instr 0 load Q: issued 4, traffic [2, 4] and unknown ones
// CHECK-NEXT: @k instr 1 load K: issued [0, 16], traffic [0, 8]{{$}}
// CHECK-NEXT: @k instr 2 store O: issued 2, traffic 2 addresses 0..1

// FIXED: K loads: issued 6, traffic 3, compulsory 3 addresses 0..2
ioflor.subject @s attributes {info = {}} {
  ioflor.symbol "N" from "1"
  ioflor.symbol "len" from "0" to "N" data "loaded from lengths"
  ioflor.buffer slow @Q : 4 bytes
  ioflor.buffer slow @K : 4 bytes
  ioflor.buffer slow @O : 4 bytes
  ioflor.stage @k threads "2" registers 0 attributes {info = {}} {
    ioflor.loop thread "tx" to "2" {
      %q = ioflor.load @Q[?] width 2 instr 0 {unknown = "loaded index"}
      ioflor.loop seq "t" to "len" {
        %k = ioflor.load @K["t"] instr 1
      }
      ioflor.store %q to @O["tx"] instr 2
      ioflor.unknown "inline asm" {writes = [@O]}
    }
  }
}
