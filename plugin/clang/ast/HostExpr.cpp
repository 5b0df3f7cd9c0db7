//===- HostExpr.cpp - Expressions of host code on symbols -----------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/ast/HostEval.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace ioflor::frontend {

namespace {

constexpr unsigned nodeBudget = 2000000;

Expr fromAPSInt(const APSInt &value) {
  APInt bits = value.isSigned() ? value.sext(value.getBitWidth() + 1)
                                : value.zext(value.getBitWidth() + 1);
  return Expr(BigInt(bits));
}

std::optional<uint64_t> log2Exact(const Expr &e) {
  std::optional<int64_t> c = e.constant64();
  if (!c || *c <= 0 || !isPowerOf2_64(*c))
    return std::nullopt;
  return Log2_64(*c);
}

} // namespace

std::optional<Expr> HostEval::truncDiv(const Expr &a, const Expr &b) const {
  if (!names.known.isPositive(b))
    return std::nullopt;
  if (names.known.isNonNegative(a))
    return floordiv(a, b);
  // C rounds towards zero.
  return floordiv(max(a, 0), b) + ceildiv(min(a, 0), b);
}

Value HostEval::load(State &state, const clang::Expr *e, StringRef hint) {
  e = e->IgnoreParens();
  // Glvalues that are computed: evaluate them once, then read what they name.
  if (isa<CallExpr, AbstractConditionalOperator, MaterializeTemporaryExpr>(e)) {
    Value v = eval(e, state, hint);
    return v.kind == Value::Address && !e->getType()->isAnyPointerType()
               ? part(state, v.target, e->getType())
               : v;
  }
  if (std::optional<Path> path = lvalue(e, state))
    return part(state, *path, e->getType());
  return unknown(e, hint);
}

std::optional<Path> HostEval::lvalue(const clang::Expr *e, State &state) {
  e = e->IgnoreParens();
  if (auto *cleanups = dyn_cast<FullExpr>(e))
    return lvalue(cleanups->getSubExpr(), state);
  if (auto *cast = dyn_cast<CastExpr>(e))
    return cast->getCastKind() == CK_LValueToRValue ||
                   cast->getCastKind() == CK_NoOp ||
                   cast->getCastKind() == CK_LValueBitCast ||
                   cast->getCastKind() == CK_UncheckedDerivedToBase ||
                   cast->getCastKind() == CK_DerivedToBase
               ? lvalue(cast->getSubExpr(), state)
               : std::nullopt;
  if (auto *ref = dyn_cast<DeclRefExpr>(e)) {
    const auto *var = dyn_cast<VarDecl>(ref->getDecl());
    if (!var)
      return std::nullopt;
    Path path = variable(var);
    if (var->getType()->isReferenceType()) {
      auto it = state.vars.find(path.root);
      if (it != state.vars.end() && it->second.kind == Value::Address)
        return it->second.target;
    }
    return path;
  }
  if (auto *member = dyn_cast<MemberExpr>(e)) {
    const auto *field = dyn_cast<FieldDecl>(member->getMemberDecl());
    if (!field)
      return std::nullopt;
    std::optional<Path> base;
    if (member->isArrow()) {
      Value pointer = eval(member->getBase(), state);
      if (pointer.kind == Value::Address)
        base = pointer.target;
    } else {
      base = lvalue(member->getBase(), state);
      if (!base) {
        // A temporary: give it a place.
        Value temporary = eval(member->getBase(), state);
        Path path;
        path.root = member->getBase();
        roots[path.root] = Root{spell(member->getBase()),
                                member->getBase()->getType(), nullptr};
        store(state, path, std::move(temporary));
        base = path;
      }
    }
    if (!base)
      return std::nullopt;
    return base->child({Step::Field, field->getCanonicalDecl(), 0});
  }
  if (isa<CXXThisExpr>(e)) {
    Value self = eval(e, state);
    return self.kind == Value::Address ? std::optional(self.target)
                                       : std::nullopt;
  }
  if (auto *index = dyn_cast<ArraySubscriptExpr>(e)) {
    Value at = eval(index->getIdx(), state);
    std::optional<int64_t> constant =
        at.isInteger() ? at.num.constant64() : std::nullopt;
    if (!constant ||
        !index->getBase()->IgnoreImpCasts()->getType()->isArrayType())
      return std::nullopt;
    std::optional<Path> base =
        lvalue(index->getBase()->IgnoreImpCasts(), state);
    if (!base)
      return std::nullopt;
    return base->child({Step::Index, nullptr, *constant});
  }
  if (auto *unary = dyn_cast<UnaryOperator>(e)) {
    if (unary->getOpcode() == UO_Deref) {
      Value pointer = eval(unary->getSubExpr(), state);
      if (pointer.kind == Value::Address)
        return pointer.target;
    } else if (unary->isPrefix() && unary->isIncrementDecrementOp()) {
      eval(unary, state);
      return lvalue(unary->getSubExpr(), state);
    }
    return std::nullopt;
  }
  if (auto *assignment = dyn_cast<BinaryOperator>(e);
      assignment && assignment->isAssignmentOp()) {
    eval(assignment, state);
    return lvalue(assignment->getLHS(), state);
  }
  if (auto *call = dyn_cast<CallExpr>(e);
      call && call->isGLValue() && !isa<CXXOperatorCallExpr>(call)) {
    Value v = eval(call, state);
    return v.kind == Value::Address ? std::optional(v.target) : std::nullopt;
  }
  return std::nullopt;
}

