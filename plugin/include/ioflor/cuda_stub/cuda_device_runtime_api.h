/*===- cuda_device_runtime_api.h - stand-in for the CUDA toolkit's header -------------------------===
 *
 * Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===
 *
 * Lets Clang parse kernels where no toolkit is installed:
 *   clang -x cuda -nocudainc -nocudalib -isystem .../ioflor/cuda_stub FILE.cu
 * It declares; nothing built with it runs. 
 *
 *===----------------------------------------------------------------------===*/
#pragma once
#include "cuda_runtime.h"
