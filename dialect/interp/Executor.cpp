//===- Executor.cpp - One run of a compiled skeleton ----------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/interp/Executor.h"
#include "dialect/expr/Work.h"
#include <atomic>
#include <numeric>

using namespace mlir;
using namespace ioflor;
using namespace ioflor::interp;

/// Threads of a CTA beyond which the lock-step arrays would get out of hand; no
/// device has more than 1024.
static constexpr uint64_t maxLanes = 1 << 20;

static uint64_t freshLaneId() {
  static std::atomic<uint64_t> next{1};
  return next++;
}

bool Executor::fail(InterpStatus status, std::string message) {
  if (result.status == InterpStatus::Ok) {
    result.status = status;
    result.message = std::move(message);
  }
  return false;
}

void Executor::work(uint64_t operations) {
  if (!__builtin_add_overflow(pending, operations, &pending) &&
      pending < 64 * interpreterOperationsPerUnit)
    return;
  WorkScope::spend(pending / interpreterOperationsPerUnit);
  pending %= interpreterOperationsPerUnit;
}

bool Executor::charge(uint64_t steps) {
  work(steps * 4);
  if (WorkScope::exhausted())
    return fail(InterpStatus::BudgetExhausted, "budget exhausted");
  if (__builtin_add_overflow(result.steps, steps, &result.steps) ||
      result.steps > options.maxSteps)
    return fail(InterpStatus::BudgetExhausted, "budget exhausted");
  return true;
}

/// total += a * b.
bool Executor::add(uint64_t &total, uint64_t a, uint64_t b) {
  uint64_t product;
  if (__builtin_mul_overflow(a, b, &product) ||
      __builtin_add_overflow(total, product, &total))
    return fail(InterpStatus::Error, "count exceeds 64 bits");
  return true;
}

//===----------------------------------------------------------------------===//
// The run
//===----------------------------------------------------------------------===//

bool Executor::bind(const Valuation &at) {
  env.assign(program.names.size(), 0);
  data.assign(program.names.size(), std::nullopt);
  for (const Program::SymbolInfo &symbol : program.symbols) {
    const std::string &name = program.names[symbol.slot];
    if (auto it = at.find(name); it != at.end()) {
      if (it->second < BigInt(INT64_MIN) || it->second > BigInt(INT64_MAX))
        return fail(InterpStatus::Error,
                    "value of symbol '" + name + "' exceeds 64 bits");
      env[symbol.slot] = int64_t(it->second);
      continue;
    }
    if (!symbol.isData) {
      if (program.used[symbol.slot])
        return fail(InterpStatus::Error, "no value for symbol '" + name + "'");
      continue;
    }
    // Ends of the range may use what was declared before, other data symbols
    // included.
    auto lookup = [&](llvm::StringRef s) -> std::optional<Range> {
      auto slot = program.slots.find(s);
      if (slot != program.slots.end() && data[slot->second])
        return data[slot->second];
      auto value = at.find(s.str());
      if (value == at.end())
        return std::nullopt;
      return Range::of(value->second);
    };
    Range range;
    if (symbol.lo)
      if (std::optional<Range> r = rangeOf(*symbol.lo, lookup))
        range.lo = r->lo;
    if (symbol.hi)
      if (std::optional<Range> r = rangeOf(*symbol.hi, lookup))
        range.hi = r->hi;
    data[symbol.slot] = range;
  }
  return true;
}

InterpCounts Executor::run(const Valuation &at) {
  directions.resize(2 * program.slowBuffers.size());
  for (auto [index, buffer] : llvm::enumerate(program.slowBuffers)) {
    std::string name = buffer.getSymName().str();
    direction(index, false).counts = &result.loads[name];
    direction(index, true).counts = &result.stores[name];
  }
  result.instrs.resize(program.instrs.size());
  for (auto [counts, op] : llvm::zip_equal(result.instrs, program.instrs))
    counts.op = op;

  if (bind(at)) {
    Lanes one;
    one.id = freshLaneId();
    uint32_t all[] = {0};
    for (auto &root : program.roots)
      if (!exec(*root, one, all, 1))
        break;
  }
  for (Direction &d : directions) {
    d.counts->compulsory = {d.compulsoryLo, d.compulsoryHi};
    if (d.open)
      d.counts->issued.hi = d.counts->traffic.hi = d.counts->compulsory.hi =
          std::nullopt;
  }
  for (unsigned index : openInstrs)
    result.instrs[index].issued.hi = result.instrs[index].traffic.hi =
        std::nullopt;
  return std::move(result);
}

