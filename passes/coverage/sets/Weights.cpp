//===- Weights.cpp - Pairs of a weighted sum and of its divisor -----------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/coverage/sets/Prover.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::sets;

static bool isZeroConstant(Operation *op) {
  auto c = dyn_cast<ComputeOp>(op);
  if (!c || c.getKind() != ComputeKind::Constant || !c.getDetail())
    return false;
  double value = 1;
  return !c.getDetail()->getAsDouble(value) && value == 0;
}

/// { instance -> pair } of a value that must be one weight; `zero` gets the
/// instances at which it is 0.
Map Prover::weightScores(const Terms &weight, const Set &relevant, Set &zero,
                         Operation *at) {
  if (!check(weight, relevant,
             {TermKind::Exp, TermKind::Constant, TermKind::Divisor,
              TermKind::Factor}))
    return Map();
  Map exps, out;
  Set constant;
  for (const auto &[id, m] : weight.of) {
    Map here = intersectDomain(m, relevant);
    if (weight.kinds.at(id) == TermKind::Constant && isEmpty(here) != true) {
      if (!isZeroConstant(model.statements[id].op)) {
        fail(model.statements[id].op, "a weight is a constant");
        return Map();
      }
      unite(constant, domain(here));
    }
    if (weight.kinds.at(id) != TermKind::Exp || isEmpty(here) == true)
      continue;
    if (!findScores(id, range(here)))
      return Map();
    auto it = scoreOf.find(id);
    // What is not in scoreOf is masked: its weight is 0.
    Set masked = it == scoreOf.end()
                     ? domain(here)
                     : domain(intersectRange(
                           here, subtract(range(here), domain(it->second))));
    unite(zero, masked);
    if (it != scoreOf.end())
      unite(out, then(here, it->second));
    Map plain = named(here, "");
    // One exponential each: those of different statements must not overlap.
    if (exps && isEmpty(intersect(domain(exps), domain(here))) != true) {
      fail(at, "a weight is a sum of several exponentials");
      return Map();
    }
    if (isSingleValued(here) != true) {
      fail(at, "a weight is a sum of several exponentials");
      return Map();
    }
    if (!exps)
      exps = Map(isl_map_from_domain(domain(here).give()));
    else
      exps = sets::unite(exps, Map(isl_map_from_domain(domain(here).give())));
  }
  if (constant) {
    // 0 alone; added to an exponential it changes nothing.
    Set alone = exps ? subtract(constant, domain(exps)) : constant;
    unite(zero, alone);
  }
  if (!out) {
    Map from(isl_map_from_domain(relevant.give()));
    out = Map(isl_map_add_dims(from.give(), isl_dim_out,
                               q.leads.size() + k.leads.size() + 2));
    out = subtractDomain(out, relevant);
  }
  return out;
}

void Prover::noteDivisors(const Map &from, const Terms &terms) {
  for (const auto &[id, m] : terms.of) {
    TermKind kind = terms.kinds.at(id);
    if (kind == TermKind::Divisor) {
      Map d = then(from, m);
      if (isEmpty(d) == true)
        continue;
      Map &all = divisors[id];
      unite(all, d);
    } else if (kind == TermKind::Factor) {
      // The factor is or holds something divided by the weights.
      auto op = cast<ComputeOp>(model.statements[id].op);
      Map f = then(from, m);
      if (isEmpty(f) == true)
        continue;
      for (Value x : {op.getOperands()[0], op.getOperands()[1]})
        if (kinds.of(x) & Inverse && !(kinds.of(x) & (Output | Raw)))
          noteDivisors(f, flow.operand(id, x, Inverse));
    }
  }
}

