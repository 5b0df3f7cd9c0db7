//===- ExtentsPass.cpp - ioflor-check-extents -----------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Floors are in the operands' extents, so a misread extent makes a false flag
// (too large) or a false proof (too small). Where the evidence is only a guard,
// the launch or the accesses, the extents must fit what the skeleton touches
// when it is executed at small sizes; where they do not, they are given up.
// Extents that the author, an allocation or the strides state stand, since a
// difference from what is touched is then the kernel's fault.
//
//===----------------------------------------------------------------------===//
#include "mlir/IR/Builders.h"
#include "passes/Passes.h"
#include "passes/Phase.h"
#include "passes/count/Check.h"
#include "passes/roles/Roles.h"
#include "llvm/Support/MathExtras.h"

namespace ioflor {
#define GEN_PASS_DEF_IOFLORCHECKEXTENTS
#include "passes/Passes.h.inc"
} // namespace ioflor

using namespace mlir;
using namespace ioflor;

namespace {

struct Dimension {
  std::string name;
  Expr size, stride;
  roles::Evidence evidence;
};

/// One operand's buffer: what is claimed, and what the runs showed of it.
struct Operand {
  BufferOp buffer;
  bool stores = false; ///< O is written, the others are read
  std::vector<Dimension> dimensions;
  /// Of each dimension: runs that stayed below the extent's last index, runs
  /// that could tell, and whether one went past the end.
  std::vector<unsigned> shy, told;
  std::vector<bool> past;
  /// Of each dimension: its size and the end of what was touched, run by run.
  std::vector<std::vector<std::pair<int64_t, int64_t>>> ends;
  /// Exactly the words of the extents were touched, at sizes of at least 2.
  bool filled = false;
  /// Words touched and words of the extents, run by run.
  std::vector<std::pair<int64_t, int64_t>> volumes;
  bool opaque = false; ///< an address was not known
};

/// Evidence that does not come from the shape of the data itself.
bool isWeak(roles::Evidence e) {
  return e == roles::Evidence::Guard || e == roles::Evidence::Launch ||
         e == roles::Evidence::Scale || e == roles::Evidence::Read;
}

std::optional<Operand> readOperand(BufferOp buffer) {
  Role role = buffer.getRole().value_or(Role::Other);
  if (role != Role::Q && role != Role::K && role != Role::V && role != Role::O)
    return std::nullopt;
  auto strides = buffer->getAttrOfType<ArrayAttr>("ioflor.strides");
  auto names = buffer->getAttrOfType<ArrayAttr>("ioflor.dimensions");
  auto evidence = buffer->getAttrOfType<ArrayAttr>("ioflor.extent_evidence");
  auto sizes = buffer.getExtentsAttr();
  if (!sizes || !strides || !names || !evidence ||
      strides.size() != sizes.size() || names.size() != sizes.size() ||
      evidence.size() != sizes.size())
    return std::nullopt;
  Operand operand;
  operand.buffer = buffer;
  operand.stores = role == Role::O;
  bool weak = false;
  for (unsigned i = 0; i < sizes.size(); ++i) {
    auto size = dyn_cast<ExprAttr>(sizes[i]);
    auto stride = dyn_cast<ExprAttr>(strides[i]);
    auto name = dyn_cast<StringAttr>(names[i]);
    auto why = dyn_cast<StringAttr>(evidence[i]);
    if (!size || !stride || !name || !why)
      return std::nullopt;
    roles::Evidence kind =
        roles::parseEvidence(why.getValue()).value_or(roles::Evidence::Read);
    weak |= isWeak(kind);
    operand.dimensions.push_back(
        {name.getValue().str(), size.getValue(), stride.getValue(), kind});
  }
  if (!weak)
    return std::nullopt;
  operand.shy.assign(sizes.size(), 0);
  operand.told.assign(sizes.size(), 0);
  operand.past.assign(sizes.size(), false);
  operand.ends.resize(sizes.size());
  return operand;
}

std::optional<int64_t> value(const Expr &e, const Valuation &at) {
  std::optional<BigInt> v = evaluate(e, at);
  return v ? Expr(*v).constant64() : std::nullopt;
}

/// Takes the touched words apart into indices, slowest dimension first, and
/// compares the largest index of each with its extent.
void observe(Operand &operand, const interp::PageSet &touched,
             const Valuation &at) {
  struct Place {
    unsigned index;
    int64_t size, stride;
  };
  std::vector<Place> places;
  int64_t volume = 1;
  for (auto [i, d] : llvm::enumerate(operand.dimensions)) {
    std::optional<int64_t> size = value(d.size, at),
                           stride = value(d.stride, at);
    if (!size || !stride || *size < 0 || *stride < 0)
      return;
    if (llvm::MulOverflow(volume, *size, volume))
      return;
    if (*stride > 0)
      places.push_back({unsigned(i), *size, *stride});
  }
  operand.volumes.push_back({int64_t(touched.size()), volume});
  llvm::sort(places, [](const Place &a, const Place &b) {
    return a.stride > b.stride;
  });
  // Two dimensions of one stride (extents of 1 between them) cannot be told
  // apart at these sizes.
  for (size_t i = 1; i < places.size(); ++i)
    if (places[i].stride == places[i - 1].stride)
      return;
  if (touched.size() == 0)
    return;
  WorkScope::spend(touched.size() * places.size() / 256);
  std::vector<int64_t> largest(operand.dimensions.size(), -1);
  bool negative = false;
  touched.forEach([&](int64_t address) {
    negative |= address < 0;
    for (const Place &p : places) {
      int64_t index = address / p.stride;
      address %= p.stride;
      largest[p.index] = std::max(largest[p.index], index);
    }
  });
  if (negative)
    return;
  for (const Place &p : places) {
    if (largest[p.index] < 0)
      continue;
    ++operand.told[p.index];
    operand.shy[p.index] += largest[p.index] + 1 < p.size;
    operand.ends[p.index].push_back({p.size, largest[p.index] + 1});
    // The launch says how many there are, not how many are touched: a tile that
    // is not guarded runs into the next head.
    if (operand.dimensions[p.index].evidence != roles::Evidence::Launch)
      operand.past[p.index] =
          operand.past[p.index] || largest[p.index] >= p.size;
  }
}

/// Past the end by what is missing of a last tile, at every size alike: the
/// tile is not cut off at the end, which is the kernel's fault and no
/// misreading.
bool isRounding(const std::vector<std::pair<int64_t, int64_t>> &ends) {
  for (int64_t tile = 2; tile <= 256; ++tile) {
    bool fits = true, whole = false, cut = false;
    for (auto [size, end] : ends) {
      fits &= end == int64_t(llvm::alignTo(uint64_t(size), uint64_t(tile)));
      whole |= size % tile == 0;
      cut |= size % tile != 0;
    }
    if (fits && whole && cut)
      return true;
  }
  return false;
}

/// No size touches less than the extents hold, and most touch far more: a
/// dimension was missed. Stores are left out: an unguarded tile writes past the
/// end at small sizes, which is the kernel's fault and no misreading.
bool missesDimension(const Operand &operand) {
  unsigned more = 0;
  for (auto [touched, held] : operand.volumes) {
    if (touched < held)
      return false;
    more += touched >= 2 * held;
  }
  return !operand.stores && !operand.filled && operand.volumes.size() >= 3 &&
         2 * more >= operand.volumes.size();
}

std::string contradiction(const Operand &operand) {
  for (auto [i, d] : llvm::enumerate(operand.dimensions)) {
    if (!isWeak(d.evidence))
      continue;
    if (operand.past[i] && !isRounding(operand.ends[i]))
      return d.name + " beyond " + d.size.str() + " are accessed";
    if (operand.told[i] >= 3 && operand.shy[i] == operand.told[i])
      return d.name + " up to " + d.size.str() + " are never accessed";
  }
  if (missesDimension(operand))
    return "more words are accessed than they hold";
  return "";
}

class CheckExtents : public ioflor::impl::IoflorCheckExtentsBase<CheckExtents> {
  void runOnOperation() override {
    SubjectOp subject = getOperation();
    for (VerdictOp verdict : subject.getBody().getOps<VerdictOp>()) {
      (void)verdict;
      return; // roles settled it
    }
    std::vector<Operand> operands;
    for (BufferOp buffer : subject.getBody().getOps<BufferOp>())
      if (std::optional<Operand> operand = readOperand(buffer))
        operands.push_back(std::move(*operand));
    if (operands.empty())
      return;
    PhaseScope phase(subject, "extents", 50);
    observeRuns(subject, operands);
    // Extents that were to fit an execution, and could not be compared with
    // one.
    bool unchecked = phase.work().ranOut() || isExhausted(subject, "executing");
    OpBuilder b(subject);
    bool refused = false;
    for (Operand &operand : operands) {
      std::string why = operand.opaque ? "" : contradiction(operand);
      if (!why.empty())
        why = "its extents do not fit an execution: " + why;
      else if (unchecked && llvm::any_of(operand.dimensions, [](auto &d) {
                 return isWeak(d.evidence);
               }))
        why = "its extents could not be compared with an execution: " +
              exhaustedIn("executing");
      if (why.empty())
        continue;
      operand.buffer.setEvidence("inconclusive: " + why);
      operand.buffer.removeExtentsAttr();
      refused = true;
    }
    if (refused)
      subject.removeDimsAttr();
  }

