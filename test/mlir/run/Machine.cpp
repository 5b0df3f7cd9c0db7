//===- Machine.cpp - Values, words and threads -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Machine.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/Support/raw_ostream.h"
#include <ucontext.h>

using namespace mlir;
using namespace run;

void run::fail(Operation *op, const llvm::Twine &why) {
  llvm::errs() << op->getLoc() << ": error: '" << op->getName() << "': " << why
               << "\n";
  exit(2);
}

Val &Machine::get(Thread &t, Value v) {
  for (Thread *s = &t; s; s = s->outer)
    if (auto it = s->values.find(v); it != s->values.end())
      return it->second;
  fail(v.getDefiningOp() ? v.getDefiningOp()
                         : v.getParentBlock()->getParentOp(),
       "a value without a number");
}

int64_t Machine::integer(Thread &t, OpFoldResult v) {
  if (auto a = dyn_cast<Attribute>(v))
    return cast<IntegerAttr>(a).getInt();
  return integer(t, cast<Value>(v));
}

Ints Machine::integers(Thread &t, ArrayRef<OpFoldResult> vs) {
  Ints out;
  for (OpFoldResult v : vs)
    out.push_back(integer(t, v));
  return out;
}

Ints Machine::integers(Thread &t, ValueRange vs) {
  Ints out;
  for (Value v : vs)
    out.push_back(integer(t, v));
  return out;
}

Array Machine::make(ArrayRef<int64_t> sizes, bool slow, StringRef name) {
  Array a;
  a.in = std::make_shared<Buffer>();
  a.in->slow = slow;
  a.in->name = name.str();
  a.sizes.assign(sizes.begin(), sizes.end());
  a.strides.assign(sizes.size(), 1);
  for (size_t k = sizes.size(); k-- > 1;)
    a.strides[k - 1] = a.strides[k] * sizes[k];
  a.in->words.assign(std::max<int64_t>(a.count(), 0), 0);
  return a;
}

Array &Machine::arrayOf(Thread &t, Operation *op, Value v) {
  Val &x = get(t, v);
  if (!x.array)
    fail(op, "an operand that is no array");
  if (x.lazy) {
    Array tile = make(x.array->sizes, false);
    copy(t, v.getDefiningOp(), *x.array, tile);
    x.array = std::make_shared<Array>(tile);
    x.lazy = false;
  }
  return *x.array;
}

void Machine::count(Thread &t, Operation *op, Count &c, const Buffer &b,
                    int64_t at) {
  ++c.issued;
  uint64_t h = llvm::hash_combine(
      op, &b, at, t.cta,
      llvm::hash_combine_range(t.trips.begin(), t.trips.end()));
  // Two keys are no hash.
  c.distinct.insert(h & (~uint64_t(0) >> 2));
}

double Machine::readWord(Thread &t, Operation *op, Buffer &b, int64_t at) {
  if (b.slow)
    count(t, op, loads[b.name], b, at);
  if (at < 0 || at >= int64_t(b.words.size())) {
    ++outOfBounds;
    return 0;
  }
  return b.words[at];
}

void Machine::writeWord(Thread &t, Operation *op, Buffer &b, int64_t at,
                        double x) {
  if (b.slow)
    count(t, op, stores[b.name], b, at);
  if (at < 0 || at >= int64_t(b.words.size()))
    ++outOfBounds;
  else
    b.words[at] = x;
}

double Machine::read(Thread &t, Operation *op, const Array &a,
                     ArrayRef<int64_t> index) {
  return readWord(t, op, *a.in, a.at(index));
}

void Machine::write(Thread &t, Operation *op, const Array &a,
                    ArrayRef<int64_t> index, double x) {
  writeWord(t, op, *a.in, a.at(index), x);
}

