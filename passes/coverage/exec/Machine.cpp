//===- Machine.cpp - Memory and operations of an execution ----------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/coverage/exec/Machine.h"
#include "passes/roles/Roles.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::coverage;
using interp::Lanes;

/// Words of all private copies of a buffer beyond which it is not executed.
static constexpr uint64_t maxFastWords = 1u << 24;

ProvenanceMachine::ProvenanceMachine(SubjectOp subject,
                                     std::vector<Operand> operandList,
                                     llvm::ArrayRef<std::string> names,
                                     const Valuation &at, bool choice)
    : subject(subject), operands(std::move(operandList)), names(names), at(at),
      choice(choice) {
  for (const Operand &o : operands)
    if (o.role != Role::O)
      reads[o.role].assign(o.allRows() * o.columns, 0);
}

const Operand *ProvenanceMachine::operand(Role role) const {
  for (const Operand &o : operands)
    if (o.role == role)
      return &o;
  return nullptr;
}

llvm::ArrayRef<char> ProvenanceMachine::read(Role role) const {
  auto it = reads.find(role);
  return it == reads.end() ? llvm::ArrayRef<char>()
                           : llvm::ArrayRef<char>(it->second);
}

const llvm::DenseMap<int64_t, Written> *
ProvenanceMachine::written(BufferOp buffer) const {
  auto it = buffers.find(buffer);
  return it == buffers.end() ? nullptr : &it->second->slow;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

ProvenanceMachine::Buffer *ProvenanceMachine::bufferOf(BufferOp op) {
  std::unique_ptr<Buffer> &b = buffers[op];
  if (!b) {
    b = std::make_unique<Buffer>();
    b->op = op;
    b->space = op.getSpace();
    b->role = op.getRole().value_or(Role::Other);
    for (auto [i, o] : llvm::enumerate(operands))
      if (o.buffer == op)
        b->operand = i;
    if (op.getWords())
      if (std::optional<BigInt> v = evaluate(*op.getWords(), at))
        b->words = Expr(*v).constant64();
    if (auto holds = op->getAttrOfType<StringAttr>(initialAttr)) {
      bool zero = holds.getValue() == "zero";
      if (zero || holds.getValue() == "minus infinity")
        b->initial = Val::number(zero ? Zero : MinusInfinity);
      if (auto words = op->getAttrOfType<ExprAttr>(initialWordsAttr)) {
        std::optional<BigInt> v = evaluate(words.getValue(), at);
        b->initialWords = v ? Expr(*v).constant64().value_or(0) : 0;
      }
    }
  }
  return b.get();
}

ProvenanceMachine::Slot *ProvenanceMachine::slotOf(mlir::Value v) {
  std::unique_ptr<Slot> &s = slots[v];
  if (!s)
    s = std::make_unique<Slot>();
  return s.get();
}

ProvenanceMachine::Plan &ProvenanceMachine::planOf(Operation *op) {
  std::unique_ptr<Plan> &p = plans[op];
  if (p)
    return *p;
  p = std::make_unique<Plan>();
  for (mlir::Value v : op->getOperands())
    p->in.push_back(slotOf(v));
  if (op->getNumResults())
    p->out = slotOf(op->getResult(0));
  if (auto load = dyn_cast<LoadOp>(op)) {
    p->buffer = bufferOf(resolveBuffer(load));
    p->width = p->out->width = load.getWidth();
    p->out->bytes = p->buffer->op.getElementBytes();
    p->role = roles::roleOf(op);
  } else if (auto store = dyn_cast<StoreOp>(op)) {
    p->buffer = bufferOf(resolveBuffer(store));
    p->width = store.getWidth();
    p->role = roles::roleOf(op);
  } else if (auto compute = dyn_cast<ComputeOp>(op)) {
    StringRef detail = compute.getDetail().value_or("");
    unsigned width = 1;
    for (Slot *in : p->in)
      width = std::max(width, in->width);
    p->isConstant = compute.getKind() == ComputeKind::Constant;
    if (p->isConstant)
      p->constant = algebra.constant(detail, op);
    for (Slot *in : p->in)
      p->out->bytes = std::max(p->out->bytes, in->bytes);
    p->isExtract = detail.starts_with("extract");
    p->isInsert = detail.starts_with("insert");
    if (p->isExtract || p->isInsert)
      width = planPart(*p, detail);
    p->out->width = width;
    if (auto mode = op->getAttrOfType<StringAttr>(laneModeAttr))
      p->laneMode = mode.getValue().front();
    if (auto w = op->getAttrOfType<IntegerAttr>(laneWidthAttr))
      p->laneWidth = w.getInt();
  }
  return *p;
}

/// `extract 4 at 8` (bytes) and its kind: which words; returns the width of the
/// result.
unsigned ProvenanceMachine::planPart(Plan &p, StringRef detail) {
  unsigned size = 0, offset = 0;
  StringRef rest = detail.split(' ').second;
  if (p.in.empty() || rest.consumeInteger(10, size) ||
      !rest.consume_front(" at ") || rest.getAsInteger(10, offset) || size == 0)
    return 1;
  const Slot &whole = *p.in.front();
  if (p.isExtract) {
    if (whole.width == 1 && offset == 0) { // all of it
      p.part = 0;
      return 1;
    }
    if (whole.bytes == 0 || size % whole.bytes || offset % whole.bytes ||
        (offset + size) / whole.bytes > whole.width)
      return 1;
    p.part = offset / whole.bytes;
    return size / whole.bytes;
  }
  // One word each is put in; the first has no whole before it.
  bool isFirst = p.in.size() == 1;
  if (offset % size || (!isFirst && whole.bytes != size))
    return 1;
  p.part = offset / size;
  p.out->bytes = size;
  return std::max(isFirst ? 1 : whole.width, *p.part + 1);
}

void ProvenanceMachine::fit(Slot &slot, uint32_t lanes) {
  if (slot.lanes == lanes && !slot.values.empty())
    return;
  slot.lanes = lanes;
  slot.values.assign(size_t(lanes) * slot.width, Val());
}

void ProvenanceMachine::beginCta(uint64_t number) {
  cta = number;
  for (auto &[op, b] : buffers)
    if (b->space != Space::Slow) {
      std::fill(b->cells.begin(), b->cells.end(), Val());
      b->lost = false;
    }
}

/// Linear numbers of the threads, for shuffles.
void ProvenanceMachine::prepareLanes(const Lanes &lanes) {
  if (lanesId == lanes.id)
    return;
  lanesId = lanes.id;
  linear.assign(lanes.count, 0);
  for (char axis : {'z', 'y', 'x'})
    for (const auto &[slot, column] : lanes.vars) {
      StringRef name = names[slot];
      if (name.size() < 2 || name[0] != 't' || name[1] != axis)
        continue;
      int64_t extent = 1;
      for (int64_t v : column)
        extent = std::max(extent, v + 1);
      for (uint32_t lane = 0; lane < lanes.count; ++lane)
        linear[lane] = linear[lane] * extent + column[lane];
    }
  uint32_t top = 0;
  for (uint32_t n : linear)
    top = std::max(top, n);
  laneOf.assign(size_t(top) + 1, lanes.count);
  for (uint32_t lane = 0; lane < lanes.count; ++lane)
    laneOf[linear[lane]] = lane;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Val *ProvenanceMachine::fastCell(Buffer &b, uint32_t lane, int64_t address) {
  if (address < 0)
    return nullptr;
  bool isPrivate = b.space == Space::Private;
  uint64_t copies = isPrivate ? b.lanes : 1;
  if (!b.words || *b.words <= address) {
    // Its size is not known, or it is larger than it says.
    if (b.words && !b.cells.empty())
      return nullptr;
    if (isPrivate)
      return nullptr;
    if (uint64_t(address) >= maxFastWords)
      return nullptr;
    if (b.cells.size() <= uint64_t(address))
      b.cells.resize(std::max<size_t>(address + 1, 2 * b.cells.size()));
    return &b.cells[address];
  }
  uint64_t all = copies * uint64_t(*b.words);
  if (all > maxFastWords)
    return nullptr;
  if (b.cells.size() < all)
    b.cells.resize(all);
  return &b.cells[(isPrivate ? uint64_t(lane) * *b.words : 0) + address];
}

void ProvenanceMachine::noteOverrun(Buffer &b, Operation *op, int64_t address,
                                    bool write) {
  if (b.operand >= 0 || !b.words || b.overrun ||
      (address >= 0 && address < *b.words))
    return;
  b.overrun = true;
  overruns.push_back({{op, address}, b.op, *b.words, write});
}

Val ProvenanceMachine::loadSlow(Plan &plan, Operation *op, int64_t address) {
  Buffer &b = *plan.buffer;
  noteOverrun(b, op, address, false);
  bool isInput =
      plan.role == Role::Q || plan.role == Role::K || plan.role == Role::V;
  if (b.lost)
    return algebra.unknown(b.lostAt, "a store whose address is not known");
  if (auto it = b.slow.find(address); it != b.slow.end())
    return it->second.value;
  if (isInput && b.operand >= 0) {
    const Operand &o = operands[b.operand];
    bool outside;
    std::optional<Place> place = o.decode(address, outside);
    if (outside)
      overReads.try_emplace(plan.role, Outside{op, address});
    if (!place)
      return Val();
    int64_t row = o.rowNumber(*place);
    reads[o.role][row * o.columns + place->column] = 1;
    return algebra.entry({o.role, uint32_t(row), uint32_t(place->column)});
  }
  if (isInput)
    return algebra.unknown(op, "an operand whose extents are not known");
  if (!b.initial.is(Kind::Data))
    return !b.initialWords || address < *b.initialWords ? b.initial
                                                        : Val::make(Kind::Data);
  // An output that is accumulated into starts as zeros.
  if (plan.role == Role::O)
    return Val::number(Zero);
  return Val::make(Kind::Data);
}

Val ProvenanceMachine::load(Plan &plan, Operation *op, uint32_t lane,
                            int64_t address) {
  Buffer &b = *plan.buffer;
  if (b.space == Space::Slow)
    return loadSlow(plan, op, address);
  if (b.lost)
    return algebra.unknown(b.lostAt, "a store whose address is not known");
  Val *cell = fastCell(b, lane, address);
  return cell ? *cell
              : algebra.unknown(op, "an access beyond the end of an array");
}

void ProvenanceMachine::store(Plan &plan, Operation *op, uint32_t lane,
                              int64_t address, Val v) {
  Buffer &b = *plan.buffer;
  if (b.space != Space::Slow) {
    if (Val *cell = fastCell(b, lane, address))
      *cell = v;
    return;
  }
  noteOverrun(b, op, address, true);
  auto [it, fresh] = b.slow.try_emplace(address);
  Written &w = it->second;
  if (!fresh && w.cta != cta && w.op &&
      w.op->getParentOfType<StageOp>() == op->getParentOfType<StageOp>()) {
    w.overwritten = true;
    w.lost = w.value;
  }
  w.value = v;
  w.op = op;
  w.cta = cta;
  if (plan.role == Role::O && b.operand >= 0) {
    bool outside;
    operands[b.operand].decode(address, outside);
    if (outside)
      overWrites.try_emplace(Role::O, Outside{op, address});
  }
}

void ProvenanceMachine::forget(Buffer &b, Operation *op) {
  if (!b.lost)
    b.lostAt = op;
  b.lost = true;
  if (b.role != Role::Other)
    opaque.try_emplace(b.role, op);
}

bool ProvenanceMachine::access(Operation *op, BufferOp buffer,
                               const Lanes &lanes,
                               llvm::ArrayRef<uint32_t> active,
                               llvm::ArrayRef<int64_t> at) {
  Plan &plan = planOf(op);
  Buffer &b = *plan.buffer;
  if (b.space == Space::Private && b.lanes != lanes.count) {
    b.lanes = lanes.count;
    b.cells.clear();
  }
  return (isa<LoadOp>(op)
              ? loadAll(plan, cast<LoadOp>(op), lanes, active, at)
              : storeAll(plan, cast<StoreOp>(op), lanes, active, at)) &&
         !algebra.full();
}

bool ProvenanceMachine::loadAll(Plan &plan, LoadOp op, const Lanes &lanes,
                                llvm::ArrayRef<uint32_t> active,
                                llvm::ArrayRef<int64_t> at) {
  Slot &out = *plan.out;
  fit(out, lanes.count);
  if (at.empty()) {
    if (plan.role != Role::Other && plan.buffer->space == Space::Slow)
      opaque.try_emplace(plan.role, op);
    Val v = algebra.unknown(op, "a load whose address is not known");
    for (uint32_t lane : active)
      std::fill_n(out.values.begin() + size_t(lane) * out.width, out.width, v);
    return true;
  }
  for (auto [k, lane] : llvm::enumerate(active)) {
    int64_t address = at[at.size() == 1 ? 0 : k];
    for (unsigned w = 0; w < plan.width; ++w)
      out.values[size_t(lane) * out.width + w] =
          load(plan, op, lane, address + w);
  }
  return true;
}

/// Atomic updates of one word come one after the other: each is applied to what
/// the one before left.
void ProvenanceMachine::atomicStore(Plan &plan, StoreOp op,
                                    llvm::ArrayRef<uint32_t> active,
                                    llvm::ArrayRef<int64_t> at) {
  auto update = op.getValue().getDefiningOp<ComputeOp>();
  LoadOp old;
  if (update)
    for (mlir::Value v : update.getOperands())
      if (auto load = v.getDefiningOp<LoadOp>();
          load && load.getAtomic() && load.getBuffer() == op.getBuffer())
        old = load;
  for (auto [k, lane] : llvm::enumerate(active)) {
    int64_t address = at[at.size() == 1 ? 0 : k];
    for (unsigned w = 0; w < plan.width; ++w) {
      Val v = get(*plan.in[0], lane, w);
      if (old) {
        SmallVector<Val, 4> in;
        for (mlir::Value operand : update.getOperands())
          in.push_back(operand == old.getResult()
                           ? load(plan, op, lane, address + w)
                           : get(*slotOf(operand), lane, w));
        v = apply(update, in);
      }
      store(plan, op, lane, address + w, v);
      if (plan.buffer->space == Space::Slow) {
        Written &written = plan.buffer->slow[address + w];
        written.overwritten &= !old;
      }
    }
  }
}

bool ProvenanceMachine::storeAll(Plan &plan, StoreOp op, const Lanes &lanes,
                                 llvm::ArrayRef<uint32_t> active,
                                 llvm::ArrayRef<int64_t> at) {
  if (at.empty()) {
    forget(*plan.buffer, op);
    return true;
  }
  if (op.getAtomic()) {
    atomicStore(plan, op, active, at);
    return true;
  }
  for (auto [k, lane] : llvm::enumerate(active)) {
    int64_t address = at[at.size() == 1 ? 0 : k];
    for (unsigned w = 0; w < plan.width; ++w)
      store(plan, op, lane, address + w, get(*plan.in[0], lane, w));
  }
  return true;
}

bool ProvenanceMachine::unknown(UnknownOp op) {
  auto touch = [&](BufferOp b, bool write) {
    if (write)
      forget(*bufferOf(b), op);
    else if (Role role = b.getRole().value_or(Role::Other); role != Role::Other)
      opaque.try_emplace(role, op);
  };
  if (op.getAny())
    for (auto b : subject.getBody().getOps<BufferOp>())
      touch(b, true);
  for (auto [list, write] :
       {std::pair(op.getReads(), false), std::pair(op.getWrites(), true)})
    if (list)
      for (Attribute name : *list)
        if (BufferOp b =
                resolveBuffer(op, cast<FlatSymbolRefAttr>(name).getValue()))
          touch(b, write);
  return true;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Data decide between the two. One that is a number guards against NaN or
/// masks; the other one is what the word is made of otherwise.
Val ProvenanceMachine::select(llvm::ArrayRef<Val> in, ComputeOp op) {
  if (in.size() < 2)
    return algebra.unknown(op, "a choice that was not read");
  if (in[0] == in[1])
    return in[0];
  chose = true;
  auto isNumber = [](Val v) { return v.is(Kind::Num); };
  if (isNumber(in[0]) != isNumber(in[1]))
    return isNumber(in[0]) ? in[1] : in[0];
  return choice ? in[0] : in[1];
}

Val ProvenanceMachine::apply(ComputeOp op, llvm::ArrayRef<Val> in) {
  StringRef detail = op.getDetail().value_or("");
  auto arity = [&](size_t n) { return in.size() == n; };
  switch (op.getKind()) {
  case ComputeKind::Mul:
    if (arity(2))
      return algebra.mul(in[0], in[1], op);
    break;
  case ComputeKind::Add:
    if (arity(2))
      return algebra.add(in[0], in[1], op);
    break;
  case ComputeKind::Sub:
    if (arity(2))
      return algebra.sub(in[0], in[1], op);
    break;
  case ComputeKind::Div:
    if (arity(2))
      return algebra.div(in[0], in[1], op);
    if (arity(1))
      return algebra.div(Val::number(Other), in[0], op);
    break;
  case ComputeKind::Fma:
    if (arity(3))
      return algebra.add(algebra.mul(in[0], in[1], op), in[2], op);
    break;
  case ComputeKind::Max:
  case ComputeKind::Min:
    if (!in.empty()) {
      Val v = in[0];
      for (Val o : in.drop_front())
        v = algebra.max(v, o);
      return v;
    }
    break;
  case ComputeKind::Exp:
    if (arity(1))
      return algebra.exp(in[0], op);
    break;
  case ComputeKind::Neg:
    if (arity(1))
      return algebra.neg(in[0]);
    break;
  case ComputeKind::Select:
    return select(in, op);
  case ComputeKind::Convert:
    if (arity(1))
      return in[0];
    break;
  case ComputeKind::Other:
    return algebra.other(in, detail, op);
  default:
    break;
  }
  for (Val v : in)
    if (v.is(Kind::Unknown))
      return v;
  return algebra.unknown(
      op,
      ("'" + stringifyComputeKind(op.getKind()) + " " + detail + "'").str());
}

void ProvenanceMachine::shuffle(Plan &plan, ComputeOp op, const Lanes &lanes,
                                llvm::ArrayRef<uint32_t> active,
                                llvm::ArrayRef<int64_t> at) {
  Slot &out = *plan.out;
  fit(out, lanes.count);
  auto set = [&](uint32_t lane, auto value) {
    for (unsigned w = 0; w < out.width; ++w)
      out.values[size_t(lane) * out.width + w] = value(w);
  };
  if (!plan.laneMode || at.empty() || plan.in.size() != 1 ||
      plan.laneWidth < 1) {
    Val v = algebra.unknown(op, "an exchange between lanes");
    // What all lanes have in common stays what it is.
    for (uint32_t lane : active)
      set(lane, [&](unsigned w) {
        Val own = plan.in.empty() ? Val() : get(*plan.in[0], lane, w);
        return own.is(Kind::Num) || own.is(Kind::Data) ? own : v;
      });
    return;
  }
  prepareLanes(lanes);
  isActive.assign(lanes.count, 0);
  for (uint32_t lane : active)
    isActive[lane] = 1;
  std::vector<Val> results(size_t(active.size()) * out.width);
  for (auto [k, lane] : llvm::enumerate(active)) {
    int64_t own = linear[lane], base = own - own % plan.laneWidth;
    int64_t in = own - base, offset = at[at.size() == 1 ? 0 : k];
    int64_t from =
        plan.laneMode == 'x'   ? (in ^ offset)
        : plan.laneMode == 'd' ? in + offset
        : plan.laneMode == 'u'
            ? in - offset
            : ((offset % plan.laneWidth) + plan.laneWidth) % plan.laneWidth;
    if (from < 0 || from >= plan.laneWidth)
      from = in;
    int64_t thread = base + from;
    uint32_t source =
        thread < int64_t(laneOf.size()) ? laneOf[thread] : lanes.count;
    for (unsigned w = 0; w < out.width; ++w)
      results[k * out.width + w] = source < lanes.count && isActive[source]
                                       ? get(*plan.in[0], source, w)
                                       : Val();
  }
  for (auto [k, lane] : llvm::enumerate(active))
    set(lane, [&](unsigned w) { return results[k * out.width + w]; });
}

bool ProvenanceMachine::compute(ComputeOp op, const Lanes &lanes,
                                llvm::ArrayRef<uint32_t> active,
                                llvm::ArrayRef<int64_t> at) {
  Plan &plan = planOf(op);
  if (op.getKind() == ComputeKind::Shuffle) {
    shuffle(plan, op, lanes, active, at);
    return true;
  }
  Slot &out = *plan.out;
  if (plan.isConstant) {
    if (out.values.empty())
      out.values.assign(1, plan.constant);
    out.lanes = 1;
    return true;
  }
  fit(out, lanes.count);
  SmallVector<Val, 4> in(plan.in.size());
  for (uint32_t lane : active) {
    Val *to = &out.values[size_t(lane) * out.width];
    if (plan.isExtract || plan.isInsert) {
      for (unsigned w = 0; w < out.width; ++w) {
        if (!plan.part)
          to[w] = algebra.unknown(op, "a part of a vector");
        else if (plan.isExtract)
          to[w] = get(*plan.in[0], lane, *plan.part + w);
        else if (w == *plan.part)
          to[w] = get(*plan.in.back(), lane, 0);
        else
          // Not broadcast: words beyond its end are not there.
          to[w] = plan.in.size() > 1 && w < plan.in[0]->width
                      ? get(*plan.in[0], lane, w)
                      : Val();
      }
      continue;
    }
    for (unsigned w = 0; w < out.width; ++w) {
      for (auto [i, slot] : llvm::enumerate(plan.in))
        in[i] = get(*slot, lane, w);
      to[w] = apply(op, in);
    }
  }
  return !algebra.full();
}
