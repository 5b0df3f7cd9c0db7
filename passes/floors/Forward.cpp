//===- Forward.cpp - Scans and the floors of the scores -------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/floors/Families.h"

using namespace ioflor;
using namespace ioflor::floors;

static constexpr char kSahaYeSource[] =
    "form: Saha & Ye, arXiv:2402.07443; constant: Theorem A, own derivation, "
    "not peer reviewed; standard matrix multiplication, cold fast memory";
static constexpr char kScanSource[] =
    "every required row of an operand crosses the boundary at least once";
static constexpr char kSharpSource[] =
    "Theorem A, own derivation, not peer reviewed; standard matrix "
    "multiplication, cold fast memory";
static constexpr char kFmmSource[] =
    "any algorithm that computes every required score: Saha & Ye with the "
    "sharpened count of an epoch, own derivation, not peer reviewed";

static void add(std::vector<Floor> &out, const Work &w, const char *kind,
                const char *against, Expr num, Expr den, const char *source,
                std::vector<Cond> more = {}, const char *regime = "") {
  if (num.isZero())
    return;
  reduce(num, den);
  Floor f{kind, against, num, den, {}, source};
  assume(f, w.hypotheses);
  assume(f, more);
  f.regime = regime;
  out.push_back(std::move(f));
}

void ioflor::floors::addScans(const Work &w, std::vector<Floor> &out) {
  add(out, w, "scan-q", "q", w.q, 1, kScanSource);
  add(out, w, "scan-k", "k", w.k, 1, kScanSource);
  add(out, w, "scan-v", "v", w.v, 1, kScanSource);
  add(out, w, "scan-o", "o", w.o, 1, kScanSource);
  add(out, w, "scan", "loads", w.q + w.k + w.v, 1, kScanSource);
}

void ioflor::floors::addSahaYe(const Work &w, const Expr &M,
                               std::vector<Floor> &out) {
  if (w.hasPairs)
    add(out, w, "saha-ye", "qk", w.twicePairs * w.d * w.d, 4 * M, kSahaYeSource,
        {le(w.d * w.d, M)});
}

void ioflor::floors::addSharp(const Work &w, const Expr &M,
                              std::vector<Floor> &out) {
  if (!w.hasPairs)
    return;
  Expr dd = w.d * w.d;
  add(out, w, "sharp", "qk", w.twicePairs * dd, 2 * M, kSharpSource,
      {le(2 * dd, M)}, "A, large M");
  add(out, w, "sharp", "qk", w.twicePairs, 4, kSharpSource, {le(M, 2 * dd)},
      "A, small M");
}

void ioflor::floors::addFmm(const Work &w, const Expr &M,
                            std::vector<Floor> &out) {
  if (!w.hasPairs)
    return;
  Expr dd = w.d * w.d;
  add(out, w, "fmm", "qk", w.twicePairs * dd - 8 * M * M, 8 * M, kFmmSource,
      {le(dd, M)});
  // More fast memory never hurts, so the value at M = d^2 holds below it.
  add(out, w, "fmm", "qk", w.twicePairs - 8 * dd, 8, kFmmSource,
      {le(M, dd - 1)}, "below d^2");
}

//===----------------------------------------------------------------------===//
// From operands to all traffic
//===----------------------------------------------------------------------===//

static Floor plus(const Floor &f, const Expr &words, const char *against) {
  Floor g = f;
  g.num = f.num + words * f.den;
  g.against = against;
  return g;
}

std::optional<Floor> ioflor::floors::asTotal(const Floor &f, const Work &w) {
  if (f.against == "total")
    return f;
  if (f.against == "loads")
    return plus(f, w.o, "total");
  if (f.against != "qk")
    return std::nullopt;
  // For any algorithm the scores' floor is not known to leave V's reads out.
  if (f.kind == "fmm")
    return plus(f, 0, "total");
  return plus(f, w.v + w.o, "total");
}

std::optional<Floor> ioflor::floors::asLoads(const Floor &f, const Work &w) {
  if (f.against == "loads")
    return f;
  // Theorem B counts reads and the outputs' last words, one each, where no
  // atomic operation stores them.
  if (f.kind == "tight" && llvm::StringRef(f.regime).starts_with("B"))
    return plus(f, -w.oRequired, "loads");
  // These two count loads only; the others also count stores of scores or of
  // partial outputs.
  bool loads = f.kind == "saha-ye" || f.kind == "sharp" ||
               (f.kind == "small-cache" && f.regime != "U");
  if (f.against != "qk" || !loads)
    return std::nullopt;
  return plus(f, w.v, "loads");
}
