// RUN: %ioflor_opt %s --pass-pipeline='builtin.module(ioflor.subject(ioflor-floors,ioflor-prove,ioflor-judge))' | FileCheck %s
// CHECK: ioflor.subject
// CHECK-NOT: ioflor.finding
// CHECK: ioflor.verdict "not-attention"
// CHECK-NOT: ioflor.finding
ioflor.subject @copy attributes {info = {}} {
  ioflor.symbol "N" from "1"
  ioflor.verdict "not-attention" ""
}
