//===- Program.cpp - Compiles a skeleton for execution --------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/interp/Program.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::interp;

namespace {

class Compiler {
public:
  Compiler(SubjectOp subject, bool keepFast, bool keepValues)
      : subject(subject), keepFast(keepFast), keepValues(keepValues) {}
  Program run();

private:
  using Nodes = std::vector<std::unique_ptr<Node>>;

  void addName(StringRef name);
  CompiledTerms terms(const Expr &e);
  CompiledCond cond(const Cond &c);
  Nodes block(Block &block);
  std::unique_ptr<Node> access(Operation *op, BufferOp buffer, bool isStore,
                               const std::optional<Expr> &address,
                               int64_t width);
  std::unique_ptr<Node> unknown(UnknownOp op);
  std::unique_ptr<Node> loop(LoopOp op);
  std::unique_ptr<Node> guard(GuardOp op);
  static void mergeGuards(Node &node);
  std::unique_ptr<Node> hoistGuard(std::unique_ptr<Node> loop, StringRef var);

  SubjectOp subject;
  bool keepFast, keepValues;
  Program program;
  std::set<std::string> threadVars, symbolNames, dataNames;
};

} // namespace

void Compiler::addName(StringRef name) {
  if (program.slots.try_emplace(name, program.names.size()).second)
    program.names.push_back(name.str());
}

CompiledTerms Compiler::terms(const Expr &e) {
  CompiledTerms result;
  result.source = e;
  Expr shared, ofThread, mixed;
  for (const Expr &term : e.terms()) {
    std::set<std::string> names = term.freeSymbols();
    bool perThread = false, otherVar = false;
    for (const std::string &name : names) {
      if (threadVars.count(name))
        perThread = true;
      else if (!symbolNames.count(name))
        otherVar = true;
      if (auto it = program.slots.find(name); it != program.slots.end())
        program.used[it->second] = true;
      if (dataNames.count(name)) {
        unsigned slot = program.slots.lookup(name);
        if (!llvm::is_contained(result.dataSlots, slot))
          result.dataSlots.push_back(slot);
      }
    }
    (!perThread ? shared : otherVar ? mixed : ofThread) += term;
  }
  auto saturated = [](size_t n) {
    return uint32_t(std::min<size_t>(n, UINT32_MAX));
  };
  result.size = saturated(e.size());
  result.mixedSize = mixed.isZero() ? 0 : saturated(mixed.size());
  if (!result.dataSlots.empty())
    for (const std::string &name : e.freeSymbols())
      if (auto it = program.slots.find(name);
          it != program.slots.end() &&
          !llvm::is_contained(result.dataSlots, it->second))
        result.otherSlots.push_back(it->second);
  if (!ofThread.isZero())
    result.ofThread.emplace(ofThread, program.names);
  if (!mixed.isZero())
    result.mixed.emplace(mixed, program.names);
  if (!shared.isZero() || !result.perThread())
    result.shared.emplace(shared, program.names);
  return result;
}

CompiledCond Compiler::cond(const Cond &c) {
  CompiledCond result;
  result.kind = c.kind();
  result.source = c;
  switch (c.kind()) {
  case CondKind::NonNegative:
  case CondKind::Zero:
  case CondKind::NonZero:
    result.expr = terms(c.expr());
    result.perThread = result.expr.perThread();
    break;
  case CondKind::And:
  case CondKind::Or:
    for (const Cond &operand : c.operands()) {
      result.operands.push_back(cond(operand));
      result.perThread |= result.operands.back().perThread;
      result.hasUnknown |= result.operands.back().hasUnknown;
    }
    break;
  case CondKind::Unknown:
    result.hasUnknown = true;
    break;
  case CondKind::True:
  case CondKind::False:
    break;
  }
  return result;
}

std::unique_ptr<Node> Compiler::access(Operation *op, BufferOp buffer,
                                       bool isStore,
                                       const std::optional<Expr> &address,
                                       int64_t width) {
  bool slow = buffer && buffer.getSpace() == Space::Slow;
  if (!buffer || (!slow && !keepFast))
    return nullptr;
  auto node = std::make_unique<Node>();
  node->kind = Node::Access;
  node->op = op;
  node->isStore = isStore;
  node->buffer = buffer;
  node->width = width;
  if (address)
    node->address = terms(*address);
  if (slow) {
    node->bufferIndex =
        llvm::find(program.slowBuffers, buffer) - program.slowBuffers.begin();
    node->instrIndex = program.instrs.size();
    program.instrs.push_back(op);
  }
  return node;
}

std::unique_ptr<Node> Compiler::unknown(UnknownOp op) {
  auto node = std::make_unique<Node>();
  node->kind = Node::Unknown;
  node->op = op;
  auto touched = [&](std::optional<ArrayAttr> list) {
    std::vector<unsigned> indices;
    for (auto [index, buffer] : llvm::enumerate(program.slowBuffers)) {
      bool listed = op.getAny();
      if (list && !listed)
        for (Attribute name : *list)
          listed |=
              cast<FlatSymbolRefAttr>(name).getValue() == buffer.getSymName();
      if (listed)
        indices.push_back(index);
    }
    return indices;
  };
  node->mayRead = touched(op.getReads());
  node->mayWrite = touched(op.getWrites());
  if (node->mayRead.empty() && node->mayWrite.empty() && !keepValues)
    return nullptr;
  return node;
}

/// Guards that are all that another one holds become part of it.
void Compiler::mergeGuards(Node &node) {
  while (node.children.size() == 1 &&
         node.children.front()->kind == Node::Guard) {
    std::unique_ptr<Node> inner = std::move(node.children.front());
    for (CompiledCond &c : inner->conds)
      node.conds.push_back(std::move(c));
    node.children = std::move(inner->children);
  }
}

