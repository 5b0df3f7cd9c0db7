// RUN: %ioflor_opt --ioflor-extract='functions=good' %s | FileCheck %s
// RUN: not %ioflor_opt --ioflor-extract='functions=bad_kind' %s 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not %ioflor_opt --ioflor-extract='functions=bad_size' %s 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not %ioflor_opt --ioflor-extract='functions=bad_role' %s 2>&1 | FileCheck %s --check-prefix=ROLE
// RUN: not %ioflor_opt --ioflor-extract='functions=bad_text' %s 2>&1 | FileCheck %s --check-prefix=TEXT

// CHECK: ioflor.subject @good.skeleton
// CHECK-SAME: disclosure = {{{.*}}kind = "window"{{.*}}w = #ioflor.expr<"arg1">
// CHECK: ioflor.buffer slow @arg0 : 4 bytes role Q {annotated, evidence = "annotated", extents = [#ioflor.expr<"arg1">, #ioflor.expr<"8">]}
func.func @good(%q: memref<?xf32> {ioflor.role = "Q", ioflor.extents = ["arg1", "8"]}, %n: index)
    attributes {ioflor.disclosure = "window(arg1)", ioflor.fast_words = "arg1 + 4"} {
  %c = arith.constant 0.0 : f32
  memref.store %c, %q[%n] : memref<?xf32>
  return
}
// KIND: attributes.mlir:[[#@LINE+1]]:1: error: 'ioflor.disclosure' must be exact, causal
func.func @bad_kind(%q: memref<?xf32>) attributes {ioflor.disclosure = "window"} {
  return
}
// SIZE: attributes.mlir:[[#@LINE+1]]:1: error: 'ioflor.fast_words' uses 'n', which is no size of the function
func.func @bad_size(%q: memref<?xf32>) attributes {ioflor.fast_words = "n"} {
  return
}
// ROLE: attributes.mlir:[[#@LINE+1]]:1: error: 'ioflor.role' of argument 0 must be Q, K, V, O, S or other
func.func @bad_role(%q: memref<?xf32> {ioflor.role = "query"}) {
  return
}
// TEXT: attributes.mlir:[[#@LINE+1]]:1: error: 'ioflor.claim_words' is no expression
func.func @bad_text(%q: memref<?xf32>) attributes {ioflor.claim_words = "1 +"} {
  return
}
