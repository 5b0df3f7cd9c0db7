// One program computes 16 rows of attention over n keys of a head; operands are
// reached through descriptors that the host makes, of all heads' rows. Written for this test.
"builtin.module"() ({
  "tt.func"() <{function_type = (!tt.tensordesc<16x16xf16>, i32, i32, i64, i64, !tt.tensordesc<16x16xf16>, i32, i32, i64, i64, !tt.tensordesc<16x16xf16>, i32, i32, i64, i64, !tt.tensordesc<16x16xf16>, i32, i32, i64, i64, i32, i32, f32) -> (), sym_name = "rows", sym_visibility = "public"}> ({
  ^bb0(%dq: !tt.tensordesc<16x16xf16>, %qr: i32, %qc: i32, %qs: i64, %q1: i64, %dk: !tt.tensordesc<16x16xf16>, %kr: i32, %kc: i32, %ks: i64, %k1: i64, %dv: !tt.tensordesc<16x16xf16>, %vr: i32, %vc: i32, %vs: i64, %v1: i64, %do: !tt.tensordesc<16x16xf16>, %or: i32, %oc: i32, %os: i64, %o1: i64, %heads: i32, %n: i32, %scale: f32):
    %c0 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %c16 = "arith.constant"() <{value = 16 : i32}> : () -> i32
    %l1 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %l16 = "arith.constant"() <{value = 16 : i64}> : () -> i64
    %zero = "arith.constant"() <{value = dense<0.0> : tensor<16x16xf32>}> : () -> tensor<16x16xf32>
    %none = "arith.constant"() <{value = dense<0.0> : tensor<16xf32>}> : () -> tensor<16xf32>
    %low = "arith.constant"() <{value = dense<0xFF800000> : tensor<16xf32>}> : () -> tensor<16xf32>
    %tile = "tt.get_program_id"() <{axis = 0 : i32}> : () -> i32
    %head = "tt.get_program_id"() <{axis = 1 : i32}> : () -> i32
    %all = "arith.muli"(%heads, %n) : (i32, i32) -> i32
    %unused = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %first = "arith.muli"(%head, %n) : (i32, i32) -> i32
    %within = "arith.muli"(%tile, %c16) : (i32, i32) -> i32
    %row = "arith.addi"(%first, %within) : (i32, i32) -> i32
    %tq = "tt.descriptor_load"(%dq, %row, %c0) : (!tt.tensordesc<16x16xf16>, i32, i32) -> tensor<16x16xf16>
    %scales = "tt.splat"(%scale) : (f32) -> tensor<16x16xf32>
    %r:4 = "scf.for"(%c0, %n, %c16, %zero, %none, %low, %first) ({
    ^bb1(%j: i32, %acc: tensor<16x16xf32>, %sum: tensor<16xf32>, %max: tensor<16xf32>, %at: i32):
      %tk = "tt.descriptor_load"(%dk, %at, %c0) : (!tt.tensordesc<16x16xf16>, i32, i32) -> tensor<16x16xf16>
      %kt = "tt.trans"(%tk) <{order = array<i32: 1, 0>}> : (tensor<16x16xf16>) -> tensor<16x16xf16>
      %raw = "tt.dot"(%tq, %kt, %zero) <{inputPrecision = 0 : i32, maxNumImpreciseAcc = 0 : i32}> : (tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>) -> tensor<16x16xf32>
      %s = "arith.mulf"(%raw, %scales) : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
      %here = "tt.reduce"(%s) <{axis = 1 : i32}> ({
      ^bb2(%a: f32, %b: f32):
        %m = "arith.maxnumf"(%a, %b) : (f32, f32) -> f32
        "tt.reduce.return"(%m) : (f32) -> ()
      }) : (tensor<16x16xf32>) -> tensor<16xf32>
      %now = "arith.maxnumf"(%max, %here) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      %column = "tt.reshape"(%now) : (tensor<16xf32>) -> tensor<16x1xf32>
      %wide = "tt.broadcast"(%column) : (tensor<16x1xf32>) -> tensor<16x16xf32>
      %less = "arith.subf"(%s, %wide) : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
      %p = "math.exp2"(%less) : (tensor<16x16xf32>) -> tensor<16x16xf32>
      %change = "arith.subf"(%max, %now) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      %alpha = "math.exp2"(%change) : (tensor<16xf32>) -> tensor<16xf32>
      %part = "tt.reduce"(%p) <{axis = 1 : i32}> ({
      ^bb3(%a: f32, %b: f32):
        %m = "arith.addf"(%a, %b) : (f32, f32) -> f32
        "tt.reduce.return"(%m) : (f32) -> ()
      }) : (tensor<16x16xf32>) -> tensor<16xf32>
      %ac = "tt.expand_dims"(%alpha) <{axis = 1 : i32}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %aw = "tt.broadcast"(%ac) : (tensor<16x1xf32>) -> tensor<16x16xf32>
      %kept = "arith.mulf"(%acc, %aw) : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
      %tv = "tt.descriptor_load"(%dv, %at, %c0) : (!tt.tensordesc<16x16xf16>, i32, i32) -> tensor<16x16xf16>
      %ph = "arith.truncf"(%p) : (tensor<16x16xf32>) -> tensor<16x16xf16>
      %next = "tt.dot"(%ph, %tv, %kept) <{inputPrecision = 0 : i32, maxNumImpreciseAcc = 0 : i32}> : (tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>) -> tensor<16x16xf32>
      %old = "arith.mulf"(%sum, %alpha) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      %total = "arith.addf"(%old, %part) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      %on = "arith.addi"(%at, %c16) : (i32, i32) -> i32
      "scf.yield"(%next, %total, %now, %on) : (tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32>, i32) -> ()
    }) : (i32, i32, i32, tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32>, i32) -> (tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32>, i32)
    %sc = "tt.expand_dims"(%r#1) <{axis = 1 : i32}> : (tensor<16xf32>) -> tensor<16x1xf32>
    %sw = "tt.broadcast"(%sc) : (tensor<16x1xf32>) -> tensor<16x16xf32>
    %out = "arith.divf"(%r#0, %sw) : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %half = "arith.truncf"(%out) : (tensor<16x16xf32>) -> tensor<16x16xf16>
    "tt.descriptor_store"(%do, %half, %row, %c0) : (!tt.tensordesc<16x16xf16>, tensor<16x16xf16>, i32, i32) -> ()
    "tt.return"() : () -> ()
  }) {noinline = false} : () -> ()
}) : () -> ()
