//===- Machine.h - Executes a function of MLIR and counts words -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A direct interpreter of the operations that attention is written with. It
// shares no code with passes/extract, so that the symbolic counts can be
// compared with what an execution moves. Words are doubles, integers among
// them; a tensor or vector is an array of its own.
//
// Counted are accesses to slow memory: arguments, allocations without a memory
// space outside of loops, results of operations on whole tensors. Two measures:
// every access, and accesses of the threads of one block to one word by one
// operation in the same iterations of the loops around counted once.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_TEST_MLIR_RUN_MACHINE_H
#define IOFLOR_TEST_MLIR_RUN_MACHINE_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <memory>
#include <string>
#include <vector>

namespace run {

using Ints = llvm::SmallVector<int64_t, 4>;

struct Buffer {
  std::string name;
  bool slow = false;
  std::vector<double> words;
};
using BufferRef = std::shared_ptr<Buffer>;

/// Element (i0, i1, ...) is word `offset + sum(strides[k] * ik)` of `in`.
struct Array {
  BufferRef in;
  int64_t offset = 0;
  Ints sizes, strides;
  /// Elements are words of this buffer: a tensor of pointers.
  BufferRef pointee;
  /// A pointer to a block: where the block starts. Sizes are those of the
  /// whole, `block` is what one access moves.
  Ints start, block;

  int64_t at(llvm::ArrayRef<int64_t> index) const {
    int64_t a = offset;
    for (size_t k = 0; k < index.size(); ++k)
      a += strides[k] * index[k];
    return a;
  }
  int64_t count() const {
    int64_t n = 1;
    for (int64_t s : sizes)
      n *= s;
    return n;
  }
};

/// A scalar, or an array.
struct Val {
  double f = 0;
  std::shared_ptr<Array> array;
  /// A part of slow memory that becomes a tile when it is first read.
  bool lazy = false;
  int64_t i() const { return int64_t(f); }
};

struct Count {
  int64_t issued = 0;
  llvm::DenseSet<uint64_t> distinct;
};

/// Ends the execution: an operation or a use of it that is not known.
[[noreturn]] void fail(mlir::Operation *op, const llvm::Twine &why);

class Machine;
/// The values of one thread.
struct Thread {
  llvm::DenseMap<mlir::Value, Val> values;
  Thread *outer = nullptr;
  /// Trip numbers of the loops around.
  std::vector<int64_t> trips;
  int64_t cta = 0;
  int64_t block[3] = {}, thread[3] = {}, grid[3] = {1, 1, 1},
          size[3] = {1, 1, 1};
  std::function<void()> barrier;
};

class Machine {
public:
  std::map<std::string, Count> loads, stores;
  int64_t outOfBounds = 0;

  // Values.
  Val &get(Thread &t, mlir::Value v);
  int64_t integer(Thread &t, mlir::Value v) { return get(t, v).i(); }
  int64_t integer(Thread &t, mlir::OpFoldResult v);
  Ints integers(Thread &t, llvm::ArrayRef<mlir::OpFoldResult> vs);
  Ints integers(Thread &t, mlir::ValueRange vs);
  void set(Thread &t, mlir::Value v, Val x) { t.values[v] = std::move(x); }
  static Val scalar(double f) {
    Val v;
    v.f = f;
    return v;
  }
  static Val array(Array a) {
    Val v;
    v.array = std::make_shared<Array>(std::move(a));
    return v;
  }
  /// A new array, row-major, of zeros.
  Array make(llvm::ArrayRef<int64_t> sizes, bool slow,
             llvm::StringRef name = "other");
  /// The array of an operand; a lazy tile is read now.
  Array &arrayOf(Thread &t, mlir::Operation *op, mlir::Value v);

  // Words.
  double read(Thread &t, mlir::Operation *op, const Array &a,
              llvm::ArrayRef<int64_t> index);
  void write(Thread &t, mlir::Operation *op, const Array &a,
             llvm::ArrayRef<int64_t> index, double x);
  double readWord(Thread &t, mlir::Operation *op, Buffer &b, int64_t at);
  void writeWord(Thread &t, mlir::Operation *op, Buffer &b, int64_t at,
                 double x);
  /// Calls for each index of a shape; each is an iteration of its own.
  void each(Thread &t, llvm::ArrayRef<int64_t> sizes,
            llvm::function_ref<void(llvm::ArrayRef<int64_t>)> fn);
  void copy(Thread &t, mlir::Operation *op, const Array &from, const Array &to);

  // Operations.
  void block(Thread &t, mlir::Block &b);
  void visit(Thread &t, mlir::Operation *op);
  bool scalars(Thread &t, mlir::Operation *op);
  bool control(Thread &t, mlir::Operation *op);
  bool memory(Thread &t, mlir::Operation *op);
  bool tensors(Thread &t, mlir::Operation *op);
  bool linalg(Thread &t, mlir::Operation *op);
  bool vectors(Thread &t, mlir::Operation *op);
  bool gpu(Thread &t, mlir::Operation *op);
  bool triton(Thread &t, mlir::Operation *op);
  Ints apply(mlir::AffineMap map, llvm::ArrayRef<int64_t> operands);

  /// Loops around that are no launch: a tile made in one is fast.
  unsigned depth = 0;

  /// `body(thread)` for each block and thread, the threads of a block together.
  void launch(Thread &t, const int64_t grid[3], const int64_t size[3],
              llvm::function_ref<void(Thread &)> body);

private:
  int64_t nextCta = 0;
  void count(Thread &t, mlir::Operation *op, Count &c, const Buffer &b,
             int64_t at);
};

} // namespace run

#endif // IOFLOR_TEST_MLIR_RUN_MACHINE_H
