// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Widths, atomics, cp.async and ld.global by inline PTX, ldmatrix, unknown
// assembly, an optional operand, a choice of two buffers, memcpy.
//
// RUN: %read_ir_cu %s -o %t.ll
// RUN: ioflor-read-ir %t.ll --spec %S/Inputs/transfers.spec | %filecheck %s
#include <cuda_runtime.h>
// CHECK: symbol "has_mask" from "0" to "1"
// The smallest access counts: ldmatrix takes 16 bits.
// CHECK: buffer shared @tile : 2 bytes words "512"
extern "C" __global__ void move(const float *in, float *out, const float *mask, int n) {
  __shared__ float tile[256];
  int tx = threadIdx.x;
  // CHECK: load @in["4*tx"] width 4
  // CHECK: store %{{.*}} to @tile["8*tx"] width 8
  ((float4 *)tile)[tx] = ((const float4 *)in)[tx];
  // CHECK: load @out["0"] instr {{[0-9]+}} atomic
  // CHECK: store %{{.*}} to @out["0"] instr {{[0-9]+}} atomic
  atomicAdd(out, 1.f);
  unsigned s = __cvta_generic_to_shared(tile + 4 * tx);
  // CHECK: load @in["4*tx + 8"] width 4
  // CHECK: store %{{.*}} to @tile["8*tx"] width 8
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(s), "l"(in + 4 * tx + 8));
  // Zero-filled where the row is outside.
  // CHECK: guard "tx < n"
  // CHECK-NEXT: load @in["4*tx"] width 4
  int bytes = tx < n ? 16 : 0;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(s), "l"(in + 4 * tx), "r"(bytes));
  // CHECK: guard "tx < n"
  // CHECK-NEXT: load @in["tx"] instr
  float v = 0;
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %2, 0; @p ld.global.nc.f32 %0, [%1]; }" : "=f"(v) : "l"(in + tx), "r"((int)(tx < n)));
  out[1] = v;
  // CHECK: guard "mod(tx, 32) < 16"
  // CHECK-NEXT: load @tile["8*tx"] width 8
  unsigned a, b;
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(s));
  out[2] = __uint_as_float(a + b);
  // CHECK: load @out["0"] instr {{[0-9]+}} atomic
  // CHECK: store %{{.*}} to @out["0"] instr {{[0-9]+}} atomic
  asm volatile("red.global.add.f32 [%0], %1;" ::"l"(out), "f"(v) : "memory");
  // CHECK: unknown "inline assembly: st.bulk" {any}
  asm volatile("st.bulk [%0], 64, 0;" ::"l"(out) : "memory");
  // CHECK: guard "has_mask != 0"
  // CHECK-NEXT: load @mask["tx"]
  if (mask)
    out[3] = mask[tx];
  // CHECK: guard "n >= 11"
  // CHECK-NEXT: load @in["tx + 5"]
  // CHECK: guard "n < 11"
  // CHECK-NEXT: load @mask["5"]
  const float *p = n > 10 ? in + tx : mask;
  out[4] = p[5];
  // CHECK: load @in["2*tx + 64"]
  // CHECK-NEXT: %[[TWO:.*]] = ioflor.compute other
  // CHECK: convert(%[[TWO]]) "extract 2 at 0"
  // CHECK: convert(%[[TWO]]) "extract 2 at 2"
  float low, high;
  asm("{.reg .f16 low,high;\n mov.b32 {low,high},%1;\n cvt.f32.f16 %0, low;}\n" : "=f"(low) : "r"(__float_as_uint(in[2 * tx + 64])));
  asm("{.reg .f16 low,high;\n mov.b32 {low,high},%1;\n cvt.f32.f16 %0, high;}\n" : "=f"(high) : "r"(__float_as_uint(in[2 * tx + 64])));
  out[5] = low + high;
}
