// REQUIRES: z3
// Every query of a proof is unsat for z3 as a program of its own, as text from
// the certificate and as a file.
// RUN: %ioflor_opt %S/causal-disclosed.mlir --pass-pipeline='builtin.module(ioflor.subject(ioflor-floors,ioflor-prove{smt2=%t.smt2},ioflor-judge),ioflor-certificate{file=%t.json})' -o /dev/null
// RUN: %python %S/Inputs/check_certificate.py %t.json --at N=777 --solver %z3
// RUN: %z3 %t.smt2/causal-saha-ye.smt2 | FileCheck %s
// RUN: not %ioflor_opt %S/causal-disclosed.mlir --pass-pipeline='builtin.module(ioflor-certificate{file=%t.no/such/folder/x.json})' 2>&1 | FileCheck %s --check-prefix=ERROR
// CHECK: unsat
// ERROR: error: cannot write the certificate: '{{.*}}x.json': {{[Nn]}}o such file
