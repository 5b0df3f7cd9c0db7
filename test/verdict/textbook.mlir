// RUN: %ioflor_opt %s --pass-pipeline='builtin.module(ioflor.subject(ioflor-floors,ioflor-prove))' | FileCheck %s
// Traffic of textbook kernels with symbolic tiles, groups, masks and windows: every
// floor of each is proved, for all sizes.
// CHECK-COUNT-60: ioflor.obligation {{.*}} "proved"
// CHECK-NOT: ioflor.obligation
ioflor.subject @gqa attributes {info = {}, dims = {n_q = #ioflor.expr<"nq">, n_k = #ioflor.expr<"nk">, d = #ioflor.expr<"d">, d_v = #ioflor.expr<"dv">, batch = #ioflor.expr<"B">, heads = #ioflor.expr<"H*G">, kv_heads = #ioflor.expr<"H">}} {
  ioflor.symbol "nq" from "1" to "2147483647"
  ioflor.symbol "nk" from "1" to "2147483647"
  ioflor.symbol "d" from "1" to "2147483647"
  ioflor.symbol "dv" from "1" to "2147483647"
  ioflor.symbol "B" from "1" to "2147483647"
  ioflor.symbol "H" from "1" to "2147483647"
  ioflor.symbol "G" from "1" to "2147483647"
  ioflor.symbol "Br" from "1" to "2147483647"
  ioflor.buffer slow @Q : 4 bytes role Q
  ioflor.buffer slow @K : 4 bytes role K
  ioflor.buffer slow @V : 4 bytes role V
  ioflor.buffer slow @O : 4 bytes role O
  ioflor.count @Q "loads" "traffic" lo "B*H*G*nq*d" exact
  ioflor.count @K "loads" "traffic" lo "B*H*G*nk*d*ceildiv(nq, Br)" exact
  ioflor.count @V "loads" "traffic" lo "B*H*G*nk*dv*ceildiv(nq, Br)" exact
  ioflor.count @O "stores" "traffic" lo "B*H*G*nq*dv" exact
  ioflor.footprint lo "Br*d" hi "1000000"
}
ioflor.subject @packed attributes {info = {}, dims = {n_q = #ioflor.expr<"nq">, n_k = #ioflor.expr<"nk">, d = #ioflor.expr<"d">, d_v = #ioflor.expr<"dv">, batch = #ioflor.expr<"B">, heads = #ioflor.expr<"H*G">, kv_heads = #ioflor.expr<"H">}} {
  ioflor.symbol "nq" from "1" to "2147483647"
  ioflor.symbol "nk" from "1" to "2147483647"
  ioflor.symbol "d" from "1" to "2147483647"
  ioflor.symbol "dv" from "1" to "2147483647"
  ioflor.symbol "B" from "1" to "2147483647"
  ioflor.symbol "H" from "1" to "2147483647"
  ioflor.symbol "G" from "1" to "2147483647"
  ioflor.symbol "Br" from "1" to "2147483647"
  ioflor.buffer slow @Q : 4 bytes role Q
  ioflor.buffer slow @K : 4 bytes role K
  ioflor.buffer slow @V : 4 bytes role V
  ioflor.buffer slow @O : 4 bytes role O
  ioflor.count @Q "loads" "traffic" lo "B*H*G*nq*d" exact
  ioflor.count @K "loads" "traffic" lo "B*H*nk*d*ceildiv(G*nq, Br)" exact
  ioflor.count @V "loads" "traffic" lo "B*H*nk*dv*ceildiv(G*nq, Br)" exact
  ioflor.count @O "stores" "traffic" lo "B*H*G*nq*dv" exact
  ioflor.footprint lo "Br*d" hi "1000000"
}
ioflor.subject @fa1 attributes {info = {}, dims = {n_q = #ioflor.expr<"nq">, n_k = #ioflor.expr<"nk">, d = #ioflor.expr<"d">, d_v = #ioflor.expr<"dv">, batch = #ioflor.expr<"B">, heads = #ioflor.expr<"H*G">, kv_heads = #ioflor.expr<"H">}} {
  ioflor.symbol "nq" from "1" to "2147483647"
  ioflor.symbol "nk" from "1" to "2147483647"
  ioflor.symbol "d" from "1" to "2147483647"
  ioflor.symbol "dv" from "1" to "2147483647"
  ioflor.symbol "B" from "1" to "2147483647"
  ioflor.symbol "H" from "1" to "2147483647"
  ioflor.symbol "G" from "1" to "2147483647"
  ioflor.symbol "Bc" from "1" to "2147483647"
  ioflor.buffer slow @Q : 4 bytes role Q
  ioflor.buffer slow @K : 4 bytes role K
  ioflor.buffer slow @V : 4 bytes role V
  ioflor.buffer slow @O : 4 bytes role O
  ioflor.count @Q "loads" "traffic" lo "B*H*G*nq*d*ceildiv(nk, Bc)" exact
  ioflor.count @K "loads" "traffic" lo "B*H*G*nk*d" exact
  ioflor.count @V "loads" "traffic" lo "B*H*G*nk*dv" exact
  ioflor.count @O "stores" "traffic" lo "B*H*G*nq*dv" exact
  ioflor.footprint lo "2*Bc*d" hi "1000000"
}
ioflor.subject @causalrect attributes {info = {}, dims = {n_q = #ioflor.expr<"nq">, n_k = #ioflor.expr<"nk">, d = #ioflor.expr<"d">, d_v = #ioflor.expr<"d">, batch = #ioflor.expr<"B">, heads = #ioflor.expr<"H">}, disclosure = {kind = "causal"}} {
  ioflor.symbol "nq" from "1" to "2147483647"
  ioflor.symbol "nk" from "1" to "2147483647"
  ioflor.symbol "d" from "1" to "2147483647"
  ioflor.symbol "B" from "1" to "2147483647"
  ioflor.symbol "H" from "1" to "2147483647"
  ioflor.buffer slow @Q : 4 bytes role Q
  ioflor.buffer slow @K : 4 bytes role K
  ioflor.buffer slow @V : 4 bytes role V
  ioflor.buffer slow @O : 4 bytes role O
  ioflor.count @Q "loads" "traffic" lo "B*H*nq*d" exact
  ioflor.count @K "loads" "traffic" lo "B*H*d*sum(min(nk, max(0, 64*i + 64 + nk - nq)) for i in range(0, ceildiv(nq, 64)))" exact
  ioflor.count @V "loads" "traffic" lo "B*H*d*sum(min(nk, max(0, 64*i + 64 + nk - nq)) for i in range(0, ceildiv(nq, 64)))" exact
  ioflor.count @O "stores" "traffic" lo "B*H*nq*d" exact
  ioflor.footprint lo "64*d" hi "1000000"
}
ioflor.subject @windowsym attributes {info = {}, dims = {n_q = #ioflor.expr<"N">, n_k = #ioflor.expr<"N">, d = #ioflor.expr<"64">, d_v = #ioflor.expr<"64">, batch = #ioflor.expr<"B">, heads = #ioflor.expr<"H">}, disclosure = {kind = "window", w = #ioflor.expr<"W">}} {
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.symbol "W" from "1" to "2147483647"
  ioflor.symbol "B" from "1" to "2147483647"
  ioflor.symbol "H" from "1" to "2147483647"
  ioflor.buffer slow @Q : 4 bytes role Q
  ioflor.buffer slow @K : 4 bytes role K
  ioflor.buffer slow @V : 4 bytes role V
  ioflor.buffer slow @O : 4 bytes role O
  ioflor.count @Q "loads" "traffic" lo "B*H*N*64" exact
  ioflor.count @K "loads" "traffic" lo "B*H*64*sum(min(N, 64*i + 64) - max(0, 64*i - W + 1) for i in range(0, ceildiv(N, 64)))" exact
  ioflor.count @V "loads" "traffic" lo "B*H*64*sum(min(N, 64*i + 64) - max(0, 64*i - W + 1) for i in range(0, ceildiv(N, 64)))" exact
  ioflor.count @O "stores" "traffic" lo "B*H*N*64" exact
  ioflor.footprint lo "64*64" hi "1000000"
}
ioflor.subject @windowtile attributes {info = {}, dims = {n_q = #ioflor.expr<"N">, n_k = #ioflor.expr<"N">, d = #ioflor.expr<"d">, d_v = #ioflor.expr<"d">, batch = #ioflor.expr<"B">, heads = #ioflor.expr<"H">}, disclosure = {kind = "window", w = #ioflor.expr<"W">}} {
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.symbol "W" from "1" to "2147483647"
  ioflor.symbol "d" from "1" to "2147483647"
  ioflor.symbol "B" from "1" to "2147483647"
  ioflor.symbol "H" from "1" to "2147483647"
  ioflor.buffer slow @Q : 4 bytes role Q
  ioflor.buffer slow @K : 4 bytes role K
  ioflor.buffer slow @V : 4 bytes role V
  ioflor.buffer slow @O : 4 bytes role O
  ioflor.count @Q "loads" "traffic" lo "B*H*N*d" exact
  ioflor.count @K "loads" "traffic" lo "B*H*d*sum(16*(ceildiv(min(N, 64*i + 64), 16) - floordiv(max(0, 64*i - W + 1), 16)) for i in range(0, ceildiv(N, 64)))" exact
  ioflor.count @V "loads" "traffic" lo "B*H*d*sum(16*(ceildiv(min(N, 64*i + 64), 16) - floordiv(max(0, 64*i - W + 1), 16)) for i in range(0, ceildiv(N, 64)))" exact
  ioflor.count @O "stores" "traffic" lo "B*H*N*d" exact
  ioflor.footprint lo "64*d" hi "1000000"
}
ioflor.subject @rowcausal attributes {info = {}, dims = {n_q = #ioflor.expr<"N">, n_k = #ioflor.expr<"N">, d = #ioflor.expr<"d">, d_v = #ioflor.expr<"d">, batch = #ioflor.expr<"B">, heads = #ioflor.expr<"H">}, disclosure = {kind = "causal"}} {
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.symbol "d" from "1" to "2147483647"
  ioflor.symbol "B" from "1" to "2147483647"
  ioflor.symbol "H" from "1" to "2147483647"
  ioflor.buffer slow @Q : 4 bytes role Q
  ioflor.buffer slow @K : 4 bytes role K
  ioflor.buffer slow @V : 4 bytes role V
  ioflor.buffer slow @O : 4 bytes role O
  ioflor.count @Q "loads" "traffic" lo "B*H*N*d" exact
  ioflor.count @K "loads" "traffic" lo "B*H*d*floordiv(N*(N+1), 2)" exact
  ioflor.count @V "loads" "traffic" lo "B*H*d*floordiv(N*(N+1), 2)" exact
  ioflor.count @O "stores" "traffic" lo "B*H*N*d" exact
  ioflor.footprint lo "0" hi "1000000"
}
ioflor.subject @splitk attributes {info = {}, dims = {n_q = #ioflor.expr<"1">, n_k = #ioflor.expr<"nk">, d = #ioflor.expr<"128">, d_v = #ioflor.expr<"128">, batch = #ioflor.expr<"B">, heads = #ioflor.expr<"H">}} {
  ioflor.symbol "nk" from "1" to "2147483647"
  ioflor.symbol "B" from "1" to "2147483647"
  ioflor.symbol "H" from "1" to "2147483647"
  ioflor.symbol "S" from "1" to "2147483647"
  ioflor.buffer slow @Q : 4 bytes role Q
  ioflor.buffer slow @K : 4 bytes role K
  ioflor.buffer slow @V : 4 bytes role V
  ioflor.buffer slow @O : 4 bytes role O
  ioflor.count @Q "loads" "traffic" lo "B*H*128*S" exact
  ioflor.count @K "loads" "traffic" lo "B*H*128*nk" exact
  ioflor.count @V "loads" "traffic" lo "B*H*128*nk" exact
  ioflor.count @O "stores" "traffic" lo "B*H*128" exact
  ioflor.footprint lo "1024" hi "1000000"
}
ioflor.subject @topleft attributes {info = {}, dims = {n_q = #ioflor.expr<"nq">, n_k = #ioflor.expr<"nk">, d = #ioflor.expr<"64">, d_v = #ioflor.expr<"64">}, disclosure = {kind = "causal_top_left"}} {
  ioflor.symbol "nq" from "1" to "2147483647"
  ioflor.symbol "nk" from "1" to "2147483647"
  ioflor.buffer slow @Q : 4 bytes role Q
  ioflor.buffer slow @K : 4 bytes role K
  ioflor.buffer slow @V : 4 bytes role V
  ioflor.buffer slow @O : 4 bytes role O
  ioflor.count @Q "loads" "traffic" lo "64*nq" exact
  ioflor.count @K "loads" "traffic" lo "64*sum(min(nk, 64*i + 64) for i in range(0, ceildiv(nq, 64)))" exact
  ioflor.count @V "loads" "traffic" lo "64*sum(min(nk, 64*i + 64) for i in range(0, ceildiv(nq, 64)))" exact
  ioflor.count @O "stores" "traffic" lo "64*nq" exact
  ioflor.footprint lo "4096" hi "1000000"
}
ioflor.subject @symwin attributes {info = {}, dims = {n_q = #ioflor.expr<"N">, n_k = #ioflor.expr<"N">, d = #ioflor.expr<"64">, d_v = #ioflor.expr<"64">}, disclosure = {kind = "window_symmetric", w = #ioflor.expr<"W">}} {
  ioflor.symbol "N" from "1" to "2147483647"
  ioflor.symbol "W" from "1" to "2147483647"
  ioflor.buffer slow @Q : 4 bytes role Q
  ioflor.buffer slow @K : 4 bytes role K
  ioflor.buffer slow @V : 4 bytes role V
  ioflor.buffer slow @O : 4 bytes role O
  ioflor.count @Q "loads" "traffic" lo "64*N" exact
  ioflor.count @K "loads" "traffic" lo "64*sum(min(N, 64*i + 64 + W) - max(0, 64*i - W) for i in range(0, ceildiv(N, 64)))" exact
  ioflor.count @V "loads" "traffic" lo "64*sum(min(N, 64*i + 64 + W) - max(0, 64*i - W) for i in range(0, ceildiv(N, 64)))" exact
  ioflor.count @O "stores" "traffic" lo "64*N" exact
  ioflor.footprint lo "4096" hi "1000000"
}