void HostEval::assign(const clang::Expr *to, Value value, State &state) {
  if (std::optional<Path> path = lvalue(to, state)) {
    store(state, *path, std::move(value));
    return;
  }
  // Something of an array was written: its parts are no longer known.
  const clang::Expr *base = to->IgnoreParenImpCasts();
  while (auto *index = dyn_cast<ArraySubscriptExpr>(base))
    base = index->getBase()->IgnoreParenImpCasts();
  if (base != to)
    if (std::optional<Path> path = lvalue(base, state))
      store(state, *path, Value::opaque(spell(base)));
}

Value HostEval::pointerArithmetic(BinaryOperatorKind kind, Value a, Value b,
                                  QualType pointer, const clang::Expr *e) {
  if (a.kind != Value::Pointer || !b.isInteger())
    return unknown(e, {});
  QualType pointee = pointer->getPointeeType();
  int64_t bytes = pointee->isVoidType() || pointee->isIncompleteType()
                      ? 1
                      : ctx.getTypeSizeInChars(pointee).getQuantity();
  Expr step = b.num * Expr(bytes);
  a.num = kind == BO_Sub ? a.num - step : a.num + step;
  return a;
}

Value HostEval::arithmetic(BinaryOperatorKind kind, Value a, Value b,
                           QualType type, const clang::Expr *e,
                           StringRef hint) {
  auto asInteger = [&](Value &v) {
    if (v.kind == Value::Boolean)
      v = integerOr(v, spell(e), e->getExprLoc(), ctx.BoolTy);
  };
  asInteger(a);
  asInteger(b);
  bool floating = type->isRealFloatingType();
  if (floating && (a.isInteger() || a.kind == Value::Ratio) &&
      (b.isInteger() || b.kind == Value::Ratio)) {
    switch (kind) {
    case BO_Add:
      return Value::ratio(a.num * b.den + b.num * a.den, a.den * b.den);
    case BO_Sub:
      return Value::ratio(a.num * b.den - b.num * a.den, a.den * b.den);
    case BO_Mul:
      return Value::ratio(a.num * b.num, a.den * b.den);
    case BO_Div:
      if (names.known.isPositive(b.num))
        return Value::ratio(a.num * b.den, a.den * b.num);
      return unknown(e, hint);
    default:
      return unknown(e, hint);
    }
  }
  if (!a.isInteger() || !b.isInteger())
    return unknown(e, hint);
  const Expr &x = a.num, &y = b.num;
  switch (kind) {
  case BO_Add:
    return Value::integer(x + y);
  case BO_Sub:
    return Value::integer(x - y);
  case BO_Mul:
    return Value::integer(x * y);
  case BO_Div:
    if (std::optional<Expr> q = truncDiv(x, y))
      return Value::integer(*q);
    break;
  case BO_Rem:
    if (std::optional<Expr> q = truncDiv(x, y))
      return Value::integer(x - y * *q);
    break;
  case BO_Shl:
    if (std::optional<int64_t> c = y.constant64(); c && *c >= 0 && *c < 62)
      return Value::integer(x * Expr(int64_t(1) << *c));
    break;
  case BO_Shr:
    if (std::optional<int64_t> c = y.constant64(); c && *c >= 0 && *c < 62)
      return Value::integer(floordiv(x, Expr(int64_t(1) << *c)));
    break;
  case BO_And:
    for (auto [value, mask] : {std::pair(x, y), std::pair(y, x)}) {
      std::optional<int64_t> c = mask.constant64();
      if (!c)
        continue;
      if (*c >= 0 && log2Exact(Expr(*c) + 1)) // the low bits
        return Value::integer(mod(value, Expr(*c) + 1));
      if (*c < 0 && log2Exact(Expr(-*c))) // rounds down to a multiple
        return Value::integer(value - mod(value, Expr(-*c)));
    }
    break;
  default:
    break;
  }
  return unknown(e, hint);
}

