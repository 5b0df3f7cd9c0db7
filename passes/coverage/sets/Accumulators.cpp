//===- Accumulators.cpp - Cells that are updated in place -----------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A group is a set of buffers whose words are made of each other's: a sum, or
// the registers that carry one through nested loops. Each cell of a group gets
// a label (a thread, or a thread and an element), and the claim is that with
// respect to the sum the cells of one label are one cell: what an update reads
// was written by the latest store of its label. The claim is checked exactly;
// a wrong label makes it fail, never wrong.
//
//===----------------------------------------------------------------------===//

#include "passes/coverage/sets/Dataflow.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::sets;

static Operation *bufferOf(const Statement &s) {
  BufferOp b = s.buffer;
  return b;
}

void Dataflow::findGroups(unsigned want) {
  std::map<Operation *, std::set<Operation *>> edges;
  for (unsigned i = 0; i < model.statements.size(); ++i) {
    auto store = dyn_cast<StoreOp>(model.statements[i].op);
    if (!store || !(kinds.of(store.getValue()) & want))
      continue;
    std::set<Operation *> &to = edges[bufferOf(model.statements[i])];
    for (const Item &item : items(store.getValue(), want))
      if (item.what == Item::Load)
        to.insert(bufferOf(model.statements[item.statement]));
  }
  std::map<Operation *, std::set<Operation *>> reach;
  for (const auto &[b, unused] : edges) {
    std::vector<Operation *> todo{b};
    while (!todo.empty()) {
      Operation *at = todo.back();
      todo.pop_back();
      auto e = edges.find(at);
      if (e == edges.end())
        continue;
      for (Operation *next : e->second)
        if (reach[b].insert(next).second)
          todo.push_back(next);
    }
  }
  std::map<Operation *, int> &of = groupOf[want];
  std::vector<Group> &all = groups[want];
  // In program order, for the same result in every run.
  for (const Statement &s : model.statements) {
    Operation *b = s.buffer ? bufferOf(s) : nullptr;
    if (!b || of.count(b) || !reach[b].count(b))
      continue;
    Group g;
    for (const auto &[other, to] : reach)
      if (reach[b].count(other) && to.count(b)) {
        g.buffers.insert(other);
        of[other] = all.size();
      }
    all.push_back(std::move(g));
  }
  for (Group &g : groups[want])
    solve(g, want);
}

Dataflow::Group *Dataflow::groupOfStore(unsigned store, unsigned want) {
  if (!groupOf.count(want)) {
    groupOf[want];
    groups[want];
    findGroups(want);
  }
  auto it = groupOf[want].find(bufferOf(model.statements[store]));
  return it == groupOf[want].end() ? nullptr : &groups[want][it->second];
}

std::vector<const Dataflow::Item *>
Dataflow::ownLoads(const Group &group, unsigned store, unsigned want) {
  std::vector<const Item *> out;
  auto op = cast<StoreOp>(model.statements[store].op);
  for (const Item &item : items(op.getValue(), want))
    if (item.what == Item::Load &&
        group.buffers.count(bufferOf(model.statements[item.statement])))
      out.push_back(&item);
  return out;
}

/// { access -> label } for every access to a group's buffers.
bool Dataflow::label(const Group &group, unsigned want,
                     std::map<unsigned, Map> &labels, std::string &why) {
  std::vector<unsigned> accesses;
  Operation *array = nullptr;
  bool several = false;
  for (unsigned i = 0; i < model.statements.size(); ++i) {
    const Statement &s = model.statements[i];
    if (!s.buffer || !group.buffers.count(bufferOf(s)) || !isa<StoreOp>(s.op))
      continue;
    accesses.push_back(i);
    BufferOp b = s.buffer;
    if (!b.getScalar()) {
      several |= array && array != bufferOf(s);
      array = bufferOf(s);
    }
  }
  if (several) {
    why = "a sum moves between arrays";
    return false;
  }
  for (unsigned i : accesses) {
    const Statement &s = model.statements[i];
    if (!array || bufferOf(s) == array) {
      labels[i] = model.cell(i, why);
      if (!labels[i])
        return false;
      continue;
    }
    // A register that holds an element of the array for a while: the element
    // that a load or store near it names, by loops that are around it, too.
    Map found;
    for (unsigned j = 0; j < model.statements.size() && !found; ++j) {
      const Statement &a = model.statements[j];
      if (!a.buffer || bufferOf(a) != array || a.width != s.width)
        continue;
      if (a.dims.size() > s.dims.size() ||
          !std::equal(a.dims.begin(), a.dims.end(), s.dims.begin()))
        continue;
      Map cell = model.cell(j, why);
      Map up = model.isl.map("{ " + s.tuple() + " -> " + a.tuple() + " }");
      if (cell)
        found = intersectDomain(then(up, cell), s.domain);
      if (found && isEqual(domain(found), s.domain) != true)
        found = Map();
    }
    if (!found) {
      why = "a sum moves between an array and a register";
      return false;
    }
    labels[i] = found;
  }
  return true;
}

