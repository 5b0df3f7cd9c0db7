//===- Observe.cpp - What one execution covered ---------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/coverage/exec/Observe.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::coverage;

namespace {

/// How often each row of K (over all heads) is in a sum.
class Times {
public:
  void add(uint32_t row, unsigned rows) {
    if (by.size() <= row)
      by.resize(std::max(rows, row + 1), 0);
    distinct += by[row]++ == 0;
  }
  void atLeast(uint32_t row, unsigned times) {
    if (by.size() <= row)
      by.resize(row + 1, 0);
    distinct += by[row] == 0;
    by[row] = std::max(by[row], times);
  }
  unsigned of(uint32_t row) const { return row < by.size() ? by[row] : 0; }
  /// Rows in it.
  size_t size() const { return distinct; }
  /// f(row, times), in the order of the rows.
  template <typename Fn> void forEach(Fn f) const {
    for (uint32_t row = 0; row < by.size(); ++row)
      if (by[row])
        f(row, by[row]);
  }
  bool operator==(const Times &o) const {
    if (distinct != o.distinct)
      return false;
    for (uint32_t row = 0; row < by.size(); ++row)
      if (by[row] != o.of(row))
        return false;
    return true;
  }
  bool operator!=(const Times &o) const { return !(*this == o); }

private:
  std::vector<unsigned> by;
  size_t distinct = 0;
};

/// A sum of weights taken apart: how often each row of K weighs in it.
struct Row {
  Times times;
  /// A score of another row of Q, of missing or repeated columns.
  std::optional<ScoreRef> foreign, partial, doubled;
  unsigned zeros = 0, unwritten = 0; ///< phantom weights
  Val open;                          ///< what was not followed, if Unknown
  bool isOpen = false;
  std::set<uint64_t> denominators;
  uint64_t lastDenominator = 0; ///< one of them, or 0
  /// Of products: an entry that is not of V, of another row than its weight's,
  /// or of another column.
  std::optional<EntryRef> wrongEntry;
  std::optional<uint32_t> wrongFor; ///< the row of K that was to be weighted
  std::optional<EntryRef> entry;    ///< the last one that was weighted

  /// Nothing but weights times entries of their own rows.
  bool isPlain() const {
    return !foreign && !partial && !doubled && !zeros && !unwritten &&
           !isOpen && !wrongEntry;
  }
};

class Observer {
public:
  Observer(const ProvenanceMachine &m, const Valuation &at, const MaskAt &mask,
           bool aliased)
      : m(m), a(m.algebra), mask(mask), aliased(aliased), q(m.operand(Role::Q)),
        k(m.operand(Role::K)), v(m.operand(Role::V)), o(m.operand(Role::O)) {
    const Operand *weighted = aliased ? k : v;
    sameRows = k && weighted && k->batches == weighted->batches &&
               k->heads == weighted->heads && k->rows == weighted->rows;
    out.at = at;
    out.opaque = m.opaque;
    out.chose = m.chose;
  }

  Observation run();

private:
  void inputs();
  void outputs();
  void overruns();
  void rowPairs(const Place &row);
  Row takeApart(Val v, uint32_t qRow, std::optional<uint32_t> column) const;
  bool hidesScore(const Place &place, const Row &r) const;
  void addWeight(Row &r, Val weight, uint32_t qRow) const;
  void judgeRow(const Place &place, const Row &numerator,
                const std::map<uint64_t, Row> &denominators, Operation *at);
  void fault(StringRef id, StringRef what, std::string text, Operation *at,
             std::string key);
  void open(std::string why, Operation *at) {
    if (out.pairsOpen.empty()) {
      out.pairsOpen = std::move(why);
      out.pairsOpenAt = at;
    }
  }
  std::string placeText(const Operand &o, const Place &p) const;
  std::string pairText(const Place &row, int64_t j) const;
  /// The batch and head of K that serve a head of Q.
  bool serves(const Place &qRow, const Place &kRow) const {
    return qRow.batch == kRow.batch &&
           kRow.head == qRow.head / std::max<int64_t>(1, q->heads / k->heads);
  }

  const ProvenanceMachine &m;
  const Algebra &a;
  MaskAt mask;
  bool aliased;
  const Operand *q, *k, *v, *o;
  bool sameRows; ///< K and what is weighted number their rows alike
  Observation out;
  std::set<std::string> seen; ///< ids of faults: the first of each kind
  std::map<int64_t, PairSet> byHead;
};

} // namespace