Value HostEval::evalBinary(const BinaryOperator *op, State &state,
                           StringRef hint) {
  BinaryOperatorKind kind = op->getOpcode();
  if (kind == BO_Comma) {
    eval(op->getLHS(), state);
    return eval(op->getRHS(), state, hint);
  }
  if (kind == BO_Assign) {
    std::string name;
    if (auto *ref = dyn_cast<DeclRefExpr>(op->getLHS()->IgnoreParens()))
      name = ref->getDecl()->getNameAsString();
    else if (auto *member = dyn_cast<MemberExpr>(op->getLHS()->IgnoreParens()))
      name = spell(member);
    Value v = eval(op->getRHS(), state, name);
    assign(op->getLHS(), v, state);
    return v;
  }
  if (op->isCompoundAssignmentOp()) {
    Value a = eval(op->getLHS(), state), b = eval(op->getRHS(), state);
    BinaryOperatorKind plain = BinaryOperator::getOpForCompoundAssignment(kind);
    Value v = op->getLHS()->getType()->isAnyPointerType()
                  ? pointerArithmetic(plain, a, b, op->getLHS()->getType(), op)
                  : arithmetic(plain, a, b, op->getLHS()->getType(), op, {});
    assign(op->getLHS(), v, state);
    return v;
  }
  if (op->isComparisonOp() || op->isLogicalOp())
    return Value::boolean(condition(op, state));
  Value a = eval(op->getLHS(), state), b = eval(op->getRHS(), state);
  if (op->getType()->isAnyPointerType()) {
    bool left = op->getLHS()->getType()->isAnyPointerType();
    return pointerArithmetic(kind, left ? a : b, left ? b : a, op->getType(),
                             op);
  }
  return arithmetic(kind, a, b, op->getType(), op, hint);
}

