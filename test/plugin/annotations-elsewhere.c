// The annotations vanish in every other compiler, and change nothing in a Clang without the plugin.
//
// RUN: %clang %ioflor_include -fsyntax-only -Wall -Wextra -Werror %s
// RUN: %clang %ioflor_include -x c++ -fsyntax-only -Wall -Wextra -Werror %s
// RUN: %clang %ioflor_include -E -P -U__clang__ %s | FileCheck %s --check-prefix=PLAIN
// RUN: %clang %ioflor_include -E -P -DIOFLOR_DISABLE_ANNOTATIONS %s | FileCheck %s --check-prefix=PLAIN
// RUN: %clang %ioflor_include -E -P %s | FileCheck %s
#include <ioflor/annotations.h>
#define W 256
#define LIMIT(n) n % 64
// PLAIN-NOT: annotate
// PLAIN: void f(const float *k, int n);
// CHECK: annotate("ioflor." "window", "256")
// CHECK-SAME: annotate("ioflor." "assume", "n % 64 == 0")
// CHECK-SAME: annotate("ioflor." "extent", "k", "n", "2 * 32")
IOFLOR_WINDOW(W) IOFLOR_ASSUME(LIMIT(n) == 0) IOFLOR_EXTENT(k, n, 2 * 32)
void f(const float *k, int n);
IOFLOR_EXACT IOFLOR_ROLE(k, K) IOFLOR_CLAIM_WORDS(3 * n) IOFLOR_FAST_WORDS(1024) IOFLOR_APPROXIMATE("low rank, a paper")
void g(const float *k, int n);
