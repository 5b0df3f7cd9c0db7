//===- CoverPass.cpp - ioflor-cover-exec ----------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes the skeleton on provenance at a few small sizes. What an execution
// shows to be missing, repeated or foreign is refuted, with the sizes and the
// entry or pair as witness; what every execution covers only `agrees`.
//
//===----------------------------------------------------------------------===//
#include "mlir/IR/Builders.h"
#include "passes/Passes.h"
#include "passes/Phase.h"
#include "passes/coverage/exec/Observe.h"
#include "passes/coverage/exec/Sizes.h"
#include "passes/roles/Roles.h"

namespace ioflor {
#define GEN_PASS_DEF_IOFLORCOVEREXEC
#include "passes/Passes.h.inc"
} // namespace ioflor

using namespace mlir;
using namespace ioflor;
using namespace ioflor::coverage;

namespace {

/// A fault with the smallest sizes that showed it.
struct Refuted {
  Fault fault;
  Valuation at;
  BigInt size;
};

class Cover {
public:
  Cover(SubjectOp subject, const floors::Problem &problem, uint64_t steps)
      : subject(subject), problem(problem), left(steps),
        perRun(std::max<uint64_t>(steps / 2, 1)),
        interpreter(subject, true, true) {}

  void run();
  void write();
  /// Some sizes were executed to the end.
  bool hasRuns() const { return runs != 0; }

private:
  std::optional<Observation> execute(const Valuation &at, bool choice);
  void take(Observation o);
  void agree();
  Operation *placeOf(StringRef what) const;
  void writeRefuted(OpBuilder &b, const Refuted &r);
  void writeRest(OpBuilder &b);
  std::optional<std::vector<Operand>> operands(const Valuation &at);

  SubjectOp subject;
  const floors::Problem &problem;
  uint64_t left, perRun;
  Interpreter interpreter;
  bool undecidedByData = false; ///< of the current run

  std::vector<Refuted> refuted;
  std::vector<PairSet> sets;
  std::vector<std::pair<int64_t, bool>> repeats; ///< n_k of a run, repeated
  unsigned runs = 0;
  bool chose = false, pairsDiffer = false;
  std::string pairsOpen, failure, dataReason;
  Operation *pairsOpenAt = nullptr;
  std::map<Role, Operation *> opaque;
};

} // namespace

std::optional<std::vector<Operand>> Cover::operands(const Valuation &at) {
  std::vector<Operand> out;
  for (auto buffer : subject.getBody().getOps<BufferOp>()) {
    Role role = buffer.getRole().value_or(Role::Other);
    if (role != Role::Q && role != Role::K && role != Role::V &&
        role != Role::O)
      continue;
    if (auto several = buffer->getAttrOfType<ArrayAttr>("ioflor.roles");
        several && !problem.dims.aliasedKV) {
      failure = "one buffer holds several operands";
      return std::nullopt;
    }
    std::string why;
    std::optional<Operand> o = Operand::read(buffer, role, at, why);
    if (!o) {
      failure = why;
      return std::nullopt;
    }
    if (o->allRows() >= Algebra::maxRows || o->columns >= Algebra::maxColumns) {
      failure = "no admissible size is small enough to execute";
      return std::nullopt;
    }
    out.push_back(std::move(*o));
  }
  return out;
}

std::optional<Observation> Cover::execute(const Valuation &at, bool choice) {
  std::optional<std::vector<Operand>> found = operands(at);
  if (!found)
    return std::nullopt;
  ProvenanceMachine machine(subject, std::move(*found), interpreter.names(), at,
                            choice);
  InterpOptions options;
  options.machine = &machine;
  options.maxSteps = std::min(left, perRun);
  bool asked = false;
  options.decide = [&](const Cond &literal) -> std::optional<bool> {
    asked = true;
    return choice != literal.isNegatedUnknown();
  };
  InterpCounts counts = interpreter.run(at, options);
  left -= std::min(left, std::max<uint64_t>(counts.steps, 1));
  if (!counts.ok()) {
    failure = counts.status == InterpStatus::BudgetExhausted
                  ? "analysis budget exhausted in coverage: no admissible size "
                    "is small enough to execute"
                  : counts.message;
    return std::nullopt;
  }
  undecidedByData = counts.metUnknown;
  MaskAt mask{problem.mask.kind, 0};
  if (problem.mask.kind == floors::MaskKind::Window ||
      problem.mask.kind == floors::MaskKind::WindowSymmetric) {
    std::optional<BigInt> w = evaluate(problem.mask.w, at);
    std::optional<int64_t> w64 = w ? Expr(*w).constant64() : std::nullopt;
    if (!w64) {
      failure = "the declared window cannot be evaluated";
      return std::nullopt;
    }
    mask.w = *w64;
  }
  Observation o = observe(machine, at, mask, problem.dims.aliasedKV);
  o.chose |= asked;
  return o;
}

/// Sizes in all, for the choice of the witness that is easiest to check.
static BigInt sizeOf(const Valuation &at) {
  BigInt sum(0);
  for (const auto &[name, v] : at)
    sum += v;
  return sum;
}

