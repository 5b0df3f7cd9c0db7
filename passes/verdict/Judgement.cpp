//===- Judgement.cpp - Findings under way ---------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/verdict/Judgement.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::verdict;

Finding &Judgement::add(StringRef id, StringRef severity, std::string message,
                        Location where) {
  findings.push_back(
      {id.str(), severity.str(), std::move(message), {}, {}, "", where});
  return findings.back();
}

bool Judgement::flagged() const {
  return llvm::any_of(findings,
                      [](const Finding &f) { return f.severity == "flag"; });
}

std::string ioflor::verdict::wordsText(const Words &w) {
  if (w.exact())
    return exprText(w.lo);
  return "between " + exprText(w.lo) + " and " +
         (w.hi ? exprText(*w.hi) : std::string("an unknown number of"));
}

std::string ioflor::verdict::exprText(const Expr &e) {
  constexpr size_t kLong = 200, kLeading = 150;
  std::string whole = e.str();
  if (whole.size() <= kLong)
    return whole;
  // Terms stand in order of their degree.
  std::vector<Expr> terms = e.terms();
  Expr leading;
  size_t shown = 0;
  while (shown < terms.size()) {
    Expr more = leading + terms[shown];
    if (more.str().size() > kLeading)
      break;
    leading = more;
    ++shown;
  }
  auto count = [](size_t n, const char *more) {
    return std::to_string(n) + more + (n == 1 ? " term" : " terms");
  };
  if (shown == 0)
    return "(" + count(terms.size(), "") + ", see the certificate)";
  return leading.str() + " + (" + count(terms.size() - shown, " more") +
         ", see the certificate)";
}

bool ioflor::verdict::isUnlaunched(StringRef symbol) {
  return symbol.starts_with("gridDim_") || symbol.starts_with("blockDim_");
}

Location ioflor::verdict::placeOf(const Judgement &j, StringRef against) {
  Role role = against == "q"   ? Role::Q
              : against == "v" ? Role::V
              : against == "o" ? Role::O
                               : Role::K;
  std::vector<Operation *> accesses =
      j.view.accesses(role, /*stores=*/role == Role::O);
  if (accesses.empty())
    return j.at;
  if (role == Role::K || role == Role::V) {
    SmallVector<LoopOp> loops = enclosingLoops(accesses.front());
    if (!loops.empty() && loops.back().getKind() == LoopKind::Seq)
      return loops.back().getLoc();
  }
  return accesses.front()->getLoc();
}

std::string ioflor::verdict::sizesText(const Judgement &j,
                                       DictionaryAttr witness) {
  std::string out;
  SubjectOp subject = j.view.subject;
  auto say = [&](StringRef name, StringRef display) {
    // An extent of 1 is what one expects of a launch that is not known.
    if (auto v = witness.getAs<StringAttr>(name);
        v && !(isUnlaunched(name) && v.getValue() == "1"))
      out += (out.empty() ? "" : ", ") + display.str() + " = " +
             v.getValue().str();
  };
  for (auto symbol : subject.getBody().getOps<SymbolOp>())
    say(symbol.getName(), symbol.getDisplay().value_or(symbol.getName()));
  return out;
}

std::string ioflor::verdict::attentionText(const floors::Problem &p) {
  using floors::MaskKind;
  switch (p.mask.kind) {
  case MaskKind::Exact:
    return "exact attention";
  case MaskKind::Causal:
    return "causal attention";
  case MaskKind::CausalTopLeft:
    return "causal (top-left) attention";
  case MaskKind::Window:
    return "attention to a window of " + p.mask.w.str();
  case MaskKind::WindowSymmetric:
    return "attention to a symmetric window of " + p.mask.w.str();
  case MaskKind::Approximate:
    return "an approximation";
  case MaskKind::Sparse:
    return "sparse attention";
  case MaskKind::MaskedBy:
    return "attention masked at run time";
  }
  return "attention";
}
