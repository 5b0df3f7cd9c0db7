//===- Program.cpp - Compiles and runs expressions ------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/expr/Program.h"
#include "dialect/expr/Node.h"
#include "llvm/ADT/DenseMap.h"
#include <limits>

using namespace ioflor;
using namespace ioflor::detail;

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

namespace {

/// A block of code under construction and the values it has.
struct Block {
  Block *parent = nullptr;
  /// Nodes without this variable belong to the parent; empty at the top.
  std::string var;
  uint64_t varBit = 0;
  uint32_t varRegister = 0;
  std::vector<Inst> code;
  llvm::DenseMap<const ExprNode *, uint32_t> values;
};

class Compiler {
public:
  Compiler(Program &p, llvm::ArrayRef<std::string> slots) : p(p) {
    p.slots = p.registers = slots.size();
    // A name given twice: the first slot counts.
    for (size_t i = 0; i < slots.size(); ++i)
      slotOf.try_emplace(slots[i], uint32_t(i));
  }

  void compile(const Expr &e) {
    collectConstants(e);
    p.registers += p.constants.size();
    Block top;
    p.result = value(e, top);
    p.code = std::move(top.code);
  }

private:
  Program &p;
  std::map<std::string, uint32_t> slotOf;
  std::map<BigInt, uint32_t> constantOf;
  llvm::DenseMap<const ExprNode *, bool> visited;

  void constant(const BigInt &v) {
    if (!constantOf.try_emplace(v, p.slots + p.constants.size()).second)
      return;
    p.constants.push_back(v);
    p.constants64.push_back(detail::fits64(v) ? int64_t(v) : 0);
    p.fits64 &= detail::fits64(v);
  }

  void collectConstants(const Expr &e) {
    const ExprNode *n = e.node();
    if (!visited.try_emplace(n, true).second)
      return;
    if (n->kind == ExprKind::Const || n->kind == ExprKind::Mul)
      constant(n->value);
    if (n->kind == ExprKind::Sum)
      constant(BigInt(0));
    for (const Expr &o : n->ops)
      collectConstants(o);
  }

  uint32_t constantRegister(const BigInt &v) { return constantOf.at(v); }
  uint32_t fresh() { return p.registers++; }

  uint32_t symbol(llvm::StringRef name, Block &block) {
    for (Block *b = &block; b; b = b->parent)
      if (!b->var.empty() && name == b->var)
        return b->varRegister;
    auto it = slotOf.find(name.str());
    if (it != slotOf.end())
      return it->second;
    p.missing = name.str();
    return 0;
  }

  uint32_t emit(Block &b, Op op, uint32_t dst, uint32_t x, uint32_t y) {
    Inst i{op};
    i.dst = dst;
    i.a = x;
    i.b = y;
    b.code.push_back(i);
    return dst;
  }

  uint32_t value(const Expr &e, Block &block) {
    const ExprNode *n = e.node();
    if (n->kind == ExprKind::Const)
      return constantRegister(n->value);
    if (n->kind == ExprKind::Symbol)
      return symbol(n->name, block);
    if (!block.var.empty() && !(n->symbols & block.varBit))
      return value(e, *block.parent);
    if (auto it = block.values.find(n); it != block.values.end())
      return it->second;
    uint32_t r = compute(e, block);
    block.values[n] = r;
    return r;
  }

  /// atom^power chains of one monomial, without its coefficient.
  uint32_t product(const Expr &mono, Block &block) {
    uint32_t acc = 0;
    bool first = true;
    for (const Factor &f : mono.factors()) {
      uint32_t a = value(f.first, block);
      for (unsigned i = 0; i < f.second; ++i) {
        acc = first ? a : emit(block, Op::Mul, fresh(), acc, a);
        first = false;
      }
    }
    return acc;
  }