void Dataflow::solve(Group &group, unsigned want) {
  std::map<unsigned, Map> labels;
  if (!label(group, want, labels, group.problem)) {
    if (group.problem.empty())
      group.problem = "a sum could not be followed";
    return;
  }
  FlowProblem last, since;
  std::vector<unsigned> updates;
  for (const auto &[u, l] : labels) {
    const Statement &s = model.statements[u];
    size_t own = s.approximate ? 0 : ownLoads(group, u, want).size();
    if (own > 1) {
      group.problem = "a sum is added to itself";
      return;
    }
    last.sinks.push_back(l);
    last.mustSources.push_back(l);
    last.schedules.push_back(s.time);
    since.sinks.push_back(l);
    (own ? since.maySources : since.mustSources).push_back(l);
    since.schedules.push_back(s.time);
    if (own)
      updates.push_back(u);
  }
  bool failed = false;
  std::vector<Map> previous = solveFlow(last, model.isl.get(), failed);
  // What each update reads must be what its label holds.
  for (unsigned u : updates) {
    const Statement &s = model.statements[u];
    unsigned load = ownLoads(group, u, want).front()->statement;
    std::string why;
    const std::vector<Map> &writers =
        writersFor(model.statements[load].buffer, why);
    Map up = model.upwards(u, load);
    if (!why.empty() || !up) {
      group.problem = why.empty() ? "an element of a vector is chosen" : why;
      return;
    }
    std::map<std::string, Map> read, held;
    for (const Map &m : writers)
      if (inName(m) == model.statements[load].name)
        read[outName(m)] = then(up, m);
    for (const Map &m : previous)
      if (inName(m) == s.name)
        held[outName(m)] = m;
    std::set<std::string> names;
    for (const auto *side : {&read, &held})
      for (const auto &[name, m] : *side)
        if (isEmpty(m) != true)
          names.insert(name);
    for (const std::string &name : names)
      if (!read.count(name) || !held.count(name) ||
          isEqual(read[name], held[name]) != true) {
        group.problem = "a sum is read out of order";
        return;
      }
  }
  std::vector<Map> found = solveFlow(since, model.isl.get(), failed);
  if (failed) {
    group.problem = flowFailure(model.isl.get());
    return;
  }
  std::map<unsigned, Set> started;
  std::set<unsigned> isUpdate(updates.begin(), updates.end());
  for (const auto &[u, l] : labels)
    group.since[u].push_back(model.upwards(u, u));
  for (const Map &m : found) {
    unsigned sink = model.idOf(model.named(inName(m)).op);
    unsigned source = model.idOf(model.named(outName(m)).op);
    if (!isUpdate.count(sink))
      continue; // an overwriting store holds its own terms alone
    group.since[sink].push_back(m);
    if (!isUpdate.count(source)) {
      Set at = domain(m);
      auto [it, isNew] = started.try_emplace(sink, at);
      if (!isNew)
        it->second = unite(it->second, at);
    }
  }
  for (unsigned u : updates) {
    Set all = model.statements[u].domain;
    auto it = started.find(u);
    Set rest = it == started.end() ? all : subtract(all, it->second);
    if (isEmpty(rest) != true)
      group.unstarted[u] = rest;
  }
}
