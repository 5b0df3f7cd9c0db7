//===- Backward.cpp - The backward pass ---------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/theorems/Tables.h"

using namespace ioflor::theorems;

static constexpr char kSource[] =
    "backward pass, d_v = d (words in units of d), own derivation, not peer "
    "reviewed";
static constexpr char kUse[] = "floors: backward";

/// a' and A = a - a' rows, W = w - a'; b' columns; dQ partial y, dK, dV z;
/// D the products of dV and dK that a segment can hold.
static constexpr char kWords[] =
    "A >= 0; W >= 0; b >= 0; a1 >= 0; b1 >= 0; z >= 0; y >= 0; v >= 0; "
    "y1 >= 0; D >= 0; e >= 0; 4*e <= (A + W)*(b + y1); D <= a1*y1 + e; "
    "b1 <= b; y1 <= b; v >= b1; ";
static constexpr char kGoal[] =
    "4*(b1*z + a1*y + D) <= (2*a1 + A + W + z)*(b + v + y + y1)";

void ioflor::theorems::addBackward(Table &out) {
  out.push_back({"backward.amgm",
                 "(A + W)^2 >= 4 A W",
                 kSource,
                 kUse,
                 "A >= 0; W >= 0",
                 "4*A*W <= (A + W)^2",
                 {}});
  const struct {
    const char *name, *zAt, *yAt;
  } vertices[] = {{"z0y0", "0", "0"},
                  {"z0yb", "0", "b1"},
                  {"zay0", "a1", "0"},
                  {"zayb", "a1", "b1"}};
  for (const auto &v : vertices)
    out.push_back({std::string("backward.vertex_") + v.name,
                   std::string("the products of a segment are at most alpha "
                               "beta / 4, at z = ") +
                       v.zAt + ", y = " + v.yAt,
                   kSource,
                   kUse,
                   std::string(kWords) + "z = " + v.zAt + "; y = " + v.yAt,
                   kGoal,
                   {"2*(" + std::string("4*(b1*z + a1*y + D)") +
                    ") <= (2*a1 + A + W + z)*(b + v + y + y1)"}});
  out.push_back({"backward.endpoint",
                 "a convex function of the private words is largest at an end",
                 kSource,
                 kUse,
                 "A >= 0; W > 0; b >= 0; A <= b; "
                 "D = (b - A)*(b - A) + 48*W^2*A",
                 "D <= b^2 or D <= 48*W^2*b",
                 {"101*D <= 100*b^2 or 101*D <= 4800*W^2*b"}});
}