  uint32_t compute(const Expr &e, Block &block) {
    const ExprNode *n = e.node();
    switch (n->kind) {
    case ExprKind::Const:
    case ExprKind::Symbol:
      break;
    case ExprKind::Add:
      return computeSum(n, block);
    case ExprKind::Mul: {
      uint32_t x = product(e, block);
      if (n->value == 1)
        return x;
      return emit(block, Op::Mul, fresh(), x, constantRegister(n->value));
    }
    case ExprKind::FloorDiv:
    case ExprKind::CeilDiv: {
      uint32_t x = value(n->ops[0], block), y = value(n->ops[1], block);
      return emit(block,
                  n->kind == ExprKind::FloorDiv ? Op::FloorDiv : Op::CeilDiv,
                  fresh(), x, y);
    }
    case ExprKind::Min:
    case ExprKind::Max: {
      uint32_t acc = value(n->ops[0], block);
      for (size_t i = 1; i < n->ops.size(); ++i) {
        uint32_t y = value(n->ops[i], block);
        acc = emit(block, n->kind == ExprKind::Min ? Op::Min : Op::Max, fresh(),
                   acc, y);
      }
      return acc;
    }
    case ExprKind::Sum:
      return computeLoop(n, block);
    }
    return 0;
  }

  uint32_t computeSum(const ExprNode *n, Block &block) {
    // Operands first: they may be shared, the accumulator is not.
    std::vector<std::pair<uint32_t, uint32_t>> scaled;
    std::vector<uint32_t> plain;
    for (const Expr &t : n->ops) {
      if (t.kind() == ExprKind::Mul && t.node()->value != 1) {
        uint32_t x = product(t, block);
        scaled.push_back({x, constantRegister(t.node()->value)});
      } else {
        plain.push_back(value(t, block));
      }
    }
    uint32_t acc = fresh();
    size_t next = 0;
    if (plain.size() >= 2) {
      emit(block, Op::Add, acc, plain[0], plain[1]);
      next = 2;
    } else if (plain.size() == 1) {
      emit(block, Op::Copy, acc, plain[0], 0);
      next = 1;
    } else {
      emit(block, Op::Mul, acc, scaled[0].first, scaled[0].second);
      scaled.erase(scaled.begin());
    }
    for (; next < plain.size(); ++next)
      emit(block, Op::Add, acc, acc, plain[next]);
    for (auto [x, k] : scaled)
      emit(block, Op::MulAdd, acc, x, k);
    return acc;
  }

  uint32_t computeLoop(const ExprNode *n, Block &block) {
    Inst loop{Op::Sum};
    loop.a = value(n->ops[0], block);
    loop.b = value(n->ops[1], block);
    loop.dst = fresh();
    loop.var = fresh();
    // What does not depend on the variable is computed once, but only when the
    // range is not empty: a divisor may be bad otherwise.
    Block prefix, body;
    prefix.parent = &block;
    prefix.var = "\1prefix"; // no symbol has this name
    prefix.varBit = ~uint64_t(0);
    body.parent = &prefix;
    body.var = n->name;
    body.varBit = symbolBit(n->name);
    body.varRegister = loop.var;
    prefix.values = block.values;
    loop.result = value(n->ops[2], body);
    loop.prefix = prefix.code.size();
    loop.skip = prefix.code.size() + body.code.size();
    block.code.push_back(loop);
    block.code.insert(block.code.end(), prefix.code.begin(), prefix.code.end());
    block.code.insert(block.code.end(), body.code.begin(), body.code.end());
    return loop.dst;
  }
};

} // namespace

