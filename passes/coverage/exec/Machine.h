//===- Machine.h - Executes a skeleton on provenance -------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory and operations over the values of Value.h: what each word of slow and
// fast memory is made of, which entries were read, and which CTA wrote what.
// The threads of a CTA run in lock step, so races are not seen.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_COVERAGE_EXEC_MACHINE_H
#define IOFLOR_PASSES_COVERAGE_EXEC_MACHINE_H

#include "dialect/interp/Interpreter.h"
#include "dialect/interp/Machine.h"
#include "passes/coverage/exec/Operands.h"
#include "passes/coverage/exec/Value.h"

namespace ioflor::coverage {

/// A word of an operand's buffer outside of its entries.
struct Outside {
  mlir::Operation *op = nullptr;
  int64_t address = 0;
};

/// One word of slow memory that was written.
struct Written {
  Val value;
  mlir::Operation *op = nullptr;
  uint64_t cta = 0;
  /// What another CTA of the same stage had written and this one did not read.
  Val lost;
  bool overwritten = false;
};

class ProvenanceMachine : public interp::Machine {
public:
  /// `choice` decides what only data decide: which operand of a select is taken
  /// (and, by the caller, which unknown conditions hold).
  ProvenanceMachine(SubjectOp subject, std::vector<Operand> operands,
                    llvm::ArrayRef<std::string> names, const Valuation &at,
                    bool choice);

  void beginCta(uint64_t cta) override;
  bool access(mlir::Operation *op, BufferOp buffer, const interp::Lanes &lanes,
              llvm::ArrayRef<uint32_t> active,
              llvm::ArrayRef<int64_t> at) override;
  bool compute(ComputeOp op, const interp::Lanes &lanes,
               llvm::ArrayRef<uint32_t> active,
               llvm::ArrayRef<int64_t> at) override;
  bool unknown(UnknownOp op) override;

  Algebra algebra;
  const Operand *operand(Role role) const;
  /// By entry number (row * columns + column): it was read.
  llvm::ArrayRef<char> read(Role role) const;
  /// The first accesses outside of an operand, by role.
  std::map<Role, Outside> overReads, overWrites;
  /// The same of slow buffers that are no operands and whose size is known; in
  /// order of the accesses.
  struct Overrun : Outside {
    BufferOp buffer;
    int64_t words = 0;
    bool write = false;
  };
  std::vector<Overrun> overruns;
  /// What was written to a slow buffer, by address.
  const llvm::DenseMap<int64_t, Written> *written(BufferOp buffer) const;
  /// Some access of this role had no known address, or something not read may
  /// have touched it: `op` is the first such.
  std::map<Role, mlir::Operation *> opaque;
  /// A choice by data was made.
  bool chose = false;

private:
  struct Buffer {
    BufferOp op;
    Space space = Space::Slow;
    Role role = Role::Other;
    int operand = -1;
    std::optional<int64_t> words;
    std::vector<Val> cells; ///< of fast memory; private: lane by lane
    uint32_t lanes = 0;
    llvm::DenseMap<int64_t, Written> slow;
    bool lost = false; ///< written where is not known: nothing in it is known
    mlir::Operation *lostAt = nullptr;
    bool overrun = false; ///< noted in `overruns`
    Val initial = Val::make(Kind::Data); ///< of words below `initialWords`
    std::optional<int64_t> initialWords; ///< none: of all
  };
  /// Values of an op, `width` words for each lane.
  struct Slot {
    unsigned width = 1;
    unsigned bytes = 0; ///< of one word, where known
    uint32_t lanes = 0;
    std::vector<Val> values;
  };
  struct Plan { ///< of an op, made once
    Slot *out = nullptr;
    llvm::SmallVector<Slot *, 4> in;
    Buffer *buffer = nullptr;
    int64_t width = 1;
    Role role = Role::Other; ///< of a slow access
    Val constant;
    bool isConstant = false, isExtract = false, isInsert = false;
    /// First word of the part; absent where it is not whole words.
    std::optional<unsigned> part;
    uint8_t laneMode = 0; ///< 0: not known; x, d, u, i
    int64_t laneWidth = 32;
  };

  Plan &planOf(mlir::Operation *op);
  static unsigned planPart(Plan &plan, llvm::StringRef detail);
  Slot *slotOf(mlir::Value v);
  Buffer *bufferOf(BufferOp op);
  void fit(Slot &slot, uint32_t lanes);
  static Val get(const Slot &slot, uint32_t lane, unsigned word) {
    uint32_t l = slot.lanes == 1 ? 0 : lane;
    unsigned w = slot.width == 1 ? 0 : word;
    size_t i = size_t(l) * slot.width + w;
    return i < slot.values.size() ? slot.values[i] : Val();
  }
  Val load(Plan &plan, mlir::Operation *op, uint32_t lane, int64_t address);
  void store(Plan &plan, mlir::Operation *op, uint32_t lane, int64_t address,
             Val v);
  void noteOverrun(Buffer &b, mlir::Operation *op, int64_t address, bool write);
  Val loadSlow(Plan &plan, mlir::Operation *op, int64_t address);
  Val *fastCell(Buffer &b, uint32_t lane, int64_t address);
  bool loadAll(Plan &plan, LoadOp op, const interp::Lanes &lanes,
               llvm::ArrayRef<uint32_t> active, llvm::ArrayRef<int64_t> at);
  bool storeAll(Plan &plan, StoreOp op, const interp::Lanes &lanes,
                llvm::ArrayRef<uint32_t> active, llvm::ArrayRef<int64_t> at);
  void atomicStore(Plan &plan, StoreOp op, llvm::ArrayRef<uint32_t> active,
                   llvm::ArrayRef<int64_t> at);
  void forget(Buffer &b, mlir::Operation *op);
  Val apply(ComputeOp op, llvm::ArrayRef<Val> in);
  void shuffle(Plan &plan, ComputeOp op, const interp::Lanes &lanes,
               llvm::ArrayRef<uint32_t> active, llvm::ArrayRef<int64_t> at);
  void prepareLanes(const interp::Lanes &lanes);
  Val select(llvm::ArrayRef<Val> in, ComputeOp op);

  SubjectOp subject;
  std::vector<Operand> operands;
  llvm::ArrayRef<std::string> names;
  const Valuation &at;
  bool choice;
  uint64_t cta = 0;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<Plan>> plans;
  llvm::DenseMap<mlir::Value, std::unique_ptr<Slot>> slots;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<Buffer>> buffers;
  std::map<Role, std::vector<char>> reads;
  uint64_t lanesId = 0;
  std::vector<uint32_t> linear; ///< by lane: its linear thread number
  std::vector<uint32_t> laneOf; ///< the reverse, count for none
  std::vector<char> isActive;   ///< scratch of shuffles
};

} // namespace ioflor::coverage

#endif // IOFLOR_PASSES_COVERAGE_EXEC_MACHINE_H
