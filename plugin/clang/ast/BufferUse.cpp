//===- BufferUse.cpp - Which parameters a kernel reads and writes ---------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/ast/BufferUse.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include <set>

using namespace llvm;
using namespace clang;

namespace ioflor::frontend {

namespace {

using Sources = std::set<PointerSource>;

/// Whether values of the type can hold an address.
bool carries(QualType type) {
  if (type.isNull() || type->isReferenceType())
    return !type.isNull();
  if (const ArrayType *array = type->getAsArrayTypeUnsafe())
    return carries(array->getElementType());
  return type->isPointerType() || type->isRecordType();
}

bool isWritable(const PointerSource &source) {
  QualType type =
      source.second ? source.second->getType() : source.first->getType();
  QualType pointee = type->getPointeeType();
  return pointee.isNull() || !pointee.isConstQualified();
}

/// Two walks over one body: the first finds what local variables point to, the
/// second the accesses.
class Walker {
public:
  Walker(BufferUse &all, BufferUse::Uses &uses) : all(all), uses(uses) {}

  void run(const Stmt *body) {
    size_t before;
    unsigned rounds = 0;
    do {
      before = edges;
      assignments(body);
    } while (edges != before && ++rounds < 8);
    accesses(body);
  }

private:
  /// What the value of `e` may point into.
  Sources pointsTo(const Stmt *s) {
    Sources out;
    if (!s)
      return out;
    if (auto *e = dyn_cast<Expr>(s)) {
      e = e->IgnoreParenCasts();
      s = e;
      if (auto *ref = dyn_cast<DeclRefExpr>(e)) {
        if (auto *param = dyn_cast<ParmVarDecl>(ref->getDecl());
            param && param->getType()->isPointerType())
          out.insert({param, nullptr});
        if (auto it = locals.find(ref->getDecl()); it != locals.end())
          out.insert(it->second.begin(), it->second.end());
        return out;
      }
      if (auto *member = dyn_cast<MemberExpr>(e)) {
        const Expr *base = member->getBase()->IgnoreParenCasts();
        while (auto *outer = dyn_cast<MemberExpr>(base))
          base = outer->getBase()->IgnoreParenCasts();
        auto *field = dyn_cast<FieldDecl>(member->getMemberDecl());
        auto *ref = dyn_cast<DeclRefExpr>(base);
        auto *param = ref ? dyn_cast<ParmVarDecl>(ref->getDecl()) : nullptr;
        if (field && param && field->getType()->isPointerType() &&
            !param->getType()->isPointerType()) {
          out.insert({param, field->getCanonicalDecl()});
          return out;
        }
      }
      // An index is no address.
      if (auto *index = dyn_cast<ArraySubscriptExpr>(e))
        return pointsTo(index->getBase());
      if (e->getType()->isIntegralOrEnumerationType() && !isa<CallExpr>(e))
        return out;
    }
    for (const Stmt *child : s->children()) {
      Sources part = pointsTo(child);
      out.insert(part.begin(), part.end());
    }
    return out;
  }

  /// The slow memory that the lvalue `e` is a place in.
  Sources placeOf(const Expr *e) {
    e = e->IgnoreParens();
    if (auto *cast = dyn_cast<CastExpr>(e))
      return cast->getSubExpr()->isGLValue() ? placeOf(cast->getSubExpr())
                                             : pointsTo(e);
    if (auto *index = dyn_cast<ArraySubscriptExpr>(e)) {
      const Expr *base = index->getBase()->IgnoreParenImpCasts();
      return base->getType()->isArrayType() ? placeOf(base) : pointsTo(base);
    }
    if (auto *unary = dyn_cast<UnaryOperator>(e);
        unary && unary->getOpcode() == UO_Deref)
      return pointsTo(unary->getSubExpr());
    if (auto *member = dyn_cast<MemberExpr>(e))
      return member->isArrow() ? pointsTo(member->getBase())
                               : placeOf(member->getBase());
    if (auto *ref = dyn_cast<DeclRefExpr>(e))
      return ref->getDecl()->getType()->isReferenceType() ? pointsTo(e)
                                                          : Sources();
    if (isa<CallExpr>(e))
      return pointsTo(e);
    return {};
  }

  void bind(const ValueDecl *variable, const Expr *value) {
    if (!variable || !value || !carries(variable->getType()))
      return;
    Sources from = pointsTo(value);
    for (const PointerSource &source : from)
      edges += locals[variable].insert(source).second;
  }

  void assignments(const Stmt *s) {
    if (!s)
      return;
    if (auto *declare = dyn_cast<DeclStmt>(s))
      for (const Decl *d : declare->decls())
        if (auto *var = dyn_cast<VarDecl>(d))
          bind(var, var->getInit());
    if (auto *op = dyn_cast<BinaryOperator>(s);
        op && op->getOpcode() == BO_Assign)
      // `p = q`, also `table[i] = q`.
      if (op->getRHS()->getType()->isPointerType() &&
          op->getLHS()->isLValue()) {
        const Expr *to = op->getLHS()->IgnoreParenCasts();
        while (auto *index = dyn_cast<ArraySubscriptExpr>(to))
          to = index->getBase()->IgnoreParenCasts();
        if (auto *ref = dyn_cast<DeclRefExpr>(to))
          bind(ref->getDecl(), op->getRHS());
      }
    forChildren(s, [&](const Stmt *child) { assignments(child); });
  }

