//===- RemarkRules.cpp - Remarks ------------------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/roles/Roles.h"
#include "passes/verdict/Judgement.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::verdict;

/// e with every floordiv(var, g) taken out; collects the g.
static Expr withoutGroups(const Expr &e, StringRef var,
                          std::vector<Expr> &groups) {
  Expr out;
  for (const Expr &term : e.terms()) {
    Expr product(term.coefficient());
    for (const auto &[atom, power] : term.factors()) {
      Expr a = atom;
      if (atom.kind() == ExprKind::FloorDiv) {
        const Expr &top = atom.operands()[0], &by = atom.operands()[1];
        if (top == Expr::symbol(var) && !by.dependsOn(var)) {
          groups.push_back(by);
          a = Expr(1);
        }
      }
      for (unsigned i = 0; i < power; ++i)
        product *= a;
    }
    out += product;
  }
  return out;
}

static std::string loopText(LoopOp loop) {
  if (loop.getSource())
    return "'" + loop.getSource()->str() + "'";
  return (stringifyLoopKind(loop.getKind()) + llvm::Twine(" loop '") +
          loop.getVar() + "'")
      .str();
}

/// K and V once per query head where the heads of a group share them: the
/// address depends on the loop only through var / group.
static void remarkGroups(Judgement &j, Role role, std::set<std::string> &said) {
  for (Operation *op : j.view.accesses(role, /*stores=*/false)) {
    std::optional<Expr> address = cast<LoadOp>(op).getAddress();
    if (!address)
      continue;
    for (LoopOp loop : enclosingLoops(op)) {
      if (loop.getKind() == LoopKind::Thread ||
          !address->dependsOn(loop.getVar()))
        continue;
      std::vector<Expr> groups;
      Expr rest = withoutGroups(*address, loop.getVar(), groups);
      if (groups.empty() || rest.dependsOn(loop.getVar()))
        continue;
      StringRef name = stringifyRole(role);
      if (!said.insert((name + loop.getVar()).str()).second)
        continue;
      std::string group = groups.front().str();
      Finding &f = j.add("ioflor-redundant-load", "remark",
                         name.str() + " is read once per query head, " + group +
                             " times as often as one CTA per KV head would",
                         op->getLoc());
      f.notes.push_back("its address depends on " + loopText(loop) +
                        " only through " + loop.getVar().str() + "/" + group);
      f.notes.push_back("let one CTA serve all query heads of a KV head");
    }
  }
}

void ioflor::verdict::remarkRedundantLoads(Judgement &j) {
  std::set<std::string> said;
  for (Role role : {Role::Q, Role::K, Role::V})
    for (Operation *op : j.view.accesses(role, /*stores=*/false)) {
      for (LoopOp loop : roles::invariantLoops(op)) {
        // K and V for every tile of queries is what streaming means.
        if (role != Role::Q && loop.getKind() != LoopKind::Seq)
          continue;
        // Only in some iterations: a cached tile.
        if (loop.getTrips().isOne() ||
            enclosingGuards(op).freeSymbols().count(loop.getVar().str()))
          continue;
        StringRef name = stringifyRole(role);
        if (!said.insert((name + loop.getVar()).str()).second)
          continue;
        Finding &f =
            j.add("ioflor-redundant-load", "remark",
                  name.str() + " is read again in each of the " +
                      loop.getTrips().str() + " iterations of " +
                      loopText(loop) + ", on which its address does not depend",
                  op->getLoc());
        f.notes.push_back("keep the tile in fast memory across the loop, or "
                          "let the loop be the inner one");
      }
    }
  const floors::AttentionDims &dims = j.view.problem->dims;
  if (dims.heads != dims.kvHeads)
    for (Role role : {Role::K, Role::V})
      remarkGroups(j, role, said);
}

void ioflor::verdict::remarkUnread(Judgement &j) {
  SubjectOp subject = j.view.subject;
  constexpr unsigned kMost = 8;
  unsigned n = 0;
  std::set<std::string> said;
  subject.walk<WalkOrder::PreOrder>([&](Operation *op) {
    std::string reason;
    if (auto unknown = dyn_cast<UnknownOp>(op))
      reason = unknown.getReason().str();
    else if (auto load = dyn_cast<LoadOp>(op);
             load && isSlow(load) && load.getUnknown())
      reason = "address not read: " + load.getUnknown()->str();
    else if (auto store = dyn_cast<StoreOp>(op);
             store && isSlow(store) && store.getUnknown())
      reason = "address not read: " + store.getUnknown()->str();
    if (reason.empty() || !said.insert(reason).second)
      return;
    if (++n <= kMost)
      j.add("ioflor-inconclusive", "remark", reason, op->getLoc());
  });
  for (auto count : subject.getBody().getOps<CountOp>()) {
    if (count.getMeasure() != "traffic" || !count.getReason())
      continue;
    auto buffer = subject.lookupSymbol<BufferOp>(count.getBuffer());
    if (!buffer || !said.insert(count.getReason()->str()).second)
      continue;
    if (++n <= kMost)
      j.add("ioflor-inconclusive", "remark",
            count.getDirection().str() + " of '" +
                buffer.getDisplay().value_or(buffer.getSymName()).str() +
                "' not counted exactly: " + count.getReason()->str(),
            count.getLoc());
  }
  if (n > kMost)
    j.add("ioflor-inconclusive", "remark",
          std::to_string(n - kMost) + " more constructs could not be read",
          j.at);
}
