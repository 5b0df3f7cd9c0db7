// One query: its scores are a row, and go through memory at little cost.
#mapA = affine_map<(i, j, k) -> (i, k)>
#mapBT = affine_map<(i, j, k) -> (j, k)>
#mapC = affine_map<(i, j, k) -> (i, j)>
func.func @decode(%Q: tensor<1x64xf32>, %K: tensor<?x64xf32>, %V: tensor<?x64xf32>,
                  %O: tensor<1x64xf32>) -> tensor<1x64xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %m = tensor.dim %K, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%m) : tensor<1x?xf32>
  %s0 = linalg.fill ins(%z : f32) outs(%e : tensor<1x?xf32>) -> tensor<1x?xf32>
  %S = linalg.matmul indexing_maps = [#mapA, #mapBT, #mapC]
       ins(%Q, %K : tensor<1x64xf32>, tensor<?x64xf32>)
       outs(%s0 : tensor<1x?xf32>) -> tensor<1x?xf32>
  %P = linalg.softmax dimension(1) ins(%S : tensor<1x?xf32>)
       outs(%e : tensor<1x?xf32>) -> tensor<1x?xf32>
  %o0 = linalg.fill ins(%z : f32) outs(%O : tensor<1x64xf32>) -> tensor<1x64xf32>
  %r = linalg.matmul ins(%P, %V : tensor<1x?xf32>, tensor<?x64xf32>)
       outs(%o0 : tensor<1x64xf32>) -> tensor<1x64xf32>
  return %r : tensor<1x64xf32>
}
