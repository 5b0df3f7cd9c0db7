//===- Coverage.cpp - Coverage, proved for all sizes ----------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/coverage/sets/Prover.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::sets;

bool Prover::fail(Operation *at, const std::string &why) {
  if (proof.reason.empty()) {
    proof.reason = why;
    proof.at = at->getLoc();
  }
  return false;
}

void Prover::note(const std::string &name, const Map &m) {
  if (explain)
    proof.relations.push_back({name, text(m)});
}

/// Turns the answer of a question into yes, or a reason.
bool Prover::require(std::optional<bool> answer, Operation *at,
                     const std::string &why) {
  if (answer == true)
    return true;
  if (!answer)
    return fail(at, "the proof took too many operations");
  return fail(at, why);
}

void Prover::unite(Map &into, const Map &m) {
  into = into ? sets::unite(into, m) : m;
}
void Prover::unite(Set &into, const Set &s) {
  into = into ? sets::unite(into, s) : s;
}

/// What the terms of some instances are, where each must be of an allowed kind.
bool Prover::check(const Terms &terms, const Set &relevant,
                   std::initializer_list<TermKind> allowed) {
  for (const auto &[id, m] : terms.of) {
    TermKind kind = terms.kinds.at(id);
    if (std::find(allowed.begin(), allowed.end(), kind) != allowed.end())
      continue;
    Map here = intersectDomain(m, relevant);
    std::optional<bool> none = isEmpty(here);
    if (none == true)
      continue;
    Operation *op = model.statements[id].op;
    if (!none)
      return fail(op, "the proof took too many operations");
    if (kind == TermKind::Opaque || kind == TermKind::Unwritten)
      return fail(op, flow.reason(id));
    return fail(op, "a value is added where it does not belong");
  }
  for (const auto &[id, at] : terms.twice) {
    TermKind kind =
        terms.kinds.count(id) ? terms.kinds.at(id) : TermKind::Opaque;
    if (kind != TermKind::Product && kind != TermKind::Exp &&
        kind != TermKind::Word)
      continue;
    if (isEmpty(intersect(at, relevant)) != true)
      return fail(model.statements[id].op, "a term may be added twice");
  }
  return true;
}

bool Prover::findOperands() {
  for (auto buffer : model.subject.getBody().getOps<BufferOp>()) {
    Role role = buffer.getRole().value_or(Role::Other);
    Operand *o = role == Role::Q   ? &q
                 : role == Role::K ? &k
                 : role == Role::V ? &v
                 : role == Role::O ? &out
                                   : nullptr;
    if (!o)
      continue;
    if (o->shape)
      return fail(buffer, "an operand lies in several buffers");
    const Shape &s = model.shape(buffer);
    if (!s.problem.empty())
      return fail(buffer, s.problem);
    o->shape = &s;
    for (unsigned i = 0; i < s.dimensions.size(); ++i) {
      if (s.dimensions[i] == "rows")
        o->row = i;
      else if (s.dimensions[i] == "columns")
        o->column = i;
      else
        o->leads.push_back(i);
    }
    if (!o->row || !o->column)
      return fail(buffer, "the rows or columns of '" +
                              buffer.getSymName().str() + "' are not known");
  }
  if (!q.shape || !k.shape || !v.shape || !out.shape)
    return fail(model.subject, "an operand was not found");
  return true;
}

/// From a shape's own order to [leads, row, column].
Map Prover::inOrder(const Operand &o) {
  std::string in, leads;
  for (unsigned i = 0; i < o.shape->dimensions.size(); ++i)
    in += (i ? ", c" : "c") + std::to_string(i);
  for (unsigned i : o.leads)
    leads += "c" + std::to_string(i) + ", ";
  return model.isl.map("{ [" + in + "] -> [" + leads + "c" +
                       std::to_string(*o.row) + ", c" +
                       std::to_string(*o.column) + "] }");
}

/// { instance -> [leads, row, column] } of a load or store of an operand.
Map Prover::entry(unsigned access, const Operand &o, std::string &why) {
  Map m = model.coordinates(access, why);
  return m ? then(m, inOrder(o)) : m;
}

/// The entries of an operand, as a set of [leads, row, column].
Set Prover::box(const Operand &o) {
  Affine affine(model.params, {});
  std::string vars, conditions;
  auto add = [&](unsigned i) {
    std::string name = "c" + std::to_string(i);
    auto size = affine.expr(o.shape->sizes[i]);
    vars += (vars.empty() ? "" : ", ") + name;
    conditions += (conditions.empty() ? "" : " and ") + name + " >= 0 and " +
                  name + " < " + size.value_or("0");
  };
  for (unsigned i : o.leads)
    add(i);
  add(*o.row);
  add(*o.column);
  return intersectParams(model.set("{ [" + vars + "] : " + conditions + " }"),
                         model.context);
}

