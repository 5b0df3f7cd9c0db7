//===- Trace.cpp - From an output store back to the loads ---------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/roles/Trace.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::roles;

namespace {

/// A part of a value: `extract 2 at 4`.
struct Bytes {
  int64_t size, offset;
  auto operator<=>(const Bytes &) const = default;
};

/// What `verb` (extract, insert) says of op.
std::optional<Bytes> partOf(ComputeOp op, StringRef verb) {
  Bytes b;
  StringRef text = op.getDetail().value_or("");
  if (!text.consume_front(verb) || !text.consume_front(" ") ||
      text.consumeInteger(10, b.size) || !text.consume_front(" at ") ||
      text.consumeInteger(10, b.offset) || !text.empty() || b.size < 1 ||
      b.offset < 0)
    return std::nullopt;
  return b;
}

/// Where a walk stands: a value, and what the loop variables around it are in
/// the frame.
struct Context {
  Subst vars;
  std::optional<Expr> lane; ///< which element of a vector value
  /// Which bytes of the value `lane` counts in; absent: all of them.
  std::optional<Bytes> part;
  bool lossy = false, fragment = false, shuffled = false;
};

enum class Goal { Output, Weight, Operand };

class Tracer {
public:
  Tracer(const Flow &flow, Frame &frame, const AttentionPattern &pattern)
      : flow(flow), program(flow.program), frame(frame), pattern(pattern),
        fresh(frame.known) {}

  void run(unsigned store, Goal goal) {
    const Access &a = program.accesses[store];
    Context ctx;
    frame.store = store;
    frame.guards = a.guards;
    if (a.addr) {
      frame.addr = *a.addr;
      if (a.width > 1) {
        ctx.lane = makeLane(a.width);
        *frame.addr += *ctx.lane;
      }
    }
    walk(a.store().getValue(), goal, ctx);
  }

private:
  const Flow &flow;
  const Program &program;
  Frame &frame;
  const AttentionPattern &pattern;
  Fresh fresh;
  std::set<std::pair<void *, int>> seen;
  // What an Operand walk looks for, and where it puts it.
  const std::set<Id> *wanted = nullptr;
  std::vector<Reach> *found = nullptr;
  std::set<std::pair<void *, std::optional<Bytes>>> seenOperand;

  Expr makeLane(int64_t width) {
    return width == 1 ? Expr() : Expr::symbol(fresh.make("lane", Expr(width)));
  }

  bool anyOf(Id set, const std::set<Id> &of) const {
    return llvm::any_of(flow.sets.members(set),
                        [&](Id s) { return of.count(s) > 0; });
  }
  bool isWeightFact(const Fact &f) const {
    return (anyOf(f.a, pattern.x) && anyOf(f.b, pattern.y)) ||
           (anyOf(f.a, pattern.y) && anyOf(f.b, pattern.x));
  }
  /// Does v hold what this goal follows?
  bool holds(Value v, Goal goal) const {
    return llvm::any_of(flow.of(v), [&](Id id) {
      const Fact &f = flow.fact(id);
      switch (goal) {
      case Goal::Output:
        return (f.kind == FactKind::Product || f.kind == FactKind::Weighted) &&
               anyOf(f.c, pattern.v) && isWeightFact(f);
      case Goal::Weight:
        // A weight that a loaded scale multiplies is still the weight.
        return (f.kind == FactKind::Weight || f.kind == FactKind::Dot ||
                f.kind == FactKind::Prod || f.kind == FactKind::Stat ||
                (f.kind == FactKind::Product && !anyOf(f.c, pattern.v))) &&
               isWeightFact(f);
      case Goal::Operand:
        return isLinearIn(f, *wanted);
      }
      return false;
    });
  }
  /// Is f made of words of `of`, and not of another operand as well (a score
  /// times V is no V)?
  bool isLinearIn(const Fact &f, const std::set<Id> &of) const {
    if (f.kind != FactKind::Raw && f.kind != FactKind::Prod &&
        f.kind != FactKind::Dot)
      return false;
    bool found = false;
    for (Id set : {f.a, f.kind == FactKind::Raw ? Id(0) : f.b})
      for (Id s : flow.sets.members(set)) {
        if (of.count(s))
          found = true;
        else if (pattern.x.count(s) || pattern.y.count(s) || pattern.v.count(s))
          return false;
      }
    return found;
  }
  bool isRaw(Value v, const std::set<Id> &of) const {
    return llvm::any_of(flow.of(v),
                        [&](Id id) { return isLinearIn(flow.fact(id), of); });
  }
  bool isWeight(Value v) const {
    return llvm::any_of(flow.of(v), [&](Id id) {
      const Fact &f = flow.fact(id);
      return (f.kind == FactKind::Weight || f.kind == FactKind::Product) &&
             isWeightFact(f);
    });
  }

