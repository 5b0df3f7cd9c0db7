//===- Via.cpp - Values of other lanes and elements -----------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/coverage/sets/Dataflow.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::sets;

static std::string withLane(const Statement &s, const std::string &lane) {
  std::string out = s.name + "[";
  for (unsigned i = 0; i < s.dims.size(); ++i)
    out += (i ? ", " : "") + spell(s.dims[i]);
  if (s.width > 1)
    out += (s.dims.empty() ? "" : ", ") + lane;
  return out + "]";
}

namespace {
/// The threads of a CTA as one number; x, the innermost loop, varies fastest.
struct LinearThread {
  std::string text;
  std::vector<std::pair<std::string, int64_t>> sizes; ///< innermost first
};
} // namespace

static std::optional<LinearThread> linearThread(Operation *op) {
  LinearThread out;
  int64_t below = 1;
  SmallVector<LoopOp> loops = enclosingLoops(op);
  for (LoopOp loop : llvm::reverse(loops)) {
    if (loop.getKind() != LoopKind::Thread)
      continue;
    auto trips = loop.getTrips().constant64();
    if (!trips)
      return std::nullopt;
    std::string name = spell(loop.getVar());
    out.text +=
        (out.text.empty() ? "" : " + ") + std::to_string(below) + "*" + name;
    out.sizes.push_back({name, *trips});
    below *= *trips;
  }
  if (out.sizes.empty())
    return std::nullopt;
  return out;
}

/// { instance -> instance of the thread that it reads from }.
Map Dataflow::partner(unsigned shuffle, std::string &why) {
  const Statement &s = model.statements[shuffle];
  auto op = cast<ComputeOp>(s.op);
  auto lane = op->getAttrOfType<ExprAttr>(laneAttr);
  auto mode = op->getAttrOfType<StringAttr>(laneModeAttr);
  auto width = op->getAttrOfType<IntegerAttr>(laneWidthAttr);
  why = "a value comes from another lane";
  if (!lane || !mode || !width || width.getInt() < 1 ||
      !llvm::isPowerOf2_64(width.getInt()))
    return Map();
  int64_t w = width.getInt();
  Affine affine(model.params, {s.dims.begin(), s.dims.end()});
  auto offset = affine.expr(lane.getValue());
  if (!offset)
    return Map();
  std::optional<LinearThread> thread = linearThread(s.op);
  if (!thread)
    return Map();
  const auto &[linear, sizes] = *thread;
  std::string ws = std::to_string(w);
  std::string in = "((" + linear + ") mod " + ws + ")";
  // From one lane in the group to another, piece by piece.
  struct Piece {
    std::string when, from;
  };
  std::vector<Piece> pieces;
  std::string off = "(" + *offset + ")";
  if (mode.getValue() == "xor") {
    // x ^ o for a power of two o: its bit is set or cleared.
    for (int64_t o = 1; o < w; o *= 2) {
      std::string bit = std::to_string(o);
      pieces.push_back(
          {off + " = " + bit, in + " + " + bit + " - " + std::to_string(2 * o) +
                                  "*(floor(" + in + "/" + bit + ") mod 2)"});
    }
    pieces.push_back({off + " = 0", in});
  } else if (mode.getValue() == "down" || mode.getValue() == "up") {
    bool down = mode.getValue() == "down";
    std::string from = in + (down ? " + " : " - ") + off;
    std::string inside =
        "0 <= " + off + " and " + from + (down ? " < " + ws : " >= 0");
    std::string outside =
        "0 <= " + off + " and " + from + (down ? " >= " + ws : " < 0");
    pieces.push_back({inside, from});
    pieces.push_back({outside, in});
  } else if (mode.getValue() == "idx") {
    pieces.push_back({"1 = 1", off + " mod " + ws});
  } else {
    return Map();
  }
  Map out;
  for (const Piece &p : pieces) {
    std::string target = "((" + linear + ") - " + in + " + " + p.from + ")";
    std::map<std::string, std::string> moved;
    int64_t unit = 1;
    for (const auto &[name, size] : sizes) {
      moved[name] = "(floor(" + target + "/" + std::to_string(unit) + ") mod " +
                    std::to_string(size) + ")";
      unit *= size;
    }
    std::string to = s.name + "[";
    for (unsigned i = 0; i < s.dims.size(); ++i) {
      std::string name = spell(s.dims[i]);
      to += (i ? ", " : "") + (moved.count(name) ? moved[name] : name);
    }
    if (s.width > 1)
      to += ", lane";
    Map m = model.map("{ " + s.tuple() + " -> " + to + "] : " + p.when + " }");
    m = intersectDomain(m, s.domain);
    if (isEmpty(m) == true)
      continue;
    out = out ? unite(out, m) : m;
  }
  if (!out)
    return out;
  // The lane that is read must take part.
  return intersectRange(intersectDomain(out, s.domain), s.domain);
}

