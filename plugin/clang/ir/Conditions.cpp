//===- Conditions.cpp - LLVM conditions over symbolic integers -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/ir/Values.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace ioflor;
using namespace ioflor::ir;

Cond ValueReader::unknownCondition(const Value *v, StringRef reason) {
  std::string &id = unknownIds[v];
  if (id.empty())
    id = "u" + std::to_string(unknownIds.size());
  return Cond::unknown(reason, id);
}

Cond ValueReader::above(Value *v, int64_t bound) {
  return checked(compare(CmpInst::ICMP_SGT, integer(v), Expr(bound)), v);
}

Cond ValueReader::nonZero(Value *v) {
  return checked(compare(CmpInst::ICMP_NE, integer(v), Expr(0)), v);
}

/// Conditions over what memory decides are unknown.
Cond ValueReader::checked(const Cond &c, const Value *v) {
  if (!context.isData(c))
    return c;
  return unknownCondition(v, context.dataReason(c.freeSymbols()));
}

Cond ValueReader::condition(Value *v) {
  if (auto *c = dyn_cast<ConstantInt>(v))
    return c->isZero() ? Cond::never() : Cond::always();
  if (auto it = conditions.find(v); it != conditions.end()) {
    sawOpen |= it->second.open;
    return it->second.value;
  }
  if (depth > 500)
    return unknownCondition(v, "condition nested too deeply");
  bool outer = sawOpen;
  sawOpen = false;
  ++depth;
  Cond c = readCondition(v);
  --depth;
  conditions[v] = {c, sawOpen};
  sawOpen |= outer;
  return c;
}

Cond ValueReader::readCondition(Value *v) {
  using namespace PatternMatch;
  if (!v->getType()->isIntegerTy(1))
    return unknownCondition(v, "condition on a vector");
  if (isa<UndefValue>(v))
    return unknownCondition(v, "undefined value");
  Value *a, *b, *c;
  if (match(v, m_Not(m_Value(a))))
    return !condition(a);
  if (match(v, m_LogicalAnd(m_Value(a), m_Value(b))))
    return condition(a) && condition(b);
  if (match(v, m_LogicalOr(m_Value(a), m_Value(b))))
    return condition(a) || condition(b);
  if (match(v, m_Select(m_Value(c), m_Value(a), m_Value(b)))) {
    Cond when = condition(c);
    return anyOf({when && condition(a), !when && condition(b)});
  }
  if (match(v, m_Xor(m_Value(a), m_Value(b)))) {
    Cond ca = condition(a), cb = condition(b);
    return anyOf({ca && !cb, !ca && cb});
  }
  if (auto *cmp = dyn_cast<ICmpInst>(v))
    return readCompare(*cmp);
  if (isa<FCmpInst>(v))
    return unknownCondition(v, "comparison of floating-point values");
  if (auto *phi = dyn_cast<PHINode>(v)) {
    Loop *l = loops.getLoopFor(phi->getParent());
    bool header = l && l->getHeader() == phi->getParent();
    if (!header && !loopLeftBy(phi->getIncomingBlock(0), phi->getParent())) {
      // A merge of conditions is one itself.
      SmallVector<Cond, 4> parts;
      for (auto &[when, value] : incomingConditions(*phi))
        parts.push_back(when && condition(value));
      if (!parts.empty())
        return checked(anyOf(parts), v);
    }
    return checked(ne(integer(phi), Expr(0)), v);
  }
  if (auto *freeze = dyn_cast<FreezeInst>(v))
    return condition(freeze->getOperand(0));
  if (auto *trunc = dyn_cast<TruncInst>(v)) {
    Expr e = integer(trunc->getOperand(0));
    bool flag =
        context.known.isNonNegative(e) && context.known.isNonNegative(1 - e);
    return checked(ne(flag ? e : mod(e, Expr(2)), Expr(0)), v);
  }
  if (auto *arg = dyn_cast<Argument>(v))
    return checked(
        ne(fromBinding(parameterField(arg), arg->getName(), v), Expr(0)), v);
  if (auto *load = dyn_cast<LoadInst>(v); load && isParameterRead(*load))
    return checked(ne(readLoad(*load), Expr(0)), v);
  // Overflow flags: no index arithmetic wraps.
  if (auto *extract = dyn_cast<ExtractValueInst>(v))
    if (isa<WithOverflowInst>(extract->getAggregateOperand()) &&
        extract->getIndices()[0] == 1)
      return Cond::never();
  if (auto *call = dyn_cast<CallBase>(v))
    if (Function *f = call->getCalledFunction())
      return unknownCondition(v, ("result of " + f->getName()).str());
  return unknownCondition(v, "depends on data");
}

