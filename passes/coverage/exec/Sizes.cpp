//===- Sizes.cpp - At which sizes coverage is executed --------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/coverage/exec/Sizes.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::coverage;

namespace {

using Names = std::set<std::string>;

/// Lengths beyond are not executed.
constexpr int64_t maxLength = 300;

void constantsOf(const Expr &e, std::set<int64_t> &out) {
  for (const Expr &t : e.terms()) {
    if (std::optional<int64_t> c = Expr(t.coefficient()).constant64())
      out.insert(std::abs(*c));
    for (const auto &[atom, power] : t.factors()) {
      (void)power;
      if (atom.kind() != ExprKind::Symbol)
        for (const Expr &o : atom.operands())
          constantsOf(o, out);
    }
  }
}

void constantsOf(const Cond &c, std::set<int64_t> &out) {
  if (c.kind() == CondKind::And || c.kind() == CondKind::Or)
    for (const Cond &o : c.operands())
      constantsOf(o, out);
  else if (c.kind() != CondKind::True && c.kind() != CondKind::False &&
           c.kind() != CondKind::Unknown)
    constantsOf(c.expr(), out);
}

/// Constants of trip counts and guards.
std::set<int64_t> tileConstants(SubjectOp subject) {
  std::set<int64_t> all;
  subject.walk([&](Operation *op) {
    if (auto loop = dyn_cast<LoopOp>(op))
      constantsOf(loop.getTrips(), all);
    else if (auto guard = dyn_cast<GuardOp>(op))
      constantsOf(guard.getCondition(), all);
  });
  std::set<int64_t> out;
  for (int64_t c : all)
    if (c >= 2 && c <= maxLength)
      out.insert(c);
  return out;
}

class Chooser {
public:
  Chooser(SubjectOp subject, const floors::Problem &p)
      : subject(subject), constants(tileConstants(subject)) {
    auto add = [](Names &to, const Expr &e) {
      for (const std::string &s : e.freeSymbols())
        to.insert(s);
    };
    add(queries, p.dims.nQ);
    add(keys, p.dims.nK);
    for (const Expr *e : {&p.dims.d, &p.dims.dV})
      add(columns, *e);
    for (const Expr *e : {&p.dims.batch, &p.dims.heads, &p.dims.kvHeads}) {
      add(instances, *e);
      shapes.push_back(*e);
    }
    // Two query heads a key head tell which of them reads which.
    if (p.dims.heads != p.dims.kvHeads)
      if (auto keyHeads = p.dims.kvHeads.constant64();
          keyHeads && *keyHeads <= 8)
        grouped = 2 * *keyHeads;
    for (auto s : subject.getBody().getOps<SymbolOp>())
      if (!s.getData())
        symbols.push_back(s);
  }

  std::vector<Valuation> run();

private:
  bool isLength(const std::string &s) const {
    return queries.count(s) || keys.count(s);
  }
  void add(const Valuation &wanted);
  bool repair(Valuation &at) const;
  Valuation base(int64_t q, int64_t k, int64_t d, int64_t heads) const;

  SubjectOp subject;
  std::set<int64_t> constants;
  Names queries, keys, columns, instances;
  std::vector<Expr> shapes; ///< of batch and heads
  std::optional<int64_t> grouped;
  std::vector<SymbolOp> symbols;
  std::vector<Valuation> out;
  std::set<Valuation> seen;
};

} // namespace

Valuation Chooser::base(int64_t q, int64_t k, int64_t d, int64_t heads) const {
  Valuation at;
  for (SymbolOp symbol : symbols) {
    std::string s = symbol.getName().str();
    at[s] = BigInt(keys.count(s)        ? k
                   : queries.count(s)   ? q
                   : columns.count(s)   ? d
                   : instances.count(s) ? heads
                                        : 2);
  }
  return at;
}

/// Changes single symbols until the subject admits the sizes.
bool Chooser::repair(Valuation &at) const {
  auto ends = [&](SymbolOp s) {
    auto end = [&](const std::optional<Expr> &e) -> std::optional<int64_t> {
      if (!e)
        return std::nullopt;
      std::optional<BigInt> v = evaluate(*e, at);
      return v ? Expr(*v).constant64() : std::nullopt;
    };
    return std::pair(end(s.getLo()), end(s.getHi()));
  };
  for (unsigned round = 0; round < 12; ++round) {
    if (!whyInadmissible(subject, at))
      return true;
    for (SymbolOp s : symbols) {
      auto [lo, hi] = ends(s);
      BigInt &v = at[s.getName().str()];
      if (lo && v < BigInt(*lo))
        v = BigInt(*lo);
      if (hi && v > BigInt(*hi))
        v = BigInt(*hi);
    }
    for (auto assume : SubjectOp(subject).getBody().getOps<AssumeOp>()) {
      Cond c = assume.getCondition();
      std::optional<bool> holds = evaluate(c, at);
      if (!holds || *holds)
        continue;
      // Lengths are what was asked for: they change last.
      std::vector<std::string> names;
      for (bool lengths : {false, true})
        for (SymbolOp s : symbols)
          if (std::string n = s.getName().str();
              c.freeSymbols().count(n) && isLength(n) == lengths)
            names.push_back(n);
      bool repaired = false;
      for (const std::string &n : names) {
        BigInt old = at[n];
        int64_t from = Expr(old).constant64().value_or(1);
        for (int64_t step = 1; step <= 600 && !repaired; ++step)
          for (int64_t v : {from + step, from - step}) {
            if (v < 0)
              continue;
            at[n] = BigInt(v);
            std::optional<bool> now = evaluate(c, at);
            if ((repaired = now && *now))
              break;
          }
        if (repaired)
          break;
        at[n] = old;
      }
      if (!repaired)
        return false;
    }
  }
  return !whyInadmissible(subject, at);
}