Program::Program(const Expr &e, llvm::ArrayRef<std::string> slots) {
  Compiler(*this, slots).compile(e);
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

namespace {

/// 64-bit arithmetic; true on overflow.
struct Checked {
  using T = int64_t;
  /// hi - lo > n, for lo < hi.
  static bool apart(T lo, T hi, uint64_t n) {
    return uint64_t(hi) - uint64_t(lo) > n;
  }
  static bool add(T a, T b, T &out) {
    return __builtin_add_overflow(a, b, &out);
  }
  static bool mul(T a, T b, T &out) {
    return __builtin_mul_overflow(a, b, &out);
  }
  static T floor(T a, T b) { return a / b - (a % b < 0); }
  static bool ceil(T a, T b, T &out) {
    out = a / b + (a % b > 0);
    return false;
  }
};

struct Exact {
  using T = BigInt;
  static bool apart(const T &lo, const T &hi, uint64_t n) {
    return n < uint64_t(std::numeric_limits<int64_t>::max()) &&
           hi - lo > T(int64_t(n));
  }
  static bool add(const T &a, const T &b, T &out) {
    out = a + b;
    return false;
  }
  static bool mul(const T &a, const T &b, T &out) {
    out = a * b;
    return false;
  }
  static T floor(const T &a, const T &b) { return floorDiv(a, b); }
  static bool ceil(const T &a, const T &b, T &out) {
    out = ceilDiv(a, b);
    return false;
  }
};

template <typename A> struct Machine {
  using T = typename A::T;
  T *r;
  uint64_t &steps;

  RunStatus run(const Inst *pc, const Inst *end) {
    for (; pc != end; ++pc) {
      const T &a = r[pc->a], &b = r[pc->b];
      T &dst = r[pc->dst];
      switch (pc->op) {
      case Op::Mul:
        if (A::mul(a, b, dst))
          return RunStatus::Overflow;
        break;
      case Op::Add:
        if (A::add(a, b, dst))
          return RunStatus::Overflow;
        break;
      case Op::MulAdd: {
        T product;
        if (A::mul(a, b, product) || A::add(dst, product, dst))
          return RunStatus::Overflow;
        break;
      }
      case Op::Copy:
        dst = a;
        break;
      case Op::FloorDiv:
        if (b < 1)
          return RunStatus::BadDivisor;
        dst = A::floor(a, b);
        break;
      case Op::CeilDiv:
        if (b < 1)
          return RunStatus::BadDivisor;
        A::ceil(a, b, dst);
        break;
      case Op::Min:
        dst = b < a ? b : a;
        break;
      case Op::Max:
        dst = b > a ? b : a;
        break;
      case Op::Sum: {
        RunStatus s = loop(*pc, pc + 1);
        if (s != RunStatus::Ok)
          return s;
        pc += pc->skip;
        break;
      }
      }
    }
    return RunStatus::Ok;
  }

  RunStatus loop(const Inst &i, const Inst *code) {
    T lo = r[i.a], hi = r[i.b], acc(0);
    r[i.dst] = acc;
    if (!(lo < hi))
      return RunStatus::Ok;
    // Not one by one: each may be a number of many digits.
    if (A::apart(lo, hi, steps)) {
      steps = 0;
      return RunStatus::TooManySteps;
    }
    RunStatus s = run(code, code + i.prefix);
    if (s != RunStatus::Ok)
      return s;
    for (T v = lo; v < hi; v += T(1)) {
      if (steps == 0)
        return RunStatus::TooManySteps;
      --steps;
      r[i.var] = v;
      s = run(code + i.prefix, code + i.skip);
      if (s != RunStatus::Ok)
        return s;
      if (A::add(acc, r[i.result], acc))
        return RunStatus::Overflow;
    }
    r[i.dst] = acc;
    return RunStatus::Ok;
  }
};

} // namespace

RunStatus detail::run64(const Program &p, llvm::ArrayRef<int64_t> values,
                        uint64_t &steps, int64_t &out) {
  if (!p.fits64)
    return RunStatus::Overflow;
  llvm::SmallVector<int64_t, 64> r;
  r.resize_for_overwrite(p.registers);
  std::copy(values.begin(), values.end(), r.begin());
  std::copy(p.constants64.begin(), p.constants64.end(), r.begin() + p.slots);
  RunStatus s = Machine<Checked>{r.data(), steps}.run(
      p.code.data(), p.code.data() + p.code.size());
  if (s == RunStatus::Ok)
    out = r[p.result];
  return s;
}

RunStatus detail::runExact(const Program &p, llvm::ArrayRef<BigInt> values,
                           uint64_t &steps, BigInt &out) {
  std::vector<BigInt> r(p.registers);
  std::copy(values.begin(), values.end(), r.begin());
  std::copy(p.constants.begin(), p.constants.end(), r.begin() + p.slots);
  RunStatus s = Machine<Exact>{r.data(), steps}.run(
      p.code.data(), p.code.data() + p.code.size());
  if (s == RunStatus::Ok)
    out = normalized(r[p.result]);
  return s;
}
