// Values that another name reads later, and operations that are not followed.
func.func @alias(%q: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %v = math.exp %q : tensor<4x4xf32>
  %same = tensor.cast %v : tensor<4x4xf32> to tensor<4x4xf32>
  %w = arith.negf %same : tensor<4x4xf32>
  %r = arith.addf %v, %w : tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
func.func @destination(%q: tensor<4xf32>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%q : tensor<4xf32>) -> tensor<4xf32>
  %b = linalg.exp ins(%q : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}
func.func private @callee(memref<4xf32>)
func.func @call(%q: memref<4xf32>, %o: memref<4xf32>) {
  call @callee(%q) : (memref<4xf32>) -> ()
  linalg.exp ins(%q : memref<4xf32>) outs(%o : memref<4xf32>)
  return
}
func.func @reads(%q: tensor<4xf32>) -> tensor<2x2xf32> {
  %s = arith.constant dense<[2, 2]> : tensor<2xindex>
  %x = tensor.reshape %q(%s) : (tensor<4xf32>, tensor<2xindex>) -> tensor<2x2xf32>
  return %x : tensor<2x2xf32>
}
func.func @unregistered(%q: memref<4xf32>, %o: memref<4xf32>) {
  %p = memref.extract_aligned_pointer_as_index %q : memref<4xf32> -> index
  "other.write"(%o, %p) : (memref<4xf32>, index) -> ()
  return
}
func.func @exchanged(%a: memref<4xf32>, %b: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (memref<4xf32>, memref<4xf32>) {
    %w = memref.load %x[%c0] : memref<4xf32>
    memref.store %w, %y[%c1] : memref<4xf32>
    scf.yield %y, %x : memref<4xf32>, memref<4xf32>
  }
  return
}
func.func @chosen(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %m = scf.if %c -> memref<4xf32> {
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %b : memref<4xf32>
  }
  %w = memref.load %m[%c0] : memref<4xf32>
  memref.store %w, %b[%c0] : memref<4xf32>
  return
}
func.func @offset(%a: memref<4xf32, strided<[1], offset: ?>>, %b: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %m = memref.reinterpret_cast %a to offset: [0], sizes: [4], strides: [1] : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32>
  %w = memref.load %m[%c0] : memref<4xf32>
  memref.store %w, %b[%c0] : memref<4xf32>
  return
}
func.func @strided(%a: memref<4x4xf32, strided<[9, 2]>>, %b: memref<4xf32>) {
  %c3 = arith.constant 3 : index
  %w = memref.load %a[%c3, %c3] : memref<4x4xf32, strided<[9, 2]>>
  memref.store %w, %b[%c3] : memref<4xf32>
  return
}
func.func @loop_value(%q: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %q) -> (tensor<4xf32>) {
    %y = arith.addf %x, %q : tensor<4xf32>
    scf.yield %y : tensor<4xf32>
  }
  return %r, %q : tensor<4xf32>, tensor<4xf32>
}