Value HostEval::evalUnary(const UnaryOperator *op, State &state) {
  switch (op->getOpcode()) {
  case UO_Plus:
  case UO_Extension:
    return eval(op->getSubExpr(), state);
  case UO_Minus: {
    Value v = eval(op->getSubExpr(), state);
    if (v.kind == Value::Integer || v.kind == Value::Ratio) {
      v.num = -v.num;
      return v;
    }
    return unknown(op, {});
  }
  case UO_Not: {
    Value v = eval(op->getSubExpr(), state);
    if (v.isInteger() && op->getType()->isSignedIntegerType())
      return Value::integer(-v.num - 1);
    return unknown(op, {});
  }
  case UO_LNot:
    return Value::boolean(condition(op, state));
  case UO_AddrOf: {
    const clang::Expr *of = op->getSubExpr()->IgnoreParens();
    if (auto *ref = dyn_cast<DeclRefExpr>(of))
      if (auto *function = dyn_cast<FunctionDecl>(ref->getDecl()))
        return Value::functionOf(function);
    if (auto *index = dyn_cast<ArraySubscriptExpr>(of)) { // &p[n]
      Value base = eval(index->getBase(), state);
      if (base.kind == Value::Pointer)
        return pointerArithmetic(BO_Add, base, eval(index->getIdx(), state),
                                 index->getBase()->getType(), op);
    }
    if (std::optional<Path> path = lvalue(of, state))
      return Value::address(*path);
    return unknown(op, {});
  }
  case UO_Deref:
    return load(state, op, {});
  case UO_PreInc:
  case UO_PreDec:
  case UO_PostInc:
  case UO_PostDec: {
    Value before = eval(op->getSubExpr(), state);
    BinaryOperatorKind kind = op->isIncrementOp() ? BO_Add : BO_Sub;
    QualType type = op->getSubExpr()->getType();
    Value after =
        type->isAnyPointerType()
            ? pointerArithmetic(kind, before, Value::integer(1), type, op)
            : arithmetic(kind, before, Value::integer(1), type, op, {});
    assign(op->getSubExpr(), after, state);
    return op->isPrefix() ? after : before;
  }
  default:
    return unknown(op, {});
  }
}

Value HostEval::evalConditional(const AbstractConditionalOperator *op,
                                State &state, StringRef hint) {
  Cond c = condition(op->getCond(), state);
  if (c.isAlways())
    return eval(op->getTrueExpr(), state, hint);
  if (c.isNever())
    return eval(op->getFalseExpr(), state, hint);
  State yes = state, no = state;
  yes.facts.push_back({c, "condition at " + where(op->getExprLoc())});
  no.facts.push_back({!c, "condition at " + where(op->getExprLoc())});
  // `(condition) ? void(0) : __assert_fail(...)`
  auto stops = [](const clang::Expr *e) {
    auto *call = dyn_cast<CallExpr>(e->IgnoreParenImpCasts());
    const FunctionDecl *f = call ? call->getDirectCallee() : nullptr;
    return f && f->isNoReturn();
  };
  if (stops(op->getFalseExpr()) || stops(op->getTrueExpr())) {
    bool keep = stops(op->getFalseExpr());
    state = keep ? std::move(yes) : std::move(no);
    state.facts.back().source = "assert at " + where(op->getExprLoc());
    return eval(keep ? op->getTrueExpr() : op->getFalseExpr(), state, hint);
  }
  Value a = eval(op->getTrueExpr(), yes), b = eval(op->getFalseExpr(), no);
  state = merge(state, std::move(yes), std::move(no), op->getExprLoc());
  if (a == b)
    return a;
  if (a.isInteger() && b.isInteger()) {
    // `a < b ? a : b` and its kind.
    if (c == lt(a.num, b.num) || c == le(a.num, b.num))
      return Value::integer(min(a.num, b.num));
    if (c == lt(b.num, a.num) || c == le(b.num, a.num))
      return Value::integer(max(a.num, b.num));
  }
  if (a.kind == Value::Boolean && b.kind == Value::Boolean)
    return Value::boolean((c && a.cond) || (!c && b.cond));
  // An optional pointer: what is not null is the buffer.
  if (a.kind == Value::Pointer && b.kind == Value::Null)
    return a;
  if (b.kind == Value::Pointer && a.kind == Value::Null)
    return b;
  std::string name = hint.empty() ? spell(op) : hint.str();
  return mergeValue(a, b, name, op->getExprLoc());
}

