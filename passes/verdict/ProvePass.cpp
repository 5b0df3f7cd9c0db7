//===- ProvePass.cpp - ioflor-prove ---------------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One obligation a floor: the traffic that it bounds is at least the floor, for
// all admissible sizes and every M from the largest of d^2, what the kernel
// holds and what is given. A floor falls as M grows, so that smallest M is the
// only one that matters.
//
//===----------------------------------------------------------------------===//
#include "mlir/IR/Builders.h"
#include "passes/Passes.h"
#include "passes/output/Smt2Files.h"
#include "passes/prover/Prover.h"
#include "passes/prover/Witness.h"
#include "passes/verdict/View.h"

namespace ioflor {
#define GEN_PASS_DEF_IOFLORPROVE
#include "passes/Passes.h.inc"
} // namespace ioflor

using namespace mlir;
using namespace ioflor;
using namespace ioflor::verdict;

/// Factor on the resource limit of the second round.
static constexpr unsigned kMoreWork = 6;

namespace {

std::string decimal(const BigInt &v) {
  std::string s;
  llvm::raw_string_ostream(s) << v;
  return s;
}

class ProvePass : public ioflor::impl::IoflorProveBase<ProvePass> {
public:
  using IoflorProveBase::IoflorProveBase;

  void runOnOperation() override {
    SubjectOp subject = getOperation();
    std::string error;
    auto given = floors::givenFastWords(subject, fastWords, target, error);
    if (!error.empty()) {
      subject.emitError() << error;
      return signalPassFailure();
    }
    Block &body = subject.getBody().front();
    for (auto old : llvm::make_early_inc_range(body.getOps<ObligationOp>()))
      old.erase();
    View view(subject);
    if (!view.problem || !view.counted)
      return;
    std::map<std::string, unsigned> used;
    for (auto floor : llvm::to_vector(body.getOps<FloorOp>())) {
      if (floor->hasAttr("reported_only"))
        continue;
      unsigned n = ++used[floor.getKind().str()];
      std::string name = floor.getKind().str();
      if (n > 1)
        name += "-" + std::to_string(n);
      prove(view, floor, name, given);
    }
    if (!smt2.empty())
      if (!output::writeSmt2Files(subject, smt2, error)) {
        subject.emitError() << error;
        signalPassFailure();
      }
  }

private:
  static std::vector<Cond> hypothesesOf(FloorOp floor) {
    std::vector<Cond> out;
    for (Attribute a : floor.getHypotheses())
      if (auto c = dyn_cast<CondAttr>(a))
        out.push_back(c.getValue());
    return out;
  }

  void prove(const View &view, FloorOp floor, const std::string &name,
             const std::optional<floors::GivenFastWords> &given) {
    Words traffic = view.against(floor.getAgainst());
    const Expr &M = view.problem->fastWords;
    bool usesM = floor.getNum().dependsOn(M.name()) ||
                 floor.getDen().dependsOn(M.name());

    prover::Obligation o;
    SubjectOp subject = view.subject;
    o.name = subject.getSymName().str() + ": " + name;
    o.known = view.known;
    o.hypotheses = hypothesesOf(floor);
    if (usesM)
      for (const Cond &c : view.fastWordsAtLeast(given))
        if (!llvm::is_contained(o.hypotheses, c))
          o.hypotheses.push_back(c);
    o.goal = le(floor.getNum(), traffic.lo * floor.getDen());
    prover::ProverOptions options;
    if (rlimit)
      options.rlimit = unsigned(std::min<uint64_t>(rlimit, ~0u));
    prover::ProofResult result = prover::prove(o, options);
    auto open = [&] {
      return result.answer != prover::Answer::Proved &&
             result.answer != prover::Answer::Vacuous;
    };
    DictionaryAttr witness;
    if (open())
      witness = findWitness(view, floor, traffic, usesM, given);
    // Where neither was quick, more work for the proof. A model of the
    // relaxation is a final answer.
    if (open() && !witness && !rlimit &&
        result.answer != prover::Answer::Refuted) {
      options.rlimit *= kMoreWork;
      options.onlyFirst = true;
      result = prover::prove(o, options);
    }
    std::string answer = witness                                    ? "refuted"
                         : result.answer == prover::Answer::Proved  ? "proved"
                         : result.answer == prover::Answer::Vacuous ? "vacuous"
                                                                    : "unknown";
    OpBuilder b = OpBuilder::atBlockEnd(floor->getBlock());
    auto op = ObligationOp::create(b, floor.getLoc(), name, answer,
                                   result.solver, result.smt2, witness);
    op->setAttr("against", floor.getAgainstAttr());
    if (!result.note.empty() && answer == "unknown")
      op->setAttr("note", b.getStringAttr(result.note));
  }

  /// Sizes at which even the upper end of the traffic is below the floor at an
  /// M that is large enough.
  DictionaryAttr
  findWitness(const View &view, FloorOp floor, const Words &traffic, bool usesM,
              const std::optional<floors::GivenFastWords> &given) {
    if (!traffic.hi)
      return {};
    std::optional<Expr> M;
    if (usesM && !(M = view.fastWordsForFlags(given)))
      return {};
    StringRef m = view.problem->fastWords.name();
    auto atM = [&](const Expr &e) { return M ? e.substitute(m, *M) : e; };
    prover::WitnessQuery query;
    query.known = collectAssumptions(view.subject);
    query.hypotheses = view.assumptions;
    for (const Cond &h : hypothesesOf(floor))
      query.hypotheses.push_back(M ? h.substitute({{m.str(), *M}}) : h);
    Expr num = atM(floor.getNum()), den = atM(floor.getDen());
    query.violation = num - *traffic.hi * den;
    query.sweep = view.lengthSymbols();
    auto at = prover::findWitness(query);
    if (!at)
      return {};
    auto words = evaluate(*traffic.hi, *at), top = evaluate(num, *at),
         bottom = evaluate(den, *at);
    if (!words || !top || !bottom || *bottom < 1 || *words * *bottom >= *top)
      return {};
    Builder b(&getContext());
    SmallVector<NamedAttribute> entries;
    auto entry = [&](StringRef name, const BigInt &v) {
      entries.push_back(b.getNamedAttr(name, b.getStringAttr(decimal(v))));
    };
    std::set<std::string> relevant = query.violation.freeSymbols();
    for (const std::string &s : view.lengthSymbols())
      relevant.insert(s);
    for (const auto &[symbol, value] : *at)
      if (relevant.count(symbol) && symbol != "words" && symbol != "floor")
        entry(symbol, value);
    entry("words", *words);
    entry("floor", (*top + *bottom - 1) / *bottom);
    if (M)
      if (auto v = evaluate(*M, *at))
        entry(m, *v);
    return b.getDictionaryAttr(entries);
  }
};

} // namespace
