// The key loop ends at the number of queries, but heads of K and V lie as far
// apart as another number of rows: a cache with a capacity, or the wrong bound.
// RUN: sed 's/to "len" {/to "N" {/' %S/capacity.mlir > %t.mlir
// RUN: %ioflor_opt --ioflor-roles %t.mlir | %filecheck %s
// CHECK: @K
// CHECK-SAME: its rows are as many as those of Q, N, by the loop, and cap by the distance of its heads
