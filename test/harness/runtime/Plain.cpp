// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plain C++ subject has no device code: empty tables in its place. Its call
// is one CTA with one thread.

#include <cstdint>

extern "C" {
extern const uint64_t ioflor_shared_count = 0, ioflor_kernels_count = 0,
                      ioflor_variables_count = 0;
extern const uint64_t ioflor_shared[1] = {}, ioflor_kernels[1] = {},
                      ioflor_variables[1] = {};
char ioflor_dynamic_shared[1];
}
