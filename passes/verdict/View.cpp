//===- View.cpp - What the passes before know of a subject ----------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/verdict/View.h"
#include "passes/roles/Roles.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::verdict;

static StringRef bufferOf(Operation *access) {
  if (auto load = dyn_cast<LoadOp>(access))
    return load.getBuffer();
  return cast<StoreOp>(access).getBuffer();
}

View::View(SubjectOp subject)
    : subject(subject), known(collectAssumptions(subject)) {
  problem = floors::readProblem(subject, &why);
  known.declare(fastWordsName(subject), Expr(1), std::nullopt);
  Block &body = subject.getBody().front();
  for (auto assumption : body.getOps<AssumeOp>())
    for (const Cond &part : assumption.getCondition().conjuncts())
      if (!part.hasUnknown())
        assumptions.push_back(part);
  for (auto symbol : body.getOps<SymbolOp>())
    if (symbol.getData())
      dataSymbols.insert(symbol.getName().str());
  counted = !body.getOps<CountOp>().empty();
  for (auto footprint : body.getOps<FootprintOp>()) {
    if (!footprint.getLo().dependsOnAny(dataSymbols))
      footprintLo = footprint.getLo();
    if (footprint.getHi() && !footprint.getHi()->dependsOnAny(dataSymbols))
      footprintHi = footprint.getHi();
  }
  for (BufferOp buffer : slowBuffers())
    if (buffer.getRole())
      rolesOf[buffer.getSymName().str()].insert(*buffer.getRole());
  subject.walk([&](Operation *op) {
    if (auto load = dyn_cast<LoadOp>(op); load && isSlow(load))
      rolesOf[load.getBuffer().str()].insert(roles::roleOf(op));
    else if (auto store = dyn_cast<StoreOp>(op); store && isSlow(store))
      rolesOf[store.getBuffer().str()].insert(roles::roleOf(op));
    else if (auto unknown = dyn_cast<UnknownOp>(op)) {
      // Whatever it may touch has no upper end, whoever counted.
      for (BufferOp buffer : slowBuffers())
        if (unknown.getAny()) {
          unboundedLoads.insert(buffer.getSymName().str());
          unboundedStores.insert(buffer.getSymName().str());
        }
      auto mark = [](std::optional<ArrayAttr> list, std::set<std::string> &to) {
        if (list)
          for (Attribute name : *list)
            to.insert(cast<FlatSymbolRefAttr>(name).getValue().str());
      };
      mark(unknown.getReads(), unboundedLoads);
      mark(unknown.getWrites(), unboundedStores);
    }
  });
}

/// How ioflor-traffic begins the reason of a count that was not executed.
static constexpr char kNotCompared[] = "not compared with an execution";

std::string View::notExecuted() const {
  SubjectOp s = subject;
  for (auto count : s.getBody().getOps<CountOp>())
    if (count.getMeasure() == "traffic" && count.getReason() &&
        count.getReason()->starts_with(kNotCompared))
      return ("the count of the " + count.getDirection() + " of '" +
              count.getBuffer() + "' was " + *count.getReason())
          .str();
  return "";
}

std::vector<BufferOp> View::slowBuffers() const {
  std::vector<BufferOp> out;
  SubjectOp s = subject;
  for (auto buffer : s.getBody().getOps<BufferOp>())
    out.push_back(buffer);
  return out;
}

Words View::buffer(BufferOp buffer, StringRef direction,
                   StringRef measure) const {
  Words w;
  SubjectOp s = subject;
  if (!counted)
    w.hi = std::nullopt;
  for (auto count : s.getBody().getOps<CountOp>()) {
    if (count.getBuffer() != buffer.getSymName() ||
        count.getDirection() != direction || count.getMeasure() != measure)
      continue;
    w.lo = count.getLo();
    w.hi = count.getExact() && !count.getHi() ? count.getLo() : count.getHi();
  }
  // A value that memory decides may differ from use to use.
  if (w.lo.dependsOnAny(dataSymbols))
    w.lo = 0;
  if (w.hi && w.hi->dependsOnAny(dataSymbols))
    w.hi = std::nullopt;
  const std::set<std::string> &unbounded =
      direction == "loads" ? unboundedLoads : unboundedStores;
  if (unbounded.count(buffer.getSymName().str()))
    w.hi = std::nullopt;
  return w;
}

std::set<Role> View::rolesIn(BufferOp buffer) const {
  auto it = rolesOf.find(buffer.getSymName().str());
  return it == rolesOf.end() ? std::set<Role>() : it->second;
}

std::vector<BufferOp> View::holding(Role role) const {
  std::vector<BufferOp> out;
  for (BufferOp buffer : slowBuffers()) {
    auto it = rolesOf.find(buffer.getSymName().str());
    if (it != rolesOf.end() && it->second.count(role))
      out.push_back(buffer);
  }
  return out;
}

Words View::operand(Role role, StringRef direction) const {
  Words total;
  for (BufferOp b : holding(role)) {
    Words w = buffer(b, direction);
    // A buffer of several operands is counted as one: any share may be this
    // operand's.
    if (rolesOf.at(b.getSymName().str()).size() > 1)
      w.lo = 0;
    total += w;
  }
  return total;
}

Words View::all(StringRef direction) const {
  Words total;
  for (BufferOp b : slowBuffers())
    total += buffer(b, direction);
  return total;
}

