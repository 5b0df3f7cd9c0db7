//===- Interpret.cpp - Prints what a skeleton moves at given sizes --------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/interp/Interpreter.h"
#include "passes/Passes.h"
#include "llvm/Support/raw_ostream.h"

namespace ioflor {
#define GEN_PASS_DEF_IOFLORINTERPRET
#include "passes/Passes.h.inc"
} // namespace ioflor

using namespace mlir;
using namespace ioflor;

/// Reads `N=64,d=4`. A value is an expression without symbols.
static std::optional<Valuation> parseSizes(StringRef text, std::string &why) {
  Valuation at;
  SmallVector<StringRef> items;
  text.split(items, ',', -1, /*KeepEmpty=*/false);
  for (StringRef item : items) {
    auto [name, valueText] = item.split('=');
    std::optional<Expr> e = parseExpr(valueText);
    std::optional<BigInt> value = e ? evaluate(*e, {}) : std::nullopt;
    if (name.trim().empty() || !value) {
      why = "invalid size '" + item.str() + "'; expected name=value";
      return std::nullopt;
    }
    if (!at.try_emplace(name.trim().str(), *value).second) {
      why = "two sizes for '" + name.trim().str() + "'";
      return std::nullopt;
    }
  }
  return at;
}

static void print(raw_ostream &os, const Words &words) {
  if (words.exact()) {
    os << words.lo;
    return;
  }
  os << '[' << words.lo << ", ";
  if (words.hi)
    os << *words.hi;
  else
    os << '?';
  os << ']';
}

template <typename Counts>
static void printAddresses(raw_ostream &os, const Counts &counts) {
  if (counts.minAddress)
    os << " addresses " << *counts.minAddress << ".." << *counts.maxAddress;
  if (counts.unknownAddress)
    os << " and unknown ones";
}

static void printBuffer(raw_ostream &os, StringRef name, StringRef direction,
                        const AccessCounts &counts) {
  if (counts.issued == Words())
    return;
  os << "  " << name << ' ' << direction << ": issued ";
  print(os, counts.issued);
  os << ", traffic ";
  print(os, counts.traffic);
  os << ", compulsory ";
  print(os, counts.compulsory);
  printAddresses(os, counts);
  os << '\n';
}

static void printInstr(raw_ostream &os, const InstrCounts &counts) {
  auto load = dyn_cast<LoadOp>(counts.op);
  auto store = dyn_cast<StoreOp>(counts.op);
  os << "  @" << counts.op->getParentOfType<StageOp>().getSymName() << " instr "
     << (load ? load.getInstr() : store.getInstr())
     << (load ? " load " : " store ")
     << (load ? load.getBuffer() : store.getBuffer()) << ": issued ";
  print(os, counts.issued);
  os << ", traffic ";
  print(os, counts.traffic);
  printAddresses(os, counts);
  os << '\n';
}

namespace {

struct InterpretPass : public ioflor::impl::IoflorInterpretBase<InterpretPass> {
  using IoflorInterpretBase::IoflorInterpretBase;

  void runOnOperation() override {
    SubjectOp subject = getOperation();
    markAllAnalysesPreserved();
    std::string why;
    std::optional<Valuation> at = parseSizes(sizes, why);
    if (!at) {
      emitError(subject.getLoc(), why);
      return signalPassFailure();
    }
    if (std::optional<std::string> reason = whyInadmissible(subject, *at)) {
      emitError(subject.getLoc()) << "sizes are not admissible: " << *reason;
      return signalPassFailure();
    }
    InterpOptions interpOptions;
    interpOptions.maxSteps = maxSteps;
    InterpCounts counts = Interpreter(subject).bounds(*at, interpOptions);
    if (!counts.ok()) {
      emitError(subject.getLoc()) << "interpreter: " << counts.message;
      return signalPassFailure();
    }
    // One write, as subjects may run in parallel.
    std::string text;
    llvm::raw_string_ostream os(text);
    os << '@' << subject.getSymName() << " at " << sizes.getValue() << '\n';
    for (const auto &[name, loads] : counts.loads) {
      printBuffer(os, name, "loads", loads);
      printBuffer(os, name, "stores", counts.stores.at(name));
    }
    if (instructions)
      for (const InstrCounts &instr : counts.instrs)
        printInstr(os, instr);
    llvm::outs() << text;
    llvm::outs().flush();
  }
};

} // namespace