void Observer::fault(StringRef id, StringRef what, std::string text,
                     Operation *at, std::string key) {
  if (!seen.insert((id + " " + what).str()).second)
    return;
  out.faults.push_back(
      {id.str(), what.str(), std::move(text), at, std::move(key)});
}

std::string Observer::placeText(const Operand &x, const Place &p) const {
  std::string s;
  if (x.heads > 1)
    s += " of head " + std::to_string(p.head);
  if (x.batches > 1)
    s += " of batch " + std::to_string(p.batch);
  return s;
}

std::string Observer::pairText(const Place &row, int64_t j) const {
  return "(" + std::to_string(row.row) + ", " + std::to_string(j) + ")" +
         placeText(*q, row);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

void Observer::inputs() {
  for (Role role : {Role::Q, Role::K, Role::V}) {
    const Operand *x = m.operand(role);
    if (!x)
      continue;
    std::string name = stringifyRole(role).str(),
                what = StringRef(name).lower();
    if (auto it = m.overReads.find(role); it != m.overReads.end())
      fault("ioflor-over-read", what,
            "element " + std::to_string(it->second.address) + " of " + name +
                " is read, which has " +
                std::to_string(x->addressOf({x->batches - 1, x->heads - 1,
                                             x->rows - 1, x->columns - 1}) +
                               1),
            it->second.op, name);
    if (out.opaque.count(role))
      continue;
    llvm::ArrayRef<char> read = m.read(role);
    for (int64_t r = 0; r < x->allRows(); ++r) {
      Place p = x->placeOfRow(r);
      // Rows that the disclosed mask leaves out need not be read.
      bool needed = mask.kind == floors::MaskKind::Exact ||
                    mask.kind == floors::MaskKind::Approximate;
      if (!needed && mask.comparesPairs()) {
        if (role == Role::Q)
          for (int64_t j = 0; j < out.nk && !needed; ++j)
            needed = isRequired(mask.kind, mask.w, p.row, j, out.nq, out.nk);
        else
          for (int64_t i = 0; i < out.nq && !needed; ++i)
            needed = isRequired(mask.kind, mask.w, i, p.row, out.nq, out.nk);
      }
      if (!needed)
        continue;
      int64_t missing = 0, first = -1;
      for (int64_t c = 0; c < x->columns; ++c)
        if (!read[r * x->columns + c]) {
          ++missing;
          if (first < 0)
            first = c;
        }
      if (!missing)
        continue;
      std::string text = missing == x->columns
                             ? "row " + std::to_string(p.row)
                             : "column " + std::to_string(first) + " of row " +
                                   std::to_string(p.row);
      fault("ioflor-uncovered-input", what,
            text + " of " + name + placeText(*x, p) + " is never read", nullptr,
            name + std::to_string(r) + "," + std::to_string(first));
      break;
    }
  }
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

void Observer::addWeight(Row &r, Val weight, uint32_t qRow) const {
  if (weight.is(Kind::Phantom)) {
    ++(weight.payload() ? r.unwritten : r.zeros);
    return;
  }
  Algebra::Pair parts = a.partsOf(weight);
  if (parts.second != Val() && parts.second.bits != r.lastDenominator) {
    r.denominators.insert(parts.second.bits);
    r.lastDenominator = parts.second.bits;
  }
  ScoreRef s = Algebra::scoreOf(parts.first);
  if (s.q != qRow) {
    r.foreign = s;
    return;
  }
  const Columns &columns = a.columns(s.columns);
  if (columns.twice)
    r.doubled = s;
  else if (columns.count != q->columns)
    r.partial = s;
  r.times.add(s.k, k->allRows());
}

/// The weights in a sum. `column`: it is a weighted sum for this column of the
/// output, and not a denominator.
Row Observer::takeApart(Val value, uint32_t qRow,
                        std::optional<uint32_t> column) const {
  Row r;
  std::vector<Val> stack{value};
  while (!stack.empty()) {
    Val x = stack.back();
    stack.pop_back();
    switch (x.kind()) {
    case Kind::Sum: {
      Algebra::Pair p = a.partsOf(x);
      stack.push_back(p.first);
      stack.push_back(p.second);
      continue;
    }
    case Kind::Quot: {
      Algebra::Pair p = a.partsOf(x);
      r.denominators.insert(p.second.bits);
      stack.push_back(p.first);
      continue;
    }
    case Kind::Weight:
    case Kind::Phantom:
      if (column) { // a weight that multiplies nothing
        r.isOpen = true;
        r.open = x;
        continue;
      }
      addWeight(r, x, qRow);
      continue;
    case Kind::Prod: {
      Algebra::Pair p = a.partsOf(x);
      if (!column) {
        r.isOpen = true;
        r.open = x;
        continue;
      }
      addWeight(r, p.first, qRow);
      if (p.second.is(Kind::Entry))
        r.entry = Algebra::entryOf(p.second);
      if (!p.second.is(Kind::Entry) || !p.first.is(Kind::Weight)) {
        if (p.first.is(Kind::Weight))
          ++r.unwritten; // a weight times a word never written
        continue;
      }
      EntryRef e = Algebra::entryOf(p.second);
      ScoreRef s = Algebra::scoreOf(a.partsOf(p.first).first);
      Role expected = aliased ? Role::K : Role::V;
      const Operand *x = aliased ? k : v;
      bool sameRow = false;
      if (e.role == expected && sameRows) {
        sameRow = s.k == e.row;
      } else if (x && e.role == expected) {
        Place pk = k->placeOfRow(s.k), pv = x->placeOfRow(e.row);
        sameRow =
            pk.batch == pv.batch && pk.head == pv.head && pk.row == pv.row;
      }
      if (!sameRow || e.column != *column) {
        r.wrongEntry = e;
        r.wrongFor = s.k;
      }
      continue;
    }
    case Kind::Num:
      if (x.isNumber(Zero) || !column)
        continue;
      [[fallthrough]];
    default:
      r.isOpen = true;
      r.open = x;
      continue;
    }
  }
  return r;
}

/// The row has one key, and its sum is one weight times that key's entry of V:
/// the weight is divided by itself, so no output can show what its score is.
bool Observer::hidesScore(const Place &place, const Row &r) const {
  unsigned weights = r.zeros + r.unwritten;
  r.times.forEach([&](uint32_t, unsigned times) { weights += times; });
  if (weights != 1 || !r.entry)
    return false;
  std::optional<int64_t> key;
  for (int64_t j = 0; j < out.nk; ++j)
    if (!mask.comparesPairs() ||
        isRequired(mask.kind, mask.w, place.row, j, out.nq, out.nk)) {
      if (key)
        return false;
      key = j;
    }
  const Operand *x = aliased ? k : v;
  if (!key || !x || r.entry->role != (aliased ? Role::K : Role::V))
    return false;
  Place e = x->placeOfRow(r.entry->row);
  if (e.row != *key || r.entry->column != place.column || !serves(place, e))
    return false;
  return true;
}

void Observer::judgeRow(const Place &place, const Row &numerator,
                        const std::map<uint64_t, Row> &denominators,
                        Operation *at) {
  PairSet &set = byHead[place.batch * q->heads + place.head];
  if (set.has.empty()) {
    set.nq = out.nq;
    set.nk = out.nk;
    set.has.assign(out.nq * out.nk, 0);
    set.decided.assign(out.nq, 0);
    set.at = out.at;
  }
  std::string rowKey = std::to_string(q->rowNumber(place));
  auto openRow = [&](const Row &r) {
    if (r.open.is(Kind::Unknown)) {
      const Algebra::Reason &why = a.reasonOf(r.open);
      open("not followed: " + why.text, why.at);
    } else {
      open("a part of the weighted sum is no weight times an entry of V", at);
    }
  };
  if (numerator.isOpen)
    return openRow(numerator);
  // What is wrong with the score of a row's only key shows at other sizes.
  if (hidesScore(place, numerator)) {
    bool right = numerator.times.size() == 1 && !numerator.foreign &&
                 !numerator.partial && !numerator.doubled &&
                 !numerator.wrongEntry;
    if (!right)
      return;
  }
  bool decided = true;
  auto phantoms = [&](const Row &r, StringRef where) {
    if (r.zeros || r.unwritten)
      fault("ioflor-phantom-pairs", "pairs",
            "the " + where.str() + " of query row " +
                std::to_string(place.row) + placeText(*q, place) + " holds " +
                std::to_string(r.zeros ? r.zeros : r.unwritten) +
                (r.zeros ? " weights of scores of zero-filled rows"
                         : " weights of rows never written"),
            at, rowKey);
    r.times.forEach([&](uint32_t kRow, unsigned times) {
      Place key = k->placeOfRow(kRow);
      if (!serves(place, key))
        fault("ioflor-phantom-pairs", "pairs",
              "query row " + std::to_string(place.row) + placeText(*q, place) +
                  " weighs row " + std::to_string(key.row) + " of K" +
                  placeText(*k, key),
              at, rowKey + "," + std::to_string(kRow));
      else if (times > 1)
        fault("ioflor-repeated-pairs", "pairs",
              "pair " + pairText(place, key.row) + " is added " +
                  std::to_string(times) + " times to the " + where.str(),
              at, rowKey + "," + std::to_string(kRow));
    });
    if (r.foreign) {
      Place other = q->placeOfRow(r.foreign->q);
      fault("ioflor-uncovered-pairs", "pairs",
            "output row " + std::to_string(place.row) + placeText(*q, place) +
                " is made of the scores of query row " +
                std::to_string(other.row) + placeText(*q, other),
            at, rowKey + "f");
    }
    if (r.partial || r.doubled) {
      ScoreRef s = r.partial ? *r.partial : *r.doubled;
      std::string pair = pairText(place, k->placeOfRow(s.k).row);
      const Columns &c = a.columns(s.columns);
      if (r.partial)
        fault("ioflor-uncovered-pairs", "pairs",
              "the score of pair " + pair + " sums " + std::to_string(c.count) +
                  " of " + std::to_string(q->columns) + " columns",
              at, rowKey + "p");
      else
        fault("ioflor-repeated-pairs", "pairs",
              "the score of pair " + pair + " sums a column twice", at,
              rowKey + "d");
    }
    if (r.wrongEntry) {
      Role role = r.wrongEntry->role;
      const Operand *x = m.operand(role);
      Place e = x ? x->placeOfRow(r.wrongEntry->row) : Place();
      fault("ioflor-uncovered-pairs", "pairs",
            "the weight of pair " +
                pairText(place, k->placeOfRow(*r.wrongFor).row) +
                " multiplies column " + std::to_string(r.wrongEntry->column) +
                " of row " + std::to_string(e.row) + " of " +
                stringifyRole(role).str() +
                (x ? placeText(*x, e) : std::string()),
            at, rowKey + "w");
    }
  };
  phantoms(numerator, "weighted sum");
  for (const auto &[bits, d] : denominators)
    if (!d.isOpen)
      phantoms(d, "sum of weights");
    else
      decided = false;
  // Numerator and denominator must sum the same pairs; with partial results
  // each has its own denominator, and they are compared in sum.
  Times inDenominators;
  for (const auto &[bits, d] : denominators)
    d.times.forEach([&](uint32_t kRow, unsigned times) {
      inDenominators.atLeast(kRow, times);
    });
  if (decided && !denominators.empty())
    inDenominators.forEach([&](uint32_t kRow, unsigned) {
      if (!numerator.times.of(kRow) && serves(place, k->placeOfRow(kRow)))
        fault("ioflor-uncovered-pairs", "pairs",
              "pair " + pairText(place, k->placeOfRow(kRow).row) +
                  " is in the sum of weights but weighs no row of V",
              at, rowKey + "n");
    });
  if (decided && !denominators.empty())
    numerator.times.forEach([&](uint32_t kRow, unsigned) {
      if (!inDenominators.of(kRow) && serves(place, k->placeOfRow(kRow)))
        fault("ioflor-uncovered-pairs", "pairs",
              "pair " + pairText(place, k->placeOfRow(kRow).row) +
                  " weighs a row of V but is not in the sum of weights",
              at, rowKey + "s");
    });
  numerator.times.forEach([&](uint32_t kRow, unsigned) {
    Place key = k->placeOfRow(kRow);
    if (serves(place, key))
      set.has[place.row * out.nk + key.row] = 1;
  });
  set.decided[place.row] = 1;
  if (!mask.comparesPairs())
    return;
  for (int64_t j = 0; j < out.nk; ++j) {
    bool required = isRequired(mask.kind, mask.w, place.row, j, out.nq, out.nk);
    bool has = set(place.row, j);
    if (required == has)
      continue;
    std::string key = rowKey + "," + std::to_string(j);
    if (mask.kind == floors::MaskKind::Exact)
      fault("ioflor-uncovered-pairs", "pairs",
            "the score of pair " + pairText(place, j) + " is not in the output",
            nullptr, key);
    else
      fault("ioflor-disclosure-mismatch", "pairs",
            "pair " + pairText(place, j) +
                (has ? " is computed, which the declaration leaves out"
                     : " is not computed"),
            nullptr, key);
  }
}

void Observer::outputs() {
  if (auto it = m.overWrites.find(Role::O); it != m.overWrites.end())
    fault("ioflor-over-write", "o",
          "element " + std::to_string(it->second.address) +
              " of O is written, which has " +
              std::to_string(o->addressOf({o->batches - 1, o->heads - 1,
                                           o->rows - 1, o->columns - 1}) +
                             1),
          it->second.op, "O");
  const llvm::DenseMap<int64_t, Written> *written = m.written(o->buffer);
  if (out.opaque.count(Role::O)) {
    open("where the output is stored is not known", out.opaque[Role::O]);
    return;
  }
  bool sameShape = q->batches == o->batches && q->heads == o->heads &&
                   q->rows == o->rows && k->heads > 0 &&
                   q->heads % k->heads == 0 && k->batches == q->batches;
  if (!sameShape)
    open("the shapes of Q, K and O do not match", nullptr);
  for (int64_t r = 0; r < o->allRows(); ++r) {
    Place place = o->placeOfRow(r);
    bool needed = mask.kind != floors::MaskKind::Sparse;
    if (mask.comparesPairs() && mask.kind != floors::MaskKind::Exact) {
      // A row without any pair has no value to store.
      needed = false;
      for (int64_t j = 0; j < out.nk && !needed; ++j)
        needed = isRequired(mask.kind, mask.w, place.row, j, out.nq, out.nk);
    }
    std::map<uint64_t, Row> denominators;
    std::optional<Row> judged; // of an earlier column
    for (int64_t c = 0; c < o->columns; ++c) {
      place.column = c;
      const Written *w = nullptr;
      if (written)
        if (auto it = written->find(o->addressOf(place)); it != written->end())
          w = &it->second;
      if (!w) {
        if (needed)
          fault("ioflor-unwritten-output", "o",
                (c == 0 ? "row " : "column " + std::to_string(c) + " of row ") +
                    std::to_string(place.row) + " of O" + placeText(*o, place) +
                    " is never written",
                nullptr, std::to_string(r) + "," + std::to_string(c));
        // What is not stored is not computed.
        if (sameShape && c == 0)
          judgeRow(place, Row(), {}, nullptr);
        continue;
      }
      if (!sameShape)
        continue;
      Row numerator = takeApart(w->value, r, c);
      // Most columns are made of what the one before is.
      bool again = judged && judged->isPlain() && numerator.isPlain() &&
                   judged->denominators == numerator.denominators &&
                   judged->times == numerator.times;
      for (uint64_t bits : numerator.denominators)
        if (!denominators.count(bits))
          denominators.emplace(bits, takeApart(Val{bits}, r, std::nullopt));
      if (w->overwritten && Algebra::isWeighted(w->lost)) {
        Row lost = takeApart(w->lost, r, c);
        if (!lost.isOpen && !numerator.isOpen && lost.times != numerator.times)
          fault("ioflor-rewritten-output", "o",
                "column " + std::to_string(c) + " of row " +
                    std::to_string(place.row) + " of O" + placeText(*o, place) +
                    " is overwritten by another CTA, and the sum over " +
                    std::to_string(lost.times.size()) + " keys in it is lost",
                w->op, std::to_string(r));
      }
      if (!again) {
        judgeRow(place, numerator, denominators, w->op);
        judged = std::move(numerator);
      }
    }
  }
}

/// Intermediate results that reach beyond what was allocated for them.
void Observer::overruns() {
  for (const ProvenanceMachine::Overrun &one : m.overruns) {
    BufferOp buffer = one.buffer;
    std::string name = buffer.getSymName().str();
    fault(one.write ? "ioflor-over-write" : "ioflor-over-read", "pairs",
          "element " + std::to_string(one.address) + " of " + name + " is " +
              (one.write ? "written" : "read") + ", which has " +
              std::to_string(one.words),
          one.op, name);
  }
}

Observation Observer::run() {
  if (!q || !k || !o || (!v && !aliased)) {
    open("not all of Q, K, V and O were found", nullptr);
  }
  if (q)
    out.nq = q->rows;
  if (k)
    out.nk = k->rows;
  inputs();
  if (q && k && o && (v || aliased))
    outputs();
  overruns();
  for (auto &[head, set] : byHead) {
    if (!out.pairs)
      out.pairs = set;
    else if (out.pairs->has != set.has)
      out.pairsDiffer = true;
  }
  return std::move(out);
}

Observation ioflor::coverage::observe(const ProvenanceMachine &machine,
                                      const Valuation &at, const MaskAt &mask,
                                      bool aliased) {
  return Observer(machine, at, mask, aliased).run();
}