  void observeRuns(SubjectOp subject, std::vector<Operand> &operands) {
    const count::Executions &sizes =
        getAnalysis<count::SharedExecutions>().runs;
    markAnalysesPreserved<count::SharedExecutions>();
    for (const count::Execution &execution : sizes.runs)
      observeRun(execution.counts, execution.at, operands);
    auto doubtful = [](const Operand &operand) {
      return !operand.opaque && !contradiction(operand).empty();
    };
    if (llvm::none_of(operands, doubtful))
      return;
    // What is past the end may be the rest of a last tile: whole tiles have
    // none.
    Interpreter interpreter(subject);
    InterpOptions options;
    options.maxSteps = 2'000'000;
    options.keepTouched = true;
    for (const Valuation &at : wholeTiles(subject, operands))
      if (llvm::any_of(operands, doubtful))
        if (InterpCounts counts = interpreter.run(at, options); counts.ok())
          observeRun(counts, at, operands);
  }

  static void observeRun(const InterpCounts &counts, const Valuation &at,
                         std::vector<Operand> &operands) {
    bool several = llvm::all_of(
        at, [](const auto &entry) { return entry.second >= BigInt(2); });
    for (Operand &operand : operands) {
      const auto &table = operand.stores ? counts.stores : counts.loads;
      auto it = table.find(operand.buffer.getSymName().str());
      interp::PageSet none;
      const interp::PageSet *touched = &none;
      if (it != table.end()) {
        operand.opaque |= it->second.touchedUnknown;
        touched = &it->second.touched;
      }
      if (WorkScope::exhausted())
        continue;
      size_t before = operand.volumes.size();
      observe(operand, *touched, at);
      if (several && !counts.metUnknown && operand.volumes.size() > before)
        operand.filled |=
            operand.volumes.back().first == operand.volumes.back().second;
    }
  }

