//===- Dataflow.cpp - What every instance of a value is made of -----------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/coverage/sets/Dataflow.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::sets;

void Dataflow::add(Terms &into, unsigned term, TermKind kind, const Map &m) {
  if (m && isEmpty(m) == true)
    return;
  into.kinds.try_emplace(term, kind);
  auto [it, isNew] = into.of.try_emplace(term, m);
  if (isNew)
    return;
  Map overlap = intersect(it->second, m);
  if (isEmpty(overlap) != true) {
    Set at = domain(overlap);
    auto [t, first] = into.twice.try_emplace(term, at);
    if (!first)
      t->second = unite(t->second, at);
  }
  it->second = bounded(unite(it->second, m));
}

void Dataflow::add(Terms &into, const Terms &from) {
  for (const auto &[term, m] : from.of)
    add(into, term, from.kinds.at(term), m);
  for (const auto &[term, at] : from.twice) {
    auto [t, first] = into.twice.try_emplace(term, at);
    if (!first)
      t->second = unite(t->second, at);
  }
}

Terms Dataflow::through(const Map &first, const Terms &terms) {
  Terms out;
  for (const auto &[term, m] : terms.of)
    add(out, term, terms.kinds.at(term), bounded(then(first, m)));
  for (const auto &[term, at] : terms.twice) {
    Set where = domain(intersectRange(first, at));
    if (isEmpty(where) != true)
      out.twice.emplace(term, where);
  }
  // Two ways to one instance: only a map that is no function can give those.
  if (isSingleValued(first) != true)
    for (const auto &[term, m] : terms.of) {
      TermKind kind = terms.kinds.at(term);
      if (kind != TermKind::Word && kind != TermKind::Product &&
          kind != TermKind::Exp)
        continue;
      Map pairs = toDomain(first);        // (from -> mid) -> from
      Map ends = then(toRange(first), m); // (from -> mid) -> term
      Map all = both(named(pairs, ""), named(ends, ""));
      if (isInjective(all) != true)
        out.twice.try_emplace(term, domain(first));
    }
  return out;
}

Terms Dataflow::single(unsigned from, unsigned to, TermKind kind) {
  Terms out;
  Map m = model.upwards(from, to);
  if (!m) {
    reasons.try_emplace(from, "an element of a vector is chosen");
    add(out, from, TermKind::Opaque, model.upwards(from, from));
  } else if (kind == TermKind::Word) {
    std::string why;
    Map entry = model.coordinates(to, why);
    if (!entry) {
      reasons.try_emplace(to, why);
      add(out, to, TermKind::Opaque, m);
    } else {
      add(out, to, kind, then(m, entry));
    }
  } else {
    add(out, to, kind, m);
  }
  return out;
}

const Terms &Dataflow::value(Value v, unsigned want) {
  Key key{v.getAsOpaquePointer(), want};
  auto it = values.find(key);
  if (it != values.end())
    return it->second;
  unsigned self = model.idOf(v.getDefiningOp());
  Terms out;
  for (const Item &item : items(v, want)) {
    if (item.what == Item::Term) {
      add(out, single(self, item.statement, item.kind));
      continue;
    }
    Map up = model.upwards(self, item.statement);
    if (item.what == Item::Via && up) {
      add(out, through(up, via(item.statement, want)));
    } else if (!up) {
      reasons.try_emplace(self, "an element of a vector is chosen");
      add(out, single(self, self, TermKind::Opaque));
    } else {
      add(out, through(up, loaded(item.statement, want)));
    }
  }
  return values[key] = std::move(out);
}

Terms Dataflow::operand(unsigned use, Value v, unsigned want) {
  unsigned def = model.idOf(v.getDefiningOp());
  Map up = model.upwards(use, def);
  if (!up) {
    reasons.try_emplace(use, "an element of a vector is chosen");
    return single(use, use, TermKind::Opaque);
  }
  return through(up, value(v, want));
}

std::vector<Map> Dataflow::writers(BufferOp buffer,
                                   const std::vector<Map> &sinks,
                                   const std::vector<Map> &times,
                                   std::string &why) {
  FlowProblem p;
  p.sinks = sinks;
  p.schedules = times;
  for (unsigned s : model.storesOf(buffer)) {
    Map cell = model.cell(s, why);
    if (!cell)
      return {};
    p.mustSources.push_back(cell);
    p.schedules.push_back(model.statements[s].time);
  }
  bool failed = false;
  std::vector<Map> out = solveFlow(p, model.isl.get(), failed);
  if (failed)
    why = flowFailure(model.isl.get());
  return out;
}

/// The last store before each load of a buffer.
const std::vector<Map> &Dataflow::writersFor(BufferOp buffer,
                                             std::string &why) {
  auto [it, isNew] = writersOf.try_emplace(buffer);
  if (isNew) {
    std::string problem;
    std::vector<Map> sinks, times;
    for (unsigned l : model.loadsOf(buffer)) {
      Map cell = model.cell(l, problem);
      if (!cell)
        break;
      sinks.push_back(cell);
      times.push_back(model.statements[l].time);
    }
    if (problem.empty())
      it->second = writers(buffer, sinks, times, problem);
    writersProblem[buffer] = problem;
  }
  why = writersProblem[buffer];
  return it->second;
}

