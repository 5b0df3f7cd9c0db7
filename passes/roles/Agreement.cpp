//===- Agreement.cpp - What the operands have in common ------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/roles/Decider.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::roles;

/// The d of a root that a value is made of: sqrt(float(d)), rsqrt(d).
static std::optional<Expr> rootOf(ComputeOp op) {
  std::optional<StringRef> name = op.getDetail();
  if (!name || !name->contains("sqrt") || op.getOperands().size() != 1)
    return std::nullopt;
  auto from = op.getOperands()[0].getDefiningOp<ComputeOp>();
  while (from && from.getKind() == ComputeKind::Convert &&
         from.getOperands().size() == 1)
    from = from.getOperands()[0].getDefiningOp<ComputeOp>();
  if (!from || from.getKind() != ComputeKind::Constant || !from.getDetail())
    return std::nullopt;
  return parseExpr(*from.getDetail());
}

/// A softmax scale 1/sqrt(d) says how long the rows of Q and K are. A root of
/// something else is told by its not being a length that the accesses know:
/// what they reach, or the distance of rows.
void Decider::applyScale() {
  std::vector<Expr> roots;
  for (Operation *op : program.ops)
    if (auto compute = dyn_cast<ComputeOp>(op))
      if (std::optional<Expr> e = rootOf(compute))
        roots.push_back(*e);
  for (Role role : {Role::Q, Role::K}) {
    Operand *o = operand(role);
    Extent *columns = find(o, "columns"), *rows = find(o, "rows");
    if (!columns || columns->evidence != Evidence::Read)
      continue;
    for (const Expr &root : roots)
      if (root == columns->size || (rows && root == rows->stride)) {
        columns->size = root;
        columns->evidence = Evidence::Scale;
        columns->text = "scores are scaled by the root of " + root.str();
        break;
      }
  }
}

/// Better evidence of one operand serves the other that must agree with it: Q
/// and K have as many columns, K and V as many rows, O has Q's rows and V's
/// columns.
void Decider::reconcile() {
  struct Pair {
    Role a, b;
    StringRef dimension;
  };
  for (unsigned round = 0; round < 2; ++round)
    for (auto [ra, rb, dimension] :
         {Pair{Role::Q, Role::K, "columns"}, Pair{Role::Q, Role::O, "rows"},
          Pair{Role::K, Role::V, "rows"}, Pair{Role::V, Role::O, "columns"}}) {
      Extent *a = find(operand(ra), dimension),
             *b = find(operand(rb), dimension);
      if (!a || !b || a->size == b->size)
        continue;
      Extent *strong = a->evidence <= b->evidence ? a : b;
      Extent *weak = strong == a ? b : a;
      if (strong->evidence >= weak->evidence)
        continue;
      weak->size = strong->size;
      weak->evidence = strong->evidence;
      weak->text =
          "as many as " + stringifyRole(strong == a ? ra : rb).str() + " has";
    }
  // A key loop that ends a constant before the query rows' count is the same
  // count with an end that is missed, not a size of its own.
  Extent *rows = find(operand(Role::Q), "rows");
  for (Role r : {Role::K, Role::V})
    if (Extent *e = find(operand(r), "rows");
        e && rows && e->evidence >= Evidence::Guard && e->size != rows->size &&
        rows->evidence <= Evidence::Guard && !rows->size.isConst() &&
        (rows->size - e->size).isConst()) {
      e->size = rows->size;
      e->evidence = Evidence::Guard;
      e->text = "as many as Q has, up to a constant";
    }
}

/// Is e a size, not an end that was only bounded (rounded up to whole blocks,
/// shortened by another variable's first value)?
static bool isExactSize(const Expr &e) {
  for (const Expr &m : e.terms()) {
    if (m.isConst() ? *m.constant() < 0 : m.coefficient() < 0)
      return false;
    if (m.isConst())
      continue;
    for (const auto &[atom, power] : m.factors()) {
      if (atom.kind() == ExprKind::Symbol)
        continue;
      for (const Expr &operand : atom.operands())
        for (const Expr &inner : operand.terms())
          if (!inner.isConst())
            for (const auto &[part, p] : inner.factors())
              if (part.kind() != ExprKind::Symbol)
                return false;
    }
  }
  return true;
}

/// Sizes that contradict each other are nobody's: the operands lose their
/// extents, and with them the verdict its floors.
void Decider::refuse() {
  auto drop = [](Operand &o, const Twine &why) {
    if (o.extents.empty())
      return;
    o.extents.clear();
    o.problem = why.str();
  };
  for (Operand &o : result.operands) {
    for (const Extent &e : o.extents)
      if (e.evidence == Evidence::Launch && !isExactSize(e.size)) {
        drop(o, "the number of " + e.dimension + " is only bounded, by " +
                    e.size.str());
        break;
      }
    for (size_t i = 0; i < o.extents.size(); ++i)
      for (size_t j = 0; j < i; ++j) {
        const Extent &a = o.extents[i], &b = o.extents[j];
        if (a.stride == b.stride && !a.stride.isZero() &&
            a.evidence != Evidence::Annotation &&
            b.evidence != Evidence::Annotation && !a.size.isOne() &&
            !b.size.isOne()) {
          drop(o, "its " + b.dimension + " and " + a.dimension +
                      " have the same distance, " + a.stride.str());
          i = j = o.extents.size();
        }
      }
  }
  // Keys counted by the queries' number in an array laid out for another: either
  // a cache with a capacity or a bound of the wrong operand.
  if (Extent *queries = find(operand(Role::Q), "rows"))
    for (Role r : {Role::K, Role::V})
      if (Operand *o = operand(r))
        if (Extent *e = find(o, "rows"); e && e->capacity &&
                                         e->size == queries->size &&
                                         e->capacity != queries->capacity)
          drop(*o, "its rows are as many as those of Q, " + e->size.str() +
                       ", by the loop, and " + e->capacity->str() +
                       " by the distance of its heads");
  struct Pair {
    Role a, b;
    StringRef dimension;
  };
  auto count = [&](Operand *o, StringRef dimension) {
    Expr p(1);
    for (const Extent &e : o->extents)
      if (e.dimension == dimension)
        p *= e.size;
    return simplify(p, program.known);
  };
  std::vector<std::pair<Operand *, std::string>> refused;
  for (auto [ra, rb, dimension] :
       {Pair{Role::Q, Role::K, "columns"}, Pair{Role::Q, Role::O, "rows"},
        Pair{Role::K, Role::V, "rows"}, Pair{Role::V, Role::O, "columns"},
        Pair{Role::Q, Role::O, "heads"}, Pair{Role::K, Role::V, "heads"},
        Pair{Role::Q, Role::O, "batch"}, Pair{Role::K, Role::V, "batch"}}) {
    Operand *a = operand(ra), *b = operand(rb);
    if (!a || !b || a == b)
      continue;
    Expr x = count(a, dimension), y = count(b, dimension);
    if (x == y || program.known.isZero(x - y))
      continue;
    std::string why =
        (dimension + " of " + stringifyRole(ra) + " and " + stringifyRole(rb) +
         " disagree: " + x.str() + " and " + y.str())
            .str();
    refused.push_back({a, why});
    refused.push_back({b, why});
  }
  for (auto &[o, why] : refused)
    drop(*o, why);
}
