//===- Orderings.cpp - The ordering theorems of the seed certificates ---===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/theorems/Tables.h"

using namespace ioflor::theorems;

static constexpr char kSahaYe[] =
    "ordering of formulas; floor and FlashAttention I/O: Saha & Ye, "
    "arXiv:2402.07443";
static constexpr char kApprox[] =
    "ordering of formulas; 3Nd: arXiv:2605.23751, Case I";
static constexpr char kNetwork[] =
    "counting relaxation of sharded attention, own derivation";

/// F, L, Q: the quadratic floor, FlashAttention and the naive traffic as the
/// first seed pins them: F = N^2 d^2 / (2M), L = N^2 d^2 / M, Q = 2N^2 + 3Nd.
static constexpr char kPinned[] =
    "N >= 1; d >= 1; M >= d^2; 2*M*F = N^2*d^2; M*L = N^2*d^2; "
    "Q = 2*N^2 + 3*N*d";

void ioflor::theorems::addOrderings(Table &out) {
  out.push_back({"io_floor_ordering.floor_le_flash",
                 "for M >= d^2 the exact floor is at most FlashAttention's I/O",
                 kSahaYe,
                 "ioflor-floor: certificate attention, grid rows",
                 kPinned,
                 "F <= L",
                 {"L <= F", "2*F < L"}});
  out.push_back({"io_floor_ordering.flash_le_naive",
                 "for M >= d^2 FlashAttention's I/O is at most the naive one",
                 kSahaYe,
                 "ioflor-floor: certificate attention, grid rows",
                 kPinned,
                 "L <= Q",
                 {"Q <= L", "2*Q <= 3*L",
                  // without M >= d^2
                  "N >= 1; d >= 1; M >= 1; M*L = N^2*d^2; "
                  "Q = 2*N^2 + 3*N*d |- L <= Q"}});
  out.push_back({"io_floor_ordering.flash_within_two",
                 "FlashAttention's pinned I/O is at most twice the floor",
                 kSahaYe,
                 "ioflor-floor: certificate attention",
                 kPinned,
                 "L <= 2*F",
                 {}});
  out.push_back({"io_floor_ordering.sub_floor_is_impossible",
                 "who claims less than the floor claims less than any kernel "
                 "that meets it moves",
                 kSahaYe,
                 "ioflor-floor: claim; ioflor-sub-floor",
                 "M >= 1; 2*M*T >= N^2*d^2; 2*M*c < N^2*d^2",
                 "c < T",
                 {"c + 1 <= T"}});

  out.push_back({"approx_attention_io_floor_ordering.scan_le_exact",
                 "for Nd >= 6M the input scan 3Nd is at most the exact floor",
                 kApprox,
                 "ioflor-floor: claim, approximate attention",
                 "N >= 1; d >= 1; M >= 1; N*d >= 6*M; 2*M*F = N^2*d^2",
                 "3*N*d <= F",
                 {"303*N*d <= 100*F",
                  "N >= 1; d >= 1; M >= 1; N*d >= 5*M; 2*M*F = N^2*d^2 |- "
                  "3*N*d <= F"}});
  out.push_back({"approx_attention_io_floor_ordering.savings",
                 "for Nd > 6M an approximation may move less than any exact "
                 "kernel",
                 kApprox,
                 "ioflor-floor: savings of approximate attention",
                 "N >= 1; d >= 1; M >= 1; N*d > 6*M; 2*M*F = N^2*d^2",
                 "3*N*d < F",
                 {"3*N*d + 1 <= F"}});
  out.push_back({"approx_attention_io_floor_ordering.scan_binds_below",
                 "for Nd <= 6M the input scan is the stronger floor",
                 kApprox,
                 "floors: the maximum of saha-ye and scan",
                 "N >= 1; d >= 1; M >= 1; N*d <= 6*M; 2*M*F = N^2*d^2",
                 "F <= 3*N*d",
                 {}});
  out.push_back({"approx_attention_io_floor_ordering.below_scan_is_impossible",
                 "no algorithm that reads every entry of Q, K and V moves less "
                 "than 3Nd",
                 kApprox,
                 "ioflor-floor: claim; ioflor-claim",
                 "q >= N*d; k >= N*d; v >= N*d; T >= q + k + v",
                 "T >= 3*N*d",
                 {"T >= 3*N*d + 1"}});

  out.push_back({"distributed_attention_floor_ordering.amgm",
                 "a fixed number of pairs x*y is cheapest at x = y",
                 kNetwork,
                 "floors: network",
                 "x >= 0; y >= 0; s >= 0; s^2 = x*y",
                 "2*s <= x + y",
                 {}});
  out.push_back({"distributed_attention_floor_ordering.concentration",
                 "for a sum of squares it is cheaper to load one device than "
                 "to share: the same words give more pairs",
                 kNetwork,
                 "floors: network",
                 "n >= 0; b >= n; a >= b",
                 "a^2 + b^2 <= (a + b - n)^2 + n^2",
                 {}});
  out.push_back({"distributed_attention_floor_ordering.one_device",
                 "with P - 1 devices at their N/P words the last one needs "
                 "(N/P) sqrt(P^2 - P + 1)",
                 kNetwork,
                 "floors: network",
                 "n >= 1; P >= 1; y >= 0; s >= 0; s^2 = P^2 - P + 1; "
                 "(P - 1)*n^2 + y^2 >= (P*n)^2",
                 "n*s <= y",
                 {}});
  out.push_back({"distributed_attention_floor_ordering.saturation",
                 "s^2 <= 1 gives s <= 1",
                 kNetwork,
                 "floors: network",
                 "s^2 <= 1",
                 "s <= 1",
                 {"2*s <= 1"}});
  out.push_back({"distributed_attention_floor_ordering.below_saturation",
                 "the floor stays below 2dN for every number of devices",
                 kNetwork,
                 "floors: network",
                 "P >= 1; W >= 1; s >= 0; s^2 = P^2 - P + 1; P*f = W*(s - 1)",
                 "f < W",
                 {"100*f <= 99*W"}});
  out.push_back({"distributed_attention_floor_ordering.zero_for_one",
                 "one device needs no network",
                 kNetwork,
                 "floors: network",
                 "P = 1; s >= 0; s^2 = P^2 - P + 1; P*f = W*(s - 1)",
                 "f = 0",
                 {"f >= 1"}});
  out.push_back({"distributed_attention_floor_ordering.monotone",
                 "the floor grows with the number of devices",
                 kNetwork,
                 "floors: network",
                 "P >= 1; s >= 0; s^2 = P^2 - P + 1; r >= 0; "
                 "r^2 = (P + 1)^2 - (P + 1) + 1",
                 "(s - 1)*(P + 1) <= (r - 1)*P",
                 {}});
  out.push_back({"distributed_attention_floor_ordering.compose",
                 "the axes are independent: the total is at least the larger",
                 kNetwork,
                 "ioflor-floor: network, composition rows",
                 "T >= a; T >= b; m = a or m = b",
                 "T >= m",
                 {"T >= a + b", "100*T >= 101*m"}});
}