static std::vector<Role> rolesAgainst(StringRef what) {
  if (what == "q")
    return {Role::Q};
  if (what == "k")
    return {Role::K};
  if (what == "v")
    return {Role::V};
  if (what == "o")
    return {Role::O};
  if (what == "qk")
    return {Role::Q, Role::K};
  if (what == "loads")
    return {Role::Q, Role::K, Role::V};
  return {Role::Q, Role::K, Role::V, Role::O};
}

Words View::against(StringRef what) const {
  Words total;
  if (what == "total") {
    total += all("loads");
    total += all("stores");
    return total;
  }
  if (what == "o")
    return operand(Role::O, "stores");
  // Several operands of one buffer are counted together, each buffer once.
  std::vector<Role> roles = rolesAgainst(what);
  for (BufferOp b : slowBuffers()) {
    auto it = rolesOf.find(b.getSymName().str());
    if (it == rolesOf.end())
      continue;
    bool some = false, others = false;
    for (Role r : it->second)
      (llvm::is_contained(roles, r) ? some : others) = true;
    if (!some)
      continue;
    Words w = buffer(b, "loads");
    if (others)
      w.lo = 0;
    total += w;
  }
  if (what == "qk") {
    total += operand(Role::S, "loads");
    total += operand(Role::S, "stores");
  }
  return total;
}

std::vector<Operation *> View::accesses(Role role, bool stores) const {
  std::vector<Operation *> out;
  SubjectOp s = subject;
  s.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto load = dyn_cast<LoadOp>(op);
    auto store = dyn_cast<StoreOp>(op);
    bool fits = stores ? store && isSlow(store) : load && isSlow(load);
    if (!fits)
      return;
    auto it = rolesOf.find(bufferOf(op).str());
    if (it != rolesOf.end() && it->second.count(role) &&
        (it->second.size() == 1 || roles::roleOf(op) == role))
      out.push_back(op);
  });
  return out;
}

/// Is the grid or block of a stage a symbol because no launch here gives it?
static bool hasFreeLaunch(SubjectOp subject) {
  for (auto symbol : subject.getBody().getOps<SymbolOp>())
    if (symbol.getName().starts_with("gridDim_") ||
        symbol.getName().starts_with("blockDim_"))
      return true;
  for (auto stage : subject.getBody().getOps<StageOp>()) {
    DictionaryAttr info = stage.getInfo();
    auto launched = info ? info.getAs<BoolAttr>("launched") : BoolAttr();
    if (!launched || launched.getValue())
      continue;
    for (StringRef extents : {"grid", "block"})
      if (auto list = info.getAs<ArrayAttr>(extents))
        for (auto extent : list.getAsRange<ExprAttr>())
          if (!extent.getValue().isConst())
            return true;
  }
  return false;
}

std::string View::lackOfEvidence(StringRef what) const {
  // With a free grid or block, the sizes at which it does not cover the problem
  // are no fault of the kernel: the launch, which is elsewhere, would not be
  // so.
  if (hasFreeLaunch(subject))
    return "the launch is not in this file; no evidence for its size";
  for (Role role : rolesAgainst(what)) {
    std::vector<BufferOp> buffers = holding(role);
    // One buffer as K and V has K's extents.
    if (buffers.empty() && role == Role::V && problem &&
        problem->dims.aliasedKV)
      continue;
    StringRef name = stringifyRole(role);
    if (buffers.empty())
      return ("no buffer was found that is " + name).str();
    for (BufferOp b : buffers) {
      std::string of = " for the extents of " + name.str();
      std::optional<StringRef> evidence = b.getEvidence();
      if (!b.getExtents() || !evidence || evidence->empty())
        return "no evidence" + of;
      if (evidence->starts_with("inconclusive"))
        return "no evidence" + of + " (" +
               evidence->split(':').second.trim().str() + ")";
      auto each = b->getAttrOfType<ArrayAttr>("ioflor.extent_evidence");
      for (Attribute one : each ? each.getValue() : ArrayRef<Attribute>()) {
        auto text = dyn_cast<StringAttr>(one);
        if (text &&
            roles::parseEvidence(text.getValue()) == roles::Evidence::Read)
          return "nothing but the accesses themselves" + of;
      }
    }
  }
  return "";
}

std::vector<Cond> View::fastWordsAtLeast(
    const std::optional<floors::GivenFastWords> &given) const {
  std::vector<Cond> out;
  if (!problem)
    return out;
  const Expr &M = problem->fastWords;
  if (footprintLo && !footprintLo->isZero())
    out.push_back(le(*footprintLo, M));
  if (given)
    out.push_back(le(given->atLeast, M));
  return out;
}

std::optional<Expr> View::fastWordsForFlags(
    const std::optional<floors::GivenFastWords> &given) const {
  if (!problem || !footprintHi)
    return std::nullopt;
  std::vector<Expr> ends{problem->dims.d * problem->dims.d, *footprintHi};
  if (given)
    ends.push_back(given->atMost);
  return max(ends);
}

std::vector<std::string> View::lengthSymbols() const {
  std::vector<std::string> out;
  if (!problem)
    return out;
  for (const Expr *e : {&problem->dims.nQ, &problem->dims.nK})
    for (const std::string &s : e->freeSymbols())
      if (!llvm::is_contained(out, s))
        out.push_back(s);
  return out;
}
