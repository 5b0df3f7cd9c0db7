// The floors that are chosen, each in the forms without a root; those that always
// apply may be named as well.
// RUN: %ioflor_opt %S/errors.mlir --pass-pipeline='builtin.module(ioflor.subject(ioflor-floors{floor=scan,saha-ye,small-cache,fmm,sharp}))' | FileCheck %s
// CHECK: ioflor.floor "saha-ye" against "qk" num "2048*N**2" den "M"
// CHECK: ioflor.floor "scan-q" against "q" num "64*N" den "1"
// CHECK: ioflor.floor "sharp" against "qk" num "4096*N**2" den "M"
// CHECK: ioflor.floor "sharp" against "qk" num "N**2" den "2"
// CHECK: ioflor.floor "small-cache" against "qk" num "8192*N**2 - M*N**2 - 8192*M" den "4096"
// CHECK: ioflor.floor "small-cache" against "qk" num "N**2" den "2"
// CHECK: ioflor.floor "fmm" against "qk" num "1024*N**2 - M**2" den "M"