std::optional<Reduction> ioflor::sets::reductionOf(Value v) {
  Reduction out;
  uint64_t bits = 0;
  std::optional<StringRef> mode;
  auto step = [&](Value sum) -> Value {
    auto add = sum.getDefiningOp<ComputeOp>();
    if (!add || add.getKind() != ComputeKind::Add ||
        add.getOperands().size() != 2)
      return Value();
    for (unsigned side : {0u, 1u}) {
      auto moved = add.getOperands()[side].getDefiningOp<ComputeOp>();
      Value own = add.getOperands()[1 - side];
      if (!moved || moved.getKind() != ComputeKind::Shuffle ||
          moved.getOperands().size() != 1 || moved.getOperands()[0] != own ||
          moved->getBlock() != add->getBlock())
        continue;
      auto lane = moved->getAttrOfType<ExprAttr>(laneAttr);
      auto how = moved->getAttrOfType<StringAttr>(laneModeAttr);
      auto width = moved->getAttrOfType<IntegerAttr>(laneWidthAttr);
      auto offset = lane ? lane.getValue().constant64() : std::nullopt;
      if (!how || !width || !offset || *offset < 1 ||
          !llvm::isPowerOf2_64(*offset) || *offset >= width.getInt() ||
          bits & *offset || (mode && *mode != how.getValue()) ||
          (out.width && out.width != width.getInt()))
        continue;
      bits |= *offset;
      mode = how.getValue();
      out.width = width.getInt();
      return own;
    }
    return Value();
  };
  for (Value at = v; Value next = step(at); at = next)
    out.base = next;
  if (!out.base || !llvm::isPowerOf2_64(out.width) ||
      !llvm::isShiftedMask_64(bits))
    return std::nullopt;
  out.mode = *mode == "xor"    ? Reduction::Xor
             : *mode == "down" ? Reduction::Down
             : *mode == "up"   ? Reduction::Up
                               : Reduction::None;
  if (out.mode == Reduction::None)
    return std::nullopt;
  out.distance = bits & -bits;
  out.span = bits + out.distance;
  return out;
}

/// { instance -> instance in each thread that the sum takes in }, for the
/// threads whose sum takes in each of them once. Null if that is not so for
/// some thread that takes part, or cannot be said.
Map Dataflow::summed(unsigned id, const Reduction &r) {
  const Statement &s = model.statements[id];
  std::optional<LinearThread> thread = linearThread(s.op);
  if (!thread)
    return Map();
  std::map<std::string, std::string> other;
  std::string linear = thread->text, otherLinear, when;
  int64_t unit = 1;
  for (const auto &[name, size] : thread->sizes) {
    other[name] = "o_" + name;
    otherLinear += (otherLinear.empty() ? "" : " + ") + std::to_string(unit) +
                   "*" + other[name];
    when += " and 0 <= " + other[name] + " < " + std::to_string(size);
    unit *= size;
  }
  // A last warp that is not full has lanes without a value.
  if (unit % r.width)
    return Map();
  std::string w = std::to_string(r.width), span = std::to_string(r.span),
              in = "((" + linear + ") mod " + w + ")";
  std::string first; // of the threads that are summed
  switch (r.mode) {
  case Reduction::Xor:
    first = "(" + linear + ") - ((" + linear + ") mod " + span + ") + ((" +
            linear + ") mod " + std::to_string(r.distance) + ")";
    break;
  // Beyond the ends of the group a lane gets its own value instead.
  case Reduction::Down:
    first = linear;
    when +=
        " and " + in + " + " + std::to_string(r.span - r.distance) + " < " + w;
    break;
  default:
    first = "(" + linear + ") - " + std::to_string(r.span - r.distance);
    when += " and " + in + " >= " + std::to_string(r.span - r.distance);
  }
  std::string to = s.name + "[";
  for (unsigned i = 0; i < s.dims.size(); ++i) {
    std::string name = spell(s.dims[i]);
    to += (i ? ", " : "") + (other.count(name) ? other[name] : name);
  }
  if (s.width > 1)
    to += ", lane";
  Map m = model.map("{ " + s.tuple() + " -> " + to + "] : (" + first +
                    ") <= (" + otherLinear + ") < (" + first + ") + " + span +
                    " and ((" + otherLinear + ") - (" + first + ")) mod " +
                    std::to_string(r.distance) + " = 0" + when + " }");
  m = intersectDomain(m, s.domain);
  // A lane that does not take part gives nobody knows what.
  return isSubset(range(m), s.domain) == true ? m : Map();
}

