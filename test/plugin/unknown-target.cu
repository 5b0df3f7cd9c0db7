// A target whose fast memory is not known is an error, not a lost verdict.
// RUN: not %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only -fplugin-arg-ioflor-target=sm_999 %S/host-loop.cu 2>&1 | FileCheck %s
// CHECK: error: ioflor: unknown target 'sm_999'; the targets whose fast memory is known are {{.*}}sm_80
// CHECK-NOT: remark:
