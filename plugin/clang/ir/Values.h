//===- Values.h - LLVM values as symbolic integers -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads integers, conditions and pointers of one specialised kernel as
// expressions over the subject's symbols, the block and thread indices and the
// iteration numbers of loops. No index arithmetic wraps: assumed, and listed in
// the certificate. Nothing here fails: what cannot be read becomes a `data`
// symbol, an unknown condition or a pointer without a buffer, with the reason.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PLUGIN_CLANG_IR_VALUES_H
#define IOFLOR_PLUGIN_CLANG_IR_VALUES_H

#include "plugin/clang/ir/Context.h"
#include "plugin/clang/ir/DataFlow.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace ioflor::ir {

/// One thing that a pointer may point at.
struct Pointer {
  Cond when;          ///< exclusive among the alternatives
  std::string buffer; ///< empty: unknown, see `reason`
  Expr offset;        ///< in bytes
  std::string reason;
  bool isNull = false;
};
using Pointers = llvm::SmallVector<Pointer, 1>;

/// An edge that leaves a loop.
struct LoopExit {
  llvm::BasicBlock *from = nullptr, *to = nullptr;
  /// Iterations that end before this exit is taken, as if it were the only
  /// one; nullopt: never taken.
  std::optional<Expr> count;
  /// Nothing that matters runs in an iteration before it.
  bool top = false;
};

struct LoopFacts {
  std::string var;
  std::vector<LoopExit> exits;
  /// The iteration in which the loop is left.
  Expr taken;
  /// Iterations in which something is executed.
  Expr trips;
  bool counted = false, counting = false;
};

/// Launch of one stage over the subject's symbols.
struct Launch {
  std::array<Expr, 3> grid, block, blockIndex, threadIndex;
  Expr linearThread() const;
  Expr threads() const { return block[0] * block[1] * block[2]; }
};

class ValueReader {
public:
  ValueReader(Context &context, const frontend::StageSpec &spec,
              llvm::Function &function, llvm::LoopInfo &loops,
              llvm::DominatorTree &dom, const DataFlow &flow,
              const Launch &launch, std::map<std::string, BufferInfo> &buffers,
              const LocMapper &locations);

  Expr integer(llvm::Value *v);
  /// Memory decides its value.
  bool isData(const Expr &e) const { return context.isData(e); }
  Cond condition(llvm::Value *v);
  Pointers pointer(llvm::Value *v);
  /// The target of an address that an integer holds.
  Pointers pointerOfAddress(llvm::Value *v);
  /// The loops left by an edge: the outermost one; null if none.
  llvm::Loop *loopLeftBy(llvm::BasicBlock *from, llvm::BasicBlock *to) const;

  /// v > bound; v != 0. Unknown where memory decides v.
  Cond above(llvm::Value *v, int64_t bound);
  Cond nonZero(llvm::Value *v);

  const LoopFacts &loop(llvm::Loop *l);

  /// What decides that `block` runs, given that its immediate dominator in the
  /// same region does. `exits` adds `t < count` for what stands after an exit
  /// of the region's loop (without it they are taken as passed).
  Cond reach(llvm::BasicBlock *block, bool exits);
  /// The same for one edge, given that `from` runs.
  Cond edge(llvm::BasicBlock *from, llvm::BasicBlock *to, bool exits);
  /// Given that `l` is left: it is left by this edge.
  Cond exitTaken(llvm::Loop *l, const LoopExit &exit);
  /// The dominator relative to which reach() is said; null for a region's first
  /// block. A block inside of a nested loop stands for that loop.
  llvm::BasicBlock *regionDominator(llvm::BasicBlock *block);
  /// The innermost loop of `region` that contains `block`; null if `block`
  /// stands in `region` directly.
  llvm::Loop *childLoop(llvm::Loop *region, llvm::BasicBlock *block) const;
  /// Every path from `block` ends in a trap.
  bool isTrap(llvm::BasicBlock *block);

  mlir::Location location(const llvm::Instruction &inst) const;
  mlir::Location location(const llvm::Value *v) const;
  /// Reads of kernel parameters, which are no transfers.
  bool isParameterRead(const llvm::LoadInst &load);
  /// A condition that nobody can decide, one for each value.
  Cond unknownCondition(const llvm::Value *v, llvm::StringRef reason);

  Context &context;
  const Launch &launch;

private:
  /// `open`: read while a header phi was not solved yet, so that it may use the
  /// phi's placeholder; forgotten when that phi is.
  template <typename T> struct Cached {
    T value;
    bool open = false;
  };

  // Values.cpp
  Expr read(llvm::Value *v);
  Expr readBinary(llvm::BinaryOperator &op);
  Expr readCast(llvm::CastInst &cast);
  Expr readCall(llvm::CallBase &call);
  Expr readAsm(llvm::CallBase &call);
  Expr readLoad(llvm::LoadInst &load);
  Expr readFloatToInt(llvm::CastInst &cast);
  Expr readShuffle(llvm::CallBase &call);
  Expr readLaunch(const llvm::Instruction &inst);
  Expr unreadable(const llvm::Value *v, llvm::StringRef reason,
                  std::optional<Expr> lo = {}, std::optional<Expr> hi = {});
  Expr choose(const llvm::Value *v, const Cond &c, const Expr &a,
              const Expr &b);

  // Parameters.cpp
  const frontend::Binding *parameterField(llvm::Value *v);
  std::string fieldName(const llvm::LoadInst &load) const;
  Expr fromBinding(const frontend::Binding *binding, llvm::StringRef name,
                   const llvm::Value *v);
  Pointers pointerFromBinding(const frontend::Binding *binding,
                              const llvm::Value *v);

  // Arithmetic.cpp: exact forms of C's integer operators.
  Expr divideTruncating(const Expr &a, const Expr &b, const llvm::Value *v);
  Expr divideUnsigned(const Expr &a, const Expr &b, const llvm::Value *v);
  bool isLaunchConstant(const Expr &e) const;
  bool positiveDivisor(const Expr &b, const llvm::Value *v);
  Expr maskBits(const Expr &a, uint64_t mask, unsigned bits);
  std::optional<Expr> bitwise(unsigned opcode, const Expr &a, const Expr &b,
                              unsigned bits);
  Expr truncated(const Expr &e, unsigned bits);
  Expr narrowed(const Expr &e, llvm::CastInst &cast);
  Expr narrowed(const Expr &e, unsigned bits, bool isSigned);
  Expr asUnsigned(const Expr &e, unsigned bits);
  Expr cutByShift(const llvm::BinaryOperator &right, const Expr &e);

  // Conditions.cpp
  Cond readCondition(llvm::Value *v);
  Cond readCompare(llvm::ICmpInst &cmp);
  Cond readPointerCompare(llvm::ICmpInst &cmp);
  Cond compare(llvm::CmpInst::Predicate predicate, const Expr &a,
               const Expr &b);
  Cond compareValue(llvm::CmpInst::Predicate predicate, llvm::Value *a,
                    const Expr &b);
  Cond checked(const Cond &c, const llvm::Value *v);

  // Pointers.cpp
  Pointers readPointer(llvm::Value *v);
  Pointers pointerFromInteger(const Expr &e, llvm::Value *v);
  std::string provenance(llvm::Value *v);
  Pointers choosePointer(const llvm::Value *v, const Cond &c, const Pointers &a,
                         const Pointers &b);
  Pointers unknownPointer(llvm::StringRef reason);
  Pointers readPointerPhi(llvm::PHINode &phi);
  Expr address(llvm::Value *v, bool asShared);
  std::string globalBuffer(llvm::GlobalVariable &global);
  std::string allocaBuffer(llvm::AllocaInst &alloca);

  // Recurrences.cpp
  Expr readPhi(llvm::PHINode &phi);
  Expr headerPhi(llvm::PHINode &phi, llvm::Loop *l);
  Pointers headerPointer(llvm::PHINode &phi, llvm::Loop *l);
  Expr atExit(const Expr &e, llvm::BasicBlock *from, llvm::Loop *l);
  llvm::SmallVector<std::pair<Cond, llvm::Value *>, 4>
  incomingConditions(llvm::PHINode &phi);
  std::optional<Expr> solve(const Expr &p, const Expr &start, const Expr &next,
                            llvm::StringRef t);
  std::optional<Expr> simulate(const Expr &p, const Expr &start,
                               const Expr &next, llvm::StringRef t);
  Expr recurrence(llvm::PHINode &phi, llvm::Loop *l, const Expr &placeholder,
                  const Expr &start, const Expr &next);
  void forgetOpen();

  // LoopCounts.cpp
  struct Fails {
    bool known = false;
    std::optional<Expr> at = std::nullopt; ///< nullopt: never
    /// The condition to go on does not change: fails at once or never.
    std::optional<Cond> onlyIf = std::nullopt;
  };
  void count(llvm::Loop *l, LoopFacts &facts);
  Fails exitCount(llvm::Loop *l, const LoopExit &exit, llvm::StringRef t);
  Fails firstFailure(const Cond &c, llvm::StringRef t, const llvm::Value *v);
  Fails firstFailureByTrial(const Cond &c, llvm::StringRef t);
  bool isTop(llvm::Loop *l, llvm::BasicBlock *exiting);
  bool matters(llvm::Loop *l, llvm::BasicBlock *block);

  // Regions.cpp
  Cond readReach(llvm::BasicBlock *block, bool exits);
  Cond chain(llvm::BasicBlock *from, llvm::BasicBlock *to, bool exits);
  bool allPathsReach(llvm::BasicBlock *from, llvm::BasicBlock *to);
  Cond terminatorCondition(llvm::BasicBlock *from, llvm::BasicBlock *to);

  const frontend::StageSpec &spec;
  llvm::Function &function;
  llvm::LoopInfo &loops;
  llvm::DominatorTree &dom;
  const DataFlow &flow;
  std::map<std::string, BufferInfo> &buffers;
  const LocMapper &locations;

  llvm::DenseMap<llvm::Value *, Cached<Expr>> integers;
  llvm::DenseMap<llvm::Value *, Cached<Cond>> conditions;
  llvm::DenseMap<llvm::Value *, Cached<Pointers>> pointers;
  std::map<std::pair<llvm::BasicBlock *, bool>, Cached<Cond>> reached;
  std::map<llvm::Loop *, Cached<LoopFacts>> facts;
  llvm::DenseMap<llvm::BasicBlock *, bool> traps;
  /// Header phis being read: value, loop, and what they wait for.
  struct OpenPhi {
    llvm::Loop *loop;
    std::string placeholder;
  };
  llvm::DenseMap<llvm::Value *, OpenPhi> open;
  /// A header phi whose next value is the placeholder of another open one.
  std::map<std::string, std::pair<Expr, std::string>> waiting;
  bool sawOpen = false;
  std::map<std::string, std::string> addressBase; ///< symbol -> buffer
  llvm::DenseMap<const llvm::Value *, std::string> unknownIds;
  llvm::DenseMap<const llvm::Value *, Expr> unreadables;
  llvm::DenseMap<llvm::Value *, std::string> memoryNames;
  std::map<std::string, std::string> unboundBuffers; ///< by display
  unsigned placeholders = 0, depth = 0;
};

} // namespace ioflor::ir

#endif // IOFLOR_PLUGIN_CLANG_IR_VALUES_H
