//===- Compose.cpp - Floors that follow from other floors -----------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where masks cut tiles, the traffic's closed form is long and its comparison
// with the pairs is hard, but often the scans alone are as much: a window of
// width w needs n w d^2 / (2 M) words by its pairs and 2 n d by its scans,
// which is more once M holds w d / 4 words.
//
//===----------------------------------------------------------------------===//
#include "passes/verdict/Compose.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::verdict;

std::vector<Cond> ioflor::verdict::hypothesesOf(FloorOp floor) {
  std::vector<Cond> out;
  for (Attribute a : floor.getHypotheses())
    if (auto c = dyn_cast<CondAttr>(a))
      out.push_back(c.getValue());
  return out;
}

static std::vector<StringRef> operandsOf(StringRef against) {
  if (against == "qk")
    return {"q", "k"};
  if (against == "loads")
    return {"q", "k", "v"};
  if (against == "total")
    return {"q", "k", "v", "o"};
  return {};
}

std::optional<Composition> ioflor::verdict::compose(const View &view,
                                                    FloorOp floor,
                                                    ArrayRef<FloorOp> proved) {
  Composition out;
  std::vector<Cond> given = hypothesesOf(floor);
  Expr lower, traffic;
  for (StringRef operand : operandsOf(floor.getAgainst())) {
    Words words = view.against(operand);
    traffic += words.lo;
    FloorOp best;
    for (FloorOp p : proved)
      if (p.getAgainst() == operand && p.getDen().isOne() &&
          llvm::all_of(hypothesesOf(p), [&](const Cond &h) {
            return h.isAlways() || llvm::is_contained(given, h);
          }))
        best = p;
    if (!best) {
      lower += words.lo;
      continue;
    }
    lower += best.getNum();
    out.parts += (out.parts.empty() ? "" : " + ") + best.getKind().str();
  }
  if (out.parts.empty())
    return std::nullopt;
  // An operand's lower end must be part of the whole's.
  Expr rest = view.against(floor.getAgainst()).lo - traffic;
  if (!view.known.isNonNegative(rest))
    return std::nullopt;
  out.goal = le(floor.getNum(), lower * floor.getDen());
  return out;
}
