//===- Masks.cpp - Which set of pairs it is -------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/coverage/sets/Prover.h"
#include "passes/coverage/sets/Unroll.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::sets;

std::vector<Prover::Candidate> Prover::candidates() {
  std::vector<Candidate> out;
  Affine affine(model.params, {});
  auto nq = affine.expr(q.shape->sizes[*q.row]);
  auto nk = affine.expr(k.shape->sizes[*k.row]);
  if (!nq || !nk)
    return out;
  std::string keys = "0 <= j and j < " + *nk;
  // The last key that row i sees when the last rows meet the last keys.
  std::string last = "i + (" + *nk + ") - (" + *nq + ")";
  std::string kind;
  std::optional<Expr> w;
  if (auto said = model.subject.getDisclosureAttr()) {
    if (auto name = said.getAs<StringAttr>("kind"))
      kind = name.getValue().str();
    if (auto e = said.getAs<ExprAttr>("w"))
      w = e.getValue();
  }
  std::optional<std::string> width = w ? affine.expr(*w) : std::nullopt;
  if (width && kind == "window")
    out.push_back({"window",
                   keys + " and j <= " + last + " and j > " + last + " - (" +
                       *width + ")",
                   w});
  if (width && kind == "window_symmetric")
    out.push_back({"window_symmetric",
                   keys + " and j - (" + last + ") < " + *width + " and (" +
                       last + ") - j < " + *width,
                   w});
  out.push_back({"full", keys, std::nullopt});
  Candidate bottom{"causal", keys + " and j <= " + last, std::nullopt};
  Candidate top{"causal_top_left", keys + " and j <= i", std::nullopt};
  // Where both are the same set the one that was declared is named.
  if (kind == "causal_top_left")
    std::swap(bottom, top);
  out.push_back(bottom);
  out.push_back(top);
  return out;
}

/// The heads of K and V that go with a head of Q and O.
std::string Prover::headCondition(const std::vector<std::string> &o,
                                  const std::vector<std::string> &kv) {
  auto size = [](const Operand &x, unsigned i) {
    return x.shape->sizes[x.leads[i]];
  };
  // The leading dimensions are the same; more dimensions of Q's split its
  // heads.
  bool prefix = kv.size() <= o.size();
  for (unsigned i = 0; prefix && i < kv.size(); ++i)
    prefix = model.known.isZero(size(out, i) - size(k, i));
  std::string condition = "1 = 1";
  if (prefix) {
    for (unsigned i = 0; i < kv.size(); ++i)
      condition += " and " + kv[i] + " = " + o[i];
    proof.keyHeads = true;
    return condition;
  }
  if (kv.size() != o.size())
    return "1 = 0";
  // Grouped: head h of Q reads head h / g.
  for (unsigned i = 0; i < kv.size(); ++i) {
    Expr heads = size(out, i), groups = size(k, i);
    if (model.known.isZero(heads - groups)) {
      condition += " and " + kv[i] + " = " + o[i];
      continue;
    }
    if (out.shape->dimensions[out.leads[i]] != "heads")
      return "1 = 0";
    Expr g;
    if (groups.kind() == ExprKind::CeilDiv && groups.operands()[0] == heads) {
      g = groups.operands()[1];
      proof.keyHeads = true;
    } else if (groups.kind() == ExprKind::FloorDiv &&
               groups.operands()[0] == heads) {
      g = groups.operands()[1];
      proof.keyHeads = model.known.isDivisible(heads, g);
    } else {
      g = floordiv(heads, groups);
      proof.keyHeads = model.known.isDivisible(heads, groups);
    }
    if (auto c = g.constant64(); c && *c >= 1) {
      condition +=
          " and " + kv[i] + " = floor(" + o[i] + "/" + std::to_string(*c) + ")";
      continue;
    }
    // A symbolic group: a parameter, where the head is a grid variable.
    std::string any;
    for (LoopOp loop : model.grids) {
      if (model.gridIsDimension)
        break;
      Expr var = Expr::symbol(loop.getVar());
      auto same = model.params.opaques().find(floordiv(var, g));
      if (same == model.params.opaques().end())
        continue;
      any += (any.empty() ? "" : " or ") + ("(" + o[i]) + " = " +
             spell(loop.getVar()) + " and " + kv[i] + " = " + same->second +
             ")";
    }
    if (any.empty())
      return "1 = 0";
    condition += " and (" + any + ")";
  }
  return condition;
}

bool Prover::matchMask() {
  Operation *at = BufferOp(out.shape->buffer);
  unsigned lo = out.leads.size(), lk = k.leads.size();
  std::vector<std::string> o, kv;
  std::string in, to, heads;
  for (unsigned i = 0; i < lo; ++i) {
    o.push_back("o" + std::to_string(i));
    in += o.back() + ", ";
    to += "q" + std::to_string(i) + ", ";
    heads += " and q" + std::to_string(i) + " = " + o.back();
  }
  to += "i";
  for (unsigned i = 0; i < lk; ++i) {
    kv.push_back("k" + std::to_string(i));
    to += ", " + kv.back();
  }
  heads += " and " + headCondition(o, kv);
  for (const Candidate &c : candidates()) {
    Map wanted = model.map("{ O[" + in + "oi, oc] -> [" + to + ", j] : i = oi" +
                           heads + " and " + c.condition + " }");
    wanted = intersectDomain(intersectParams(wanted, model.context), entries);
    std::optional<bool> same = isEqual(pairs, wanted);
    if (!same)
      return fail(at, "the proof took too many operations");
    if (!*same)
      continue;
    note("pairs", wanted);
    proof.pairs = true;
    proof.mask = c.name;
    proof.w = c.w;
    return true;
  }
  note("pairs", pairs);
  return fail(at, "the pairs are none of the masks that have a name");
}

Proof Prover::run() {
  auto done = [&]() -> Proof {
    if (model.isl.exhausted() && !proof.pairs)
      proof.reason = "analysis budget exhausted in coverage";
    return std::move(proof);
  };
  if (model.problem) {
    fail(model.problem->first, model.problem->second);
    return done();
  }
  if (!findOperands())
    return done();
  if (!staysInside() || !findOwners() || !readsInside())
    return done();
  if (!findSums() || !findPairs() || !checkDivisors() || !matchMask())
    return done();
  return done();
}

Proof ioflor::sets::proveCoverage(SubjectOp subject, uint64_t operations,
                                  bool explain) {
  OwningOpRef<SubjectOp> copy = prepare(subject);
  return Prover(*copy, operations ? operations : maxOperations, explain).run();
}
