//===- Emit.cpp - Regions, scopes and phis of a stage -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/ir/Emit.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace ioflor;
using namespace ioflor::ir;

Emitter::Emitter(ValueReader &reader, const DataFlow &flow, Function &function,
                 LoopInfo &loops, std::map<std::string, BufferInfo> &buffers,
                 mlir::OpBuilder &builder)
    : reader(reader), flow(flow), function(function), loops(loops),
      buffers(buffers), builder(builder),
      layout(function.getParent()->getDataLayout()) {
  ReversePostOrderTraversal<Function *> rpo(&function);
  order.assign(rpo.begin(), rpo.end());
  // Values that a phi outside of their loop uses go through a register.
  for (Instruction &inst : instructions(function)) {
    Loop *l = loops.getLoopFor(inst.getParent());
    if (!l || !flow.isData(&inst))
      continue;
    for (User *u : inst.users())
      if (auto *user = dyn_cast<Instruction>(u); user && !l->contains(user))
        escaping.insert(&inst);
  }
}

const Assumptions &Emitter::here() const {
  for (mlir::Block *b = builder.getInsertionBlock(); b;) {
    auto it = facts.find(b);
    if (it != facts.end())
      return *it->second;
    mlir::Operation *parent = b->getParentOp();
    b = parent ? parent->getBlock() : nullptr;
  }
  return reader.context.known;
}

Expr Emitter::simplified(const Expr &e) const { return simplify(e, here()); }

mlir::Block *Emitter::guard(const Cond &c, mlir::Block *in,
                            mlir::Location loc) {
  mlir::OpBuilder::InsertionGuard keep(builder);
  builder.setInsertionPointToEnd(in);
  Cond simple = simplify(c, here());
  if (simple.isAlways())
    return in;
  auto op = GuardOp::create(builder, loc,
                            CondAttr::get(builder.getContext(), simple));
  mlir::Block *body = &op.getBody().emplaceBlock();
  auto inside = std::make_shared<Assumptions>(here());
  assume(*inside, simple);
  facts[body] = inside;
  return body;
}

void Emitter::guarded(const Cond &c, mlir::Location loc,
                      function_ref<void()> fn) {
  if (simplify(c, here()).isNever())
    return;
  mlir::OpBuilder::InsertionGuard keep(builder);
  mlir::Block *body = guard(c, builder.getInsertionBlock(), loc);
  builder.setInsertionPointToEnd(body);
  fn();
}

void Emitter::run(mlir::Block *body, mlir::Block *fast) {
  fastBuffers = fast;
  facts.emplace(body, std::make_shared<Assumptions>(reader.context.known));
  emitRegion(nullptr, body);
}

mlir::Block *Emitter::scopeOf(BasicBlock *block, mlir::Block *regionBody) {
  BasicBlock *d = reader.regionDominator(block);
  if (!d)
    return regionBody;
  auto it = scopes.find(d);
  mlir::Block *outer = it == scopes.end() ? regionBody : it->second;
  Cond c = reader.reach(block, /*exits=*/true);
  if (c.isAlways())
    return outer;
  Instruction *end = d->getTerminator();
  return guard(c, outer, reader.location(*end));
}

void Emitter::emitRegion(Loop *region, mlir::Block *body) {
  for (BasicBlock *block : order) {
    if (region && !region->contains(block))
      continue;
    Loop *child = reader.childLoop(region, block);
    if (child) {
      if (child->getHeader() != block)
        continue;
      BasicBlock *before = child->getLoopPreheader();
      auto it = scopes.find(before);
      emitLoop(child, it == scopes.end() ? body : it->second);
      continue;
    }
    if (reader.isTrap(block))
      continue;
    mlir::Block *scope = scopeOf(block, body);
    scopes[block] = scope;
    emitBlock(block, scope);
  }
}

void Emitter::emitLoop(Loop *l, mlir::Block *scope) {
  builder.setInsertionPointToEnd(scope);
  const LoopFacts &f = reader.loop(l);
  mlir::Location loc = mlir::UnknownLoc::get(builder.getContext());
  if (DebugLoc start = l->getStartLoc())
    for (Instruction &inst : *l->getHeader())
      if (inst.getDebugLoc()) {
        loc = reader.location(inst);
        break;
      }
  if (isa<mlir::UnknownLoc>(loc))
    loc = reader.location(*l->getHeader()->getTerminator());
  Expr trips = simplified(f.trips);
  auto op = LoopOp::create(builder, loc, LoopKind::Seq, f.var, trips,
                           mlir::StringAttr());
  mlir::Block *body = &op.getBody().emplaceBlock();
  auto inside = std::make_shared<Assumptions>(here());
  inside->declare(f.var, Expr(0), trips - 1);
  facts[body] = inside;
  emitRegion(l, body);
}