Cond ValueReader::compare(CmpInst::Predicate predicate, const Expr &a,
                          const Expr &b) {
  switch (predicate) {
  case CmpInst::ICMP_EQ:
    return decoded(eq(a, b), context.known);
  case CmpInst::ICMP_NE:
    return decoded(ne(a, b), context.known);
  case CmpInst::ICMP_SLT:
    return decoded(lt(a, b), context.known);
  case CmpInst::ICMP_SLE:
    return decoded(le(a, b), context.known);
  case CmpInst::ICMP_SGT:
    return decoded(lt(b, a), context.known);
  case CmpInst::ICMP_SGE:
    return decoded(le(b, a), context.known);
  case CmpInst::ICMP_UGT:
    return compare(CmpInst::ICMP_ULT, b, a);
  case CmpInst::ICMP_UGE:
    return compare(CmpInst::ICMP_ULE, b, a);
  default:
    break;
  }
  // Unsigned: a negative number is above every non-negative one.
  Cond order = decoded(predicate == CmpInst::ICMP_ULT ? lt(a, b) : le(a, b),
                       context.known);
  Cond aOk = simplify(Cond::nonNegative(a), context.known);
  Cond bOk = simplify(Cond::nonNegative(b), context.known);
  if (aOk.isAlways() && bOk.isAlways())
    return order;
  return anyOf({aOk && bOk && order, !aOk && !bOk && order, aOk && !bOk});
}

Cond ValueReader::readCompare(ICmpInst &cmp) {
  Value *va = cmp.getOperand(0), *vb = cmp.getOperand(1);
  if (va->getType()->isPointerTy())
    return readPointerCompare(cmp);
  if (!va->getType()->isIntegerTy())
    return unknownCondition(&cmp, "comparison of vectors");
  if (va->getType()->isIntegerTy(1) && cmp.isEquality()) {
    Cond a = condition(va), b = condition(vb);
    Cond same = anyOf({a && b, !a && !b});
    return cmp.getPredicate() == CmpInst::ICMP_EQ ? same : !same;
  }
  if (isa<PHINode, SelectInst>(vb) && !isa<PHINode, SelectInst>(va))
    return checked(compareValue(cmp.getSwappedPredicate(), vb, integer(va)),
                   &cmp);
  return checked(compareValue(cmp.getPredicate(), va, integer(vb)), &cmp);
}

/// Flags that an earlier branch has set (`phi [0, ...], [3, ...]` before a
/// switch) are compared way by way.
Cond ValueReader::compareValue(CmpInst::Predicate predicate, Value *a,
                               const Expr &b) {
  bool equality = ICmpInst::isEquality(predicate);
  if (auto *phi = dyn_cast<PHINode>(a); phi && equality && b.isConst()) {
    Loop *l = loops.getLoopFor(phi->getParent());
    bool header = l && l->getHeader() == phi->getParent();
    bool flags = any_of(phi->incoming_values(),
                        [](const Use &u) { return isa<ConstantInt>(u); });
    bool leaves = any_of(phi->blocks(), [&](BasicBlock *in) {
      return loopLeftBy(in, phi->getParent());
    });
    if (!header && flags && !leaves) {
      SmallVector<Cond, 4> ways;
      for (auto &[when, value] : incomingConditions(*phi))
        ways.push_back(when && compareValue(predicate, value, b));
      return anyOf(ways);
    }
  }
  if (auto *select = dyn_cast<SelectInst>(a);
      select && equality && b.isConst() &&
      (isa<ConstantInt>(select->getTrueValue()) ||
       isa<ConstantInt>(select->getFalseValue()))) {
    Cond c = condition(select->getCondition());
    return anyOf({c && compareValue(predicate, select->getTrueValue(), b),
                  !c && compareValue(predicate, select->getFalseValue(), b)});
  }
  return compare(predicate, integer(a), b);
}

Cond ValueReader::readPointerCompare(ICmpInst &cmp) {
  Pointers a = pointer(cmp.getOperand(0)), b = pointer(cmp.getOperand(1));
  if (a.size() != 1 || b.size() != 1)
    return unknownCondition(&cmp, "comparison of pointers");
  const Pointer &pa = a.front(), &pb = b.front();
  if (!pa.buffer.empty() && pa.buffer == pb.buffer) {
    // Offsets in one buffer order like the addresses.
    return checked(compare(cmp.getPredicate(), pa.offset, pb.offset), &cmp);
  }
  if (!cmp.isEquality() || (!pa.isNull && !pb.isNull))
    return unknownCondition(&cmp, "comparison of pointers");
  if (pa.isNull && pb.isNull)
    return compare(cmp.getPredicate(), pa.offset, pb.offset);
  const Pointer &other = pa.isNull ? pb : pa;
  if (other.buffer.empty())
    return unknownCondition(&cmp, "comparison of an unknown pointer");
  bool isEqual = cmp.getPredicate() == CmpInst::ICMP_EQ;
  auto it = buffers.find(other.buffer);
  if (it != buffers.end() && it->second.space != Space::Slow)
    return isEqual ? Cond::never() : Cond::always();
  // Whether an optional operand is there is decided by the launch.
  Expr given = context.parameter("has_" + other.buffer, Expr(0), Expr(1),
                                 other.buffer + " != nullptr", location(&cmp));
  Cond present = ne(given, Expr(0));
  return isEqual ? !present : present;
}