void Executor::beginCta() {
  if (options.machine)
    options.machine->beginCta(ctas);
  ++ctas;
}

bool Executor::endCta() {
  for (Direction &d : directions) {
    if (!d.dirty)
      continue;
    uint64_t known = d.cta.size();
    if (!add(d.compulsoryLo, std::max(known, d.unknownLo)) ||
        !add(d.compulsoryHi, known) || !add(d.compulsoryHi, d.unknownHi))
      return false;
    if (options.keepTouched) {
      work(d.cta.pageCount() * 4);
      d.counts->touched.insert(d.cta);
    }
    d.cta.clear();
    d.unknownLo = d.unknownHi = 0;
    d.dirty = false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

bool Executor::exec(Node &node, const Lanes &lanes, Active active,
                    uint64_t mult) {
  switch (node.kind) {
  case Node::Loop:
    return execLoop(node, lanes, active, mult);
  case Node::Guard:
    return execGuard(node, lanes, active, mult);
  case Node::Access:
    return execAccess(node, lanes, active, mult);
  case Node::Compute:
    return !options.machine || execOnMachine(node, lanes, active);
  case Node::Unknown:
    if (options.machine && !options.machine->unknown(cast<UnknownOp>(node.op)))
      return fail(InterpStatus::BudgetExhausted, "budget exhausted");
    execUnknown(node);
    return charge(1);
  case Node::Stage:
    return execAll(node, lanes, active, mult);
  }
  return true;
}

/// The body of a stage or of one iteration; with the bookkeeping of a CTA where
/// it is one.
bool Executor::execAll(Node &node, const Lanes &lanes, Active active,
                       uint64_t mult) {
  if (node.isCta)
    beginCta();
  for (auto &child : node.children)
    if (!exec(*child, lanes, active, mult))
      return false;
  return !node.isCta || endCta();
}

bool Executor::execLoop(Node &node, const Lanes &lanes, Active active,
                        uint64_t mult) {
  Values trips;
  bool unbounded;
  if (!tripCounts(node.trips, lanes, active, trips, unbounded))
    return false;
  if (unbounded) {
    openBelow(node);
    return charge(1);
  }
  if (node.loopKind == LoopKind::Thread)
    return execThreads(node, lanes, active, mult, trips);
  if (trips.size() > 1 && !llvm::all_equal(trips))
    return execDivergent(node, lanes, active, mult, trips);
  if (trips.empty() || trips.front() == 0)
    return charge(1);

  if (!node.usesVar && node.loopKind == LoopKind::Seq && trips.front() > 1 &&
      !options.onAccess && !options.decide && !options.machine) {
    if (__builtin_mul_overflow(mult, uint64_t(trips.front()), &mult))
      return fail(InterpStatus::Error, "count exceeds 64 bits");
    env[node.slot] = 0;
    return charge(1) && execAll(node, lanes, active, mult);
  }
  for (int64_t i = 0; i < trips.front(); ++i) {
    env[node.slot] = i;
    if (!charge(1) || !execAll(node, lanes, active, mult))
      return false;
  }
  return true;
}

/// A sequential loop whose trip count differs from thread to thread.
bool Executor::execDivergent(Node &node, const Lanes &lanes, Active active,
                             uint64_t mult, llvm::ArrayRef<int64_t> trips) {
  int64_t most = *llvm::max_element(trips);
  std::vector<uint32_t> running(active.begin(), active.end());
  std::vector<int64_t> left(trips.begin(), trips.end());
  for (int64_t i = 0; i < most; ++i) {
    size_t kept = 0;
    for (size_t k = 0; k < running.size(); ++k)
      if (left[k] > i) {
        running[kept] = running[k];
        left[kept++] = left[k];
      }
    running.resize(kept);
    left.resize(kept);
    env[node.slot] = i;
    if (!charge(1 + kept) || !execAll(node, lanes, running, mult))
      return false;
  }
  return true;
}

/// Every active thread so far becomes `trips` threads.
bool Executor::execThreads(Node &node, const Lanes &lanes, Active active,
                           uint64_t mult, llvm::ArrayRef<int64_t> trips) {
  bool cacheable = active.size() == lanes.count && trips.size() == 1;
  CachedLanes &cached = laneCache[&node];
  if (!cacheable || !cached.lanes || cached.parent != lanes.id ||
      cached.trips != trips.front()) {
    uint64_t total = 0;
    for (size_t k = 0; k < active.size(); ++k)
      if (!add(total, trips[trips.size() == 1 ? 0 : k]) || total > maxLanes)
        return fail(InterpStatus::BudgetExhausted, "too many threads in a CTA");
    auto wider = std::make_unique<Lanes>();
    wider->id = freshLaneId();
    wider->count = total;
    for (const auto &[slot, column] : lanes.vars) {
      std::vector<int64_t> copies;
      copies.reserve(total);
      for (size_t k = 0; k < active.size(); ++k)
        copies.insert(copies.end(), trips[trips.size() == 1 ? 0 : k],
                      column[active[k]]);
      wider->vars.emplace_back(slot, std::move(copies));
    }
    std::vector<int64_t> own;
    own.reserve(total);
    for (size_t k = 0; k < active.size(); ++k)
      for (int64_t i = 0; i < trips[trips.size() == 1 ? 0 : k]; ++i)
        own.push_back(i);
    wider->vars.emplace_back(node.slot, std::move(own));
    cached.parent = cacheable ? lanes.id : 0;
    cached.trips = cacheable ? trips.front() : -1;
    cached.lanes = std::move(wider);
    cached.all.resize(total);
    std::iota(cached.all.begin(), cached.all.end(), 0);
    if (!charge(total))
      return false;
  }
  if (cached.lanes->count == 0)
    return true;
  // Nested thread loops add to the cache and may move its entries.
  const Lanes &inner = *cached.lanes;
  std::vector<uint32_t> all = cached.all;
  return execAll(node, inner, all, mult);
}

bool Executor::execGuard(Node &node, const Lanes &lanes, Active active,
                         uint64_t mult) {
  llvm::SmallVector<uint32_t, 64> passing(active.begin(), active.end());
  llvm::SmallVector<Tri, 64> truths;
  for (CompiledCond &c : node.conds) {
    if (!charge(c.perThread ? passing.size() : 1) ||
        !truth(c, lanes, passing, truths))
      return false;
    if (!c.perThread) {
      if (!holds(truths.front()))
        return true;
      continue;
    }
    size_t kept = 0;
    for (size_t k = 0; k < passing.size(); ++k)
      if (holds(truths[k]))
        passing[kept++] = passing[k];
    passing.resize(kept);
    if (passing.empty())
      return true;
  }
  return execAll(node, lanes, passing, mult);
}

void Executor::execUnknown(Node &node) {
  result.metUnknown = true;
  for (unsigned buffer : node.mayRead)
    direction(buffer, false).open = true;
  for (unsigned buffer : node.mayWrite)
    direction(buffer, true).open = true;
}

/// How often `node` executes has no upper end.
void Executor::openBelow(const Node &node) {
  result.metUnknown = true;
  if (node.kind == Node::Access && node.bufferIndex >= 0) {
    direction(node.bufferIndex, node.isStore).open = true;
    openInstrs.insert(node.instrIndex);
  }
  for (unsigned buffer : node.mayRead)
    direction(buffer, false).open = true;
  for (unsigned buffer : node.mayWrite)
    direction(buffer, true).open = true;
  for (const auto &child : node.children)
    openBelow(*child);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

bool Executor::execAccess(Node &node, const Lanes &lanes, Active active,
                          uint64_t mult) {
  if (active.empty())
    return true;
  if (options.machine)
    return execOnMachine(node, lanes, active);
  // Very wide accesses cost more than one step: they are entered page by page.
  uint64_t cost;
  if (__builtin_mul_overflow(active.size(), 1 + uint64_t(node.width) / 64,
                             &cost))
    return fail(InterpStatus::BudgetExhausted, "budget exhausted");
  if (!charge(cost))
    return false;
  Values addresses;
  bool known = node.address && !isRange(*node.address);
  llvm::SmallVector<Ends> ends;
  if (known) {
    if (!values(*node.address, lanes, active, addresses))
      return false;
    for (int64_t a : addresses)
      if (int64_t end; __builtin_add_overflow(a, node.width, &end))
        return fail(InterpStatus::Error, "address exceeds 64 bits");
  } else if (node.address) {
    ranges(*node.address, lanes, active, ends);
  }
  if (options.onAccess && !report(node, lanes, active, addresses))
    return false;
  if (node.bufferIndex < 0)
    return true;
  return known ? countAccess(node, active.size(), mult, addresses)
               : countUnknown(node, active.size(), mult, ends);
}

bool Executor::execOnMachine(Node &node, const Lanes &lanes, Active active) {
  if (!charge(active.size()))
    return false;
  Values at;
  if (node.address && !isRange(*node.address) &&
      !values(*node.address, lanes, active, at))
    return false;
  bool goesOn =
      node.kind == Node::Compute
          ? options.machine->compute(cast<ComputeOp>(node.op), lanes, active,
                                     at)
          : options.machine->access(node.op, node.buffer, lanes, active, at);
  return goesOn || fail(InterpStatus::BudgetExhausted, "budget exhausted");
}

/// The active threads execute one instruction in one iteration; `addresses` has
/// one entry if they all access the same place. Sorts it.
bool Executor::countAccess(Node &node, size_t threads, uint64_t mult,
                           Values &addresses) {
  Direction &d = direction(node.bufferIndex, node.isStore);
  InstrCounts &instr = result.instrs[node.instrIndex];
  d.dirty = true;
  for (int64_t a : addresses)
    d.cta.insert(a, node.width);
  auto [least, most] = std::minmax_element(addresses.begin(), addresses.end());
  auto widen = [&, lo = *least, hi = *most + node.width - 1](auto &counts) {
    counts.minAddress = std::min(counts.minAddress.value_or(lo), lo);
    counts.maxAddress = std::max(counts.maxAddress.value_or(hi), hi);
  };
  widen(*d.counts);
  widen(instr);
  uint64_t issued = threads * static_cast<uint64_t>(node.width);
  uint64_t distinct = countDistinct(addresses, node.width);
  for (auto [words, n] :
       {std::pair<Words *, uint64_t>{&d.counts->issued, issued},
        {&instr.issued, issued},
        {&d.counts->traffic, distinct},
        {&instr.traffic, distinct}})
    if (!add(words->lo, n, mult) || !add(*words->hi, n, mult))
      return false;
  return true;
}

/// The same where addresses are not known: the threads touch at least the words
/// of one access, at most those of each, and at most what the range spans.
bool Executor::countUnknown(Node &node, size_t threads, uint64_t mult,
                            llvm::ArrayRef<Ends> ends) {
  Direction &d = direction(node.bufferIndex, node.isStore);
  InstrCounts &instr = result.instrs[node.instrIndex];
  result.metUnknown = true;
  d.dirty = true;
  d.counts->unknownAddress = instr.unknownAddress = true;
  d.counts->touchedUnknown = true;
  uint64_t width = node.width;
  uint64_t issued = threads * width, most = issued;
  if (!ends.empty() &&
      llvm::all_of(ends, [](const Ends &e) { return e.lo && e.hi; })) {
    int64_t lo = ends.front().lo.value(), hi = ends.front().hi.value();
    for (const Ends &e : ends) {
      lo = std::min(lo, *e.lo);
      hi = std::max(hi, *e.hi);
    }
    uint64_t span = static_cast<uint64_t>(hi) - static_cast<uint64_t>(lo);
    if (!__builtin_add_overflow(span, width, &span))
      most = std::min(most, span);
  }
  d.unknownLo = std::max(d.unknownLo, width);
  return add(d.unknownHi, most, mult) &&
         add(d.counts->issued.lo, issued, mult) &&
         add(*d.counts->issued.hi, issued, mult) &&
         add(instr.issued.lo, issued, mult) &&
         add(*instr.issued.hi, issued, mult) &&
         add(d.counts->traffic.lo, width, mult) &&
         add(*d.counts->traffic.hi, most, mult) &&
         add(instr.traffic.lo, width, mult) &&
         add(*instr.traffic.hi, most, mult);
}

bool Executor::report(Node &node, const Lanes &lanes, Active active,
                      llvm::ArrayRef<int64_t> addresses) {
  AccessEvent event{node.op,    node.isStore, node.buffer, std::nullopt,
                    node.width, ctas - 1,     0,           env};
  for (size_t k = 0; k < active.size(); ++k) {
    setThread(lanes, active[k]);
    event.thread = active[k];
    if (!addresses.empty())
      event.address = addresses[addresses.size() == 1 ? 0 : k];
    options.onAccess(event);
  }
  return true;
}