  void collect(Value v, const Context &ctx, const std::set<Id> &of,
               std::vector<Reach> &into) {
    wanted = &of;
    found = &into;
    seenOperand.clear();
    walk(v, Goal::Operand, ctx);
  }

  /// A multiplication of a weight by V: the output's site.
  bool outputSite(ComputeOp op, const Context &ctx) {
    if (!isProduct(op))
      return false;
    for (auto [w, v] : {std::pair(0, 1), std::pair(1, 0)}) {
      Value weight = op.getOperands()[w], value = op.getOperands()[v];
      // An output that is read again to be rescaled is no V.
      if (!isWeight(weight) || !isRaw(value, pattern.v) ||
          holds(value, Goal::Output))
        continue;
      Context at = ctx;
      at.fragment |= op.getKind() == ComputeKind::Mma;
      // Only the lane of the value operand is the output's column.
      if (!llvm::is_contained(frame.outputSites, op))
        frame.outputSites.push_back(op);
      collect(value, at, pattern.v, frame.v);
      at.lane.reset();
      walk(weight, Goal::Weight, at);
      return true;
    }
    return false;
  }

  bool scoreSite(ComputeOp op, const Context &ctx) {
    if (!isProduct(op))
      return false;
    for (auto [i, j] : {std::pair(0, 1), std::pair(1, 0)}) {
      Value x = op.getOperands()[i], y = op.getOperands()[j];
      if (!isRaw(x, pattern.x) || !isRaw(y, pattern.y))
        continue;
      Context at = ctx;
      at.fragment |= op.getKind() == ComputeKind::Mma;
      at.lane.reset();
      if (!llvm::is_contained(frame.scoreSites, op))
        frame.scoreSites.push_back(op);
      collect(x, at, pattern.x, frame.x);
      collect(y, at, pattern.y, frame.y);
      return true;
    }
    return false;
  }

  static bool isProduct(ComputeOp op) {
    ComputeKind k = op.getKind();
    return (k == ComputeKind::Mul || k == ComputeKind::Fma ||
            k == ComputeKind::Mma) &&
           op.getOperands().size() >= 2;
  }

  void walk(Value v, Goal goal, const Context &ctx) {
    if (!holds(v, goal))
      return;
    bool isNew =
        goal == Goal::Operand
            ? seenOperand.insert({v.getAsOpaquePointer(), ctx.part}).second
            : seen.insert({v.getAsOpaquePointer(), int(goal)}).second;
    Operation *def = v.getDefiningOp();
    if (!isNew || !def)
      return;
    if (auto op = dyn_cast<ComputeOp>(def)) {
      bool site = (goal == Goal::Output && outputSite(op, ctx)) ||
                  (goal == Goal::Weight && scoreSite(op, ctx));
      Context next = ctx;
      if (std::optional<Bytes> part = partOf(op, "extract")) {
        // Parts of parts; a part of a sum's or product's result is that part
        // of its operands.
        if (ctx.part)
          part = Bytes{ctx.part->size, part->offset + ctx.part->offset};
        next.part = part;
      }
      if (isLaneExchange(op))
        shuffle(next, op);
      else if (op.getKind() == ComputeKind::Mma ||
               op.getKind() == ComputeKind::Shuffle)
        next.fragment = true;
      // Of a value that is put together, the part that the lane is in.
      if (std::optional<Bytes> part = partOf(op, "insert"))
        if (std::optional<bool> inside = isInside(*part, next)) {
          auto all = op.getOperands();
          if (*inside)
            next.part.reset(), next.lane.reset();
          if (*inside || all.size() == 2)
            walk(*inside ? all.back() : all.front(), goal, next);
          return;
        }
      // A site's remaining operands are its accumulators.
      // Other lanes' values first: they show what a warp sums over.
      auto operands = op.getOperands();
      for (bool shuffles : {true, false})
        for (unsigned i = site ? 2 : 0; i < operands.size(); ++i)
          if (isShuffle(operands[i]) == shuffles)
            walk(operands[i], goal, next);
      return;
    }
    if (isa<LoadOp>(def))
      load(program.accessOf.lookup(def), goal, ctx);
  }

