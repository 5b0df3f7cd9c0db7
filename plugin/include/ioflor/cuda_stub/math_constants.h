/*===- math_constants.h - stand-in for the CUDA toolkit's header -------------------------===
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
#define CUDART_INF_F __int_as_float(0x7f800000)
#define CUDART_NAN_F __int_as_float(0x7fffffff)
#define CUDART_PI_F 3.141592654f
#define CUDART_LOG2E_F 1.442695041f
#define CUDART_L2E_F 1.442695041f