Value HostEval::evalCast(const CastExpr *cast, State &state, StringRef hint) {
  const clang::Expr *sub = cast->getSubExpr();
  switch (cast->getCastKind()) {
  case CK_LValueToRValue:
    return load(state, sub, hint);
  case CK_NullToPointer:
    return Value::null();
  case CK_FunctionToPointerDecay:
    return eval(sub, state, hint);
  case CK_ArrayToPointerDecay: {
    Value v;
    if (std::optional<Path> path = lvalue(sub, state))
      return Value::address(*path);
    return Value::opaque(spell(sub));
  }
  case CK_IntegralToBoolean:
  case CK_PointerToBoolean:
  case CK_FloatingToBoolean:
    return Value::boolean(condition(sub, state));
  case CK_IntegralToFloating: {
    Value v = eval(sub, state, hint);
    return v.isInteger() ? Value::ratio(v.num, 1) : v;
  }
  case CK_FloatingToIntegral: {
    Value v = eval(sub, state, hint);
    if (v.kind == Value::Ratio) {
      if (v.den.isOne())
        return Value::integer(v.num);
      if (std::optional<Expr> q = truncDiv(v.num, v.den))
        return Value::integer(*q);
    }
    return v.isInteger() ? v : unknown(cast, hint);
  }
  case CK_IntegralCast: {
    Value v = eval(sub, state, hint);
    // A char or short cuts what does not fit.
    if (v.isInteger() && !v.num.isConst() &&
        ctx.getTypeSize(cast->getType()) < 32 &&
        ctx.getTypeSize(sub->getType()) > ctx.getTypeSize(cast->getType()))
      return unknown(cast, hint);
    return v;
  }
  default:
    return eval(sub, state, hint);
  }
}

Value HostEval::initList(const InitListExpr *list, State &state) {
  if (list->isSemanticForm() == false && list->getSemanticForm())
    list = list->getSemanticForm();
  QualType type = list->getType();
  if (list->getNumInits() == 1 && !type->isRecordType() && !type->isArrayType())
    return eval(list->getInit(0), state);
  if (list->getNumInits() == 0 && type->isIntegerType())
    return Value::integer(0);
  Value out = Value::record();
  if (const RecordDecl *record = type->getAsRecordDecl()) {
    unsigned i = 0;
    if (auto *cxx = dyn_cast<CXXRecordDecl>(record))
      i += cxx->getNumBases();
    for (const FieldDecl *field : record->fields()) {
      if (i >= list->getNumInits())
        break;
      if (field->isUnnamedBitField())
        continue;
      Value v = eval(list->getInit(i++), state, field->getName());
      out.fields[{Step::Field, field->getCanonicalDecl(), 0}] = std::move(v);
    }
    return out;
  }
  if (type->isArrayType()) {
    for (unsigned i = 0; i < list->getNumInits(); ++i)
      out.fields[{Step::Index, nullptr, i}] = eval(list->getInit(i), state);
    return out;
  }
  return Value::opaque(spell(list));
}

