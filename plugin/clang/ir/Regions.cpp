//===- Regions.cpp - Which conditions a block runs under -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A region is the function or one loop; its nodes are the blocks that stand in
// it directly and the loops inside it, which act as one node each. Inside a
// region control flow has no cycle.
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/ir/Values.h"
#include "llvm/IR/CFG.h"

using namespace llvm;
using namespace ioflor;
using namespace ioflor::ir;

Loop *ValueReader::childLoop(Loop *region, BasicBlock *block) const {
  Loop *l = loops.getLoopFor(block);
  if (l == region)
    return nullptr;
  while (l && l->getParentLoop() != region)
    l = l->getParentLoop();
  return l;
}

Loop *ValueReader::loopLeftBy(BasicBlock *from, BasicBlock *to) const {
  Loop *left = nullptr;
  for (Loop *l = loops.getLoopFor(from); l && !l->contains(to);
       l = l->getParentLoop())
    left = l;
  return left;
}

bool ValueReader::isTrap(BasicBlock *block) {
  auto [it, fresh] = traps.try_emplace(block, false);
  if (!fresh)
    return it->second;
  bool trap = isa<UnreachableInst>(block->getTerminator());
  if (!trap && succ_size(block) > 0)
    trap = all_of(successors(block), [&](BasicBlock *s) { return isTrap(s); });
  return traps[block] = trap;
}

BasicBlock *ValueReader::regionDominator(BasicBlock *block) {
  Loop *region = loops.getLoopFor(block);
  auto *node = dom.getNode(block);
  if (!node || !node->getIDom())
    return nullptr;
  BasicBlock *idom = node->getIDom()->getBlock();
  if (region && !region->contains(idom))
    return nullptr;
  // A loop runs when its preheader does.
  if (Loop *child = childLoop(region, idom))
    return child->getLoopPreheader();
  return idom;
}

/// The raw condition under which `from` goes on to `to`.
Cond ValueReader::terminatorCondition(BasicBlock *from, BasicBlock *to) {
  Instruction *end = from->getTerminator();
  if (auto *br = dyn_cast<BranchInst>(end)) {
    if (br->isUnconditional() || br->getSuccessor(0) == br->getSuccessor(1))
      return Cond::always();
    Cond c = condition(br->getCondition());
    return br->getSuccessor(0) == to ? c : !c;
  }
  if (auto *sw = dyn_cast<SwitchInst>(end)) {
    SmallVector<Cond, 4> taken, some;
    for (auto &c : sw->cases()) {
      Cond here = compareValue(CmpInst::ICMP_EQ, sw->getCondition(),
                               Expr(c.getCaseValue()->getSExtValue()));
      some.push_back(here);
      if (c.getCaseSuccessor() == to)
        taken.push_back(here);
    }
    if (sw->getDefaultDest() == to)
      taken.push_back(!anyOf(some));
    return checked(anyOf(taken), end);
  }
  if (succ_size(from) == 1)
    return Cond::always();
  return unknownCondition(end, "control flow not understood");
}

Cond ValueReader::edge(BasicBlock *from, BasicBlock *to, bool exits) {
  if (Loop *left = loopLeftBy(from, to)) {
    for (const LoopExit &exit : loop(left).exits)
      if (exit.from == from && exit.to == to)
        return exitTaken(left, exit);
    return Cond::always();
  }
  // What is decided by a trap or by leaving the loop is no branch here.
  Loop *region = loops.getLoopFor(to);
  Cond passed;
  unsigned alive = 0;
  SmallPtrSet<BasicBlock *, 4> seen;
  for (BasicBlock *s : successors(from)) {
    if (!seen.insert(s).second || (s != to && isTrap(s)))
      continue;
    if (s != to && region && !region->contains(s)) {
      if (exits)
        for (const LoopExit &exit : loop(region).exits)
          if (exit.from == from && exit.to == s && !exit.top && exit.count)
            passed = passed &&
                     checked(lt(Expr::symbol(loop(region).var), *exit.count),
                             from->getTerminator());
      continue;
    }
    ++alive;
  }
  if (alive <= 1)
    return passed;
  return passed && terminatorCondition(from, to);
}