/// Adds the pairs of one product of a weight and a word of V.
bool Prover::addPairs(unsigned product, const Map &from,
                      std::vector<Map> &once) {
  auto op = cast<ComputeOp>(model.statements[product].op);
  bool weightFirst = isOutputProduct(kinds.of(op.getOperands()[0]),
                                     kinds.of(op.getOperands()[1]));
  Value w = op.getOperands()[weightFirst ? 0 : 1],
        x = op.getOperands()[weightFirst ? 1 : 0];
  Set relevant = range(from);
  Terms weight = flow.operand(product, w, Weight);
  Set zero;
  Map score = weightScores(weight, relevant, zero, op);
  if (!score)
    return false;
  noteDivisors(from, weight);
  Set live = zero ? subtract(relevant, zero) : relevant;
  if (!require(isSubset(live, domain(score)), op,
               "a weight is not followed for some rows or keys"))
    return false;
  if (isEmpty(live) == true)
    return true;
  Map value = word(flow.operand(product, x, Raw), live, Role::V);
  if (!value)
    return false;
  Map here = intersectRange(from, live);
  Map ends = both(intersectDomain(score, live), value);
  Map all = then(here, ends);
  // The row of V is the key's, the column the output's.
  unsigned lo = out.leads.size(), lq = q.leads.size(), lk = k.leads.size(),
           lv = v.leads.size();
  std::string in, o, ends1, conditions;
  auto names = [](const char *prefix, unsigned n) {
    std::vector<std::string> out;
    for (unsigned i = 0; i < n; ++i)
      out.push_back(prefix + std::to_string(i));
    return out;
  };
  auto list = [](std::vector<std::string> a, std::vector<std::string> b) {
    a.insert(a.end(), b.begin(), b.end());
    std::string out;
    for (const std::string &s : a)
      out += (out.empty() ? "" : ", ") + s;
    return out;
  };
  auto on = names("o", lo), qn = names("q", lq), kn = names("k", lk),
       vn = names("v", lv);
  std::vector<std::string> rest = qn;
  rest.push_back("i");
  rest.insert(rest.end(), kn.begin(), kn.end());
  rest.push_back("j");
  rest.insert(rest.end(), vn.begin(), vn.end());
  rest.push_back("vj");
  rest.push_back("vc");
  conditions = "i = oi and vj = j and vc = oc";
  if (lq != lo || lv != lk)
    return fail(op, "the operands have heads in different dimensions");
  for (unsigned i = 0; i < lq; ++i)
    conditions += " and " + qn[i] + " = " + on[i];
  for (unsigned i = 0; i < lk; ++i)
    conditions += " and " + vn[i] + " = " + kn[i];
  Map right = model.map("{ O[" + list(on, {"oi", "oc"}) + "] -> [" +
                        list(rest, {}) + "] : " + conditions + " }");
  note("sum", all);
  if (!require(isSubset(all, right), op,
               "a weight does not meet its own row of V and row of the output"))
    return false;
  unite(pairs, project(all, lq + 1 + lk + 1, lv + 2));
  once.push_back(
      named(both(named(toDomain(here), ""), then(toRange(here), ends)), ""));
  return true;
}

bool Prover::findPairs() {
  std::vector<Map> once;
  Operation *at = BufferOp(out.shape->buffer);
  for (const auto &[id, m] : sums.of)
    if (sums.kinds.at(id) == TermKind::Product && !addPairs(id, m, once))
      return false;
  if (!pairs)
    return fail(at, "the output has no weighted sum");
  if (!require(isInjective(once, model.isl.get()), at,
               "a pair may be added twice"))
    return false;
  Map self(isl_set_identity(entries.give()));
  noteDivisors(self, sums);
  return true;
}

/// What the sum is divided by holds the weights of the same pairs, each once.
/// Partial divisors of an update per tile are each a part of them.
bool Prover::checkDivisors() {
  Map all;
  for (const auto &[id, from] : divisors) {
    auto op = cast<ComputeOp>(model.statements[id].op);
    // More instances than those that count, in a simpler set, if that will do.
    Set relevant = widened(range(from), model.statements[id].domain);
    Terms terms = flow.operand(id, op.getOperands()[1], Weight);
    if (!check(terms, relevant,
               {TermKind::Exp, TermKind::Constant, TermKind::Divisor,
                TermKind::Factor}))
      return false;
    std::vector<Map> once;
    Map pairsOf; // division -> pair
    for (const auto &[exp, m] : terms.of) {
      if (terms.kinds.at(exp) != TermKind::Exp)
        continue;
      Map here = intersectDomain(m, relevant);
      if (isEmpty(here) == true)
        continue;
      if (!findScores(exp, range(here)))
        return false;
      auto it = scoreOf.find(exp);
      if (it == scoreOf.end())
        continue;
      here = intersectRange(here, domain(it->second));
      unite(pairsOf, then(here, it->second));
      once.push_back(named(
          both(named(toDomain(here), ""), then(toRange(here), it->second)),
          ""));
    }
    if (!require(isInjective(once, model.isl.get()), op,
                 "a weight may count twice in the divisor"))
      return false;
    if (pairsOf)
      unite(all, then(from, pairsOf));
  }
  if (divisors.empty())
    return fail(model.subject, "the output is divided by no sum of weights");
  if (!all)
    return fail(model.subject, "the divisor of the output holds no weights");
  note("divisor", all);
  return require(isEqual(all, pairs),
                 cast<ComputeOp>(model.statements[divisors.begin()->first].op),
                 "the divisor sums the weights of other pairs than the output");
}
