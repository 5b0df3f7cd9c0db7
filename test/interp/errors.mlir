// RUN: not %ioflor_opt %s --ioflor-interpret='sizes=N' 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: not %ioflor_opt %s --ioflor-interpret='sizes=N=1,N=2' 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not %ioflor_opt %s --ioflor-interpret 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not %ioflor_opt %s --ioflor-interpret='sizes=N=0' 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not %ioflor_opt %s --ioflor-interpret='sizes=N=3' 2>&1 | FileCheck %s --check-prefix=ASSUME
// RUN: not %ioflor_opt %s --ioflor-interpret='sizes=N=2000000000 max-steps=100000' 2>&1 | FileCheck %s --check-prefix=BUDGET

// SYNTAX: error: invalid size 'N'; expected name=value
// TWICE: error: two sizes for 'N'
// MISSING: error: sizes are not admissible: no value for symbol 'N'
// RANGE: error: sizes are not admissible: symbol 'N' is below 1
// ASSUME: error: sizes are not admissible: violates 'mod(N, 2) == 0' (assert at a.cu:1)
// BUDGET: error: interpreter: budget exhausted
ioflor.subject @s attributes {info = {}} {
  ioflor.symbol "N" from "1"
  ioflor.assume "N % 2 == 0" source "assert at a.cu:1"
  ioflor.buffer slow @Q : 4 bytes
  ioflor.stage @k threads "1" registers 0 attributes {info = {}} {
    ioflor.loop seq "t" to "N" {
      %0 = ioflor.load @Q["t"] instr 0
    }
  }
}
