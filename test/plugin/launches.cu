// What the host code says of a launch, through variables, helpers, structs, lambdas, templates and guards.
//
// RUN: %clang_ioflor %cuda_stub --cuda-gpu-arch=sm_80 --cuda-device-only -fsyntax-only -std=c++17 -fplugin-arg-ioflor-emit=subjects %s | FileCheck %s
#include <cassert>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#define BODY(q, k, v, o, n, d) \
  { \
    for (int j = 0; j < n; ++j) { \
      float s = 0; \
      for (int c = 0; c < d; ++c) s += (float)q[blockIdx.x * d + c] * (float)k[j * d + c]; \
      for (int c = 0; c < d; ++c) o[blockIdx.x * d + c] += expf(s) * (float)v[j * d + c]; \
    } \
  }

// dim3 variables changed later, a ceiling by way of float, shared memory in bytes.
// CHECK-LABEL: subject floats
// CHECK-NEXT: symbol n from 1 to 2147483647
// CHECK-NEXT: symbol d from 1 to 2147483647
// CHECK-NEXT: symbol heads from 1 to 2147483647
// CHECK-NEXT: assume n < 16777217 [exact in a float at launches.cu:[[#]]]
// CHECK-NEXT: buffer q : 4 bytes
// CHECK-NEXT: buffer k : 4 bytes
// CHECK-NEXT: buffer v : 4 bytes
// CHECK-NEXT: buffer o : 4 bytes
// CHECK-NEXT: stage _Z6floatsPKfS0_S0_Pfii
// CHECK-NEXT: grid (ceildiv(n, 48), heads, 1) block (48, 2, 1) shared 384*d
__global__ void floats(const float *q, const float *k, const float *v, float *o, int n, int d) BODY(q, k, v, o, n, d)
void launchFloats(const float *q, const float *k, const float *v, float *o, int n, int d, int heads) {
  const int rows = 48;
  int bytes = 2 * rows * sizeof(float);
  bytes *= d;
  dim3 grid(1, heads), block;
  grid.x = ceil((float)n / rows);
  block = dim3(rows);
  block.y = 2;
  floats<<<grid, block, bytes>>>(q, k, v, o, n, d);
}

// A helper template, min, a shift, a mask, a negative numerator that C rounds towards zero.
template <class T> constexpr T cdiv(T a, T b) { return (a + b - 1) / b; }
static int half_of(int n) { return n >> 1; }
// CHECK-LABEL: subject helped
// CHECK: stage _Z6helpedPKfS0_S0_Pfiiii
// CHECK-NEXT: grid (ceildiv(n, 64), min(n, 8), floordiv(n, 2) + 1) block (128, 1, 1) shared 0
// CHECK: param n = n
// CHECK-NEXT: param d = 32*floordiv(n, 32)
// CHECK-NEXT: param c = max(0, n - 64)
// CHECK-NEXT: param e = ceildiv(min(n, 64), 64) + floordiv(max(0, n - 64), 64) - 1
__global__ void helped(const float *q, const float *k, const float *v, float *o, int n, int d, int c, int e) BODY(q, k, v, o, n, d)
void launchHelped(const float *q, const float *k, const float *v, float *o, int n) {
  helped<<<dim3(cdiv(n, 64), min(n, 8), half_of(n) + 1), 128>>>(q, k, v, o, n, n & ~31, n > 64 ? n - 64 : 0, (n - 64) / 64);
}

// A struct filled in by the host and passed by value; pointer arithmetic; the same buffer twice.
struct Params {
  const half *q, *k, *v;
  float *o;
  struct { int n, d; } size;
  bool causal;
};
// CHECK-LABEL: subject packed
// CHECK: buffer qkv : 2 bytes
// CHECK-NEXT: buffer o : 4 bytes
// CHECK: stage _Z6packed6Params
// CHECK-NEXT: grid (t, 1, 1)
// CHECK-NEXT: param p +0 p.q = @qkv
// CHECK-NEXT: param p +8 p.k = @qkv + 128*t bytes
// CHECK-NEXT: param p +16 p.v = @qkv + 256*t bytes
// CHECK-NEXT: param p +24 p.o = @o
// CHECK-NEXT: param p +32 p.size.n = t
// CHECK-NEXT: param p +36 p.size.d = 64
// CHECK-NEXT: param p +40 p.causal = 1
__global__ void packed(Params p) BODY(p.q, p.k, p.v, p.o, p.size.n, p.size.d)
void launchPacked(const half *qkv, float *o, int t) {
  Params p;
  p.q = qkv;
  p.k = qkv + t * 64;
  p.v = &qkv[2 * t * 64];
  p.o = o;
  p.size.n = t;
  p.size.d = 64;
  p.causal = true;
  packed<<<t, 32>>>(p);
}