/// Every entry of O is written, and all that write it are one CTA.
bool Prover::findOwners() {
  Operation *buffer = BufferOp(out.shape->buffer);
  std::string why;
  std::map<Operation *, Map> byStage; // [grid variables] -> entry
  for (unsigned s : model.storesOf(out.shape->buffer)) {
    Map m = entry(s, out, why);
    if (!m)
      return fail(model.statements[s].op, why);
    if (model.statements[s].approximate)
      return fail(model.statements[s].op, model.statements[s].why);
    unite(written, range(m));
    Map owner = model.owners(s, m, why);
    if (!owner)
      return fail(buffer, why);
    unite(byStage[model.statements[s].op->getParentOfType<StageOp>()], owner);
  }
  if (!written)
    return fail(buffer, "the output is never written");
  Set all = box(out), got;
  for (const auto &[stage, owned] : byStage) {
    note("output", owned);
    unite(got, range(owned));
  }
  if (!require(isSubset(got, all), buffer,
               "stores to the output are not seen to stay inside it"))
    return false;
  if (!require(isSubset(all, got), buffer,
               "not every entry of the output is seen to be written"))
    return false;
  for (const auto &[stage, owned] : byStage)
    if (!require(isInjective(owned), buffer,
                 "an entry of the output may be written by two CTAs"))
      return false;
  proof.output = true;
  return true;
}

/// { O entry -> product } for what is in O when the subject ends.
bool Prover::findSums() {
  Operation *buffer = BufferOp(out.shape->buffer);
  std::string why;
  Map sink(isl_set_identity(written.give()));
  sink = Map(isl_map_set_tuple_name(sink.give(), isl_dim_in, "O"));
  unsigned dims = isl_map_dim(
      model.statements[model.storesOf(out.shape->buffer).front()].time.get(),
      isl_dim_out);
  std::string time = "2147483647";
  for (unsigned i = 1; i < dims; ++i)
    time += ", 0";
  std::string names;
  for (unsigned i = 0; i < out.leads.size() + 2; ++i)
    names += (i ? ", c" : "c") + std::to_string(i);
  Map end = model.isl.map("{ O[" + names + "] -> [" + time + "] }");
  // The cells are in the shape's order; entries in ours.
  FlowProblem p;
  p.sinks.push_back(sink);
  p.schedules.push_back(end);
  for (unsigned s : model.storesOf(out.shape->buffer)) {
    p.mustSources.push_back(entry(s, out, why));
    p.schedules.push_back(model.statements[s].time);
  }
  bool failed = false;
  for (const Map &m : solveFlow(p, model.isl.get(), failed))
    flow.add(sums,
             flow.through(m, flow.stored(model.idOf(model.named(outName(m)).op),
                                         Output)));
  if (failed)
    return fail(buffer, "the proof took too many operations");
  entries = Set(isl_set_set_tuple_name(written.give(), "O"));
  return check(sums, entries,
               {TermKind::Product, TermKind::Constant, TermKind::Divisor,
                TermKind::Factor});
}

/// The row and key whose score an exponential takes: { exp -> [Q leads, row, K
/// leads, key] } for those in `relevant` that are not masked.
bool Prover::findScores(unsigned exp, const Set &relevant) {
  auto known = scoreSeen.find(exp);
  if (known != scoreSeen.end() && isSubset(relevant, known->second) == true)
    return true;
  // A simple set of instances is looked at first: usually what holds for some
  // holds for all of a rectangle.
  Set all = known == scoreSeen.end() ? relevant
                                     : sets::unite(known->second, relevant);
  Set wide = widened(all, model.statements[exp].domain);
  bool clean = proof.reason.empty();
  scoreSeen[exp] = wide;
  if (tryScores(exp, wide))
    return true;
  if (!clean)
    return false;
  proof.reason.clear();
  proof.at.reset();
  scoreSeen[exp] = all;
  return tryScores(exp, all);
}