  /// Sizes at which the tiles of the rows are whole: the constants that loops
  /// step by, and 2 for what no row count depends on.
  static std::vector<Valuation> wholeTiles(SubjectOp subject,
                                           ArrayRef<Operand> operands) {
    std::set<std::string> rows;
    for (const Operand &operand : operands)
      for (const Dimension &d : operand.dimensions)
        if (d.name == "rows")
          rows.merge(d.size.freeSymbols());
    std::set<int64_t> tiles;
    subject.walk([&](LoopOp loop) {
      auto note = [&](const Expr &e) {
        if (std::optional<int64_t> c = e.constant64(); c && *c >= 2)
          tiles.insert(*c);
      };
      Expr trips = loop.getTrips();
      note(trips);
      if (trips.kind() == ExprKind::CeilDiv ||
          trips.kind() == ExprKind::FloorDiv)
        note(trips.operands()[1]);
    });
    std::vector<Valuation> out;
    for (int64_t tile : tiles) {
      if (tile > 128 || out.size() == 8)
        break;
      Valuation at;
      for (auto symbol : subject.getBody().getOps<SymbolOp>())
        if (!symbol.getData())
          at[symbol.getName().str()] =
              BigInt(rows.count(symbol.getName().str()) ? tile : 2);
      if (!whyInadmissible(subject, at))
        out.push_back(std::move(at));
    }
    return out;
  }
};

} // namespace
