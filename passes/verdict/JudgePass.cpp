//===- JudgePass.cpp - ioflor-judge ---------------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "mlir/IR/Builders.h"
#include "passes/Passes.h"
#include "passes/Phase.h"
#include "passes/roles/Roles.h"
#include "passes/verdict/Judgement.h"

namespace ioflor {
#define GEN_PASS_DEF_IOFLORJUDGE
#include "passes/Passes.h.inc"
} // namespace ioflor

using namespace mlir;
using namespace ioflor;
using namespace ioflor::verdict;

/// What ioflor-judge says where traffic is proved and coverage is not.
static constexpr char kProved[] = "traffic proved, coverage not yet decided";

namespace {

class JudgePass : public ioflor::impl::IoflorJudgeBase<JudgePass> {
public:
  using IoflorJudgeBase::IoflorJudgeBase;

  void runOnOperation() override {
    SubjectOp subject = getOperation();
    // Decided before: no attention, or roles that could not be found.
    if (!subject.getBody().getOps<VerdictOp>().empty())
      return;
    std::string error;
    certified = false;
    Judgement j(subject);
    j.given = floors::givenFastWords(subject, fastWords, target, error);
    j.maxRatio = maxRatio;
    std::string reason;
    if (error.empty())
      reason = judge(j, error);
    if (!error.empty()) {
      subject.emitError() << error;
      return signalPassFailure();
    }
    // A phase that ended early is why things are open, unless nothing is.
    std::string exhausted = whyExhausted(subject);
    if (!exhausted.empty() && !j.flagged() && reason != kProved) {
      j.add("ioflor-inconclusive", "remark", exhausted, j.at);
      reason = exhausted;
    }
    write(j, reason);
  }

private:
  /// The buffer without extents that the reason names, if it does.
  static BufferOp namedIn(SubjectOp subject, StringRef why) {
    for (auto buffer : subject.getBody().getOps<BufferOp>())
      if (buffer.getEvidence().value_or("").starts_with("inconclusive: ") &&
          why.contains(("'" + buffer.getSymName() + "': ").str()))
        return buffer;
    return nullptr;
  }

  /// Where the kernel first touches it.
  static Location firstAccess(BufferOp buffer) {
    Location at = buffer.getLoc();
    buffer->getParentOfType<SubjectOp>().walk([&](Operation *op) {
      auto load = dyn_cast<LoadOp>(op);
      auto store = dyn_cast<StoreOp>(op);
      if ((load && resolveBuffer(load) == buffer) ||
          (store && resolveBuffer(store) == buffer)) {
        at = op->getLoc();
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    return at;
  }

  /// Adds the findings; returns the reason of the verdict.
  std::string judge(Judgement &j, std::string &error) {
    if (!j.view.problem) {
      remarkUnread(j);
      BufferOp unsized = namedIn(j.view.subject, j.view.why);
      Finding &f = j.add("ioflor-inconclusive", "remark", j.view.why,
                         unsized ? firstAccess(unsized) : j.at);
      if (unsized)
        f.notes.push_back("IOFLOR_EXTENT(" + unsized.getSymName().str() +
                          ", rows, columns) on the kernel states its size");
      return j.view.why;
    }
    if (!j.view.counted) {
      remarkUnread(j);
      std::string why = "the traffic was not counted";
      j.add("ioflor-inconclusive", "remark", why, j.at);
      return why;
    }
    judgeCoverage(j);
    judgeFloors(j);
    judgeClaim(j);
    warnOfScores(j);
    warnOfFootprint(j);
    if (!warnOfRatio(j, error))
      return "";
    remarkRedundantLoads(j);
    remarkUnread(j);
    if (j.flagged()) {
      for (const Finding &f : j.findings)
        if (f.severity == "flag")
          return f.id + ": " + f.message;
    }
    return summarise(j);
  }

  std::string summarise(Judgement &j) {
    SubjectOp subject = j.view.subject;
    Words total = j.view.against("total");
    RatioText ratio = ratioText(j);
    // Closed forms that no execution has confirmed are not believed.
    if (std::string why = j.view.notExecuted(); !why.empty())
      j.open.push_back(why);
    std::string lack = j.view.lackOfEvidence("total");
    std::string reason = kProved;
    if (subject.getBody().getOps<ObligationOp>().empty())
      reason = "no floor applies to " + attentionText(*j.view.problem);
    else if (!j.open.empty())
      reason = j.open.front();
    else if (!lack.empty())
      // Floors of sizes that nothing establishes prove nothing of the kernel.
      reason =
          "traffic meets the floors of the sizes read, but there is " + lack;
    certified = reason == kProved && j.uncovered.empty();
    if (certified)
      reason =
          "proved: traffic is at least its floors, every entry and pair is "
          "covered";
    std::string message = reason;
    if (certified)
      message = "certified " + attentionText(*j.view.problem);
    if (!ratio.main.empty()) {
      std::string moves = "moves " + ratio.main;
      if (reason == kProved || certified)
        message += ": " + moves;
      else
        ratio.notes.insert(ratio.notes.begin(), moves);
    }
    Finding &f = j.add(certified ? "ioflor-certified" : "ioflor-inconclusive",
                       "remark", message, j.at);
    f.notes.push_back("derived: " + wordsText(total) + " words for " +
                      attentionText(*j.view.problem));
    for (size_t i = 1; i < j.open.size(); ++i)
      f.notes.push_back(j.open[i]);
    if (certified)
      f.notes.push_back("proved for all sizes: every required entry is read, "
                        "every entry of the output written, and every pair "
                        "summed once; arithmetic and races are not proved");
    for (const std::string &why : j.uncovered)
      f.notes.push_back(why);
    std::string proved;
    for (auto o : subject.getBody().getOps<ObligationOp>())
      if (o.getResult() == "proved")
        proved += (proved.empty() ? "" : ", ") + o.getName().str();
    if (!proved.empty())
      f.notes.push_back("proved for all sizes and every M that the kernel fits "
                        "in: traffic is at least the floors " +
                        proved);
    for (const std::string &note : ratio.notes)
      f.notes.push_back(note);
    std::string assumed;
    for (auto a : subject.getBody().getOps<AssumeOp>()) {
      assumed += assumed.empty() ? "" : "; ";
      // What is no condition on symbols is said in words only.
      assumed += a.getCondition().isAlways() ? a.getSource().str()
                                             : a.getCondition().str() + " (" +
                                                   a.getSource().str() + ")";
    }
    if (!assumed.empty())
      f.notes.push_back("assumed: " + assumed);
    return reason;
  }

  bool certified = false;

  void write(Judgement &j, const std::string &reason) {
    SubjectOp subject = j.view.subject;
    OpBuilder b = OpBuilder::atBlockEnd(&subject.getBody().front());
    // What names decided belongs to the last word on the subject.
    if (auto note = subject->getAttrOfType<StringAttr>(roles::roleNoteAttr);
        note && !j.findings.empty())
      j.findings.back().notes.push_back("assumed: " + note.str());
    for (const Finding &f : j.findings) {
      SmallVector<StringRef> notes(f.notes.begin(), f.notes.end());
      FindingOp::create(b, f.at, f.id, f.severity, f.message,
                        b.getStrArrayAttr(notes), f.witness,
                        f.insert.empty() ? StringAttr()
                                         : b.getStringAttr(f.insert));
    }
    VerdictOp::create(b, subject.getLoc(),
                      j.flagged() ? "flagged"
                      : certified ? "certified"
                                  : "inconclusive",
                      reason);
  }
};

} // namespace