/// Every division in it has no remainder: heads that share a head of K and V
/// are groups of equal size.
static bool dividesEvenly(const Expr &e, const Valuation &at) {
  for (const Expr &t : e.terms())
    for (const auto &[atom, power] : t.factors()) {
      (void)power;
      for (const Expr &o : atom.operands())
        if (atom.kind() != ExprKind::Symbol && !dividesEvenly(o, at))
          return false;
      if (atom.kind() != ExprKind::FloorDiv && atom.kind() != ExprKind::CeilDiv)
        continue;
      std::optional<BigInt> rest =
          evaluate(mod(atom.operands()[0], atom.operands()[1]), at);
      if (!rest || *rest != BigInt(0))
        return false;
    }
  return true;
}

void Chooser::add(const Valuation &wanted) {
  Valuation at = wanted;
  if (!repair(at))
    return;
  auto even = [&] {
    return llvm::all_of(shapes,
                        [&](const Expr &e) { return dividesEvenly(e, at); });
  };
  if (!even()) {
    for (const Expr &e : shapes)
      for (const std::string &s : e.freeSymbols())
        if (!isLength(s) && !columns.count(s))
          at[s] = BigInt(1);
    if (!repair(at) || !even())
      return;
  }
  for (const auto &[name, v] : at)
    if (isLength(name) && v > BigInt(2 * maxLength))
      return;
  if (seen.insert(at).second)
    out.push_back(std::move(at));
}

std::vector<Valuation> Chooser::run() {
  if (symbols.empty()) {
    add({});
    return std::move(out);
  }
  // Beyond each constant by two, where a tail and a window that is off by one
  // both show, before the rest: work is limited.
  std::vector<int64_t> lengths{1, 3, 5};
  auto addLength = [&](int64_t v) {
    if (v >= 1 && v <= maxLength && !llvm::is_contained(lengths, v))
      lengths.push_back(v);
  };
  for (int64_t c : constants)
    addLength(c + 2);
  for (int64_t c : constants)
    for (int64_t v : {c - 1, c, c + 1, 2 * c, 2 * c + 1})
      addLength(v);
  bool twoLengths = false;
  for (const std::string &s : queries)
    twoLengths |= !keys.count(s);
  // What is small is executed with several heads, which have their own faults.
  for (int64_t n : {1, 3, 5})
    add(base(n, n, 2, 2));
  if (!columns.empty()) {
    std::set<int64_t> widths{1, 3, 4};
    for (int64_t c : constants)
      for (int64_t v : {c - 1, c, c + 1})
        if (v >= 1 && v <= 130)
          widths.insert(v);
    for (int64_t d : widths)
      add(base(3, 3, d, 1));
  }
  for (SymbolOp s : symbols) {
    std::string name = s.getName().str();
    if (isLength(name) || columns.count(name))
      continue;
    std::vector<int64_t> values{1, 3, 4};
    if (grouped && instances.count(name))
      values.insert(values.begin(), *grouped);
    for (int64_t v : values)
      for (int64_t n : {5, 7}) {
        Valuation at = base(n, n, 2, 2);
        at[name] = BigInt(v);
        add(at);
      }
  }
  for (int64_t n : lengths)
    add(base(n, n, 2, n <= 5 ? 2 : 1));
  if (twoLengths)
    for (int64_t n : lengths) {
      add(base(3, n, 2, 1));
      add(base(n, 3, 2, 1));
    }
  return std::move(out);
}

std::vector<Valuation>
ioflor::coverage::chooseSizes(SubjectOp subject,
                              const floors::Problem &problem) {
  return Chooser(subject, problem).run();
}

std::vector<Expr>
ioflor::coverage::maskParameters(SubjectOp subject,
                                 const floors::Problem &problem) {
  std::vector<Expr> out;
  Names lengths;
  for (const Expr *e : {&problem.dims.nQ, &problem.dims.nK})
    for (const std::string &s : e->freeSymbols())
      lengths.insert(s);
  for (auto s : subject.getBody().getOps<SymbolOp>())
    if (!s.getData() && !lengths.count(s.getName().str()))
      for (int delta : {0, -1, 1})
        out.push_back(Expr::symbol(s.getName()) + Expr(delta));
  std::set<int64_t> values;
  for (int64_t c : tileConstants(subject))
    for (int64_t v : {c - 1, c, c + 1})
      if (v >= 1)
        values.insert(v);
  for (int64_t v : values)
    out.push_back(Expr(v));
  return out;
}