void Machine::each(Thread &t, ArrayRef<int64_t> sizes,
                   llvm::function_ref<void(ArrayRef<int64_t>)> fn) {
  for (int64_t s : sizes)
    if (s <= 0)
      return;
  Ints at(sizes.size(), 0);
  size_t base = t.trips.size();
  t.trips.resize(base + sizes.size());
  while (true) {
    std::copy(at.begin(), at.end(), t.trips.begin() + base);
    fn(at);
    size_t k = sizes.size();
    while (k-- > 0) {
      if (++at[k] < sizes[k])
        break;
      at[k] = 0;
    }
    if (k == size_t(-1))
      break;
  }
  t.trips.resize(base);
}

void Machine::copy(Thread &t, Operation *op, const Array &from,
                   const Array &to) {
  each(t, to.sizes, [&](ArrayRef<int64_t> at) {
    write(t, op, to, at, read(t, op, from, at));
  });
}

namespace {
/// A thread that waits at barriers for the others of its block.
struct Fiber {
  ucontext_t here, back;
  std::vector<char> stack = std::vector<char>(512 << 10);
  std::function<void()> body;
  bool done = false;
  static void start(unsigned high, unsigned low) {
    auto *f = reinterpret_cast<Fiber *>(uint64_t(high) << 32 | low);
    f->body();
    f->done = true;
    swapcontext(&f->here, &f->back);
  }
};
} // namespace

void Machine::launch(Thread &outer, const int64_t grid[3],
                     const int64_t size[3],
                     llvm::function_ref<void(Thread &)> body) {
  for (int64_t b = 0; b < grid[0] * grid[1] * grid[2]; ++b) {
    std::vector<std::unique_ptr<Thread>> threads;
    std::vector<std::unique_ptr<Fiber>> fibers;
    ++nextCta;
    for (int64_t n = 0; n < size[0] * size[1] * size[2]; ++n) {
      auto t = std::make_unique<Thread>();
      t->outer = &outer;
      t->trips = outer.trips;
      t->cta = nextCta;
      for (int k = 0; k < 3; ++k) {
        t->grid[k] = grid[k];
        t->size[k] = size[k];
      }
      t->block[0] = b % grid[0];
      t->block[1] = b / grid[0] % grid[1];
      t->block[2] = b / grid[0] / grid[1];
      t->thread[0] = n % size[0];
      t->thread[1] = n / size[0] % size[1];
      t->thread[2] = n / size[0] / size[1];
      auto f = std::make_unique<Fiber>();
      Fiber *fiber = f.get();
      t->barrier = [fiber] { swapcontext(&fiber->here, &fiber->back); };
      Thread *thread = t.get();
      fiber->body = [&body, thread] { body(*thread); };
      getcontext(&fiber->here);
      fiber->here.uc_stack.ss_sp = fiber->stack.data();
      fiber->here.uc_stack.ss_size = fiber->stack.size();
      fiber->here.uc_link = nullptr;
      auto address = reinterpret_cast<uint64_t>(fiber);
      makecontext(&fiber->here, reinterpret_cast<void (*)()>(Fiber::start), 2,
                  unsigned(address >> 32), unsigned(address));
      threads.push_back(std::move(t));
      fibers.push_back(std::move(f));
    }
    // All to the next barrier, then all on.
    for (bool left = true; left;) {
      left = false;
      for (auto &f : fibers)
        if (!f->done) {
          swapcontext(&f->back, &f->here);
          left |= !f->done;
        }
    }
  }
}

void Machine::block(Thread &t, Block &b) {
  for (Operation &op : b)
    if (!op.hasTrait<OpTrait::IsTerminator>() ||
        op.getName().getStringRef() == "scf.forall.in_parallel")
      visit(t, &op);
}

void Machine::visit(Thread &t, Operation *op) {
  if (scalars(t, op) || control(t, op) || memory(t, op) || tensors(t, op) ||
      linalg(t, op) || vectors(t, op) || gpu(t, op) || triton(t, op))
    return;
  fail(op, "is not known to the interpreter");
}