std::unique_ptr<Node> Compiler::guard(GuardOp op) {
  auto node = std::make_unique<Node>();
  node->kind = Node::Guard;
  node->op = op;
  node->children = block(op.getBody().front());
  if (node->children.empty() || op.getCondition().isNever())
    return nullptr;
  for (const Cond &c : op.getCondition().conjuncts())
    node->conds.push_back(cond(c));
  mergeGuards(*node);
  return node;
}

/// What a guard around the whole body of a loop asks that does not depend on
/// the loop's variable is asked before the loop.
std::unique_ptr<Node> Compiler::hoistGuard(std::unique_ptr<Node> loop,
                                           StringRef var) {
  if (loop->children.size() != 1 || loop->children.front()->kind != Node::Guard)
    return loop;
  Node &inner = *loop->children.front();
  auto outer = std::make_unique<Node>();
  outer->kind = Node::Guard;
  outer->op = inner.op;
  std::vector<CompiledCond> stay;
  for (CompiledCond &c : inner.conds) {
    // An unknown may be decided differently in each iteration.
    bool moves = !c.hasUnknown && !c.source.freeSymbols().count(var.str());
    (moves ? outer->conds : stay).push_back(std::move(c));
  }
  inner.conds = std::move(stay);
  if (inner.conds.empty()) {
    std::unique_ptr<Node> guard = std::move(loop->children.front());
    loop->children = std::move(guard->children);
  }
  if (outer->conds.empty())
    return loop;
  outer->children.push_back(std::move(loop));
  return outer;
}

/// Some kept expression at or below `node` uses the slot's name.
static bool uses(const Node &node, const std::string &name) {
  if (node.kind == Node::Loop && node.trips.source.dependsOn(name))
    return true;
  for (const CompiledCond &c : node.conds)
    if (c.source.freeSymbols().count(name))
      return true;
  if (node.address && node.address->source.dependsOn(name))
    return true;
  return llvm::any_of(node.children,
                      [&](const auto &child) { return uses(*child, name); });
}

static bool hasGridLoop(Operation *op) {
  return op
      ->walk([&](LoopOp loop) {
        return loop != op && loop.getKind() == LoopKind::Grid
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

std::unique_ptr<Node> Compiler::loop(LoopOp op) {
  auto node = std::make_unique<Node>();
  node->kind = Node::Loop;
  node->op = op;
  node->children = block(op.getBody().front());
  if (node->children.empty())
    return nullptr;
  node->loopKind = op.getKind();
  node->slot = program.slots.lookup(op.getVar());
  node->trips = terms(op.getTrips());
  node->isCta = op.getKind() == LoopKind::Grid && !hasGridLoop(op);
  std::unique_ptr<Node> result = hoistGuard(std::move(node), op.getVar());
  Node &loop = result->kind == Node::Loop ? *result : *result->children.front();
  std::string var = op.getVar().str();
  loop.usesVar = llvm::any_of(
      loop.children, [&](const auto &child) { return uses(*child, var); });
  return result;
}

Compiler::Nodes Compiler::block(Block &block) {
  Nodes nodes;
  for (Operation &op : block) {
    std::unique_ptr<Node> node;
    if (auto load = dyn_cast<LoadOp>(op)) {
      node = access(load, resolveBuffer(load), false, load.getAddress(),
                    load.getWidth());
    } else if (auto store = dyn_cast<StoreOp>(op)) {
      node = access(store, resolveBuffer(store), true, store.getAddress(),
                    store.getWidth());
    } else if (auto unknownOp = dyn_cast<UnknownOp>(op)) {
      node = unknown(unknownOp);
    } else if (auto compute = dyn_cast<ComputeOp>(op); compute && keepValues) {
      node = std::make_unique<Node>();
      node->kind = Node::Compute;
      node->op = compute;
      if (auto lane = compute->getAttrOfType<ExprAttr>(laneAttr))
        node->address = terms(lane.getValue());
    } else if (auto loopOp = dyn_cast<LoopOp>(op)) {
      node = loop(loopOp);
    } else if (auto guardOp = dyn_cast<GuardOp>(op)) {
      node = guard(guardOp);
    } else if (auto stage = dyn_cast<StageOp>(op)) {
      node = std::make_unique<Node>();
      node->kind = Node::Stage;
      node->op = stage;
      node->isCta = !hasGridLoop(stage);
      node->children = this->block(stage.getBody().front());
      if (node->children.empty())
        node = nullptr;
    }
    if (node)
      nodes.push_back(std::move(node));
  }
  return nodes;
}

Program Compiler::run() {
  Block &body = subject.getBody().front();
  for (auto symbol : body.getOps<SymbolOp>()) {
    addName(symbol.getName());
    (symbol.getData() ? dataNames : symbolNames).insert(symbol.getName().str());
    program.symbols.push_back({program.slots.lookup(symbol.getName()),
                               symbol.getData().has_value(), symbol.getLo(),
                               symbol.getHi()});
  }
  // A data symbol is one for the classification of terms, too.
  symbolNames.insert(dataNames.begin(), dataNames.end());
  subject.walk([&](LoopOp op) {
    addName(op.getVar());
    if (op.getKind() == LoopKind::Thread)
      threadVars.insert(op.getVar().str());
  });
  program.used.assign(program.names.size(), false);
  for (auto buffer : body.getOps<BufferOp>())
    program.slowBuffers.push_back(buffer);
  program.roots = block(body);
  return std::move(program);
}

Program interp::compile(SubjectOp subject, bool keepFast, bool keepValues) {
  return Compiler(subject, keepFast, keepValues).run();
}