bool Prover::tryScores(unsigned exp, const Set &all) {
  Operation *op = model.statements[exp].op;
  auto compute = cast<ComputeOp>(op);
  Terms terms = flow.operand(exp, compute.getOperands()[0], Score);
  // Where minus infinity is added the weight is 0.
  Set masked;
  for (const auto &[id, m] : terms.of)
    if (terms.kinds.at(id) == TermKind::Constant &&
        isMinusInfinity(model.statements[id].op))
      unite(masked, domain(m));
  Set live = masked ? subtract(all, masked) : all;
  if (!check(terms, live, {TermKind::Product, TermKind::Constant}))
    return false;
  Map found;             // exp -> [Q leads, row, c, K leads, key, c]
  std::vector<Map> once; // (exp -> product) -> [exp, entries]
  for (const auto &[id, m] : terms.of) {
    if (terms.kinds.at(id) != TermKind::Product)
      continue;
    Map here = intersectDomain(m, live);
    if (isEmpty(here) == true)
      continue;
    Map words = factors(id, range(here), Role::Q, Role::K);
    if (!words)
      return false;
    unite(found, then(here, words));
    once.push_back(
        named(both(named(toDomain(here), ""), then(toRange(here), words)), ""));
  }
  if (!found)
    return require(isEmpty(live), op, "a weight has no score");
  if (!require(isSubset(live, domain(found)), op,
               "a weight has no score for some rows or keys"))
    return false;
  unsigned nq = q.leads.size(), nk = k.leads.size();
  // Without the columns.
  Map pair = project(project(found, nq + 2 + nk + 1, 1), nq + 1, 1);
  note("score", pair);
  if (!require(isSingleValued(pair), op,
               "a weight is made of the scores of several pairs"))
    return false;
  pair = simplified(pair, live);
  std::string in, full;
  for (unsigned i = 0; i < nq + 1; ++i)
    in += "q" + std::to_string(i) + ", ";
  full = in + "c, ";
  for (unsigned i = 0; i < nk + 1; ++i) {
    std::string name = (i ? ", k" : "k") + std::to_string(i);
    in += name;
    full += name;
  }
  auto d = Affine(model.params, {}).expr(q.shape->sizes[*q.column]);
  if (!d)
    return fail(op, "the number of columns is not known");
  Map columns =
      model.map("{ [" + in + "] -> [" + full + ", c] : 0 <= c < " + *d + " }");
  if (!require(
          isEqual(found, intersectParams(then(pair, columns), model.context)),
          op, "a score does not sum all columns of its row and key"))
    return false;
  // Over several products: unions of maps with different domains.
  if (!require(isInjective(once, model.isl.get()), op,
               "a column may count twice in a score"))
    return false;
  scoreOf[exp] = pair;
  return true;
}

bool Prover::isMinusInfinity(Operation *op) {
  auto c = dyn_cast<ComputeOp>(op);
  if (!c || c.getKind() != ComputeKind::Constant || !c.getDetail())
    return false;
  StringRef text = *c.getDetail();
  if (text.equals_insensitive("-inf"))
    return true;
  double value = 0;
  return !text.getAsDouble(value) && value <= -1e9;
}

/// { product -> [entry of a, entry of b] } for the instances in `relevant`;
/// null, with the reason said, if one is not known. Q and K in either order.
Map Prover::factors(unsigned product, const Set &relevant, Role a, Role b) {
  auto op = cast<ComputeOp>(model.statements[product].op);
  Terms x = flow.operand(product, op.getOperands()[0], Raw);
  Terms y = flow.operand(product, op.getOperands()[1], Raw);
  Map first = word(x, relevant, a), second;
  if (first) {
    second = word(y, relevant, b);
  } else {
    std::string reason = proof.reason;
    std::optional<Location> at = proof.at;
    proof.reason.clear();
    first = word(y, relevant, a);
    if (first)
      second = word(x, relevant, b);
    else {
      proof.reason = reason;
      proof.at = at;
    }
  }
  if (!first || !second)
    return Map();
  return both(first, second);
}

/// { instance -> entry } of a value that must be one word of the operand
/// `role`.
Map Prover::word(const Terms &terms, const Set &relevant, Role role) {
  const Operand &o = role == Role::Q ? q : role == Role::K ? k : v;
  if (!check(terms, relevant, {TermKind::Word}))
    return Map();
  Map out;
  for (const auto &[id, m] : terms.of) {
    if (terms.kinds.at(id) != TermKind::Word)
      continue;
    Map here = intersectDomain(m, relevant);
    if (isEmpty(here) == true)
      continue;
    Operation *op = model.statements[id].op;
    BufferOp buffer = model.statements[id].buffer;
    if (buffer != BufferOp(o.shape->buffer)) {
      fail(op, "a word of another operand is used");
      return Map();
    }
    // A value that two loads add up to is no word.
    if (out && isEmpty(intersect(domain(out), domain(here))) != true) {
      fail(op, "a value is a sum of several words");
      return Map();
    }
    unite(out, then(here, inOrder(o)));
  }
  Operation *at = model.subject;
  if (!out || isSubset(relevant, domain(out)) != true) {
    fail(at, "a word of an operand is missing");
    return Map();
  }
  if (isSingleValued(out) != true) {
    fail(at, "a value is a sum of several words");
    return Map();
  }
  return out;
}
