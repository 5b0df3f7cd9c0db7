// A typo must not turn a check off: each bad argument is an error and a failure.
//
// RUN: not %clang_ioflor -fsyntax-only -fplugin-arg-ioflor-maxratio=2 %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: ioflor: unknown argument 'maxratio'; known: M, target, floor, mode, max-ratio, remarks, certificate, smt2, budget, emit, kernels, arch, side
//
// RUN: not %clang_ioflor -fsyntax-only -fplugin-arg-ioflor-M %s 2>&1 | FileCheck %s --check-prefix=NOVALUE
// NOVALUE: error: ioflor: argument 'M' has no value; expected NAME=VALUE
//
// RUN: not %clang_ioflor -fsyntax-only -fplugin-arg-ioflor-M=0 %s 2>&1 | FileCheck %s --check-prefix=M
// RUN: not %clang_ioflor -fsyntax-only -fplugin-arg-ioflor-M=-5 %s 2>&1 | FileCheck %s --check-prefix=M
// RUN: not %clang_ioflor -fsyntax-only -fplugin-arg-ioflor-M=1e4 %s 2>&1 | FileCheck %s --check-prefix=M
// M: error: ioflor: bad value '{{.*}}' for 'M': expected a positive number of words
//
// RUN: not %clang_ioflor -fsyntax-only -fplugin-arg-ioflor-mode=both %s 2>&1 | FileCheck %s --check-prefix=MODE
// MODE: error: ioflor: bad value 'both' for 'mode': expected explicit or cache
//
// RUN: not %clang_ioflor -fsyntax-only -fplugin-arg-ioflor-max-ratio=1. %s 2>&1 | FileCheck %s --check-prefix=RATIO
// RUN: not %clang_ioflor -fsyntax-only -fplugin-arg-ioflor-max-ratio=0.0 %s 2>&1 | FileCheck %s --check-prefix=RATIO
// RATIO: for 'max-ratio': expected a positive decimal number
//
// RUN: not %clang_ioflor -fsyntax-only -fplugin-arg-ioflor-remarks=certified,over-reed %s 2>&1 | FileCheck %s --check-prefix=REMARKS
// REMARKS: error: ioflor: unknown ID 'over-reed' in 'remarks'; known: none, all, sub-floor
//
// RUN: not %clang_ioflor -fsyntax-only -fplugin-arg-ioflor-emit=ir %s 2>&1 | FileCheck %s --check-prefix=EMIT
// EMIT: for 'emit': expected skeleton, subjects or work
//
// RUN: not %clang_ioflor -fsyntax-only -fplugin-arg-ioflor-budget=0 %s 2>&1 | FileCheck %s --check-prefix=BUDGET
// RUN: not %clang_ioflor -fsyntax-only -fplugin-arg-ioflor-budget=1.0001 %s 2>&1 | FileCheck %s --check-prefix=BUDGET
// RUN: not %clang_ioflor -fsyntax-only -fplugin-arg-ioflor-budget=10000000 %s 2>&1 | FileCheck %s --check-prefix=BUDGET
// BUDGET: for 'budget': expected a positive decimal number of at most 6 digits before and 3 after the point
//
// RUN: not %clang_ioflor -fsyntax-only -fplugin-arg-ioflor-arch=sm_80,sm_8o %s 2>&1 | FileCheck %s --check-prefix=ARCH
// ARCH: error: ioflor: bad value 'sm_8o' for 'arch': no architecture that this Clang knows
//
// RUN: not %clang_ioflor -fsyntax-only -fplugin-arg-ioflor-certificate=%%t-%%q.json %s 2>&1 | FileCheck %s --check-prefix=PATTERN
// PATTERN: for 'certificate': after % stands a (architecture), f (source file) or %
//
// RUN: not %clang_ioflor -fsyntax-only "-fplugin-arg-ioflor-kernels=a(" %s 2>&1 | FileCheck %s --check-prefix=KERNELS
// KERNELS: for 'kernels': expected a regular expression: parentheses not balanced
//
// RUN: not %clang_ioflor -fsyntax-only -fplugin-arg-ioflor-side=left %s 2>&1 | FileCheck %s --check-prefix=SIDE
// SIDE: for 'side': expected device, host or both
//
// RUN: not %clang_ioflor -fsyntax-only -fplugin-arg-ioflor-floor=ceiling %s 2>&1 | FileCheck %s --check-prefix=FLOOR
// FLOOR: for 'floor': expected a list of saha-ye, scan, tight, sharp, small-cache, fmm, network
//
// All at once, well formed: nothing is said.
// RUN: %clang_ioflor -fsyntax-only -fplugin-arg-ioflor-M=4096 -fplugin-arg-ioflor-target=sm_80 \
// RUN:   -fplugin-arg-ioflor-floor=tight,sharp -fplugin-arg-ioflor-mode=cache -fplugin-arg-ioflor-max-ratio=2.5 \
// RUN:   -fplugin-arg-ioflor-remarks=ioflor-certified,over-read -fplugin-arg-ioflor-kernels='^f.*' \
// RUN:   -fplugin-arg-ioflor-budget=0.5 -fplugin-arg-ioflor-arch=sm_80,gfx90a:xnack+ -fplugin-arg-ioflor-side=both %s 2>&1 | count 0
int main() {}
