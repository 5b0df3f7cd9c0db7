// What names of buffers decided is said with the last word on the subject.
// RUN: sed 's/attributes {/attributes {ioflor.role_note = "names of the buffers tell Q from K", /' %S/causal-disclosed.mlir | %ioflor_opt --pass-pipeline='builtin.module(ioflor.subject(ioflor-floors,ioflor-prove,ioflor-judge))' | %filecheck %s
// RUN: %ioflor_opt %S/causal-disclosed.mlir --pass-pipeline='builtin.module(ioflor.subject(ioflor-floors,ioflor-prove,ioflor-judge))' | %filecheck %s --check-prefix=NONE

// CHECK: ioflor.finding {{.*}}notes = [{{.*}}"assumed: names of the buffers tell Q from K"]
// NONE: ioflor.finding
// NONE-NOT: names of the buffers
