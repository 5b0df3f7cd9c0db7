// Integers keep the meaning of their operation: what has no sign, what is cut.
// RUN: %ioflor_opt --ioflor-extract='functions=.' %s | FileCheck %s

// A difference without a sign is below 4 only where it is not negative.
// CHECK: ioflor.subject @band.skeleton
// CHECK: ioflor.guard "t <= t1 + 3 and t1 <= t"
func.func @band(%q: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %d = arith.subi %i, %j : index
      %c = arith.cmpi ult, %d, %c4 : index
      scf.if %c {
        %x = memref.load %q[%j] : memref<64xf32>
        memref.store %x, %q[%i] : memref<64xf32>
      }
    }
  }
  return
}
// The quotient of a number that may be negative is not followed.
// CHECK: ioflor.subject @quotient.skeleton
// CHECK: ioflor.symbol "data" {{.*}}"arith.divui is not followed"
func.func @quotient(%q: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %d = arith.subi %i, %c4 : index
    %k = arith.divui %d, %c4 : index
    %x = memref.load %q[%k] : memref<64xf32>
    memref.store %x, %q[%i] : memref<64xf32>
  }
  return
}
// 0 to 99 fits into 8 bits, 0 to 199 does not.
// CHECK: ioflor.subject @cut.skeleton
// CHECK: ioflor.symbol "data" {{.*}}"an integer cut to fewer bits"
// CHECK: ioflor.load @arg0["t"]
// CHECK: ioflor.load @arg0["data"]
func.func @cut(%q: memref<256xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c100 = arith.constant 100 : i32
  %c200 = arith.constant 200 : i32
  scf.for %i = %c0 to %c100 step %c1 : i32 {
    %n = arith.trunci %i : i32 to i8
    %k = arith.index_cast %n : i8 to index
    %x = memref.load %q[%k] : memref<256xf32>
    memref.store %x, %q[%k] : memref<256xf32>
  }
  scf.for %i = %c0 to %c200 step %c1 : i32 {
    %n = arith.trunci %i : i32 to i8
    %k = arith.index_cast %n : i8 to index
    %x = memref.load %q[%k] : memref<256xf32>
    memref.store %x, %q[%k] : memref<256xf32>
  }
  return
}
