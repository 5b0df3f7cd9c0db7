//===- Verify.cpp - What a well-formed skeleton is ------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two layers: each op's own fields (verify), then names, scopes and nesting of
// a whole subject (SubjectOp::verifyRegions).
//
//===----------------------------------------------------------------------===//

#include "dialect/ir/Ioflor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace ioflor;

//===----------------------------------------------------------------------===//
// Single ops
//===----------------------------------------------------------------------===//

static bool isIdentifier(StringRef name) {
  if (name.empty() || llvm::isDigit(name.front()))
    return false;
  return llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// `what` must be one of `allowed`.
static LogicalResult verifyOneOf(Operation *op, StringRef what, StringRef value,
                                 ArrayRef<StringRef> allowed) {
  if (llvm::is_contained(allowed, value))
    return success();
  return op->emitOpError() << what << " must be one of "
                           << llvm::join(allowed, ", ") << "; found '" << value
                           << "'";
}

static LogicalResult verifyName(Operation *op, StringRef what, StringRef name) {
  if (isIdentifier(name))
    return success();
  return op->emitOpError() << what << " '" << name << "' is no identifier";
}

LogicalResult SubjectOp::verify() {
  std::optional<DictionaryAttr> disclosure = getDisclosure();
  if (!disclosure)
    return success();
  auto kind = disclosure->getAs<StringAttr>("kind");
  if (!kind)
    return emitOpError("disclosure has no kind");
  if (failed(verifyOneOf(*this, "kind of the disclosure", kind.getValue(),
                         {"exact", "causal", "causal_top_left", "window",
                          "window_symmetric", "approximate", "sparse",
                          "masked_by"})))
    return failure();
  if (Attribute w = disclosure->get("w"); w && !isa<ExprAttr>(w))
    return emitOpError("width of the disclosure must be an expression");
  return success();
}

LogicalResult SymbolOp::verify() {
  return verifyName(*this, "name", getName());
}

LogicalResult BufferOp::verify() {
  bool slow = getSpace() == Space::Slow;
  bool inSubject = isa<SubjectOp>((*this)->getParentOp());
  if (slow != inSubject)
    return emitOpError() << "in " << stringifySpace(getSpace())
                         << " memory must stand in a "
                         << (slow ? "subject" : "stage");
  if (static_cast<int64_t>(getElementBytes()) < 1)
    return emitOpError("element must have at least 1 byte");
  if (getScalar() && getSpace() != Space::Private)
    return emitOpError("scalar must be private");
  if (!slow && getRole().value_or(Role::Other) != Role::Other)
    return emitOpError("with a role must be slow");
  return success();
}

LogicalResult StageOp::verify() {
  if (static_cast<int64_t>(getRegisters()) < 0)
    return emitOpError("registers must not be negative");
  if ((*this)->getParentOfType<StageOp>())
    return emitOpError("must not stand in another stage");
  return success();
}

LogicalResult LoopOp::verify() {
  if (failed(verifyName(*this, "variable", getVar())))
    return failure();
  if (getTrips().dependsOn(getVar()))
    return emitOpError() << "trip count uses its own variable '" << getVar()
                         << "'";
  return success();
}

/// Common to loads and stores.
template <typename AccessOp> static LogicalResult verifyAccess(AccessOp op) {
  if (static_cast<int64_t>(op.getWidth()) < 1)
    return op.emitOpError("width must be at least 1");
  if (static_cast<int64_t>(op.getInstr()) < 0)
    return op.emitOpError("instr must not be negative");
  if (!op.getAddress() && !op.getUnknown())
    return op.emitOpError("without an address must say why in 'unknown'");
  if (op.getAddress() && op.getUnknown())
    return op.emitOpError("has an address and says that it is unknown");
  return success();
}

LogicalResult LoadOp::verify() { return verifyAccess(*this); }
LogicalResult StoreOp::verify() { return verifyAccess(*this); }

LogicalResult CountOp::verify() {
  if (failed(verifyOneOf(*this, "direction", getDirection(),
                         {"loads", "stores"})) ||
      failed(verifyOneOf(*this, "measure", getMeasure(),
                         {"issued", "traffic", "compulsory"})))
    return failure();
  if (getExact() && getHi() && *getHi() != getLo())
    return emitOpError("exact with two different ends");
  return success();
}

LogicalResult ObligationOp::verify() {
  return verifyOneOf(*this, "result", getResult(),
                     {"proved", "refuted", "unknown", "vacuous"});
}

LogicalResult FindingOp::verify() {
  if (!llvm::all_of(getNotes(), llvm::IsaPred<StringAttr>))
    return emitOpError("notes must be strings");
  return verifyOneOf(*this, "severity", getSeverity(),
                     {"flag", "warning", "remark"});
}

LogicalResult CoverageOp::verify() {
  if (failed(verifyOneOf(*this, "what", getWhat(),
                         {"q", "k", "v", "o", "pairs"})) ||
      failed(verifyOneOf(*this, "state", getState(),
                         {"proved", "agrees", "refuted", "undecided"})) ||
      failed(verifyOneOf(*this, "by", getBy(), {"sets", "execution"})))
    return failure();
  if ((getState() == "refuted") != getWitness().has_value())
    return emitOpError("has a witness exactly if it is refuted");
  if (getState() == "undecided" && !getReason())
    return emitOpError("is undecided without a reason");
  if (getMask() && getWhat() != "pairs")
    return emitOpError("has a mask but is not about pairs");
  return success();
}

LogicalResult VerdictOp::verify() {
  return verifyOneOf(*this, "verdict", getVerdict(),
                     {"certified", "flagged", "inconclusive", "not-attention"});
}

//===----------------------------------------------------------------------===//
// Subjects: names, scopes, nesting
//===----------------------------------------------------------------------===//

namespace {

/// Walks a subject in program order with the names that are in scope.
class SubjectVerifier {
public:
  explicit SubjectVerifier(SubjectOp subject)
      : subject(subject), fastWords(fastWordsName(subject)) {}
  LogicalResult run();

private:
  /// Where a block stands.
  struct Place {
    StageOp stage;        ///< null outside of stages
    LoopOp innermostLoop; ///< null outside of loops
  };

  LogicalResult declare(Operation *op, StringRef name);
  LogicalResult verifyNames(Operation *op);
  LogicalResult verifyBlock(Block &block, Place place);
  LogicalResult verifyLoop(LoopOp loop, Place place);
  LogicalResult verifyBeside(LoopOp loop, StageOp stage);
  LogicalResult verifyBuffer(Operation *op, StringRef name);
  LogicalResult verifyInstr(Operation *op, int64_t instr, bool store);

  SubjectOp subject;
  std::string fastWords;                 ///< M's name in results
  llvm::StringMap<Operation *> declared; ///< symbols and loop variables
  llvm::StringMap<Operation *> stages;   ///< by name
  std::set<std::string> scope;           ///< names usable here
  llvm::DenseMap<std::pair<int64_t, int>, Operation *> instrs; ///< of a stage
};

} // namespace

LogicalResult SubjectVerifier::declare(Operation *op, StringRef name) {
  auto [it, fresh] = declared.try_emplace(name, op);
  if (fresh)
    return success();
  InFlightDiagnostic diag = op->emitOpError() << "redeclares '" << name << "'";
  diag.attachNote(it->second->getLoc()) << "declared here first";
  return failure();
}

/// Every name that an expression of `op` uses is in scope. The results of the
/// passes and a claim may also speak of M, the fast words.
LogicalResult SubjectVerifier::verifyNames(Operation *op) {
  bool mayUseM = isa<SubjectOp, CountOp, FootprintOp, FloorOp, ObligationOp,
                     CoverageOp, FindingOp>(op);
  std::optional<std::string> missing;
  auto check = [&](const std::set<std::string> &names) {
    for (const std::string &name : names)
      if (!missing && !scope.count(name) && !(mayUseM && name == fastWords))
        missing = name;
  };
  forEachExpr(
      op, [&](const Expr &e) { check(e.freeSymbols()); },
      [&](const Cond &c) { check(c.freeSymbols()); });
  if (!missing)
    return success();
  InFlightDiagnostic diag = op->emitOpError()
                            << "uses '" << *missing << "', which is "
                            << (declared.count(*missing) ? "not in scope here"
                                                         : "not declared");
  if (auto it = declared.find(*missing); it != declared.end())
    diag.attachNote(it->second->getLoc()) << "declared here";
  return failure();
}

LogicalResult SubjectVerifier::verifyBuffer(Operation *op, StringRef name) {
  if (resolveBuffer(op, name))
    return success();
  return op->emitOpError() << "accesses '@" << name
                           << "', which is no buffer of its "
                           << (op->getParentOfType<StageOp>()
                                   ? "stage or subject"
                                   : "subject");
}

/// One instruction is one load, one store, or one of each (the halves of an
/// asynchronous copy or of an atomic update).
LogicalResult SubjectVerifier::verifyInstr(Operation *op, int64_t instr,
                                           bool store) {
  auto [it, fresh] = instrs.try_emplace({instr, store}, op);
  if (fresh)
    return success();
  InFlightDiagnostic diag = op->emitOpError()
                            << "has the instr " << instr << " of another "
                            << (store ? "store" : "load") << " of its stage";
  diag.attachNote(it->second->getLoc()) << "the other one is here";
  return failure();
}

/// A grid or thread loop has nothing beside it that one thread would execute:
/// the nest of a stage is one chain, so that what a CTA is stays unambiguous.
LogicalResult SubjectVerifier::verifyBeside(LoopOp loop, StageOp stage) {
  for (Operation *op = loop; op != stage.getOperation();
       op = op->getParentOp()) {
    for (Operation &other : *op->getBlock()) {
      if (&other == op || isa<BufferOp, UnknownOp, ComputeOp>(other))
        continue;
      InFlightDiagnostic diag = other.emitOpError()
                                << "stands beside a "
                                << stringifyLoopKind(loop.getKind()) << " loop";
      diag.attachNote(loop.getLoc()) << "the loop is here";
      return failure();
    }
  }
  return success();
}

LogicalResult SubjectVerifier::verifyLoop(LoopOp loop, Place place) {
  bool host = loop.getKind() == LoopKind::Host;
  if (host && place.stage)
    return loop.emitOpError("of kind host must stand outside of stages");
  if (!host && !place.stage)
    return loop.emitOpError() << "of kind " << stringifyLoopKind(loop.getKind())
                              << " must stand in a stage";
  // The kinds are numbered from the outside to the inside.
  if (place.innermostLoop && place.innermostLoop.getKind() > loop.getKind()) {
    InFlightDiagnostic diag =
        loop.emitOpError() << "of kind " << stringifyLoopKind(loop.getKind())
                           << " must not stand in a "
                           << stringifyLoopKind(place.innermostLoop.getKind())
                           << " loop";
    diag.attachNote(place.innermostLoop.getLoc()) << "the outer loop is here";
    return failure();
  }
  if (loop.getKind() == LoopKind::Grid || loop.getKind() == LoopKind::Thread)
    if (failed(verifyBeside(loop, place.stage)))
      return failure();
  if (failed(declare(loop, loop.getVar())))
    return failure();
  place.innermostLoop = loop;
  scope.insert(loop.getVar().str());
  LogicalResult result = verifyBlock(loop.getBody().front(), place);
  scope.erase(loop.getVar().str());
  return result;
}

LogicalResult SubjectVerifier::verifyBlock(Block &block, Place place) {
  for (Operation &op : block) {
    if (isa<SymbolOp>(op)) // in run(), in order of declaration
      continue;
    if (failed(verifyNames(&op)))
      return failure();
    if (isa<LoadOp, StoreOp, ComputeOp, BarrierOp>(op) && !place.stage)
      return op.emitOpError("must stand in a stage");
    if (auto load = dyn_cast<LoadOp>(op)) {
      if (failed(verifyBuffer(load, load.getBuffer())) ||
          failed(verifyInstr(load, load.getInstr(), false)))
        return failure();
    } else if (auto store = dyn_cast<StoreOp>(op)) {
      if (failed(verifyBuffer(store, store.getBuffer())) ||
          failed(verifyInstr(store, store.getInstr(), true)))
        return failure();
    } else if (auto unknown = dyn_cast<UnknownOp>(op)) {
      for (std::optional<ArrayAttr> list :
           {unknown.getReads(), unknown.getWrites()})
        if (list)
          for (Attribute name : *list)
            if (failed(verifyBuffer(unknown,
                                    cast<FlatSymbolRefAttr>(name).getValue())))
              return failure();
    } else if (auto count = dyn_cast<CountOp>(op)) {
      if (failed(verifyBuffer(count, count.getBuffer())))
        return failure();
    } else if (auto loop = dyn_cast<LoopOp>(op)) {
      if (failed(verifyLoop(loop, place)))
        return failure();
    } else if (auto guard = dyn_cast<GuardOp>(op)) {
      if (failed(verifyBlock(guard.getBody().front(), place)))
        return failure();
    } else if (auto stage = dyn_cast<StageOp>(op)) {
      auto [it, fresh] = stages.try_emplace(stage.getSymName(), stage);
      if (!fresh) {
        InFlightDiagnostic diag = stage.emitOpError() << "redeclares stage '@"
                                                      << it->first() << "'";
        diag.attachNote(it->second->getLoc()) << "declared here first";
        return failure();
      }
      instrs.clear();
      Place inside = place;
      inside.stage = stage;
      if (failed(verifyBlock(stage.getBody().front(), inside)))
        return failure();
    }
  }
  return success();
}

LogicalResult SubjectVerifier::run() {
  for (auto symbol : subject.getBody().getOps<SymbolOp>()) {
    // Ends of a range may use the symbols declared before.
    if (failed(verifyNames(symbol)) ||
        failed(declare(symbol, symbol.getName())))
      return failure();
    scope.insert(symbol.getName().str());
  }
  if (failed(verifyNames(subject)))
    return failure();
  return verifyBlock(subject.getBody().front(), {});
}

LogicalResult SubjectOp::verifyRegions() {
  return SubjectVerifier(*this).run();
}
