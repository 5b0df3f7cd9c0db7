//===- RolesPass.cpp - ioflor-roles -------------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "passes/Passes.h"
#include "passes/Phase.h"
#include "passes/roles/Dims.h"
#include "passes/roles/Roles.h"

namespace ioflor {
#define GEN_PASS_DEF_IOFLORROLES
#include "passes/Passes.h.inc"
} // namespace ioflor

using namespace mlir;
using namespace ioflor;
using namespace ioflor::roles;

/// Puts a buffer's accesses that serve one role into an operand.
static void addOperand(const Program &program, const Assignment &assignment,
                       Role role, const std::set<Id> &sources, Result &result) {
  std::map<unsigned, Operand> byBuffer;
  const Flow &flow = *assignment.flow;
  for (unsigned i = 0; i < program.accesses.size(); ++i) {
    std::optional<Id> source = flow.sourceOf(i);
    if (!source || !sources.count(*source))
      continue;
    Operand &o = byBuffer[program.accesses[i].buffer];
    o.buffer = program.buffers[program.accesses[i].buffer].op;
    o.role = role;
    o.accesses.push_back(program.accesses[i].op);
  }
  for (auto &[buffer, o] : byBuffer)
    result.operands.push_back(std::move(o));
}

/// Slow buffers with scores for every pair of rows: their address varies with
/// all that K's row does, unlike that of a maximum or sum over keys.
static void findScores(const Program &program, const Assignment &assignment,
                       Result &result) {
  const Flow &flow = *assignment.flow;
  for (unsigned i = 0; i < program.accesses.size(); ++i) {
    const Access &a = program.accesses[i];
    const Buffer &b = program.buffers[a.buffer];
    if (a.isLoad || !b.slow || !a.addr || result.scores.count(b.name) ||
        assignment.outputs.count(a.buffer) ||
        assignment.partials.count(a.buffer))
      continue;
    Value v = a.store().getValue();
    if (!flow.has(v, FactKind::Dot) && !flow.has(v, FactKind::Weight))
      continue;
    Frame frame = traceScores(flow, i, assignment.pattern);
    std::set<std::string> q, k;
    for (const auto &[from, into] :
         {std::pair(&frame.x, &q), std::pair(&frame.y, &k)})
      for (const Reach &r : *from)
        if (r.addr)
          for (const std::string &var : loopVarsOf(frame, program, *r.addr))
            into->insert(var);
    std::set<std::string> at = loopVarsOf(frame, program, *frame.addr);
    bool keys = false, reduced = false;
    for (const std::string &var : k)
      if (!q.count(var))
        (at.count(var) ? keys : reduced) = true;
    if (keys && !reduced)
      result.scores.insert(b.name);
  }
}

static void findRedundant(Result &result) {
  for (const Operand &o : result.operands)
    if (o.role == Role::Q || o.role == Role::K || o.role == Role::V)
      for (Operation *op : o.accesses) {
        auto load = dyn_cast<LoadOp>(op);
        if (!load)
          continue;
        for (LoopOp loop : invariantLoops(op)) {
          // K and V for every tile of queries is what streaming means.
          bool perQueryTile =
              o.role != Role::Q && loop.getKind() != LoopKind::Seq;
          if (!perQueryTile)
            result.redundant.push_back({load, loop});
        }
      }
}

Result ioflor::roles::analyseRoles(SubjectOp subject) {
  Result result;
  Program program(subject);
  Assignment assignment = assignRoles(program);
  switch (assignment.outcome) {
  case Assignment::NotAttention:
    return result;
  case Assignment::Inconclusive:
    result.outcome = Result::Inconclusive;
    result.reason = assignment.reason;
    result.at = assignment.at;
    return result;
  case Assignment::Attention:
    break;
  }
  result.outcome = Result::Attention;
  result.note = assignment.tieBreak;
  addOperand(program, assignment, Role::Q, assignment.pattern.x, result);
  addOperand(program, assignment, Role::K, assignment.pattern.y, result);
  addOperand(program, assignment, Role::V, assignment.pattern.v, result);
  for (unsigned b : assignment.outputs) {
    Operand o;
    o.buffer = program.buffers[b].op;
    o.role = Role::O;
    for (unsigned a : program.buffers[b].accesses)
      if (!program.accesses[a].isLoad)
        o.accesses.push_back(program.accesses[a].op);
    result.operands.push_back(std::move(o));
  }
  for (Operand &o : result.operands)
    if (o.buffer.getAnnotated() && o.buffer.getRole() &&
        *o.buffer.getRole() != o.role &&
        llvm::none_of(result.operands, [&](Operand &other) {
          return other.buffer == o.buffer && other.role == *o.buffer.getRole();
        })) {
      result.outcome = Result::Inconclusive;
      result.reason = "'" + o.buffer.getSymName().str() + "' is declared as " +
                      stringifyRole(*o.buffer.getRole()).str() +
                      ", but the data flow makes it " +
                      stringifyRole(o.role).str();
      result.at = o.buffer;
      return result;
    }
  for (unsigned b : assignment.partials)
    result.partials.insert(program.buffers[b].name);
  findScores(program, assignment, result);
  if (!assignment.frames.empty()) {
    Shapes shapes = readShapes(program, assignment.frames);
    result.explanation = shapes.explanation;
    decideExtents(program, shapes, result);
  }
  findRedundant(result);
  if (program.isExhausted()) {
    Result open;
    open.outcome = Result::Inconclusive;
    open.reason = "the addresses are too large to follow the operands";
    return open;
  }
  return result;
}