  /// Is the element that ctx follows the one that is inserted at `put`? Not
  /// known for all of them at once.
  static std::optional<bool> isInside(Bytes put, const Context &ctx) {
    if (ctx.part)
      return ctx.part->size == put.size
                 ? std::optional(ctx.part->offset == put.offset)
                 : std::nullopt;
    std::optional<int64_t> lane =
        ctx.lane ? ctx.lane->constant64() : std::nullopt;
    if (!lane)
      return std::nullopt;
    return *lane * put.size == put.offset;
  }

  static bool isShuffle(Value v) {
    auto op = v.getDefiningOp<ComputeOp>();
    return op && isLaneExchange(op);
  }

  /// Lanes that exchange values: the smallest group that addresses divide
  /// threads into, at most a warp.
  int64_t groupSize(const std::string &var) const {
    int64_t size = 32;
    for (const Access &a : program.accesses) {
      std::vector<std::pair<Expr, Expr>> divisions;
      if (a.addr)
        collectDivisions(*a.addr, {var}, divisions);
      for (const auto &[dividend, divisor] : divisions)
        if (auto d = divisor.constant64(); d && *d >= 2)
          size = std::min(size, *d);
    }
    return size;
  }

  /// Another lane's value: what the lane was is summed over.
  void shuffle(Context &ctx, ComputeOp op) {
    if (ctx.shuffled)
      return;
    ctx.shuffled = true;
    // Warps lie along the innermost thread dimension, x.
    llvm::SmallVector<LoopOp> around = enclosingLoops(op);
    for (LoopOp loop : llvm::reverse(around))
      if (loop.getKind() == LoopKind::Thread) {
        std::string var = loop.getVar().str();
        Expr group(groupSize(var));
        Expr lane = Expr::symbol(fresh.make(var + "_lane", group));
        auto it = ctx.vars.find(var);
        Expr was = it == ctx.vars.end() ? Expr::symbol(var) : it->second;
        ctx.vars[var] = group * floordiv(was, group) + lane;
        return;
      }
  }

  /// Which of the elements that `a` reads the walk follows.
  Expr laneOf(const Context &ctx, const Access &a) {
    if (ctx.part && a.width > 1) {
      BufferOp buffer = program.buffers[a.buffer].op;
      int64_t bytes = buffer.getElementBytes(),
              first = ctx.part->offset / bytes,
              count = std::max<int64_t>(1, ctx.part->size / bytes);
      // A part behind the last element: the sizes are of other data.
      if (ctx.part->offset % bytes == 0 && first + count <= a.width)
        return Expr(first) +
               (count > 1 && ctx.lane ? *ctx.lane : makeLane(count));
    }
    return ctx.lane ? *ctx.lane : makeLane(a.width);
  }

  void load(unsigned index, Goal goal, const Context &ctx) {
    const Access &a = program.accesses[index];
    bool slow = program.buffers[a.buffer].slow;
    Expr lane = laneOf(ctx, a);
    std::optional<Expr> at;
    if (a.addr)
      at = fresh.multiplied(a.addr->substitute(ctx.vars) +
                            (a.width == 1 ? Expr() : lane));
    if (slow && goal == Goal::Operand)
      if (auto source = flow.sourceOf(index);
          source && wanted->count(*source)) {
        Reach r;
        r.access = index;
        r.source = *source;
        if (at)
          r.addr = simplify(*at, frame.known);
        r.guards = a.guards.substitute(ctx.vars);
        r.lossy = ctx.lossy || !at || fresh.hasQuotient(*at);
        r.fragment = ctx.fragment;
        r.shuffled = ctx.shuffled;
        found->push_back(std::move(r));
      }
    // Later stores first: a loop's update before its start. Stores whose
    // iteration is solved for wrote the element; the others count only where
    // there is none.
    bool solved = false;
    for (bool onlySolved : {true, false}) {
      if (solved)
        break;
      for (unsigned s : llvm::reverse(program.writers(index)))
        if (holds(program.accesses[s].store().getValue(), goal)) {
          if (slow && goal == Goal::Weight)
            frame.scoreBuffers.insert(a.buffer);
          if (slow && goal == Goal::Output)
            frame.outputBuffers.insert(a.buffer);
          solved |= writer(s, a, at, goal, ctx, onlySolved);
        }
    }
  }

