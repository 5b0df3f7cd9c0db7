// RUN: %ioflor_opt %s --split-input-file --pass-pipeline='builtin.module(ioflor.subject(ioflor-check-extents))' | FileCheck %s

// Extents with weak evidence must fit what is touched at small sizes; those that
// the strides state stand, since what differs from them is the kernel's fault.

// Columns counted down to 0: one column is not what rows of 8 words hold.
// CHECK-LABEL: ioflor.subject @too_few_columns
// CHECK-NOT: dims
// CHECK: buffer slow @q
// CHECK-SAME: evidence = "inconclusive: its extents do not fit an execution: columns beyond 1 are accessed"
// CHECK-NOT: extents =
ioflor.subject @too_few_columns attributes {dims = {n_q = #ioflor.expr<"n">}, info = {name = "too_few_columns"}} {
  ioflor.symbol "n" from "1" to "2147483647"
  ioflor.buffer slow @q : 4 bytes role Q {evidence = "as below", extents = [#ioflor.expr<"n">, #ioflor.expr<"1">], ioflor.dimensions = ["rows", "columns"], ioflor.extent_evidence = ["guard: rows", "read: columns"], ioflor.strides = [#ioflor.expr<"8">, #ioflor.expr<"1">]}
  ioflor.stage @s threads "1" registers 1 attributes {info = {}} {
    ioflor.loop seq "i" to "n" {
    ioflor.loop seq "c" to "8" {
    %0 = ioflor.load @q["8*i - c + 7"] instr 0
    }    }
  }
}

// -----

// A tile past the last row that no size touches.
// CHECK-LABEL: ioflor.subject @too_many_rows
// CHECK: evidence = "inconclusive: its extents do not fit an execution: rows up to n + 3 are never accessed"
ioflor.subject @too_many_rows attributes {dims = {n_q = #ioflor.expr<"n">}, info = {name = "too_many_rows"}} {
  ioflor.symbol "n" from "1" to "2147483647"
  ioflor.buffer slow @q : 4 bytes role Q {evidence = "as below", extents = [#ioflor.expr<"n + 3">, #ioflor.expr<"8">], ioflor.dimensions = ["rows", "columns"], ioflor.extent_evidence = ["guard: rows", "stride: columns"], ioflor.strides = [#ioflor.expr<"8">, #ioflor.expr<"1">]}
  ioflor.stage @s threads "1" registers 1 attributes {info = {}} {
    ioflor.loop seq "i" to "n" {
    ioflor.loop seq "c" to "8" {
    %0 = ioflor.load @q["8*i + c"] instr 0
    }    }
  }
}

// -----

// The slowest dimension, n rows of h heads, was missed.
// CHECK-LABEL: ioflor.subject @missed_rows
// CHECK: evidence = "inconclusive: its extents do not fit an execution: more words are accessed than they hold"
ioflor.subject @missed_rows attributes {dims = {n_q = #ioflor.expr<"n">}, info = {name = "missed_rows"}} {
  ioflor.symbol "n" from "1" to "2147483647"
  ioflor.symbol "h" from "1" to "2147483647"
  ioflor.buffer slow @q : 4 bytes role Q {evidence = "as below", extents = [#ioflor.expr<"h">, #ioflor.expr<"8">], ioflor.dimensions = ["heads", "columns"], ioflor.extent_evidence = ["launch: heads", "stride: columns"], ioflor.strides = [#ioflor.expr<"8">, #ioflor.expr<"1">]}
  ioflor.stage @s threads "1" registers 1 attributes {info = {}} {
    ioflor.loop seq "i" to "16*n" {
    ioflor.loop seq "g" to "h" {
    ioflor.loop seq "c" to "8" {
    %0 = ioflor.load @q["8*h*i + 8*g + c"] instr 0
    }    }    }
  }
}

// -----

// Every second row: the guard says n rows, and the last is reached when n is odd.
// CHECK-LABEL: ioflor.subject @every_second_row
// CHECK-SAME: dims
// CHECK: evidence = "as below"
ioflor.subject @every_second_row attributes {dims = {n_q = #ioflor.expr<"n">}, info = {name = "every_second_row"}} {
  ioflor.symbol "n" from "1" to "2147483647"
  ioflor.buffer slow @q : 4 bytes role Q {evidence = "as below", extents = [#ioflor.expr<"n">, #ioflor.expr<"8">], ioflor.dimensions = ["rows", "columns"], ioflor.extent_evidence = ["guard: rows", "stride: columns"], ioflor.strides = [#ioflor.expr<"8">, #ioflor.expr<"1">]}
  ioflor.stage @s threads "1" registers 1 attributes {info = {}} {
    ioflor.loop seq "i" to "ceildiv(n, 2)" {
    ioflor.loop seq "c" to "8" {
    %0 = ioflor.load @q["16*i + c"] instr 0
    }    }
  }
}

// -----

// The strides say d columns, 4 are read: a fault to be flagged, not a misreading.
// CHECK-LABEL: ioflor.subject @stated_by_strides
// CHECK-SAME: dims
// CHECK: evidence = "as below"
ioflor.subject @stated_by_strides attributes {dims = {n_q = #ioflor.expr<"n">}, info = {name = "stated_by_strides"}} {
  ioflor.symbol "n" from "1" to "2147483647"
  ioflor.symbol "d" from "1" to "2147483647"
  ioflor.buffer slow @q : 4 bytes role Q {evidence = "as below", extents = [#ioflor.expr<"n">, #ioflor.expr<"d">], ioflor.dimensions = ["rows", "columns"], ioflor.extent_evidence = ["stride: rows", "stride: columns"], ioflor.strides = [#ioflor.expr<"d">, #ioflor.expr<"1">]}
  ioflor.stage @s threads "1" registers 1 attributes {info = {}} {
    ioflor.loop seq "i" to "n" {
    ioflor.loop seq "c" to "4" {
    %0 = ioflor.load @q["d*i + c"] instr 0
    }    }
  }
}

// -----

// The last tile of 8 rows is not cut off: past the end, but by that alone.
// CHECK-LABEL: ioflor.subject @last_tile_whole
// CHECK-SAME: dims
// CHECK: evidence = "as below"
ioflor.subject @last_tile_whole attributes {dims = {n_q = #ioflor.expr<"n">}, info = {name = "last_tile_whole"}} {
  ioflor.symbol "n" from "1" to "2147483647"
  ioflor.buffer slow @q : 4 bytes role Q {evidence = "as below", extents = [#ioflor.expr<"n">, #ioflor.expr<"4">], ioflor.dimensions = ["rows", "columns"], ioflor.extent_evidence = ["guard: number of tiles", "stride: columns"], ioflor.strides = [#ioflor.expr<"4">, #ioflor.expr<"1">]}
  ioflor.stage @s threads "8" registers 1 attributes {info = {}} {
    ioflor.loop grid "bx" to "ceildiv(n, 8)" {
    ioflor.loop thread "tx" to "8" {
    ioflor.loop seq "c" to "4" {
    %0 = ioflor.load @q["32*bx + 4*tx + c"] instr 0
    }    }    }
  }
}

// -----

// The same in the rows of several heads: at small sizes most of what is read
// lies past the end, at whole tiles nothing does.
// CHECK-LABEL: ioflor.subject @last_tile_of_heads
// CHECK-SAME: dims
// CHECK: evidence = "as below"
ioflor.subject @last_tile_of_heads attributes {dims = {n_q = #ioflor.expr<"n">}, info = {name = "last_tile_of_heads"}} {
  ioflor.symbol "n" from "1" to "2147483647"
  ioflor.symbol "h" from "1" to "65535"
  ioflor.buffer slow @q : 4 bytes role Q {evidence = "as below", extents = [#ioflor.expr<"h">, #ioflor.expr<"n">, #ioflor.expr<"4">], ioflor.dimensions = ["heads", "rows", "columns"], ioflor.extent_evidence = ["launch: heads", "stride: rows", "stride: columns"], ioflor.strides = [#ioflor.expr<"4*n">, #ioflor.expr<"4">, #ioflor.expr<"1">]}
  ioflor.stage @s threads "64" registers 1 attributes {info = {}} {
    ioflor.loop grid "by" to "h" {
    ioflor.loop grid "bx" to "ceildiv(n, 64)" {
    ioflor.loop thread "tx" to "64" {
    ioflor.loop seq "c" to "4" {
    %0 = ioflor.load @q["4*n*by + 256*bx + 4*tx + c"] instr 0
    }    }    }    }
  }
}

// -----

// Two rows more at every size are no rest of a tile.
// CHECK-LABEL: ioflor.subject @two_rows_more
// CHECK: evidence = "inconclusive: its extents do not fit an execution: rows beyond n are accessed"
ioflor.subject @two_rows_more attributes {dims = {n_q = #ioflor.expr<"n">}, info = {name = "two_rows_more"}} {
  ioflor.symbol "n" from "1" to "2147483647"
  ioflor.buffer slow @q : 4 bytes role Q {evidence = "as below", extents = [#ioflor.expr<"n">, #ioflor.expr<"4">], ioflor.dimensions = ["rows", "columns"], ioflor.extent_evidence = ["guard: rows", "stride: columns"], ioflor.strides = [#ioflor.expr<"4">, #ioflor.expr<"1">]}
  ioflor.stage @s threads "1" registers 1 attributes {info = {}} {
    ioflor.loop seq "i" to "n + 2" {
    ioflor.loop seq "c" to "4" {
    %0 = ioflor.load @q["4*i + c"] instr 0
    }    }
  }
}
