// REQUIRES: cvc5
// Every proof holds for a second solver, too.
// RUN: %ioflor_opt %S/causal-disclosed.mlir --pass-pipeline='builtin.module(ioflor.subject(ioflor-floors,ioflor-prove,ioflor-judge),ioflor-certificate{file=%t.json})' -o /dev/null
// RUN: %python %S/Inputs/check_certificate.py %t.json --solver '%cvc5 --tlimit=30000'
// RUN: %ioflor_opt %S/window-disclosed.mlir --pass-pipeline='builtin.module(ioflor.subject(ioflor-floors,ioflor-prove,ioflor-judge),ioflor-certificate{file=%t.json})' -o /dev/null
// RUN: %python %S/Inputs/check_certificate.py %t.json --solver '%cvc5 --tlimit=30000'
// RUN: %ioflor_opt %S/grouped.mlir --pass-pipeline='builtin.module(ioflor.subject(ioflor-floors,ioflor-prove,ioflor-judge),ioflor-certificate{file=%t.json})' -o /dev/null
// RUN: %python %S/Inputs/check_certificate.py %t.json --solver '%cvc5 --tlimit=30000'
