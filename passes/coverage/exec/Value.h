//===- Value.h - What a word is made of, in an execution ---------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value of the execution is no number but its provenance: which operand entry
// it is, which score with which columns, which weights it sums. Scaling,
// rescaling and shifts by a maximum leave it as it is.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_COVERAGE_EXEC_VALUE_H
#define IOFLOR_PASSES_COVERAGE_EXEC_VALUE_H

#include "dialect/ir/Ioflor.h"
#include "llvm/ADT/DenseMap.h"
#include <vector>

namespace ioflor::coverage {

enum class Kind : uint8_t {
  Undef,   ///< never written
  Num,     ///< a number of the program: see Number
  Shift,   ///< such a number less a statistic
  Data,    ///< loaded or derived from data, holds no entry, score or weight
  Entry,   ///< an entry of an operand, perhaps scaled
  Score,   ///< sum over some columns of products of one row of Q and one of K
  Weight,  ///< exp of a score, perhaps already divided by a sum of weights
  Phantom, ///< exp of what is no score: of zeros, or of words never written
  Prod,    ///< a weight times an entry
  Sum,     ///< of weights, products and quotients
  Quot,    ///< one of those divided by a sum of weights
  Recip,   ///< 1 / a sum of weights
  Unknown  ///< not followed; payload: why
};

enum Number : uint8_t { Zero, MinusInfinity, Other };

/// 6 bits of kind, 58 of payload.
struct Val {
  uint64_t bits = 0;
  Kind kind() const { return Kind(bits >> 58); }
  uint64_t payload() const { return bits & ((1ULL << 58) - 1); }
  static Val make(Kind kind, uint64_t payload = 0) {
    return {uint64_t(kind) << 58 | payload};
  }
  static Val number(Number n) { return make(Kind::Num, n); }
  bool is(Kind k) const { return kind() == k; }
  bool isNumber(Number n) const { return *this == number(n); }
  bool operator==(const Val &o) const { return bits == o.bits; }
  bool operator!=(const Val &o) const { return bits != o.bits; }
};

/// One entry of an operand (Role Q, K or V).
struct EntryRef {
  Role role;
  uint32_t row; ///< over all batches and heads
  uint32_t column;
};

struct ScoreRef {
  uint32_t q, k; ///< rows over all batches and heads
  uint32_t columns;
};

/// A set of columns, and whether one came twice.
struct Columns {
  std::vector<uint64_t> bits;
  unsigned count = 0;
  bool twice = false;
};

class Algebra {
public:
  static constexpr uint32_t maxRows = 1u << 18, maxColumns = 1u << 14;
  /// Nodes of sums and products beyond which an execution is given up.
  static constexpr size_t maxNodes = 24'000'000;

  Val entry(EntryRef e) const {
    return Val::make(Kind::Entry,
                     uint64_t(e.role) << 40 | uint64_t(e.row) << 16 | e.column);
  }
  static EntryRef entryOf(Val v) {
    uint64_t p = v.payload();
    return {Role(p >> 40), uint32_t(p >> 16 & 0xffffff), uint32_t(p & 0xffff)};
  }
  static ScoreRef scoreOf(Val v) {
    uint64_t p = v.payload();
    return {uint32_t(p >> 40), uint32_t(p >> 22 & 0x3ffff),
            uint32_t(p & 0x3fffff)};
  }
  const Columns &columns(uint32_t set) const { return sets[set]; }

  struct Pair {
    Val first, second;
  };
  /// Weight: the score and the denominator (Undef: none yet). Phantom products
  /// and Prod: the weight and the entry. Sum: both summands. Quot: numerator
  /// and denominator.
  Pair partsOf(Val v) const {
    switch (v.kind()) {
    case Kind::Weight:
      return weights[v.payload()];
    case Kind::Prod:
      return prods[v.payload()];
    case Kind::Sum:
      return sums[v.payload()];
    case Kind::Quot:
      return quots[v.payload()];
    default:
      return {};
    }
  }
  /// Of a Recip.
  Val divisorOf(Val v) const { return recips[v.payload()]; }

  Val add(Val a, Val b, mlir::Operation *at);
  Val sub(Val a, Val b, mlir::Operation *at);
  Val mul(Val a, Val b, mlir::Operation *at);
  Val div(Val a, Val b, mlir::Operation *at);
  Val neg(Val a);
  Val max(Val a, Val b);
  Val exp(Val a, mlir::Operation *at);
  /// A function of one value that is not listed, e.g. tanh of a score.
  Val other(llvm::ArrayRef<Val> in, llvm::StringRef name, mlir::Operation *at);
  Val unknown(mlir::Operation *at, llvm::StringRef why);
  Val constant(llvm::StringRef text, mlir::Operation *at);

  struct Reason {
    mlir::Operation *at;
    std::string text;
  };
  const Reason &reasonOf(Val unknown) const {
    return reasons[unknown.payload()];
  }
  bool full() const { return sums.size() + prods.size() > maxNodes; }
  /// Carries weights: may be a summand of the weighted sum or its denominator.
  static bool isWeighted(Val v) {
    switch (v.kind()) {
    case Kind::Weight:
    case Kind::Phantom:
    case Kind::Prod:
    case Kind::Sum:
    case Kind::Quot:
      return true;
    default:
      return false;
    }
  }

private:
  Val score(uint32_t q, uint32_t k, uint32_t columns) const {
    return Val::make(Kind::Score,
                     uint64_t(q) << 40 | uint64_t(k) << 22 | columns);
  }
  Val weight(Val score, Val denominator);
  Val prod(Val weight, Val entry);
  Val sum(Val a, Val b);
  Val quot(Val numerator, Val denominator);
  Val recip(Val a, mlir::Operation *at);
  uint32_t single(uint32_t column);
  uint32_t unite(uint32_t a, uint32_t b);
  uint32_t intern(Columns c);

  std::vector<Columns> sets;
  std::map<std::pair<std::vector<uint64_t>, bool>, uint32_t> setIds;
  std::vector<uint32_t> singles; ///< by column, id + 1
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> unions;
  std::vector<Pair> weights, prods, sums, quots;
  std::vector<Val> recips;
  llvm::DenseMap<std::pair<uint64_t, uint64_t>, uint32_t> weightIds, quotIds;
  llvm::DenseMap<uint64_t, uint32_t> recipIds;
  std::vector<Reason> reasons;
  llvm::DenseMap<std::pair<mlir::Operation *, uint64_t>, uint32_t> reasonIds;
};

} // namespace ioflor::coverage

#endif // IOFLOR_PASSES_COVERAGE_EXEC_VALUE_H