Value HostEval::eval(const clang::Expr *e, State &state, StringRef hint) {
  if (++budget > nodeBudget)
    return Value::opaque("host code too large");
  if (e->isValueDependent() || e->isTypeDependent())
    return Value::opaque(spell(e));
  // What Clang itself can compute is exact: literals, sizeof, constexpr.
  if (e->getType()->isIntegralOrEnumerationType() && e->isPRValue() &&
      !isa<IntegerLiteral>(e)) {
    clang::Expr::EvalResult result;
    if (e->EvaluateAsInt(result, ctx, clang::Expr::SE_NoSideEffects)) {
      APSInt value = result.Val.getInt();
      if (e->getType()->isBooleanType())
        return Value::boolean(value.getBoolValue() ? Cond::always()
                                                   : Cond::never());
      return Value::integer(fromAPSInt(value));
    }
  }
  if (auto *full = dyn_cast<FullExpr>(e))
    return eval(full->getSubExpr(), state, hint);
  if (auto *paren = dyn_cast<ParenExpr>(e))
    return eval(paren->getSubExpr(), state, hint);
  if (auto *literal = dyn_cast<IntegerLiteral>(e)) {
    APSInt value(literal->getValue(),
                 literal->getType()->isUnsignedIntegerType());
    return Value::integer(fromAPSInt(value));
  }
  if (auto *literal = dyn_cast<FloatingLiteral>(e)) {
    APFloat value = literal->getValue();
    APSInt integer(64, false);
    bool exact = false;
    if (value.convertToInteger(integer, APFloat::rmTowardZero, &exact) ==
            APFloat::opOK &&
        exact)
      return Value::ratio(fromAPSInt(integer), 1);
    return Value::opaque(spell(e));
  }
  if (isa<CXXNullPtrLiteralExpr, GNUNullExpr>(e))
    return Value::null();
  if (auto *substituted = dyn_cast<SubstNonTypeTemplateParmExpr>(e))
    return eval(substituted->getReplacement(), state, hint);
  if (auto *materialised = dyn_cast<MaterializeTemporaryExpr>(e))
    return eval(materialised->getSubExpr(), state, hint);
  if (auto *defaulted = dyn_cast<CXXDefaultArgExpr>(e))
    return eval(defaulted->getExpr(), state, hint);
  if (auto *defaulted = dyn_cast<CXXDefaultInitExpr>(e))
    return eval(defaulted->getExpr(), state, hint);
  if (auto *bind = dyn_cast<CXXBindTemporaryExpr>(e))
    return eval(bind->getSubExpr(), state, hint);
  if (auto *opaque = dyn_cast<OpaqueValueExpr>(e))
    return opaque->getSourceExpr() ? eval(opaque->getSourceExpr(), state, hint)
                                   : unknown(e, hint);
  if (isa<ImplicitValueInitExpr, CXXScalarValueInitExpr>(e)) {
    if (e->getType()->isIntegralOrEnumerationType())
      return Value::integer(0);
    return e->getType()->isAnyPointerType() ? Value::null()
                                            : Value::opaque("zero");
  }
  if (isa<CXXThisExpr>(e)) {
    const auto *record = e->getType()->getPointeeCXXRecordDecl();
    const void *key = record ? record->getCanonicalDecl() : nullptr;
    auto it = state.vars.find(key);
    if (it != state.vars.end() && it->second.kind == Value::Address)
      return it->second;
    // The object that the root function belongs to: its members are symbols
    // with their own names.
    Path self;
    self.root = key ? key : static_cast<const void *>(e);
    roots.try_emplace(self.root,
                      Root{"", e->getType()->getPointeeType(), nullptr});
    return Value::address(self);
  }
  if (auto *launch = dyn_cast<CUDAKernelCallExpr>(e)) {
    launchKernel(launch, state);
    return {};
  }
  if (auto *call = dyn_cast<CallExpr>(e))
    return evalCall(call, state, hint);
  if (auto *construct = dyn_cast<CXXConstructExpr>(e))
    return evalConstruct(construct, state);
  if (auto *inherited = dyn_cast<CXXInheritedCtorInitExpr>(e))
    return Value::opaque(spell(inherited));
  if (auto *list = dyn_cast<InitListExpr>(e))
    return initList(list, state);
  if (auto *list = dyn_cast<CXXStdInitializerListExpr>(e))
    return eval(list->getSubExpr(), state, hint);
  if (auto *op = dyn_cast<BinaryOperator>(e))
    return evalBinary(op, state, hint);
  if (auto *op = dyn_cast<UnaryOperator>(e))
    return evalUnary(op, state);
  if (auto *op = dyn_cast<AbstractConditionalOperator>(e))
    return evalConditional(op, state, hint);
  if (auto *cast = dyn_cast<CastExpr>(e))
    return evalCast(cast, state, hint);
  if (auto *lambda = dyn_cast<LambdaExpr>(e)) {
    Value v;
    v.kind = Value::Closure;
    v.function = lambda->getCallOperator();
    return v;
  }
  if (auto *ref = dyn_cast<DeclRefExpr>(e))
    if (auto *function = dyn_cast<FunctionDecl>(ref->getDecl()))
      return Value::functionOf(function);
  if (isa<DeclRefExpr, MemberExpr, ArraySubscriptExpr>(e))
    return load(state, e, hint);
  if (auto *statement = dyn_cast<StmtExpr>(e)) {
    exec(statement->getSubStmt(), state);
    return unknown(e, hint);
  }
  return unknown(e, hint);
}