  /// In units of Program::spend: each division asks the prover.
  uint64_t costOfSolving(const Expr &written, const Expr &read) const {
    std::vector<std::pair<Expr, Expr>> divisions;
    std::set<std::string> vars = written.freeSymbols();
    vars.merge(read.freeSymbols());
    collectDivisions(written, vars, divisions);
    collectDivisions(read, vars, divisions);
    return 100 * (written.size() + read.size()) * (1 + 4 * divisions.size());
  }

  /// Continues at the store `index`, if it wrote what `reader` reads at `at`.
  /// False if that is not known (and then only without `onlySolved`).
  bool writer(unsigned index, const Access &reader,
              const std::optional<Expr> &at, Goal goal, const Context &ctx,
              bool onlySolved) {
    const Access &w = program.accesses[index];
    const Buffer &buffer = program.buffers[w.buffer];
    BufferOp memory = buffer.op;
    bool sameThread = memory.getSpace() == Space::Private;
    Context next;
    next.lossy = ctx.lossy;
    next.fragment = ctx.fragment;
    next.shuffled = ctx.shuffled;
    std::set<std::string> own;
    unsigned common = 0;
    while (common < w.loops.size() && common < reader.loops.size() &&
           w.loops[common] == reader.loops[common])
      ++common;
    for (unsigned i = 0; i < w.loops.size(); ++i) {
      LoopOp loop = w.loops[i];
      std::string var = loop.getVar().str();
      bool shared = i < common;
      if (loop.getKind() == LoopKind::Thread && !sameThread)
        shared = false;
      if (loop.getKind() == LoopKind::Grid && buffer.slow)
        shared = false;
      if (shared) {
        if (auto it = ctx.vars.find(var); it != ctx.vars.end())
          next.vars[var] = it->second;
        continue;
      }
      std::string name = fresh.make(var, loop.getTrips().substitute(next.vars));
      own.insert(name);
      next.vars[var] = Expr::symbol(name);
    }
    bool solved = true;
    if (memory.getScalar()) {
      // One word: what the writer's own loops count is summed over or last.
      if (w.width == 1 || ctx.part) {
        next.lane = ctx.lane;
        next.part = ctx.part;
      }
    } else if (w.addr && at && program.spend(costOfSolving(*w.addr, *at))) {
      std::string laneName;
      Expr written = w.addr->substitute(next.vars);
      if (w.width > 1) {
        laneName = fresh.make("lane", Expr(w.width));
        own.insert(laneName);
        written += Expr::symbol(laneName);
        next.lane = Expr::symbol(laneName);
      }
      if (auto solution = solveWriter(written, *at, own, fresh)) {
        for (auto &[var, value] : next.vars)
          value = simplify(value.substitute(*solution), frame.known);
        if (next.lane)
          next.lane = next.lane->substitute(*solution);
      } else {
        solved = false;
      }
    } else {
      solved = false;
    }
    if (!solved && onlySolved)
      return false;
    next.lossy |= !solved;
    walk(w.store().getValue(), goal, next);
    return solved;
  }
};

} // namespace

Frame ioflor::roles::traceOutput(const Flow &flow, unsigned store,
                                 const AttentionPattern &pattern) {
  Frame frame;
  frame.known = flow.program.known;
  Tracer(flow, frame, pattern).run(store, Goal::Output);
  return frame;
}

Frame ioflor::roles::traceScores(const Flow &flow, unsigned store,
                                 const AttentionPattern &pattern) {
  Frame frame;
  frame.known = flow.program.known;
  Tracer(flow, frame, pattern).run(store, Goal::Weight);
  return frame;
}
