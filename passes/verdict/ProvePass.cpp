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
#include "passes/Phase.h"
#include "passes/output/Smt2Files.h"
#include "passes/prover/Prover.h"
#include "passes/prover/Witness.h"
#include "passes/verdict/Compose.h"
#include "passes/verdict/Judgement.h"

namespace ioflor {
#define GEN_PASS_DEF_IOFLORPROVE
#include "passes/Passes.h.inc"
} // namespace ioflor

using namespace mlir;
using namespace ioflor;
using namespace ioflor::verdict;

/// Factor on the resource limit of the second round.
static constexpr unsigned kMoreWork = 6;
/// Goals with more monomials than this get less work: z3's own units then stand
/// for far more time, and longer tries have not been seen to end in a proof.
static constexpr size_t kLongGoal = 12;
static constexpr unsigned kLongGoalRlimit = 60'000;
/// Longer ones are not given to the solver at all: its single steps then last
/// for seconds, which its units do not bound.
static constexpr size_t kHopelessGoal = 60;

namespace {

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
    PhaseScope phase(subject, "proving", 80);
    // Operands first: the floors of sums may follow from theirs.
    SmallVector<FloorOp> floors;
    for (auto floor : body.getOps<FloorOp>())
      if (!floor->hasAttr("reported_only"))
        floors.push_back(floor);
    SmallVector<FloorOp> order;
    for (bool ofSum : {false, true})
      for (FloorOp f : floors) {
        StringRef against = f.getAgainst();
        if (ofSum ==
            (against == "qk" || against == "loads" || against == "total"))
          order.push_back(f);
      }
    llvm::DenseMap<Operation *, Result> results;
    SmallVector<FloorOp> proved;
    for (FloorOp floor : order) {
      Result r = prove(view, floor, proved, given);
      if (r.answer == "proved")
        proved.push_back(floor);
      results[floor] = std::move(r);
    }
    std::map<std::string, unsigned> used;
    for (FloorOp floor : floors) {
      unsigned n = ++used[floor.getKind().str()];
      std::string name = floor.getKind().str();
      if (n > 1)
        name += "-" + std::to_string(n);
      write(floor, name, results[floor]);
    }
    if (!smt2.empty())
      if (!output::writeSmt2Files(subject, smt2, error)) {
        subject.emitError() << error;
        signalPassFailure();
      }
  }

private:
  struct Result {
    std::string answer; ///< as an obligation says it
    std::string solver, smt2, note;
    DictionaryAttr witness;
  };

  Result prove(const View &view, FloorOp floor, ArrayRef<FloorOp> proved,
               const std::optional<floors::GivenFastWords> &given) {
    Words traffic = view.against(floor.getAgainst());
    const Expr &M = view.problem->fastWords;
    bool usesM = floor.getNum().dependsOn(M.name()) ||
                 floor.getDen().dependsOn(M.name());

    prover::Obligation o;
    SubjectOp subject = view.subject;
    o.name = subject.getSymName().str() + ": " + floor.getKind().str();
    o.known = view.known;
    o.hypotheses = hypothesesOf(floor);
    if (usesM)
      for (const Cond &c : view.fastWordsAtLeast(given))
        if (!llvm::is_contained(o.hypotheses, c))
          o.hypotheses.push_back(c);
    // Proofs use the lower end of the traffic.
    o.goal = le(floor.getNum(), traffic.lo * floor.getDen());
    prover::ProverOptions options;
    size_t monomials = o.goal.kind() == CondKind::NonNegative
                           ? o.goal.expr().terms().size()
                           : 0;
    bool isLong = monomials > kLongGoal;
    if (isLong)
      options.rlimit = kLongGoalRlimit;
    if (rlimit)
      options.rlimit = unsigned(std::min<uint64_t>(rlimit, ~0u));

    auto viaOperands = [&]() -> std::optional<prover::ProofResult> {
      std::optional<Composition> c = compose(view, floor, proved);
      if (!c)
        return std::nullopt;
      prover::Obligation through = o;
      through.name += ", by way of " + c->parts;
      through.goal = c->goal;
      prover::ProverOptions few = options;
      few.onlyFirst = true;
      prover::ProofResult r = prover::prove(through, few);
      if (r.answer != prover::Answer::Proved)
        return std::nullopt;
      r.note = "follows from " + c->parts;
      return r;
    };

    // A long goal is better not tried where a short one does.
    std::optional<prover::ProofResult> quick;
    if (isLong)
      quick = viaOperands();
    prover::ProofResult result;
    if (quick)
      result = *quick;
    else if (monomials > kHopelessGoal)
      result.note = "the closed form has " + std::to_string(monomials) +
                    " terms, too many for the solver";
    else
      result = prover::prove(o, options);
    auto open = [&] {
      return result.answer != prover::Answer::Proved &&
             result.answer != prover::Answer::Vacuous;
    };
    if (open() && !isLong)
      if (auto r = viaOperands())
        result = *r;
    DictionaryAttr witness;
    if (open())
      witness = findWitness(view, floor, traffic, usesM, given);
    // Where neither was quick, more work for the proof. A model of the
    // relaxation is a final answer.
    if (open() && !witness && !rlimit && !isLong &&
        result.answer != prover::Answer::Refuted) {
      options.rlimit *= kMoreWork;
      options.onlyFirst = true;
      result = prover::prove(o, options);
    }
    Result r;
    r.answer = witness                                    ? "refuted"
               : result.answer == prover::Answer::Proved  ? "proved"
               : result.answer == prover::Answer::Vacuous ? "vacuous"
                                                          : "unknown";
    r.solver = result.solver;
    r.smt2 = result.smt2;
    if (r.answer == "unknown" || r.answer == "proved")
      r.note = result.note;
    r.witness = witness;
    return r;
  }

  void write(FloorOp floor, const std::string &name, const Result &r) {
    OpBuilder b = OpBuilder::atBlockEnd(floor->getBlock());
    auto op = ObligationOp::create(b, floor.getLoc(), name, r.answer, r.solver,
                                   r.smt2, r.witness);
    op->setAttr("against", floor.getAgainstAttr());
    if (!r.note.empty())
      op->setAttr("note", b.getStringAttr(r.note));
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