/// CTAs of one launch have no order: what one reads of slow memory it must have
/// written itself, or an earlier launch.
bool Dataflow::isOrdered(const Map &m, const Statement &reader,
                         const Statement &writer) {
  BufferOp buffer = reader.buffer;
  if (buffer.getSpace() != Space::Slow ||
      reader.op->getParentOfType<StageOp>() !=
          writer.op->getParentOfType<StageOp>())
    return true;
  std::string why;
  if (!model.ownedByOneCta(reader.buffer, why))
    return false;
  std::string same;
  for (const std::string &v : reader.outer)
    same +=
        (same.empty() ? "" : " and ") + ("w_" + spell(v)) + " = " + spell(v);
  if (same.empty())
    return true;
  std::string tuple = writer.name + "[";
  for (unsigned i = 0; i < writer.dims.size(); ++i)
    tuple += (i ? ", w_" : "w_") + spell(writer.dims[i]);
  tuple += writer.width > 1 ? ", w_lane]" : "]";
  return isSubset(m, model.isl.map("{ " + reader.tuple() + " -> " + tuple +
                                   " : " + same + " }")) == true;
}

/// Are the words that a load reads zeros before the first stage?
static bool startsAsZero(const Model &model, const Statement &s) {
  BufferOp buffer = s.buffer;
  auto holds = buffer->getAttrOfType<StringAttr>(initialAttr);
  if (!holds || holds.getValue() != "zero")
    return false;
  auto words = buffer->getAttrOfType<ExprAttr>(initialWordsAttr);
  return !words || isInside(model, s, words.getValue());
}

const Terms &Dataflow::loaded(unsigned load, unsigned want) {
  const Statement &s = model.statements[load];
  Key key{s.op, want};
  auto it = loads.find(key);
  if (it != loads.end())
    return it->second;
  auto giveUp = [&](StringRef why) -> const Terms & {
    reasons.try_emplace(load, why.str());
    return loads[key] = single(load, load, TermKind::Opaque);
  };
  std::string why;
  const std::vector<Map> &all = writersFor(s.buffer, why);
  if (!why.empty())
    return giveUp(why);
  if (!active.insert(key).second)
    return giveUp("a value goes round a loop");
  Terms out;
  Set read; // instances that some store wrote for
  for (const Map &m : all) {
    if (inName(m) != s.name)
      continue;
    read = read ? unite(read, domain(m)) : domain(m);
    unsigned store = model.idOf(model.named(outName(m)).op);
    if (!isOrdered(m, s, model.statements[store])) {
      active.erase(key);
      return giveUp("'" + s.bufferName() +
                    "' may be written by another CTA of the same launch");
    }
    add(out, through(m, stored(store, want)));
  }
  Set rest = read ? subtract(s.domain, read) : s.domain;
  // A sum that starts as what the host has cleared holds no terms.
  if (isEmpty(rest) != true && !startsAsZero(model, s)) {
    reasons.try_emplace(load, "'" + s.bufferName() +
                                  "' is read where it was never written");
    add(out, load, TermKind::Unwritten,
        intersectDomain(model.upwards(load, load), rest));
  }
  active.erase(key);
  for (auto &[term, m] : out.of)
    if (out.kinds.at(term) == TermKind::Word)
      m = simplified(m, s.domain);
  return loads[key] = std::move(out);
}

const Terms &Dataflow::stored(unsigned store, unsigned want) {
  const Statement &s = model.statements[store];
  Key key{s.op, want};
  auto it = stores.find(key);
  if (it != stores.end())
    return it->second;
  if (s.approximate || cast<StoreOp>(s.op).getAtomic()) {
    reasons.try_emplace(store,
                        s.approximate ? s.why : "an atomic update of memory");
    return stores[key] = single(store, store, TermKind::Opaque);
  }
  Value v = cast<StoreOp>(s.op).getValue();
  Group *group = groupOfStore(store, want);
  if (!group)
    return stores[key] = operand(store, v, want);
  if (!group->problem.empty()) {
    reasons.try_emplace(store, group->problem);
    return stores[key] = single(store, store, TermKind::Opaque);
  }
  // The terms that each store since the last overwriting one added.
  Terms out;
  for (const Map &m : group->since[store]) {
    unsigned other = model.idOf(model.named(outName(m)).op);
    const Statement &o = model.statements[other];
    Value stored = cast<StoreOp>(o.op).getValue();
    unsigned def = model.idOf(stored.getDefiningOp());
    Terms own;
    if (o.approximate || cast<StoreOp>(o.op).getAtomic()) {
      reasons.try_emplace(other,
                          o.approximate ? o.why : "an atomic update of memory");
      own = single(other, other, TermKind::Opaque);
    } else {
      std::set<const Item *> mine;
      for (const Item *i : ownLoads(*group, other, want))
        mine.insert(i);
      for (const Item &item : items(stored, want)) {
        if (mine.count(&item))
          continue;
        Map up = model.upwards(other, def);
        if (item.what == Item::Term)
          add(own, through(up, single(def, item.statement, item.kind)));
        else if (item.what == Item::Via)
          add(own, through(then(up, model.upwards(def, item.statement)),
                           via(item.statement, want)));
        else
          add(own, through(then(up, model.upwards(def, item.statement)),
                           loaded(item.statement, want)));
      }
    }
    add(out, through(m, own));
  }
  if (auto u = group->unstarted.find(store);
      u != group->unstarted.end() && !startsAsZero(model, s)) {
    reasons.try_emplace(store, "'" + s.bufferName() +
                                   "' is updated before it is first written");
    add(out, store, TermKind::Unwritten,
        intersectDomain(model.upwards(store, store), u->second));
  }
  return stores[key] = std::move(out);
}