// A struct that the caller has filled: its fields are symbols with their spelling.
// CHECK-LABEL: subject packed
// CHECK: symbol p_size_n 'p->size.n' from 1 to 2147483647
// CHECK: grid (p_size_n, 1, 1)
// CHECK: param p +0 p.q = @p_q
// CHECK: param p +32 p.size.n = p_size_n
void launchGiven(const Params *p) { packed<<<p->size.n, 32>>>(*p); }

// Template head dimensions behind a switch, each its own subject; the guards and the assert hold in each.
// CHECK-LABEL: subject sized
// CHECK: assume mod(n, 64) == 0 [guard at launches.cu:{{[0-9]+}}]
// CHECK: stage {{.*}} sized<32>
// CHECK: param d = 32
// CHECK-LABEL: subject sized
// CHECK: stage {{.*}} sized<64>
// CHECK: param d = 64
template <int D> __global__ void sized(const float *q, const float *k, const float *v, float *o, int n, int d) BODY(q, k, v, o, n, D)
void launchSized(const float *q, const float *k, const float *v, float *o, int n, int d) {
  if (n % 64 != 0)
    return;
  switch (d) {
  case 32: sized<32><<<n / 64, 64>>>(q, k, v, o, n, d); break;
  case 64: sized<64><<<n / 64, 64>>>(q, k, v, o, n, d); break;
  default: break;
  }
}

// A lambda, a pointer to the kernel, cudaLaunchKernel.
// CHECK-LABEL: subject viaLambda
// CHECK: grid (n, 1, 1) block (64, 1, 1) shared 0
__global__ void viaLambda(const float *q, const float *k, const float *v, float *o, int n) BODY(q, k, v, o, n, 32)
void launchLambda(const float *q, const float *k, const float *v, float *o, int n) {
  [&] { constexpr int T = 64; viaLambda<<<n, T>>>(q, k, v, o, n); }();
}
// CHECK-LABEL: subject viaPointer
// CHECK: grid (2*n, 1, 1) block (32, 1, 1) shared 0
__global__ void viaPointer(const float *q, const float *k, const float *v, float *o, int n) BODY(q, k, v, o, n, 32)
template <class K> static void run(K kernel, dim3 grid, const float *q, const float *k, const float *v, float *o, int n) { kernel<<<grid, 32>>>(q, k, v, o, n); }
void launchPointer(const float *q, const float *k, const float *v, float *o, int n) {
  auto kernel = &viaPointer;
  run(kernel, dim3(2 * n), q, k, v, o, n);
}
// CHECK-LABEL: subject viaApi
// CHECK: grid (ceildiv(n, 16), 1, 1) block (16, 1, 1) shared 1024
// CHECK-NEXT: param q = @q
// CHECK: param n = n
__global__ void viaApi(const float *q, const float *k, const float *v, float *o, int n) BODY(q, k, v, o, n, 32)
void launchApi(const float *q, const float *k, const float *v, float *o, int n) {
  void *args[] = {&q, &k, &v, &o, &n};
  cudaLaunchKernel((void *)viaApi, dim3((n + 15) / 16), dim3(16), args, 1024, 0);
}