void Emitter::emitBlock(BasicBlock *block, mlir::Block *scope) {
  builder.setInsertionPointToEnd(scope);
  for (Instruction &inst : *block) {
    if (auto *phi = dyn_cast<PHINode>(&inst))
      emitPhi(*phi);
    else
      emitInstruction(inst);
  }
  emitEdges(block);
}

std::string Emitter::registerOf(Value *v) {
  std::string &name = registers[v];
  if (!name.empty())
    return name;
  StringRef base = v->getName().take_until([](char c) { return c == '.'; });
  name = reader.context.fresh(base.empty() ? "r" : ("r_" + base).str());
  Type *type = v->getType();
  unsigned bytes = std::max(1u, scalarBytes(type, layout));
  int64_t size = layout.getTypeAllocSize(type).getKnownMinValue();
  int64_t words = std::max<int64_t>(1, (size + bytes - 1) / bytes);
  declareRegister(name, bytes, words, reader.location(v));
  return name;
}

std::string Emitter::temporary(int64_t bytes, mlir::Location loc) {
  std::string name = reader.context.fresh("r_joined");
  bool words = bytes % 4 == 0;
  declareRegister(name, words ? 4 : 1, words ? bytes / 4 : bytes, loc);
  return name;
}

void Emitter::declareRegister(const std::string &name, unsigned bytes,
                              int64_t words, mlir::Location loc) {
  mlir::MLIRContext *context = builder.getContext();
  mlir::OpBuilder::InsertionGuard keep(builder);
  builder.setInsertionPointToEnd(fastBuffers);
  BufferOp::create(builder, loc, builder.getStringAttr(name),
                   SpaceAttr::get(context, Space::Private),
                   builder.getI64IntegerAttr(bytes),
                   ExprAttr::get(context, Expr(words)), RoleAttr(),
                   mlir::ArrayAttr(), mlir::StringAttr(), mlir::StringAttr(),
                   builder.getUnitAttr(), mlir::UnitAttr());
  buffers[name] = {name, Space::Private, bytes, Expr(words * bytes), ""};
}

mlir::Value Emitter::loadRegister(Value *v, mlir::Location loc) {
  Pointer p;
  p.buffer = registerOf(v);
  return readOne(p, buffers[p.buffer].bytes->constant64().value_or(1), loc,
                 false);
}

void Emitter::storeRegister(Value *v, mlir::Value value, mlir::Location loc) {
  Pointer p;
  p.buffer = registerOf(v);
  writeOne(value, p, buffers[p.buffer].bytes->constant64().value_or(1), loc,
           false);
}

void Emitter::define(Value *v, mlir::Value value) {
  values[v] = value;
  if (escaping.contains(v) && !isa<PHINode>(v))
    storeRegister(v, value, reader.location(v));
}

/// What v was when `left` was left.
mlir::Value Emitter::leaving(Value *v, Loop *left, mlir::Location loc) {
  auto *inst = dyn_cast<Instruction>(v);
  if (!inst || !left->contains(inst) || !flow.isData(v))
    return get(v, loc);
  return loadRegister(v, loc);
}

void Emitter::emitPhi(PHINode &phi) {
  if (!flow.isData(&phi))
    return;
  mlir::Location loc = reader.location(phi);
  BasicBlock *block = phi.getParent();
  Loop *left = nullptr;
  for (BasicBlock *in : phi.blocks())
    if (Loop *l = reader.loopLeftBy(in, block))
      left = l;
  if (!left) {
    // The edges have stored it.
    values[&phi] = loadRegister(&phi, loc);
    return;
  }
  Value *same = phi.getIncomingValue(0);
  for (Value *in : phi.incoming_values())
    if (in != same)
      same = nullptr;
  if (same) {
    values[&phi] = leaving(same, left, loc);
  } else {
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
      guarded(reader.edge(phi.getIncomingBlock(i), block, true), loc, [&] {
        storeRegister(&phi, leaving(phi.getIncomingValue(i), left, loc), loc);
      });
    values[&phi] = loadRegister(&phi, loc);
    return;
  }
  if (escaping.contains(&phi))
    storeRegister(&phi, values[&phi], loc);
}

/// Stores what phis of the next blocks take from this one.
void Emitter::emitEdges(BasicBlock *block) {
  SmallPtrSet<BasicBlock *, 4> seen;
  for (BasicBlock *next : successors(block)) {
    if (!seen.insert(next).second || reader.loopLeftBy(block, next) ||
        reader.isTrap(next))
      continue;
    SmallVector<PHINode *, 4> phis;
    for (PHINode &phi : next->phis())
      if (flow.isData(&phi))
        phis.push_back(&phi);
    if (phis.empty())
      continue;
    mlir::Location loc = reader.location(*block->getTerminator());
    guarded(reader.edge(block, next, true), loc, [&] {
      for (PHINode *phi : phis) {
        Value *in = phi->getIncomingValueForBlock(block);
        if (isa<UndefValue>(in) || in == phi)
          continue;
        storeRegister(phi, get(in, loc), loc);
      }
    });
  }
}
