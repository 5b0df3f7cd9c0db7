//===- TrafficPass.cpp - ioflor-traffic -----------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "mlir/IR/Builders.h"
#include "passes/Passes.h"
#include "passes/Phase.h"
#include "passes/count/Check.h"
#include "passes/count/Collect.h"

namespace ioflor {
#define GEN_PASS_DEF_IOFLORTRAFFIC
#include "passes/Passes.h.inc"
} // namespace ioflor

using namespace mlir;
using namespace ioflor;
using namespace ioflor::count;

/// Code that is no kernel runs on an implicit cache.
static bool isHostLanguage(SubjectOp subject) {
  auto language =
      dyn_cast_or_null<StringAttr>(subject.getInfo().get("language"));
  return language && (language.getValue().equals_insensitive("c") ||
                      language.getValue().equals_insensitive("c++"));
}

/// What an implicit cache moves lies between each word once and each access.
static void applyCache(Counts &counts) {
  Count &t = counts.traffic;
  if (t.exact && counts.compulsory.exact && t.lo == counts.compulsory.lo)
    return;
  t.lo = counts.compulsory.lo;
  t.exact = false;
  t.reason = "an implicit cache decides what is moved again";
}

namespace {

struct TrafficPass : public ioflor::impl::IoflorTrafficBase<TrafficPass> {
  using IoflorTrafficBase::IoflorTrafficBase;

  void runOnOperation() override {
    SubjectOp subject = getOperation();
    if (mode != "explicit" && mode != "cache") {
      emitError(subject.getLoc())
          << "invalid mode '" << mode << "'; expected explicit or cache";
      return signalPassFailure();
    }
    // Results of an earlier run.
    for (Operation &op : llvm::make_early_inc_range(subject.getBody().front()))
      if (isa<CountOp, FootprintOp>(op))
        op.erase();
    Collected collected = collect(subject);
    collected.context.work = std::make_shared<uint64_t>(work);
    bool cache = mode == "cache" || isHostLanguage(subject);
    static const Executions none;
    const Executions &runs = collected.groups.empty()
                                 ? none
                                 : getAnalysis<SharedExecutions>().runs;
    markAnalysesPreserved<SharedExecutions>();
    PhaseScope phase(subject, "counting", 60);
    OpBuilder b = OpBuilder::atBlockEnd(&subject.getBody().front());
    for (const Group &group : collected.groups) {
      Counts counts = countGroup(group, collected.context);
      unsigned agreed = check(counts, group, runs);
      if (cache)
        applyCache(counts);
      Location loc = locationOf(subject, group);
      for (auto [measure, count] :
           {std::pair("issued", &counts.issued),
            std::pair("traffic", &counts.traffic),
            std::pair("compulsory", &counts.compulsory)})
        write(b, loc, group, measure, *count, agreed);
    }
    Footprint fast = footprint(subject, collected.context);
    OperationState state(subject.getLoc(), FootprintOp::getOperationName());
    FootprintOp::build(b, state, attribute(fast.lo), attribute(fast.hi));
    b.create(state);
  }

  ExprAttr attribute(const Expr &e) { return ExprAttr::get(&getContext(), e); }
  ExprAttr attribute(const std::optional<Expr> &e) {
    return e ? attribute(*e) : ExprAttr();
  }

  void write(OpBuilder &b, Location loc, const Group &group, StringRef measure,
             const Count &count, unsigned agreed) {
    OperationState state(loc, CountOp::getOperationName());
    CountOp::build(
        b, state, FlatSymbolRefAttr::get(&getContext(), group.buffer),
        b.getStringAttr(group.isStore ? "stores" : "loads"),
        b.getStringAttr(measure), attribute(count.lo), attribute(count.hi),
        count.exact ? b.getUnitAttr() : UnitAttr(),
        count.exact ? StringAttr() : b.getStringAttr(count.reason),
        b.getI64IntegerAttr(agreed));
    b.create(state);
  }

  /// The first access of the group, which messages about it point at.
  static Location locationOf(SubjectOp subject, const Group &group) {
    std::optional<Location> loc;
    subject.walk([&](Operation *op) {
      auto load = dyn_cast<LoadOp>(op);
      auto store = dyn_cast<StoreOp>(op);
      bool hit = (load && !group.isStore && isSlow(load) &&
                  load.getBuffer() == group.buffer) ||
                 (store && group.isStore && isSlow(store) &&
                  store.getBuffer() == group.buffer);
      if (!hit)
        return WalkResult::advance();
      loc = op->getLoc();
      return WalkResult::interrupt();
    });
    return loc.value_or(subject.getLoc());
  }
};

} // namespace