/// Is v made, within its thread's registers, of another exchange than sums over
/// lanes?
static bool exchanges(Value v) {
  llvm::SmallPtrSet<Operation *, 16> seen;
  SmallVector<Value> todo{v};
  while (!todo.empty()) {
    Value at = todo.pop_back_val();
    auto op = at.getDefiningOp<ComputeOp>();
    if (!op || !seen.insert(op).second)
      continue;
    if (std::optional<Reduction> r = reductionOf(at)) {
      todo.push_back(r->base);
      continue;
    }
    if (op.getKind() == ComputeKind::Shuffle)
      return true;
    todo.append(op.getOperands().begin(), op.getOperands().end());
  }
  return false;
}

const Terms &Dataflow::via(unsigned id, unsigned want) {
  const Statement &s = model.statements[id];
  auto op = cast<ComputeOp>(s.op);
  Key key{s.op, want};
  auto it = vias.find(key);
  if (it != vias.end())
    return it->second;
  auto giveUp = [&](StringRef why) -> const Terms & {
    reasons.try_emplace(id, why.str());
    return vias[key] = single(id, id, TermKind::Opaque);
  };
  Terms out;
  Set reached;
  auto addPart = [&](const Map &part, Value v, const Map &up) {
    add(out, through(then(part, up), value(v, want)));
    reached = reached ? unite(reached, domain(part)) : domain(part);
  };
  if (std::optional<Reduction> r = reductionOf(op.getResult())) {
    Map lanes = summed(id, *r);
    Map up = model.upwards(id, model.idOf(r->base.getDefiningOp()));
    if (!lanes || !up)
      return giveUp("not all lanes take part in a sum over lanes");
    addPart(lanes, r->base, up);
  } else if (op.getKind() == ComputeKind::Shuffle) {
    if (op.getOperands().size() != 1)
      return giveUp("a value comes from another lane");
    Value v = op.getOperands()[0];
    // Each step of a reduction nests another `mod`: too large after a few.
    if (exchanges(v))
      return giveUp("lanes exchange values several times");
    std::string why;
    Map lanes = partner(id, why);
    Map up = model.upwards(id, model.idOf(v.getDefiningOp()));
    if (!lanes || !up)
      return giveUp(why);
    addPart(lanes, v, up);
  } else {
    auto part = partOf(op);
    if (!part || part->bytes < 1 || part->offset % part->bytes ||
        op.getOperands().empty())
      return giveUp("an element of a vector is chosen");
    // From the whole vector.
    auto fromVector = [&](Value v, const std::string &lane,
                          const std::string &when) {
      const Statement &d = model.statements[model.idOf(v.getDefiningOp())];
      for (const std::string &dim : d.dims)
        if (!llvm::is_contained(s.dims, dim))
          return false;
      Map m = model.map("{ " + s.tuple() + " -> " + withLane(d, lane) + " : " +
                        when + " }");
      m = intersectRange(intersectDomain(m, s.domain), d.domain);
      add(out, through(m, value(v, want)));
      reached = reached ? unite(reached, domain(m)) : domain(m);
      return true;
    };
    auto bytesOf = [&](Value v) {
      return model.statements[model.idOf(v.getDefiningOp())].elementBytes;
    };
    if (!part->insert) {
      Value v = op.getOperands()[0];
      int64_t bytes = bytesOf(v);
      if (!bytes || part->bytes % bytes || part->offset % bytes)
        return giveUp("an element of a vector is chosen");
      std::string first = std::to_string(part->offset / bytes);
      if (!fromVector(v, s.width > 1 ? "lane + " + first : first, "1 = 1"))
        return giveUp("an element of a vector is chosen");
    } else {
      // The last operand goes into its place; the others stay.
      Value x = op.getOperands().back();
      unsigned from = model.idOf(x.getDefiningOp());
      Map up = model.upwards(id, from);
      std::string at = std::to_string(part->offset / part->bytes);
      if (!up || model.statements[from].width > 1)
        return giveUp("an element of a vector is chosen");
      Map same = model.map("{ " + s.tuple() + " -> " + s.tuple() + " : " +
                           (s.width > 1 ? "lane = " + at : "1 = 1") + " }");
      addPart(intersectDomain(same, s.domain), x, up);
      if (op.getOperands().size() > 1 && s.width > 1 &&
          (bytesOf(op.getOperands()[0]) != part->bytes ||
           !fromVector(op.getOperands()[0], "lane",
                       "lane < " + at + " or lane > " + at)))
        return giveUp("an element of a vector is chosen");
    }
  }
  Set rest = reached ? subtract(s.domain, reached) : s.domain;
  if (isEmpty(rest) != true) {
    reasons.try_emplace(id, "a lane or element is read that holds no value");
    add(out, id, TermKind::Opaque,
        intersectDomain(model.upwards(id, id), rest));
  }
  return vias[key] = std::move(out);
}
