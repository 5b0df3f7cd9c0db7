/*===- sm_70_rt.hpp - stand-in for the CUDA toolkit's header ---------------===
 *
 * Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===
 *
 * Clang's __clang_cuda_intrinsics.h includes this name; nothing of it is needed.
 *
 *===----------------------------------------------------------------------===*/
#pragma once