  void note(const Sources &sources, bool reads, bool writes) {
    for (const PointerSource &source : sources) {
      Access &access = uses[source];
      access.reads |= reads;
      access.writes |= writes && isWritable(source);
    }
  }

  void accesses(const Stmt *s) {
    if (!s)
      return;
    if (auto *op = dyn_cast<BinaryOperator>(s); op && op->isAssignmentOp())
      note(placeOf(op->getLHS()), op->isCompoundAssignmentOp(), true);
    else if (auto *unary = dyn_cast<UnaryOperator>(s);
             unary && unary->isIncrementDecrementOp())
      note(placeOf(unary->getSubExpr()), true, true);
    else if (auto *cast = dyn_cast<CastExpr>(s);
             cast && cast->getCastKind() == CK_LValueToRValue)
      note(placeOf(cast->getSubExpr()), true, false);
    else if (auto *construct = dyn_cast<CXXConstructExpr>(s);
             construct &&
             construct->getConstructor()->isCopyOrMoveConstructor())
      for (const Expr *arg : construct->arguments())
        note(placeOf(arg), true, false);
    else if (auto *assembly = dyn_cast<GCCAsmStmt>(s))
      visitAssembly(assembly);
    else if (auto *atomic = dyn_cast<AtomicExpr>(s))
      note(pointsTo(atomic->getPtr()), true, true);
    else if (auto *call = dyn_cast<CallExpr>(s))
      visitCall(call);
    forChildren(s, [&](const Stmt *child) { accesses(child); });
  }

  void visitAssembly(const GCCAsmStmt *assembly) {
    std::string text = assembly->getAsmString();
    StringRef t(text);
    bool writes = t.contains("st.") || t.contains("red.") ||
                  t.contains("atom") || t.contains("reduce");
    bool reads = t.contains("ld.") || t.contains("ldg") ||
                 t.contains("cp.async") || t.contains("atom") ||
                 t.contains("prefetch") || !writes;
    for (const Expr *input : assembly->inputs())
      note(pointsTo(input), reads, writes || !reads);
  }

  void visitCall(const CallExpr *call) {
    const FunctionDecl *callee = call->getDirectCallee();
    const FunctionDecl *definition = nullptr;
    bool known = callee && callee->hasBody(definition);
    // Assignment of a record is an operator.
    if (auto *op = dyn_cast<CXXOperatorCallExpr>(call)) {
      if (op->isAssignmentOp() && op->getNumArgs() == 2) {
        note(placeOf(op->getArg(0)), op->getOperator() != OO_Equal, true);
        note(placeOf(op->getArg(1)), true, false);
        return;
      }
    }
    StringRef name;
    if (callee && callee->getIdentifier())
      name = callee->getName();
    bool stores =
        name.contains_insensitive("store") || name.starts_with("__st");
    bool loads = name.contains_insensitive("load") || name.starts_with("__ld");
    // The object of an overloaded operator comes first.
    unsigned skip =
        isa<CXXOperatorCallExpr>(call) && isa_and_nonnull<CXXMethodDecl>(callee)
            ? 1
            : 0;
    for (unsigned i = 0; i < call->getNumArgs(); ++i) {
      const Expr *arg = call->getArg(i);
      QualType type = arg->getType();
      bool address = carries(type) || arg->isGLValue();
      if (!address)
        continue;
      Sources sources =
          type->isPointerType() || type->isArrayType() || type->isRecordType()
              ? pointsTo(arg)
              : placeOf(arg);
      if (sources.empty())
        continue;
      if (known && i >= skip && i - skip < definition->getNumParams()) {
        const ParmVarDecl *param = definition->getParamDecl(i - skip);
        if (param->getType()->isPointerType()) {
          const BufferUse::Uses &inner = all.of(definition);
          if (auto it = inner.find({param, nullptr}); it != inner.end())
            note(sources, it->second.reads, it->second.writes);
          continue;
        }
        if (param->getType()->isReferenceType()) {
          bool constant = param->getType()->getPointeeType().isConstQualified();
          note(sources, true, !constant);
          continue;
        }
      }
      QualType pointee = type->getPointeeType();
      bool constant = !pointee.isNull() && pointee.isConstQualified();
      if (i < skip && known) // its captures are walked where they are written
        continue;
      note(sources, constant || !stores, !constant && !loads);
    }
  }

  template <typename F> void forChildren(const Stmt *s, F visit) {
    if (auto *lambda = dyn_cast<LambdaExpr>(s)) {
      const CXXMethodDecl *op = lambda->getCallOperator();
      if (auto *generic = op->getDescribedFunctionTemplate()) {
        for (const FunctionDecl *instance : generic->specializations())
          visit(instance->getBody());
      } else {
        visit(op->getBody());
      }
      return;
    }
    for (const Stmt *child : s->children())
      if (child)
        visit(child);
  }

  BufferUse &all;
  BufferUse::Uses &uses;
  std::map<const ValueDecl *, Sources> locals;
  size_t edges = 0;
};

} // namespace

const BufferUse::Uses &BufferUse::of(const FunctionDecl *function) {
  const FunctionDecl *definition = nullptr;
  if (!function->hasBody(definition))
    definition = function;
  auto [it, isNew] = cache.try_emplace(definition);
  if (!isNew || !definition->hasBody())
    return it->second; // recursion sees what is known so far
  Walker(*this, it->second).run(definition->getBody());
  return it->second;
}

} // namespace ioflor::frontend