void Cover::take(Observation o) {
  ++runs;
  chose |= o.chose;
  for (const auto &[role, op] : o.opaque)
    opaque.try_emplace(role, op);
  if (pairsOpen.empty() && !o.pairsOpen.empty()) {
    pairsOpen = o.pairsOpen;
    pairsOpenAt = o.pairsOpenAt;
  }
  bool repeated = false;
  for (Fault &f : o.faults) {
    repeated |= f.id == "ioflor-repeated-pairs";
    BigInt size = sizeOf(o.at);
    auto it = llvm::find_if(refuted, [&](const Refuted &r) {
      return r.fault.id == f.id && r.fault.what == f.what;
    });
    if (it == refuted.end())
      refuted.push_back({std::move(f), o.at, size});
    else if (size < it->size)
      *it = {std::move(f), o.at, size};
  }
  repeats.push_back({o.nk, repeated});
  pairsDiffer |= o.pairsDiffer;
  if (o.pairs)
    sets.push_back(std::move(*o.pairs));
}

void Cover::run() {
  for (const Valuation &at : chooseSizes(subject, problem)) {
    if (left == 0 || WorkScope::exhausted())
      break;
    std::optional<Observation> first = execute(at, false);
    if (!first)
      continue;
    if (undecidedByData) {
      // What only data decide was left out: nothing of it can be concluded.
      dataReason = "lengths or conditions in memory decide what is computed";
      continue;
    }
    if (first->chose) {
      // Only what is wrong whatever the data say is a fault.
      std::optional<Observation> second = execute(at, true);
      if (!second)
        continue;
      llvm::erase_if(first->faults, [&](const Fault &f) {
        bool both = llvm::any_of(second->faults, [&](const Fault &g) {
          return f.id == g.id && f.what == g.what && f.key == g.key;
        });
        if (!both && first->pairsOpen.empty() &&
            (f.what == "pairs" || f.what == "o"))
          first->pairsOpen = "what is computed depends on data";
        return !both;
      });
      if (first->pairsOpen.empty() && second->faults.size() > 0 &&
          first->faults.empty())
        first->pairsOpen = "what is computed depends on data";
      first->chose = true;
    }
    take(std::move(*first));
  }
  // A pair that repeats only where the last tile is not full is a stale or
  // repeated row of that tile.
  for (Refuted &r : refuted) {
    if (r.fault.id != "ioflor-repeated-pairs")
      continue;
    std::optional<BigInt> nk = evaluate(problem.dims.nK, r.at);
    bool elsewhereFine =
        nk && llvm::any_of(repeats, [&](const auto &run) {
          return !run.second && run.first >= 2 && BigInt(run.first + 1) >= *nk;
        });
    if (elsewhereFine) {
      r.fault.id = "ioflor-phantom-pairs";
      r.fault.text += ": rows left from before, or read twice, stand where "
                      "there is no key";
    }
  }
  // Causes first: operands, then the output, then its pairs.
  auto rank = [](const Refuted &r) {
    return StringRef("qkvop").find(r.fault.what.front());
  };
  llvm::sort(refuted, [&](const Refuted &a, const Refuted &b) {
    return std::pair(rank(a), a.fault.id) < std::pair(rank(b), b.fault.id);
  });
}

/// The loop over the operand's rows, else its first access, else nothing.
Operation *Cover::placeOf(StringRef what) const {
  Role role = what == "q"   ? Role::Q
              : what == "v" ? Role::V
              : what == "o" ? Role::O
                            : Role::K;
  Operation *access = nullptr;
  SubjectOp(subject).walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool wanted = role == Role::O ? isa<StoreOp>(op) : isa<LoadOp>(op);
    if (!wanted || roles::roleOf(op) != role)
      return WalkResult::advance();
    access = op;
    return WalkResult::interrupt();
  });
  if (!access)
    return nullptr;
  SmallVector<LoopOp> loops = enclosingLoops(access);
  bool rows = role == Role::K || role == Role::V;
  if (rows && !loops.empty() && loops.back().getKind() == LoopKind::Seq)
    return loops.back();
  return access;
}

static DictionaryAttr witnessOf(OpBuilder &b, SubjectOp subject,
                                const Valuation &at) {
  SmallVector<NamedAttribute> values;
  for (const auto &[name, v] : at)
    values.push_back(b.getNamedAttr(name, b.getStringAttr(Expr(v).str())));
  return b.getDictionaryAttr(values);
}

void Cover::writeRefuted(OpBuilder &b, const Refuted &r) {
  Operation *at = r.fault.at ? r.fault.at : placeOf(r.fault.what);
  std::string text = r.fault.text;
  MaskName name;
  bool named =
      r.fault.id == "ioflor-uncovered-pairs" ||
      (r.fault.id == "ioflor-disclosure-mismatch" && r.fault.what == "pairs");
  bool byMask = named && !r.fault.at && pairsOpen.empty() && !pairsDiffer;
  if (byMask)
    name = nameMask(sets, problem, maskParameters(subject, problem));
  auto op = CoverageOp::create(
      b, at ? at->getLoc() : subject.getLoc(), r.fault.what, "refuted",
      "execution", byMask ? b.getStringAttr(name.kind) : StringAttr(),
      byMask && name.w ? ExprAttr::get(b.getContext(), *name.w) : ExprAttr(),
      byMask && name.pairs ? ExprAttr::get(b.getContext(), *name.pairs)
                           : ExprAttr(),
      b.getStringAttr(text), witnessOf(b, subject, r.at), runs);
  op->setAttr("ioflor.id", b.getStringAttr(r.fault.id));
  if (byMask)
    op->setAttr("ioflor.mask_text", b.getStringAttr(name.text()));
}

