// Causal, and says nothing.
func.func @masked(%Q: memref<?x32xf32>, %K: memref<?x32xf32>, %V: memref<?x32xf32>, %O: memref<?x32xf32>, %N: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %nb = arith.ceildivui %N, %c64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %nb, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
             private(%q : memref<32xf32, #gpu.address_space<private>>,
                     %acc : memref<32xf32, #gpu.address_space<private>>) {
    %row0 = arith.muli %bx, %c64 : index
    %row = arith.addi %row0, %tx : index
    %inb = arith.cmpi ult, %row, %N : index
    scf.if %inb {
      scf.for %d = %c0 to %c32 step %c1 {
        %x = memref.load %Q[%row, %d] : memref<?x32xf32>
        memref.store %x, %q[%d] : memref<32xf32, #gpu.address_space<private>>
        memref.store %zero, %acc[%d] : memref<32xf32, #gpu.address_space<private>>
      }
      %end = arith.addi %row, %c1 : index
      %lo = arith.constant 0 : index
      %r:2 = scf.for %j = %lo to %end step %c1 iter_args(%m = %ninf, %l = %zero) -> (f32, f32) {
        %s = scf.for %d = %c0 to %c32 step %c1 iter_args(%a = %zero) -> (f32) {
          %qx = memref.load %q[%d] : memref<32xf32, #gpu.address_space<private>>
          %kx = memref.load %K[%j, %d] : memref<?x32xf32>
          %p = arith.mulf %qx, %kx : f32
          %a2 = arith.addf %a, %p : f32
          scf.yield %a2 : f32
        }
        %m2 = arith.maximumf %m, %s : f32
        %dm = arith.subf %m, %m2 : f32
        %al = math.exp %dm : f32
        %ds = arith.subf %s, %m2 : f32
        %pp = math.exp %ds : f32
        %la = arith.mulf %l, %al : f32
        %l2 = arith.addf %la, %pp : f32
        scf.for %d = %c0 to %c32 step %c1 {
          %ax = memref.load %acc[%d] : memref<32xf32, #gpu.address_space<private>>
          %vx = memref.load %V[%j, %d] : memref<?x32xf32>
          %t0 = arith.mulf %ax, %al : f32
          %t1 = arith.mulf %pp, %vx : f32
          %t2 = arith.addf %t0, %t1 : f32
          memref.store %t2, %acc[%d] : memref<32xf32, #gpu.address_space<private>>
        }
        scf.yield %m2, %l2 : f32, f32
      }
      scf.for %d = %c0 to %c32 step %c1 {
        %ax = memref.load %acc[%d] : memref<32xf32, #gpu.address_space<private>>
        %ox = arith.divf %ax, %r#1 : f32
        memref.store %ox, %O[%row, %d] : memref<?x32xf32>
      }
    }
    gpu.terminator
  }
  return
}