// Allocations in the same function say how large a buffer is; a loop that only repeats the launch is no part of it.
// CHECK-LABEL: subject allocated
// CHECK: buffer dq : 4 bytes words 64*n [cudaMalloc at launches.cu:{{[0-9]+}}]
// CHECK-NOT: host loop
// CHECK: grid (n, 1, 1)
__global__ void allocated(const float *q, const float *k, const float *v, float *o, int n) BODY(q, k, v, o, n, 64)
void launchAllocated(int n) {
  float *dq, *dk, *dv, *dout;
  cudaMalloc(&dq, n * 64 * sizeof(float));
  cudaMalloc((void **)&dk, n * 64 * sizeof(float));
  cudaMalloc(&dv, n * 64 * sizeof(float));
  cudaMalloc(&dout, n * 64 * sizeof(float));
  for (int i = 0; i < 10; ++i)
    allocated<<<n, 32>>>(dq, dk, dv, dout, n);
}

// A loop over heads is one: it moves the buffers.
// CHECK-LABEL: subject perHead
// CHECK: host loop h to heads
// CHECK: param q = @q + 128*h*n bytes
__global__ void perHead(const float *q, const float *k, const float *v, float *o, int n) BODY(q, k, v, o, n, 32)
void launchHeads(const float *q, const float *k, const float *v, float *o, int n, int heads) {
  for (int h = 0; h < heads; h++)
    perHead<<<n, 32>>>(q + h * n * 32, k + h * n * 32, v + h * n * 32, o + h * n * 32, n);
}

// What cannot be read is a symbol of its own and says so.
// CHECK-LABEL: subject unread
// CHECK: grid (blocks, 1, 1)
// CHECK: unknown host value 'chooseBlocks(n)' could not be read
int chooseBlocks(int n);
__global__ void unread(const float *q, const float *k, const float *v, float *o, int n) BODY(q, k, v, o, n, 32)
void launchUnread(const float *q, const float *k, const float *v, float *o, int n) {
  int blocks = chooseBlocks(n);
  unread<<<blocks, 32>>>(q, k, v, o, n);
}

// Three kernels that are attention together: one subject, joined by the buffers between them.
// CHECK-LABEL: subject pipeline
// CHECK: assume mod(n, 16) == 0 [assert at launches.cu:{{[0-9]+}}]
// CHECK: buffer s : 4 bytes words n**2 [cudaMalloc at
// CHECK: stage _Z6scoresPKfS0_Pfii
// CHECK: param s = @s
// CHECK: stage _Z6expAllPfi
// CHECK: param s = @s
// CHECK: stage _Z6weightPKfS0_Pfii
// CHECK: param s = @s
__global__ void scores(const float *q, const float *k, float *s, int n, int d) {
  float x = 0;
  for (int c = 0; c < d; ++c) x += q[blockIdx.x * d + c] * k[threadIdx.x * d + c];
  s[blockIdx.x * n + threadIdx.x] = x;
}
__global__ void expAll(float *s, int n) {
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += expf(s[blockIdx.x * n + j]);
  for (int j = 0; j < n; ++j) s[blockIdx.x * n + j] = expf(s[blockIdx.x * n + j]) / sum;
}
__global__ void weight(const float *s, const float *v, float *o, int n, int d) {
  float x = 0;
  for (int j = 0; j < n; ++j) x += s[blockIdx.x * n + j] * v[j * d + threadIdx.x];
  o[blockIdx.x * d + threadIdx.x] = x;
}
void pipeline(const float *q, const float *k, const float *v, float *o, int n, int d) {
  assert(n % 16 == 0);
  float *s;
  cudaMalloc(&s, n * n * sizeof(float));
  scores<<<n, n>>>(q, k, s, n, d);
  expAll<<<n, 1>>>(s, n);
  weight<<<n, d>>>(s, v, o, n, d);
}
void caller(const float *q, const float *k, const float *v, float *o) { pipeline(q, k, v, o, 128, 64); }

// Launched elsewhere: the extents are symbols, bounded by what the kernel declares.
// CHECK-LABEL: subject elsewhere
// CHECK: symbol gridDim_x from 1 to 2147483647
// CHECK: assume {{.*}} [__launch_bounds__ at launches.cu:{{[0-9]+}}]
// CHECK: stage _Z9elsewherePKfS0_S0_Pfi launched elsewhere
// CHECK-NEXT: grid (gridDim_x, gridDim_y, gridDim_z) block (blockDim_x, blockDim_y, blockDim_z) shared 0
__global__ void __launch_bounds__(128) elsewhere(const float *q, const float *k, const float *v, float *o, int n) BODY(q, k, v, o, n, 32)