Cond ValueReader::exitTaken(Loop *l, const LoopExit &exit) {
  const LoopFacts &f = loop(l);
  if (!exit.count)
    return Cond::never();
  Cond taken;
  for (const LoopExit &other : f.exits) {
    if (&other == &exit || !other.count ||
        (other.from == exit.from && other.to == exit.to))
      continue;
    bool otherFirst = dom.dominates(other.from, exit.from);
    if (!otherFirst && !dom.dominates(exit.from, other.from))
      return unknownCondition(exit.from->getTerminator(),
                              "which exit of the loop is taken");
    taken = taken && (otherFirst ? lt(*exit.count, *other.count)
                                 : le(*exit.count, *other.count));
  }
  return checked(simplify(taken, context.known), exit.from->getTerminator());
}

/// Whatever way is taken from `from`, inside its region it comes to `to`.
bool ValueReader::allPathsReach(BasicBlock *from, BasicBlock *to) {
  Loop *region = loops.getLoopFor(to);
  SmallVector<BasicBlock *, 16> work{from};
  SmallPtrSet<BasicBlock *, 16> seen{from};
  while (!work.empty()) {
    BasicBlock *b = work.pop_back_val();
    SmallVector<BasicBlock *, 4> next;
    if (Loop *child = childLoop(region, b))
      child->getUniqueExitBlocks(next);
    else
      next.append(succ_begin(b), succ_end(b));
    if (next.empty() && !isTrap(b))
      return false;
    for (BasicBlock *s : next) {
      if (s == to || isTrap(s))
        continue;
      if (region && (!region->contains(s) || s == region->getHeader()))
        return false;
      if (seen.insert(s).second)
        work.push_back(s);
    }
  }
  return true;
}

Cond ValueReader::chain(BasicBlock *from, BasicBlock *to, bool exits) {
  Cond all;
  for (BasicBlock *b = from; b && b != to; b = regionDominator(b))
    all = reach(b, exits) && all;
  return all;
}

Cond ValueReader::reach(BasicBlock *block, bool exits) {
  auto key = std::make_pair(block, exits);
  if (auto it = reached.find(key); it != reached.end()) {
    sawOpen |= it->second.open;
    return it->second.value;
  }
  bool outer = sawOpen;
  sawOpen = false;
  Cond c = readReach(block, exits);
  reached[key] = {c, sawOpen};
  sawOpen |= outer;
  return c;
}

Cond ValueReader::readReach(BasicBlock *block, bool exits) {
  BasicBlock *d = regionDominator(block);
  if (!d || allPathsReach(d, block))
    return Cond::always();
  Loop *region = loops.getLoopFor(block);
  SmallVector<Cond, 4> ways;
  SmallPtrSet<BasicBlock *, 8> seen;
  for (BasicBlock *p : predecessors(block)) {
    if (!seen.insert(p).second || !dom.isReachableFromEntry(p))
      continue;
    BasicBlock *node = p;
    if (Loop *child = childLoop(region, p))
      node = child->getLoopPreheader();
    ways.push_back(chain(node, d, exits) && edge(p, block, exits));
  }
  return anyOf(ways);
}

SmallVector<std::pair<Cond, Value *>, 4>
ValueReader::incomingConditions(PHINode &phi) {
  SmallVector<std::pair<Cond, Value *>, 4> all;
  BasicBlock *block = phi.getParent();
  Loop *region = loops.getLoopFor(block);
  BasicBlock *d = regionDominator(block);
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    BasicBlock *p = phi.getIncomingBlock(i);
    BasicBlock *node = p;
    if (Loop *child = childLoop(region, p))
      node = child->getLoopPreheader();
    all.push_back({chain(node, d, false) && edge(p, block, false),
                   phi.getIncomingValue(i)});
  }
  return all;
}
