//===- Families.h - The kinds of floors of one attention --------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function for each kind, in a file of its kind. Each adds its forms with
// their hypotheses to `out`; `M` stands for the fast words of one CTA. All
// assume a cold fast memory: at the start it holds no input and no partial
// result.
//
// `against` says what a floor bounds: one operand (q, k, v loads, o stores),
// the loads of Q and K together with score traffic (qk), all loads, or all
// traffic (total).
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_FLOORS_FAMILIES_H
#define IOFLOR_PASSES_FLOORS_FAMILIES_H

#include "passes/floors/Floor.h"

namespace ioflor::floors {

/// Every required row crosses the boundary once: q d + k (d + d_V) loads, and
/// o stores. Any algorithm, exact or approximate. For exact ones
/// proofs/Scans.v.
void addScans(const Work &w, std::vector<Floor> &out);
/// E d^2 / (2 M) for M >= d^2: saha_ye_floor in proofs/TheoremA.v.
void addSahaYe(const Work &w, const Expr &M, std::vector<Floor> &out);
/// Theorem A: E min(d^2 / M, 1/2); theorem_A_* in proofs/TheoremA.v.
void addSharp(const Work &w, const Expr &M, std::vector<Floor> &out);
/// Any algorithm that computes every required score, fast matrix multiplication
/// included: E d^2 / (4 M) - M for M >= d^2; below it E / 4 - d^2.
void addFmm(const Work &w, const Expr &M, std::vector<Floor> &out);
/// U, R and D of the small cache: E d / sqrt(M + M^2 / d^2) - M for every M,
/// 2 E d / sqrt M - E - 2 M for M <= 4 d^2 (and a tangent of it, which has no
/// root), E / 2 for M <= 2 d^2.
void addSmallCache(const Work &w, const Expr &M, std::vector<Floor> &out);
/// The whole forward pass: Theorems B, C and R', or the aliased form where V is
/// a part of K. Theorem B is theorem_B_* in proofs/TheoremB.v.
void addTight(const Work &w, const Expr &M, std::vector<Floor> &out);

/// The whole backward pass (dQ, dK, dV from Q, K, V, dO): scans with the
/// stores, E min((d + d_V)^2 / M, 1/2) plus the stores, and for d = d_V E
/// min(12 d^2 / M, 1/2). For K = V the scans only.
std::vector<Floor> backwardFloors(const Work &w, const Expr &M);

/// A floor of Q and K, or of the loads, as one of all traffic (of all loads):
/// V's reads and O's stores are other words. nullopt where that cannot be said.
std::optional<Floor> asTotal(const Floor &f, const Work &w);
std::optional<Floor> asLoads(const Floor &f, const Work &w);

} // namespace ioflor::floors

#endif // IOFLOR_PASSES_FLOORS_FAMILIES_H
