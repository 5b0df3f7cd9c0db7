/*===- reduce.h - stand-in for the CUDA toolkit's header -------------------------===
 *
 * Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===
 *
 * Part of cooperative_groups.h here.
 *
 *===----------------------------------------------------------------------===*/
#pragma once
#include "../cooperative_groups.h"