void ioflor::roles::writeRoles(SubjectOp subject, const Result &result) {
  Builder b(subject.getContext());
  auto expr = [&](const Expr &e) { return ExprAttr::get(b.getContext(), e); };
  std::map<Operation *, std::vector<const Operand *>> byBuffer;
  for (const Operand &o : result.operands)
    byBuffer[o.buffer].push_back(&o);
  for (auto buffer : subject.getBody().getOps<BufferOp>()) {
    bool said = buffer.getAnnotated() && buffer.getRole();
    auto it = byBuffer.find(buffer);
    if (it == byBuffer.end()) {
      if (!said)
        buffer.setRole(result.scores.count(buffer.getSymName().str())
                           ? Role::S
                           : Role::Other);
      continue;
    }
    const std::vector<const Operand *> &operands = it->second;
    const Operand &o = *operands.front();
    if (!said)
      buffer.setRole(o.role);
    if (operands.size() > 1) {
      SmallVector<Attribute> roles;
      for (const Operand *each : operands) {
        roles.push_back(b.getStringAttr(stringifyRole(each->role)));
        for (Operation *op : each->accesses)
          op->setAttr("ioflor.role",
                      b.getStringAttr(stringifyRole(each->role)));
      }
      buffer->setAttr("ioflor.roles", b.getArrayAttr(roles));
      buffer.setEvidence("inconclusive: one buffer holds several operands");
      continue;
    }
    if (o.role == Role::K && result.aliased)
      buffer->setAttr("ioflor.roles", b.getStrArrayAttr({"K", "V"}));
    if (o.extents.empty()) {
      buffer.setEvidence("inconclusive: " + o.problem);
      continue;
    }
    SmallVector<Attribute> sizes, strides, names, evidence;
    std::string text;
    for (const Extent &e : o.extents) {
      sizes.push_back(expr(e.size));
      strides.push_back(expr(e.stride));
      names.push_back(b.getStringAttr(e.dimension));
      std::string why = stringifyEvidence(e.evidence).str() + ": " + e.text;
      evidence.push_back(b.getStringAttr(why));
      if (e.capacity && e.evidence == Evidence::Guard && *e.capacity != e.size)
        buffer->setAttr("ioflor.capacity",
                        b.getStringAttr("the kernel goes over " + e.size.str() +
                                        " " + e.dimension + " of " +
                                        buffer.getSymName() +
                                        ", whose heads leave room for " +
                                        e.capacity->str()));
      text += (text.empty() ? "" : "; ") + e.dimension + ": " + why;
    }
    buffer.setExtentsAttr(b.getArrayAttr(sizes));
    buffer.setEvidence(text);
    buffer->setAttr("ioflor.dimensions", b.getArrayAttr(names));
    buffer->setAttr("ioflor.strides", b.getArrayAttr(strides));
    buffer->setAttr("ioflor.extent_evidence", b.getArrayAttr(evidence));
  }
  SmallVector<NamedAttribute> dims;
  auto dim = [&](StringRef name, const std::optional<Expr> &e) {
    if (e)
      dims.push_back(b.getNamedAttr(name, expr(*e)));
  };
  dim("n_q", result.dims.nq);
  dim("n_k", result.dims.nk);
  dim("d", result.dims.d);
  dim("d_v", result.dims.dv);
  dim("batch", result.dims.batch);
  dim("heads", result.dims.heads);
  dim("kv_heads", result.dims.kvHeads);
  subject.setDimsAttr(b.getDictionaryAttr(dims));
  if (!result.note.empty())
    subject->setAttr(roleNoteAttr, b.getStringAttr(result.note));
}