void Cover::writeRest(OpBuilder &b) {
  auto write = [&](StringRef what, StringRef state, std::string reason,
                   Operation *at) {
    Operation *place = at ? at : placeOf(what);
    return CoverageOp::create(
        b, place ? place->getLoc() : subject.getLoc(), what, state, "execution",
        StringAttr(), ExprAttr(), ExprAttr(),
        reason.empty() ? StringAttr() : b.getStringAttr(reason),
        DictionaryAttr(), state == "agrees" ? runs : 0);
  };
  std::string none = !dataReason.empty() ? dataReason
                     : !failure.empty()  ? failure
                                         : "no small sizes satisfy the "
                                           "assumptions";
  for (auto [role, what] : {std::pair(Role::Q, "q"), std::pair(Role::K, "k"),
                            std::pair(Role::V, "v"), std::pair(Role::O, "o")}) {
    if (llvm::any_of(refuted, [&, what = what](const Refuted &r) {
          return r.fault.what == what;
        }))
      continue;
    if (role == Role::V && problem.dims.aliasedKV)
      continue;
    if (runs == 0)
      write(what, "undecided", none, nullptr);
    else if (auto it = opaque.find(role); it != opaque.end())
      write(what, "undecided", "an access to it was not read", it->second);
    else
      write(what, "agrees", "", nullptr);
  }
  if (llvm::any_of(refuted,
                   [](const Refuted &r) { return r.fault.what == "pairs"; }))
    return;
  if (runs == 0 || !pairsOpen.empty() || sets.empty() || pairsDiffer) {
    write("pairs", "undecided",
          runs == 0            ? none
          : !pairsOpen.empty() ? pairsOpen
          : pairsDiffer        ? "heads have different pairs"
                               : "no output row was followed",
          pairsOpenAt);
    return;
  }
  MaskName name = nameMask(sets, problem, maskParameters(subject, problem));
  CoverageOp op =
      write("pairs", "agrees", chose ? "whatever the conditions on data" : "",
            nullptr);
  op.setMask(name.kind);
  if (name.w)
    op.setWAttr(ExprAttr::get(b.getContext(), *name.w));
  if (name.pairs)
    op.setPairsAttr(ExprAttr::get(b.getContext(), *name.pairs));
}

void Cover::write() {
  OpBuilder b = OpBuilder::atBlockEnd(&subject.getBody().front());
  for (const Refuted &r : refuted)
    writeRefuted(b, r);
  writeRest(b);
}

namespace {
/// The pairs that are proved are those that attention, or its disclosure,
/// needs.
bool isDeclared(const floors::Problem &problem, CoverageOp pairs) {
  using floors::MaskKind;
  MaskKind kind = problem.mask.kind;
  StringRef needed =
      kind == MaskKind::Exact ? StringRef("full") : floors::maskName(kind);
  bool isWindow = kind == MaskKind::Window || kind == MaskKind::WindowSymmetric;
  return pairs.getMask().value_or("") == needed &&
         (!isWindow || (pairs.getW() && *pairs.getW() == problem.mask.w));
}

/// Everything is covered at all sizes, by ioflor-cover-sets.
bool isProved(SubjectOp subject, const floors::Problem &problem) {
  std::set<StringRef> proved;
  for (auto c : subject.getBody().getOps<CoverageOp>())
    if (c.getBy() == "sets" && c.getState() == "proved" &&
        (c.getWhat() != "pairs" || isDeclared(problem, c)))
      proved.insert(c.getWhat());
  for (StringRef what : {"q", "k", "v", "o", "pairs"})
    if (!proved.count(what) && !(what == "v" && problem.dims.aliasedKV))
      return false;
  return true;
}

class CoverExecPass : public ioflor::impl::IoflorCoverExecBase<CoverExecPass> {
public:
  using IoflorCoverExecBase::IoflorCoverExecBase;

  void runOnOperation() override {
    SubjectOp subject = getOperation();
    // Decided before: no attention, or roles that could not be found.
    if (!subject.getBody().getOps<VerdictOp>().empty())
      return;
    std::optional<floors::Problem> problem = floors::readProblem(subject);
    if (!problem)
      return;
    PhaseScope phase(subject, "coverage", 50);
    // What is proved needs no more than a cross-check.
    Cover cover(subject, *problem,
                isProved(subject, *problem) ? steps / 8 : steps);
    cover.run();
    if (cover.hasRuns())
      phase.forgive();
    cover.write();
  }
};
} // namespace
