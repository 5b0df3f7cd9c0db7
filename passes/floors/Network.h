//===- Network.h - Floors of sharded attention ------------------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One head of exact attention over N tokens on P devices. Device p holds N/P
// query rows and N/P key columns; every score pair must be computed on some
// device that holds its row and its column; to move a row or a column costs d
// words. Not in the model: fast memory, V and the softmax, partial sums of one
// score from several devices, topology, latency. Heads are disjoint and add up.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_FLOORS_NETWORK_H
#define IOFLOR_PASSES_FLOORS_NETWORK_H

#include "passes/floors/Floor.h"

namespace ioflor::floors {

struct Sharding {
  Expr tokens;    ///< N
  Expr devices;   ///< P; divides N
  Expr rowWords;  ///< words of a query row: d
  Expr colWords;  ///< words of a key column: d
  Expr heads = 1; ///< a factor on everything
};

/// 2 d N (sqrt(P^2 - P + 1) - 1) / P: the counting relaxation. With different
/// costs of rows and columns, the smaller.
/// proofs/Network.v: network_counting_floor.
Floor networkCounting(const Sharding &s);
/// 2 d N (1 - 1/P): the true minimum of the model, attained by gathering
/// everything on one device. proofs/Covering.v: covering_minimum.
Floor networkCovering(const Sharding &s);
/// 2 N sqrt(c_q c_k P) - (c_q + c_k) N, that is 2 d N (sqrt P - 1) for c_q =
/// c_k = d, where no device computes more than N^2 / P pairs.
Floor networkBalanced(const Sharding &s);
/// The same where no device computes more than alphaNum / alphaDen * N^2 / P
/// pairs, 1 <= alpha <= P, for P >= 2:
/// 2 d N (P^2 - P) / (alpha P - 1) (sqrt(alpha / P) - 1 / P).
Floor networkCapped(const Sharding &s, const Expr &alphaNum,
                    const Expr &alphaDen);

/// The load-balanced minimum in whole rows and columns: P (min{a + b : a b >=
/// ceil(N^2 / P), N/P <= a, b <= N} - 2 N / P) d. P divides N.
BigInt networkBalancedInteger(const BigInt &tokens, const BigInt &devices,
                              const BigInt &words);

/// 2 d N: what no number of devices exceeds in the counting relaxation.
Expr networkSaturation(const Sharding &s);

} // namespace ioflor::floors

#endif // IOFLOR_PASSES_FLOORS_NETWORK_H