/// What the sizes that were read off demand of a caller, listed with what the
/// verdict assumes.
static void assumeOfCallers(SubjectOp subject, const Result &result) {
  Operation *last = nullptr;
  for (Operation &op : subject.getBody().front())
    if (isa<SymbolOp, AssumeOp>(op))
      last = &op;
  OpBuilder b(subject.getContext());
  if (last)
    b.setInsertionPointAfter(last);
  else
    b.setInsertionPointToStart(&subject.getBody().front());
  Assumptions known = collectAssumptions(subject);
  std::set<std::string> said;
  auto assume = [&](const Cond &c, const Twine &source) {
    if (said.insert(c.str()).second)
      AssumeOp::create(b, subject.getLoc(),
                       CondAttr::get(subject.getContext(), c),
                       b.getStringAttr(source));
  };
  // An array with a capacity holds what the kernel takes for its length.
  for (const Operand &o : result.operands)
    for (const Extent &e : o.extents) {
      if (!e.capacity || e.evidence != Evidence::Guard ||
          e.size == *e.capacity || known.isNonNegative(*e.capacity - e.size))
        continue;
      BufferOp buffer = o.buffer;
      assume(le(e.size, *e.capacity), "the distance of heads of " +
                                          buffer.getSymName() +
                                          " leaves no room for more rows");
    }
  // Grouped queries. A number of key heads that is no plain size is more likely
  // misread, or found by a division that says itself what must divide.
  const std::optional<Expr> &heads = result.dims.heads,
                            &keyHeads = result.dims.kvHeads;
  auto isPlain = [](const Expr &e) {
    return e.terms().size() == 1 &&
           (e.isConst() || llvm::all_of(e.factors(), [](const auto &f) {
              return f.first.kind() == ExprKind::Symbol;
            }));
  };
  if (heads && keyHeads && *heads != *keyHeads && isPlain(*heads) &&
      isPlain(*keyHeads) && known.isPositive(*keyHeads) &&
      !known.isDivisible(*heads, *keyHeads))
    assume(Cond::zero(mod(*heads, *keyHeads)),
           "equal numbers of query heads share the heads of K");
}

Role ioflor::roles::roleOf(Operation *access) {
  if (auto own = access->getAttrOfType<StringAttr>("ioflor.role"))
    return symbolizeRole(own.getValue()).value_or(Role::Other);
  BufferOp buffer;
  if (auto load = dyn_cast<LoadOp>(access))
    buffer = resolveBuffer(load);
  else if (auto store = dyn_cast<StoreOp>(access))
    buffer = resolveBuffer(store);
  return buffer ? buffer.getRole().value_or(Role::Other) : Role::Other;
}

SmallVector<BufferOp> ioflor::roles::materialisedScores(SubjectOp subject) {
  SmallVector<BufferOp> out;
  for (auto buffer : subject.getBody().getOps<BufferOp>())
    if (buffer.getRole() == Role::S)
      out.push_back(buffer);
  return out;
}

SmallVector<LoopOp> ioflor::roles::invariantLoops(Operation *access) {
  std::optional<Expr> address;
  if (auto load = dyn_cast<LoadOp>(access))
    address = load.getAddress();
  else if (auto store = dyn_cast<StoreOp>(access))
    address = store.getAddress();
  SmallVector<LoopOp> out;
  if (!address)
    return out;
  for (LoopOp loop : enclosingLoops(access))
    if (loop.getKind() != LoopKind::Thread &&
        !address->dependsOn(loop.getVar()))
      out.push_back(loop);
  return out;
}

namespace {
struct RolesPass : ioflor::impl::IoflorRolesBase<RolesPass> {
  using IoflorRolesBase::IoflorRolesBase;

  void runOnOperation() override {
    SubjectOp subject = getOperation();
    Result result;
    {
      PhaseScope phase(subject, "roles", 40);
      result = analyseRoles(subject);
      // Half an answer may be a wrong one.
      if (phase.work().ranOut()) {
        result = {};
        result.outcome = Result::Inconclusive;
        result.reason = exhaustedIn("roles");
      }
    }
    OpBuilder b(subject.getContext());
    b.setInsertionPointToEnd(&subject.getBody().front());
    switch (result.outcome) {
    case Result::NotAttention:
      VerdictOp::create(b, subject.getLoc(), "not-attention", "");
      return;
    case Result::Inconclusive: {
      Location loc = result.at ? result.at->getLoc() : subject.getLoc();
      FindingOp::create(b, loc, "ioflor-inconclusive", "remark",
                        "roles of the operands not found: " + result.reason,
                        b.getArrayAttr({}), DictionaryAttr(), StringAttr());
      VerdictOp::create(b, subject.getLoc(), "inconclusive", result.reason);
      return;
    }
    case Result::Attention:
      writeRoles(subject, result);
      assumeOfCallers(subject, result);
      if (explain)
        emitRemark(subject.getLoc()) << "operands\n" << result.explanation;
    }
  }
};
} // namespace
