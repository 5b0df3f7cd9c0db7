//===- FloorRule.cpp - Traffic below a floor ------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ioflor-sub-floor where nothing is disclosed, ioflor-disclosure-mismatch where
// the disclosure's own floor is not met. Both rest on a witness that was
// evaluated exactly, with over-estimates of traffic and M, and on evidence for
// the extents.
//
//===----------------------------------------------------------------------===//
#include "passes/verdict/Judgement.h"
#include "passes/verdict/Suggest.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::verdict;

/// `reads 8256 words of K`.
static std::string movesText(StringRef against, StringRef words) {
  std::string w = words.str() + " words";
  if (against == "q" || against == "k" || against == "v")
    return "reads " + w + " of " + against.upper();
  if (against == "o")
    return "stores " + w + " of O";
  if (against == "qk")
    return "moves " + w + " of Q, K and scores";
  if (against == "loads")
    return "reads " + w + " of Q, K and V";
  return "moves " + w;
}

static FloorOp floorOf(SubjectOp subject, ObligationOp obligation) {
  // Obligations carry the floor's kind, numbered from the second on.
  unsigned n = 0;
  StringRef name = obligation.getName();
  for (auto floor : subject.getBody().getOps<FloorOp>()) {
    if (!name.starts_with(floor.getKind()))
      continue;
    StringRef rest = name.drop_front(floor.getKind().size());
    if (rest.empty())
      return floor;
    unsigned wanted = 0;
    if (rest.consume_front("-") && !rest.getAsInteger(10, wanted) &&
        ++n == wanted)
      return floor;
  }
  return {};
}

static std::string floorNote(FloorOp floor, DictionaryAttr witness,
                             StringRef fastWords) {
  // A product or a name needs no parentheses as a numerator, a name none as a
  // denominator.
  auto within = [](const Expr &e, bool bare) {
    std::string text = exprText(e);
    return bare ? text : "(" + text + ")";
  };
  Expr num = floor.getNum(), den = floor.getDen();
  std::string text = "floor (" + floor.getKind().str() + "): ";
  if (den.isOne())
    text += exprText(num);
  else
    text += within(num, num.terms().size() == 1) + "/" +
            within(den, den.kind() == ExprKind::Symbol || den.isConst());
  text += " words";
  if (auto m = witness.getAs<StringAttr>(fastWords))
    text += " at " + fastWords.str() + " = " + m.getValue().str() +
            " words of fast memory";
  return text + "; " + floor.getSource().str();
}

/// `blockDim_y = 777` if the witness chooses the extent of a block that no
/// launch in this file has: nobody need ever launch the kernel like that.
/// Of several the first.
static std::string inventedBlock(SubjectOp subject, DictionaryAttr witness) {
  for (auto stage : subject.getBody().getOps<StageOp>()) {
    DictionaryAttr info = stage.getInfo();
    auto launched = info ? info.getAs<BoolAttr>("launched") : BoolAttr();
    auto block = info ? info.getAs<ArrayAttr>("block") : ArrayAttr();
    if (!launched || launched.getValue() || !block)
      continue;
    for (auto extent : block.getAsRange<ExprAttr>())
      for (const std::string &name : extent.getValue().freeSymbols())
        if (auto value = witness.getAs<StringAttr>(name))
          return name + " = " + value.getValue().str();
  }
  return "";
}

void ioflor::verdict::judgeFloors(Judgement &j) {
  SubjectOp subject = j.view.subject;
  const floors::Problem &p = *j.view.problem;
  bool operandFlagged = false;
  std::optional<Suggestion> suggestion; // the same for all
  // Floors that the launch, which is in another file, decides.
  std::string unlaunched;
  std::vector<std::string> likewise;
  for (auto o : subject.getBody().getOps<ObligationOp>()) {
    auto againstAttr = o->getAttrOfType<StringAttr>("against");
    StringRef against = againstAttr ? againstAttr.getValue() : "total";
    std::string name = o.getName().str();
    if (o.getResult() == "proved")
      continue;
    std::optional<DictionaryAttr> witness = o.getWitness();
    auto words = witness ? witness->getAs<StringAttr>("words") : StringAttr();
    auto least = witness ? witness->getAs<StringAttr>("floor") : StringAttr();
    if (o.getResult() != "refuted" || !words || !least) {
      Words traffic = j.view.against(against);
      std::string why =
          o.getResult() == "vacuous" ? "its hypotheses exclude each other"
          : !traffic.exact()         ? "the traffic is only known as a range"
                             : "neither a proof nor a witness was found";
      j.open.push_back("the floor " + name + " is not proved: " + why);
      continue;
    }
    std::string sizes = sizesText(j, *witness);
    std::string at = sizes.empty() ? "" : " at " + sizes;
    std::string below = movesText(against, words.getValue()) + at +
                        ", below the " + least.getValue().str() +
                        " words of the floor " + name;
    if (p.mask.kind == floors::MaskKind::MaskedBy) {
      j.open.push_back(below + "; the mask is decided at run time");
      continue;
    }
    if (std::string block = inventedBlock(subject, *witness); !block.empty()) {
      // Once is enough: the other floors hang on the same launch.
      if (likewise.empty())
        unlaunched = below +
                     "; the kernel is launched in another file, and "
                     "whether with " +
                     block + " is not known";
      likewise.push_back(name);
      continue;
    }
    std::string lack = j.view.lackOfEvidence(against);
    if (!lack.empty()) {
      j.open.push_back(below + ", but there is " + lack);
      continue;
    }
    // Nor do the words that are missing because the entries are.
    if (isUncovered(j, against))
      continue;
    // The sum says nothing new once an operand of it is flagged.
    if (against == "loads" && operandFlagged)
      continue;
    operandFlagged = true;
    std::string moves = movesText(against, words.getValue());
    std::string needs = least.getValue().str() + " words";
    Finding &f =
        p.disclosed
            ? j.add("ioflor-disclosure-mismatch", "flag",
                    "declared " + floors::maskName(p.mask.kind).str() +
                        ", but " + moves + at + "; " + attentionText(p) +
                        " needs at least " + needs,
                    placeOf(j, against))
            : j.add("ioflor-sub-floor", "flag",
                    moves + at + "; exact attention needs at least " + needs,
                    placeOf(j, against));
    f.witness = *witness;
    Words traffic = j.view.against(against);
    f.notes.push_back((traffic.exact() ? "derived: " : "derived, at most: ") +
                      (traffic.hi ? exprText(*traffic.hi) : "") + " words");
    if (FloorOp floor = floorOf(subject, o))
      f.notes.push_back(floorNote(floor, *witness, p.fastWords.name()));
    if (!p.disclosed) {
      if (!suggestion)
        suggestion = suggestDisclosure(j);
      f.notes.push_back(suggestion->note);
      f.insert = suggestion->insert;
    } else {
      f.notes.push_back("make the code read what the declaration requires, or "
                        "change the declaration");
    }
  }
  if (likewise.empty())
    return;
  for (size_t i = 1; i < likewise.size(); ++i)
    unlaunched += (i == 1 ? "; likewise the floors " : ", ") + likewise[i];
  j.open.push_back(unlaunched);
}
