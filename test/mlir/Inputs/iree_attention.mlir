// Attention as one operation, between the memory of the caller. Written for
// this test.
#q = affine_map<(b, m, n, k, d) -> (b, m, k)>
#k = affine_map<(b, m, n, k, d) -> (b, n, k)>
#v = affine_map<(b, m, n, k, d) -> (b, n, d)>
#s = affine_map<(b, m, n, k, d) -> ()>
#o = affine_map<(b, m, n, k, d) -> (b, m, d)>
"util.func"() <{function_type = (!hal.buffer_view, !hal.buffer_view, !hal.buffer_view) -> !hal.buffer_view, sym_name = "attend", tied_operands = [-1 : index]}> ({
^bb0(%qs: !hal.buffer_view, %ks: !hal.buffer_view, %vs: !hal.buffer_view):
  %scale = "arith.constant"() <{value = 1.250000e-01 : f32}> : () -> f32
  %m = "hal.buffer_view.dim"(%qs) <{index = 1 : index}> : (!hal.buffer_view) -> index
  %n = "hal.buffer_view.dim"(%ks) <{index = 1 : index}> : (!hal.buffer_view) -> index
  %q = "hal.tensor.import"(%qs, %m) <{operandSegmentSizes = array<i32: 1, 1, 0>, target_encoding = tensor<2x?x8xf32>}> : (!hal.buffer_view, index) -> tensor<2x?x8xf32>
  %k = "hal.tensor.import"(%ks, %n) <{operandSegmentSizes = array<i32: 1, 1, 0>, target_encoding = tensor<2x?x8xf32>}> : (!hal.buffer_view, index) -> tensor<2x?x8xf32>
  %v = "hal.tensor.import"(%vs, %n) <{operandSegmentSizes = array<i32: 1, 1, 0>, target_encoding = tensor<2x?x8xf32>}> : (!hal.buffer_view, index) -> tensor<2x?x8xf32>
  %e = "tensor.empty"(%m) : (index) -> tensor<2x?x8xf32>
  %r = "iree_linalg_ext.attention"(%q, %k, %v, %scale, %e) <{indexing_maps = [#q, #k, #v, #s, #o]}> ({
  ^bb1(%a: f32):
    "iree_linalg_ext.yield"(%a) : (f32) -> ()
  }) : (tensor<2x?x8xf32>, tensor<2x?x8xf32>, tensor<2x?x8xf32>, f32, tensor<2x?x8xf32>) -> tensor<2x?x8xf32>
  %out = "hal.tensor.export"(%r, %m) <{operandSegmentSizes = array<i32: 1, 1, 0>, source_encoding = tensor<2x?x8xf32>}> : (tensor<2x?x8xf32>, index) -> !hal.buffer_view
  "util.return"(%out) : (!hal.buffer_view) -> ()
}) : () -> ()
