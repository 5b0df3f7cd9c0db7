//===- Sharding.cpp - Network floors with a load cap -------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/theorems/Tables.h"

using namespace ioflor::theorems;

static constexpr char kSource[] =
    "sharded attention with a cap on each device's load, own derivation, not "
    "peer reviewed";

void ioflor::theorems::addSharding(Table &out) {
  out.push_back({"chord",
                 "a square root lies above its chord: s - a >= (s^2 - a^2)/(a "
                 "+ b) between a and b",
                 kSource,
                 "floors: network with a load cap",
                 "a >= 0; s >= a; b >= s",
                 "s^2 - a^2 <= (s - a)*(a + b)",
                 {}});
  out.push_back({"balanced_device",
                 "a device with N^2/P pairs holds at least 2N/sqrt P rows and "
                 "columns (r = sqrt P)",
                 kSource,
                 "floors: balanced network",
                 "x >= 0; y >= 0; r > 0; N >= 0; x*y*r^2 >= N^2",
                 "2*N <= (x + y)*r",
                 {}});
  out.push_back({"balanced_total",
                 "P such devices move 2N(sqrt P - 1) rows and columns",
                 kSource,
                 "floors: balanced network",
                 "r >= 1; N >= 0; c >= 0; r*c >= 2*N; W = r^2*c - 2*N",
                 "2*N*(r - 1) <= W",
                 {"202*N*(r - 1) <= 100*W"}});
  out.push_back({"covering_rows_moved",
                 "true covering minimum, every row moved: N row copies and N - "
                 "N/P more are at least 2(N - N/P)",
                 kSource,
                 "floors: covering minimum",
                 "n >= 1; P >= 1; N = P*n; a >= N; b >= N - n",
                 "2*(N - n) <= a + b",
                 {"2*N <= a + b"}});
}