Cond HostEval::truth(const Value &v, const clang::Expr *e) {
  switch (v.kind) {
  case Value::Boolean:
    return v.cond;
  case Value::Integer:
    return ne(v.num, 0);
  case Value::Null:
    return Cond::never();
  case Value::Address:
  case Value::Function:
    return Cond::always();
  default:
    // Equal text with equal values is the same condition; a counter keeps two
    // places apart that only look alike.
    return Cond::unknown("host condition '" + spell(e) + "'",
                         "h" + utostr(++unknownConditions));
  }
}

Cond HostEval::condition(const clang::Expr *e, State &state) {
  e = e->IgnoreParens();
  if (auto *full = dyn_cast<FullExpr>(e))
    return condition(full->getSubExpr(), state);
  if (!e->isValueDependent() && e->getType()->isBooleanType() &&
      e->isPRValue()) {
    bool constant;
    if (e->EvaluateAsBooleanCondition(constant, ctx))
      return constant ? Cond::always() : Cond::never();
  }
  if (auto *op = dyn_cast<UnaryOperator>(e); op && op->getOpcode() == UO_LNot)
    return !condition(op->getSubExpr(), state);
  if (auto *cast = dyn_cast<CastExpr>(e);
      cast &&
      (cast->getCastKind() == CK_IntegralToBoolean ||
       cast->getCastKind() == CK_IntegralCast ||
       cast->getCastKind() == CK_PointerToBoolean ||
       cast->getCastKind() == CK_NoOp) &&
      cast->getType()->isIntegralOrEnumerationType())
    if (cast->getType()->isBooleanType() ||
        cast->getSubExpr()->getType()->isBooleanType())
      return condition(cast->getSubExpr(), state);
  if (auto *op = dyn_cast<BinaryOperator>(e)) {
    if (op->getOpcode() == BO_LAnd) {
      Cond a = condition(op->getLHS(), state);
      return a.isNever() ? a : a && condition(op->getRHS(), state);
    }
    if (op->getOpcode() == BO_LOr) {
      Cond a = condition(op->getLHS(), state);
      return a.isAlways() ? a : a || condition(op->getRHS(), state);
    }
    if (op->isComparisonOp()) {
      Value a = eval(op->getLHS(), state), b = eval(op->getRHS(), state);
      for (Value *v : {&a, &b})
        if (v->kind == Value::Boolean)
          if (v->cond.isAlways() || v->cond.isNever())
            *v = Value::integer(v->cond.isAlways() ? 1 : 0);
      if (a.isInteger() && b.isInteger()) {
        switch (op->getOpcode()) {
        case BO_LT:
          return lt(a.num, b.num);
        case BO_LE:
          return le(a.num, b.num);
        case BO_GT:
          return lt(b.num, a.num);
        case BO_GE:
          return le(b.num, a.num);
        case BO_EQ:
          return eq(a.num, b.num);
        case BO_NE:
          return ne(a.num, b.num);
        default:
          break;
        }
      }
      if (op->isEqualityOp() && a.kind == b.kind &&
          (a.kind == Value::Null || a.kind == Value::Function))
        return (a == b) == (op->getOpcode() == BO_EQ) ? Cond::always()
                                                      : Cond::never();
      return truth(Value::opaque(spell(e)), e);
    }
  }
  if (auto *call = dyn_cast<CallExpr>(e->IgnoreParenImpCasts()))
    if (const FunctionDecl *f = call->getDirectCallee())
      if (f->getBuiltinID() == Builtin::BI__builtin_expect)
        return condition(call->getArg(0)->IgnoreParenImpCasts(), state);
  return truth(eval(e, state), e);
}

Cond HostEval::conditionOf(const clang::Expr *e, State &state) {
  return condition(e, state);
}

} // namespace ioflor::frontend
