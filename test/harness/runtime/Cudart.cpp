// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of CUDA's host runtime that launch code uses, over host memory.
// Every allocation is a registered buffer. Functions are declared here with
// their C signatures so that no toolkit is needed to build this file.

#include "test/harness/runtime/Counts.h"
#include "test/harness/runtime/Fiber.h"
#include "test/harness/runtime/Session.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

using namespace ioflor::harness;

namespace {

struct Named {
  const char *name;
  void *object;
};

std::map<const void *, std::string> &kernelNames() {
  static std::map<const void *, std::string> names;
  return names;
}
std::map<const void *, void *> &variables() {
  static std::map<const void *, void *> addresses;
  return addresses;
}

struct Configuration {
  Extent3 grid, block;
  size_t shared = 0;
  void *stream = nullptr;
};
Configuration pending;

void *search(const Named *table, uint64_t count, const std::string &name) {
  for (uint64_t index = 0; index < count; ++index)
    if (name == table[index].name)
      return table[index].object;
  return nullptr;
}

[[noreturn]] void die(const std::string &message) {
  std::fprintf(stderr, "ioflor-harness: error: %s\n", message.c_str());
  std::exit(1);
}

void noteHostStore(void *target, size_t bytes) {
  if (Buffer *buffer = Counts::get().find(target))
    buffer->hostStores += bytes / buffer->elementBytes;
}

} // namespace

extern "C" {
extern const Named ioflor_kernels[], ioflor_variables[];
extern const uint64_t ioflor_kernels_count, ioflor_variables_count;
extern char ioflor_dynamic_shared[];

int __cudaPushCallConfiguration(Extent3 grid, Extent3 block, size_t shared,
                                void *stream) {
  pending = {grid, block, shared, stream};
  return 0;
}
int __cudaPopCallConfiguration(Extent3 *grid, Extent3 *block, size_t *shared,
                               void **stream) {
  *grid = pending.grid;
  *block = pending.block;
  *shared = pending.shared;
  *stream = pending.stream;
  return 0;
}

int cudaLaunchKernel(const void *handle, Extent3 grid, Extent3 block,
                     void **arguments, size_t shared, void *) {
  auto name = kernelNames().find(handle);
  if (name == kernelNames().end())
    die("launch of a function that is no kernel of this file");
  void *thunk = search(ioflor_kernels, ioflor_kernels_count, name->second);
  if (!thunk)
    die("no device code for '" + name->second + "'");
  // As on a device: cudaErrorInvalidConfiguration, and nothing runs.
  if (!grid.volume() || !block.volume()) {
    Counts::get().fault("a launch with an empty grid or block");
    return 9;
  }
  if (block.volume() > 1024)
    die("'" + name->second + "' is launched with more than 1024 threads");
  if (shared > (1 << 20))
    die("'" + name->second + "' asks for more than 1 MiB of shared memory");
  Session::get().noteLaunch(name->second, grid, block, shared);
  Machine::get().launch(reinterpret_cast<Thunk>(thunk), arguments, grid, block,
                        shared);
  return 0;
}
int cudaLaunchCooperativeKernel(const void *, Extent3, Extent3, void **, size_t,
                                void *) {
  die("cooperative launches are not supported");
}

void **__cudaRegisterFatBinary(void *) {
  static void *handle;
  return &handle;
}
void __cudaRegisterFatBinaryEnd(void **) {}
void __cudaUnregisterFatBinary(void **) {}
void __cudaRegisterFunction(void **, const void *handle, char *,
                            const char *name, int, void *, void *, void *,
                            void *, int *) {
  kernelNames()[handle] = name;
}
void __cudaRegisterVar(void **, const void *handle, char *, const char *name,
                       int, size_t, int, int) {
  variables()[handle] = search(ioflor_variables, ioflor_variables_count, name);
}

int cudaMalloc(void **result, size_t bytes) {
  *result = Session::get().allocate(bytes);
  return 0;
}
int cudaMallocAsync(void **result, size_t bytes, void *) {
  return cudaMalloc(result, bytes);
}
int cudaMallocManaged(void **result, size_t bytes, unsigned) {
  return cudaMalloc(result, bytes);
}
int cudaMallocHost(void **result, size_t bytes) {
  *result = std::malloc(bytes);
  return 0;
}
/// Counts outlive the allocation.
int cudaFree(void *address) {
  if (Buffer *buffer = Counts::get().find(address))
    buffer->released = true;
  return 0;
}
int cudaFreeAsync(void *address, void *) { return cudaFree(address); }
int cudaFreeHost(void *address) {
  std::free(address);
  return 0;
}
int cudaMemcpy(void *target, const void *source, size_t bytes, int) {
  std::memmove(target, source, bytes);
  noteHostStore(target, bytes);
  return 0;
}
int cudaMemcpyAsync(void *target, const void *source, size_t bytes, int kind,
                    void *) {
  return cudaMemcpy(target, source, bytes, kind);
}
int cudaMemset(void *target, int value, size_t bytes) {
  std::memset(target, value, bytes);
  noteHostStore(target, bytes);
  return 0;
}
int cudaMemsetAsync(void *target, int value, size_t bytes, void *) {
  return cudaMemset(target, value, bytes);
}
int cudaMemcpyToSymbol(const void *symbol, const void *source, size_t bytes,
                       size_t offset, int) {
  auto variable = variables().find(symbol);
  if (variable == variables().end() || !variable->second)
    die("copy to an unknown device variable");
  std::memcpy(static_cast<char *>(variable->second) + offset, source, bytes);
  return 0;
}

int cudaDeviceSynchronize() { return 0; }
int cudaStreamSynchronize(void *) { return 0; }
int cudaStreamCreate(void **stream) {
  *stream = nullptr;
  return 0;
}
int cudaStreamDestroy(void *) { return 0; }
int cudaGetLastError() { return 0; }
int cudaPeekAtLastError() { return 0; }
const char *cudaGetErrorString(int) { return "no error"; }
const char *cudaGetErrorName(int) { return "cudaSuccess"; }
int cudaFuncSetAttribute(const void *, int, int) { return 0; }
int cudaFuncSetCacheConfig(const void *, int) { return 0; }
int cudaSetDevice(int) { return 0; }
int cudaGetDevice(int *device) {
  *device = 0;
  return 0;
}
int cudaGetDeviceCount(int *count) {
  *count = 1;
  return 0;
}
/// Attribute numbers of cudaDeviceAttr; the values are those of an A100.
int cudaDeviceGetAttribute(int *value, int attribute, int) {
  switch (attribute) {
  case 1:
    *value = 1024; // threads per block
    break;
  case 8:
    *value = 49152; // shared memory per block
    break;
  case 10:
    *value = 32; // warp size
    break;
  case 16:
    *value = 108; // multiprocessors
    break;
  case 39:
    *value = 2048; // threads per multiprocessor
    break;
  case 81:
    *value = 167936; // shared memory per multiprocessor
    break;
  case 97:
    *value = 166912; // opt-in shared memory per block
    break;
  case 75:
    *value = 8;
    break;
  case 76:
    *value = 0;
    break;
  default:
    die("cudaDeviceGetAttribute(" + std::to_string(attribute) +
        ") is not known to the harness");
  }
  return 0;
}
int cudaEventCreate(void **event) {
  *event = nullptr;
  return 0;
}
int cudaEventRecord(void *, void *) { return 0; }
int cudaEventSynchronize(void *) { return 0; }
int cudaEventElapsedTime(float *time, void *, void *) {
  *time = 0;
  return 0;
}
int cudaEventDestroy(void *) { return 0; }
}
