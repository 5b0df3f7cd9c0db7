//===- RandomTest.cpp - Against a definition by sets ----------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random skeletons, counted by the interpreter and, thread after thread, by the
// definitions themselves: sets of (CTA, instr, iteration vector, address).
//
//===----------------------------------------------------------------------===//

#include "Skeleton.h"
#include <random>
#include <set>

using namespace ioflor;

namespace {

/// Executes ops as they stand, one thread at a time.
class Reference {
public:
  struct Counts {
    uint64_t issued = 0;
    std::set<std::vector<int64_t>> traffic, compulsory;
  };
  std::map<std::pair<std::string, bool>, Counts> counts;

  void block(mlir::Block &body) {
    for (mlir::Operation &op : body) {
      if (auto loop = mlir::dyn_cast<LoopOp>(op)) {
        int64_t trips = value(loop.getTrips());
        auto &path = loop.getKind() == LoopKind::Seq      ? iteration
                     : loop.getKind() == LoopKind::Thread ? thread
                                                          : cta;
        for (int64_t i = 0; i < trips; ++i) {
          at[loop.getVar().str()] = BigInt(i);
          path.push_back(i);
          block(loop.getBody().front());
          path.pop_back();
        }
      } else if (auto guard = mlir::dyn_cast<GuardOp>(op)) {
        if (*evaluate(guard.getCondition(), at))
          block(guard.getBody().front());
      } else if (auto stage = mlir::dyn_cast<StageOp>(op)) {
        cta.push_back(++stages);
        block(stage.getBody().front());
        cta.pop_back();
      } else if (auto load = mlir::dyn_cast<LoadOp>(op)) {
        access(load, false);
      } else if (auto store = mlir::dyn_cast<StoreOp>(op)) {
        access(store, true);
      }
    }
  }

private:
  int64_t value(const Expr &e) { return int64_t(*evaluate(e, at)); }

  template <typename Op> void access(Op op, bool store) {
    Counts &c = counts[{op.getBuffer().str(), store}];
    int64_t address = value(*op.getAddress());
    for (int64_t i = 0; i < static_cast<int64_t>(op.getWidth()); ++i) {
      ++c.issued;
      std::vector<int64_t> key = cta;
      key.push_back(address + i);
      c.compulsory.insert(key);
      key.push_back(op.getInstr());
      key.insert(key.end(), iteration.begin(), iteration.end());
      c.traffic.insert(key);
    }
  }

  Valuation at;
  std::vector<int64_t> cta, thread, iteration;
  int64_t stages = 0;
};

/// Text of a random stage.
class Generator {
public:
  explicit Generator(unsigned seed) : random(seed) {}

  std::string subject() {
    std::string body;
    int stages = 1 + pick(2);
    for (int s = 0; s < stages; ++s) {
      vars.clear();
      bool host = pick(4) == 0;
      std::string text = host ? open("host") : std::string();
      text += stage(nest(), ("k" + std::to_string(s)).c_str());
      body += text + (host ? "}\n" : "");
    }
    return body;
  }

private:
  int pick(int n) { return static_cast<int>(random() % n); }

  std::string open(const char *kind) {
    std::string var = "v" + std::to_string(next++);
    // Now and then the trip count depends on a variable outside.
    std::string trips =
        pick(3) ? std::to_string(pick(4) + (pick(5) != 0)) : expr() + " + 2";
    vars.push_back(var);
    return std::string("ioflor.loop ") + kind + " \"" + var + "\" to \"" +
           trips + "\" {\n";
  }

  std::string nest() {
    std::string text;
    int depth = 0;
    size_t outer = vars.size();
    for (const char *kind : {"grid", "thread"})
      for (int i = pick(3); i > 0; --i) {
        text += open(kind);
        ++depth;
        if (pick(4) == 0) {
          text += "ioflor.guard \"" + cond() + "\" {\n";
          ++depth;
        }
      }
    text += program(3);
    while (depth--)
      text += "}\n";
    vars.resize(outer);
    return text;
  }

  std::string program(int depth) {
    std::string text;
    for (int i = 1 + pick(2); i > 0; --i) {
      if (depth && pick(3)) {
        bool loop = pick(2);
        text += loop ? open("seq") : "ioflor.guard \"" + cond() + "\" {\n";
        text += program(depth - 1) + "}\n";
        if (loop)
          vars.pop_back();
        continue;
      }
      std::string n = std::to_string(next++);
      std::string width =
          pick(4) ? "" : " width " + std::to_string(1 + pick(3));
      const char *buffer = pick(2) ? "@Q" : "@K";
      text += "%l" + n + " = ioflor.load " + buffer + "[\"" + expr() + "\"]" +
              width + " instr " + n + "\n";
      if (pick(2))
        text += "ioflor.store %l" + n + " to @O[\"" + expr() + "\"]" + width +
                " instr " + n + "\n";
    }
    return text;
  }

  std::string atom() {
    if (vars.empty() || pick(5) == 0)
      return std::to_string(pick(4));
    return vars[pick(vars.size())];
  }

  std::string expr() {
    switch (pick(6)) {
    case 0:
      return atom();
    case 1:
      return "floordiv(" + atom() + " + 2*" + atom() + ", 2)";
    case 2:
      return "mod(" + atom() + " + 3*" + atom() + ", 4)";
    case 3:
      return atom() + "*" + atom() + " - " + atom();
    case 4:
      return "min(" + atom() + ", 2*" + atom() + ")";
    default:
      return atom() + " + 4*" + atom();
    }
  }

  std::string cond() {
    const char *relations[] = {" < ", " <= ", " != ", " >= "};
    std::string c = expr() + relations[pick(4)] + expr();
    if (pick(3) == 0)
      c += (pick(2) ? " or " : " and ") + expr() + relations[pick(4)] + expr();
    return c;
  }

  std::mt19937 random;
  std::vector<std::string> vars;
  int next = 0;
};

} // namespace

TEST(Random, AgreesWithTheDefinition) {
  uint64_t moved = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::string text = Generator(seed).subject();
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    Skeleton s(text);
    ASSERT_TRUE(s.subject);
    Reference reference;
    reference.block(s.subject.getBody().front());
    InterpCounts c = Interpreter(s.subject).bounds({});
    ASSERT_TRUE(c.ok()) << c.message;
    EXPECT_FALSE(c.metUnknown);
    for (const char *buffer : {"Q", "K", "O"})
      for (bool store : {false, true}) {
        const Reference::Counts &r = reference.counts[{buffer, store}];
        expectCounts((store ? c.stores : c.loads).at(buffer), exactly(r.issued),
                     exactly(r.traffic.size()), exactly(r.compulsory.size()));
        moved += r.issued - r.traffic.size();
      }
    if (HasFailure())
      return;
  }
  // The generator does make skeletons in which threads share words.
  EXPECT_GT(moved, 1000u);
}
